"""Counterfactual regret minimization: players who play a game against each other again and again, and regret.

In every information set a player keeps account of how much better each move would have done, so far, than what was done
there: its *regret*. The values compared are *counterfactual*: what would have come out had the player played to reach
the set, the others and chance doing their part with the probabilities they have. Then every move is chosen with a
probability in proportion to its regret where that is positive (*regret matching*). If everybody does so, the regrets
grow no faster than the square root of the number of iterations, and in a game of two players and constant sum the
averages of their plans come as near as one likes to an equilibrium.

An iteration never walks through the histories. On the sequence form, for one player after the other::

    what each of their sequences brings at leaves, from the plans of the others      (evaluate)
    from the bottom up: the value of each set, the regrets, the new strategy         (update)
    from the top down: the weights of their new plan                                 (follow)

The next player faces the new plan already (*alternating updates*). A plan's weights are averaged themselves, since an
average of realization plans is the plan of the averaged play.

The variants differ in how they forget, and in the weights of the average:

==================  =================================================================================================
CFR                 forgets nothing; Zinkevich, Johanson, Bowling and Piccione (2007)
CFR+                drops what is negative, averages linearly; Tammelin (2014)
linear CFR          weighs everything of iteration t by t; Brown and Sandholm (2019)
discounted CFR      weighs what is positive by t ^ 3/2, and the average by t ^ 2; Brown and Sandholm (2019)
predictive CFR+     CFR+ that counts on the last regret to come again; Farina, Kroer and Sandholm (2021)
==================  =================================================================================================

*More players, other payoffs.* The algorithm runs, and nobody regrets much in the long run: the plays of all iterations
taken together approach a coarse correlated equilibrium. The averaged plans by themselves need not be near to any
equilibrium.

Cost: an iteration takes one look at every leaf and three at every sequence of each player. Before its loops a function
makes sure that lists are equally long, which they always are: machine code, which knows it then, tests an index once
for all of them. Numbers are in floating point, and rounded in the order that is written, so the same ones come out
wherever this runs.
"""

from __future__ import annotations

from zermelo.interpreter.native.dialect.words import sqrt
from zermelo.solvers.kernels.sequence_values import Form, evaluate, is_even

KEEP = -1
DROP = -2


class Players:
    """The players between two iterations, with the game that they play.

    For each sequence: ``regrets``; ``strategies``, the probability of its last move where that is to be made;
    ``plans``, its realization weight; ``sums`` of the weights of all plans so far, each times the weight of its
    iteration; and, when they are asked for, the ``averages``.

    After iteration t, positive regrets are multiplied by t ^ a / (t ^ a + 1), negative ones likewise with b, and the
    plan of iteration t has the weight t ^ c in the average. ``positive``, ``negative`` and ``average`` are a, b and c,
    in halves; instead of a or b, ``KEEP`` keeps the whole of them, and ``DROP`` nothing. Players with ``predicts``
    choose as if the regret of the last iteration came again.

    ``at_work`` is 1 in the middle of an iteration, where an interrupt may leave it."""

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
    """Nobody regrets anything yet, so all moves are alike."""
    form = players.form
    for p in range(len(form.gains)):
        players.strategies[form.bases[p]] = 1.0
        players.plans[form.bases[p]] = 1.0
        for i in range(form.sets[p], form.sets[p + 1]):
            match(players.regrets, players.strategies, form.firsts[i], form.ends[i])
        follow(form, players.strategies, players.plans, p)


def iterate(players: Players, count: int) -> None:
    """So many iterations; in each, every player once."""
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
    """Change a player's strategy by what they regret. ``values`` begin as what their sequences bring at leaves; those
    of a set's moves are complete when it is looked at, and give way to what speaks for the moves."""
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


def match(leaning: list[float], strategy: list[float], first: int, end: int) -> None:
    """Regret matching in an information set: every move with a probability in proportion to what speaks for it, as far
    as that is positive, or all alike (Hart and Mas-Colell 2000)."""
    total: float = 0.0
    for s in range(first, end):
        weight: float = leaning[s] if leaning[s] > 0.0 else 0.0
        strategy[s] = weight
        total += weight
    if total > 0.0:
        for s in range(first, end):
            strategy[s] = strategy[s] / total
    else:
        for s in range(first, end):
            strategy[s] = 1.0 / float(end - first)


def follow(form: Form, strategy: list[float], plan: list[float], player: int) -> None:
    """The realization plan of a player's strategy."""
    if len(strategy) != len(plan) or not is_even(form):
        return  # never
    for i in range(form.sets[player], form.sets[player + 1]):
        reached: float = plan[form.parents[i]]
        for s in range(form.firsts[i], form.ends[i]):
            plan[s] = reached * strategy[s]


def add_plan(players: Players, player: int) -> None:
    """Let the plan that a player has followed in this iteration count in the average."""
    weight: float = power(players.iterations, players.average)
    if len(players.plans) != len(players.sums):
        return  # never
    for s in range(players.form.bases[player], players.form.bases[player + 1]):
        players.sums[s] += weight * players.plans[s]


def power(base: int, halves: int) -> float:
    """A number to the power of so many halves."""
    result: float = 1.0
    for _ in range(halves // 2):
        result = result * float(base)
    return result * sqrt(float(base)) if halves % 2 != 0 else result


def share_kept(iteration: int, halves: int) -> float:
    """What is left of regrets after an iteration."""
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
