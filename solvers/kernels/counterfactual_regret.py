"""Counterfactual regret minimization by repeated play.

In every information set a player sums up the *regret* of each move: how much better it would have done than the
strategy there. The values are *counterfactual*: those of playing to reach the set, while the others and chance keep
their probabilities. Then every move is chosen with a probability proportional to its positive regret (*regret
matching*). The sums of regrets grow no faster than the square root of the number of iterations, so that in a game of
two players and constant sum the average plans converge to an equilibrium.

An iteration does not visit histories. On the sequence form, for one player after the other::

    the values of their sequences at leaves, given the plans of the others           (evaluate)
    bottom-up: the value of each set, the regrets, the new strategy                  (update)
    top-down: the weights of their new plan                                          (follow)

The next player faces the new plan already (*alternating updates*). Averages are taken of realization weights, since an
average of realization plans is the plan of the averaged play.

The variants differ in discounting and in the weights of the average:

==================  =================================================================================================
CFR                 no discounting; Zinkevich, Johanson, Bowling and Piccione (2007)
CFR+                drops negative regrets, averages linearly; Tammelin (2014)
linear CFR          weighs iteration t by t; Brown and Sandholm (2019)
discounted CFR      weighs positive regrets by t ^ 3/2, and the average by t ^ 2; Brown and Sandholm (2019)
predictive CFR+     CFR+ that predicts the last regret to recur; Farina, Kroer and Sandholm (2021)
==================  =================================================================================================

*More players, other payoffs.* Regrets still vanish on average, and the empirical distribution of play approaches a
coarse correlated equilibrium. The average plans need not be near any equilibrium.

Cost: an iteration visits every leaf once and every sequence of each player three times. Before its loops a function
checks that lists are equally long, which they always are: so machine code checks an index once for all of them. The
order of floating-point operations is fixed, so all executors give the same bits.
"""

from __future__ import annotations

from zermelo.interpreter.native.dialect.words import sqrt
from zermelo.solvers.kernels.regret_matching import match
from zermelo.solvers.kernels.sequence_values import Form, evaluate, is_even

KEEP = -1
DROP = -2


class Players:
    """The players between two iterations, with their game.

    For each sequence: ``regrets``; ``strategies``, the probability of its last move; ``plans``, its realization weight;
    ``sums`` of the weights of all plans so far, each times the weight of its iteration; and, on request, the
    ``averages``.

    After iteration t, positive regrets are multiplied by t ^ a / (t ^ a + 1), negative ones likewise with b, and the
    plan of iteration t has the weight t ^ c in the average. ``positive``, ``negative`` and ``average`` are a, b and c,
    in halves; ``KEEP`` instead of a or b keeps regrets unchanged, and ``DROP`` sets them to 0. With ``predicts``,
    players choose as if the regret of the last iteration recurred.

    ``at_work`` is 1 during an iteration, which an interrupt may leave unfinished."""

    form: Form
    regrets: list[float]
    strategies: list[float]
    plans: list[float]
    sums: list[float]
    averages: list[float]
    iterations: int
    at_work: int
    positive: int
    negative: int
    average: int
    predicts: int


def start(players: Players) -> None:
    """Begin with regrets 0 and uniform strategies."""
    form = players.form
    for p in range(len(form.gains)):
        players.strategies[form.bases[p]] = 1.0
        players.plans[form.bases[p]] = 1.0
        for i in range(form.sets[p], form.sets[p + 1]):
            match(players.regrets, players.strategies, form.firsts[i], form.ends[i])
        follow(form, players.strategies, players.plans, p)


def iterate(players: Players, count: int) -> None:
    """Make ``count`` iterations; in each, every player updates once."""
    for _ in range(count):
        players.at_work = 1
        players.iterations += 1
        for p in range(len(players.form.gains)):
            evaluate(players.form, players.plans, p)
            update(players, p)
            add_plan(players, p)
            follow(players.form, players.strategies, players.plans, p)
        players.at_work = 0


def update(players: Players, player: int) -> None:
    """Update a player's strategy by their regrets. ``values`` begin with those of their sequences at leaves; those of a
    set's moves are complete when the set is processed, and are then replaced by the inputs of regret matching."""
    form = players.form
    values = form.values
    regrets = players.regrets
    strategies = players.strategies
    if len(regrets) != len(values) or len(strategies) != len(values) or not is_even(form):
        return  # never
    if_positive: float = share_kept(players.iterations, players.positive)
    if_negative: float = share_kept(players.iterations, players.negative)
    i: int = form.sets[player + 1]
    while i > form.sets[player]:
        i -= 1
        first: int = form.firsts[i]
        end: int = form.ends[i]
        expected: float = 0.0
        for s in range(first, end):
            expected += strategies[s] * values[s]
        values[form.parents[i]] += expected
        for s in range(first, end):
            regret: float = values[s] - expected
            total: float = regrets[s] + regret
            regrets[s] = total * (if_positive if total > 0.0 else if_negative)
            values[s] = regrets[s] + regret if players.predicts != 0 else regrets[s]
        match(values, strategies, first, end)


def follow(form: Form, strategy: list[float], plan: list[float], player: int) -> None:
    """The realization plan of a player's strategy."""
    if len(strategy) != len(plan) or not is_even(form):
        return  # never
    for i in range(form.sets[player], form.sets[player + 1]):
        reached: float = plan[form.parents[i]]
        for s in range(form.firsts[i], form.ends[i]):
            plan[s] = reached * strategy[s]


def add_plan(players: Players, player: int) -> None:
    """Add a player's plan of this iteration to the sums of the average."""
    weight: float = power(players.iterations, players.average)
    if len(players.plans) != len(players.sums):
        return  # never
    for s in range(players.form.bases[player], players.form.bases[player + 1]):
        players.sums[s] += weight * players.plans[s]


def power(base: int, halves: int) -> float:
    """``base`` to the power of ``halves / 2``."""
    result: float = 1.0
    for _ in range(halves // 2):
        result = result * float(base)
    return result * sqrt(float(base)) if halves % 2 != 0 else result


def share_kept(iteration: int, halves: int) -> float:
    """The discount factor of regrets after an iteration."""
    if halves < 0:
        return 1.0 if halves == KEEP else 0.0
    grown: float = power(iteration, halves)
    return grown / (grown + 1.0)


def take_averages(players: Players) -> None:
    """The average plans."""
    form = players.form
    for p in range(len(form.gains)):
        whole: float = players.sums[form.bases[p]]
        for s in range(form.bases[p], form.bases[p + 1]):
            players.averages[s] = players.sums[s] / whole if whole > 0.0 else players.sums[s]
