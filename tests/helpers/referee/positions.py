"""What positions are worth, by brute force, to compare the solvers of graphs of positions with.

Read from the flat arrays of a graph by the words of its docstring; nothing of a solver is used. What is worked out is
*the number*: what the first player gets, which every player wants to be large (1) or small (-1).

Without moves at once all *policies* are tried: an edge for each position of those who want more, and one for each of
those who want less. Together they make a Markov chain, which is solved by elimination. The best that the ones can
guarantee must be what the others can: the referee asserts it for every position. That it holds is a theorem (Boros,
Elbassioni, Gurvich and Makino 2018, "Markov decision processes and stochastic games with total effective payoff"):
where plays that never end earn nothing in the long run, ``endless`` is a part of such a payoff, paid at the start and
taken back at every end. Where they may earn, there is no value (``EarnsForEver``).

Moves at once are for ``referee/rounds.py``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product
from math import prod

from attrs import field, frozen

from referee.linear_systems import solved
from zermelo.solvers.positions.graph.graph import DRAWS, PAYS, PositionGraph

HUGE = Fraction(10**40)
"""Beyond all numbers of small graphs: with this much and with this little for endless plays, a value is the same only
if it does not depend on that."""

TOLL = HUGE * HUGE
"""More than any number in which a play counts that never ends."""


class EarnsForEver(Exception):
    """A play may go on for ever and earn something again and again, so that it has no total."""


@frozen
class Step:
    """An edge: its probability (0 where somebody decides), what the first player earns on it, by what all behind it is
    multiplied, and where it leads."""

    chance: Fraction
    earned: Fraction
    factor: Fraction
    target: int


@frozen
class Node:
    """A position: who decides (None if nobody), whether within a round, the steps, and what it pays at the end."""

    player: int | None
    is_within: bool
    steps: tuple[Step, ...]
    payoff: tuple[Fraction, ...] = field(default=())

    @property
    def is_end(self) -> bool:
        return not self.steps


def read(graph: PositionGraph) -> list[Node]:
    """The positions of a graph."""
    return [_node(graph, position) for position in range(len(graph.kinds))]


def _node(graph: PositionGraph, position: int) -> Node:
    kind, count = graph.kinds[position], len(graph.players)
    edges = range(graph.firsts[position], graph.firsts[position + 1])
    if kind <= PAYS:
        assert not edges, "nothing comes after the end"
        return Node(None, False, (), tuple(graph.amounts[PAYS - kind]))
    total = sum(graph.weights[edge] for edge in edges) if kind < 0 and graph.weights is not None else 1
    steps = []
    for edge in edges:
        target = graph.targets[edge]
        goes_on = PAYS < graph.kinds[target] < count
        steps.append(
            Step(
                Fraction(graph.weights[edge], total) if kind < 0 and graph.weights is not None else Fraction(0),
                graph.amounts[graph.rewards[edge]][0] if graph.rewards is not None else Fraction(0),
                graph.discount if kind >= 0 and goes_on else Fraction(1),
                target,
            )
        )
    assert kind >= DRAWS
    return Node(kind % count if kind >= 0 else None, kind >= count, tuple(steps))


def endless_number(graph: PositionGraph) -> Fraction | None:
    """What is paid beside what has been earned if a play never ends."""
    if graph.discount < 1:
        return Fraction(0)
    return None if graph.endless is None else graph.endless[0]


# ---------------------------------------------------------------------- where plays may stay for ever


def lasting(nodes: Sequence[Node], allowed: Sequence[Sequence[int]] | None = None) -> set[tuple[int, int]]:
    """The steps (position, number of the step) that a play may take again and again, without a discount, if all who
    decide want it, and take only ``allowed`` steps: those of the maximal end components."""
    steps = {
        p: {k for k, step in enumerate(node.steps) if step.factor == 1 and (allowed is None or k in allowed[p])}
        for p, node in enumerate(nodes)
        if not node.is_end
    }
    while True:
        reach = _reachable({p: {nodes[p].steps[k].target for k in ks} for p, ks in steps.items()})
        smaller = {}
        for p, ks in steps.items():
            kept = {k for k in ks if p in reach.get(nodes[p].steps[k].target, ())}
            is_whole = nodes[p].player is not None or len(kept) == len(nodes[p].steps)
            if kept and is_whole:
                smaller[p] = kept
        if smaller == steps:
            return {(p, k) for p, ks in steps.items() for k in ks}
        steps = smaller


def _reachable(successors: dict[int, set[int]]) -> dict[int, set[int]]:
    """The positions that are reached from each, itself included."""
    found = {}
    for start in successors:
        seen, waiting = {start}, [start]
        while waiting:
            for there in successors[waiting.pop()]:
                if there in successors and there not in seen:
                    seen.add(there)
                    waiting.append(there)
        found[start] = seen
    return found


def earns_for_ever(graph: PositionGraph) -> bool:
    """Whether some play may earn something (of any player's) again and again without a discount."""
    nodes = read(graph)
    if graph.rewards is None:
        return False
    return any(any(graph.amounts[graph.rewards[graph.firsts[p] + k]]) for p, k in lasting(nodes))


def may_last(graph: PositionGraph) -> bool:
    """Whether some play may go on for ever, with a probability that is not 0, if all who decide want it."""
    return bool(lasting(read(graph)))


# ---------------------------------------------------------------------- Markov chains


def chain_values(nodes: Sequence[Node], policy: dict[int, int], endless: Fraction) -> list[Fraction]:
    """The number of every position if those who decide take these steps."""
    moves = [
        [Step(Fraction(1), s.earned, s.factor, s.target) for s in [node.steps[policy[p]]]]
        if node.player is not None
        else list(node.steps)
        for p, node in enumerate(nodes)
    ]
    reach = _reachable({p: {step.target for step in steps} for p, steps in enumerate(moves)})
    size = len(nodes)
    matrix = [[Fraction(int(r == c)) for c in range(size)] for r in range(size)]
    right = [Fraction(0)] * size
    for p, node in enumerate(nodes):
        if node.is_end:
            right[p] = node.payoff[0]
        elif all(
            p in reach[q] and moves[q] and all(step.factor == 1 for step in moves[q]) for q in reach[p]
        ):  # a class that is never left
            right[p] = _worth_of_staying([step.earned for q in reach[p] for step in moves[q]], endless)
        else:
            for step in moves[p]:
                matrix[p][step.target] -= step.chance * step.factor
                right[p] += step.chance * step.earned
    found = solved(matrix, right)
    assert found is not None, "plays end, are discounted or stay"
    return found


def _worth_of_staying(earned: list[Fraction], endless: Fraction) -> Fraction:
    """What a play is worth that goes through these steps again and again."""
    if not any(earned):
        return endless
    if min(earned) < 0 < max(earned):
        raise EarnsForEver
    return TOLL if max(earned) > 0 else -TOLL


# ---------------------------------------------------------------------- values


def policies(nodes: Sequence[Node], wants: Sequence[int], side: int) -> Iterator[dict[int, int]]:
    """All policies of the players who want ``side``."""
    mine = [p for p, node in enumerate(nodes) if node.player is not None and wants[node.player] == side]
    for choice in product(*(range(len(nodes[p].steps)) for p in mine)):
        yield dict(zip(mine, choice, strict=True))


def count_policies(graph: PositionGraph) -> int:
    """How many Markov chains the referee solves."""
    return prod(len(node.steps) for node in read(graph) if node.player is not None)


def numbers(graph: PositionGraph, wants: Sequence[int], with_tolls: bool = False) -> list[Fraction | None]:
    """The number of every position; None where it depends on what a play pays that never ends, and the rules do not
    say. Raises :class:`EarnsForEver` or, ``with_tolls``, takes a play that costs something again and again to be worth
    less than all others."""
    if not with_tolls and earns_for_ever(graph):
        raise EarnsForEver
    endless = endless_number(graph)
    if endless is not None:
        return [*_numbers(read(graph), wants, endless)]
    low, high = (_numbers(read(graph), wants, sign * HUGE) for sign in (-1, 1))
    return [least if least == most else None for least, most in zip(low, high, strict=True)]


def _numbers(nodes: Sequence[Node], wants: Sequence[int], endless: Fraction) -> list[Fraction]:
    assert not any(node.is_within for node in nodes), "for referee.rounds"
    table = [
        [chain_values(nodes, {**ours, **theirs}, endless) for theirs in policies(nodes, wants, -1)]
        for ours in policies(nodes, wants, 1)
    ]
    positions = range(len(nodes))
    most = [max(min(row[k][p] for k in range(len(row))) for row in table) for p in positions]
    least = [min(max(row[k][p] for row in table) for k in range(len(table[0]))) for p in positions]
    assert most == least, "policies that remember nothing are enough"
    return most


def response_numbers(graph: PositionGraph, wants: Sequence[int], side: int, policy: dict[int, int]) -> list[Fraction]:
    """What a policy (numbers of steps) of the players who want ``side`` guarantees in each position."""
    nodes, endless = read(graph), endless_number(graph)
    assert endless is not None
    tried = [chain_values(nodes, {**policy, **other}, endless) for other in policies(nodes, wants, -side)]
    worst = min if side == 1 else max
    return [worst(found[p] for found in tried) for p in range(len(nodes))]
