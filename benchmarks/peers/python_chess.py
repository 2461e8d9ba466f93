"""python-chess, the usual chess rules of Python."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from benchmarks.measure import import_peer

NAME = "python-chess"


def perft(length: int) -> Callable[[], int]:
    """A count of the plays of the given length; the last moves are counted in bulk. Raises
    :class:`~benchmarks.measure.Unavailable`."""
    chess = import_peer("chess", "chess")

    def count() -> int:
        return _perft(chess.Board(), length)

    return count


def _perft(board: Any, length: int) -> int:
    if length == 1:
        return int(board.legal_moves.count())
    count = 0
    for move in board.legal_moves:
        board.push(move)
        count += _perft(board, length - 1)
        board.pop()
    return count
