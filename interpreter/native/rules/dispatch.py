"""Functions that do what the current phase says."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from zermelo.interpreter.native.coding.layout import PHASE
from zermelo.interpreter.native.dialect.text import Body
from zermelo.interpreter.native.expressions.lowering import Lowering


def by_phase(lowering: Lowering, cases: Sequence[tuple[int, Callable[[Body], None]]]) -> Body:
    """The body of a function that does what is written for the current phase, given by ascending numbers."""
    body = Body()
    current = lowering.text.let(body, "phase", f"S[{PHASE}]")
    body.choose(current, [(number, partial(write, body)) for number, write in cases])
    return body


def calls_by_phase(lowering: Lowering, stem: str, arguments: str, phases: Sequence[int]) -> Body:
    """The body of a function that returns what ``stem_k`` does in phase k, if it is one of ``phases``."""

    def call(number: int, body: Body) -> None:
        body.line(f"return {stem}_{number}({arguments})")

    return by_phase(lowering, [(number, partial(call, number)) for number in phases])
