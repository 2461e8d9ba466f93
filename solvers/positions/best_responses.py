"""Best responses to policies, position by position.

Against others who follow policies a player is alone with chance. So a best response is found by the algorithms for such
games (:mod:`~zermelo.solvers.positions.solving`), in circles too, and takes every position once, however many plays
lead to it. If the player follows a policy as well, the same algorithms find what it brings. Only the payoff of one
player is looked at, so it does not matter what the others want.

A policy names no more than the position, and a best response needs to know no more: what the others do depends on
nothing else. That takes a game in which everybody knows the position at every decision, but for what others choose at
that moment.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import prod
from typing import Any

from attrs import frozen

from zermelo.solvers.common.limits import Limits
from zermelo.solvers.common.numbers import over_one_denominator
from zermelo.solvers.positions.answering import explain_refusal
from zermelo.solvers.positions.graph.graph import DRAWS, PAYS, ROOT, EarnsForEver, NeedsEndless, PositionGraph
from zermelo.solvers.positions.solved_positions import Guide
from zermelo.solvers.positions.solving import solve
from zermelo.solvers.positions.stochastic_games.matrix_rounds import Path, Round, earned_before, round_at

# The game that is left to one player, where the others follow policies.
#
# A policy says with what probabilities moves are made in each position; so the decisions of the others become draws of
# chance, and the graph that is left has a single player. Where players choose at once, the player chooses first, and
# then the others' choices are drawn together: what they choose does not depend on the player's choice, and the player
# has not perceived theirs. If the player follows a policy as well, nobody is left who chooses.
#
# A discount is taken off by decisions, and not by draws. So with a discount d a decision of the others stays one, with
# a single choice that leads to the draw. What a decision earns by itself, and what it pays if it ends the play, counts
# in full, but here it stands behind the discount. So the edges of the draw earn more: r / d for r, since d (r / d + v)
# is r + d v where the position behind is worth v; and (1 - d) a / d more where an end pays a, since r + a is
# d (r / d + (1 - d) a / d + a).
#
# Positions that cannot be reached any more are left out, so that a policy need not say what to do there.
#
# Cost: one draw more for each choice of a round, and for each decision that is discounted.


Chances = Callable[[int], Sequence[Fraction]]
"""The probabilities with which a player makes the moves of a position, in the order of its edges. In a round they are
asked for in the position after the first choices of those who choose before."""

NO_DECISION = -1
"""Instead of a position of the whole game: the player does not decide here."""

_DECIDES = 0
"""The kind of the positions of the only player."""

_CHECK_EVERY = 1024
"""Positions between two checks of the limits."""

_BYTES_OF_POSITION = 500
_BYTES_OF_EDGE = 300
"""What a position and an edge take while the graph is gone through, in lists of Python."""


@frozen(eq=False)
class OneAgainstPolicies:
    """The game that is left, in numbers of its own. ``places`` are the positions of the whole game that its positions
    come from, and ``paths`` are what its edges stand for, nothing before a draw. ``decisions`` are the positions of the
    whole game in which the player decides what is decided here; their edges are in the same order."""

    graph: PositionGraph
    places: list[int]
    paths: list[Path]
    decisions: list[int]


@frozen(eq=False)
class _Edge:
    """An edge: the path through the whole game that it stands for, its weight, and what it earns. ``target`` is the
    position of the whole game that it leads to, or, if it is negative, -k for the k-th draw behind the same position.
    """

    path: Path
    target: int
    weight: int
    reward: Fraction


@frozen(eq=False)
class _Node:
    """A position, or a draw behind it."""

    kind: int
    edges: list[_Edge]
    decision: int = NO_DECISION


def best_response_graph(
    graph: PositionGraph, payee: int, is_free: bool, chances: Chances, limits: Limits
) -> OneAgainstPolicies:
    """What is left of a game to the ``payee``, whose payoff alone is looked at, against others who move as ``chances``
    say; the payee does so, too, unless ``is_free``.

    Raises ``ZermeloError``: ``moves-differ``, ``out-of-memory``, ``out-of-time``, and what ``chances`` raises."""
    limits.require(_BYTES_OF_POSITION * len(graph) + _BYTES_OF_EDGE * len(graph.targets), "a best response")
    reduction = _Reduction(graph, payee, payee if is_free else None, chances)
    found: dict[int, list[_Node]] = {}
    waiting = [ROOT]
    while waiting:
        position = waiting.pop()
        if position in found:
            continue
        if len(found) % _CHECK_EVERY == 0:
            limits.check({"nodes": len(found)})
        found[position] = reduction.nodes(position)
        waiting += (edge.target for node in found[position] for edge in node.edges if edge.target >= 0)
    return _write_graph(graph, payee, found)


@frozen(eq=False)
class _Reduction:
    """Turns positions of the whole game into those that are left. ``free`` is the player who chooses, None if nobody
    does."""

    graph: PositionGraph
    payee: int
    free: int | None
    chances: Chances

    def nodes(self, position: int) -> list[_Node]:
        """The position, and the draws behind it."""
        graph = self.graph
        kind, edges = graph.kinds[position], graph.edges(position)
        if kind <= PAYS:
            return [_Node(kind, [])]
        if kind == DRAWS:
            assert graph.weights is not None, "chance draws"
            return [_Node(DRAWS, [self._edge((edge,), graph.weights[edge]) for edge in edges])]
        round = round_at(graph, position)
        if self.free in round.choosers:
            return self._choice_nodes(round, round.choosers.index(self.free))
        drawn = self._draws_of_others(round, None)
        return [_Node(DRAWS, drawn[0])] if graph.discount == 1 else self._choice_among_draws(drawn, NO_DECISION)

    def _choice_nodes(self, round: Round, mine: int) -> list[_Node]:
        """The nodes where the player chooses, the ``mine``-th in the round, and others perhaps at the same moment."""
        if len(round.choosers) == 1:
            edges = [self._edge(path, 1) for path in round.paths]
            return [_Node(_DECIDES, edges, round.position)]
        return self._choice_among_draws(self._draws_of_others(round, mine), self._place(round, mine))

    def _choice_among_draws(self, drawn: list[list[_Edge]], decision: int) -> list[_Node]:
        """A choice among draws."""
        choice = [_Edge((), -k, 1, Fraction(0)) for k in range(1, len(drawn) + 1)]
        behind = [_Node(DRAWS, [self._undo_discount(edge) for edge in edges]) for edges in drawn]
        return [_Node(_DECIDES, choice, decision), *behind]

    def _draws_of_others(self, round: Round, mine: int | None) -> list[list[_Edge]]:
        """The draws of what the others choose, one for each choice of the ``mine``-th in the round."""
        weights = [
            [1] * count if k == mine or count == 1 else over_one_denominator(self.chances(self._place(round, k)))[0]
            for k, count in enumerate(round.counts)
        ]
        draws: list[list[_Edge]] = [[] for _ in range(1 if mine is None else round.counts[mine])]
        for path, chosen in zip(round.paths, round.choices(), strict=True):
            weight = prod(weights[k][choice] for k, choice in enumerate(chosen))
            if weight:
                draws[0 if mine is None else chosen[mine]].append(self._edge(path, weight))
        return draws

    def _place(self, round: Round, k: int) -> int:
        """Where the k-th in a round chooses, after the first choices of those before."""
        return self.graph.targets[round.paths[0][k - 1]] if k else round.position

    def _edge(self, path: Path, weight: int) -> _Edge:
        earned = earned_before(self.graph, path)[self.payee] + self.graph.reward(path[-1])[self.payee]
        return _Edge(path, self.graph.targets[path[-1]], weight, earned)

    def _undo_discount(self, edge: _Edge) -> _Edge:
        """An edge behind the discount of its decision, earning so much more that nothing of it is discounted."""
        graph, factor = self.graph, self.graph.discount
        is_over = graph.kinds[edge.target] <= PAYS
        pays = graph.payoff(edge.target)[self.payee] if is_over else Fraction(0)
        return _Edge(edge.path, edge.target, edge.weight, (edge.reward + (1 - factor) * pays) / factor)


def _write_graph(graph: PositionGraph, payee: int, found: dict[int, list[_Node]]) -> OneAgainstPolicies:
    """The positions as arrays, in their order, so that edges lead to higher numbers where they did."""
    places = [place for place in sorted(found) for _ in found[place]]
    nodes = [node for place in sorted(found) for node in found[place]]
    numbers = {place: number for number, place in reversed(list(enumerate(places)))}
    amounts = [payoff[payee] for payoff in graph.amounts]
    known = {amount: k for k, amount in reversed(list(enumerate(amounts)))}
    firsts, targets, weights, rewards, paths = [0], list[int](), list[int](), list[int](), list[Path]()
    for place, node in zip(places, nodes, strict=True):
        for edge in node.edges:
            if edge.reward not in known:
                known[edge.reward] = len(amounts)
                amounts.append(edge.reward)
            targets.append(numbers[edge.target] if edge.target >= 0 else numbers[place] - edge.target)
            weights.append(edge.weight)
            rewards.append(known[edge.reward])
            paths.append(edge.path)
        firsts.append(len(targets))
    left = PositionGraph(
        players=(graph.players[payee],),
        kinds=[node.kind for node in nodes],
        firsts=firsts,
        targets=targets,
        weights=weights,
        rewards=rewards if any(rewards) else None,
        amounts=[(amount,) for amount in amounts],
        discount=graph.discount,
        endless=None if graph.endless is None else (graph.endless[payee],),
        rises=graph.rises,
    )
    return OneAgainstPolicies(left, places, paths, [node.decision for node in nodes])


@frozen(eq=False)
class Response:
    """What a player gets at the root, to within ``error``, which is 0 where it is exact. ``made[p]`` is the edge that
    the player takes in position p, for the positions of theirs that are met then; of a round it is the position after
    the first choices of those who choose before."""

    value: Fraction
    error: Fraction
    made: dict[int, int]


def response(guide: Guide[Any], payee: int, is_free: bool, chances: Chances, facts: Any, limits: Limits) -> Response:
    """What the ``payee`` gets from the root on against others who move as ``chances`` say: by a best response if
    ``is_free``, or else by these chances as well.

    Raises ``ZermeloError``: ``needs-endless``, ``earns-for-ever``, ``moves-differ``, ``out-of-memory``,
    ``out-of-time``, and what ``chances`` raises."""
    left = best_response_graph(guide.graph, payee, is_free, chances, limits)
    graph = left.graph
    try:
        solved = solve(graph, limits)
    except NeedsEndless as refusal:
        play = tuple(edge for taken in refusal.play for edge in left.paths[taken])
        raise explain_refusal(NeedsEndless(left.places[refusal.position], play), guide, facts) from None
    except EarnsForEver as refusal:
        raise explain_refusal(EarnsForEver(left.paths[refusal.edge][-1]), guide, facts) from None
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
