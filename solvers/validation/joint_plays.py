"""Random plays of two games in step, which may show a difference where not all plays can be compared.

Both games make the same moves, drawn at random, the same in every run. Deals that are too many to list are drawn from
the first game and looked up in the second, which must have as many, and each with the same probability.

A play that shows a difference is followed by shorter ones, as long as they show another: so the last is short, but it
is not known to be the shortest.
"""

from __future__ import annotations

from random import Random
from typing import Final, Generic, TypeVar

from attrs import define, field

from zermelo.grammar.deadline import look
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.machine import END, PlayError
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.common.progress import Progress
from zermelo.solvers.validation.situations import Aspect, Difference, Side, Situation, differing
from zermelo.solvers.validation.telling_apart import ToldApart

A = TypeVar("A")
B = TypeVar("B")

_LONGEST: Final = 1_000
"""The most moves of a play."""

_MOVES: Final = 100
"""So many moves for each of the plays are allowed in all: fewer plays are made where they are longer."""


@define(eq=False)
class JointPlays(Generic[A, B]):
    """``played`` are the plays so far, of so many ``moves`` in all. No more words are learned for the second game."""

    first: Side[A]
    second: Side[B]
    compares_perception: bool
    random: Random = field(factory=lambda: Random(0))
    played: int = 0
    moves: int = 0

    def difference(self, plays: int, limits: Limits, progress: Progress, kept: float) -> Difference | None:
        """What the shortest of some random plays shows, if any shows a difference. Each one found is followed by as
        many plays that have to be shorter. So many seconds are ``kept`` for others."""
        found, longest, left, most = None, _LONGEST, plays, _MOVES * plays
        apart = ToldApart(self.first, self.second)
        room = limits.room()
        while left and self.moves < most and longest >= 0 and limits.left >= kept and not limits.is_over:
            if not (len(apart.told) < room.most or room.grows(apart.told)):
                apart.told.clear()  # knowledge of plays before these is given up, which costs nothing but differences
            progress(self.played)
            shown = self._play(longest, apart)
            self.played += 1
            left -= 1
            if shown is not None:
                found, left, most = shown, plays, self.moves + _MOVES * plays
                longest = max(map(len, (*shown.plays, *shown.others))) - 1
        return found

    def _play(self, longest: int, apart: ToldApart[A, B]) -> Difference | None:
        """The difference on one play of at most so many moves."""
        first, second = self.first.initial(), self.second.initial()
        for _ in range(longest + 1):
            look()
            ours, theirs = self.first.situation(first), self.second.situation(second)
            if (shown := differing(ours, theirs, apart.players)) is not None:
                kind, said = shown
                return Difference(kind, (self.first.play(first), self.second.play(second)), said)
            if ours.actor == END or isinstance(first, PlayError) or isinstance(second, PlayError):
                return None
            if self.compares_perception and ours.actor >= 0:
                told = apart.difference(first, second, ours.actor)
                if told is not None:
                    return told
            self.moves += 1
            if ours.deals is not None:
                dealt = self._deal(first, second, ours, theirs)
                if isinstance(dealt, Difference):
                    return dealt
                first, second = dealt
            else:
                text = self.random.choice(list(ours.offers))
                first = self.first.after(first, ours.offers[text])
                second = self.second.after(second, theirs.offers[text])
        return None

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
