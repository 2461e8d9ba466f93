"""Chess problems and combinations from games, solved by df-pn or to a depth and, independently, by python-chess."""

from __future__ import annotations

import re
from unittest.mock import patch

import chess
import pytest
from all_machines import python_machine
from solving import solve

import zermelo
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.running import path_search

# Every move gives check.
MATES = [
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
    # Damiano, 1512, without a white king, which stands far away here
    ("4qrk1/6p1/5pP1/8/8/8/1K2P3/3Q1R1R w - - 0 1", 5, "python"),
    # Edward Lasker against Thomas, London 1912, before the 13th move
    ("rn3r2/pbppq1p1/1p2pN1k/4N3/3P4/3B4/PPP2PPP/R3K2R w KQ - 1 13", 5, "auto"),
    # the same before the 11th, with the queen's sacrifice
    ("rn3rk1/pbppq1pp/1p2pb2/4N2Q/3PN3/3B4/PPP2PPP/R3K2R w KQ - 6 11", 7, "auto"),
]

# The first moves give no check.
QUIET_MATES = [
    # Morphy's problem, 1856
    ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 2, "a1a6"),
    # Loyd, Chess Monthly 1859: Charles XII at Bender, with one man less each time
    ("8/6R1/7p/5K1k/8/6p1/5bPP/4N3 w - - 0 1", 3, "g7g3"),
    ("8/6R1/7p/5K1k/8/6p1/5bPP/8 w - - 0 1", 4, "h2g3"),
    ("8/6R1/7p/5K1k/8/6p1/5bP1/8 w - - 0 1", 5, "g7b7"),
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


def uci(move) -> str:
    return "".join(re.findall(r"[a-h][1-8]", str(move)))


def is_mate_in(board: chess.Board, moves: int, by_checks: bool) -> bool:
    """Whether the player to move mates within so many moves, by checks alone or not."""
    for move in list(board.legal_moves):
        if (moves == 1 or by_checks) and not board.gives_check(move):
            continue
        board.push(move)
        found = board.is_checkmate() or (moves > 1 and are_lost(board, moves - 1, by_checks))
        board.pop()
        if found:
            return True
    return False


def are_lost(board: chess.Board, moves: int, by_checks: bool) -> bool:
    """Whether there are replies, and the opponent mates within so many moves after each of them."""
    replies = list(board.legal_moves)
    for reply in replies:
        board.push(reply)
        lost = is_mate_in(board, moves, by_checks)
        board.pop()
        if not lost:
            return False
    return bool(replies)


@pytest.mark.parametrize(("fen", "moves", "where"), MATES)
def test_mates(fen, moves, where):
    board = chess.Board(fen)
    assert is_mate_in(board, moves, by_checks=True)
    assert not any(is_mate_in(board, fewer, by_checks=True) for fewer in range(1, moves))
    game = zermelo.load_position("chess", position_of(board))
    machines = {"auto": game.searching, "python": python_machine(game.model), "reference": game.reference}
    found = solve(machines[where], game.facts, "dfpn")
    assert found.exact
    assert found.value == (1, -1)
    for move in found.line:
        board.push_uci(uci(move))
    assert board.is_checkmate()


@pytest.mark.parametrize(("fen", "moves", "key"), QUIET_MATES)
def test_quiet_mates(fen, moves, key):
    """Without a table only the key mates within the depth. Entries of a table may reach deeper than they must, so that
    a search with one may prefer a move that mates later; but it mates."""
    board = chess.Board(fen)
    assert not any(is_mate_in(board, fewer, by_checks=False) for fewer in range(1, min(moves, 4)))
    game = zermelo.load_position("chess", position_of(board))
    machine = game.searching
    too_short, enough = (
        solve(machine, game.facts, "principal_variation", limits=Limits(depth=plies))
        for plies in (2 * moves - 3, 2 * moves - 1)
    )
    assert too_short.value[0] < 1
    assert enough.value == (1, -1)
    with patch.object(path_search, "table_size", return_value=1):  # none
        plain = solve(machine, game.facts, "principal_variation", limits=Limits(depth=2 * moves - 1))
    assert plain.value == (1, -1)
    assert uci(plain.best[0]) == key
    assert solve(machine, game.facts, "dfpn").value == (1, -1)
    if uci(enough.best[0]) != key:
        board.push_uci(uci(enough.best[0]))
        behind = zermelo.load_position("chess", position_of(board))
        assert solve(behind.searching, behind.facts, "dfpn").value == (1, -1)
