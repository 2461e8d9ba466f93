"""Dobutsu shogi, its rules written a second time. The whole game has 246,803,167 positions (Tanaka, 2009)."""

from __future__ import annotations

from pathlib import Path

import pytest
from second_program import Node, Position, agree_at_random, choice, end, levels
from solving import solve

import zermelo
from zermelo.solvers.common.limits import Limits

BEGINNING = (0, "ELG.C..c.gle", "")
"""Who is to move, the board from a1 to c4 with Sky's pieces in lower case, and the pieces in hand, in order."""

WAYS = {
    "L": [(i, j) for i in (-1, 0, 1) for j in (-1, 0, 1) if (i, j) != (0, 0)],
    "G": [(0, 1), (1, 0), (0, -1), (-1, 0)],
    "E": [(1, 1), (1, -1), (-1, 1), (-1, -1)],
    "C": [(0, 1)],
    "H": [(0, 1), (1, 0), (0, -1), (-1, 0), (1, 1), (-1, 1)],
}
KINDS = {"G": "giraffe", "E": "elephant", "C": "chick"}


def name(square: int) -> str:
    return f"{'abc'[square % 3]}{square // 3 + 1}"


def reached(board: str, square: int) -> list[int]:
    """The squares where the piece on a square may go or take, whose ever turn it is."""
    piece = board[square]
    ahead = 1 if piece.isupper() else -1
    found = []
    for i, j in WAYS[piece.upper()]:
        x, y = square % 3 + i, square // 3 + ahead * j
        to = 3 * y + x
        if x in range(3) and y in range(4) and (board[to] == "." or board[to].isupper() != piece.isupper()):
            found.append(to)
    return found


def node(position: Position) -> Node:
    player, board, hand = position
    if board in ("0", "1"):
        return end(1 if board == "0" else -1)
    mine, side = (str.isupper, str.upper) if player == 0 else (str.islower, str.lower)
    last = range(9, 12) if player == 0 else range(3)
    won = (player, str(player), "")
    moves = {}
    for origin in range(12):
        if not mine(board[origin]):
            continue
        for to in reached(board, origin):
            piece, taken = board[origin], board[to].upper()
            if piece in "Cc" and to in last:
                piece = side("H")
            after = list(board)
            after[origin], after[to] = ".", piece
            there = "".join(after)
            is_safe = not any(there[s] != "." and not mine(there[s]) and to in reached(there, s) for s in range(12))
            if taken == "L" or (piece in "Ll" and to in last and is_safe):
                result = won
            else:
                prisoner = {".": "", "H": "C"}.get(taken, taken)
                result = (1 - player, there, "".join(sorted(hand + side(prisoner))))
            moves[f"go_to({name(origin)}, {name(to)})"] = result
    for piece in set(filter(mine, hand)):
        for to in range(12):
            if board[to] == ".":
                there = board[:to] + piece + board[to + 1 :]
                moves[f"put({KINDS[piece.upper()]}, {name(to)})"] = (1 - player, there, hand.replace(piece, "", 1))
    return choice(("Forest", "Sky")[player], moves)


def test_the_plays_are_as_many_as_those_of_the_second_program(start):
    play = start("dobutsu_shogi")
    assert [play.count(length) for length in range(1, 5)] == levels(node, BEGINNING, 4)


def test_random_plays_follow_the_second_program(start):
    agree_at_random(start("dobutsu_shogi"), node, BEGINNING, plays=25)


def test_a_hen_is_a_chick_again_when_it_is_caught(start):
    play = start("dobutsu_shogi").then("go_to(b2, b3)", "go_to(b4, b3)", "put(chick, a3)", "go_to(b3, b4)")
    play = play.then("go_to(a3, a4)")
    assert board(play)["a4"] == "(Forest, hen)"
    play = play.then("go_to(b4, a4)")
    in_hand = {tuple(map(str, seen.indices)): seen.value for seen in play.machine.view(play.state, 0)}
    assert in_hand["Sky", "chick"] == 2


@pytest.mark.parametrize(("giraffe", "winner"), [("b4", "Sky"), ("b3", "Forest")])
def test_a_lion_wins_on_the_last_rank_unless_it_is_caught_there(giraffe, winner):
    text = f"""
setup:
    board := layout
        "..."
        "L.."
        "..."
        "..l"
    board[{giraffe}] := (Sky, giraffe)
start at play(Forest)
"""
    state = zermelo.load_position("dobutsu_shogi", text).initial.after("go_to(a3, a4)")
    if winner == "Sky":
        assert state.actor == "Sky"
        state = state.after("go_to(b4, a4)")
    assert state.payoff == ((1, -1) if winner == "Forest" else (-1, 1))


def board(play) -> dict[str, str]:
    shown = play.machine.view(play.state, 0)
    return {str(seen.indices[0]): str(seen.value) for seen in shown if seen.variable == "board"}


# The end of a game of dobutsu shogi in which both sides play best.
#
# The second player wins after 78 plies (Tanaka, "An analysis of a board game Doubutsu Shogi", 2009). This is one such
# game by a table of all positions, clausecker/dobutsu, as brianhliou/dobutsu-shogi has published it
# (data/perfect-game.txt); the ranks are counted from the other side here.


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
