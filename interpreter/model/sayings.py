"""What a file says beside its rules: claims, hints for search, legends, expectations, witnesses and tests."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Literal

from attrs import field, frozen

from zermelo.grammar.displayed import Displayed
from zermelo.grammar.source import Span
from zermelo.interpreter.model.expressions import Define, Expr, Variable
from zermelo.interpreter.model.statements import Outcome
from zermelo.interpreter.values import Value


@frozen(eq=False, repr=False)
class Claim(Displayed):
    """``arguments`` are the k of ``constant_sum k`` and the measure of ``terminates by``; in the phases of ``by_phase``
    it is the one given there, an expression of the parameters of the phase, in the first slots."""

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
class WrittenMove(Displayed):
    """A move in an ``expect`` or ``test``, as :meth:`zermelo.interpreter.machine.Move.__str__` writes it."""

    text: str
    span: Span = field(repr=False)


@frozen(eq=False, repr=False)
class FixedOutcome(Displayed):
    """What an end pays, the same in every position."""

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
    """A ``reachable`` or ``never`` of the file: whether some position is meant to be as described, or none.
    ``settings`` are the parameters under which it is so."""

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
