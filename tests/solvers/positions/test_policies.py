"""Policies bring about what they say: each position is worth what the advised moves bring on average."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest
from random_cases import seeds
from random_games.circling import write_circling
from reaching import reached
from referee.exploring import explored

import zermelo
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.machine import END
from zermelo.solvers.positions.graph.graph import PAYS, PositionGraph

REFUSALS = {"needs-endless", "earns-for-ever", "needs-one-number", "no-solver"}

TIE = """\
game "Tie"
players Ann, Bob, Cy
start at first
phase first:
    turn Ann:
        move leave_it_to_bob: go second
        move stop: end payoff (1, 1, 1)
phase second:
    turn Bob:
        move low: end payoff (0, 2, 0)
        move high: end payoff (3, 2, 5)
        move low_again: end payoff (0, 2, 0)
"""


def test_a_tie_is_broken_as_the_value_says() -> None:
    """If Bob, to whom it is all the same, was not sure to take a low move, Ann would rather leave it to them."""
    solution = zermelo.solve(zermelo.loads(TIE), "positions")
    assert solution.value == (1, 1, 1) and solution.policy is not None
    ann, bob = solution.policy
    assert [str(move) for move in ann.best] == ["stop"]
    assert [str(move) for move in bob.best] == ["low", "low_again"]


@pytest.mark.parametrize("seed", seeds(150))
def test_advised_moves_bring_the_payoffs(seed: int) -> None:
    """In games of all kinds: the payoffs of all players are the mean of what is behind the advised moves, so that where
    plays end they are what these bring about."""
    random = Random(seed)
    aim = random.choice(("alone", "against", "common", "any", "any"))
    try:
        game = zermelo.loads(write_circling(random, aim, random.random() < 0.5, False))
    except ZermeloError as error:
        assert error.code == "phase-without-exit"
        return
    try:
        solution = zermelo.solve(game, "positions")
    except ZermeloError as error:
        assert error.code in REFUSALS
        return
    assert solution.policy is not None
    graph, states = explored(game.reference)
    number = {game.reference.position(state): p for p, state in enumerate(states) if game.reference.actor(state) != END}
    payoffs: dict[int, tuple[Fraction, ...]] = {
        p: tuple(graph.payoff(p)) for p, kind in enumerate(graph.kinds) if kind <= PAYS
    }
    advised = {}
    for advice in solution.policy:
        state = reached(game.reference, game.searching.play(advice.state))
        p = number[game.reference.position(state)]
        if advice.payoff is not None:
            payoffs[p], advised[p] = advice.payoff, advice.chances
    for p, chances in advised.items():
        assert sum(chances) == 1
        behind = [(graph.firsts[p] + k, chance) for k, chance in enumerate(chances) if chance]
        for edge, _ in behind:
            brought = through(graph, payoffs, p, edge)
            assert brought is None or brought == payoffs[p]


def through(
    graph: PositionGraph, payoffs: dict[int, tuple[Fraction, ...]], p: int, edge: int
) -> tuple[Fraction, ...] | None:
    """What an edge brings all players, through draws of chance; None if these can come again, or have no number."""

    def worth(q: int, depth: int) -> tuple[Fraction, ...] | None:
        if q in payoffs:
            return payoffs[q]
        if graph.kinds[q] >= 0 or depth > len(graph):
            return None
        total = [Fraction(0)] * len(graph.players)
        for share, e in zip(graph.probabilities(q), graph.edges(q), strict=True):
            part = one(q, e, depth + 1)
            if part is None:
                return None
            total = [so_far + share * more for so_far, more in zip(total, part, strict=True)]
        return tuple(total)

    def one(q: int, e: int, depth: int) -> tuple[Fraction, ...] | None:
        behind = worth(graph.targets[e], depth)
        if behind is None:
            return None
        return tuple(r + graph.factor(q, e) * b for r, b in zip(graph.reward(e), behind, strict=True))

    return one(p, edge, 0)
