"""Plays of two games in step, which may show a difference where not all plays can be compared.

Both games make the same moves, drawn at random, the same in every run. Plays begin at the root, or with moves that are
given, such as those of tests: they lead to what is rare. Kernels make many of them at once and name those that are
suspect (:mod:`zermelo.solvers.validation.traced_plays`); the others go over the interface of the machines. Deals that
are too many to list are drawn from the first game and looked up in the second, which must have as many, and each with
the same probability.

A play that shows a difference is followed by shorter ones, as long as they show another: so the last is short, but it
is not known to be the shortest.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from itertools import cycle
from random import Random
from typing import Final, Generic, TypeVar

from attrs import define, field, frozen

from zermelo.grammar.deadline import look
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.machine import END, PlayError
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.common.progress import Progress
from zermelo.solvers.validation.renaming import Renaming
from zermelo.solvers.validation.situations import (
    Aspect,
    Difference,
    Side,
    Situation,
    differing,
    endless,
    side_by_side,
)
from zermelo.solvers.validation.telling_apart import ToldApart
from zermelo.solvers.validation.traced_plays import LONGEST, Beginning, Root, TracedPlays

A = TypeVar("A")
B = TypeVar("B")

_MOVES: Final = 100
"""So many moves for each of the plays are allowed in all: fewer plays are made where they are longer."""

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
class JointPlays(Generic[A, B]):
    """``beginnings`` are moves, as written in either game, with which plays may begin. ``played`` are the plays so far,
    of so many ``moves`` over the interface of the machines; ``ends_apart`` if plays that never end pay other amounts in
    the games."""

    first: Side[A]
    second: Side[B]
    renaming: Renaming
    compares_perception: bool
    beginnings: Sequence[Beginning] = ()
    random: Random = field(factory=lambda: Random(0))
    apart: ToldApart[A, B] = field(init=False)
    ends_apart: bool = field(init=False)
    played: int = 0
    moves: int = 0

    def __attrs_post_init__(self) -> None:
        self.apart = ToldApart(self.first, self.second)
        self.ends_apart = self.first.endless() != self.second.endless()

    def difference(self, plays: int, limits: Limits, progress: Progress, kept: float) -> Difference | None:
        """What the shortest of so many random plays shows, if any shows a difference; without kernels a fiftieth of the
        plays are made. One that shows a difference is followed by plays that have to be shorter. So many seconds are
        ``kept`` for others."""
        if not plays:
            return None
        shown, roots = self._given(limits)
        if shown is None:
            shown = self._traced(roots, plays, limits, progress, kept)
        return shown or self._drawn(-(-plays // _TRACED), limits, progress, kept)

    def _given(self, limits: Limits) -> tuple[Difference | None, list[Root[A, B]]]:
        """What the shortest of the given moves shows that shows a difference; else where they lead. Moves that several
        beginnings share are made once."""
        shown: list[Difference] = []
        roots: list[Root[A, B]] = []
        looked: dict[Beginning, _Met[A, B] | None] = {}
        for beginning in map(tuple, ((), *self.beginnings)):
            for k in range(len(beginning) + 1):
                made = beginning[:k]
                if made not in looked:
                    met = None if limits.is_over else self._after_given(looked[made[:-1]] if made else None, made)
                    shown += [met] if isinstance(met, Difference) else []
                    looked[made] = None if isinstance(met, Difference) else met
                if (here := looked[made]) is None:
                    break
                if k == len(beginning):
                    roots.append((made, here.first, here.second))
        self.played += len(self.beginnings)
        return min(shown, key=length_of, default=None), roots

    def _after_given(self, before: _Met[A, B] | None, made: Beginning) -> _Met[A, B] | Difference | None:
        """What is met after the last of the given moves, if it can be made; without any, at the root."""
        if before is None:
            return self._look(self.first.initial(), self.second.initial())
        text = self.first.rename(made[-1])
        return self._look(*self._moved(before, text)) if text in before.ours.offers else None

    def _traced(
        self, roots: Sequence[Root[A, B]], plays: int, limits: Limits, progress: Progress, kept: float
    ) -> Difference | None:
        """What the play shows that kernels suspect most."""
        traced = TracedPlays(self.first, self.second, roots)
        share = (
            (limits.left + kept) / 2 if self.compares_perception else kept
        )  # kernels do not see what players perceive
        suspect = traced.suspect(plays, limits, progress, share)
        self.played += traced.played
        return self._play(len(suspect), suspect) if suspect else None

    def _drawn(self, plays: int, limits: Limits, progress: Progress, kept: float) -> Difference | None:
        """What the shortest of the plays shows that the machines make."""
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
        met = self._look(self.first.initial(), self.second.initial())
        passed: set[Hashable] = set()
        for k in range(longest):
            if not isinstance(met, _Met):
                break
            if self.ends_apart:
                here = self.first.machine.position(met.first), self.second.machine.position(met.second)
                if here in passed:  # so this play may go round for ever, in both games
                    plays = self.first.play(met.first), self.second.play(met.second)
                    return endless(plays, self.first, self.second)
                passed.add(here)
            self.moves += 1
            if met.ours.deals is not None:
                dealt = self._deal(met.first, met.second, met.ours, met.theirs)
                met = dealt if isinstance(dealt, Difference) else self._look(*dealt)
            else:
                given = self.first.rename(beginning[k]) if k < len(beginning) else ""
                text = given if given in met.ours.offers else self.random.choice(list(met.ours.offers))
                met = self._look(*self._moved(met, text))
        return met if isinstance(met, Difference) else None

    def _look(self, first: A | PlayError, second: B | PlayError) -> _Met[A, B] | Difference | None:
        """What is met after a play, or in what the games differ there; None at its end."""
        look()
        ours, theirs = side_by_side(self.first, first, self.second, second, self.renaming)
        if (shown := differing(ours, theirs, self.apart.players)) is not None:
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

    def _moved(self, met: _Met[A, B], text: str) -> tuple[A | PlayError, B | PlayError]:
        """The states after a move that both games offer, in the words of the second."""
        first = self.first.after(met.first, met.ours.offers[text])
        return first, self.second.after(met.second, met.theirs.offers[text])

    def _deal(
        self, first: A, second: B, ours: Situation, theirs: Situation
    ) -> tuple[A | PlayError, B | PlayError] | Difference:
        """The states after a deal, or the difference if the second game has no such deal."""
        assert ours.deals is not None and theirs.deals is not None
        outcome = ours.deals.draw(self.random)
        text, chance = self.first.rename(str(outcome)), ours.deals.probability(outcome)
        plays = self.first.play(first), self.second.play(second)
        try:
            same = self.second.machine.find_move(second, text)
        except ZermeloError as refusal:
            if refusal.code != "illegal-move":
                raise
            return Difference(Aspect.CHANCE, plays, (f"{text} with {chance}", f"no {text}"))
        if (other := theirs.deals.probability(same)) != chance:
            return Difference(Aspect.CHANCE, plays, (f"{text} with {chance}", f"{text} with {other}"))
        return self.first.after(first, outcome), self.second.after(second, same)


def length_of(difference: Difference) -> int:
    """The moves of the longest play that shows a difference."""
    return max(map(len, (*difference.plays, *difference.others)))
