"""Facts: whether something holds of a game, and how that is known."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Final

from attrs import evolve, frozen

from zermelo.interpreter.analysis.fact import Fact

if TYPE_CHECKING:  # facts that are known already need none of what found them
    from zermelo.interpreter.checks.information_sets import Confusion, InformationSetCount
    from zermelo.interpreter.checks.loops import Loop
    from zermelo.interpreter.checks.survey import Survey

Bounds = tuple[Fraction | int, Fraction | int]
"""The least and the most of something."""


_UNKNOWN: Final = Fact(None, "nothing is known of its rules")


@frozen
class Facts:
    """The facts about one game.

    ``players`` are their names; ``sum`` is what all players get together, where that is proved to be constant;
    ``chance`` tells whether chance is ever asked, ``simultaneous`` whether several players choose at once,
    ``perfect_information`` whether whoever is to decide always knows the position, ``terminates`` whether every play
    ends. ``discounted`` games pay less for what comes later. ``bounds`` has for each player the least and the most that
    a play can pay him, None where that is not known; empty stands for nothing known at all. ``has_estimate``,
    ``has_unsettled`` and ``has_order`` tell which hints for a search the file gives, and ``estimates`` how little and
    how much an estimate can say, where that is known. ``can_pass`` tells whether there are positions in which a player
    could let the other move in his place (:mod:`zermelo.interpreter.model.passing`). ``has_endless`` tells whether the
    file says what a play without end is worth, which is no proof that there is one, ``has_history`` whether its rules
    look at the history of the play, and ``ends`` whether a play has been seen to end.
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
    can_pass: Fact = _UNKNOWN
    has_endless: bool = False
    has_history: bool = False
    ends: bool = False

    @property
    def zero_sum(self) -> Fact:
        """Whether all players together always get 0."""
        return self.sums_to(0)

    def sums_to(self, amount: Fraction | int) -> Fact:
        """Whether all players together always get so much. Where they always get something else, a play refutes it that
        comes to an end; without one there is nothing to refute it."""
        if not self.constant_sum.holds or self.sum == amount:
            return self.constant_sum
        return Fact(False if self.ends or self.terminates.holds else None, self.constant_sum.how)

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
        known = evolve(known, ends=known.ends or survey.terminals > 0)
        if known.chance.holds is None and survey.chance:
            known = evolve(known, chance=Fact(True, "a play has been found in which chance draws"))
        elif known.chance.holds is None and survey.finished:
            known = evolve(known, chance=Fact(False, f"{everywhere}, and chance draws in none"))
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

    def with_leaves(self, histories: int, sums: set[int], is_common: bool, draws: bool, denominator: int) -> Facts:
        """The facts with what the tree of all this game's histories settles: what all players get together in its
        leaves, over ``denominator``, whether all get the same in each of them, and whether chance ever draws."""
        everywhere = f"all {histories:,} histories have been written down"
        known = evolve(self, ends=True)
        if known.constant_sum.holds is None:
            if len(sums) == 1:
                amount = Fraction(next(iter(sums)), denominator)
                how = f"{everywhere}, and the payoffs always sum to {amount}"
                known = evolve(known, constant_sum=Fact(True, how), sum=amount)
            else:
                one, another, *_ = (str(Fraction(amount, denominator)) for amount in sorted(sums))
                known = evolve(known, constant_sum=Fact(False, f"one play pays {one} in all and another {another}"))
        if known.common_payoff.holds is None:
            how = f"{everywhere}, and all players get the same" if is_common else "a play pays unequal amounts"
            known = evolve(known, common_payoff=Fact(is_common, how))
        if known.chance.holds is None:
            how = "a play has been found in which chance draws" if draws else f"{everywhere}, and chance never draws"
            known = evolve(known, chance=Fact(draws, how))
        if not known.terminates.holds:
            known = evolve(known, terminates=Fact(True, everywhere))
        return known

    def with_information_sets(self, information: InformationSetCount) -> Facts:
        """The facts with what visiting this game's histories settles."""
        if information.finished and information.confusion is None and not self.perfect_information.holds:
            how = f"all {information.histories:,} histories have been visited, and none can be taken for another"
            return evolve(self, perfect_information=Fact(True, how))
        return self.with_confusion(information.confusion)
