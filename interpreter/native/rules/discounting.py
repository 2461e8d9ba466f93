"""Discounted payoffs as whole numbers.

With a discount of a / b, an amount that comes after k decisions of the players counts (a / b) ** k times. All payoffs
of a game share one denominator. It is D b ** N here, D being that of the amounts, and an amount over D then counts
``WORTH[k]`` = a ** k b ** (N - k) times, which is whole for all k up to N. N (``LONGEST`` in the text) is as large as
keeps the denominator in 38 bits: 11 for 9/10, 38 for 1/2. A play that brings anything after more decisions is carried
on by the reference machine.

A state counts the decisions twice: those that lie behind what the present run brings, and, one entry on, behind what
the next one will bring; a player's move makes the second number the first and winds the second on.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from zermelo.grammar.source import Span
from zermelo.interpreter.native.coding.layout import ACTOR, StateLayout
from zermelo.interpreter.native.dialect.templates import instantiate
from zermelo.interpreter.native.dialect.text import Body
from zermelo.interpreter.native.expressions.lowering import Lowering

_MOST_PARTS: Final = 1 << 38
_MOST: Final = 1 << 54
"""How far an amount goes over the common denominator."""


def worths(discount: Fraction, denominator: int) -> tuple[int, ...]:
    """The table ``WORTH`` where amounts are over ``denominator``."""
    longest = 0
    while denominator * discount.denominator ** (longest + 1) <= _MOST_PARTS:
        longest += 1
    return tuple(discount.numerator**k * discount.denominator ** (longest - k) for k in range(longest + 1))


def begin_run(layout: StateLayout, body: Body) -> None:
    """Wind on the decisions when a move or an outcome is made."""
    if layout.decisions is None:
        return
    behind, next = f"S[{layout.decisions}]", f"S[{layout.decisions + 1}]"
    body.line(f"{behind} = {next}")
    with body.block(f"if S[{ACTOR}] != 1"):
        body.line(f"{next} = {next} + 1")


def discounted(lowering: Lowering, amount: str, span: Span) -> str:
    """What an amount counts now, over the denominator of the program."""
    decisions = lowering.layout.decisions
    if decisions is None:
        return amount
    helper = instantiate(lowering.text, "discounting", DECISIONS=decisions, MOST=_MOST)["discounted"]
    return f"{helper}(C, S, {amount}, {lowering.text.site('overflow', span)})"


def ended(layout: StateLayout, amount: str) -> str:
    """What an amount of the end counts, which has been tested with :func:`discounted`."""
    if layout.decisions is None:
        return amount
    behind = f"S[{layout.decisions}]"
    return f"{amount} * WORTH[{behind} if {behind} < LONGEST else LONGEST]"
