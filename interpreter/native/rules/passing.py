"""Passing, lowered: the state in which the player to move has let the other one move in his place.

``passed(C, S)`` makes it in place and tells whether that can be. Where it cannot, ``S`` is of no use any more; a rule
that goes wrong on the way was not made for this, and is forgotten. What a pass is, and where there can be one,
:mod:`zermelo.interpreter.checks.passing` says. The function is there where a phase has passes.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from zermelo.interpreter.checks.passing import may_pass
from zermelo.interpreter.native.coding.layout import ACTOR, PHASE, Layout
from zermelo.interpreter.native.dialect.text import Body
from zermelo.interpreter.native.running.executor import Packed

if TYPE_CHECKING:  # a machine over a program that has been kept needs no lowering
    from zermelo.interpreter.native.expressions.lowering import Lowering


def passing_function(lowering: Lowering) -> None:
    """Write the function, where there is a phase that has passes."""
    layout = lowering.layout
    phases = [k for k, phase in enumerate(layout.phases) if may_pass(lowering.model, phase)]
    if not phases:
        return
    body = Body()
    phase = lowering.text.local(body, "phase")
    body.line(f"{phase}: int = S[{PHASE}]")
    body.line(f"S[{layout.arguments}] = 1 - S[{layout.arguments}]")
    body.line(f"S[{ACTOR}] = 5 - S[{ACTOR}]")

    def offered(number: int) -> None:
        offers = lowering.text.local(body, "offered")
        body.line(f"{offers}: int = offers_{number}(C, S)")
        with body.block("if C[0] == 0"):
            body.line(f"return {offers}")
        body.line("C[0] = 0")

    body.choose(phase, [(k, partial(offered, k)) for k in phases])
    body.line("return 0")
    lowering.text.function("passed(C: ints[CONTEXT], S: state) -> int", body)


def with_other_mover(state: Packed, layout: Layout) -> Packed | None:
    """A state with the other of two players to move, whether he has a move or not; None where nobody passes."""
    size = layout.width // 8
    if not may_pass(layout.model, layout.phases[state[PHASE * size]]):
        return None
    there = bytearray(state)
    there[layout.arguments * size] ^= 1
    there[ACTOR * size] ^= 1
    return bytes(there)
