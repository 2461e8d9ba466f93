"""Whether plays pay different amounts.

What a play pays is ``earned + factor * rest``: what has been earned when it comes to a position, the product of the
discounts before it, and what the rest brings. Each position gets the first two from a shortest play to it. Let T be
what the first play found pays that ends.

*All plays that end pay T if and only if every edge says so.* If they do, each position p from which a play can end has
one rest, ``R(p) = (T - earned(p)) / factor(p)``; at an end it is what that pays, and along an edge ``R(p) = reward +
factor * R(target)``. Conversely, if all of this holds, every rest is what it says, from the ends backwards. If an edge
breaks it, go to p, take the edge, and go on to an end: either that does not pay T, or the shortest play to its target
with the same rest does not.

*Plays that never end.* With a discount on the way round one pays what the rest of its positions says, if an end can be
reached from these (the factors go to 0, and there are finitely many rests), and else what it has earned and will earn.
Without one, and if nothing is earned in the circle, it pays what it has earned and what ``endless`` says. Where
something is earned in the circle, or on the way to one from which no play ends, no answer is given.

Cost: a look at each edge, at most, until a difference is found.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction

from zermelo.interpreter.machine import Payoff
from zermelo.solvers.positions.graph.graph import PAYS, ROOT, PositionGraph

Label = tuple[Payoff, Fraction]
"""What has been earned, and the product of the discounts."""


def pays_different_amounts(graph: PositionGraph, circles: Sequence[Iterable[int]]) -> bool | None:
    """Whether two plays pay different amounts, of those that lead through a graph, which may be a part of a game; the
    ``circles`` are its components that plays go round in. None if no play is known to pay anything, or the rules do not
    say what a play pays that never ends, though all others pay the same."""
    paid = _Paid(graph)
    total = None
    for position, _ in paid.labels():
        if graph.kinds[position] <= PAYS:
            found = paid.total(position, graph.payoff(position))
            if total is not None and found != total:
                return True
            total = found
    ending = _from_which_plays_end(graph, paid.by_position) if circles or not is_plain(graph) else set[int]()
    if total is not None and not is_plain(graph) and _breaks(paid, total, ending):
        return True
    answer: bool | None = None if total is None else False
    for circle in circles:
        for amount in _endless(paid, set(circle), ending):
            if amount is None:
                return None
            if total is not None and amount != total:
                return True
            total, answer = amount, False
    return answer


def is_plain(graph: PositionGraph) -> bool:
    """Whether a play that ends pays what its end does, and nothing else."""
    return graph.rewards is None and graph.discount == 1


class _Paid:
    """The labels of the positions of a graph."""

    def __init__(self, graph: PositionGraph) -> None:
        self.graph = graph
        nothing = (Fraction(0),) * len(graph.players)
        self.by_position: dict[int, Label] = {ROOT: (nothing, Fraction(1))}

    def labels(self) -> Iterator[tuple[int, Label]]:
        """Label the positions that can be reached, breadth first."""
        waiting = [ROOT]
        while waiting:
            further = []
            for position in waiting:
                yield position, self.by_position[position]
                for edge in self.graph.edges(position):
                    target = self.graph.targets[edge]
                    if target not in self.by_position:
                        self.by_position[target] = self.after(position, edge)
                        further.append(target)
            waiting = further

    def after(self, position: int, edge: int) -> Label:
        earned, factor = self.by_position[position]
        reward = self.graph.reward(edge)
        amounts = tuple(a + factor * b for a, b in zip(earned, reward, strict=True))
        return amounts, factor * self.graph.factor(position, edge)

    def total(self, position: int, rest: Payoff) -> Payoff:
        earned, factor = self.by_position[position]
        return tuple(a + factor * b for a, b in zip(earned, rest, strict=True))


def _breaks(paid: _Paid, total: Payoff, ending: set[int]) -> bool:
    """Whether an edge shows that a play pays something else than all plays found so far."""
    graph = paid.graph
    for position in paid.by_position:
        for edge in graph.edges(position):
            target = graph.targets[edge]
            if target in ending and paid.after(position, edge) != paid.by_position[target]:
                earned, factor = paid.by_position[target]
                rest = tuple((t - a) / factor for t, a in zip(total, earned, strict=True))
                amounts, shrunk = paid.after(position, edge)
                if tuple(a + shrunk * b for a, b in zip(amounts, rest, strict=True)) != total:
                    return True
    return False


def _from_which_plays_end(graph: PositionGraph, reached: Iterable[int]) -> set[int]:
    before: dict[int, list[int]] = {}
    found, waiting = set[int](), list[int]()
    for position in reached:
        if graph.kinds[position] <= PAYS:
            found.add(position)
            waiting.append(position)
        for edge in graph.edges(position):
            before.setdefault(graph.targets[edge], []).append(position)
    while waiting:
        for position in before.get(waiting.pop(), ()):
            if position not in found:
                found.add(position)
                waiting.append(position)
    return found


def _endless(paid: _Paid, circle: set[int], ending: set[int]) -> Iterator[Payoff | None]:
    """What plays pay that stay in a circle for ever: an amount for each of its positions to which they come; None if
    that is not said, or not found."""
    graph = paid.graph
    for position in circle & paid.by_position.keys():
        edges = [edge for edge in graph.edges(position) if graph.targets[edge] in circle]
        earns = any(any(graph.reward(edge)) for edge in edges)
        if earns or (graph.rewards is not None and position not in ending):
            yield None
        elif graph.discount < 1:
            yield paid.by_position[position][0]
        else:
            yield None if graph.endless is None else paid.total(position, graph.endless)
