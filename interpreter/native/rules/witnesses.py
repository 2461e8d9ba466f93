"""The lowering of witnesses: ``witnessed(C, S, k)``, whether the state is one that witness k of the file describes.

The function exists if the file has witnesses and all of them can be lowered. What an end pays is compared as a whole
number over the denominator of the game's own payoffs: a payment that is no such number is none of the game's.
"""

from __future__ import annotations

from typing import Final

from zermelo.interpreter import model
from zermelo.interpreter.errors import EvaluationError
from zermelo.interpreter.evaluation.expressions import Compiler
from zermelo.interpreter.evaluation.outcomes import fixed_payoff
from zermelo.interpreter.native.coding.layout import ACTOR, PHASE
from zermelo.interpreter.native.dialect.text import Body
from zermelo.interpreter.native.dialect.unsupported import Unsupported
from zermelo.interpreter.native.expressions.lowering import Lowering
from zermelo.interpreter.native.rules.decisions import parameters

_LARGEST: Final = 1 << 30
"""The largest numerator and denominator of a payment that is looked for: times a denominator of payoffs it fits into a
word."""


def witness_function(lowering: Lowering) -> None:
    """Write the function."""
    witnesses = lowering.model.witnesses
    if not witnesses:
        return
    body = Body()
    try:
        for number, witness in enumerate(witnesses):
            with body.block(f"if k == {number}"):
                _describe(lowering, witness.event, body)
    except (Unsupported, EvaluationError):  # the reference machine answers, or explains the error
        return
    lowering.text.function("witnessed(C: ints[CONTEXT], S: state, k: int) -> int", body)


def _describe(lowering: Lowering, event: model.Event, body: Body) -> None:
    """Return whether the state is one that an event describes."""
    env, layout = {}, lowering.layout
    match event.place:
        case "phase":
            phase = lowering.model.phases[event.phase]
            body.return_if(f"S[{PHASE}] != {layout.phases.index(phase)}", 0)
            env = parameters(layout, phase)
        case "end":
            body.return_if(f"S[{ACTOR}] != 0", 0)
    if event.paid is not None:
        for player, amount in enumerate(fixed_payoff(Compiler(), event.paid, lowering.model.players)):
            _compare(lowering, player, amount.numerator, amount.denominator, body)
    body.line(f"return {'1' if event.condition is None else lowering.value(event.condition.value, env).text}")


def _compare(lowering: Lowering, player: int, numerator: int, denominator: int, body: Body) -> None:
    """Return 0 if what the end pays a player is another number."""
    if max(abs(numerator), denominator) >= _LARGEST:
        raise Unsupported("a payment that is so large or fine")
    whole = f"{numerator} * {lowering.text.over(1)}"
    if denominator > 1:
        body.return_if(f"({whole}) % {denominator} != 0", 0)
        whole = f"{whole} // {denominator}"
    body.return_if(f"ended(S, {player}) != {whole}", 0)
