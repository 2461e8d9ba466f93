"""A whole game."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Literal

from attrs import field, frozen

from zermelo.foundation.records import Displayed, Unchanging
from zermelo.grammar.diagnostics import Source, Span
from zermelo.interpreter.model.expressions import (
    Action,
    Block,
    Define,
    Expr,
    FormalParameter,
    Go,
    Outcome,
    Repeated,
    Repetitions,
    Variable,
    reason_against_none,
)
from zermelo.interpreter.types import MemberType, OptionalType, Type
from zermelo.interpreter.values import Member, Value

# Phases, their decisions, and the rules of moves and outcomes.


@frozen(eq=False, repr=False)
class RuleParameter(Displayed):
    """``name in domain`` of a move or outcome; a ``secret`` one is hidden from the others. An optional one, ``name in
    domain?``, may be none as well, which comes before the members of the domain."""

    slot: int
    name: str
    domain: Expr
    type: Type
    secret: bool
    span: Span = field(repr=False)

    @property
    def is_optional(self) -> bool:
        return isinstance(self.type, OptionalType)


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
    preferring: tuple[Expr, ...] = field(metadata=reason_against_none("'preferring' compares values"))
    moves: tuple[Rule, ...]
    span: Span = field(repr=False)

    @property
    def is_narrowed(self) -> bool:
        """Whether a clause may exclude moves that the rules allow."""
        return bool(self.preferring)


@frozen(eq=False, repr=False)
class Chance(Displayed):
    """If it is one of several draws, ``repeated`` is the text that says for what there is one, the last parameter of
    the phase is the number of the draw, and the entry statements run ``then`` at the number after the last draw."""

    outcomes: tuple[Rule, ...]
    span: Span = field(repr=False)
    repeated: Span | None = field(default=None, repr=False)
    then: Block = field(default=(), repr=False)


@frozen(eq=False, repr=False)
class Together(Displayed):
    """Every player of the set ``players`` chooses one of ``moves``; in their guards and domains, ``slot`` holds that
    player. A player without a move is left out. Then ``then`` runs."""

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

    @property
    def is_numbered(self) -> bool:
        """Whether the last parameter is the number of the draw."""
        return isinstance(self.decision, Chance) and self.decision.repeated is not None


# What a file says beside its rules: claims, hints for search, legends, what is drawn, expectations, witnesses, tests.


@frozen(eq=False, repr=False)
class Claim(Displayed):
    """``arguments`` are the k of ``constant_sum k``, or the measure of ``terminates by``; ``by_phase`` has the measures
    that are given phase by phase, with the parameters of the phase in the first slots."""

    property: str
    arguments: tuple[Expr, ...]
    span: Span = field(repr=False)
    by_phase: Mapping[str, tuple[Expr, ...]] = field(factory=dict)

    def is_measured(self) -> bool:
        """Whether the claim has a ranking function: ``terminates by (e)``."""
        return self.property == "terminates" and bool(self.arguments or self.by_phase)

    def measure(self, phase: str) -> tuple[Expr, ...]:
        """The measure at a decision in a phase."""
        return self.by_phase.get(phase, self.arguments)


@frozen(eq=False, repr=False)
class Loose(Displayed):
    """An expression of its own, with its frame."""

    value: Expr
    frame_size: int


@frozen(eq=False, repr=False)
class Feature(Loose):
    """A term of a weighted sum: a define of the player in slot 0, and its weight."""

    define: Define
    weight: Fraction | int

    @property
    def name(self) -> str:
        return self.define.name


@frozen(eq=False, repr=False)
class Estimate(Loose):
    """The estimate of a position for the player in slot 0; ``features`` are its terms if it is a weighted sum."""

    features: tuple[Feature, ...]


@frozen(eq=False, repr=False)
class Legend(Displayed):
    """The character for each value of a variable."""

    variable: Variable
    characters: Mapping[Value, str]


@frozen(eq=False, repr=False)
class Appearance(Displayed):
    """How a value is drawn: a ``shape`` with a ``face`` on it, a text, in the ``colour`` of a player or of this name.
    Without a shape the face stands alone; if it ``is_signed``, the face is the sign of the value. An empty colour is
    that of the player whom the value or its place names."""

    shape: str = ""
    face: str = ""
    is_signed: bool = False
    colour: Member | str = ""


@frozen(eq=False, repr=False)
class Drawn(Displayed):
    """How the values of a variable are drawn: by the look of the value or of a part of it, else by ``look``, else by
    their signs."""

    variable: Variable
    look: Appearance | None
    looks: Mapping[Value, Appearance]


@frozen(eq=False, repr=False)
class Ground(Displayed):
    """What a board, or a range of numbers, looks like where nothing lies on it. ``pattern`` and ``colour`` are empty
    for the usual ones. ``sides`` are the colours of sides of a board; ``places`` says which numbers are no points, but
    the ``bar`` or ``off`` the board; if the ground ``is_facing``, two players count the points from different ends.
    ``variables`` are the names of those whose last index is this type."""

    type: Type
    variables: frozenset[str]
    pattern: str = ""
    colour: Member | str = ""
    is_facing: bool = False
    sides: Mapping[str, Member | str] = field(factory=dict)
    places: Mapping[Value, str] = field(factory=dict)


@frozen(eq=False, repr=False)
class WrittenMove(Displayed):
    """A move in an ``expect`` or ``test``, as :meth:`zermelo.interpreter.machine.Move.__str__` writes it."""

    text: str
    span: Span = field(repr=False)


@frozen(eq=False, repr=False)
class FixedOutcome(Displayed):
    """An outcome that is the same in every position."""

    outcome: Outcome
    frame_size: int
    span: Span = field(repr=False)


@frozen(eq=False, repr=False)
class Event(Displayed):
    """Positions, as a witness or a test describes them: any, the decisions of the ``phase`` of this name, or the ends;
    if ``paid`` is given, only ends that pay this. In these the ``condition`` holds, if there is one; in a phase the
    arguments are in its first slots."""

    place: Literal["anywhere", "phase", "end"]
    phase: str = ""
    paid: FixedOutcome | None = None
    condition: Loose | None = None


ExpectationKind = Literal[
    "value",
    "best",
    "positions",
    "information_sets",
    "plays",
    "equilibrium",
    "true",
    "event",
    "knows",
    "knows_value",
    "illegal",
]


@frozen(eq=False, repr=False)
class Expectation(Displayed):
    """An ``expect`` of the file. By ``kind``:

    ``value``: ``number`` is a tuple of payoffs or that of the first player, ``tolerance`` a number or None;
    ``best``: ``moves`` has one; ``positions``, ``information_sets``, ``plays``: ``number``, and ``length`` for plays;
    ``equilibrium``: ``moves`` has one for each player; ``true``: ``condition``; ``event``: ``event``; ``knows``:
    ``player`` and ``condition``, which is any expression for ``knows_value``, and ``negated`` after ``not``;
    ``illegal``: ``moves`` has one.

    ``settings`` are the parameters under which it holds.
    """

    kind: ExpectationKind
    span: Span = field(repr=False)
    number: Any = None
    tolerance: Fraction | int | None = None
    length: int | None = None
    moves: tuple[WrittenMove, ...] = ()
    player: Loose | None = None
    condition: Loose | None = None
    event: Event | None = None
    negated: bool = False
    settings: Mapping[str, Value] = field(kw_only=True)


@frozen(eq=False, repr=False)
class Witness(Displayed):
    """A ``reachable`` or ``never`` of the file. It says that some position is as described or, unless it ``is_wanted``,
    that none is; ``settings`` are the parameters for which it says so."""

    is_wanted: bool
    event: Event
    span: Span
    settings: Mapping[str, Value]


@frozen(eq=False, repr=False)
class PlayLine(Displayed):
    moves: tuple[WrittenMove, ...]


@frozen(eq=False, repr=False)
class Test(Displayed):
    title: str
    lines: tuple[PlayLine | Expectation, ...]
    span: Span = field(repr=False)


# An estimate by a neural network (:mod:`zermelo.interpreter.model.networks`).


UnitKind = Literal["one", "is", "over", "beyond", "has", "phase", "number", "known"]


@frozen(eq=False, repr=False)
class InputUnit(Displayed):
    """A number that says something of a position, as an input of a network: ``one`` is always 1. The others look at
    entry number ``place`` of the ``variable`` of this name, or where that is empty at argument number ``place`` of the
    ``phase``: whether it ``is`` the ``value``, is ``over`` it, ``has`` it as a member, or how many times the ``step``
    it is ``beyond`` it; or whether it is this ``phase``. ``most`` is the most that it can be.

    Observations have more (:mod:`zermelo.interpreter.numbering.observations`): units of the field of a record at
    ``path``; a ``number`` without bounds as it is; and whether there is anything ``known`` of the place."""

    name: str
    kind: UnitKind
    variable: str = ""
    phase: str = ""
    place: int = 0
    value: Value = None
    step: Fraction | int = 1
    most: int = 1
    path: tuple[int, ...] = ()


@frozen(eq=False, repr=False)
class Network(Displayed):
    """``hidden`` has for each of the ``units`` its weight for each hidden unit, ``output`` the weight of each hidden
    unit and a constant, all in whole parts. It says what a player gets, between ``low`` and ``high``; the other one
    gets the rest of ``total``. That is the first player, or who looks at the position by its ``perspective``."""

    units: tuple[InputUnit, ...] = field(repr=False)
    hidden: tuple[tuple[int, ...], ...] = field(repr=False)
    output: tuple[int, ...] = field(repr=False)
    low: Fraction
    high: Fraction
    total: Fraction
    perspective: Perspective | None = None


@frozen(eq=False, repr=False)
class Perspective(Displayed):
    """In the phases named in ``viewers`` the player who is this argument of the phase looks at the position. For the
    second player the players are exchanged: what unit k says is what unit ``mirror[k]`` says of the exchanged
    position."""

    viewers: Mapping[str, int]
    mirror: tuple[int, ...] = field(repr=False)


Players = tuple[Member, ...]


@frozen(eq=False, repr=False)
class Model(Displayed, Unchanging):
    """A checked game under given parameters. ``domains`` has their domains as the file writes them, ``extremes`` their
    first and last values (without sets and records); ``cells`` is the number of entries of all variables."""

    title: str
    source: Source = field(repr=False)
    notation: Literal["phases", "tree", "table"]
    player_type: MemberType
    parameters: Mapping[str, Value]
    domains: Mapping[str, str] = field(repr=False)
    extremes: Mapping[str, tuple[Value, Value]] = field(repr=False)
    types: tuple[Type, ...] = field(repr=False)
    variables: tuple[Variable, ...] = field(repr=False)
    cells: int
    defines: tuple[Define, ...] = field(repr=False)
    actions: tuple[Action, ...] = field(repr=False)
    setup: Block = field(repr=False)
    setup_frame_size: int
    phases: Mapping[str, Phase] = field(repr=False)
    start: Go = field(repr=False)
    endless: FixedOutcome | None = field(repr=False)
    discount: Fraction | int = field(repr=False)
    estimate: Estimate | None = field(repr=False)
    unsettled: Loose | None = field(repr=False)
    order_moves: Loose | None = field(repr=False)
    claims: tuple[Claim, ...] = field(repr=False)
    expectations: tuple[Expectation, ...] = field(repr=False)
    witnesses: tuple[Witness, ...] = field(repr=False)
    tests: tuple[Test, ...] = field(repr=False)
    legends: tuple[Legend, ...] = field(repr=False)
    drawn: tuple[Drawn, ...] = field(repr=False)
    grounds: tuple[Ground, ...] = field(repr=False)
    history: tuple[Repeated | Repetitions, ...] = field(repr=False)
    """The expressions that read the history of the play, which is then part of every position."""
    network: Network | None = field(default=None, repr=False)
    """The network that is the estimate in place of the file's."""
    depth: int = 0
    """The nesting of the rules (:mod:`zermelo.interpreter.model.rewriting`)."""

    @property
    def loose(self) -> tuple[Loose, ...]:
        """The expressions outside the rules that ask something of positions: hints for a search, and the conditions of
        witnesses."""
        asked = (self.estimate, self.unsettled, self.order_moves, *(each.event.condition for each in self.witnesses))
        return tuple(each for each in asked if each is not None)

    @property
    def players(self) -> Players:
        return self.player_type.listed
