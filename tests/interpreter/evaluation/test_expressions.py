"""Expressions that read no state, built by hand; the others are tested through the machine."""

from __future__ import annotations

from fractions import Fraction

import pytest

from zermelo.foundation.deadline import DeadlinePassed, time_limit
from zermelo.grammar.diagnostics import NOWHERE
from zermelo.interpreter import model
from zermelo.interpreter.evaluation.context import Context
from zermelo.interpreter.evaluation.expressions import compile_expression, evaluate_constant
from zermelo.interpreter.model import Binder, Const, Expr, Local
from zermelo.interpreter.types import BOOL, INTEGER, MemberType, NumberType, SetType, Type, optional
from zermelo.interpreter.values import EvaluationError, Member, OrderedSet

RANK = MemberType("Rank", tuple(Member("Rank", name, k) for k, name in enumerate("JQK")), ordered=True)
J, Q, K = RANK.listed


def typed(kind, *arguments, type: Type = INTEGER, **named) -> Expr:
    return kind(*arguments, type=type, span=NOWHERE, **named)


def const(value, type: Type = INTEGER) -> Expr:
    return typed(Const, value, type=type)


def numbers(*items: int) -> Expr:
    return const(OrderedSet(items), SetType(INTEGER))


NONE = const(None, optional(INTEGER))
TRUE, FALSE = const(True, BOOL), const(False, BOOL)
x = typed(Local, 0, "x")


def arithmetic(left, operator: str, right) -> Expr:
    return typed(model.Arithmetic, operator, const(left), const(right))


@pytest.mark.parametrize(
    ("left", "operator", "right", "expected"),
    [
        (2, "+", 3, 5), (2, "-", 3, -1), (2, "*", 3, 6), (6, "/", 3, 2), (1, "/", 3, Fraction(1, 3)),
        (-7, "//", 2, -4), (-7, "%", 2, 1), (Fraction(1, 2), "+", Fraction(1, 2), 1),
    ],
)  # fmt: skip
def test_arithmetic_is_exact(left, operator, right, expected) -> None:
    value = evaluate_constant(arithmetic(left, operator, right))
    assert value == expected
    assert type(value) is type(expected)


@pytest.mark.parametrize("operator", ["/", "//", "%"])
def test_division_by_zero_is_an_error(operator: str) -> None:
    with pytest.raises(EvaluationError) as caught:
        evaluate_constant(arithmetic(1, operator, 0))
    assert caught.value.code == "zero-divisor"


@pytest.mark.parametrize(
    "expr",
    [
        typed(model.Arithmetic, "+", NONE, const(1)),
        typed(model.Compare, "<", const(1), NONE, type=BOOL),
        typed(model.Not, const(None, optional(BOOL)), type=BOOL),
        typed(model.And, (TRUE, const(None, optional(BOOL)), TRUE), type=BOOL),
        typed(model.If, const(None, optional(BOOL)), const(1), const(2)),
        typed(model.Apply, "max", (const(1), NONE)),
        typed(model.Apply, "size", (NONE,)),
    ],
)
def test_none_is_an_error_where_a_value_is_needed(expr: Expr) -> None:
    with pytest.raises(EvaluationError) as caught:
        evaluate_constant(expr)
    assert caught.value.code == "none-value"


def test_none_equals_only_itself_and_is_in_no_set() -> None:
    assert evaluate_constant(typed(model.Compare, "==", NONE, NONE, type=BOOL)) is True
    assert evaluate_constant(typed(model.Compare, "!=", NONE, const(1), type=BOOL)) is True
    assert evaluate_constant(typed(model.Contains, NONE, numbers(1, 2), type=BOOL)) is False
    assert evaluate_constant(typed(model.IsNone, NONE, type=BOOL)) is True
    assert evaluate_constant(typed(model.GetField, NONE, 0, "rank")) is None


def test_members_compare_by_their_order_and_tuples_from_the_left() -> None:
    assert evaluate_constant(typed(model.Compare, "<", const(J, RANK), const(K, RANK), type=BOOL)) is True
    left = typed(model.MakeTuple, (const(Q, RANK), const(1)), type=SetType(RANK))
    right = typed(model.MakeTuple, (const(Q, RANK), const(2)), type=SetType(RANK))
    assert evaluate_constant(typed(model.Compare, ">=", left, right, type=BOOL)) is False


def test_conditions_stop_as_soon_as_they_can() -> None:
    wrong = typed(model.Compare, "==", arithmetic(1, "/", 0), const(1), type=BOOL)
    assert evaluate_constant(typed(model.And, (FALSE, wrong), type=BOOL)) is False
    assert evaluate_constant(typed(model.Or, (TRUE, wrong), type=BOOL)) is True
    assert evaluate_constant(typed(model.And, (TRUE, FALSE, wrong), type=BOOL)) is False
    assert evaluate_constant(typed(model.Or, (FALSE, TRUE, wrong), type=BOOL)) is True


def test_sets_are_kept_in_the_order_of_their_type() -> None:
    made = typed(model.MakeSet, (const(3), NONE, const(1), const(3)), type=SetType(INTEGER))
    assert evaluate_constant(made).items == (1, 3)
    for operator, expected in {"+": (1, 2, 3, 5), "-": (1,), "*": (2, 3)}.items():
        both = typed(model.SetOperation, operator, numbers(3, 2, 1), numbers(5, 3, 2), type=SetType(INTEGER))
        assert evaluate_constant(both).items == expected


def quantified(quantifier: str, domain: Expr, body: Expr, **stop) -> object:
    return evaluate_constant(typed(model.Quantified, quantifier, (Binder(0, "x", domain, **stop),), body))


def less(bound: int) -> Expr:
    return typed(model.Compare, "<", x, const(bound), type=BOOL)


@pytest.mark.parametrize(
    ("quantifier", "bound", "expected"),
    [
        ("some", 2, True), ("some", 1, False), ("all", 5, True), ("all", 4, False), ("no", 1, True), ("no", 2, False),
        ("count", 4, 3), ("first", 3, 2), ("last", 3, 1), ("first", 0, None), ("last", 0, None),
    ],
)  # fmt: skip
def test_quantifiers(quantifier: str, bound: int, expected: object) -> None:
    assert quantified(quantifier, numbers(2, 4, 1, 3), less(bound)) == expected


@pytest.mark.parametrize(("quantifier", "expected"), [("sum", 7), ("min", 1), ("max", 4)])
def test_totals(quantifier: str, expected: int) -> None:
    assert quantified(quantifier, numbers(2, 4, 1), x) == expected


def test_totals_of_nothing() -> None:
    assert quantified("sum", numbers(), x) == 0
    assert quantified("max", numbers(), x) is None
    assert quantified("some", numbers(), TRUE) is False
    assert quantified("all", numbers(), FALSE) is True


def comprehension(element: Expr, *binders: Binder) -> tuple:
    return evaluate_constant(typed(model.Comprehension, element, binders, type=SetType(INTEGER))).items


def test_comprehensions_keep_the_order_of_their_domain() -> None:
    minus = typed(model.Negate, x)
    assert comprehension(minus, Binder(0, "x", numbers(3, 1, 2))) == (-3, -1, -2)
    assert comprehension(x, Binder(0, "x", numbers(3, 1, 2), tests=(less(3),))) == (1, 2)


def test_what_takes_long_keeps_its_time() -> None:
    every = typed(model.RangeSet, const(1), const(200_000), type=SetType(INTEGER))
    binder = Binder(0, "x", every)
    for long in (
        typed(model.Comprehension, FALSE, (binder,), type=SetType(BOOL)),
        typed(model.Quantified, "count", (binder,), FALSE),
    ):
        evaluate = compile_expression(long)
        with pytest.raises(DeadlinePassed), time_limit(0):
            evaluate(Context(()), [None])


def test_while_stops_before_and_until_behind() -> None:
    domain = numbers(1, 2, 3, 1)
    assert comprehension(x, Binder(0, "x", domain, "while", less(3))) == (1, 2)
    three = typed(model.Compare, "==", x, const(2), type=BOOL)
    assert comprehension(x, Binder(0, "x", domain, "until", three)) == (1, 2)


def test_later_binders_use_earlier_ones() -> None:
    y = typed(Local, 1, "y")
    up_to = typed(model.RangeSet, const(1), x, type=SetType(INTEGER))
    pair = typed(model.MakeTuple, (x, y))
    binders = Binder(0, "x", numbers(2, 1)), Binder(1, "y", up_to)
    assert comprehension(pair, *binders) == ((2, 1), (2, 2), (1, 1))


def test_ranges() -> None:
    five_to_four = typed(model.RangeSet, const(5), const(4), type=SetType(INTEGER))
    assert evaluate_constant(five_to_four).items == ()
    halves = typed(model.RangeSet, const(Fraction(1, 2)), const(3), type=SetType(INTEGER))
    assert evaluate_constant(halves).items == (Fraction(1, 2), Fraction(3, 2), Fraction(5, 2))
    for value, expected in ((2, True), (3, False), (0, False), (Fraction(3, 2), False)):
        within = typed(model.RangeSet, const(1), const(2), type=SetType(INTEGER))
        assert evaluate_constant(typed(model.Contains, const(value), within, type=BOOL)) is expected


def test_subsets_come_in_lexicographic_order() -> None:
    pairs = typed(model.Subsets, numbers(3, 1, 2), const(2), type=SetType(SetType(INTEGER)))
    assert [subset.items for subset in evaluate_constant(pairs)] == [(1, 2), (1, 3), (2, 3)]
    assert evaluate_constant(typed(model.Contains, numbers(3, 1), pairs, type=BOOL)) is True
    assert evaluate_constant(typed(model.Contains, numbers(3, 4), pairs, type=BOOL)) is False
    none = typed(model.Subsets, numbers(1), const(2), type=SetType(SetType(INTEGER)))
    assert evaluate_constant(none).items == ()


def test_reach_is_the_closure() -> None:
    double = typed(model.Arithmetic, "*", x, const(2))
    low = typed(model.Compare, "<", typed(Local, 1, "y"), const(20), type=BOOL)
    step = typed(
        model.Comprehension,
        typed(Local, 1, "y"),
        (Binder(1, "y", typed(model.MakeSet, (double,), type=SetType(INTEGER)), tests=(low,)),),
        type=SetType(INTEGER),
    )
    reach = typed(model.Reach, 0, numbers(3, 1), step, type=SetType(INTEGER))
    assert evaluate_constant(reach).items == (1, 2, 3, 4, 6, 8, 12, 16)


def test_lookup_and_let() -> None:
    table = typed(model.Lookup, {1: "one"}, const(1), True)
    assert evaluate_constant(table) == "one"
    assert evaluate_constant(typed(model.Lookup, {1: "one"}, NONE, True)) is None
    let = typed(model.Let, 3, const(4), typed(model.Arithmetic, "+", typed(Local, 3, "u"), const(1)))
    assert evaluate_constant(let) == 5


def test_defines_check_what_they_are_given() -> None:
    digit = model.FormalParameter("d", numbers_to(9), secret=False, span=NOWHERE)
    square = model.Define("square", (digit,), typed(model.Arithmetic, "*", x, x), 1, False, 2, 3, NOWHERE)
    assert evaluate_constant(typed(model.Call, square, (const(3, numbers_to(9)),))) == 9
    for wrong, code in ((const(10), "assigned-out-of-range"), (NONE, "none-value")):
        with pytest.raises(EvaluationError) as caught:
            evaluate_constant(typed(model.Call, square, (wrong,)))
        assert caught.value.code == code
        assert "d of square" in caught.value.message


def numbers_to(high: int) -> Type:
    return NumberType(0, high)


def test_names_of_an_analysis_are_apart_from_the_others():
    """Names that an analysis has bound are numbered from -1 down, and share no place with those of the rules."""
    own, fresh = Binder(0, "x", numbers(1, 2), None, None, ()), Binder(-1, "y", numbers(10, 20), None, None, ())
    total = typed(model.Arithmetic, "+", x, typed(Local, -1, "y"))
    pairs = typed(model.Comprehension, total, (own, fresh), type=SetType(INTEGER))
    assert evaluate_constant(pairs) == OrderedSet((11, 12, 21, 22))
    alone = Binder(-2, "y", numbers(10, 20), None, None, ())
    doubles = typed(model.Comprehension, typed(Local, -2, "y"), (alone,), type=SetType(INTEGER))
    assert evaluate_constant(doubles) == OrderedSet((10, 20))
