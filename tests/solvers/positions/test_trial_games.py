"""Small games that once cost hundreds of millions of nodes, or were refused since their plays can go round."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest
from referee.exploring import explored
from referee.positions import Node, numbers, read

import zermelo

TRIAL = Path(__file__).parents[2] / "trial" / "positions"


def by_recursion(nodes: list[Node], wants: tuple[int, ...]) -> Fraction:
    """The number of the root, if no play comes back."""

    @cache
    def number(position: int) -> Fraction:
        node = nodes[position]
        if node.is_end:
            return node.payoff[0]
        worths = [step.earned + step.factor * number(step.target) for step in node.steps]
        if node.player is None:
            return sum((step.chance * worth for step, worth in zip(node.steps, worths, strict=True)), Fraction(0))
        return max(worths) if wants[node.player] == 1 else min(worths)

    return number(0)


@pytest.mark.parametrize(("name", "wants", "most"), [("walk1", (1,), 400), ("walk2", (1, -1), 300)])
def test_walks_have_few_positions(name: str, wants: tuple[int, ...], most: int) -> None:
    game = zermelo.load(TRIAL / f"{name}.game")
    graph, _ = explored(game.reference)
    solution = zermelo.solve(game)
    assert solution.solver == "positions" and solution.exact
    assert solution.value[0] == by_recursion(read(graph), wants)
    assert solution.counts["nodes"] < most


@pytest.mark.parametrize("name", ["endless2", "disc"])
def test_games_that_go_round_have_values(name: str) -> None:
    game = zermelo.load(TRIAL / f"{name}.game")
    graph, _ = explored(game.reference)
    assert zermelo.solve(game).value[0] == numbers(graph, (1, -1))[0]


@pytest.mark.parametrize(
    "solver", ["minimax", "alphabeta", "alphabeta_table", "enhanced_alphabeta", "dfpn", "mtdf", "positions", None]
)
def test_solvers_agree_about_a_walk_that_may_not_come_back(solver):
    """From node 0 Ann goes to 3, from where no way leads on: Bob has lost."""
    solution = zermelo.solve(zermelo.load(TRIAL.parent / "best" / "bad2_1.game"), solver)
    assert solution.value == (1, -1)
    assert list(map(str, solution.best)) == ["to(3)"]
