"""Declarations, and the decisions that phases hold."""

from __future__ import annotations

from typing import Literal

from attrs import frozen

from zermelo.grammar.syntax.expressions import Binder, Expression, TableLiteral
from zermelo.grammar.syntax.nodes import Name, Node
from zermelo.grammar.syntax.statements import Block
from zermelo.grammar.syntax.types import TypeExpression


@frozen(eq=False, repr=False)
class MoveParameter(Node):
    """``x in S``, and whether it is ``secret``."""

    name: Name
    domain: Expression
    secret: bool


@frozen(eq=False, repr=False)
class Move(Node):
    """One ``move`` clause; in ``together`` it has no body."""

    name: Name
    parameters: tuple[MoveParameter, ...]
    secret: bool
    guard: Expression | None
    ensuring: Expression | None
    body: Block | None


@frozen(eq=False, repr=False)
class OutcomeClause(Node):
    """One ``outcome`` clause; at most one of ``weight`` and ``probability`` is given."""

    name: Name
    parameters: tuple[MoveParameter, ...]
    guard: Expression | None
    weight: Expression | None
    probability: Expression | None
    body: Block


@frozen(eq=False, repr=False)
class TurnClause(Node):
    """A clause of a turn: a word of the language, and the values after it."""

    word: str
    values: tuple[Expression, ...]


@frozen(eq=False, repr=False)
class Turn(Node):
    """``turn p:``, or with clauses before the colon, each with a word of its own."""

    player: Expression
    clauses: tuple[TurnClause, ...]
    moves: tuple[Move, ...]

    def values(self, word: str) -> tuple[Expression, ...]:
        """The values of the clause with this word; none if there is none."""
        return next((clause.values for clause in self.clauses if clause.word == word), ())


@frozen(eq=False, repr=False)
class Chance(Node):
    outcomes: tuple[OutcomeClause, ...]


@frozen(eq=False, repr=False)
class Together(Node):
    """``together p in S:``; ``binder`` is None for ``together:``, which means every player."""

    binder: Binder | None
    moves: tuple[Move, ...]
    then: Block


Decision = Turn | Chance | Together


@frozen(eq=False, repr=False)
class Declaration(Node):
    """The base of all declarations: the constructs at the left margin."""


@frozen(eq=False, repr=False)
class Players(Declaration):
    """``players X, O``"""

    names: tuple[Name, ...]


@frozen(eq=False, repr=False)
class PlayerCount(Declaration):
    """``players 2..6 = 3``: P1, P2, ..."""

    low: Expression
    high: Expression
    default: Expression


@frozen(eq=False, repr=False)
class Parameter(Declaration):
    """``param name: domain = default``"""

    name: Name
    domain: TypeExpression
    default: Expression


@frozen(eq=False, repr=False)
class Require(Declaration):
    condition: Expression


@frozen(eq=False, repr=False)
class TypeDeclaration(Declaration):
    name: Name
    definition: TypeExpression


@frozen(eq=False, repr=False)
class VariableIndex(Node):
    """One index of a variable: ``Cell``, or ``q: Player`` where the visibility names it."""

    name: Name | None
    type: TypeExpression


@frozen(eq=False, repr=False)
class Visibility(Node):
    """``public``, ``hidden``, ``private`` or ``seen by e``; ``audience`` is given for the last alone."""

    kind: Literal["public", "hidden", "private", "seen"]
    audience: Expression | None = None


@frozen(eq=False, repr=False)
class Variable(Declaration):
    """``var name[I, J]: T = initial visibility``; without a word of visibility it is public."""

    name: Name
    indices: tuple[VariableIndex, ...]
    type: TypeExpression
    initial: Expression | None
    visibility: Visibility | None


@frozen(eq=False, repr=False)
class FormalParameter(Node):
    """``name: T`` of a define, action or phase; only a phase's may be ``secret``."""

    name: Name
    type: TypeExpression
    secret: bool = False


@frozen(eq=False, repr=False)
class Define(Declaration):
    """``define name(parameters): type = body``, without parameters and with a table as its body a named table."""

    name: Name
    parameters: tuple[FormalParameter, ...]
    type: TypeExpression | None
    body: Expression

    @property
    def is_table(self) -> bool:
        return not self.parameters and isinstance(self.body, TableLiteral)


@frozen(eq=False, repr=False)
class Action(Declaration):
    name: Name
    parameters: tuple[FormalParameter, ...]
    body: Block


@frozen(eq=False, repr=False)
class Setup(Declaration):
    body: Block


@frozen(eq=False, repr=False)
class Start(Declaration):
    """``start at phase(arguments)``"""

    phase: Name
    arguments: tuple[Expression, ...]


@frozen(eq=False, repr=False)
class Phase(Declaration):
    """``phase name(parameters):`` with its entry statements, its one decision, and ``otherwise:``."""

    name: Name
    parameters: tuple[FormalParameter, ...]
    entry: Block
    decision: Decision | None
    otherwise: Block | None
