"""Monte Carlo counterfactual regret minimization: regrets from samples instead of the whole tree.

As counterfactual regret minimization (:mod:`.counterfactual_regret`), but an iteration visits a random part of the tree
only, which gives unbiased estimates of all regrets. So an iteration is cheap, and more of them are needed. The player
whose regrets are updated, each in turn, is the *traverser*.

*External sampling* draws the moves of chance and the other players, and follows all moves of the traverser. A regret is
then a difference of sampled values. The strategies of the next player are summed up where their sets are met; those of
an only player, along a play drawn by them.

*Outcome sampling* draws one play. The traverser explores: with probability 0.6 their move is uniform. The payoff is
divided by the probability of drawing this play. The traverser's strategies are summed up, weighted by their own reach
probability over the probability of the sample.

A traversal is two passes over the nodes that it meets: forward, to draw, and backward, for values and regrets. It meets
no node twice, since all paths to a merged node have the same moves of the traverser.

Source: Lanctot, Waugh, Zinkevich and Bowling, "Monte Carlo sampling for regret minimization in extensive games" (2009).
In a game of two players and constant sum the averages converge to an equilibrium, with an error proportional to the
inverse square root of the number of iterations, with high probability.
"""

from __future__ import annotations

from zermelo.interpreter.native.dialect.words import CHANCE, mix
from zermelo.solvers.kernels.counterfactual_regret import follow
from zermelo.solvers.kernels.regret_matching import match
from zermelo.solvers.kernels.sequence_values import Form

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
