"""Phases, their decisions, and the rules of moves and outcomes."""

from __future__ import annotations

from attrs import field, frozen

from zermelo.grammar.source import Span
from zermelo.interpreter.model.expressions import Expr, FormalParameter, needed
from zermelo.interpreter.model.statements import Block
from zermelo.interpreter.types import Type


@frozen(eq=False)
class RuleParameter:
    """``name in domain`` of a move or outcome; others do not perceive a ``secret`` one."""

    slot: int
    name: str
    domain: Expr
    type: Type
    secret: bool
    span: Span = field(repr=False)


@frozen(eq=False)
class Rule:
    """A ``move`` or ``outcome`` clause: one for each binding of its parameters that meets the guards.

    ``guards[k]`` holds the parts of the guard that need the first k parameters (k = 0, ..., number of parameters):
    test them as soon as these are bound. ``ensuring`` must hold in the position right after the effects. Of
    ``weight`` and ``probability`` an outcome has at most one, a move neither.
    """

    name: str
    parameters: tuple[RuleParameter, ...]
    guards: tuple[tuple[Expr, ...], ...]
    ensuring: Expr | None
    secret: bool
    weight: Expr | None
    probability: Expr | None
    body: Block
    span: Span = field(repr=False)


@frozen(eq=False)
class Turn:
    player: Expr
    preferring: tuple[Expr, ...] = field(metadata=needed("'preferring' compares values"))
    moves: tuple[Rule, ...]
    span: Span = field(repr=False)

    @property
    def is_narrowed(self) -> bool:
        """Whether a clause may leave out moves that the rules allow."""
        return bool(self.preferring)


@frozen(eq=False)
class Chance:
    outcomes: tuple[Rule, ...]
    span: Span = field(repr=False)


@frozen(eq=False)
class Together:
    """Every player of ``players`` (a set) chooses one of ``moves``, in whose guards and domains he is ``slot``; a
    player to whom nothing is offered does not choose. Then ``then`` runs."""

    players: Expr
    slot: int
    moves: tuple[Rule, ...]
    then: Block
    span: Span = field(repr=False)


Decision = Turn | Chance | Together


@frozen(eq=False)
class Phase:
    """``otherwise`` is None where the file has none: a decision that offers nothing is then an error."""

    name: str
    parameters: tuple[FormalParameter, ...]
    entry: Block
    decision: Decision | None
    otherwise: Block | None
    frame_size: int
    span: Span = field(repr=False)
