"""Passing, lowered: the state in which the player to move has let the other one move in his place.

``passed(C, S)`` makes it in place and tells whether that can be. Where it cannot, ``S`` is of no use any more; a rule
that goes wrong on the way was not made for this, and is forgotten. What a pass is, and where there can be one,
:mod:`zermelo.interpreter.model.passing` says. The function is there where a phase has passes.
"""

from __future__ import annotations

from functools import partial

from zermelo.interpreter.model.passing import may_pass
from zermelo.interpreter.native.coding.layout import ACTOR, PHASE
from zermelo.interpreter.native.dialect.templates import instantiate
from zermelo.interpreter.native.dialect.text import Body
from zermelo.interpreter.native.expressions.lowering import Lowering


def passing_function(lowering: Lowering) -> None:
    """Write the function, where there is a phase that has passes."""
    layout = lowering.layout
    phases = [k for k, phase in enumerate(layout.phases) if may_pass(lowering.model, phase)]
    if not phases:
        return
    text, body = lowering.text, Body()
    body.choose("phase", [(k, partial(body.line, f"return offers_{k}(C, S)")) for k in phases])
    body.line("return 0")
    instantiate(
        text, "passing", {"passed": "passed"}, PHASE=PHASE, ACTOR=ACTOR, PLAYER=layout.arguments,
        offers=text.apart("offers_to_other", "(C: ints[CONTEXT], S: state, phase: int) -> int", body),
    )  # fmt: skip
