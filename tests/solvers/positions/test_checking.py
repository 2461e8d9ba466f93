"""Wrong solutions are noticed by their equations."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest
from attrs import evolve

import zermelo
from zermelo.solvers.choosing.verifying import by_equations
from zermelo.solvers.common.limits import Limits, ignore_progress
from zermelo.solvers.positions.graph.graph import DRAWS
from zermelo.solvers.positions.policies import Policy, flaw, same
from zermelo.solvers.positions.solved_positions import SolvedPositions

GAMES = [("pig", {"target": 5}), ("goofspiel", {"open": True}), ("three_player_tree", {}), ("gamblers_ruin", {})]


class Wrong:
    """A solution with another payoff in one position."""

    def __init__(self, solved: SolvedPositions, position: int) -> None:
        self.solved, self.position = solved, position

    def __getattr__(self, name: str):
        return getattr(self.solved, name)

    def payoff(self, position: int):
        payoff = self.solved.payoff(position)
        if position != self.position or payoff is None:
            return payoff
        return (payoff[0] + Fraction(1, 97), *payoff[1:])


@pytest.mark.parametrize(("name", "parameters"), GAMES)
def test_every_wrong_number_has_a_flaw(name, parameters):
    policy = zermelo.solve(zermelo.load(name, **parameters), "positions").policy
    assert isinstance(policy, Policy) and flaw(policy.solved) is None
    known = [p for p in range(len(policy.graph)) if policy.solved.payoff(p) is not None]
    for position in Random(1).sample(known, min(20, len(known))):
        assert flaw(Wrong(policy.solved, position)) is not None


def test_another_graph_is_noticed():
    one = zermelo.solve(zermelo.load("pig", target=4)).policy.graph
    assert same(one, one)
    weights = list(one.weights)
    weights[one.firsts[list(one.kinds).index(DRAWS)]] += 1
    assert not same(one, evolve(one, weights=weights))
    assert not same(one, zermelo.solve(zermelo.load("pig", target=5)).policy.graph)
    assert not same(one, evolve(one, amounts=[tuple(2 * a for a in amount) for amount in one.amounts]))


@pytest.mark.parametrize(("name", "parameters"), GAMES)
def test_solutions_are_confirmed(name, parameters):
    game = zermelo.load(name, **parameters)
    solution = zermelo.solve(game, "positions")

    def look(solution):
        return by_equations(solution, game.reference, game.reference.initial(), Limits(), ignore_progress)

    assert "satisfy their equations" in look(solution).said
    wrong = evolve(solution, value=tuple(amount + 1 for amount in solution.value))
    assert look(wrong).wrong.startswith("its positions are worth (")
