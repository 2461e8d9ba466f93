"""What is known about a game: facts, each with how it is known.

:func:`facts` reads the rules alone and takes no time to speak of, however large the game. What it cannot settle, a
survey of the positions or a count of the information sets may. Solvers rely on facts and never on claims.
"""

from __future__ import annotations

from fractions import Fraction

from attrs import evolve, frozen

from interpreter.checks.fact import Fact
from interpreter.checks.information import naming, perfect_information, simultaneous
from interpreter.checks.information_sets import InformationSets
from interpreter.checks.payoff_bounds import Bounds, payoff_bounds
from interpreter.checks.phase_graph import reachable_phases
from interpreter.checks.sums import common_payoff, constant_sum
from interpreter.checks.survey import Survey
from interpreter.checks.termination import terminates
from interpreter.model import Chance, Model, Phase


@frozen
class Facts:
    """The facts about one game.

    ``players`` are their names; ``sum`` is what all players get together, where that is proved to be constant;
    ``chance`` tells whether chance is ever asked, ``simultaneous`` whether several players choose at once,
    ``perfect_information`` whether whoever is to decide always knows the position, ``terminates`` whether every play
    ends. ``discounted`` games pay less for what comes later. ``bounds`` has for each player the least and the most that
    a play can pay him, None where that is not known; empty stands for nothing known at all. ``has_estimate``,
    ``has_unsettled`` and ``has_order`` tell which hints for a search the file gives.
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

    def with_survey(self, survey: Survey) -> Facts:
        """The facts with what a survey of this game's positions settles."""
        everywhere = f"all {survey.positions:,} positions have been visited"
        known = self
        if survey.loop is not None:
            known = evolve(known, terminates=Fact(False, str(survey.loop)))
        elif survey.finished and not known.terminates.holds:
            known = evolve(known, terminates=Fact(True, f"{everywhere}, and none can come back"))
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

    def with_information_sets(self, information: InformationSets) -> Facts:
        """The facts with what visiting this game's histories settles."""
        if not information.perfect:
            how = "two positions have been found that the player to move cannot tell apart"
            return evolve(self, perfect_information=Fact(False, how))
        if information.finished and not self.perfect_information.holds:
            how = f"all {information.histories:,} histories have been visited, and none can be taken for another"
            return evolve(self, perfect_information=Fact(True, how))
        return self


def facts(model: Model) -> Facts:
    """What the rules alone tell, at once."""
    phases = reachable_phases(model)
    sum_fact, amount = constant_sum(model, phases)
    return Facts(
        players=tuple(player.name for player in model.players),
        constant_sum=sum_fact,
        sum=amount,
        common_payoff=common_payoff(model, phases),
        chance=_chance(model, phases),
        simultaneous=simultaneous(model, phases),
        perfect_information=perfect_information(model, phases),
        terminates=terminates(model, phases),
        discounted=model.discount != 1,
        bounds=payoff_bounds(model, phases, amount),
        has_estimate=model.estimate is not None,
        has_unsettled=model.unsettled is not None,
        has_order=model.order_moves is not None,
    )


def _chance(model: Model, phases: tuple[Phase, ...]) -> Fact:
    for phase in phases:
        if isinstance(phase.decision, Chance):
            return Fact(True, f"chance draws in {naming(model, phase)}")
    return Fact(False, "chance never draws")
