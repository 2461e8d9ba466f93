"""The facts about a game."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Final

from attrs import evolve, frozen

from zermelo.foundation.records import ByValue
from zermelo.interpreter.analysis.information import Fact

if TYPE_CHECKING:  # cached facts need none of the modules that found them
    from zermelo.interpreter.checks.survey import Confusion, InformationSetCount, Loop, Survey

Bounds = tuple[Fraction | int, Fraction | int]
"""Lower and upper bound."""


_UNKNOWN: Final = Fact(None, "nothing is known of its rules")


@frozen(eq=False, repr=False)
class Facts(ByValue):
    """The facts about one game.

    ``players`` are their names; ``sum`` is the sum of all payoffs, if proved constant; ``chance``: some play has a
    chance move; ``simultaneous``: several players choose at once; ``perfect_information``: the player to move always
    knows the position; ``public_between_rounds``: so do all who choose at once, except for what the others choose at
    that moment; ``terminates``: every play ends. ``discounted`` games pay less for what comes later. ``bounds``
    are those of each player's payoff, None if unknown; it is empty if nothing is known. ``has_estimate``,
    ``has_unsettled`` and ``has_order`` are the hints of the file for a search, ``estimates`` the bounds of the
    estimate, if known; ``can_pass``: some positions admit a null move (:mod:`zermelo.interpreter.model.rewriting`);
    ``has_endless``: the file gives the payoff of an infinite play, which does not prove that there is one;
    ``has_history``: the rules read the history of the play; ``ends``: some play is known to end;
    ``has_several_rounds``: a player may decide after players have chosen at once.
    """

    players: tuple[str, ...]
    constant_sum: Fact
    sum: Fraction | None
    common_payoff: Fact
    chance: Fact
    simultaneous: Fact
    perfect_information: Fact
    public_between_rounds: Fact
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
    has_several_rounds: bool = False

    @property
    def zero_sum(self) -> Fact:
        """Whether the payoffs always sum to 0."""
        return self.sums_to(0)

    def sums_to(self, amount: Fraction | int) -> Fact:
        """Whether the payoffs always sum to ``amount``. Another constant sum refutes this only if some play ends."""
        if not self.constant_sum.holds or self.sum == amount:
            return self.constant_sum
        return Fact(False if self.ends or self.terminates.holds else None, self.constant_sum.how)

    @property
    def deterministic(self) -> Fact:
        """Whether no play has a chance move."""
        return Fact(None if self.chance.holds is None else not self.chance.holds, self.chance.how)

    def with_count(self, positions: int, finished: bool, loop: Loop | None) -> Facts:
        """The facts, extended by a count of positions, perhaps all (``finished``), and by a play with a cycle."""
        if loop is not None:
            return evolve(self, terminates=Fact(False, str(loop)))
        if finished and not self.terminates.holds:
            how = f"all {positions:,} positions have been visited, and none can come back"
            return evolve(self, terminates=Fact(True, how))
        return self

    def left_open(self, why: str) -> Facts:
        """The facts, of which those that a visit of positions has left open say why."""

        def said(fact: Fact) -> Fact:
            return fact if fact.holds is not None else Fact(None, f"{fact.how}; {why}")

        return evolve(
            self,
            constant_sum=said(self.constant_sum),
            common_payoff=said(self.common_payoff),
            chance=said(self.chance),
            terminates=said(self.terminates),
        )

    def with_survey(self, survey: Survey) -> Facts:
        """The facts, extended by a survey of the positions."""
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
        """The facts, extended by two plays that a player cannot tell apart, if such were found. Where players choose at
        once they may be plays of one round."""
        if confusion is None:
            return self
        found = Fact(False, str(confusion))
        public = self.public_between_rounds if self.simultaneous.holds else found
        return evolve(self, perfect_information=found, public_between_rounds=public)

    def with_leaves(self, histories: int, sums: set[int], is_common: bool, draws: bool, denominator: int) -> Facts:
        """The facts, extended by the game tree: the sums of the payoffs in its leaves, as multiples of
        1 / ``denominator``, whether all players get the same in each leaf, and whether there are chance moves."""
        everywhere = f"all {histories:,} histories have been visited"
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
        """The facts, extended by a visit of the histories."""
        if information.finished and information.confusion is None and not self.perfect_information.holds:
            everywhere = f"all {information.histories:,} histories have been visited"
            how = f"{everywhere}, and the player to move always knows the position"
            known = Fact(True, how)
            return evolve(self, perfect_information=known, public_between_rounds=known)
        return self.with_confusion(information.confusion)
