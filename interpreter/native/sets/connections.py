"""Connectivity on masks: ``connected(S)`` and ``connected(S, A, B)``.

The frontier spreads to all neighbours within the set at once (see :mod:`zermelo.interpreter.native.sets.images`), up to
a fixed point; between two sides it stops when it meets the other side.
"""

from __future__ import annotations

from typing import Final

from zermelo.interpreter import model
from zermelo.interpreter.native.dialect.templates import instantiate
from zermelo.interpreter.native.expressions.bindings import Env, Scalar
from zermelo.interpreter.native.expressions.lowering import Lowering
from zermelo.interpreter.native.sets.images import image
from zermelo.interpreter.types import BoardType, SetType

_CELL: Final = 0


def lower_connected(lowering: Lowering, expr: model.Apply, env: Env) -> Scalar:
    """``connected(S)``: all cells are reachable from one of them. ``connected(S, A, B)``: a cell of B is reachable from
    one of A within S."""
    board = expr.context
    assert isinstance(board, BoardType)
    algorithm = "connection" if expr.function == "connected" else "connection_of_sides"
    spread = _spread(lowering, expr, board)
    connected = instantiate(lowering.text, algorithm, FULL=lowering.full, spread=spread)[expr.function]
    return Scalar(f"{connected}({', '.join(lowering.mask(argument, env, board) for argument in expr.arguments)})")


def _spread(lowering: Lowering, expr: model.Apply, board: BoardType) -> str:
    """The helper for all neighbours of a set of cells."""
    cell = model.Local(_CELL, "cell", type=board, span=expr.span)
    neighbours = model.Apply("neighbours", (cell,), board, type=SetType(board), span=expr.span)
    regular = image(lowering, neighbours, _CELL, board, board)
    if regular is not None:
        return regular
    rows = lowering.relation(neighbours, _CELL)
    assert rows is not None, "the neighbours of every cell are known"
    return instantiate(lowering.text, "spreading", ROWS=rows)["spread"]
