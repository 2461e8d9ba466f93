"""The lowering of null moves: the state in which the player to move has let the other one move instead.

``passed(C, S)`` makes it in place and returns whether that is possible. If not, ``S`` is invalid; a fault on the way is
discarded, since the rules were not written for null moves. For their definition see
:mod:`zermelo.interpreter.model.passing`. The function exists if a phase admits null moves.
"""

from __future__ import annotations

from functools import partial

from zermelo.interpreter.model.passing import may_pass
from zermelo.interpreter.native.coding.layout import ACTOR, PHASE
from zermelo.interpreter.native.dialect.templates import instantiate
from zermelo.interpreter.native.dialect.text import Body
from zermelo.interpreter.native.expressions.lowering import Lowering


def passing_function(lowering: Lowering) -> None:
    """Write the function, if a phase admits null moves."""
    layout = lowering.layout
    phases = [k for k, phase in enumerate(layout.phases) if may_pass(lowering.model, phase)]
    if not phases:
        return
    text, body = lowering.text, Body()
    body.choose("phase", [(k, partial(body.line, f"return offers_{k}(C, S)")) for k in phases])
    instantiate(
        text, "passing", {"passed": "passed"}, PHASE=PHASE, ACTOR=ACTOR, PLAYER=layout.arguments,
        offers=text.apart("offers_to_other", "(C: ints[CONTEXT], S: state, phase: int) -> int", body),
    )  # fmt: skip
