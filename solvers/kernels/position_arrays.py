"""A graph of positions as kernels in floating point have it, from the side of those who want a bound from above.

For *positions*, *edges* and what they are worth see :mod:`zermelo.solvers.positions.graph.graph`. An upper bound on the
number is what those who want less of it can promise each other; a lower one is the same in the game in which all
payoffs are negated. So everything is written for upper bounds, and a :class:`Side` is the game or its negative: in
it *ours* are the players who want less, and all others are *free*, to do the worst to us.

**Rounding.** The amounts of a side are the least doubles that are not smaller than the fractions. For the values u of
a side, :func:`most` is at least what an edge is worth in exact arithmetic:

    r + f * u(target)    r an amount, f the discount or 1

If r is 0 and f is 1, it is the value of the target, without rounding. Else, with e = 2 ** -52, the double next to f has
a relative error of e at most, and so have the product and the sum; together the absolute error is at most
``4 e (|r| + |u|)``, up to terms in e ** 2, and ``2 ** -1074`` where the product underflows. Added is
``8 e (|r| + |u|) + 2 ** -1000``, computed with a relative error of 3 e, whose addition costs another
``2 e (|r| + |u|)`` at most.

Nothing relies on the rounding mode: an operation may give either of the two doubles around its exact result. Numbers
that are undefined make every comparison fail that a proof is made of.
"""

from __future__ import annotations

from zermelo.interpreter.native.dialect.words import half

EPSILON = 2.0**-52
"""The most that one operation errs, relatively, however it rounds."""

TINY = 2.0**-1000
"""More than all that is lost to underflow in a few operations."""

PAYS = -2
"""The kind of the first end, as in :mod:`zermelo.solvers.positions.graph.graph`; -1 is chance."""


class Graph:
    """The arrays of a graph of positions. ``earns`` is 1 if there are ``rewards``, else these are empty; ``earning``
    says of each amount whether it is something for anybody; ``discount`` is the nearest double."""

    kinds: list[half]
    firsts: list[half]
    targets: list[half]
    weights: list[half]
    rewards: list[half]
    earning: list[int]
    earns: int
    discount: float


class Side:
    """The game or its negative. ``values`` are upper bounds, infinite where there is none; ``amounts`` are rounded up,
    and so is ``endless``, infinite if the rules do not say; ``feared`` is what ours take it for when they choose;
    ``frees[p]`` is 1 if player p is free, 0 if they are one of ours. Of the component being solved, ``top`` is the most
    that an edge is worth that leaves it."""

    values: list[float]
    amounts: list[float]
    frees: list[int]
    endless: float
    feared: float
    top: float


def is_discounted(graph: Graph, position: int, target: int) -> int:
    """Whether the value of a target counts less in a position: after a decision, if the play goes on."""
    return graph.discount < 1.0 and graph.kinds[position] >= 0 and graph.kinds[target] > PAYS


def is_free(graph: Graph, side: Side, position: int) -> int:
    """Whether somebody decides in a position who is not one of ours."""
    return graph.kinds[position] >= 0 and side.frees[graph.kinds[position]] != 0


def is_plain(graph: Graph) -> int:
    """Whether every edge is worth just what its target is."""
    return graph.earns == 0 and graph.discount >= 1.0


def most(graph: Graph, side: Side, position: int, edge: int) -> float:
    """An edge is worth no more than this, if its target is worth no more than its value."""
    if is_plain(graph) != 0:
        return side.values[graph.targets[edge]]
    return most_with_reward(graph, side, position, edge)


def most_with_reward(graph: Graph, side: Side, position: int, edge: int) -> float:
    """The same for any graph. It is called in more than one place, and so remains a function of its own, while the few
    instructions of :func:`most` are put where it is called."""
    target: int = graph.targets[edge]
    value: float = side.values[target]
    reward: float = side.amounts[graph.rewards[edge]] if graph.earns != 0 else 0.0
    discounted: int = is_discounted(graph, position, target)
    if discounted == 0 and reward == 0.0:
        return value
    behind: float = graph.discount * value if discounted != 0 else value
    return reward + behind + (8.0 * EPSILON * (magnitude(reward) + magnitude(value)) + TINY)


def is_finite(number: float) -> int:
    """Whether a number is neither infinite nor undefined."""
    return number - number == 0.0


def is_boundless(number: float) -> int:
    """Whether a number is above all others, so that as a value it says nothing."""
    return number > 0.0 and is_finite(number) == 0


def magnitude(number: float) -> float:
    """The absolute value."""
    return number if number >= 0.0 else -number
