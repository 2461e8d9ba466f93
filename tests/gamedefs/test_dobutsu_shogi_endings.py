"""The end of a game of dobutsu shogi in which both sides play best.

The second player wins after 78 plies (Tanaka, "An analysis of a board game Doubutsu Shogi", 2009). This is one such
game by a table of all positions, clausecker/dobutsu, as brianhliou/dobutsu-shogi has published it
(data/perfect-game.txt); the ranks are counted from the other side here."""

from __future__ import annotations

from pathlib import Path

import pytest
from solving import solve

import zermelo
from zermelo.solvers.common.limits import Limits

GAME = """
    b1-a2 a4-a3 a2-b1 b3-b2 a1-b2 c4-b3 b2-a3 b4-a3 giraffe*b2 elephant*c3 b2-b3 a3-b3 elephant*a2 b3-a3 c1-c2 chick*b3
    a2-b3 a3-b3 chick*b2 b3-b4 b1-a2 giraffe*a3 a2-b1 elephant*a2 b1-a1 b4-c4 c2-c1 a2-b3 b2-b3 c4-b3 elephant*c2 b3-a4
    c2-b1 chick*b2 b1-c2 a4-b4 chick*a2 a3-a4 c2-b1 b2-b1 a1-b1 b4-b3 c1-c2 elephant*b2 c2-c3 b3-c3 chick*c2 c3-b3
    elephant*c4 b3-c4 b1-b2 c4-b4 elephant*c3 b4-c4 a2-a3 giraffe*b3 b2-b1 a4-a3 c3-b2 c4-b4 b2-c3 b3-c3 c2-c3 b4-c3
    giraffe*c2 c3-b4 b1-b2 elephant*a2 b2-a1 elephant*b3 a1-b2 b3-c2 b2-c2 chick*c3 c2-b2 giraffe*b1 b2-a3 b4-a3
"""
"""Moves of pieces, and of those that are put back."""


def written(move: str) -> str:
    if "*" in move:
        return f"put({', '.join(move.split('*'))})"
    return f"go_to({', '.join(move.split('-'))})"


@pytest.fixture(scope="module")
def guessing():
    """The game with an estimate that wins nothing: what a search to a depth finds beside it is proved by ends."""
    file = Path(zermelo.__file__).parent / "gamedefs" / "dobutsu_shogi.game"
    return zermelo.loads(f"{file.read_text(encoding='utf-8')}\nestimate for p: 0\n")


def after(game, plies):
    state = game.searching.initial()
    for move in GAME.split()[:plies]:
        (made,) = (each for each in game.searching.moves(state) if str(each) == written(move))
        state = game.searching.after(state, made)
    return state


def test_the_second_player_takes_the_lion_with_the_last_ply(guessing):
    assert len(GAME.split()) == 78
    assert guessing.searching.payoff(after(guessing, 78)) == (-1, 1)


@pytest.mark.parametrize("left", range(1, 11))
@pytest.mark.parametrize("solver", ["principal_variation", "mtdf"])
def test_the_second_player_wins_in_so_many_plies_and_no_sooner(guessing, solver, left):
    root = after(guessing, 78 - left)
    found = solve(guessing.searching, guessing.facts, solver, root=root, limits=Limits(depth=left))
    assert found.value == (-1, 1)
    assert found.exact
    if left > 1:
        sooner = solve(guessing.searching, guessing.facts, solver, root=root, limits=Limits(depth=left - 1))
        assert sooner.value == (0, 0)


@pytest.mark.parametrize("left", [1, 2, 7, 12, 20])
def test_proof_numbers_see_that_the_second_player_wins(left):
    game = zermelo.load("dobutsu_shogi")
    found = solve(game.searching, game.facts, "dfpn", root=after(game, 78 - left))
    assert found.exact
    assert found.value == (-1, 1)
