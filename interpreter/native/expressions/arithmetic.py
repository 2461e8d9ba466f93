"""Numbers: exact fractions as whole numbers over a scale, and overflow checks.

A number is lowered to a text of the dialect for a whole number and a static *scale*: its exact value is
``text / scale``. Two numbers are compared or added on a common scale.

**Invariant.** The absolute value of no text of a number exceeds
:data:`~zermelo.interpreter.native.coding.encoding.LIMIT` (2 ** 61), so that sums and differences fit into 64 bits.
If the static type bounds a result well below, there is no check. Otherwise the result is checked, and a play beyond
the limit falls back to the reference machine (``overflow``: a limit of this machine, not an error of the rules).

**Invariant.** Every text of a number denotes a value of its static type, even after a fault: a failed check yields a
substitute of the type (:func:`~zermelo.interpreter.native.coding.encoding.stand_in`). So all values computed from it
are within their types, too, and no later operation divides by 0, shifts too far or leaves an array, which a compiler
could assume to be impossible, and the fault with it. A type entirely beyond the limit has no such value: its numbers
are :class:`~zermelo.interpreter.native.dialect.lowered_text.Beyond`, and computing with them is a fault in itself
(:meth:`zermelo.interpreter.native.expressions.lowering.Lowering.beyond`).

**Division** by a y that is not constant: let L be a common multiple of the values of y (as far as it stays small). Then
x / y = x (L / y) / L with a whole L / y. For a y that does not divide L the remainder is checked; if it is not 0, the
quotient cannot be represented, and the play falls back to the reference machine.
"""

from __future__ import annotations

from fractions import Fraction
from math import lcm
from typing import Final

from attrs import evolve

from zermelo.grammar.diagnostics import Span
from zermelo.interpreter import model
from zermelo.interpreter.model import Expr
from zermelo.interpreter.native.coding.encoding import (
    LIMIT,
    MOST_PARTS,
    NO_NUMBER,
    greatest_magnitude,
    is_below,
    is_set,
    number_type,
    scale_of,
    stand_in,
)
from zermelo.interpreter.native.dialect.lowered_text import LONG_CHOICE, Beyond, Body, Unsupported, halved
from zermelo.interpreter.native.expressions.bindings import Env, Scalar
from zermelo.interpreter.native.expressions.lowering import SCALARS, SIMPLE, Lowering
from zermelo.interpreter.types import INTEGER, Type

_PLAIN: Final = 1 << 60
"""Smaller results need no check."""

SMALL: Final = 1 << 30
"""The bound on payoffs and estimates on their scales."""

_MOST_MULTIPLE: Final = 1 << 20
"""The bound on common multiples of divisors: 720720 is one of all numbers up to 16."""


def within_limit(lowering: Lowering, text: str, type: Type, scale: int, span: Span) -> str:
    """A sum or difference, checked unless its type bounds it."""
    return text if is_below(type, scale, _PLAIN) else _tested(lowering, text, LIMIT, stand_in(type, scale), span)


def last(lowering: Lowering, expr: Expr, env: Env) -> Scalar:
    """A number that is not used for further computation, so that 0 can replace one beyond the limit."""
    try:
        return lowering.value(expr, env)
    except Beyond:
        return lowering.beyond(INTEGER, expr.span)


def small(lowering: Lowering, expr: Expr, env: Env) -> Scalar:
    """An amount of at most 30 bits, so that kernels can scale and weigh it."""
    value = last(lowering, expr, env)
    if is_below(expr.type, value.scale, SMALL):
        return value
    return Scalar(_tested(lowering, value.text, SMALL, 0, expr.span), False, value.scale)


def _tested(lowering: Lowering, text: str, limit: int, instead: int, span: Span) -> str:
    site = lowering.text.site("overflow", span)
    return f"{lowering.check('held')}(C, {text}, {limit}, {instead}, {site})"


def product(lowering: Lowering, left: str, right: str, type: Type, scale: int, span: Span) -> str:
    """A product, checked unless its type bounds it."""
    if is_below(type, scale, _PLAIN):
        return f"({left} * {right})"
    site = lowering.text.site("overflow", span)
    return f"{lowering.check('product')}(C, {left}, {right}, {stand_in(type, scale)}, {site})"


def rescaled(lowering: Lowering, value: Scalar, scale: int, type: Type, span: Span) -> Scalar:
    """The number on a larger scale, a multiple of its own."""
    if value.scale == scale:
        return value
    if scale > MOST_PARTS:
        raise Unsupported("fractions of more than 24 bits")
    factor = scale // value.scale
    constant = constant_of(value)
    if constant is not None and (constant == NO_NUMBER or abs(constant * factor) <= LIMIT):
        text = str(constant if constant == NO_NUMBER else constant * factor)
        return Scalar(text if constant >= 0 else f"({text})", value.has_none, scale)
    if not value.has_none:
        return Scalar(product(lowering, value.text, str(factor), type, scale, span), False, scale)
    inner = product(lowering, "x", str(factor), type, scale, span)
    rescaled = f"{inner} if x != {NO_NUMBER} else x"
    helper = lowering.text.apart("rescaled", "(C: ints[CONTEXT], x: int) -> int", Body(), rescaled)
    return Scalar(f"{helper}(C, {value.text})", True, scale)


def coded(lowering: Lowering, value: Scalar, type: Type, span: Span) -> Scalar:
    """The code in ``type`` of a number that surely belongs to it; any other value unchanged."""
    scale = scale_of(type)
    if scale % value.scale:
        raise Unsupported("a number between the steps of its type")
    return rescaled(lowering, value, scale, type, span)


def constant_of(value: Scalar) -> int | None:
    """The value of a text that is a literal number; None for others."""
    digits = value.text.strip("()")
    return int(digits) if digits.removeprefix("-").isdigit() else None


def common(lowering: Lowering, one: Scalar, two: Scalar, first: Expr, second: Expr) -> tuple[str, str, int]:
    """The values of two expressions on a common scale, and that scale."""
    scale = lcm(one.scale, two.scale)
    left = rescaled(lowering, one, scale, first.type, first.span)
    right = rescaled(lowering, two, scale, second.type, second.span)
    return left.text, right.text, scale


def constant(number: Fraction) -> Scalar:
    """A constant."""
    if number.denominator > MOST_PARTS:
        raise Unsupported("fractions of more than 24 bits")
    if abs(number.numerator) > LIMIT:
        raise Beyond("a number of more than 61 bits")
    text = str(number.numerator)
    return Scalar(text if number >= 0 else f"({text})", False, number.denominator)


def _negate(lowering: Lowering, expr: model.Negate, env: Env) -> Scalar:
    value = lowering.value(expr.operand, env)
    return Scalar(f"(-{value.text})", False, value.scale)


def _arithmetic(lowering: Lowering, expr: model.Arithmetic, env: Env) -> Scalar:
    left, right = lowering.value(expr.left, env), lowering.value(expr.right, env)
    match expr.operator:
        case "+" | "-":
            one, two, scale = common(lowering, left, right, expr.left, expr.right)
            text = within_limit(lowering, f"({one} {expr.operator} {two})", expr.type, scale, expr.span)
            return Scalar(text, False, scale)
        case "*":
            scale = left.scale * right.scale
            if scale > MOST_PARTS:
                raise Unsupported("fractions of more than 24 bits")
            return Scalar(product(lowering, left.text, right.text, expr.type, scale, expr.span), False, scale)
        case "/":
            return _quotient(lowering, expr, left, right)
        case _:
            one, two, scale = common(lowering, left, right, expr.left, expr.right)
            two = _divisor(lowering, two, expr.right, scale)
            return Scalar(f"({one} {expr.operator} {two})", False, 1 if expr.operator == "//" else scale)


def _divisor(lowering: Lowering, text: str, expr: Expr, scale: int) -> str:
    """The divisor on this scale, with the check that it is not 0."""
    number = number_type(expr.type)
    if number is not None and number.low is not None and number.high is not None and not number.low <= 0 <= number.high:
        return text
    site = lowering.text.site("zero-divisor", expr.span)
    return f"{lowering.check('divisor')}(C, {text}, {stand_in(expr.type, scale, is_divisor=True)}, {site})"


def _quotient(lowering: Lowering, expr: model.Arithmetic, left: Scalar, right: Scalar) -> Scalar:
    """An exact quotient."""
    if isinstance(expr.right, model.Const) and expr.right.value:
        divisor = Fraction(expr.right.value)
        scale = left.scale * abs(divisor.numerator)
        if scale > MOST_PARTS:
            raise Unsupported("fractions of more than 24 bits")
        factor = divisor.denominator if divisor > 0 else -divisor.denominator
        if factor == 1:
            return Scalar(left.text, False, scale)
        return Scalar(product(lowering, left.text, f"({factor})", expr.type, scale, expr.span), False, scale)
    by = _divisor(lowering, right.text, expr.right, right.scale)
    multiple, is_sure = _multiple(expr.right.type, right.scale)
    scale = left.scale * multiple
    if scale > MOST_PARTS:
        raise Unsupported("fractions of more than 24 bits")
    if is_sure:
        factors = lowering.text.apart("over", "(x: int) -> int", Body(), f"{multiple * right.scale} // x")
        return Scalar(product(lowering, left.text, f"{factors}({by})", expr.type, scale, expr.span), False, scale)
    factor = multiple * right.scale
    dividend = product(lowering, left.text, str(factor), expr.left.type, left.scale * factor, expr.span)
    instead, site = stand_in(expr.type, scale), lowering.text.site("overflow", expr.span)
    return Scalar(f"{lowering.check('exactly')}(C, {dividend}, {by}, {instead}, {site})", False, scale)


def _multiple(type: Type, scale: int) -> tuple[int, bool]:
    """A common multiple of the possible divisors of this type, on this scale, and whether it covers all of them."""
    size = greatest_magnitude(type)
    multiple = 1
    for k in range(2, _MOST_MULTIPLE if size is None else int(size * scale) + 1):
        if lcm(multiple, k) > _MOST_MULTIPLE:
            return multiple, False
        multiple = lcm(multiple, k)
    return multiple, True


def lower_absolute(lowering: Lowering, expr: model.Apply, env: Env) -> Scalar:
    """``abs`` of a number."""
    value = lowering.value(expr.arguments[0], env)
    helper = lowering.code("absolute")
    return Scalar(f"{helper}({value.text})", False, value.scale)


def lower_extreme(lowering: Lowering, expr: model.Apply, env: Env) -> Scalar:
    """``max`` or ``min`` of several numbers."""
    values = [lowering.value(argument, env) for argument in expr.arguments]
    scale = lcm(*(value.scale for value in values))
    helper = lowering.code("maximum" if expr.function == "max" else "minimum")
    texts = [
        rescaled(lowering, value, scale, argument.type, argument.span).text
        for value, argument in zip(values, expr.arguments, strict=True)
    ]
    return Scalar(halved(texts, lambda one, two: f"{helper}({one}, {two})"), False, scale)


SCALARS.update({model.Negate: _negate, model.Arithmetic: _arithmetic})
SIMPLE.update({model.Negate, model.Arithmetic})


# Long chains of ``if``, ``else if`` and ``match`` in expressions: a function tests the cases in sequence, so that the
# text is not nested as deep as the chain is long.


def _cases(expr: Expr) -> tuple[list[model.If], Expr]:
    """The cases of a chain, and its default."""
    cases = []
    while isinstance(expr, model.If):
        cases.append(expr)
        expr = expr.no
    return cases, expr


def is_long(expr: model.If) -> bool:
    """Whether a chain has too many cases for a single expression."""
    return len(_cases(expr)[0]) > LONG_CHOICE


def one_of(lowering: Lowering, expr: model.If, env: Env) -> Scalar:
    """The chain as a function that returns the value of the first case whose condition holds."""
    cases, otherwise = _cases(expr)
    results = [*(case.yes for case in cases), otherwise]
    conditions = [lowering.condition(case.condition, env) for case in cases]
    values = [lowering.scalar(result, env, expr.type) for result in results]
    scale = lcm(*(value.scale for value in values))
    *texts, last = (
        rescaled(lowering, value, scale, result.type, result.span).text
        for value, result in zip(values, results, strict=True)
    )
    body = Body()
    for condition, text in zip(conditions, texts, strict=True):
        body.return_if(condition, text)
    return Scalar(lowering.text.lift("choice", body, last), any(value.has_none for value in values), scale)


# Built-in functions and tables in braces, lowered to tables indexed by names for their arguments.


def table_of_sets(lowering: Lowering, expr: model.Apply | model.Lookup, env: Env) -> str | None:
    """A function with a set as its value, and arguments that may depend on the state, as a table of masks."""
    body = Body()
    found = with_names(lowering, expr, env, body)
    if found is None:
        return None
    named, names = found
    table = lowering.tabulated_mask(named, names, 4096)
    if table is None or not body.lines:
        return table
    return lowering.text.lift("at", body, table, "bits")


def with_names(
    lowering: Lowering, expr: model.Apply | model.Lookup, env: Env, body: Body
) -> tuple[model.Apply | model.Lookup, Env] | None:
    """The application with names in place of its arguments, which are assigned in the body."""
    names: Env = {}
    arguments: list[Expr] = []
    for k, argument in enumerate(expr.arguments if isinstance(expr, model.Apply) else (expr.key,)):
        if isinstance(argument, model.Const):
            arguments.append(argument)
        elif is_set(argument.type):
            return None
        else:
            names[k] = lowering.bind(body, lowering.scalar(argument, env), "a")
            arguments.append(model.Local(k, f"a{k}", type=argument.type, span=argument.span))

    def named() -> model.Apply | model.Lookup:
        if isinstance(expr, model.Lookup):
            return evolve(expr, key=arguments[0])
        return evolve(expr, arguments=tuple(arguments))

    return lowering.tabulation.variant(expr, named), names
