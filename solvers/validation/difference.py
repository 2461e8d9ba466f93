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

The walk takes time and memory in proportion to the pairs. If a limit stops it, it has compared all plays up to a
length. Then, or after the first pairs, random plays of both games look further.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable, Mapping, Sequence
from contextlib import suppress
from itertools import cycle
from random import Random
from typing import Final, Generic, TypeVar

from attrs import define, field, frozen

from zermelo.foundation.deadline import DeadlinePassed, check_deadline, time_limit
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.machine import END, Move, PlayError, TellingMachine
from zermelo.solvers.common.limits import Limits, Progress, ignore_progress
from zermelo.solvers.positions.graph.graph import attractor
from zermelo.solvers.validation.situations import (
    LONGEST,
    Aspect,
    Beginning,
    Difference,
    Renaming,
    Root,
    Side,
    Situation,
    ToldApart,
    TracedPlays,
    endless_difference,
    find_difference,
    situations_side_by_side,
)

# Plays of two games in step, which may show a difference where not all plays can be compared.
#
# Both games make the same moves, drawn at random, the same in every run. Plays begin at the root, or with given moves,
# such as those of tests, which lead to rare situations. Kernels make many plays at once and name those that are suspect
# (:mod:`zermelo.solvers.validation.situations`); the others go over the interface of the machines. Deals that are too
# many to list are drawn from the first game and looked up in the second, which must have as many, and each with the
# same probability.
#
# A play that shows a difference is followed by shorter plays, until they show none: so the last one that does is short,
# but it is not known to be the shortest.


A = TypeVar("A")
B = TypeVar("B")

_MOVES: Final = 100
"""The most moves of all plays together, per play that is asked for: where plays are longer, fewer are made."""

_TRACED: Final = 50
"""How many plays kernels make for each that the machines make."""


@frozen
class _Met(Generic[A, B]):
    """The states after a play of both games, and what is compared of them."""

    first: A
    second: B
    ours: Situation
    theirs: Situation


@define(eq=False)
class _Comparing(Generic[A, B]):
    """A comparison of two games. ``ends_apart`` says whether endless plays pay different amounts in them."""

    first: Side[A]
    second: Side[B]
    renaming: Renaming
    compares_perception: bool
    apart: ToldApart[A, B] = field(init=False)
    ends_apart: bool = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.apart = ToldApart(self.first, self.second)
        self.ends_apart = self.first.endless() != self.second.endless()

    def look(self, first: A | PlayError, second: B | PlayError) -> _Met[A, B] | Difference | None:
        """What is met after a play, or how the games differ there; None at its end."""
        check_deadline()
        ours, theirs = situations_side_by_side(self.first, first, self.second, second, self.renaming)
        if (shown := find_difference(ours, theirs, self.apart.players)) is not None:
            kind, said = shown
            return Difference(kind, (self.first.play(first), self.second.play(second)), said)
        if ours.actor == END or isinstance(first, PlayError) or isinstance(second, PlayError):
            return None
        if self.compares_perception and ours.actor >= 0:
            told = self.apart.difference(first, second, ours.actor)
            if told is not None:
                return told
        self.renaming.agree(ours.offers)
        return _Met(first, second, ours, theirs)


@define(eq=False)
class JointPlays(_Comparing[A, B]):
    """``beginnings`` are moves, as written in either game, with which plays may begin. ``played`` counts the plays so
    far, and ``moves`` their moves over the interface of the machines."""

    beginnings: Sequence[Beginning] = ()
    random: Random = field(factory=lambda: Random(0))
    played: int = 0
    moves: int = 0

    def difference(self, plays: int, limits: Limits, progress: Progress, kept: float) -> Difference | None:
        """The difference on the shortest of so many random plays that shows one; without kernels a fiftieth of them
        are made. A play that shows a difference is followed by plays that have to be shorter. So many seconds are
        ``kept`` for others."""
        if not plays:
            return None
        shown, roots = self._try_beginnings(limits)
        if shown is None:
            shown = self._try_suspect_play(roots, plays, limits, progress, kept)
        return shown or self._play_at_random(-(-plays // _TRACED), limits, progress, kept)

    def _try_beginnings(self, limits: Limits) -> tuple[Difference | None, list[Root[A, B]]]:
        """The difference on the shortest of the given beginnings that shows one, and where the beginnings lead. Moves
        that several of them share are made once."""
        shown: list[Difference] = []
        roots: list[Root[A, B]] = []
        looked: dict[Beginning, _Met[A, B] | None] = {}
        for beginning in map(tuple, ((), *self.beginnings)):
            for k in range(len(beginning) + 1):
                made = beginning[:k]
                if made not in looked:
                    met = None if limits.is_over else self._look_at_beginning(looked[made[:-1]] if made else None, made)
                    shown += [met] if isinstance(met, Difference) else []
                    looked[made] = None if isinstance(met, Difference) else met
                if (here := looked[made]) is None:
                    break
                if k == len(beginning):
                    roots.append((made, here.first, here.second))
        self.played += len(self.beginnings)
        return min(shown, key=length_of, default=None), roots

    def _look_at_beginning(self, before: _Met[A, B] | None, made: Beginning) -> _Met[A, B] | Difference | None:
        """What is met after the last of the given moves, if it can be made; without any, at the root."""
        if before is None:
            return self.look(self.first.initial(), self.second.initial())
        text = self.first.rename(made[-1])
        return self.look(*self._make_move(before, text)) if text in before.ours.offers else None

    def _try_suspect_play(
        self, roots: Sequence[Root[A, B]], plays: int, limits: Limits, progress: Progress, kept: float
    ) -> Difference | None:
        """The difference on the play that kernels suspect most."""
        traced = TracedPlays(self.first, self.second, roots)
        # kernels do not see what players perceive
        share = (limits.left + kept) / 2 if self.compares_perception else kept
        suspect = traced.suspect(plays, limits, progress, share)
        self.played += traced.played
        return self._play(len(suspect), suspect) if suspect else None

    def _play_at_random(self, plays: int, limits: Limits, progress: Progress, kept: float) -> Difference | None:
        """The difference on the shortest of the plays that the machines make."""
        found, longest, left, most = None, LONGEST, plays, _MOVES * plays
        beginnings = cycle([(), *self.beginnings])
        room = limits.room()
        while left and self.moves < most and longest >= 0 and limits.left >= kept and not limits.is_over:
            if not (len(self.apart.told) < room.most or room.grows(self.apart.told)):
                self.apart.told.clear()  # knowledge of earlier plays is given up, which costs nothing but differences
            progress(self.played)
            shown = self._play(longest, next(beginnings))
            self.played += 1
            left -= 1
            if shown is not None:
                found, left, most = shown, plays, self.moves + _MOVES * plays
                longest = length_of(shown) - 1
        return found

    def _play(self, longest: int, beginning: Beginning) -> Difference | None:
        """The difference on one play of at most so many moves, which begins with these as far as they are possible."""
        met = self.look(self.first.initial(), self.second.initial())
        passed: set[Hashable] = set()
        for k in range(longest):
            if not isinstance(met, _Met):
                break
            if self.ends_apart:
                here = self.first.machine.position(met.first), self.second.machine.position(met.second)
                if here in passed:  # so this play may go round for ever, in both games
                    plays = self.first.play(met.first), self.second.play(met.second)
                    return endless_difference(plays, self.first, self.second)
                passed.add(here)
            self.moves += 1
            if met.ours.deals is not None:
                dealt = self._deal(met)
                met = dealt if isinstance(dealt, Difference) else self.look(*dealt)
            else:
                given = self.first.rename(beginning[k]) if k < len(beginning) else ""
                text = given if given in met.ours.offers else self.random.choice(list(met.ours.offers))
                met = self.look(*self._make_move(met, text))
        return met if isinstance(met, Difference) else None

    def _make_move(self, met: _Met[A, B], text: str) -> tuple[A | PlayError, B | PlayError]:
        """The states after a move that both games offer, in the words of the second."""
        first = self.first.after(met.first, met.ours.offers[text])
        return first, self.second.after(met.second, met.theirs.offers[text])

    def _deal(self, met: _Met[A, B]) -> tuple[A | PlayError, B | PlayError] | Difference:
        """The states after a deal, or the difference if the second game has no such deal."""
        ours, theirs = met.ours.deals, met.theirs.deals
        assert ours is not None and theirs is not None
        outcome = ours.draw(self.random)
        text, chance = self.first.rename(str(outcome)), ours.probability(outcome)
        plays = self.first.play(met.first), self.second.play(met.second)
        try:
            same = self.second.machine.find_move(met.second, text)
        except ZermeloError as refusal:
            if refusal.code != "illegal-move":
                raise
            return Difference(Aspect.CHANCE, plays, (f"{text} with {chance}", f"no {text}"))
        if (other := theirs.probability(same)) != chance:
            return Difference(Aspect.CHANCE, plays, (f"{text} with {chance}", f"{text} with {other}"))
        return self.first.after(met.first, outcome), self.second.after(met.second, same)


def length_of(difference: Difference) -> int:
    """The moves of the longest play that shows a difference."""
    return max(map(len, (*difference.plays, *difference.others)))


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
        with suppress(DeadlinePassed), time_limit(limits.left - quarter):
            shown = joint.difference(plays, limits, progress, quarter)
        if walk.may_go_on and not (is_any_enough and shown is not None):
            difference, stopped = walk.through(most, limits, progress)
    found = difference if difference is not None or not stopped else shown
    return Compared(found, walk.compared, max(0, walk.length), stopped, renaming.words, joint.played)


Pair = tuple[A | PlayError, B | PlayError]


@define(eq=False)
class _Walk(_Comparing[A, B]):
    """``numbers`` of the pairs met so far; ``waiting`` are those not compared yet, with their numbers and the moves
    before them. ``successors`` are kept only where it matters whether a play may go on for ever. ``is_listed``: no
    chance decision with too many outcomes to list has been met."""

    length: int = -1
    numbers: dict[Hashable, int] = field(factory=dict)
    waiting: deque[tuple[Pair[A, B], int, int]] = field(factory=deque)
    is_listed: bool = True
    successors: dict[int, list[tuple[int, Move, Move]]] = field(factory=dict)
    compared: int = 0

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
            with time_limit(limits.left - kept):
                return self._walk_on(most, limits, progress, kept)
        except DeadlinePassed:  # in the middle of a rule
            return None, limits.stopped_by_time

    def _walk_on(self, most: float, limits: Limits, progress: Progress, kept: float) -> tuple[Difference | None, str]:
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
        """The difference within a pair; if there is none, the pairs after it are met."""
        met = self.look(*pair)
        if isinstance(met, Difference):
            return met
        after = self.successors[number] = []
        if met is None:
            return None
        self.is_listed = met.ours.deals is None
        for text, move in met.ours.offers.items():
            same = met.theirs.offers[text]
            there = self._meet((self.first.after(met.first, move), self.second.after(met.second, same)), length + 1)
            if self.ends_apart:
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
        """The difference in what an endless play pays, if there is such a play: a way round among the pairs.
        What is left without the pairs from which all plays end goes round."""
        if not self.ends_apart:
            return None
        onward = [(number, [there for there, _, _ in after]) for number, after in self.successors.items()]
        ending = attractor((number for number, after in onward if not after), onward, lambda number: True)
        if 0 in ending:
            return None
        number = 0
        passed: set[int] = set()
        plays: tuple[list[Move], list[Move]] = [], []
        while number not in passed:
            passed.add(number)
            number, *moves = next(step for step in self.successors[number] if step[0] not in ending)
            for play, move in zip(plays, moves, strict=True):
                play.append(move)
        return endless_difference((tuple(plays[0]), tuple(plays[1])), self.first, self.second)
