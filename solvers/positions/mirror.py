"""Games of two players that are their own mirror: exchange the players, and it is the same game. Nobody has an
advantage then, and the value is exactly half of what both get together, however many digits the numbers of other
positions have.

The *mirror* of a graph has the same positions, with the players exchanged in all that they do, earn and are paid. Two
positions of a graph and its mirror are *bisimilar* if they belong to the same class of a partition in which

- ends pay the same;
- draws of chance bring each class, with the same earnings, with the same probability;
- of positions in which a player decides the same one does, whose edges lead to the same classes with the same earnings;
- where players choose at once, the same choices, by their numbers, lead to the same class with the same earnings.

The coarsest such partition is found by refinement (Hopcroft 1971; Larsen and Skou 1991 with probabilities), from one
class, as long as the number of classes grows.

*Sound.* Let the root of a graph be bisimilar to that of its mirror. Whatever a player does in one, by any strategy,
they can do in the other: each move of one is answered by an edge to the same class, each draw comes to a class equally
often, and so two plays go through the same classes, earn the same and end alike or both never. So both roots have the
same value v, which such games have (Shapley 1953; Everett 1957; Mertens and Neyman 1981). But the mirror's value for
its first player is what the second one gets in the game, the sum less v. So v is half of the sum. What a play pays that
never ends must be the same for both, or make no difference, as where the rules do not say it and yet the value is
known.

Cost: a pass over all edges for each time that the number of classes grows; it is given up after some.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable
from fractions import Fraction
from typing import Final

from zermelo.interpreter.machine import Payoff
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.positions.graph.graph import PAYS, ROOT, PositionGraph
from zermelo.solvers.positions.rounds.rounds import begins_round, earned_before, round_at

_MOST: Final = 3_000_000
"""How many edges are looked at, in all passes together."""


def is_own_mirror(graph: PositionGraph, limits: Limits) -> bool:
    """Whether the root is found to be bisimilar to that of the mirror, in a game of two players. Raises
    ``ZermeloError`` (``out-of-time``)."""
    if graph.endless is not None and graph.endless[0] != graph.endless[1] and graph.discount == 1:
        return False
    positions = [p for p in range(len(graph)) if not graph.is_within_round(p)]
    views = [(p, side) for p in positions for side in (0, 1)]
    classes: dict[tuple[int, int], int] = dict.fromkeys(views, 0)
    count, looked = 1, 0
    while classes[ROOT, 0] == classes[ROOT, 1]:
        limits.check({"nodes": len(graph)})
        looked += 2 * len(graph.targets)
        if looked > _MOST:
            return False
        numbers: dict[Hashable, int] = {}
        classes = {
            (p, side): numbers.setdefault((classes[p, side], _seen(graph, classes, p, side)), len(numbers))
            for p, side in views
        }
        if len(numbers) == count:
            return True
        count = len(numbers)
    return False


def _seen(graph: PositionGraph, classes: dict[tuple[int, int], int], position: int, side: int) -> Hashable:
    """What tells a position from those of other classes; with the players exchanged if ``side`` is 1."""

    def brought(edge: int, before: Payoff) -> Hashable:
        reward = tuple(a + b for a, b in zip(before, graph.reward(edge), strict=True))
        return reward[::-1] if side else reward, classes[graph.targets[edge], side]

    kind, nothing = graph.kinds[position], (Fraction(0),) * 2
    if kind <= PAYS:
        payoff = graph.payoff(position)
        return "end", payoff[::-1] if side else payoff
    edges = graph.edges(position)
    if kind < 0:
        assert graph.weights is not None, "chance draws"
        total = sum(graph.weights[edge] for edge in edges)
        chances = defaultdict[Hashable, Fraction](Fraction)
        for edge in edges:
            chances[brought(edge, nothing)] += Fraction(graph.weights[edge], total)
        return "chance", frozenset(chances.items())
    if not begins_round(graph, position):
        return 1 - kind if side else kind, frozenset(brought(edge, nothing) for edge in edges)
    round = round_at(graph, position)
    return "round", frozenset(
        (
            frozenset((1 - player if side else player, k) for player, k in zip(round.choosers, chosen, strict=True)),
            brought(path[-1], earned_before(graph, path)),
        )
        for path, chosen in zip(round.paths, round.choices(), strict=True)
    )
