"""A whole game."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Literal

from attrs import field, frozen

from zermelo.grammar.displayed import Displayed
from zermelo.grammar.source import Source
from zermelo.grammar.unchanging import Unchanging
from zermelo.interpreter.model.expressions import Define, Repeated, Repetitions, Variable
from zermelo.interpreter.model.phases import Phase
from zermelo.interpreter.model.sayings import (
    Claim,
    Estimate,
    Expectation,
    FixedOutcome,
    Legend,
    Loose,
    Test,
    Witness,
)
from zermelo.interpreter.model.statements import Action, Block, Go
from zermelo.interpreter.types import MemberType, Type
from zermelo.interpreter.values import Member, Value

Players = tuple[Member, ...]


@frozen(eq=False, repr=False)
class Model(Displayed, Unchanging):
    """A checked game under given parameters; ``domains`` has their domains as the file writes them, ``extremes`` their
    first and last values, but for sets and records, ``cells`` is the number of entries of all variables."""

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
    history: tuple[Repeated | Repetitions, ...] = field(repr=False)
    """The expressions that read the history of the play, which is then part of every position."""
    depth: int = 0
    """The nesting of the rules (:mod:`zermelo.interpreter.model.depth`)."""

    @property
    def loose(self) -> tuple[Loose, ...]:
        """The expressions outside the rules that ask something of positions: hints for a search, and the conditions of
        witnesses."""
        asked = (self.estimate, self.unsettled, self.order_moves, *(each.event.condition for each in self.witnesses))
        return tuple(each for each in asked if each is not None)

    @property
    def players(self) -> Players:
        return self.player_type.listed
