"""Calls of built-in functions and defines.

Defines are pure functions, and memoized: in the context, until a variable changes, or for good if they do not read the
state.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final
from weakref import WeakKeyDictionary

from zermelo.interpreter.evaluation.context import Closure, CompiledDefine, Compiles, Context, Frame
from zermelo.interpreter.functions import FUNCTIONS
from zermelo.interpreter.model import Apply, Call, Define, Expr
from zermelo.interpreter.storage import admission_test, admit
from zermelo.interpreter.types import SetType, Type, strip_none
from zermelo.interpreter.values import Value

_MEMO_LIMIT: Final = 100_000
"""The most memoized values of one define that reads no state."""

_TABLES: WeakKeyDictionary[Type, dict[str, dict[tuple[Value, ...], Value]]] = WeakKeyDictionary()
"""The tables of the built-in functions of each board."""


def _apply(compiler: Compiles, expr: Apply) -> Closure:
    built_in, type = FUNCTIONS[expr.function], expr.context
    function = built_in.compute
    arguments = [
        compiler.value(argument, "a value") if built_in.needs_value(k) else compiler.expression(argument)
        for k, argument in enumerate(expr.arguments)
    ]
    if type is not None and built_in.is_tabulated:
        table = _TABLES.setdefault(type, {}).setdefault(expr.function, {})
        sets = [isinstance(strip_none(argument.type), SetType) for argument in expr.arguments]
        return _tabulated(function, type, table, arguments, sets)
    if len(arguments) == 1:
        (only,) = arguments
        return lambda context, frame: function(type, only(context, frame))
    return lambda context, frame: function(type, *[argument(context, frame) for argument in arguments])


def _tabulated(
    function: Callable[..., Value],
    type: Type,
    table: dict[tuple[Value, ...], Value],
    arguments: list[Closure],
    sets: list[bool],
) -> Closure:
    """The function by a table, whose keys hold the members of sets in order: the neighbours in some directions are in
    the order of these."""
    has_sets = any(sets)

    def look_up(context: Context, frame: Frame) -> Value:
        given = tuple([argument(context, frame) for argument in arguments])
        key = _in_order(given, sets) if has_sets else given
        if key in table:
            return table[key]
        value = table[key] = function(type, *given)
        return value

    return look_up


def _in_order(arguments: tuple[Value, ...], sets: list[bool]) -> tuple[Value, ...]:
    """The arguments as a key, with the members of sets in order, which equality of sets ignores."""
    return tuple(
        value.items if is_set and value is not None else value for value, is_set in zip(arguments, sets, strict=True)
    )


def _call(compiler: Compiles, expr: Call) -> Closure:
    define = expr.define
    call = compiler.define(define)
    if not expr.arguments:
        return lambda context, frame: call(context, ())
    arguments = [
        argument_closure(compiler, argument, parameter.type, f"{parameter.name} of {define.name}")
        for argument, parameter in zip(expr.arguments, define.parameters, strict=True)
    ]
    if len(arguments) == 1:
        (only,) = arguments
        return lambda context, frame: call(context, (only(context, frame),))
    return lambda context, frame: call(context, tuple([argument(context, frame) for argument in arguments]))


def argument_closure(compiler: Compiles, expr: Expr, type: Type, what: str) -> Closure:
    """The closure of an argument, with the check that a parameter of this type admits it."""
    closure, test, span = compiler.expression(expr), admission_test(type, expr.type), expr.span

    def argument(context: Context, frame: Frame) -> Value:
        value = closure(context, frame)
        if value is None or test is not None:
            return admit(value, test, type, what, span)
        return value

    return argument


def remembering(define: Define, body: Closure) -> CompiledDefine:
    """The define as a memoized function.

    Its value may depend on the order of a set, which equality ignores: so keys hold the members of sets in order."""
    rest: Frame = [None] * (define.frame_size - len(define.parameters))
    sets = [isinstance(strip_none(parameter.type), SetType) for parameter in define.parameters]
    lasting: dict[Any, Value] = {}

    def key_of(arguments: tuple[Value, ...]) -> Any:
        return define, _in_order(arguments, sets) if any(sets) else arguments

    def of_state(context: Context, arguments: tuple[Value, ...]) -> Value:
        key = key_of(arguments)
        memo = context.memo
        if key in memo:
            return memo[key]
        value = memo[key] = body(context, [*arguments, *rest])
        return value

    def of_arguments(context: Context, arguments: tuple[Value, ...]) -> Value:
        key = key_of(arguments)
        if key in lasting:
            return lasting[key]
        if len(lasting) >= _MEMO_LIMIT:
            lasting.clear()
        value = lasting[key] = body(context, [*arguments, *rest])
        return value

    return of_state if define.reads_state else of_arguments


COMPILERS: Final[dict[type[Expr], Callable[[Any, Any], Closure]]] = {Apply: _apply, Call: _call}
