"""The best joint strategy of players with a common payoff and different information.

They can agree on a strategy before the play, but not communicate during it. The payoff of a mixture of joint strategies
is an average, so some joint *pure* strategy is optimal. All combinations of the other players' pure strategies are
tried, and the player who has the most of them gives a best response (:mod:`zermelo.solvers.forms.best_response`), so
that theirs need not be listed.

Source: Marschak and Radner, "Economic theory of teams" (1972). The problem is NP-hard even for two players (Tsitsiklis
and Athans 1985), so this is for small games: one best response for each combination.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import prod

from zermelo.interpreter.machine import State
from zermelo.solvers.forms.best_response import best_response
from zermelo.solvers.forms.sequence_form import Plan
from zermelo.solvers.forms.sequence_form import sequence_form as form_of
from zermelo.solvers.forms.strategy import strategies
from zermelo.solvers.normal_form.normal_form import check_count, count_strategies, pure_strategies
from zermelo.solvers.solution import Answer, Problem
from zermelo.solvers.tree_building.building import tree_of


def team(problem: Problem[State]) -> Answer:
    """Solve by the best joint strategy. Needs equal payoffs, and plays that end."""
    tree = tree_of(problem)
    form = form_of(tree, problem.limits)
    counts = [count_strategies(player) for player in form.players]
    last = counts.index(max(counts))
    others = [player for player in range(len(counts)) if player != last]
    check_count(tree, [tree.player_names[player] for player in others], [counts[player] for player in others])
    lists = [
        [strategy.plan(len(form.players[player])) for strategy in pure_strategies(tree, form.players[player])]
        for player in others
    ]
    best: tuple[Fraction, list[Plan]] | None = None
    for tried, chosen in enumerate(product(*lists)):
        if tried % 64 == 0:
            problem.progress(tried)
            problem.limits.check({"nodes": tried})
        plans: list[Plan] = [*chosen[:last], [], *chosen[last:]]
        value, plans[last] = best_response(form, last, plans)
        if best is None or value > best[0]:
            best = value, plans
    assert best is not None, "everybody has a strategy"
    value, plans = best
    return Answer(
        value=(value,) * len(counts),
        best=(),
        line=(),
        counts={"nodes": tree.histories, "joint strategies": prod(counts[player] for player in others)},
        alternatives=(),
        notes=("No joint strategy brings more: all have been tried.",),
        strategies=strategies(tree, form, plans),
    )
