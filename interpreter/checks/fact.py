"""Facts: whether something holds of a game, and how that is known."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from grammar.record import Record, evolve

if TYPE_CHECKING:  # facts that are known already need none of what found them
    from interpreter.checks.information_sets import Confusion, InformationSets
    from interpreter.checks.loops import Loop
    from interpreter.checks.survey import Survey

Bounds = tuple[Fraction | int, Fraction | int]
"""The least and the most of something."""


class Fact(Record):
    """``holds`` is True or False where that is settled, and None where it is not.

    ``how`` is a clause without a capital or a full stop that completes a sentence on the game: why it is known, or
    what stands in the way.
    """

    holds: bool | None
    how: str


class Facts(Record):
    """The facts about one game.

    ``players`` are their names; ``sum`` is what all players get together, where that is proved to be constant;
    ``chance`` tells whether chance is ever asked, ``simultaneous`` whether several players choose at once,
    ``perfect_information`` whether whoever is to decide always knows the position, ``terminates`` whether every play
    ends. ``discounted`` games pay less for what comes later. ``bounds`` has for each player the least and the most that
    a play can pay him, None where that is not known; empty stands for nothing known at all. ``has_estimate``,
    ``has_unsettled`` and ``has_order`` tell which hints for a search the file gives, and ``estimates`` how little and
    how much an estimate can say, where that is known. ``can_pass`` tells whether there are positions in which a player
    could let the other move in his place (:mod:`interpreter.checks.passing`).
    """

    players: tuple[str, ...]
    constant_sum: Fact
    sum: Fraction | None
    common_payoff: Fact
    chance: Fact
    simultaneous: Fact
    perfect_information: Fact
    terminates: Fact
    discounted: bool = False
    bounds: tuple[Bounds | None, ...] = ()
    has_estimate: bool = False
    has_unsettled: bool = False
    has_order: bool = False
    estimates: Bounds | None = None
    can_pass: Fact = Fact(None, "nothing is known of its rules")

    @property
    def zero_sum(self) -> Fact:
        """Whether all players together always get 0."""
        if self.constant_sum.holds and self.sum != 0:
            return Fact(False, self.constant_sum.how)
        return self.constant_sum

    @property
    def deterministic(self) -> Fact:
        """Whether chance is never asked."""
        return Fact(None if self.chance.holds is None else not self.chance.holds, self.chance.how)

    def with_count(self, positions: int, finished: bool, loop: Loop | None) -> Facts:
        """The facts with what so many positions of this game, perhaps all, and a play that goes round settle."""
        if loop is not None:
            return evolve(self, terminates=Fact(False, str(loop)))
        if finished and not self.terminates.holds:
            how = f"all {positions:,} positions have been visited, and none can come back"
            return evolve(self, terminates=Fact(True, how))
        return self

    def with_survey(self, survey: Survey) -> Facts:
        """The facts with what a survey of this game's positions settles."""
        everywhere = f"all {survey.positions:,} positions have been visited"
        known = self.with_count(survey.positions, survey.finished, survey.loop)
        if survey.finished and not survey.chance and known.chance.holds is not False:
            known = evolve(known, chance=Fact(False, f"{everywhere}, and none draws"))
        complete = survey.finished and survey.loop is None
        if known.constant_sum.holds is None:
            if len(survey.sums) > 1:
                how = f"one play pays {survey.sums[0]} in all and another {survey.sums[1]}"
                known = evolve(known, constant_sum=Fact(False, how))
            elif complete and survey.sums and survey.sum_is_settled and not self.discounted:
                how = f"{everywhere}, and the payoffs always sum to {survey.sums[0]}"
                known = evolve(known, constant_sum=Fact(True, how), sum=survey.sums[0])
        if known.common_payoff.holds is None:
            if survey.unequal is not None:
                how = f"one play pays ({', '.join(map(str, survey.unequal))})"
                known = evolve(known, common_payoff=Fact(False, how))
            elif complete and survey.evenly_earned:
                known = evolve(known, common_payoff=Fact(True, f"{everywhere}, and all players get the same"))
        return known

    def with_confusion(self, confusion: Confusion | None) -> Facts:
        """The facts with two plays of this game that somebody cannot tell apart, where such have been found."""
        if confusion is None:
            return self
        return evolve(self, perfect_information=Fact(False, str(confusion)))

    def with_information_sets(self, information: InformationSets) -> Facts:
        """The facts with what visiting this game's histories settles."""
        if information.finished and information.confusion is None and not self.perfect_information.holds:
            how = f"all {information.histories:,} histories have been visited, and none can be taken for another"
            return evolve(self, perfect_information=Fact(True, how))
        return self.with_confusion(information.confusion)
