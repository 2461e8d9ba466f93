"""Interval iteration: certified bounds on what positions are worth, in floating point, component by component.

A component is a strongly connected component of the graph of positions, and those behind it are solved before. Each
is solved twice, for an upper bound and, in the negative of the game, for a lower one (:class:`Side`). The bounds are
proved by the lemma of :mod:`.upper_bounds`; all else here only looks for numbers that pass its check, and never
decides by how little an iteration still changes (which proves nothing: Haddad and Monmege 2018).

**Alone.** A position that is in no circle gets the least bound that can be proved from those behind it.

**In a circle.** The operator of the lemma is made a little larger: every step adds ``slack``, some roundings of the
largest value around, and chance twice its doubt. A fixed point of that has room to spare: it is approached by sweeps
over the component, each position in turn (Gauss and Seidel), in postorder: after those to which it leads, unless that
closes a circle. Sweeps that change less and less by the same factor are foreseen, and the iteration leaps to where
they lead. As soon as a sweep changes nothing by more than a quarter of the slack, all conditions hold with half the
slack left, and are checked (optimistic value iteration: Hartmanns and Kaminski 2020). So the bound is above the value
by about the slack times the number of steps that a play spends in the component, if the free players make the most of
both. The other side begins with what the first has found.

**Hope.** Where plays can stay for ever the operator has many fixed points, and the slack would add up without end. But
mostly nobody wants to stay. So if nothing is earned, some sweeps are made as if nobody could, from ``endless``
everywhere. If they come to an end, 1 and 2 of the lemma hold with room to spare, and are checked strictly; then no more
is needed. The bounds may still be those of another fixed point, where staying would be better for ours: this is seen by
how far the two sides are apart. If hope fails in any way, the component is begun again without it.

**End components.** Without hope ours first choose an edge everywhere (*guessing*): by value iteration in a game that
ends with a small probability at each step and then pays ``endless``, smaller and smaller; the second side begins with
the bounds of the first. What is left then has its own end components. In each of them the free players can go anywhere
without earning anything, so all its positions are worth the same: the most of ``endless`` and the edges that leave it.
They are treated as one (*collapsed*; Quatmann and Katoen, "Sound value iteration", 2018), and then there is no circle
without a way out: with the edges of ours, the fixed point is unique. A bad guess costs width, not truth.

**If sweeps do not suffice** (``patience`` many), the slack is enlarged, some times. From the bounds found so the
iteration *descends*: sweeps that only lower values keep all conditions. Where nothing is earned, what all positions
are worth at most is a bound to begin with, whatever has been found. So the bounds are as good as the sweeps allow.
What has none then is left to exact solvers (``UNPROVED``).

**Copies.** The positions of a component are scattered over the graph, and a sweep waits for memory at each of them.
So a small component is copied, with the bounds behind it, into arrays that fit into a processor's cache, in the order
of sweeps. There both bounds are tried at once (:mod:`.paired_bounds`), if nothing is earned or discounted; else, or if
that proves nothing, everything is done by the same functions. Then the bounds are copied back.

Cost: a sweep visits every edge of the component. The number of sweeps is about that of steps of a play in the
component, times the logarithm of the precision; alone, an edge is visited three times for each side.

The iteration is suspended after a number of edges and goes on where it was (:func:`go_on`). Nothing depends on when.
"""

from __future__ import annotations

from zermelo.interpreter.native.dialect.words import half, prefetch
from zermelo.solvers.kernels.paired_bounds import NARROW, Pair, bound_both
from zermelo.solvers.kernels.upper_bounds import (
    EPSILON,
    PAYS,
    TINY,
    Drift,
    Graph,
    Side,
    drift,
    holds,
    is_boundless,
    is_discounted,
    is_finite,
    is_free,
    is_plain,
    least_edge,
    magnitude,
    most,
)

# End components: the parts of a graph in which a play may stay for ever.
#
# An *end component* is a set of positions, with edges that stay in it, such that from every position of it every other
# can be reached by these edges, every outcome of chance stays, and wherever somebody decides there is an edge that
# stays. Almost every play without end stays in one from some time on, and takes each of its edges again and again (de
# Alfaro, "Formal verification of probabilistic systems", 1997). Edges with a discount below 1 are taken to leave, since
# a part of the play ends with each.
#
# The maximal ones are found among the positions of a strongly connected component, of the whole graph or of what is
# left of it if ours choose one edge each:
#
# 1. remove positions with an outcome of chance that leaves, or without an edge that stays, until there are none
#    (:func:`prune`, one pass; forwards and backwards in turn, so that a chain needs two);
# 2. divide what is left into its strongly connected components (:func:`divide`; Tarjan 1972), and begin again if that
#    changes anything.
#
# Every position has a *label*, the same for all positions of a part and 0 for those removed: the number of one of the
# part, plus 1. So labels of different components of the graph never agree.
#
# Cost: a pass visits every edge. Mostly the first passes remove everything.


class Ends:
    """The labels, and what Tarjan's algorithm remembers of each position, all 0 between two calls: the place in the
    order of visits, the least place known to be reached, the next edge, and the label to come. ``path`` are the
    positions being visited, and ``waiting`` those not yet in a component, ``depth`` and ``count`` many.

    ``chosen`` is 1 if ours take the edges ``choices``, and 0 if they are as free as the others."""

    labels: list[half]
    choices: list[half]
    places: list[half]
    lows: list[half]
    edges: list[half]
    fresh: list[half]
    path: list[half]
    waiting: list[half]
    depth: int
    count: int
    visits: int
    chosen: int


def stays(graph: Graph, side: Side, ends: Ends, position: int, edge: int) -> int:
    """Whether an edge may be taken, and leads to the same part."""
    target: int = graph.targets[edge]
    if ends.labels[target] != ends.labels[position] or is_discounted(graph, position, target) != 0:
        return 0
    if ends.chosen == 0 or graph.kinds[position] < 0 or is_free(graph, side, position) != 0:
        return 1
    return edge == ends.choices[position]


def prune(graph: Graph, side: Side, ends: Ends, position: int) -> int:
    """Remove a position if it cannot stay; whether it has been removed."""
    if ends.labels[position] == 0:
        return 0
    kept: int = 0
    count: int = graph.firsts[position + 1] - graph.firsts[position]
    for edge in range(graph.firsts[position], graph.firsts[position + 1]):
        kept += stays(graph, side, ends, position, edge)
    if kept > 0 and (kept == count or graph.kinds[position] >= 0):
        return 0
    ends.labels[position] = 0
    return 1


def earns(graph: Graph, side: Side, ends: Ends, position: int) -> int:
    """Whether a position has an edge that stays and earns something."""
    if graph.earns == 0 or ends.labels[position] == 0:
        return 0
    for edge in range(graph.firsts[position], graph.firsts[position + 1]):
        if graph.earning[graph.rewards[edge]] != 0 and stays(graph, side, ends, position, edge) != 0:
            return 1
    return 0


def divide(graph: Graph, side: Side, ends: Ends, root: int) -> None:
    """Write to ``fresh`` the new labels of all positions that are reached from ``root`` and have none yet."""
    ends.depth = 0
    ends.count = 0
    visit(graph, ends, root)
    while ends.depth > 0:
        position: int = ends.path[ends.depth - 1]
        if ends.edges[position] == graph.firsts[position + 1]:
            depart(ends, position)
            continue
        edge: int = ends.edges[position]
        ends.edges[position] = edge + 1
        target: int = graph.targets[edge]
        if stays(graph, side, ends, position, edge) == 0 or ends.fresh[target] != 0:
            continue
        if ends.places[target] == 0:
            visit(graph, ends, target)
        else:
            ends.lows[position] = min(ends.lows[position], ends.places[target])


def visit(graph: Graph, ends: Ends, position: int) -> None:
    """Begin the visit of a position."""
    ends.visits += 1
    ends.places[position] = ends.visits
    ends.lows[position] = ends.visits
    ends.edges[position] = graph.firsts[position]
    ends.path[ends.depth] = position
    ends.depth += 1
    ends.waiting[ends.count] = position
    ends.count += 1


def depart(ends: Ends, position: int) -> None:
    """End the visit of a position; if no earlier one is reached from it, those that wait since are a component."""
    ends.depth -= 1
    if ends.lows[position] == ends.places[position]:
        last: int = -1
        while last != position:
            ends.count -= 1
            last = ends.waiting[ends.count]
            ends.fresh[last] = position + 1
    if ends.depth > 0:
        above: int = ends.path[ends.depth - 1]
        ends.lows[above] = min(ends.lows[above], ends.lows[position])


def relabel(ends: Ends, position: int) -> int:
    """Give a position its new label, and forget the visit; whether it is another label."""
    changed: int = ends.fresh[position] != ends.labels[position]
    ends.labels[position] = ends.fresh[position]
    ends.fresh[position] = 0
    ends.places[position] = 0
    return changed


# The state of interval iteration, and what its stages share.


BEGIN = 0
PRUNE = 1
DIVIDE = 2
GUESS = 3
CLIMB = 4
CHECK = 5
DONE = 6
UNPROVED = 7
EARNS_FOR_EVER = 8
"""What is done next, or why nothing is."""


class Work:
    """The state of the iteration. The positions of component c are ``order[starts[c]]`` to ``order[starts[c + 1]]``
    (exclusive), those behind come before; there are ``count``, and ``component`` is the one at work, in ``stage``.
    ``is_lower`` is 1 while its lower bounds are looked for, ``circles`` is 1 if a play may stay in it for ever, and
    ``hopes`` is 1 as long as one hopes that nobody wants to. ``is_copied`` is 1 while a copy of it is at work.
    ``sweeps`` have been made in this stage; a pass visits ``size`` positions and edges. ``staged`` are the values that
    end components will have after the sweep, ``before`` those of all positions before it or before a leap, ``change``
    is by how much the last sweep has changed the most (0 if there is none), ``share`` by how many times what the one
    before did, and ``scale`` is the largest number around, ``steady`` before a leap. ``pair`` is for copies.

    In most games plays cannot stay. So ``staged`` and the lists of ``ends``, apart from labels and choices, may be
    empty until end components are to be divided."""

    graph: Graph
    upper: Side
    lower: Side
    ends: Ends
    drift: Drift
    pair: Pair
    order: list[half]
    starts: list[half]
    count: int
    staged: list[float]
    before: list[float]
    component: int
    stage: int
    is_lower: int
    circles: int
    hopes: int
    is_copied: int
    descends: int
    leapt: int
    sweeps: int
    size: int
    tries: int
    patience: int
    change: float
    share: float
    scale: float
    steady: float
    slack: float
    killing: float


def turn_to(work: Work, stage: int) -> None:
    """Begin with a stage."""
    work.stage = stage
    work.sweeps = 0
    work.leapt = 0
    work.change = 0.0
    work.share = 1.0


def see(work: Work, number: float) -> None:
    """Make the scale at least the absolute value of a number, if it is finite."""
    size: float = magnitude(number)
    work.scale = size if size > work.scale and is_finite(size) != 0 else work.scale


def fill(work: Work, side: Side, value: float, first: int, end: int) -> None:
    """Give all positions the same value."""
    for i in range(first, end):
        side.values[work.order[i]] = value


def improved(work: Work, side: Side, position: int) -> float:
    """What the edges say that a position is worth, with the doubt of chance, and as much again for the next sum."""
    graph = work.graph
    if graph.kinds[position] < 0:
        found = work.drift
        drift(graph, side, position, found)
        if found.weight == 0.0 or is_boundless(side.values[position]) != 0:
            return side.values[position]
        return side.values[position] + (found.sum + 2.0 * found.doubt) * (1.0 / found.weight)
    if is_free(graph, side, position) != 0:
        return largest(graph, side, position)
    if work.ends.chosen != 0:
        return most(graph, side, position, work.ends.choices[position])
    return most(graph, side, position, least_edge(graph, side, position))


def largest(graph: Graph, side: Side, position: int) -> float:
    """The most that the edges of a position are worth."""
    best: float = most(graph, side, position, graph.firsts[position])
    for edge in range(graph.firsts[position] + 1, graph.firsts[position + 1]):
        best = max(best, most(graph, side, position, edge))
    return best


def choose(work: Work, side: Side, position: int) -> None:
    """Let ours choose what is best by the values."""
    if work.graph.kinds[position] >= 0 and is_free(work.graph, side, position) == 0:
        work.ends.choices[position] = least_edge(work.graph, side, position)


# Leaps of interval iteration: where sweeps lead that change less and less by the same factor (Aitken 1926).
#
# If each sweep changes everything by the share q of what the one before did, all further sweeps together change it by
# q / (1 - q) times what the last one did. That is so in the end if the policies no longer change: q is then the largest
# eigenvalue of the iteration. Where the circles of a component close at one position only, and sweeps go in postorder,
# there is no other one, and a leap ends the iteration.
#
# So whenever two sweeps have had the same share, by the largest changes, the iteration leaps. If the next sweep then
# changes more than the last one did, that was wrong, and is taken back. A leap proves nothing, and need not.


STEADY = 2.0**-6
"""Shares are the same if they differ by no more than so many times what is missing to 1."""

STRIDE = 32
"""After so many sweeps the iteration leaps in any case."""

FARTHEST = 2.0**20
"""How many times the last change a leap goes, at most."""


def keep_value(work: Work, side: Side, position: int) -> None:
    """Before a sweep gives a position another value."""
    if work.leapt == 0:
        work.before[position] = side.values[position]


def foresee(work: Work, side: Side, first: int, end: int, change: float) -> float:
    """After a sweep that has changed values by no more than ``change``: leap, or take back a leap; by how much the last
    sweep has changed them that counts."""
    if work.leapt != 0:
        work.leapt = 0
        work.share = 1.0
        if change > work.change:
            work.scale = work.steady
            for i in range(first, end):
                side.values[work.order[i]] = work.before[work.order[i]]
        else:
            work.change = change
        return work.change
    share: float = change / work.change if change < work.change else 1.0
    is_steady: int = magnitude(share - work.share) <= STEADY * (1.0 - share)
    work.share = share
    if share < 1.0 and (is_steady != 0 or work.sweeps % STRIDE == 0):
        leap(work, side, first, end)
    work.change = change
    return change


def leap(work: Work, side: Side, first: int, end: int) -> None:
    """Go where the sweeps would lead."""
    times: float = min(work.share / (1.0 - work.share), FARTHEST)
    for i in range(first, end):
        position: int = work.order[i]
        value: float = side.values[position]
        if is_finite(value) != 0:
            side.values[position] = value + times * (value - work.before[position])
        work.before[position] = value
    work.leapt = 1
    work.steady = work.scale


# Interval iteration where plays may stay for ever: the end components of a component, and the choices of ours.
#
# First the end components of all players together are found,
# which tells whether a play can stay at all; then, for each side, choices of ours, and the end components that these
# leave.


FIRST_KILLING = 2.0**-10
LAST_KILLING = 2.0**-24
"""The probabilities with which a step ends the game while ours guess."""

CALM = 2.0**-6
"""A guess stands when a sweep changes less than this share of what killing does."""


def prune_all(work: Work, side: Side, first: int, end: int) -> None:
    """Remove positions that cannot stay."""
    removed: int = 0
    left: int = 0
    for i in range(first, end):
        position: int = work.order[i if work.sweeps % 2 != 0 else first + end - 1 - i]
        removed += prune(work.graph, side, work.ends, position)
        left += work.ends.labels[position] != 0
    work.sweeps += 1
    if left == 0:
        find(work, side, first, end)
    elif removed == 0 and work.hopes == 0:
        turn_to(work, DIVIDE)
    elif removed == 0:
        work.circles = 1
        approach(work, side, first, end)


def divide_all(work: Work, side: Side, first: int, end: int) -> None:
    """Divide what is left into its strongly connected components."""
    ends = work.ends
    for i in range(first, end):
        if ends.labels[work.order[i]] != 0 and ends.fresh[work.order[i]] == 0:
            divide(work.graph, side, ends, work.order[i])
    changed: int = 0
    for i in range(first, end):
        if ends.labels[work.order[i]] != 0:
            changed += relabel(ends, work.order[i])
    ends.visits = 0
    if changed != 0:
        turn_to(work, PRUNE)
    else:
        find(work, side, first, end)


def find(work: Work, side: Side, first: int, end: int) -> None:
    """Go on when the end components are known: of all players together, or those left by the choices of ours."""
    left: int = 0
    earning: int = 0
    for i in range(first, end):
        left += work.ends.labels[work.order[i]] != 0
        earning += earns(work.graph, side, work.ends, work.order[i])
    if earning != 0:
        work.stage = EARNS_FOR_EVER
    elif work.ends.chosen == 0:
        work.circles = left != 0
        work.hopes = 0
        approach(work, side, first, end)
    else:
        turn_to(work, CLIMB)


def approach(work: Work, side: Side, first: int, end: int) -> None:
    """Begin to look for bounds of a side."""
    work.tries = 0
    work.descends = 0
    middle: float = (work.upper.top - work.lower.top) / 2.0
    is_feared: int = work.circles != 0 and (work.hopes == 0 or is_finite(side.endless) != 0)
    start: float = side.feared if is_feared != 0 else middle if is_finite(middle) != 0 else 0.0
    for i in range(first, end):
        bound: float = work.upper.values[work.order[i]]
        side.values[work.order[i]] = -bound if work.is_lower != 0 and is_finite(bound) != 0 else start
    if work.circles != 0:
        see(work, side.endless)
    if work.hopes != 0:
        mark(work, first, end, 0)
    if work.circles != 0 and work.hopes == 0:
        work.killing = FIRST_KILLING if work.is_lower == 0 else LAST_KILLING
        turn_to(work, GUESS)
    else:
        turn_to(work, CLIMB)
    work.slack = 8.0 * EPSILON * work.scale


def guess(work: Work, side: Side, first: int, end: int) -> None:
    """A sweep in the game that ends at each step with the probability ``killing``; when nothing changes much any more,
    a smaller one, and at last the choices."""
    change: float = 0.0
    for i in range(first, end):
        position: int = work.order[first + end - 1 - i]
        before: float = side.values[position]
        keep_value(work, side, position)
        value: float = (1.0 - work.killing) * improved(work, side, position) + work.killing * side.feared
        side.values[position] = value
        moved: float = magnitude(value - before)  # undefined between infinite values, and then not larger
        change = max(change, moved)
    work.sweeps += 1
    enough: float = work.killing * work.scale * CALM
    if change > enough:
        change = foresee(work, side, first, end, change)
    if change > enough and work.sweeps < work.patience:
        return
    work.killing = work.killing / 16384.0
    turn_to(work, GUESS)
    if work.killing < LAST_KILLING:
        mark(work, first, end, work.order[first] + 1)
        for i in range(first, end):
            choose(work, side, work.order[i])
        work.ends.chosen = 1
        turn_to(work, PRUNE)


def mark(work: Work, first: int, end: int, label: int) -> None:
    """Give all positions of a component the same label."""
    for i in range(first, end):
        work.ends.labels[work.order[i]] = label


# Hope: what it takes.


PASSING = 64
"""The most sweeps of a hope."""


def are_near(work: Work, first: int, end: int) -> int:
    """Whether the bounds of a component are not much further apart than those behind it."""
    graph = work.graph
    labels = work.ends.labels
    mark(work, first, end, work.order[first] + 1)
    behind: float = 0.0
    inside: float = 0.0
    for i in range(first, end):
        position: int = work.order[i]
        width: float = work.upper.values[position] + work.lower.values[position]
        if not width <= inside:  # or undefined, and then it remains so
            inside = width
        for edge in range(graph.firsts[position], graph.firsts[position + 1]):
            target: int = graph.targets[edge]
            width = work.upper.values[target] + work.lower.values[target]
            behind = width if labels[target] != labels[position] and width > behind else behind
    return inside <= behind + NARROW * work.scale


TRIES = 6
"""How often the slack is enlarged."""


def go_on(work: Work, copy: Work, budget: int) -> int:
    """Go on until about ``budget`` edges and positions have been visited, or there is no room to go on; the stage
    reached."""
    left: int = budget
    while left > 0 and work.stage < DONE and lacks_room(work) == 0:
        first: int = work.starts[work.component]
        end: int = work.starts[work.component + 1]
        if work.is_copied != 0:
            advance(copy, 0, end - first)
            if copy.stage >= DONE:
                copy_back(work, copy, first, end)
        elif work.stage == BEGIN:
            open_component(work, copy, first, end)
        else:
            advance(work, first, end)
        left -= work.size
    return work.stage


def lacks_room(work: Work) -> int:
    """Whether end components are to be found, and the lists for that are still empty."""
    return work.stage == DIVIDE and len(work.staged) == 0


def advance(work: Work, first: int, end: int) -> None:
    """One pass over the component, for the side at work."""
    if work.is_lower != 0:
        step(work, work.lower, first, end)
    else:
        step(work, work.upper, first, end)


def step(work: Work, side: Side, first: int, end: int) -> None:
    """One pass over the component."""
    if work.stage == PRUNE:
        prune_all(work, side, first, end)
    elif work.stage == DIVIDE:
        divide_all(work, side, first, end)
    elif work.stage == GUESS:
        guess(work, side, first, end)
    elif work.stage == CLIMB:
        climb(work, side, first, end)
    else:
        check(work, side, first, end)


# ------------------------------------------------------------------- alone


def open_component(work: Work, copy: Work, first: int, end: int) -> None:
    """Begin with a component, or a copy of it; with a position alone, end with it."""
    graph = work.graph
    position: int = work.order[first]
    work.size = end - first
    for i in range(first, end):
        work.size += graph.firsts[work.order[i] + 1] - graph.firsts[work.order[i]]
    if end - first == 1 and leads_to_itself(graph, position) == 0:
        settle_alone(work, work.upper, position)
        settle_alone(work, work.lower, position)
        finish(work, first, end)
    elif work.size <= len(copy.order):
        copy_component(work, copy, first, end)
        copy.size = work.size
        copy.component = 0
        work.is_copied = 1
        begin_copy(work, copy, first, end)
    else:
        begin_circle(work, graph.earns == 0, first, end)


def begin_copy(work: Work, copy: Work, first: int, end: int) -> None:
    """Begin with the copy of a component: with both bounds at once and, if that proves nothing, one after the other."""
    sweeps: int = 0
    if is_plain(copy.graph) != 0:
        sweeps = bound_both(copy.pair, copy.graph, copy.upper, copy.lower, copy.ends.choices)
        work.size += sweeps * copy.size  # which have been visited now
    if sweeps > 0:
        copy.stage = DONE
        copy_back(work, copy, first, end)
    else:
        begin_circle(copy, work.graph.earns == 0, 0, end - first)


def begin_circle(work: Work, hopes: int, first: int, end: int) -> None:
    """Begin with a component in which plays go round. Where they may earn something, there is no hope, since it is to
    be known whether they may do so for ever."""
    mark(work, first, end, work.order[first] + 1)
    work.scale = 0.0
    survey(work, work.upper, first, end)
    survey(work, work.lower, first, end)
    work.hopes = hopes
    work.circles = 0
    work.ends.chosen = 0
    work.is_lower = 0
    turn_to(work, PRUNE)


def copy_component(work: Work, copy: Work, first: int, end: int) -> None:
    """Copy a component. Its positions come in their order, and after them, for each edge that leaves it, the position
    behind."""
    labels = work.ends.labels
    positions: int = end - first
    for i in range(first, end):
        labels[work.order[i]] = i - first + 1
    expect_edges(work, first, end)
    edges: int = 0
    for i in range(first, end):
        position: int = work.order[i]
        copy.graph.firsts[i - first] = edges
        copy.graph.kinds[i - first] = work.graph.kinds[position]
        for edge in range(work.graph.firsts[position], work.graph.firsts[position + 1]):
            copy_edge(work, copy, edge, edges, positions)
            positions += labels[work.graph.targets[edge]] == 0
            edges += 1
    copy.graph.firsts[end - first] = edges
    copy.pair.count = end - first
    copy.pair.end = positions
    mark(work, first, end, 0)


def expect_edges(work: Work, first: int, end: int) -> None:
    """Bring what a copy will read into the cache: where edges of positions lie, and then where they lead. It fits
    there, and so all waits for memory at once, instead of edge after edge."""
    graph = work.graph
    for i in range(first, end):
        prefetch(graph.kinds[work.order[i]])
        prefetch(graph.targets[graph.firsts[work.order[i]]])
        if len(graph.weights) > 0:
            prefetch(graph.weights[graph.firsts[work.order[i]]])
    for i in range(first, end):
        for edge in range(graph.firsts[work.order[i]], graph.firsts[work.order[i] + 1]):
            prefetch(work.ends.labels[graph.targets[edge]])
            prefetch(work.upper.values[graph.targets[edge]])
            prefetch(work.lower.values[graph.targets[edge]])


def copy_edge(work: Work, copy: Work, edge: int, place: int, positions: int) -> None:
    """Copy an edge to a place and, if it leaves the component, what lies behind it after so many positions."""
    target: int = work.graph.targets[edge]
    if len(work.graph.weights) > 0:
        copy.graph.weights[place] = work.graph.weights[edge]
    if work.graph.earns != 0:
        copy.graph.rewards[place] = work.graph.rewards[edge]
    copy.graph.targets[place] = work.ends.labels[target] - 1
    if work.ends.labels[target] == 0:
        copy.graph.targets[place] = positions
        copy.graph.kinds[positions] = work.graph.kinds[target] if work.graph.discount < 1.0 else PAYS
        copy.upper.values[positions] = work.upper.values[target]
        copy.lower.values[positions] = work.lower.values[target]
        copy.ends.labels[positions] = 0


def copy_back(work: Work, copy: Work, first: int, end: int) -> None:
    """End with a component that has been copied."""
    work.is_copied = 0
    if copy.stage != DONE:
        work.stage = copy.stage
        return
    for i in range(first, end):
        position: int = work.order[i]
        work.upper.values[position] = copy.upper.values[i - first]
        work.lower.values[position] = copy.lower.values[i - first]
        edge: int = copy.ends.choices[i - first] - copy.graph.firsts[i - first]
        if work.graph.kinds[position] >= 0:
            work.ends.choices[position] = work.graph.firsts[position] + edge
    finish(work, first, end)


def leads_to_itself(graph: Graph, position: int) -> int:
    """Whether an edge of a position leads back to it."""
    for edge in range(graph.firsts[position], graph.firsts[position + 1]):
        if graph.targets[edge] == position:
            return 1
    return 0


def settle_alone(work: Work, side: Side, position: int) -> None:
    """Bound a position by those behind it."""
    graph = work.graph
    if graph.kinds[position] <= PAYS:
        side.values[position] = side.amounts[PAYS - graph.kinds[position]]
        return
    edge: int = graph.firsts[position]
    if graph.kinds[position] >= 0:
        if is_free(graph, side, position) == 0:
            edge = least_edge(graph, side, position)
            work.ends.choices[position] = edge
            side.values[position] = most(graph, side, position, edge)
        else:
            side.values[position] = largest(graph, side, position)
        return
    side.values[position] = most(graph, side, position, edge)
    side.values[position] = improved(work, side, position)
    more: float = 2.0 * EPSILON * magnitude(side.values[position]) + TINY
    while holds(graph, side, position, 0, 0, work.drift) == 0:
        side.values[position] += more
        more = 2.0 * more


def survey(work: Work, side: Side, first: int, end: int) -> None:
    """Find out how large numbers are around a component, and the most that edges are worth that leave it."""
    graph = work.graph
    labels = work.ends.labels
    found: int = 0
    side.top = 0.0
    for i in range(first, end):
        position: int = work.order[i]
        for edge in range(graph.firsts[position], graph.firsts[position + 1]):
            target: int = graph.targets[edge]
            if graph.earns != 0:
                see(work, side.amounts[graph.rewards[edge]])
            if labels[target] != labels[position]:
                value: float = most(graph, side, position, edge)
                see(work, value)
                side.top = value if found == 0 or value > side.top else side.top
                found = 1


# ------------------------------------------------------------ certificates


def climb(work: Work, side: Side, first: int, end: int) -> None:
    """A sweep that adds the slack, and what follows from how much it changes."""
    labels = work.ends.labels
    change: float = 0.0
    if work.circles != 0 and work.hopes == 0:
        for i in range(first, end):
            if labels[work.order[i]] != 0:
                work.staged[labels[work.order[i]] - 1] = side.endless
    for i in range(first, end):
        position: int = work.order[first + end - 1 - i]
        if labels[position] != 0:
            stage_exits(work, side, position)
        else:
            moved: float = move(work, side, position, improved(work, side, position) + work.slack)
            change = max(change, moved)
    if work.circles != 0 and work.hopes == 0:
        for i in range(first, end):
            if labels[work.order[i]] != 0:
                moved = move(work, side, work.order[i], work.staged[labels[work.order[i]] - 1])
                change = max(change, moved)
    if work.descends == 0 and change > work.slack / 4.0:
        change = foresee(work, side, first, end, change)
    work.sweeps += 1
    work.slack = max(work.slack, 8.0 * EPSILON * work.scale)
    if change <= work.slack / 4.0 or (work.descends != 0 and work.sweeps >= work.patience):
        turn_to(work, CHECK)
    elif work.hopes != 0 and work.sweeps >= PASSING:
        begin_circle(work, 0, first, end)
    elif work.sweeps >= work.patience:
        try_again(work, side, first, end)


def stage_exits(work: Work, side: Side, position: int) -> None:
    """Let an end component be worth no less than what leaves it from one of its positions."""
    graph = work.graph
    place: int = work.ends.labels[position] - 1
    if is_free(graph, side, position) == 0:
        return  # chance stays, and so do ours
    for edge in range(graph.firsts[position], graph.firsts[position + 1]):
        if stays(graph, side, work.ends, position, edge) == 0:
            work.staged[place] = max(work.staged[place], most(graph, side, position, edge) + work.slack)


def move(work: Work, side: Side, position: int, value: float) -> float:
    """Give a position a value, while descending only if it is lower; by how much it has changed. What has become
    infinite remains so."""
    before: float = side.values[position]
    keep_value(work, side, position)
    if is_boundless(before) != 0 or (work.descends != 0 and value > before):
        return 0.0
    side.values[position] = value
    see(work, value)
    return magnitude(value - before)


def check(work: Work, side: Side, first: int, end: int) -> None:
    """Check the conditions of the lemma, and go on to what is next."""
    ends = work.ends
    for i in range(first, end):
        position: int = work.order[i]
        if ends.chosen == 0:
            choose(work, side, position)
        if holds(work.graph, side, position, ends.choices[position], work.hopes, work.drift) == 0 or (
            ends.labels[position] != 0 and not side.values[position] >= side.endless
        ):
            try_again(work, side, first, end)
            return
    if work.is_lower != 0 and work.hopes != 0 and are_near(work, first, end) == 0:
        begin_circle(work, 0, first, end)
        return
    if work.tries > 0 and work.descends == 0:
        descend(work, side, first, end)
    elif work.is_lower != 0:
        finish(work, first, end)
    else:
        work.is_lower = 1
        work.ends.chosen = 0
        approach(work, work.lower, first, end)


def try_again(work: Work, side: Side, first: int, end: int) -> None:
    """Look for bounds without hope, with more slack, and at last from above."""
    if work.hopes != 0:
        begin_circle(work, 0, first, end)
        return
    if work.descends != 0:
        work.stage = UNPROVED
        return
    work.tries += 1
    if work.tries < TRIES:
        work.slack = work.slack * 64.0
        turn_to(work, CLIMB)
    else:
        fill(work, side, constant(work, side), first, end)
        descend(work, side, first, end)


def constant(work: Work, side: Side) -> float:
    """What no position of a component is worth more than if nothing is earned in it."""
    top: float = side.top
    if work.circles != 0:
        top = max(top, side.endless)
    return 0.0 if work.graph.discount < 1.0 and top < 0.0 else top


def descend(work: Work, side: Side, first: int, end: int) -> None:
    """From bounds on, go on as long as these fall."""
    top: float = constant(work, side)
    if work.graph.earns == 0:
        for i in range(first, end):
            position: int = work.order[i]
            side.values[position] = min(side.values[position], top)
    work.descends = 1
    work.slack = 8.0 * EPSILON * work.scale
    turn_to(work, CLIMB)


def finish(work: Work, first: int, end: int) -> None:
    """Go on to the next component."""
    mark(work, first, end, 0)
    work.is_lower = 0
    work.component += 1
    turn_to(work, BEGIN)
    if work.component == work.count:
        work.stage = DONE


def conclude(work: Work) -> None:
    """Turn the lower bounds back into those of the game."""
    lower = work.lower.values
    for position in range(len(lower)):
        lower[position] = -lower[position]
