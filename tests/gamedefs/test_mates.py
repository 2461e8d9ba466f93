"""Chess problems and combinations from games, proved by df-pn and, independently, by python-chess."""

from __future__ import annotations

import re

import chess
import pytest

import zermelo
from interpreter.native.machine import python_machine
from solvers.solving import solve

MATES = [
    # Morphy's problem, 1856
    ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 2, "python"),
    # Morphy against Duke Karl and Count Isouard, Paris 1858
    ("4kb1r/p2n1ppp/4q3/4p1B1/4P3/1Q6/PPP2PPP/2KR4 w k - 0 1", 2, "reference"),
    # smothered, after Lucena, 1497
    ("1r5k/6pp/7N/8/2Q5/8/8/6K1 w - - 0 1", 2, "python"),
    # Anastasia's mate, after Heinse, 1803
    ("5r1k/1b2Nppp/8/2R5/4Q3/8/5PPP/6K1 w - - 0 1", 2, "python"),
    # Réti against Tartakower, Vienna 1910
    ("rnb1kb1r/pp3ppp/2p5/4q3/4n3/3Q4/PPPB1PPP/2KR1BNR w kq - 0 9", 3, "python"),
    # Anderssen against Dufresne, Berlin 1852: the evergreen game
    ("1r2k1r1/pbppnp1p/1b3P2/8/Q7/B1PB1q2/P4PPP/3R2K1 w - - 0 21", 4, "python"),
]


def position_of(board: chess.Board) -> str:
    """The position as Zermelo reads it."""
    rows = str(board).replace(" ", "").splitlines()
    rights = [
        f"    may_castle[{player}, {wing}] := {str(has(color)).lower()}"
        for color, player in ((chess.WHITE, "White"), (chess.BLACK, "Black"))
        for has, wing in (
            (board.has_queenside_castling_rights, "queen_side"),
            (board.has_kingside_castling_rights, "king_side"),
        )
    ]
    mover = "White" if board.turn else "Black"
    layout = [f'        "{row}"' for row in rows]
    return "\n".join(["setup:", "    board := layout", *layout, *rights, f"start at play({mover})", ""])


def push(board: chess.Board, move) -> None:
    squares = re.findall(r"[a-h][1-8]", str(move))
    board.push(chess.Move.from_uci("".join(squares)))


def is_mate_in(board: chess.Board, moves: int) -> bool:
    """Whether the one to move mates within so many moves, the longer ones with checks alone."""
    for move in list(board.legal_moves):
        if (moves == 1 or moves > 2) and not board.gives_check(move):
            continue
        board.push(move)
        replies = list(board.legal_moves)
        found = board.is_checkmate() or (moves > 1 and bool(replies) and all(_loses(board, r, moves) for r in replies))
        board.pop()
        if found:
            return True
    return False


def _loses(board: chess.Board, reply: chess.Move, moves: int) -> bool:
    board.push(reply)
    loses = is_mate_in(board, moves - 1)
    board.pop()
    return loses


@pytest.mark.parametrize(("fen", "moves", "where"), MATES)
def test_mates(fen, moves, where):
    board = chess.Board(fen)
    assert is_mate_in(board.copy(), moves)
    assert not any(is_mate_in(board.copy(), fewer) for fewer in range(1, moves))
    game = zermelo.load_position("chess", position_of(board))
    machine = game.reference if where == "reference" else python_machine(game.model)
    found = solve(machine, game.facts, "dfpn")
    assert found.exact
    assert found.value == (1, -1)
    for move in found.line:
        push(board, move)
    assert board.is_checkmate()
