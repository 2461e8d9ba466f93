"""The shortest play on which two games differ, or a proof that there is none.

The games are played side by side, breadth first. A pair of states, one of each game, is reached by a play of both in
which every move is the same, in the words of a renaming. The games differ there if others are to act, if other moves
are offered, if chance has other probabilities, if other amounts have been earned or are paid, or if the rules of one of
them fail. So the first difference that is found is one at the end of a shortest play.

A pair of positions is looked at once. A position is all on which the rest of a play depends, but for what has been
earned; and this is the same in both games on all plays so far, and shrinks by the same discount: so two plays to one
pair have the same futures, and a walk that ends without a difference proves that there is none on any play.

*Who perceives what* is compared through information sets, not words: two files may describe the same observations
differently. The games differ if a player to decide tells two plays apart in one game and not in the other. For this,
plays may only be joined where all players have observed the same, in both games; where everybody always knows the
position, perception decides nothing, and is not compared.

The walk takes time and memory with the pairs. Stopped by a limit, it has compared all plays up to a length. Then, or
after the first pairs, random plays of both games (:mod:`zermelo.solvers.validation.joint_plays`) look further.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable, Mapping, Sequence
from contextlib import suppress
from typing import Final, Generic, TypeVar

from attrs import define, field, frozen

from zermelo.grammar.deadline import Passed, look, within
from zermelo.interpreter.machine import Move, PlayError, TellingMachine
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.common.progress import Progress, ignore_progress
from zermelo.solvers.validation.joint_plays import JointPlays
from zermelo.solvers.validation.renaming import Renaming
from zermelo.solvers.validation.situations import Aspect, Difference, Side, differing, endless, side_by_side
from zermelo.solvers.validation.telling_apart import ToldApart
from zermelo.solvers.validation.traced_plays import Beginning

A = TypeVar("A")
B = TypeVar("B")

PLAYS: Final = 10_000

FIRST: Final = 5_000

_SHOWN: Final = 64
"""Pairs between two looks at the limits."""


@frozen
class Compared:
    """``pairs`` of positions have been compared, and random ``plays``. If the walk was not ``stopped`` (in words), the
    ``difference`` is at the end of a shortest play, or there is none on any play. If it was, there is none on plays of
    at most ``length`` moves, and if there is one, then a random play has shown it."""

    difference: Difference | None
    pairs: int
    length: int
    stopped: str
    words: Mapping[str, str]
    plays: int = 0


def compare(
    first: TellingMachine[A],
    second: TellingMachine[B],
    words: Mapping[str, str],
    compares_perception: bool,
    limits: Limits,
    most: float,
    progress: Progress = ignore_progress,
    plays: int = PLAYS,
    beginnings: Sequence[Beginning] = (),
    is_any_enough: bool = False,
) -> Compared:
    """Compare two games, with ``words`` of the first that are others in the second, on at most so many pairs of
    positions. If the first :data:`FIRST` of them show no difference, so many random ``plays`` are looked at before the
    others; some start with the moves of ``beginnings``. The first pairs take at most an eighth of the time, and the
    plays leave a quarter of it. If ``is_any_enough`` nothing looks for a shorter play than those have shown."""
    renaming = Renaming(dict(words))
    order = renaming.players(first.player_names, second.player_names)
    if order is None:
        said = ", ".join(first.player_names), ", ".join(second.player_names)
        return Compared(Difference(Aspect.PLAYERS, ((), ()), said), 0, 0, "", renaming.words)
    if first.discount != second.discount:
        said = str(first.discount), str(second.discount)
        return Compared(Difference(Aspect.DISCOUNT, ((), ()), said), 0, 0, "", renaming.words)
    sides = Side(first, order, renaming), Side(second, tuple(range(len(order))), str)
    walk = _Walk(*sides, renaming, compares_perception)
    quarter = limits.left / 4
    difference, stopped = walk.through(min(most, FIRST), limits, progress, 3.5 * quarter)
    joint = JointPlays(*sides, renaming, compares_perception, beginnings)
    shown = None
    if stopped:
        with suppress(Passed), within(limits.left - quarter):
            shown = joint.difference(plays, limits, progress, quarter)
        if walk.may_go_on and not (is_any_enough and shown is not None):
            difference, stopped = walk.through(most, limits, progress)
    found = difference if difference is not None or not stopped else shown
    return Compared(found, walk.compared, max(0, walk.length), stopped, renaming.words, joint.played)


Pair = tuple[A | PlayError, B | PlayError]


@define(eq=False)
class _Walk(Generic[A, B]):
    """``numbers`` of the pairs met so far; ``waiting`` are those not compared yet, with their numbers and the moves
    before them. ``successors`` are kept only where it matters whether a play may go on for ever. ``is_listed``: no
    chance decision with too many outcomes to list has been met."""

    first: Side[A]
    second: Side[B]
    renaming: Renaming
    compares_perception: bool
    length: int = -1
    numbers: dict[Hashable, int] = field(factory=dict)
    waiting: deque[tuple[Pair[A, B], int, int]] = field(factory=deque)
    is_listed: bool = True
    apart: ToldApart[A, B] = field(init=False)
    keeps_successors: bool = field(init=False)
    successors: dict[int, list[tuple[int, Move, Move]]] = field(factory=dict)
    compared: int = 0

    def __attrs_post_init__(self) -> None:
        self.apart = ToldApart(self.first, self.second)
        self.keeps_successors = self.first.endless() != self.second.endless()

    @property
    def may_go_on(self) -> bool:
        """Whether more time, memory or pairs would help."""
        return self.is_listed and bool(self.waiting)

    def through(
        self, most: float, limits: Limits, progress: Progress, kept: float = 0.0
    ) -> tuple[Difference | None, str]:
        """The first difference, and what stopped the walk before its end, in words: at most so many pairs, those before
        included, are compared, and so many seconds are ``kept`` for others."""
        try:
            with within(limits.left - kept):
                return self._through(most, limits, progress, kept)
        except Passed:  # in the middle of a rule
            return None, limits.stopped_by_time

    def _through(self, most: float, limits: Limits, progress: Progress, kept: float) -> tuple[Difference | None, str]:
        room = limits.room()
        if not self.numbers:
            self._meet((self.first.initial(), self.second.initial()), 0)
        while self.waiting:
            if self.compared % _SHOWN == 0:
                progress(self.compared)
                if limits.left < kept or limits.is_over:
                    return None, limits.stopped_by_time
            if self.compared >= most:
                return None, f"after {self.compared:,} pairs of positions"
            if not (len(self.numbers) < room.most or room.grows(self.numbers)):
                return None, limits.stopped_by_memory
            look()
            pair, number, length = self.waiting[0]
            self.length = length - 1
            difference = self._compare(pair, number, length)
            self.waiting.popleft()  # not before: if the time is up, it has not been compared
            self.compared += 1
            if not self.is_listed:
                return None, "where chance has too many outcomes to list"
            if difference is not None:
                return difference, ""
        return self._endless_difference(), ""

    def _compare(self, pair: Pair[A, B], number: int, length: int) -> Difference | None:
        """In what a pair differs; if in nothing, the pairs after it are met."""
        first, second = pair
        ours, theirs = side_by_side(self.first, first, self.second, second, self.renaming)
        if (found := differing(ours, theirs, self.apart.players)) is not None:
            kind, said = found
            return Difference(kind, (self.first.play(first), self.second.play(second)), said)
        after = self.successors[number] = []
        if isinstance(first, PlayError) or isinstance(second, PlayError):
            return None
        self.is_listed = ours.deals is None
        if self.compares_perception and ours.actor >= 0:
            told = self.apart.difference(first, second, ours.actor)
            if told is not None:
                return told
        self.renaming.agree(ours.offers)
        for text, move in ours.offers.items():
            same = theirs.offers[text]
            there = self._meet((self.first.after(first, move), self.second.after(second, same)), length + 1)
            if self.keeps_successors:
                after.append((there, move, same))
        return None

    def _meet(self, pair: Pair[A, B], length: int) -> int:
        """The number of a pair, which waits if it is new."""
        new = len(self.numbers)
        number = self.numbers.setdefault(self._key(pair), new)
        if number == new:
            self.waiting.append((pair, number, length))
        return number

    def _key(self, pair: Pair[A, B]) -> Hashable:
        """Equal for pairs with the same futures."""
        first, second = pair
        if isinstance(first, PlayError) or isinstance(second, PlayError):
            return "an error of the rules", len(self.numbers)
        positions = self.first.machine.position(first), self.second.machine.position(second)
        if not self.compares_perception:
            return positions
        return positions, self.first.known(first), self.second.known(second)

    def _endless_difference(self) -> Difference | None:
        """The difference in what a play pays that never ends, if there is such a play: a way round among the pairs.
        Pairs from which all plays end are taken away, from the ends back, and what is left goes round."""
        if not self.keeps_successors:
            return None
        before: dict[int, list[int]] = {}
        for number, after in self.successors.items():
            for there, _, _ in after:
                before.setdefault(there, []).append(number)
        open_moves = {number: len(after) for number, after in self.successors.items()}
        ending = [number for number, moves in open_moves.items() if not moves]
        while ending:
            for number in before.get(ending.pop(), ()):
                open_moves[number] -= 1
                if not open_moves[number]:
                    ending.append(number)
        if not open_moves[0]:
            return None
        number = 0
        passed: set[int] = set()
        plays: tuple[list[Move], list[Move]] = [], []
        while number not in passed:
            passed.add(number)
            number, *moves = next(step for step in self.successors[number] if open_moves[step[0]])
            for play, move in zip(plays, moves, strict=True):
                play.append(move)
        return endless((tuple(plays[0]), tuple(plays[1])), self.first, self.second)
