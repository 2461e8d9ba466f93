"""Best responses to policies, position by position.

Against others who follow policies a player is alone with chance (:mod:`.one_against_policies`). So a best response is
found by the algorithms for such games (:mod:`~zermelo.solvers.positions.solving`), in circles too, and takes every
position once, however many plays lead to it; if the player follows a policy as well, the same gives what it brings.
Only the payoff of one player is looked at, so it does not matter what the players want.

A policy names no more than the position, and a best response needs to know no more: what the others do depends on
nothing else. That takes a game in which everybody knows the position at every decision, but for what others choose at
that moment.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from attrs import frozen

from zermelo.solvers.common.limits import Limits
from zermelo.solvers.positions.answering import in_words
from zermelo.solvers.positions.graph.graph import ROOT
from zermelo.solvers.positions.graph.refusals import EarnsForEver, NeedsEndless
from zermelo.solvers.positions.one_against_policies import NO_DECISION, Chances, left_to
from zermelo.solvers.positions.playing import Guide
from zermelo.solvers.positions.solving import solve


@frozen(eq=False)
class Response:
    """What a player gets at the root, to within ``error``, which is 0 where it is exact. ``made[p]`` is the edge that
    the player takes in position p, for the positions of theirs that are met then; of a round it is the position after
    the first choices of those who choose before."""

    value: Fraction
    error: Fraction
    made: dict[int, int]


def response(guide: Guide[Any], payee: int, is_free: bool, chances: Chances, facts: Any, limits: Limits) -> Response:
    """What the ``payee`` gets from the root on against others who move as ``chances`` say: by a best response, if they
    are free to choose, or else by these chances as well.

    Raises ``ZermeloError``: ``needs-endless``, ``earns-for-ever``, ``moves-differ``, ``out-of-memory``,
    ``out-of-time``, and what ``chances`` raises."""
    left = left_to(guide.graph, payee, is_free, chances, limits)
    graph = left.graph
    try:
        solved = solve(graph, limits)
    except NeedsEndless as refusal:
        play = tuple(edge for taken in refusal.play for edge in left.paths[taken])
        raise in_words(NeedsEndless(left.places[refusal.position], play), guide, facts) from None
    except EarnsForEver as refusal:
        raise in_words(EarnsForEver(left.paths[refusal.edge][-1]), guide, facts) from None
    payoff, bounds = solved.payoff(ROOT), solved.bounds(ROOT)
    assert payoff is not None, "the root has a value, or the game has been refused"
    made: dict[int, int] = {}
    waiting, met = [ROOT], {ROOT}
    while waiting:
        position = waiting.pop()
        taken: Sequence[int] = graph.edges(position)
        decision = left.decisions[position]
        if decision != NO_DECISION:
            taken = solved.best(position)[:1]
            made[decision] = guide.graph.edges(decision)[taken[0] - graph.firsts[position]]
        new = {graph.targets[edge] for edge in taken} - met
        met |= new
        waiting += new
    return Response(payoff[0], Fraction(0) if bounds is None else (bounds[1] - bounds[0]) / 2, made)
