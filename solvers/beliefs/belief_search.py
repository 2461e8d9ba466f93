"""One player against chance who does not see the position: search in the tree of belief states.

:mod:`.belief_values` says how; here the surroundings are the rules and chance alone. Each move in each position is
played out once (:mod:`.perceived_steps`).
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import lcm
from typing import Generic

from attrs import frozen

from zermelo.interpreter.machine import InformationState, Machine, Move, State
from zermelo.solvers.beliefs.belief_values import BeliefValues, Prospect, Weights, normalized
from zermelo.solvers.beliefs.meter import Meter
from zermelo.solvers.beliefs.perceived_steps import Followed, PerceivedSteps
from zermelo.solvers.beliefs.writing_plans import written_plan
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.common.progress import Progress
from zermelo.solvers.solution import Answer, Problem


def belief_search(problem: Problem[State]) -> Answer:
    """Solve by search over beliefs. Needs one player, and plays that end.

    Raises ``ZermeloError``: ``moves-differ``, ``needs-end`` if a play is found to go round, ``too-many-outcomes``,
    ``out-of-time``, ``out-of-memory``."""
    machine, root = problem.machine, problem.root
    steps = PerceivedSteps(machine, 0, False, Meter(problem.limits, problem.progress))
    search = BeliefValues(_Nature(steps))
    beginning = steps.beginning(root)
    prospect = prospects([(beginning, 1)])
    value = machine.earned(root)[0] + search.worth(prospect)
    known = machine.information_state(root, 0)
    return Answer(
        value=(value,),
        best=(),
        line=(),
        counts={"nodes": len(search.values), "positions": len(steps.states)},
        alternatives=(),
        notes=("A node is a belief: what the player holds possible, with its probabilities.",),
        plan=written_plan(machine.player_names[0], known, prospect.heard, beginning.ends, search.chosen),
    )


def worths_of_moves(
    machine: Machine[State], believed: Sequence[tuple[State, Fraction]], limits: Limits, progress: Progress
) -> dict[Move, Fraction]:
    """What each move brings a single player if they go on best, what they have earned before included: where they are
    to decide, and hold these states possible with these probabilities. Raises as :func:`belief_search` does."""
    steps = PerceivedSteps(machine, 0, False, Meter(limits, progress))
    around = _Nature(steps)
    search = BeliefValues(around)
    scale = lcm(*(chance.denominator for _, chance in believed))
    weighted = [(steps.beginning(state), int(chance * scale)) for state, chance in believed]
    ((_, belief, _),) = prospects(weighted).branches
    earned = sum((chance * machine.earned(state)[0] for state, chance in believed), Fraction(0))
    moves = steps.moves(tuple(position for position, _ in belief))
    return {move: earned + search.worth(around.prospect(belief, move)) for move in moves}


def prospects(followed: list[tuple[Followed, int]]) -> Prospect:
    """The prospect of a move, by what follows it in each possible position, of which each has a weight."""
    total = sum(weight for _, weight in followed)
    scale = lcm(*(each.scale for each, _ in followed))
    heard: dict[InformationState, dict[int, int]] = {}
    for each, weight in followed:
        share = weight * (scale // each.scale)
        for perceived, position, likely in each.arrivals:
            weights = heard.setdefault(perceived, {})
            weights[position] = weights.get(position, 0) + share * likely
    branches = tuple(
        (perceived, normalized(weights), Fraction(sum(weights.values()), total * scale))
        for perceived, weights in heard.items()
    )
    gain = sum((each.mean * weight for each, weight in followed), Fraction(0)) / total
    return Prospect(gain, branches)


@frozen(eq=False)
class _Nature(Generic[State]):
    """The rules and chance."""

    steps: PerceivedSteps[State]

    @property
    def meter(self) -> Meter:
        return self.steps.meter

    def moves(self, positions: tuple[int, ...]) -> tuple[Move, ...]:
        return self.steps.moves(positions)

    def prospect(self, belief: Weights, move: Move) -> Prospect:
        return prospects([(self.steps.after(position, move), weight) for position, weight in belief])

    def ends(self, belief: Weights, move: Move) -> tuple[Fraction, ...]:
        return tuple(sorted({amount for position, _ in belief for amount in self.steps.after(position, move).ends}))
