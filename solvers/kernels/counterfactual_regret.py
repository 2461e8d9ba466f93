"""The values of sequences against given plans, and best responses to these, in floating point.

For *sequences* and *plans*, and the source, see :mod:`zermelo.solvers.forms.extensive_form`. The value of a sequence at
the leaves where it ends is the sum of their payoffs times chance's probability times the weights of all others'
sequences there. Bottom-up, the value of each information set is computed from its moves and added to the sequence that
leads there; the empty sequence has the value of the game. A *best response* takes the best move everywhere.

What is alike is computed side by side, in ``lanes``: information sets of a player with the same number of moves make a
*family*, and their sequences by the same move a *row*. Best are the sets that differ only in what the player holds: the
rows of such a family end at leaves with the same sequences of the others, and their payoffs are a small matrix
(:mod:`zermelo.solvers.imperfect_information.lanes` finds them).

Sums are taken in the order of columns, rows and families, so every executor gives the same bits.

Cost: one operation for each column of a row and for each row of a player, and the leaves of the other sequences.
"""

from __future__ import annotations

from zermelo.interpreter.native.dialect.words import (
    CHANCE,
    LANES,
    half,
    lanes,
    lanes_at,
    mix,
    put_lanes,
    rows_of,
    sqrt,
    where,
)
from zermelo.solvers.kernels.regret_matching import match

OTHERS: int
"""The number of players less one."""


class Form:
    """A game in sequence form. The rows of all players are numbered consecutively, player by player, as are their
    families; a sequence has the number of its row times ``LANES`` plus that of its lane. Many a lane is empty: nothing
    is gained there, and what is computed there is never used.

    Player p has the rows ``bases[p]`` to ``bases[p + 1]`` (exclusive), in the first of which lane 0 is the empty
    sequence, and the families ``families[p]`` to ``families[p + 1]``. Family f has the rows ``firsts[f]`` to
    ``ends[f]``, one for each move, and families after it have greater numbers. Its set in lane k follows lane k of row
    ``parents[f]``, or if that is negative, the sequence ``leads[-1 - parents[f] + k]``.

    Row r has the *columns* ``columns[r]`` to ``columns[r + 1]``: the sequence there of each other player in turn
    (``others``). With each goes a row of ``payoffs``, from row ``matrices[r]`` on: the player's payoffs there times
    chance's probability, by lanes. Rows with equal ones share them. Sequences whose rows have no columns, since they
    have little in common, are the ``singles``, from ``bounds[p]`` to ``bounds[p + 1]``. Single j ends at the leaves
    ``spans[j]`` to ``spans[j + 1]``, with ``single_others`` and ``single_payoffs``.

    ``values`` are those of sequences, during the computation, ``gains`` those of best responses, and ``spare`` is one
    row. ``places[s]`` is the number here of a sequence that has the number s if there are no lanes."""

    bases: list[int]
    families: list[int]
    parents: list[half]
    leads: list[half]
    firsts: list[half]
    ends: list[half]
    columns: list[half]
    others: list[half]
    matrices: list[half]
    payoffs: list[float]
    bounds: list[int]
    singles: list[half]
    spans: list[half]
    single_others: list[half]
    single_payoffs: list[float]
    values: list[float]
    gains: list[float]
    spare: list[float]
    places: list[half]


def evaluate(form: Form, plans: list[float], player: int) -> None:
    """Write the value of each sequence of a player at leaves, against the plans of the others, to ``form.values``."""
    columns = form.columns
    others = form.others
    matrices = form.matrices
    payoffs = form.payoffs
    values = form.values
    last: int = form.bases[player + 1]
    if last >= len(columns) or last > len(matrices) or last > rows_of(values):
        return  # never
    for r in range(max(form.bases[player], 0), last):
        start: int = max(columns[r], 0)
        matrix: int = max(matrices[r], 0)
        count: int = min(columns[r + 1] - start, rows_of(payoffs) - matrix)
        if OTHERS != 0:
            count = min(count, len(others) // OTHERS - start)
        total: lanes = lanes(0.0)
        for column in range(count):
            reached: float = 1.0
            for q in range((start + column) * OTHERS, (start + column) * OTHERS + OTHERS):
                reached = reached * plans[others[q]]
            total = total + lanes_at(payoffs, matrix + column) * lanes(reached)
        put_lanes(values, r, total)
    for j in range(form.bounds[player], form.bounds[player + 1]):
        value: float = 0.0
        for leaf in range(form.spans[j], form.spans[j + 1]):
            pays: float = form.single_payoffs[leaf]
            for q in range(leaf * OTHERS, leaf * OTHERS + OTHERS):
                pays = pays * plans[form.single_others[q]]
            value += pays
        form.values[form.singles[j]] = value


def add_to_parents(form: Form, family: int, expected: lanes) -> None:
    """Add the values of the sets of a family to those of the sequences that lead there."""
    parent: int = form.parents[family]
    if parent >= 0:
        put_lanes(form.values, parent, lanes_at(form.values, parent) + expected)
    else:
        add_to_leads(form, -1 - parent, expected)


def add_to_leads(form: Form, first: int, expected: lanes) -> None:
    """Add the values of sets to those of ``leads``, from one on."""
    put_lanes(form.spare, 0, expected)
    for k in range(LANES):
        form.values[form.leads[first + k]] += form.spare[k]


def respond(form: Form, plans: list[float]) -> None:
    """Write each player's gain by a best response to the plans to ``form.gains``."""
    for p in range(len(form.gains)):
        root: int = form.bases[p] * LANES
        evaluate(form, plans, p)
        expected: float = 0.0
        for s in range(root, form.bases[p + 1] * LANES):
            expected += plans[s] * form.values[s]
        f: int = form.families[p + 1]
        while f > form.families[p]:
            f -= 1
            best: lanes = lanes_at(form.values, form.firsts[f])
            for r in range(form.firsts[f] + 1, form.ends[f]):
                other: lanes = lanes_at(form.values, r)
                best = where(other - best, other, best)
            add_to_parents(form, f, best)
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
# Cost: an iteration visits every column once and every row of each player three times. Functions say before a loop that
# its rows are within their lists, which they always are: so machine code need not look at every row. The order of
# floating-point operations is fixed, so all executors give the same bits.


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
        players.plans[form.bases[p] * LANES] = 1.0
        for f in range(form.families[p], form.families[p + 1]):
            for r in range(form.firsts[f], form.ends[f]):
                put_lanes(players.strategies, r, lanes(1.0 / float(form.ends[f] - form.firsts[f])))
        follow(players, p, 0.0)


def iterate(players: Players, count: int) -> None:
    """Make ``count`` iterations; in each, every player updates once."""
    for _ in range(count):
        players.at_work = 1
        players.iterations += 1
        for p in range(len(players.form.gains)):
            evaluate(players.form, players.plans, p)
            update(players, p)
            follow(players, p, power(players.iterations, players.average))
        players.at_work = 0


def update(players: Players, player: int) -> None:
    """Update a player's strategy by their regrets: regret matching. ``values`` begin with those of their sequences at
    leaves; those of a family's moves are complete when it is processed. Where no move leans above 0 all are alike."""
    form = players.form
    values = form.values
    regrets = players.regrets
    strategies = players.strategies
    if rows_of(regrets) != rows_of(values) or rows_of(strategies) != rows_of(values):
        return  # never
    none: lanes = lanes(0.0)
    one: lanes = lanes(1.0)
    if_positive: lanes = lanes(share_kept(players.iterations, players.positive))
    if_negative: lanes = lanes(share_kept(players.iterations, players.negative))
    f: int = form.families[player + 1]
    while f > form.families[player]:
        f -= 1
        first: int = max(form.firsts[f], 0)
        end: int = min(form.ends[f], rows_of(values))
        expected: lanes = none
        for r in range(first, end):
            expected = expected + lanes_at(strategies, r) * lanes_at(values, r)
        add_to_parents(form, f, expected)
        if end - first > 1:  # else there is nothing to choose, and nothing to regret
            whole: lanes = none
            for r in range(first, end):
                regret: lanes = lanes_at(values, r) - expected
                total: lanes = lanes_at(regrets, r) + regret
                kept: lanes = total * where(total, if_positive, if_negative)
                put_lanes(regrets, r, kept)
                leaning: lanes = kept + regret if players.predicts != 0 else kept
                weight: lanes = where(leaning, leaning, none)
                put_lanes(strategies, r, weight)
                whole = whole + weight
            divisor: lanes = where(whole, whole, lanes(float(end - first)))
            for r in range(first, end):
                put_lanes(strategies, r, where(whole, lanes_at(strategies, r), one) / divisor)


def follow(players: Players, player: int, weight: float) -> None:
    """Add a player's plan of this iteration, times a weight, to the sums of the average, and then make the plan of the
    strategy."""
    form = players.form
    parents = form.parents
    firsts = form.firsts
    ends = form.ends
    plans = players.plans
    sums = players.sums
    strategies = players.strategies
    spare = form.spare
    last: int = form.families[player + 1]
    if last > len(parents) or last > len(firsts) or last > len(ends):
        return  # never
    if rows_of(sums) != rows_of(plans) or rows_of(strategies) != rows_of(plans):
        return  # never
    times: lanes = lanes(weight)
    root: int = form.bases[player]
    put_lanes(sums, root, lanes_at(sums, root) + times * lanes_at(plans, root))
    for f in range(max(form.families[player], 0), last):
        parent: int = parents[f]
        if parent < 0:
            for k in range(LANES):
                spare[k] = plans[form.leads[k - 1 - parent]]
        reached: lanes = lanes_at(plans, parent) if parent >= 0 else lanes_at(spare, 0)
        for r in range(max(firsts[f], 0), min(ends[f], rows_of(plans))):
            before: lanes = lanes_at(plans, r)
            now: lanes = reached * lanes_at(strategies, r)
            put_lanes(sums, r, lanes_at(sums, r) + times * before)
            put_lanes(plans, r, now)


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
        whole: float = players.sums[form.bases[p] * LANES]
        divisor: lanes = lanes(whole if whole > 0.0 else 1.0)
        for r in range(form.bases[p], form.bases[p + 1]):
            put_lanes(players.averages, r, lanes_at(players.sums, r) / divisor)


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


class Sequences:
    """The sequences of all players, numbered consecutively, player by player, as are their information sets.

    Player p has the sequences ``bases[p]`` to ``bases[p + 1]`` (exclusive), the first of which is the empty one, and
    the sets ``sets[p]`` to ``sets[p + 1]``. Set i follows sequence ``parents[i]``, and has the sequences ``firsts[i]``
    to ``ends[i]``, one for each move; sets after a set have greater numbers."""

    bases: list[int]
    sets: list[int]
    parents: list[int]
    firsts: list[int]
    ends: list[int]


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
    ``averages``, plans with the numbers of ``form``. ``met`` are the nodes met by a traversal, in order, ``values``
    those of nodes for the traverser, and ``odds`` the probabilities of the edges of the current node. ``draws`` counts
    the random numbers so far. ``at_work`` is 1 during an iteration, which an interrupt may leave unfinished."""

    form: Form
    own: Sequences
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
    own = sampling.own
    averages = sampling.averages
    places = sampling.form.places
    for p in range(len(own.bases) - 1):
        averages[places[own.bases[p]]] = 1.0
        for i in range(own.sets[p], own.sets[p + 1]):
            match(sampling.sums, sampling.strategies, own.firsts[i], own.ends[i])
            reached: float = averages[places[own.parents[i]]]
            for s in range(own.firsts[i], own.ends[i]):
                averages[places[s]] = reached * sampling.strategies[s]
