"""Othello: end games with ten empty squares on six by six, against an independent search; and the whole game on four by
four, which White wins."""

from __future__ import annotations

import pytest
from all_machines import python_machine
from solving import solve

import zermelo

# Rows from the last to the first, the player to move, Black's payoff, and the solver; reached by random play.
END_GAMES = [
    ("OXXXX. .OOOOO OOOOX. ..XXX. ..XOX. .XXXXX", "Black", 1, "dfpn"),
    ("OOOO.. OOOXO. OOOX.O OOOXOO .XXXO. X.O...", "Black", -1, "dfpn"),
    ("OX.XXX .O.XXX OOOXXX .OOOXX .OOOO. .O...O", "Black", 1, "enhanced_alphabeta"),
    ("OOOX.. ..OXO. XXXXOO OOOOXO .OOOOO ...O.O", "Black", 0, "dfpn"),
]

STEPS = [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if x or y]


def position_of(rows: str, mover: str) -> str:
    layout = "\n".join(f'        "{row}"' for row in rows.split())
    return f"setup:\n    board := layout\n{layout}\nstart at play({mover})\n"


def flipped(board, mover, cell):
    """The cells that a disc would turn over; the board is a string of 36, row by row."""
    if board[cell] != ".":
        return []
    found = []
    for x, y in STEPS:
        line, column, row = [], cell % 6 + x, cell // 6 + y
        while 0 <= column < 6 and 0 <= row < 6 and board[row * 6 + column] not in (".", mover):
            line.append(row * 6 + column)
            column, row = column + x, row + y
        if 0 <= column < 6 and 0 <= row < 6 and board[row * 6 + column] == mover:
            found += line
    return found


def outcome(board, mover, known):
    """The payoff of the discs "X", by full search with cutoffs at a win."""
    if (board, mover) in known:
        return known[board, mover]
    other, aim = ("O", 1) if mover == "X" else ("X", -1)
    after = []
    for cell in range(36):
        turned = flipped(board, mover, cell)
        if turned:
            after.append("".join(mover if k == cell or k in turned else disc for k, disc in enumerate(board)))
    if after:
        results = []
        for child in after:
            results.append(outcome(child, other, known))
            if results[-1] == aim:
                break
        found = max(results) if mover == "X" else min(results)
    elif any(flipped(board, other, cell) for cell in range(36)):
        found = outcome(board, other, known)
    else:
        lead = board.count("X") - board.count("O")
        found = (lead > 0) - (lead < 0)
    known[board, mover] = found
    return found


@pytest.mark.parametrize(("rows", "mover", "value", "solver"), END_GAMES)
def test_end_games(rows, mover, value, solver):
    assert rows.count(".") == 10
    assert outcome("".join(rows.split()), "X" if mover == "Black" else "O", {}) == value
    game = zermelo.load_position("othello", position_of(rows, mover), size=6)
    assert solve(game.searching, game.facts, solver).value == (value, -value)


def test_four_by_four():
    game = zermelo.load("othello", size=4)
    assert solve(python_machine(game.model), game.facts, "dfpn").value == (-1, 1)
