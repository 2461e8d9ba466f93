"""The moves of many positions, from their keys alone: the host of the kernel
:mod:`zermelo.solvers.kernels.expansion`."""

from __future__ import annotations

import ctypes
from array import array
from collections.abc import Iterator, Sequence
from typing import Any, Final

import numpy
from attrs import define, field

from zermelo.interpreter.machine import END
from zermelo.interpreter.native.running.kernels import Kernels
from zermelo.interpreter.native.running.machine import LoweredMachine
from zermelo.interpreter.native.running.views import RuleError
from zermelo.solvers.kernels.expansion import Expansion, expand, find_keys
from zermelo.solvers.running.lowered_backend import LoweredBackend

Array = numpy.ndarray[Any, Any]

PART: Final = 1 << 15
"""Positions whose moves are made at a time."""

_SLOWER: Final = 128
"""In Python so many times fewer at a time."""

EDGES: Final = 1 << 18
"""Room for so many of their moves at first."""


def numbers_of(numbers: Sequence[int], kind: str, count: int | None = None) -> Array:
    """The first ``count`` whole numbers, or all, in an array: the same memory if they are in machine code's, else a
    copy. Numbers of more bits stay objects of Python."""
    if isinstance(numbers, ctypes.Array | array):
        return numpy.frombuffer(numbers, kind)[:count]
    numbers = numbers[:count]
    try:
        if kind == "uint64":
            return numpy.array([number & (1 << 64) - 1 for number in numbers], kind)
        return numpy.array(numbers, kind)
    except OverflowError:
        return numpy.array(numbers, object)


class Faulty(Exception):
    """The moves of the position at this ``place`` cannot be made, because of an ``error`` of the rules."""

    def __init__(self, place: int, error: RuleError) -> None:
        super().__init__(f"position {place}")
        self.place = place
        self.error = error


@define(eq=False)
class Moves:
    """The edges of ``count`` positions from the place ``first`` on, in the order of these; ``sources`` counts positions
    from there. An edge leads to a key, of words without a sign, and one of the ``kinds`` says who acts there; an end
    has no key; ``exchanged`` says whether the two players have changed places there. ``weights`` are those of outcomes,
    and ``paid`` is what each player earns by a move and is paid at an end."""

    first: int
    count: int
    firsts: Array
    targets: Array
    kinds: Array
    exchanged: Array
    weights: Array
    paid: Array
    sources: Array = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.sources = numpy.repeat(numpy.arange(self.count), numpy.diff(self.firsts))

    def decided(self, actors: Array, decisive: Sequence[int]) -> Array:
        """Which positions, in which these act, are *decided*: a move ends the play and pays those who make it the most
        that any play can pay, which is so much for the first player, by the player to move."""
        wins = (self.kinds == END) & (self.paid[:, 0] == numpy.array(decisive, "int64")[actors[self.sources]])
        return numpy.bincount(self.sources[wins], minlength=self.count) > 0

    def without_missed_wins(self, actors: Array, decisive: Sequence[int]) -> Moves:
        """These moves but for those of decided positions that do not end the play."""
        kept = (self.kinds == END) | ~self.decided(actors, decisive)[self.sources]
        counts = numpy.bincount(self.sources[kept], minlength=self.count)
        firsts = numpy.concatenate([[0], numpy.cumsum(counts)])
        others = (self.targets, self.kinds, self.exchanged, self.weights, self.paid)
        return Moves(self.first, self.count, firsts, *(each[kept] for each in others))


@define(eq=False)
class Expander:
    """Makes moves, by ``kernels`` that have ``expand``, so many positions at a time; ``edges`` is how many moves there
    is room for. If it is said what is ``decisive``, those moves are left out that miss a win."""

    machine: LoweredMachine
    kernels: Kernels
    decisive: Sequence[int] = ()
    edges: int = field(factory=lambda: EDGES)
    _search: Expansion | None = None

    @property
    def part(self) -> int:
        """The positions whose moves are made at a time."""
        return PART if self.kernels.is_compiled else max(1, PART // _SLOWER)

    def moves(self, words: Array, actors: Array) -> Iterator[Moves]:
        """The moves of positions with these keys, in which these act. What is yielded holds until the next. Raises
        :class:`Faulty`, :class:`~zermelo.interpreter.native.running.views.BeyondLimits`."""
        first = 0
        while first < len(words):
            found = self._some(words[first : first + self.part], actors[first : first + self.part], first)
            if found.count and self.decisive:
                yield found.without_missed_wins(actors[first : first + found.count], self.decisive)
            elif found.count:
                yield found
            else:
                self.edges, self._search = 2 * self.edges, None
            first += found.count

    def names(self, words: Array, actors: Array) -> tuple[Array, Array]:
        """Under which keys positions with these keys, in which these act, are known if images are kept, and where the
        two players have changed places. For this the ``kernels`` have ``find_keys``."""
        keys, exchanged = numpy.empty_like(words), numpy.empty(len(words), bool)
        search = self._record(words.shape[1], len(self.kernels.program.model.players))
        for first in range(0, len(words), self.part):
            some = slice(first, first + self.part)
            self._put(search, words[some], actors[some])
            self.kernels.call(find_keys, search)
            keys[some] = numbers_of(search.targets, "uint64", words[some].size).reshape(words[some].shape)
            exchanged[some] = numbers_of(search.exchanged, "int32", len(exchanged[some])) != 0
        return keys, exchanged

    def _some(self, words: Array, actors: Array, first: int) -> Moves:
        """The moves of as many of these positions as there is room for."""
        width, players = words.shape[1], len(self.kernels.program.model.players)
        search = self._search = self._search or self._record(width, players)
        self._put(search, words, actors)
        try:
            self.kernels.call(expand, search)
        except RuleError as error:
            self.machine.refuse_limit(error)
            raise Faulty(first + search.position, error) from error
        done, edges = search.position, search.edges
        return Moves(
            first,
            done,
            numpy.append(numbers_of(search.firsts, "int32", done), edges),
            numbers_of(search.targets, "uint64", edges * width).reshape(edges, width),
            numbers_of(search.kinds, "int32", edges),
            numbers_of(search.exchanged, "int32", edges) != 0,
            numbers_of(search.weights, "int64", edges),
            numbers_of(search.paid, "int64", edges * players).reshape(edges, players),
        )

    def _put(self, search: Expansion, words: Array, actors: Array) -> None:
        """Let a record begin with these positions."""
        _fill(search.words, words.reshape(-1))
        _fill(search.actors, actors.astype("int32"))
        search.count, search.position, search.edges = len(words), 0, 0

    def _record(self, width: int, players: int) -> Expansion:
        """A record with room for so much."""
        search = self.kernels.new(
            Expansion,
            words=self.part * width,
            actors=self.part,
            firsts=self.part,
            targets=self.edges * width,
            kinds=self.edges,
            exchanged=self.edges,
            weights=self.edges,
            paid=self.edges * players,
        )
        self.kernels.put(search.state, LoweredBackend(self.machine).held(self.machine.initial()))
        return search


def _fill(there: Any, numbers: Array) -> None:
    """Copy numbers to the beginning of a list of a kernel."""
    if isinstance(there, list):
        there[: len(numbers)] = numbers.tolist()
    else:
        numbers_of(there, numbers.dtype.name)[: len(numbers)] = numbers
