"""The values of sequences against given plans, and best responses to these, in floating point.

For *sequences* and *plans*, and the source, see :mod:`zermelo.solvers.forms.extensive_form`. The value of a sequence at
the leaves where it ends is the sum of their payoffs times chance's probability times the weights of all others'
sequences there. Bottom-up, the value of each information set is computed from its moves and added to the sequence that
leads there; the empty sequence has the value of the game. A *best response* takes the best move everywhere.

Sums are taken in the order of sequences and of leaves, so every executor gives the same bits.

Cost: one visit of every leaf and every sequence of a player. Leaves dominate, and are stored in the order of visits.
"""

from __future__ import annotations

from zermelo.interpreter.native.dialect.words import CHANCE, mix, sqrt
from zermelo.solvers.kernels.regret_matching import match


class Form:
    """A game in sequence form. The sequences of all players are numbered consecutively, player by player, as are their
    information sets.

    Player p has the sequences ``bases[p]`` to ``bases[p + 1]`` (exclusive), the first of which is the empty one, and
    the sets ``sets[p]`` to ``sets[p + 1]``. Set i follows sequence ``parents[i]``, and has the sequences ``firsts[i]``
    to ``ends[i]``, one for each move; sets after a set have greater numbers.

    ``rows[s]`` to ``rows[s + 1]`` are the leaves at which sequence s ends: the player's payoffs there times chance's
    probability (``payoffs``), and the sequence there of each other player in turn (``others``).

    ``values`` are those of sequences, during the computation, and ``gains`` those of best responses."""

    bases: list[int]
    sets: list[int]
    parents: list[int]
    firsts: list[int]
    ends: list[int]
    rows: list[int]
    others: list[int]
    payoffs: list[float]
    values: list[float]
    gains: list[float]


def is_even(form: Form) -> bool:
    """Whether the lists for information sets are equally long, as they always are."""
    return len(form.firsts) == len(form.parents) and len(form.ends) == len(form.parents)


def evaluate(form: Form, plans: list[float], player: int) -> None:
    """Write the value of each sequence of a player at leaves, against the plans of the others, to ``form.values``."""
    rows = form.rows
    others = form.others
    payoffs = form.payoffs
    values = form.values
    first: int = form.bases[player]
    end: int = form.bases[player + 1]
    stop: int = rows[first]
    if len(others) == len(payoffs):  # two players: machine code then checks an index once for both
        for s in range(first, end):
            start: int = stop
            stop = rows[s + 1]
            total: float = 0.0
            for leaf in range(start, stop):
                total += payoffs[leaf] * plans[others[leaf]]
            values[s] = total
        return
    rest: int = len(form.gains) - 1
    for s in range(first, end):
        start = stop
        stop = rows[s + 1]
        total = 0.0
        for leaf in range(start, stop):
            value: float = payoffs[leaf]
            for q in range(leaf * rest, leaf * rest + rest):
                value = value * plans[others[q]]
            total += value
        values[s] = total


def respond(form: Form, plans: list[float]) -> None:
    """Write each player's gain by a best response to the plans to ``form.gains``."""
    for p in range(len(form.gains)):
        root: int = form.bases[p]
        evaluate(form, plans, p)
        expected: float = 0.0
        for s in range(root, form.bases[p + 1]):
            expected += plans[s] * form.values[s]
        i: int = form.sets[p + 1]
        while i > form.sets[p]:
            i -= 1
            best: float = form.values[form.firsts[i]]
            for s in range(form.firsts[i] + 1, form.ends[i]):
                best = max(best, form.values[s])
            form.values[form.parents[i]] += best
        form.gains[p] = form.values[root] - expected


# Counterfactual regret minimization by repeated play.
#
# In every information set a player sums up the *regret* of each move: how much better it would have done than the
# strategy there. The values are *counterfactual*: those of playing to reach the set, while the others and chance keep
# their probabilities. Then every move is chosen with a probability proportional to its positive regret (*regret
# matching*). The sums of regrets grow no faster than the square root of the number of iterations, so that in a game of
# two players and constant sum the average plans converge to an equilibrium.
#
# An iteration does not visit histories. On the sequence form, for one player after the other::
#
#     the values of their sequences at leaves, given the plans of the others           (evaluate)
#     bottom-up: the value of each set, the regrets, the new strategy                  (update)
#     top-down: the weights of their new plan                                          (follow)
#
# The next player faces the new plan already (*alternating updates*). Averages are taken of realization weights, since
# an average of realization plans is the plan of the averaged play.
#
# The variants differ in discounting and in the weights of the average:
#
# ==================  =================================================================================================
# CFR                 no discounting; Zinkevich, Johanson, Bowling and Piccione (2007)
# CFR+                drops negative regrets, averages linearly; Tammelin (2014)
# linear CFR          weighs iteration t by t; Brown and Sandholm (2019)
# discounted CFR      weighs positive regrets by t ^ 3/2, and the average by t ^ 2; Brown and Sandholm (2019)
# predictive CFR+     CFR+ that predicts the last regret to recur; Farina, Kroer and Sandholm (2021)
# ==================  =================================================================================================
#
# *More players, other payoffs.* Regrets still vanish on average, and the empirical distribution of play approaches a
# coarse correlated equilibrium. The average plans need not be near any equilibrium.
#
# Cost: an iteration visits every leaf once and every sequence of each player three times. Before its loops a function
# checks that lists are equally long, which they always are: so machine code checks an index once for all of them. The
# order of floating-point operations is fixed, so all executors give the same bits.


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


# Monte Carlo counterfactual regret minimization: regrets from samples instead of the whole tree.
#
# As the regret minimization above, but an iteration visits a random part of the
# tree only, which gives unbiased estimates of all regrets. So an iteration is cheap, and more of them are needed. The
# player whose regrets are updated, each in turn, is the *traverser*.
#
# *External sampling* draws the moves of chance and the other players, and follows all moves of the traverser. A regret
# is then a difference of sampled values. The strategies of the next player are summed up where their sets are met;
# those of an only player, along a play drawn by them.
#
# *Outcome sampling* draws one play. The traverser explores: with probability 0.6 their move is uniform. The payoff is
# divided by the probability of drawing this play. The traverser's strategies are summed up, weighted by their own reach
# probability over the probability of the sample.
#
# A traversal is two passes over the nodes that it meets: forward, to draw, and backward, for values and regrets. It
# meets no node twice, since all paths to a merged node have the same moves of the traverser.
#
# Source: Lanctot, Waugh, Zinkevich and Bowling, "Monte Carlo sampling for regret minimization in extensive games"
# (2009). In a game of two players and constant sum the averages converge to an equilibrium, with an error proportional
# to the inverse square root of the number of iterations, with high probability.


EXPLORATION = 0.6

UNIT = 2.0**-53
FIRST_STIR = 668265263
SECOND_STIR = 40503


class Tree:
    """The game as a tree (:class:`zermelo.solvers.forms.extensive_form.ExtensiveForm`), its last node being the root.

    Node n has the edges ``edges[n]`` to ``edges[n + 1]`` (exclusive), with the probabilities ``chances`` at chance
    nodes, and belongs to information set ``sets_of[n]``, or to ``CHANCE``. Set s is one of player ``owners[s]``, and
    its sequences, numbered as in the sequence form, begin with ``firsts[s]``, one for each move. Edge e leads to node
    ``children[e]``, or to leaf -1 - ``children[e]``; ``payoffs`` are those of leaves."""

    edges: list[int]
    sets_of: list[int]
    firsts: list[int]
    ends: list[int]
    owners: list[int]
    children: list[int]
    chances: list[float]
    payoffs: list[float]


class Stop:
    """A node met by a traversal, the edge drawn there, and in outcome sampling the reach probability of chance and the
    others."""

    node: int
    drawn: int
    reached: float


class Sampling:
    """The players between two iterations, with their game.

    For each sequence: ``regrets``; ``strategies`` as last computed; ``sums`` of strategies; and, on request, the
    ``averages``, plans. ``met`` are the nodes met by a traversal, in order, ``values`` those of nodes for the
    traverser, and ``odds`` the probabilities of the edges of the current node. ``draws`` counts the random numbers so
    far. ``at_work`` is 1 during an iteration, which an interrupt may leave unfinished."""

    form: Form
    tree: Tree
    regrets: list[float]
    strategies: list[float]
    sums: list[float]
    averages: list[float]
    met: list[Stop]
    values: list[float]
    odds: list[float]
    iterations: int
    at_work: int
    draws: int
    seed: int
    by_outcome: int


def iterate_samples(sampling: Sampling, count: int) -> None:
    """Make ``count`` iterations; in each, every player traverses once."""
    players: int = len(sampling.form.gains) if len(sampling.tree.sets_of) > 0 else 0
    for _ in range(count):
        sampling.at_work = 1
        sampling.iterations += 1
        for traverser in range(players):
            if sampling.by_outcome != 0:
                sample_outcome(sampling, traverser)
            else:
                sample_others(sampling, traverser)
                if players == 1:
                    sum_along(sampling)
        sampling.at_work = 0


# ------------------------------------------------------------------- nodes


def owner_of(tree: Tree, node: int) -> int:
    """The player who decides at a node; ``CHANCE`` for chance."""
    own: int = tree.sets_of[node]
    return tree.owners[own] if own >= 0 else CHANCE


def find_odds(sampling: Sampling, node: int) -> int:
    """Write the current probabilities of the edges of a node to ``odds``; their number."""
    tree = sampling.tree
    own: int = tree.sets_of[node]
    edge: int = tree.edges[node]
    count: int = tree.edges[node + 1] - edge
    if own < 0:
        for k in range(count):
            sampling.odds[k] = tree.chances[edge + k]
    else:
        first: int = tree.firsts[own]
        match(sampling.regrets, sampling.strategies, first, tree.ends[own])
        for k in range(count):
            sampling.odds[k] = sampling.strategies[first + k]
    return count


def draw_edge(sampling: Sampling, count: int) -> int:
    """Draw one of the edges of a node by their ``odds``."""
    sampling.draws += 1
    left: float = float(mix(mix(sampling.draws, sampling.seed ^ FIRST_STIR), SECOND_STIR) >> 10) * UNIT
    last: int = 0
    for k in range(count):
        if sampling.odds[k] > 0.0:
            if left < sampling.odds[k]:
                return k
            left -= sampling.odds[k]
            last = k
    return last


def value_of(sampling: Sampling, edge: int, player: int) -> float:
    """The value of an edge for a player: a payoff, or the value of its node."""
    child: int = sampling.tree.children[edge]
    if child >= 0:
        return sampling.values[child]
    return sampling.tree.payoffs[(-1 - child) * len(sampling.form.gains) + player]


# ------------------------------------------------------- external sampling


def sample_others(sampling: Sampling, traverser: int) -> None:
    """A traversal by external sampling."""
    at: int = meet_sampled(sampling, traverser)
    while at > 0:
        at -= 1
        visit = sampling.met[at]
        if owner_of(sampling.tree, visit.node) == traverser:
            sampling.values[visit.node] = compare_moves(sampling, visit.node, traverser)
        else:
            sampling.values[visit.node] = value_of(sampling, visit.drawn, traverser)


def sum_along(sampling: Sampling) -> None:
    """Sum up the strategies of an only player along a play drawn by them."""
    tree = sampling.tree
    node: int = len(tree.sets_of) - 1
    while node >= 0:
        count: int = find_odds(sampling, node)
        if tree.sets_of[node] >= 0:
            first: int = tree.firsts[tree.sets_of[node]]
            for k in range(count):
                sampling.sums[first + k] += sampling.odds[k]
        node = tree.children[tree.edges[node] + draw_edge(sampling, count)]


def meet_sampled(sampling: Sampling, traverser: int) -> int:
    """Forward: all moves of the traverser, and one drawn edge elsewhere; the number of nodes met."""
    tree = sampling.tree
    summed: int = (traverser + 1) % len(sampling.form.gains)
    sampling.met[0].node = len(tree.sets_of) - 1
    met: int = 1
    at: int = 0
    while at < met:
        visit = sampling.met[at]
        at += 1
        edge: int = tree.edges[visit.node]
        end: int = tree.edges[visit.node + 1]
        owner: int = owner_of(tree, visit.node)
        if owner != traverser:
            count: int = find_odds(sampling, visit.node)
            if owner == summed:
                first: int = tree.firsts[tree.sets_of[visit.node]]
                for k in range(count):
                    sampling.sums[first + k] += sampling.odds[k]
            edge += draw_edge(sampling, count)
            visit.drawn = edge
            end = edge + 1
        while edge < end:
            if tree.children[edge] >= 0:
                sampling.met[met].node = tree.children[edge]
                met += 1
            edge += 1
    return met


def compare_moves(sampling: Sampling, node: int, traverser: int) -> float:
    """Add to the regrets the difference between the value of each move of a node and their mean, which is returned."""
    edge: int = sampling.tree.edges[node]
    first: int = sampling.tree.firsts[sampling.tree.sets_of[node]]
    count: int = find_odds(sampling, node)
    expected: float = 0.0
    for k in range(count):
        expected += sampling.odds[k] * value_of(sampling, edge + k, traverser)
    for k in range(count):
        sampling.regrets[first + k] += value_of(sampling, edge + k, traverser) - expected
    return expected


# -------------------------------------------------------- outcome sampling


def sample_outcome(sampling: Sampling, traverser: int) -> None:
    """A traversal by outcome sampling."""
    tree = sampling.tree
    node: int = len(tree.sets_of) - 1
    edge: int = 0
    met: int = 0
    own: float = 1.0
    others: float = 1.0
    sampled: float = 1.0
    while node >= 0:
        visit = sampling.met[met]
        met += 1
        visit.node, visit.reached = node, others
        count: int = find_odds(sampling, node)
        if owner_of(tree, node) == traverser:
            first: int = tree.firsts[tree.sets_of[node]]
            explore(sampling, first, count, own / sampled)
            visit.drawn = draw_edge(sampling, count)
            own = own * sampling.strategies[first + visit.drawn]
        else:
            visit.drawn = draw_edge(sampling, count)
            others = others * sampling.odds[visit.drawn]
        sampled = sampled * sampling.odds[visit.drawn]
        edge = tree.edges[node] + visit.drawn
        node = tree.children[edge]
    regret_outcome(sampling, traverser, met, value_of(sampling, edge, traverser) / sampled)


def explore(sampling: Sampling, first: int, count: int, weight: float) -> None:
    """Sum up the traverser's strategy in a set whose sequences begin with ``first``, and mix exploration into
    ``odds``."""
    even: float = EXPLORATION / float(count)
    for k in range(count):
        sampling.sums[first + k] += weight * sampling.odds[k]
        sampling.odds[k] = even + (1.0 - EXPLORATION) * sampling.odds[k]


def regret_outcome(sampling: Sampling, traverser: int, met: int, payoff: float) -> None:
    """Backward: the regrets, from a payoff divided by the probability of the play."""
    behind: float = 1.0
    at: int = met
    while at > 0:
        at -= 1
        visit = sampling.met[at]
        count: int = find_odds(sampling, visit.node)
        if owner_of(sampling.tree, visit.node) == traverser:
            first: int = sampling.tree.firsts[sampling.tree.sets_of[visit.node]]
            brings: float = payoff * visit.reached * behind
            expected: float = brings * sampling.odds[visit.drawn]
            for k in range(count):
                sampling.regrets[first + k] += (brings if k == visit.drawn else 0.0) - expected
        behind = behind * sampling.odds[visit.drawn]


# ---------------------------------------------------------------- averages


def plan_averages(sampling: Sampling) -> None:
    """The plans of the summed strategies; ``strategies`` are used on the way."""
    form = sampling.form
    for p in range(len(form.gains)):
        sampling.averages[form.bases[p]] = 1.0
        for i in range(form.sets[p], form.sets[p + 1]):
            match(sampling.sums, sampling.strategies, form.firsts[i], form.ends[i])
        follow(form, sampling.strategies, sampling.averages, p)
