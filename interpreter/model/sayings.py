"""What a file says beside its rules: claims, hints for search, legends, expectations and tests."""

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
    property: str
    arguments: tuple[Expr, ...]
    span: Span = field(repr=False)


@frozen(eq=False, repr=False)
class Endless(Displayed):
    """What a play that never ends pays, beside what it has earned: the same in every position."""

    outcome: Outcome
    frame_size: int
    span: Span = field(repr=False)


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


ExpectationKind = Literal[
    "value",
    "best",
    "positions",
    "information_sets",
    "plays",
    "equilibrium",
    "true",
    "knows",
    "knows_value",
    "illegal",
]


@frozen(eq=False, repr=False)
class Expectation(Displayed):
    """An ``expect`` of the file. By ``kind``:

    ``value``: ``number`` is a tuple of payoffs or that of the first player, ``tolerance`` a number or None;
    ``best``: ``moves`` has one; ``positions``, ``information_sets``, ``plays``: ``number``, and ``length`` for plays;
    ``equilibrium``: ``moves`` has one for each player; ``true``: ``condition``; ``knows``: ``player`` and
    ``condition``, which is any expression for ``knows_value``; ``illegal``: ``moves`` has one.

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
    settings: Mapping[str, Value] = field(kw_only=True)


@frozen(eq=False, repr=False)
class PlayLine(Displayed):
    moves: tuple[WrittenMove, ...]


@frozen(eq=False, repr=False)
class Test(Displayed):
    title: str
    lines: tuple[PlayLine | Expectation, ...]
    span: Span = field(repr=False)
