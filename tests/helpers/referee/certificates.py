"""Whether numbers and policies prove each other, however they were found.

Numbers v and edges said to be best are right if three things hold. They are local, so that graphs which are too large
for brute force are judged as well.

1. v(p) is the payoff at an end, the expectation over the edges of chance, and what the best edge is worth to the player
   who decides.
2. Every edge that is said to be best is worth v(p).
3. Let those of one side keep to best edges, whichever, and the others do as they like. Where a play can stay for ever
   then, without a discount, that side loses nothing; and where it earns nothing either, ``endless`` is no worse for it
   than v. (Where it earns something, the play brings it more than any number.)

Why they are enough: by 1 and 2 the expectation of what has been earned so far, plus v of the position reached, never
falls below v(p) while those who want more keep to best edges. With probability 1 a play ends, where v is the payoff;
or is discounted again and again, so that what is left of v vanishes; or stays in an end component, where v is the same
everywhere, since an expectation that never falls within a finite class that is never left does not rise; there 3 says
that ``endless`` is at least that. So v(p) is guaranteed, and by the same words for the others it is not exceeded.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from referee.positions import Node, Step, endless_number, lasting, read
from zermelo.solvers.positions.graph.graph import PositionGraph


def complaints(
    graph: PositionGraph, wants: Sequence[int], numbers: Sequence[Fraction | None], best: Sequence[Sequence[int]]
) -> list[str]:
    """What is wrong with the numbers of the positions of a graph without rounds, and with the best edges of each (none
    where nobody decides); empty if they are proved. A choice of one edge is best if it alone is given."""
    nodes = read(graph)
    if None in numbers:
        return [f"position {p} has no number" for p, number in enumerate(numbers) if number is None]
    known = [number for number in numbers if number is not None]
    found = []
    for p, node in enumerate(nodes):
        found += _local(graph, wants, nodes, known, p, best[p])
        assert not node.is_within, "positions within a round have no number"
    endless = endless_number(graph)
    for side in (1, -1):
        allowed = [
            [edge - graph.firsts[p] for edge in best[p]]
            if node.player is not None and wants[node.player] == side
            else range(len(node.steps))
            for p, node in enumerate(nodes)
        ]
        who = f"against those who want {'more' if side == 1 else 'less'}"
        for p, k in sorted(lasting(nodes, allowed)):
            if side * nodes[p].steps[k].earned < 0:
                found.append(f"at {p} something is earned for ever {who}")
        for p in sorted({p for p, _ in lasting(nodes, [_free(nodes[p], side, ks) for p, ks in enumerate(allowed)])}):
            if endless is None:
                found.append(f"at {p} a play can be kept up for ever {who}")
            elif side * endless < side * known[p]:
                found.append(f"at {p} a play is kept up for ever {who}, which pays {endless} and not {known[p]}")
    return found


def _free(node: Node, side: int, allowed: Sequence[int]) -> list[int]:
    """The steps at which a side earns nothing. Where chance draws, it earns again and again if any step earns."""
    free = [k for k in allowed if side * node.steps[k].earned <= 0]
    return free if node.player is not None or len(free) == len(node.steps) else []


def _local(
    graph: PositionGraph,
    wants: Sequence[int],
    nodes: Sequence[Node],
    numbers: Sequence[Fraction],
    p: int,
    best: Sequence[int],
) -> list[str]:
    node = nodes[p]

    def worth(step: Step) -> Fraction:
        return step.earned + step.factor * numbers[step.target]

    if node.is_end:
        return [] if numbers[p] == node.payoff[0] else [f"the end {p} pays {node.payoff[0]} and not {numbers[p]}"]
    if node.player is None:
        expected = sum((step.chance * worth(step) for step in node.steps), Fraction(0))
        return [] if numbers[p] == expected else [f"at {p} chance brings {expected} and not {numbers[p]}"]
    most = (max if wants[node.player] == 1 else min)(map(worth, node.steps))
    found = [] if numbers[p] == most else [f"at {p} the best edge is worth {most} and not {numbers[p]}"]
    if not best:
        found.append(f"no edge is said to be best at {p}")
    for edge in best:
        if edge - graph.firsts[p] not in range(len(node.steps)):
            found.append(f"{edge} is no edge of {p}")
        elif worth(node.steps[edge - graph.firsts[p]]) != numbers[p]:
            found.append(f"the edge {edge} of {p} is worth {worth(node.steps[edge - graph.firsts[p]])}")
    return found


def equilibrium_complaints(
    graph: PositionGraph, payoffs: Sequence[Sequence[Fraction] | None], choices: Sequence[int]
) -> list[str]:
    """The same for a graph without circles and rounds, of any number of players who each want more of their own:
    whether the choices are a subgame perfect equilibrium with these payoffs."""
    found, nodes = [], read(graph)
    for p, (kind, node) in enumerate(zip(graph.kinds, nodes, strict=True)):
        claimed = payoffs[p]
        if claimed is None:
            found.append(f"position {p} has no payoffs")
            continue
        if node.is_end:
            right: list[Fraction] = list(node.payoff)
        else:
            worths = [_worths(graph, node, payoffs, p, k) for k in range(len(node.steps))]
            if node.player is None:
                shares = [step.chance for step in node.steps]
                right = [
                    sum((share * worth[player] for share, worth in zip(shares, worths, strict=True)), Fraction(0))
                    for player in range(len(graph.players))
                ]
            else:
                right = worths[choices[p] - graph.firsts[p]]
                best = max(each[kind] for each in worths)
                if right[kind] != best:
                    found.append(f"at {p} the choice brings {right[kind]}, another {best}")
        if list(claimed) != right:
            found.append(f"at {p} the payoffs are {right} and not {claimed}")
    return found


def _worths(
    graph: PositionGraph, node: Node, payoffs: Sequence[Sequence[Fraction] | None], p: int, k: int
) -> list[Fraction]:
    edge, step = graph.firsts[p] + k, node.steps[k]
    behind = payoffs[step.target]
    assert behind is not None, "payoffs of all positions"
    earned = graph.amounts[graph.rewards[edge]] if graph.rewards is not None else (Fraction(0),) * len(behind)
    return [mine + step.factor * later for mine, later in zip(earned, behind, strict=True)]
