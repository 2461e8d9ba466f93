"""Best responses to policies, position by position.

Where all players but one follow policies, which say with what probabilities they make their moves in each position, the
game that is left is one of a single player against chance: their positions become draws of it. So a best response is
found by the algorithms for such games (:mod:`~zermelo.solvers.positions.solving`), in circles too, and takes every
position once, however many plays lead to it; if the last player follows a policy as well, the same gives what it
brings. Only the payoff of one player is looked at, so it does not matter what the players want.

A policy names no more than the position, and a best response needs to know no more: what the others do depends on
nothing else. That takes a game in which everybody knows the position, and no discount, which decisions would take off
and draws do not.

Positions that cannot be reached any more are left out, so that a policy need not say what to do there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from attrs import frozen

from zermelo.solvers.common.limits import Limits
from zermelo.solvers.common.rationals import over_one_denominator
from zermelo.solvers.positions.answering import in_words
from zermelo.solvers.positions.graph.graph import DRAWS, PAYS, ROOT, PositionGraph
from zermelo.solvers.positions.graph.refusals import EarnsForEver, NeedsEndless
from zermelo.solvers.positions.playing import Guide
from zermelo.solvers.positions.solving import solve

Chances = Callable[[int], Sequence[Fraction]]
"""The probabilities with which a player makes the moves of a position, in the order of its edges."""

_CHECK_EVERY = 1024
"""Positions between two checks of the limits."""

_BYTES_OF_POSITION = 400
_BYTES_OF_EDGE = 100
"""What a position and an edge take while the graph is gone through, in lists of Python."""


@frozen(eq=False)
class Response:
    """What a player gets at the root, to within ``error``, which is 0 where it is exact. ``made[p]`` is the edge that
    the player takes in position p, for the positions of theirs that are met then."""

    value: Fraction
    error: Fraction
    made: dict[int, int]


@frozen(eq=False)
class _Left:
    """The game that is left: ``places`` and ``edges`` are the numbers of its positions and edges in the whole one."""

    graph: PositionGraph
    places: list[int]
    edges: list[int]


def response(guide: Guide[Any], payee: int, is_free: bool, chances: Chances, facts: Any, limits: Limits) -> Response:
    """What the ``payee`` gets from the root on against others who move as ``chances`` say: by a best response, if they
    are free to choose, or else by these chances as well.

    Raises ``ZermeloError``: ``needs-endless``, ``earns-for-ever``, ``out-of-memory``, ``out-of-time``, and what
    ``chances`` raises."""
    left = _left(guide.graph, payee, is_free, chances, limits)
    try:
        solved = solve(left.graph, limits)
    except NeedsEndless as refusal:
        play = tuple(left.edges[edge] for edge in refusal.play)
        raise in_words(NeedsEndless(left.places[refusal.position], play), guide, facts) from None
    except EarnsForEver as refusal:
        raise in_words(EarnsForEver(left.edges[refusal.edge]), guide, facts) from None
    payoff, bounds = solved.payoff(ROOT), solved.bounds(ROOT)
    assert payoff is not None, "the root has a value, or the game has been refused"
    made: dict[int, int] = {}
    waiting, met = [ROOT], {ROOT}
    while waiting:
        position = waiting.pop()
        taken: Sequence[int] = left.graph.edges(position)
        if left.graph.kinds[position] >= 0:
            taken = solved.best(position)[:1]
            made[left.places[position]] = left.edges[taken[0]]
        new = {left.graph.targets[edge] for edge in taken} - met
        met |= new
        waiting += new
    return Response(payoff[0], Fraction(0) if bounds is None else (bounds[1] - bounds[0]) / 2, made)


def _left(graph: PositionGraph, payee: int, is_free: bool, chances: Chances, limits: Limits) -> _Left:
    """The game of one player that is left of a game in which all positions are known."""
    limits.require(_BYTES_OF_POSITION * len(graph) + _BYTES_OF_EDGE * len(graph.targets), "a best response")
    taken: dict[int, list[tuple[int, int]]] = {}
    waiting = [ROOT]
    while waiting:
        position = waiting.pop()
        if position in taken:
            continue
        if len(taken) % _CHECK_EVERY == 0:
            limits.check({"nodes": len(taken)})
        taken[position] = _weighted(graph, position, is_free and graph.kinds[position] == payee, chances)
        waiting += (graph.targets[edge] for edge, _ in taken[position])
    places = sorted(taken)  # so that edges lead to higher numbers where they did
    numbers = {place: number for number, place in enumerate(places)}
    firsts = [0]
    edges, weights = list[int](), list[int]()
    for place in places:
        edges += (edge for edge, _ in taken[place])
        weights += (weight for _, weight in taken[place])
        firsts.append(len(edges))
    return _Left(
        PositionGraph(
            players=(graph.players[payee],),
            kinds=[
                kind if kind <= PAYS else 0 if is_free and kind == payee else DRAWS
                for kind in (graph.kinds[place] for place in places)
            ],
            firsts=firsts,
            targets=[numbers[graph.targets[edge]] for edge in edges],
            weights=weights,
            rewards=None if graph.rewards is None else [graph.rewards[edge] for edge in edges],
            amounts=[(payoff[payee],) for payoff in graph.amounts],
            endless=None if graph.endless is None else (graph.endless[payee],),
            rises=graph.rises,
        ),
        places,
        edges,
    )


def _weighted(graph: PositionGraph, position: int, is_free: bool, chances: Chances) -> list[tuple[int, int]]:
    """The edges of a position that are possible, with their weights."""
    edges = graph.edges(position)
    if graph.kinds[position] == DRAWS:
        assert graph.weights is not None, "chance draws"
        return [(edge, graph.weights[edge]) for edge in edges]
    if is_free or len(edges) < 2:  # at an end there are none
        return [(edge, 1) for edge in edges]
    weights, _ = over_one_denominator(chances(position))
    return [(edge, weight) for edge, weight in zip(edges, weights, strict=True) if weight]
