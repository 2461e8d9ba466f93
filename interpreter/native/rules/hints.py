"""The lowering of hints for search: estimates, unsettled positions, the order of moves.

===========================  ==================================================================================
``estimate(C, S, p)``        a player's estimate of the position, over the program's ``estimate_denominator``
``unsettled(C, S)``          whether the search must not be cut off here
``order_key(C, S)``          in the position right after a move: the larger, the earlier the move is tried
===========================  ==================================================================================

A function exists if the file gives the hint. If a hint cannot be lowered, the rules are lowered without it: its
function is missing, and with ``estimate`` the denominator.
"""

from __future__ import annotations

from zermelo.interpreter import model
from zermelo.interpreter.native.coding.number_codes import number_type
from zermelo.interpreter.native.dialect.text import Body
from zermelo.interpreter.native.dialect.unsupported import Unsupported
from zermelo.interpreter.native.expressions.arithmetic import small
from zermelo.interpreter.native.expressions.bindings import Env, Scalar
from zermelo.interpreter.native.expressions.lowering import Lowering


def hint_functions(lowering: Lowering) -> int | None:
    """Write the functions; returns the denominator of estimates, None if there are none."""
    game = lowering.model
    player = lowering.text.fresh("p")
    denominator = None
    if game.estimate is not None:
        head = f"estimate(C: ints[CONTEXT], S: state, {player}: int) -> int"
        denominator = _function(lowering, head, game.estimate.value, {0: Scalar(player)})
    if game.unsettled is not None:
        _function(lowering, "unsettled(C: ints[CONTEXT], S: state) -> int", game.unsettled.value, {})
    if game.order_moves is not None:
        _function(lowering, "order_key(C: ints[CONTEXT], S: state) -> int", game.order_moves.value, {})
    return denominator


def _function(lowering: Lowering, head: str, value: model.Expr, names: Env) -> int | None:
    """Write one function; returns the denominator of its values, None if it cannot be lowered."""
    try:
        lowered = small(lowering, value, names) if number_type(value.type) else lowering.value(value, names)
    except Unsupported:
        return None
    lowering.text.function(head, Body(), lowered.text)
    return lowered.scale
