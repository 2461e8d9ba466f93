"""What the mixtures and choices of one side guarantee in a graph with moves at once, by brute force.

Once a side keeps to a mixture in each round, and to an edge wherever it decides alone, only the others are left to
decide: what they choose in a round leads to a draw of chance. That is a graph without rounds; all policies of the
others are tried in it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import prod

from referee.positions import Node, Step, chain_values, endless_number, read
from zermelo.solvers.positions.graph.graph import PositionGraph

Mixtures = Mapping[int, Mapping[int, Sequence[Fraction]]]
"""For each position in which a round begins, the mixture of each player who chooses there."""


def guaranteed(
    graph: PositionGraph, wants: Sequence[int], side: int, edges: Mapping[int, int], mixtures: Mixtures, most: int = 200
) -> list[Fraction] | None:
    """The number that a side (1: they want more, -1: less) is sure of in each position, by its edges and mixtures; 0
    within rounds. None if the others have more than ``most`` policies."""
    base = read(graph)
    nodes = [Node(None, False, (), (Fraction(0),)) if node.is_within else node for node in base]
    for p, node in enumerate(base):
        if node.player is None or node.is_within:
            continue
        if p in mixtures:
            options = _options(base, p, wants, side, mixtures[p])
            steps = []
            for draws in options.values():
                steps.append(Step(Fraction(0), Fraction(0), Fraction(1), len(nodes)))
                nodes.append(Node(None, False, tuple(draws)))
            others = [player for player in mixtures[p] if wants[player] != side]
            nodes[p] = Node(others[0], False, tuple(steps)) if others else nodes[-1]
        elif wants[node.player] == side:
            kept = node.steps[edges[p] - graph.firsts[p]]
            nodes[p] = Node(None, False, (Step(Fraction(1), kept.earned, kept.factor, kept.target),))
    free = [p for p, node in enumerate(nodes) if node.player is not None]
    endless = endless_number(graph)
    assert endless is not None
    if prod(len(nodes[p].steps) for p in free) > most:
        return None
    tried = [
        chain_values(nodes, dict(zip(free, choice, strict=True)), endless)
        for choice in product(*(range(len(nodes[p].steps)) for p in free))
    ]
    worst = min if side == 1 else max
    return [worst(found[p] for found in tried) for p in range(len(base))]


def _options(
    nodes: Sequence[Node], start: int, wants: Sequence[int], side: int, mixtures: Mapping[int, Sequence[Fraction]]
) -> dict[tuple[int, ...], list[Step]]:
    """For each choice of the others in a round, where it leads to, and how often."""
    found: dict[tuple[int, ...], list[Step]] = {}

    def go_on(p: int, chance: Fraction, earned: Fraction, others: tuple[int, ...]) -> None:
        player = nodes[p].player
        assert player is not None
        for k, step in enumerate(nodes[p].steps):
            is_own = wants[player] == side
            share = chance * mixtures[player][k] if is_own else chance
            chosen = others if is_own else (*others, k)
            if not share:
                continue
            if nodes[step.target].is_within:
                go_on(step.target, share, earned + step.earned, chosen)
            else:
                found.setdefault(chosen, []).append(Step(share, earned + step.earned, step.factor, step.target))

    go_on(start, Fraction(1), Fraction(0), ())
    return found
