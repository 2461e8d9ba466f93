"""Discounted payoffs as whole numbers.

With a discount of a / b, an amount after k decisions of the players is multiplied by (a / b) ** k. All payoffs of a
game share one denominator, here D b ** N, where D is that of the undiscounted amounts. An amount over D is then
multiplied by ``WORTH[k]`` = a ** k b ** (N - k), which is whole for all k up to N. N (``LONGEST`` in the text) is the
greatest number that keeps the denominator within 38 bits: 11 for 9/10, 38 for 1/2. A play with amounts after more
decisions falls back to the reference machine.

A state has two counts of decisions: those that discount the amounts of the current run and, in the next slot, those of
the next run. A player's move copies the second count to the first and increments the second.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Final

from zermelo.grammar.source import Span
from zermelo.interpreter.native.coding.layout import ACTOR, StateLayout
from zermelo.interpreter.native.dialect.templates import instantiate
from zermelo.interpreter.native.dialect.text import Text
from zermelo.interpreter.native.expressions.lowering import Lowering

_MOST_PARTS: Final = 1 << 38
_MOST: Final = 1 << 54
"""The bound on amounts over the common denominator."""


def worths(discount: Fraction, denominator: int) -> tuple[int, ...]:
    """The table ``WORTH`` for undiscounted amounts over ``denominator``."""
    longest = 0
    while denominator * discount.denominator ** (longest + 1) <= _MOST_PARTS:
        longest += 1
    return tuple(discount.numerator**k * discount.denominator ** (longest - k) for k in range(longest + 1))


def _functions(text: Text, decisions: int) -> Mapping[str, str]:
    return instantiate(text, "discounting", DECISIONS=decisions, ACTOR=ACTOR, MOST=_MOST)


def begin_run(lowering: Lowering) -> str:
    """The name of the function that updates the counts of decisions when a move or an outcome is made."""
    decisions = lowering.layout.decisions
    if decisions is None:
        return lowering.text.shared("begin_run", "(S: state) -> int:\n    return 0\n")
    return _functions(lowering.text, decisions)["begin_run"]


def discounted(lowering: Lowering, amount: str, span: Span) -> str:
    """The discounted amount over the denominator of the program."""
    decisions = lowering.layout.decisions
    if decisions is None:
        return amount
    helper = _functions(lowering.text, decisions)["discounted"]
    return f"{helper}(C, S, {amount}, {lowering.text.site('overflow', span)})"


def discounted_end(layout: StateLayout, amount: str) -> str:
    """The discounted amount of an end, which has been checked with :func:`discounted`."""
    if layout.decisions is None:
        return amount
    behind = f"S[{layout.decisions}]"
    return f"{amount} * WORTH[{behind} if {behind} < LONGEST else LONGEST]"
