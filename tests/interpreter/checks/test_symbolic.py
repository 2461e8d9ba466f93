"""Proofs that an expression is a constant."""

from __future__ import annotations

from fractions import Fraction

from zermelo.grammar.diagnostics import NOWHERE
from zermelo.interpreter.checks.sums import proved_constant
from zermelo.interpreter.model import Arithmetic, Const, Expr
from zermelo.interpreter.types import NONE, NumberType

NUMBER = NumberType(None, None)


def number(value: int) -> Expr:
    return Const(value, type=NUMBER, span=NOWHERE)


def times(left: Expr, right: Expr) -> Expr:
    return Arithmetic("*", left, right, type=NUMBER, span=NOWHERE)


def test_products_of_numbers_are_known() -> None:
    assert proved_constant(times(number(3), number(-9))) == Fraction(-27)


def test_none_in_a_case_that_cannot_come_up_has_no_value() -> None:
    none = Const(None, type=NONE, span=NOWHERE)
    assert proved_constant(times(none, number(-27))) is None
    assert proved_constant(times(number(-27), none)) is None
