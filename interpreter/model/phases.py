"""Phases, their decisions, and the rules of moves and outcomes."""

from __future__ import annotations

from attrs import field, frozen

from zermelo.grammar.displayed import Displayed
from zermelo.grammar.source import Span
from zermelo.interpreter.model.expressions import Expr, FormalParameter, needed
from zermelo.interpreter.model.statements import Block
from zermelo.interpreter.types import Type


@frozen(eq=False, repr=False)
class RuleParameter(Displayed):
    """``name in domain`` of a move or outcome; a ``secret`` one is hidden from the others."""

    slot: int
    name: str
    domain: Expr
    type: Type
    secret: bool
    span: Span = field(repr=False)


@frozen(eq=False, repr=False)
class Rule(Displayed):
    """A ``move`` or ``outcome`` clause: one move for each binding of its parameters that meets the guards.

    ``guards[k]`` holds the parts of the guard that need the first k parameters (k = 0, ..., number of parameters), to
    be tested as soon as these are bound. ``ensuring`` must hold right after the effects. An outcome has at most one of
    ``weight`` and ``probability``, a move neither.
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


@frozen(eq=False, repr=False)
class Chosen(Expr):
    """In ``then:``: argument number ``parameter`` of the move ``rule`` of ``player``, none if they chose another move;
    with a ``parameter`` of None, whether they chose it."""

    rule: Rule
    player: Expr
    parameter: int | None


@frozen(eq=False, repr=False)
class Turn(Displayed):
    player: Expr
    preferring: tuple[Expr, ...] = field(metadata=needed("'preferring' compares values"))
    moves: tuple[Rule, ...]
    span: Span = field(repr=False)

    @property
    def is_narrowed(self) -> bool:
        """Whether a clause may exclude moves that the rules allow."""
        return bool(self.preferring)


@frozen(eq=False, repr=False)
class Chance(Displayed):
    outcomes: tuple[Rule, ...]
    span: Span = field(repr=False)


@frozen(eq=False, repr=False)
class Together(Displayed):
    """Every player of the set ``players`` chooses one of ``moves``, in whose guards and domains ``slot`` is that
    player; a player without a move is left out. Then ``then`` runs."""

    players: Expr
    slot: int
    moves: tuple[Rule, ...]
    then: Block
    span: Span = field(repr=False)


Decision = Turn | Chance | Together


@frozen(eq=False, repr=False)
class Phase(Displayed):
    """Without ``otherwise`` a decision that offers no move is an error."""

    name: str
    parameters: tuple[FormalParameter, ...]
    entry: Block
    decision: Decision | None
    otherwise: Block | None
    frame_size: int
    span: Span = field(repr=False)
