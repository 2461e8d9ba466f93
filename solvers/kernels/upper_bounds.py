"""Upper bounds: a graph of positions as kernels in floating point have it, from the side of those who want a bound from
above, and certificates of such bounds.

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
    says of each amount whether it is something for anybody; ``discount`` is a double next to it, and 1 only if there
    is none."""

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


# Certificates of upper bounds: what is checked of numbers that somebody has found in whatever way.
#
# **The lemma.** Let u(p) be a number for every position of a set C, and for the positions behind C upper bounds on what
# they are worth. Let s(p) be an edge for every position of C in which one of ours decides. If
#
# 1. ``u(p) >= r + f u(target)`` for the edge s(p) where one of ours decides, and for every edge where somebody is free;
# 2. ``u(p)`` is at least the mean of ``r + f u(target)`` where chance draws;
# 3. ``u(p) >= endless`` for every p in which a play may stay for ever: which lies in an end component of
#    what is left of C if ours follow s, and no edge of an end component earns anything;
#
# then u(p) is an upper bound on what p is worth, and ours can promise it: by following s.
#
# *Proof.* Fix s, and any way in which the free players decide. Let X be what has been earned plus u of the position
# reached, all multiplied with the discounts so far. By 1 and 2, X is a supermartingale until the play leaves C. Count
# the edges that it takes outside end components, each with the discounts before it: their expected number is at most
# that of a finite Markov decision process that ends almost surely under every policy, hence finite (Bertsekas and
# Tsitsiklis, "An analysis of stochastic shortest path problems", 1991), if a discount is taken for a chance to end.
# Only these earn anything. So what is earned converges, dominated by an integrable number; and since u takes finitely
# many values, X is dominated, too, and u(p) = X(0) >= E[lim sup X]. Where the play leaves C, that limit is what was
# earned, and the bound on what the position behind is worth. Where it does not, it almost surely stays in one end
# component from some time on, and earns nothing there: the limit is what was earned and a value of u there, which is at
# least ``endless`` by 3; or discounts have made all that is left 0, which is what such a play is worth. In each case it
# is at least what the play is worth on average. QED.
#
# For reachability this is the certificate of Hartmanns and Kaminski ("Optimistic value iteration", 2020), and, with 3,
# of Haddad and Monmege ("Interval iteration for MDPs and IMDPs", 2018).
#
# A value may also be infinite, which bounds everything: then 1 keeps ours away from there wherever u is finite, so that
# plays that begin where u is finite stay there, if ours follow s. In this way nothing is asked of ``endless`` where the
# rules do not say what it is: it is infinite then.
#
# **Strictly.** If nothing is earned, and 1 and 2 hold *strictly* wherever u is finite, with more than equality, then 3
# holds, too. *Proof.* Take an end component of what is left, and a position in it where u is least. If that is
# infinite, 3 holds there. Else its edges that stay there, or all its outcomes, lead to positions where u is no less,
# without reward or discount: so 1 or 2 is no more than an equality there, against what was assumed. QED.
#
# Nothing is asked about where u comes from, and u need not be near a fixed point: a wrong approximation fails the check
# or gives a wide interval, never a wrong one.
#
# **Rounding.** 1 is a comparison of doubles with :func:`most`. For 2 it is shown that the *drift* is not above 0, the
# sum of ``w (x - u(p))`` over the edges, with the weights w and ``x = most(edge)``. So no weight is divided, and edges
# to equal values count nothing. In a sum of n terms each one has been rounded n + 2 times at most (the weight, the
# difference, the product, and n - 1 additions), each time by a factor between 1 - e and 1 + e: so the error is at most
# ``1.01 (n + 2) e`` times the sum of ``w |x - u(p)|``, which is computed with the same relative error. The check allows
# ``(2 n + 8) e`` times that. (Nothing is lost to underflow: sums and whole multiples of the smallest doubles are
# exact.)


class Drift:
    """What the edges of a chance position say about its value: the sum of ``w (x - u(p))``, as computed; by how much
    that may be too small (``doubt``); the sum of the ``w |x - u(p)|`` (``size``), and of the weights of edges to other
    positions."""

    sum: float
    doubt: float
    size: float
    weight: float


def drift(graph: Graph, side: Side, position: int, found: Drift) -> None:
    """Sum up the edges of a chance position."""
    value: float = side.values[position]
    plain: int = is_plain(graph)
    total: float = 0.0
    size: float = 0.0
    away: float = 0.0
    first: int = graph.firsts[position]
    end: int = graph.firsts[position + 1]
    for edge in range(first, end):
        weight: float = float(graph.weights[edge])
        target: int = graph.targets[edge]
        worth: float = side.values[target] if plain != 0 else most_with_reward(graph, side, position, edge)
        part: float = weight * (worth - value)
        away += weight if target != position else 0.0
        total += part
        size += magnitude(part)
    found.sum = total
    found.size = size
    found.weight = away
    found.doubt = float(2 * (end - first) + 8) * EPSILON * size


def holds(graph: Graph, side: Side, position: int, choice: int, strictly: int, found: Drift) -> int:
    """Whether 1 and 2 of the lemma are proved for a position, if ours take the edge ``choice`` there; ``strictly`` asks
    for more than equality."""
    value: float = side.values[position]
    if is_boundless(value) != 0:
        return 1
    if graph.kinds[position] < 0:
        drift(graph, side, position, found)
        return found.sum < -found.doubt if strictly != 0 else found.sum <= -found.doubt
    if is_free(graph, side, position) == 0:
        return is_below(most(graph, side, position, choice), value, strictly)
    for edge in range(graph.firsts[position], graph.firsts[position + 1]):
        if is_below(most(graph, side, position, edge), value, strictly) == 0:
            return 0
    return 1


def is_below(number: float, value: float, strictly: int) -> int:
    """Whether a number is less than a value, or no more; undefined ones are neither."""
    return number < value if strictly != 0 else number <= value


def least_edge(graph: Graph, side: Side, position: int) -> int:
    """The first of the best edges for ours."""
    best: int = graph.firsts[position]
    least: float = most(graph, side, position, best)
    for edge in range(best + 1, graph.firsts[position + 1]):
        value: float = most(graph, side, position, edge)
        if value < least:
            best, least = edge, value
    return best
