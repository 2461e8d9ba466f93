"""Declarations, and the decisions that phases hold."""

from __future__ import annotations

from typing import Literal

from attrs import field, frozen

from zermelo.grammar.syntax.expressions import (
    Binder,
    Binding,
    Block,
    Comment,
    Expression,
    Name,
    Node,
    Number,
    Outcome,
    TableLiteral,
    TypeExpression,
)


@frozen(eq=False, repr=False)
class MoveParameter(Node):
    """``x in S``, or ``x in S?`` if it may be left out, and whether it is ``secret``."""

    name: Name
    domain: Expression
    secret: bool
    is_optional: bool


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
    """``chance:``, or ``chance for x in S, y in T if G:``, one draw for each x and y, and then the block ``then``."""

    outcomes: tuple[OutcomeClause, ...]
    binders: tuple[Binder, ...] = ()
    guard: Expression | None = None
    then: Block = ()


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
class Language(Declaration):
    """``language 2``: the edition of the language that the file is written in."""

    edition: Number


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


# The whole of a file.


@frozen(eq=False, repr=False)
class GameFile(Node):
    """A whole file: its title, its declarations and its comments, each in the order of the text."""

    title: str
    declarations: tuple[Declaration, ...]
    comments: tuple[Comment, ...] = field(default=(), repr=False)


# Claims, hints for search, legends and what is drawn, expectations, witnesses and tests.


@frozen(eq=False, repr=False)
class PhaseMeasure(Node):
    """``phase: (e, ...)``: the measure of ``terminates by`` in a phase."""

    phase: Name
    measure: tuple[Expression, ...]


@frozen(eq=False, repr=False)
class ClaimItem(Node):
    """One property; ``arguments`` are the k of ``constant_sum k`` and the measure of ``terminates by (e, ...)``, and
    ``by_phase`` the measures of ``terminates by {phase: (e, ...), ...}``."""

    property: Literal[
        "zero_sum",
        "constant_sum",
        "common_payoff",
        "perfect_information",
        "deterministic",
        "terminates",
        "symmetric",
    ]
    arguments: tuple[Expression, ...] = ()
    by_phase: tuple[PhaseMeasure, ...] = ()


@frozen(eq=False, repr=False)
class Claim(Declaration):
    items: tuple[ClaimItem, ...]


@frozen(eq=False, repr=False)
class Endless(Declaration):
    """``endless draw``: the value of a play that never ends."""

    outcome: Outcome


@frozen(eq=False, repr=False)
class Discount(Declaration):
    factor: Expression


@frozen(eq=False, repr=False)
class Feature(Define):
    """``feature NAME(p) = e``: a define of one player that can have a weight."""


@frozen(eq=False, repr=False)
class Weight(Declaration):
    """``weight NAME = e``: how much a feature counts in the weighted sum."""

    feature: Name
    value: Expression


@frozen(eq=False, repr=False)
class WeightedSum(Expression):
    """``weighted sum``: every feature times its weight; only as the whole of an estimate."""


@frozen(eq=False, repr=False)
class Estimate(Declaration):
    """``estimate for p: e``"""

    player: Name
    value: Expression


@frozen(eq=False, repr=False)
class Unsettled(Declaration):
    """``unsettled if e``"""

    condition: Expression


@frozen(eq=False, repr=False)
class OrderMoves(Declaration):
    """``order moves by e``"""

    key: Expression


@frozen(eq=False, repr=False)
class LegendEntry(Node):
    """``"P" = (White, pawn)``"""

    text: str
    value: Expression


@frozen(eq=False, repr=False)
class Legend(Declaration):
    """``target`` is a variable, or an enumeration."""

    target: Name
    entries: tuple[LegendEntry, ...]


@frozen(eq=False, repr=False)
class LookWord(Node):
    """``disc``, ``red`` or ``"♛"``: a word, or a text in quotation marks."""

    text: str
    is_quoted: bool


@frozen(eq=False, repr=False)
class Look(Node):
    """``disc red "♛"``"""

    words: tuple[LookWord, ...]


@frozen(eq=False, repr=False)
class DrawnEntry(Node):
    """``king = disc "♛"``"""

    value: Expression
    look: Look


@frozen(eq=False, repr=False)
class Drawn(Declaration):
    """``target`` is a variable or a type, ``look`` that of everything that has no entry."""

    target: Name
    look: Look | None
    entries: tuple[DrawnEntry, ...]


@frozen(eq=False, repr=False)
class PlayedMove(Node):
    """A move as it is written in a play: ``mark(b2)``."""

    name: Name
    arguments: tuple[Expression, ...]


@frozen(eq=False, repr=False)
class InPosition(Node):
    """``e``: a position in which e holds."""

    condition: Expression


@frozen(eq=False, repr=False)
class InPhase(Node):
    """``in play if e``: a decision of a phase."""

    phase: Name
    condition: Expression | None


@frozen(eq=False, repr=False)
class AtEnd(Node):
    """``end win Ann if e``: an end of the play, with any outcome if there is none here."""

    outcome: Outcome | None
    condition: Expression | None


Event = InPosition | InPhase | AtEnd


@frozen(eq=False, repr=False)
class ExpectValue(Node):
    """``value == e``, with ``within tolerance``; ``value`` is a tuple, or one number for its first player."""

    value: Expression
    tolerance: Expression | None


@frozen(eq=False, repr=False)
class ExpectBest(Node):
    """``best == move``"""

    move: PlayedMove


@frozen(eq=False, repr=False)
class ExpectCount(Node):
    """``positions == n``, ``information_sets == n`` or ``plays(length) == n``."""

    what: Literal["positions", "information_sets", "plays"]
    length: Expression | None
    count: Expression


@frozen(eq=False, repr=False)
class ExpectEquilibrium(Node):
    """``equilibrium (a, b)``: one pure choice for each player."""

    choices: tuple[PlayedMove, ...]


@frozen(eq=False, repr=False)
class ExpectTrue(Node):
    """``expect e`` in a test: a condition on the position reached."""

    condition: Expression


@frozen(eq=False, repr=False)
class ExpectEvent(Node):
    """``expect in play``, ``expect end win Ann`` in a test: where the play is now."""

    event: InPhase | AtEnd


@frozen(eq=False, repr=False)
class ExpectKnows(Node):
    """``expect knows(p, e)`` in a test: e holds in all positions that p cannot tell from this one; or, if ``of_value``,
    ``expect knows_value(p, e)``: e has the same value in all of them. ``negated``: after ``not``."""

    player: Expression
    fact: Expression
    of_value: bool = False
    negated: bool = False


@frozen(eq=False, repr=False)
class ExpectIllegal(Node):
    """``expect illegal mark(a1)`` in a test."""

    move: PlayedMove


Expectation = (
    ExpectValue | ExpectBest | ExpectCount | ExpectEquilibrium | ExpectTrue | ExpectEvent | ExpectKnows | ExpectIllegal
)


@frozen(eq=False, repr=False)
class Expect(Declaration):
    """``expect ...``, with ``with size = 4`` for other parameters."""

    expectation: Expectation
    settings: tuple[Binding, ...] = ()


@frozen(eq=False, repr=False)
class Witness(Declaration):
    """``reachable ...`` or ``never ...``, with ``with size = 4`` for other parameters."""

    word: Literal["reachable", "never"]
    event: Event
    settings: tuple[Binding, ...] = ()


@frozen(eq=False, repr=False)
class PlayLine(Node):
    """``play deal(J, Q), bet`` in a test."""

    moves: tuple[PlayedMove, ...]


@frozen(eq=False, repr=False)
class ExpectLine(Node):
    """``expect ...`` in a test."""

    expectation: Expectation


@frozen(eq=False, repr=False)
class Test(Declaration):
    title: str
    lines: tuple[PlayLine | ExpectLine, ...]


# The notations ``tree:`` and ``table:``.


@frozen(eq=False, repr=False)
class Leaf(Node):
    """A payoff tuple; one number is short for ``(x, -x)`` with two players, and for ``(x)`` with one."""

    amounts: tuple[Expression, ...]


@frozen(eq=False, repr=False)
class DecisionNode(Node):
    """``Player @label:`` and its branches."""

    player: Name
    label: Name | None
    branches: tuple[tuple[Name, TreeNode], ...]


@frozen(eq=False, repr=False)
class ChanceBranch(Node):
    probability: Expression
    name: Name
    child: TreeNode


@frozen(eq=False, repr=False)
class ChanceNode(Node):
    branches: tuple[ChanceBranch, ...]


TreeNode = Leaf | DecisionNode | ChanceNode


@frozen(eq=False, repr=False)
class Tree(Declaration):
    root: TreeNode


@frozen(eq=False, repr=False)
class TableCell(Node):
    amounts: tuple[Expression, ...]


@frozen(eq=False, repr=False)
class TableRow(Node):
    choice: Name
    cells: tuple[TableCell, ...]


@frozen(eq=False, repr=False)
class Table(Declaration):
    """``table:``, or ``table Third = left:`` for each choice of the other players (``others``)."""

    others: tuple[tuple[Name, Name], ...]
    row_player: Name
    column_player: Name
    columns: tuple[Name, ...]
    rows: tuple[TableRow, ...]
