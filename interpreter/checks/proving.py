"""The facts that the rules alone prove.

:func:`facts` reads only the rules and is quick, however large the game. A survey of the positions or a count of the
information sets may settle the rest. Solvers rely on facts, never on claims.
"""

from __future__ import annotations

from functools import lru_cache

from zermelo.interpreter.analysis.fact import Fact
from zermelo.interpreter.analysis.information import perfect_information, public_between_rounds, simultaneous
from zermelo.interpreter.checks.certain import certain_decisions
from zermelo.interpreter.checks.game_facts import Facts
from zermelo.interpreter.checks.payoff_bounds import bounds_of_expression, payoff_bounds
from zermelo.interpreter.checks.phase_graph import phases_after, reachable_phases, runs_through
from zermelo.interpreter.checks.sums import common_payoff, constant_sum
from zermelo.interpreter.checks.termination import terminates
from zermelo.interpreter.model import Chance, Model, Phase, Together, Turn
from zermelo.interpreter.model.passing import may_pass
from zermelo.interpreter.model.walks import phase_title


@lru_cache(maxsize=1)
def facts(model: Model) -> Facts:
    """The facts that the rules alone prove. Those of the last model are kept: its claims have been checked just before
    somebody plays it."""
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
        public_between_rounds=public_between_rounds(model, phases),
        terminates=terminates(model, phases),
        discounted=model.discount != 1,
        bounds=payoff_bounds(model, phases, amount),
        has_estimate=model.estimate is not None,
        has_unsettled=model.unsettled is not None,
        has_order=model.order_moves is not None,
        estimates=None if model.estimate is None else bounds_of_expression(model.estimate.value),
        can_pass=can_pass(model, phases),
        has_endless=model.endless is not None,
        has_history=bool(model.history),
        has_several_rounds=_has_several_rounds(model, phases),
    )


def _chance(model: Model, phases: tuple[Phase, ...]) -> Fact:
    """Whether some play has a chance move. ``phases`` are the reachable ones: without a chance decision among them the
    answer is no; with one it is yes if some play certainly reaches it."""
    drawing = [phase for phase in phases if isinstance(phase.decision, Chance) and runs_through(phase.entry)]
    certain = certain_decisions(model) if drawing else ()
    for phase in drawing:
        if phase.name in certain:
            return Fact(True, f"chance draws in {phase_title(model, phase)}")
    for phase in drawing:
        return Fact(None, f"chance draws in {phase_title(model, phase)}, if a play reaches it")
    return Fact(False, "chance never draws")


def _has_several_rounds(model: Model, phases: tuple[Phase, ...]) -> bool:
    """Whether a decision of a player may follow one in which players choose at once."""
    after = (later for phase in phases if isinstance(phase.decision, Together) for later in phases_after(model, phase))
    return any(isinstance(phase.decision, Turn | Together) for phase in after)


def can_pass(model: Model, phases: tuple[Phase, ...]) -> Fact:
    """Whether one of the reachable ``phases`` admits a null move."""
    for phase in phases:
        if may_pass(model, phase):
            return Fact(True, f"the argument of phase '{phase.name}' is the player to move")
    if len(model.players) != 2:
        return Fact(False, f"its players are {', '.join(player.name for player in model.players)}")
    return Fact(False, "no phase has the player to move as its only argument")
