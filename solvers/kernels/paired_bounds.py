"""Both bounds of a component at once, by Newton's method: what a small one is tried with first.

The component has been copied, nothing is earned in it, and there is no discount (:mod:`.interval_iteration`). A sweep
goes through its positions once, last ones first, and gives each three numbers: the upper bound, the negative of the
lower one, as sides have it, and a *slope*.

**Slopes.** A sweep takes some values over from the sweep before: those of positions that it comes to later. The slope
of a position is by how much its value would have been larger with these larger by as much as their own slopes said,
that of the first position by 1, and with the same choices. Let a sweep turn the value x of the first position into
x + r, and its slope be s. If all circles close in the first position, x + d would have been turned into x + r + s d, so
d = r / (1 - s) leads to the fixed point of these choices: Newton's method, which here is policy iteration (Puterman and
Brumelle, "On the convergence of policy iteration in stationary dynamic programming", 1979). Elsewhere it is a good
guess. Both sides mostly choose alike, so one slope serves for both.

**The proof** is the lemma of :mod:`.upper_bounds`, strictly, for one side and for the other, of whatever numbers there
are in the end. So nothing need be known of end components. As in every sweep for bounds each step adds a ``slack``,
and chance twice its doubt, so that there is room to spare. Component by component intervals may become wider than those
behind only by little: strict inequalities may also hold for a fixed point that suits neither side, where both would
rather stay. What is not proved so is left to interval iteration, and loses nothing but time.

Cost: three or four sweeps and the proof, mostly. They take little longer than those for one bound would, since a sweep
waits for the number that it has computed last.
"""

from __future__ import annotations

from zermelo.interpreter.native.dialect.words import half
from zermelo.solvers.kernels.upper_bounds import (
    EPSILON,
    Drift,
    Graph,
    Side,
    holds,
    is_finite,
    is_free,
    least_edge,
    magnitude,
)

SWEEPS = 16
"""The most sweeps: where choices change, or circles close in many positions, a few more are needed."""

ENOUGH = 16.0
"""The proof is tried when a sweep has changed nothing by more than so many times the slack: mostly what changes last is
the doubt of chance, which the sweep before has taken to be too large."""

NARROW = 2.0**-36
"""By how many times the largest number around a component its intervals may be wider than those behind it."""


class Pair:
    """The ``slopes`` of positions: the first ``count`` are those of the component, and those behind come after them, up
    to ``end``. The largest number there is ``scale``, the widest interval ``width``, and what each step adds ``slack``;
    ``change`` is by how much a sweep has changed a bound the most. The edges of a position say that it is worth at most
    ``above``, and its negative ``below``."""

    slopes: list[float]
    count: int
    end: int
    scale: float
    width: float
    slack: float
    change: float
    above: float
    below: float
    drift: Drift


def bound_both(pair: Pair, graph: Graph, upper: Side, lower: Side, choices: list[half]) -> int:
    """Bound the positions of a component by those behind; how many sweeps it took, 0 if nothing is proved."""
    look_behind(pair, upper, lower)
    rest: float = 1.0
    sweeps: int = 0
    while sweeps < SWEEPS and rest > 0.0 and is_finite(pair.width) != 0:
        above: float = upper.values[0]
        below: float = lower.values[0]
        pair.change = 0.0
        for i in range(pair.count):
            sweep_over(pair, graph, upper, lower, pair.count - 1 - i)
        sweeps += 1
        if pair.change <= ENOUGH * pair.slack and are_proved(pair, graph, upper, lower, choices) != 0:
            return sweeps
        rest = 1.0 - pair.slopes[0]
        if rest > 0.0:
            leap_both(pair, upper, lower, (upper.values[0] - above) / rest, (lower.values[0] - below) / rest)
    return 0


def look_behind(pair: Pair, upper: Side, lower: Side) -> None:
    """See what is behind the component, and begin with the number in the middle."""
    top: float = upper.values[pair.count]
    bottom: float = lower.values[pair.count]
    pair.width = 0.0
    for i in range(pair.count, pair.end):
        top = max(top, upper.values[i])
        bottom = max(bottom, lower.values[i])
        pair.width = max(pair.width, upper.values[i] + lower.values[i])
        pair.slopes[i] = 0.0
    pair.scale = max(magnitude(top), magnitude(bottom))
    pair.slack = 8.0 * EPSILON * pair.scale
    for i in range(pair.count):
        upper.values[i] = (top - bottom) / 2.0
        lower.values[i] = (bottom - top) / 2.0
        pair.slopes[i] = 1.0


def sweep_over(pair: Pair, graph: Graph, upper: Side, lower: Side, position: int) -> None:
    """Give a position the bounds that follow from its edges, with the slack."""
    above: float = upper.values[position]
    below: float = lower.values[position]
    if graph.kinds[position] < 0:
        draw_both(pair, graph, upper, lower, position)
    else:
        decide_both(pair, graph, upper, lower, position)
    upper.values[position] = pair.above + pair.slack
    lower.values[position] = pair.below + pair.slack
    pair.change = max(pair.change, magnitude(upper.values[position] - above))
    pair.change = max(pair.change, magnitude(lower.values[position] - below))


def draw_both(pair: Pair, graph: Graph, upper: Side, lower: Side, position: int) -> None:
    """Where chance draws: the means, with twice the doubt, which is the same for both."""
    above: float = upper.values[position]
    below: float = lower.values[position]
    more: float = 0.0
    less: float = 0.0
    slope: float = 0.0
    size: float = 0.0
    away: float = 0.0
    first: int = graph.firsts[position]
    end: int = graph.firsts[position + 1]
    for edge in range(first, end):
        target: int = graph.targets[edge]
        weight: float = float(graph.weights[edge]) if target != position else 0.0
        part: float = weight * (upper.values[target] - above)
        more += part
        size += magnitude(part)
        less += weight * (lower.values[target] - below)
        slope += weight * pair.slopes[target]
        away += weight
    share: float = 1.0 / away if away != 0.0 else 0.0
    doubt: float = 2.0 * (float(2 * (end - first) + 8) * EPSILON * size)
    pair.above = above + (more + doubt) * share
    pair.below = below + (less + doubt) * share
    pair.slopes[position] = slope * share


def decide_both(pair: Pair, graph: Graph, upper: Side, lower: Side, position: int) -> None:
    """Where somebody decides: the most for the side in which they are free, the least for the other."""
    sign: float = 1.0 if is_free(graph, upper, position) != 0 else -1.0
    best: int = graph.targets[graph.firsts[position]]
    below: float = lower.values[best]
    for edge in range(graph.firsts[position] + 1, graph.firsts[position + 1]):
        target: int = graph.targets[edge]
        best = target if sign * upper.values[target] > sign * upper.values[best] else best
        below = lower.values[target] if sign * lower.values[target] < sign * below else below
    pair.above, pair.below = upper.values[best], below
    pair.slopes[position] = pair.slopes[best]


def leap_both(pair: Pair, upper: Side, lower: Side, above: float, below: float) -> None:
    """Go where the next sweeps would lead if the first position lacked so much before this one, and let the slopes be
    shares of that of the first position."""
    share: float = 1.0 / pair.slopes[0] if pair.slopes[0] > 0.0 else 1.0
    for i in range(pair.count):
        upper.values[i] += above * pair.slopes[i]
        lower.values[i] += below * pair.slopes[i]
        pair.slopes[i] = share * pair.slopes[i]
    pair.slopes[0] = 1.0


def are_proved(pair: Pair, graph: Graph, upper: Side, lower: Side, choices: list[half]) -> int:
    """Whether the lemma holds strictly for both sides, with choices of each, and no interval is wide."""
    for i in range(pair.count):
        if graph.kinds[i] >= 0:
            choices[i] = least_edge(graph, lower, i) if is_free(graph, upper, i) != 0 else least_edge(graph, upper, i)
        if holds(graph, upper, i, choices[i], 1, pair.drift) == 0:
            return 0
        if holds(graph, lower, i, choices[i], 1, pair.drift) == 0:
            return 0
        if not upper.values[i] + lower.values[i] <= pair.width + NARROW * pair.scale:
            return 0
    return 1
