"""Expressions, compiled to closures ``(context, frame) -> value``.

Closed parts are evaluated once, on first use.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from operator import add, attrgetter, floordiv, ge, gt, le, lt, mod, mul, sub
from typing import Any, Final
from weakref import WeakKeyDictionary

from zermelo.foundation.deadline import check_deadline
from zermelo.grammar.diagnostics import Span
from zermelo.interpreter import model
from zermelo.interpreter.evaluation.context import (
    Closure,
    CompiledDefine,
    Compiles,
    Context,
    Frame,
    domain,
    entry_reader,
    is_repeated,
    repetitions,
)
from zermelo.interpreter.functions import FUNCTIONS
from zermelo.interpreter.model.cardinality import evaluation_cost, member_type, most_rounds
from zermelo.interpreter.model.rewriting import bound_slots, is_closed, slots
from zermelo.interpreter.storage import admission_test, admit
from zermelo.interpreter.types import MemberType, NumberType, SetType, Type, strip_none
from zermelo.interpreter.values import (
    MOST_DIGITS,
    EvaluationError,
    OrderedSet,
    Value,
    exact,
    has_few_digits,
    in_type_order,
    sort_key,
)

# Exact arithmetic: ``int``, and ``Fraction`` for numbers that are not whole.


_OPERATORS: Final[dict[str, Callable[[Value, Value], Value]]] = {
    "+": add,
    "-": sub,
    "*": mul,
    "/": Fraction,
    "//": floordiv,
    "%": mod,
}


def _negate(compiler: Compiles, expr: model.Negate) -> Closure:
    operand = compiler.value(expr.operand, "a number")
    return lambda context, frame: -operand(context, frame)


def _arithmetic(compiler: Compiles, expr: model.Arithmetic) -> Closure:
    left, right = compiler.value(expr.left, "a number"), compiler.value(expr.right, "a number")
    if expr.operator in ("/", "//", "%"):
        right = _nonzero_divisor(right, expr.right.span)
    compute = _OPERATORS[expr.operator]

    span = expr.span

    def arithmetic(context: Context, frame: Frame) -> Value:
        return require_few_digits(exact(compute(left(context, frame), right(context, frame))), span)

    return arithmetic


def require_few_digits(number: int | Fraction, span: Span) -> int | Fraction:
    """The number; raises :class:`EvaluationError` (``number-too-large``) for one with too many digits."""
    if not has_few_digits(number):
        raise EvaluationError(
            "number-too-large",
            f"this number has more than {MOST_DIGITS:,} digits",
            span,
            "numbers that grow so fast are seldom meant",
        )
    return number


def _nonzero_divisor(closure: Closure, span: Span) -> Closure:
    def divisor(context: Context, frame: Frame) -> Value:
        value = closure(context, frame)
        if value == 0:
            raise EvaluationError("zero-divisor", "this divides by 0", span)
        return value

    return divisor


# Binders, and the expressions over them: quantifiers, comprehensions, ranges, subsets and closures.


DomainWalk = Callable[[Context, Frame], Iterable[Value]]

_LONG: Final = 100_000
"""Evaluations from which on a loop checks the deadline; about a tenth of a second."""

_BETWEEN: Final = 64
"""Members between two checks."""

# --------------------------------------------------------------------- binders


def loop(compiler: Compiles, binders: tuple[model.Binder, ...]) -> tuple[int, DomainWalk]:
    """The slot of the last binder, and a walk over all bindings in lexicographic order; later binders may use earlier
    ones. The walk sets the slots of all binders but the last, and yields the value of the last."""
    first, *rest = binders
    slot, outer = first.slot, _walk(compiler, first)
    if not rest:
        return slot, outer
    last, inner = loop(compiler, tuple(rest))

    def walk_all(context: Context, frame: Frame) -> Iterable[Value]:
        for value in outer(context, frame):
            frame[slot] = value
            yield from inner(context, frame)

    return last, walk_all


def _walk(compiler: Compiles, binder: model.Binder) -> DomainWalk:
    walk: DomainWalk = domain(compiler, binder.domain).walk
    if binder.stop_condition is not None:
        walk = _stop_walk(walk, binder.slot, binder.stop, compiler.condition(binder.stop_condition))
    for test in binder.tests:
        walk = _filter_walk(walk, binder.slot, compiler.condition(test))
    return walk


def _stop_walk(walk: DomainWalk, slot: int, stop: str | None, condition: Closure) -> DomainWalk:
    def up_to(context: Context, frame: Frame) -> Iterable[Value]:
        for value in walk(context, frame):
            frame[slot] = value
            yield value
            if condition(context, frame):
                return

    def as_long_as(context: Context, frame: Frame) -> Iterable[Value]:
        for value in walk(context, frame):
            frame[slot] = value
            if not condition(context, frame):
                return
            yield value

    return up_to if stop == "until" else as_long_as


def with_deadline_checks(walk: DomainWalk) -> DomainWalk:
    """The same walk with checks of the deadline, for one that may be long."""

    def walk_and_check(context: Context, frame: Frame) -> Iterable[Value]:
        for number, value in enumerate(walk(context, frame)):
            if number % _BETWEEN == 0:
                check_deadline()
            yield value

    return walk_and_check


def _with_checks_if_long(expr: model.Quantified | model.Comprehension, walk: DomainWalk) -> DomainWalk:
    return with_deadline_checks(walk) if evaluation_cost(expr) > _LONG else walk


def _filter_walk(walk: DomainWalk, slot: int, test: Closure) -> DomainWalk:
    def walk_if(context: Context, frame: Frame) -> Iterable[Value]:
        for value in walk(context, frame):
            frame[slot] = value
            if test(context, frame):
                yield value

    return walk_if


# ----------------------------------------------------------------- quantifiers


def _quantifier(compiler: Compiles, expr: model.Quantified) -> Closure:
    slot, walk = loop(compiler, expr.binders)
    walk = _with_checks_if_long(expr, walk)
    body = compiler.value(expr.body, _BODIES.get(expr.quantifier, "a condition"))

    def some(context: Context, frame: Frame) -> bool:
        for value in walk(context, frame):
            frame[slot] = value
            if body(context, frame):
                return True
        return False

    def every(context: Context, frame: Frame) -> bool:
        for value in walk(context, frame):
            frame[slot] = value
            if not body(context, frame):
                return False
        return True

    def no(context: Context, frame: Frame) -> bool:
        return not some(context, frame)

    def count(context: Context, frame: Frame) -> int:
        found = 0
        for value in walk(context, frame):
            frame[slot] = value
            if body(context, frame):
                found += 1
        return found

    def total(context: Context, frame: Frame) -> Value:
        result: Value = 0
        for value in walk(context, frame):
            frame[slot] = value
            result = require_few_digits(result + body(context, frame), expr.span)
        return exact(result)

    def first(context: Context, frame: Frame) -> Value:
        for value in walk(context, frame):
            frame[slot] = value
            if body(context, frame):
                return value
        return None

    def last(context: Context, frame: Frame) -> Value:
        found = None
        for value in walk(context, frame):
            frame[slot] = value
            if body(context, frame):
                found = value
        return found

    def values(context: Context, frame: Frame) -> Iterable[Value]:
        for value in walk(context, frame):
            frame[slot] = value
            yield body(context, frame)

    def greatest(context: Context, frame: Frame) -> Value:
        return max(values(context, frame), key=sort_key, default=None)

    def least(context: Context, frame: Frame) -> Value:
        return min(values(context, frame), key=sort_key, default=None)

    return {
        "some": some,
        "all": every,
        "no": no,
        "count": count,
        "sum": total,
        "first": first,
        "last": last,
        "max": greatest,
        "min": least,
    }[expr.quantifier]


_BODIES = {"sum": "a number", "min": "a value", "max": "a value"}


# ------------------------------------------------------------------------ sets


def _comprehension(compiler: Compiles, expr: model.Comprehension) -> Closure:
    slot, walk = loop(compiler, expr.binders)
    walk = _with_checks_if_long(expr, walk)
    element = compiler.expression(expr.element)

    def comprehension(context: Context, frame: Frame) -> OrderedSet:
        found = []
        for value in walk(context, frame):
            frame[slot] = value
            found.append(element(context, frame))
        return OrderedSet(found)

    return comprehension


def _set_of_domain(compiler: Compiles, expr: model.RangeSet | model.Subsets) -> Closure:
    walk: DomainWalk = domain(compiler, expr).walk
    if most_rounds(expr) > _LONG:
        walk = with_deadline_checks(walk)
    return lambda context, frame: OrderedSet(walk(context, frame))


def _reach(compiler: Compiles, expr: model.Reach) -> Closure:
    slot, start, step = expr.slot, compiler.value(expr.start, "a set"), compiler.value(expr.step, "a set")
    own, given = member_type(expr), member_type(expr.step)
    test = admission_test(own, given)

    def reach(context: Context, frame: Frame) -> OrderedSet:
        found = dict.fromkeys(start(context, frame).items)
        waiting = list(found)
        while waiting:
            check_deadline()
            frame[slot] = waiting.pop()
            for value in step(context, frame).items:
                if value not in found:
                    if test is not None:
                        admit(value, test, own, "a member of 'reach'", expr.step.span)
                    found[value] = None
                    waiting.append(value)
        return in_type_order(OrderedSet(found))

    return reach


# Calls of built-in functions and defines.
#
# Defines are pure functions, and memoized: in the context, until a variable changes, or for good if they do not read
# the state.


_MEMO_LIMIT: Final = 100_000
"""The most memoized values of one define that reads no state."""

_TABLES: WeakKeyDictionary[Type, dict[str, dict[tuple[Value, ...], Value]]] = WeakKeyDictionary()
"""The tables of the built-in functions of each board."""


def _apply(compiler: Compiles, expr: model.Apply) -> Closure:
    built_in, type = FUNCTIONS[expr.function], expr.context
    function = built_in.compute
    arguments = [
        compiler.value(argument, "a value") if built_in.needs_value(k) else compiler.expression(argument)
        for k, argument in enumerate(expr.arguments)
    ]
    if type is not None and built_in.is_tabulated:
        table = _TABLES.setdefault(type, {}).setdefault(expr.function, {})
        sets = [isinstance(strip_none(argument.type), SetType) for argument in expr.arguments]
        return _tabulate(function, type, table, arguments, sets)
    if len(arguments) == 1:
        (only,) = arguments
        return lambda context, frame: function(type, only(context, frame))
    return lambda context, frame: function(type, *[argument(context, frame) for argument in arguments])


def _tabulate(
    function: Callable[..., Value],
    type: Type,
    table: dict[tuple[Value, ...], Value],
    arguments: list[Closure],
    sets: list[bool],
) -> Closure:
    """The function with a table of its values. Keys hold the members of sets in order, since that may count: neighbours
    come in the order of the given directions."""
    has_sets = any(sets)

    def look_up(context: Context, frame: Frame) -> Value:
        given = tuple([argument(context, frame) for argument in arguments])
        key = _argument_key(given, sets) if has_sets else given
        if key in table:
            return table[key]
        value = table[key] = function(type, *given)
        return value

    return look_up


def _argument_key(arguments: tuple[Value, ...], sets: list[bool]) -> tuple[Value, ...]:
    """The arguments as a key, with the members of sets in order, which equality of sets ignores."""
    return tuple(
        value.items if is_set and value is not None else value for value, is_set in zip(arguments, sets, strict=True)
    )


def _call(compiler: Compiles, expr: model.Call) -> Closure:
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


def argument_closure(compiler: Compiles, expr: model.Expr, type: Type, what: str) -> Closure:
    """The closure of an argument, with the check that a parameter of this type admits it."""
    closure, test, span = compiler.expression(expr), admission_test(type, expr.type), expr.span

    def argument(context: Context, frame: Frame) -> Value:
        value = closure(context, frame)
        if value is None or test is not None:
            return admit(value, test, type, what, span)
        return value

    return argument


def memoize(define: model.Define, body: Closure) -> CompiledDefine:
    """The define as a memoized function.

    Its value may depend on the order of a set, which equality ignores: so keys hold the members of sets in order."""
    rest: Frame = [None] * (define.frame_size - len(define.parameters))
    sets = [isinstance(strip_none(parameter.type), SetType) for parameter in define.parameters]
    lasting: dict[Any, Value] = {}

    def key_of(arguments: tuple[Value, ...]) -> Any:
        return define, _argument_key(arguments, sets) if any(sets) else arguments

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


def compile_expression(expr: model.Expr) -> Closure:
    """The expression as a closure of its own."""
    return Compiler().expression(expr)


def evaluate_constant(expr: model.Expr) -> Value:
    """The value of an expression that reads no state; raises :class:`EvaluationError` if it has none."""
    used = {0} | slots(expr) | bound_slots(expr)
    # An analysis may number names of its own from -1 down, which have their places at the end of the frame.
    return compile_expression(expr)(Context(()), [None] * (1 + max(used) - min(used)))


class Compiler:
    """Compiles the expressions of one model. Every define is compiled once."""

    def __init__(self) -> None:
        self._defines: dict[model.Define, CompiledDefine] = {}

    def expression(self, expr: model.Expr) -> Closure:
        check_deadline()
        closure = _COMPILERS[type(expr)](self, expr)
        return closure if isinstance(expr, model.Const) or not is_closed(expr) else _evaluate_once(closure)

    def condition(self, expr: model.Expr) -> Closure:
        return self.value(expr, "a condition")

    def value(self, expr: model.Expr, what: str) -> Closure:
        closure = self.expression(expr)
        if _is_never_none(expr):
            return closure

        def value(context: Context, frame: Frame) -> Value:
            result = closure(context, frame)
            if result is None:
                raise EvaluationError("none-value", f"this is none, where {what} is needed", expr.span)
            return result

        return value

    def define(self, define: model.Define) -> CompiledDefine:
        if define not in self._defines:
            self._defines[define] = memoize(define, self.expression(define.body))
        return self._defines[define]


def _evaluate_once(closure: Closure) -> Closure:
    """The closure of a closed expression: evaluated on first use."""
    kept: list[Value] = []

    def constant(context: Context, frame: Frame) -> Value:
        if not kept:
            kept.append(closure(context, frame))
        return kept[0]

    return constant


# ------------------------------------------------------- values and names


def _const(compiler: Compiles, expr: model.Const) -> Closure:
    value = expr.value
    return lambda context, frame: value


def _local(compiler: Compiles, expr: model.Local) -> Closure:
    slot = expr.slot
    return lambda context, frame: frame[slot]


def _let(compiler: Compiles, expr: model.Let) -> Closure:
    slot, value, body = expr.slot, compiler.expression(expr.value), compiler.expression(expr.body)

    def let(context: Context, frame: Frame) -> Value:
        frame[slot] = value(context, frame)
        return body(context, frame)

    return let


def _field(compiler: Compiles, expr: model.GetField) -> Closure:
    record, index = compiler.expression(expr.record), expr.index

    def get_field(context: Context, frame: Frame) -> Value:
        value = record(context, frame)
        return None if value is None else value[index]

    return get_field


def _make_tuple(compiler: Compiles, expr: model.MakeTuple) -> Closure:
    items = [compiler.expression(item) for item in expr.items]
    return lambda context, frame: tuple([item(context, frame) for item in items])


def _make_set(compiler: Compiles, expr: model.MakeSet) -> Closure:
    items = [compiler.expression(item) for item in expr.items]
    return lambda context, frame: in_type_order(OrderedSet([item(context, frame) for item in items]))


def _set_operation(compiler: Compiles, expr: model.SetOperation) -> Closure:
    left, right = compiler.value(expr.left, "a set"), compiler.value(expr.right, "a set")

    def union(context: Context, frame: Frame) -> OrderedSet:
        return in_type_order(OrderedSet(left(context, frame).items + right(context, frame).items))

    def difference(context: Context, frame: Frame) -> OrderedSet:
        whole, without = left(context, frame), right(context, frame).members
        return in_type_order(OrderedSet([item for item in whole.items if item not in without]))

    def intersection(context: Context, frame: Frame) -> OrderedSet:
        whole, within = left(context, frame), right(context, frame).members
        return in_type_order(OrderedSet([item for item in whole.items if item in within]))

    return {"+": union, "-": difference, "*": intersection}[expr.operator]


def _lookup(compiler: Compiles, expr: model.Lookup) -> Closure:
    get, key = dict(expr.table).get, compiler.expression(expr.key)
    return lambda context, frame: get(key(context, frame))


def _choice(compiler: Compiles, expr: model.Chosen) -> Closure:
    name, player, parameter = expr.rule.name, compiler.value(expr.player, "a player"), expr.parameter

    def choice_of_player(context: Context, frame: Frame) -> Value:
        choice = context.choices.get(player(context, frame))
        made = choice is not None and choice.name == name
        if parameter is None:
            return made
        return choice.arguments[parameter] if choice is not None and made else None

    return choice_of_player


def _stuck(compiler: Compiles, expr: model.Stuck) -> Closure:
    def stuck(context: Context, frame: Frame) -> bool:
        assert context.offers is not None, "the checker allows stuck only in entry statements"
        return not context.offers(context, frame)

    return stuck


def _repeated_test(compiler: Compiles, expr: model.Repeated) -> Closure:
    def had_same_values(context: Context, frame: Frame) -> bool:
        now = context.snapshot
        earlier = now if now is None or context.is_deciding else now.before
        return is_repeated(earlier, expr.variables, context.values)

    return had_same_values


def _repetitions(compiler: Compiles, expr: model.Repetitions) -> Closure:
    return lambda context, frame: repetitions(context.snapshot, expr.variables, context.values)


# -------------------------------------------------------------- conditions


def _compare(compiler: Compiles, expr: model.Compare) -> Closure:
    left, right = compiler.expression(expr.left), compiler.expression(expr.right)
    if expr.operator == "==":
        return lambda context, frame: left(context, frame) == right(context, frame)
    if expr.operator == "!=":
        return lambda context, frame: left(context, frame) != right(context, frame)
    left, right = compiler.value(expr.left, "a value"), compiler.value(expr.right, "a value")
    holds = {"<": lt, "<=": le, ">": gt, ">=": ge}[expr.operator]
    type = strip_none(expr.left.type)
    if isinstance(type, NumberType):
        return lambda context, frame: holds(left(context, frame), right(context, frame))
    key: Callable[[Value], Any] = attrgetter("index") if isinstance(type.base, MemberType) else sort_key
    return lambda context, frame: holds(key(left(context, frame)), key(right(context, frame)))


def _contains(compiler: Compiles, expr: model.Contains) -> Closure:
    item, collection = compiler.expression(expr.item), domain(compiler, expr.collection)

    def contains(context: Context, frame: Frame) -> bool:
        value = item(context, frame)
        return value is not None and collection.contains(context, frame, value)

    return contains


def _is_none(compiler: Compiles, expr: model.IsNone) -> Closure:
    operand = compiler.expression(expr.operand)
    return lambda context, frame: operand(context, frame) is None


def _present(compiler: Compiles, expr: model.Present) -> Closure:
    return compiler.value(expr.operand, "a value with a case")


def _not(compiler: Compiles, expr: model.Not) -> Closure:
    operand = compiler.condition(expr.operand)
    return lambda context, frame: not operand(context, frame)


def _and(compiler: Compiles, expr: model.And) -> Closure:
    parts = [compiler.condition(part) for part in expr.parts]
    if len(parts) == 2:
        first, second = parts
        return lambda context, frame: first(context, frame) and second(context, frame)

    def every(context: Context, frame: Frame) -> bool:
        for part in parts:  # noqa: SIM110  # a generator costs more than the parts
            if not part(context, frame):
                return False
        return True

    return every


def _or(compiler: Compiles, expr: model.Or) -> Closure:
    parts = [compiler.condition(part) for part in expr.parts]
    if len(parts) == 2:
        first, second = parts
        return lambda context, frame: first(context, frame) or second(context, frame)

    def some(context: Context, frame: Frame) -> bool:
        for part in parts:  # noqa: SIM110  # a generator costs more than the parts
            if part(context, frame):
                return True
        return False

    return some


def _if(compiler: Compiles, expr: model.If) -> Closure:
    condition = compiler.condition(expr.condition)
    yes, no = compiler.expression(expr.yes), compiler.expression(expr.no)
    return lambda context, frame: yes(context, frame) if condition(context, frame) else no(context, frame)


_ALWAYS_VALUES = (
    model.Compare,
    model.Contains,
    model.IsNone,
    model.Present,
    model.Not,
    model.And,
    model.Or,
    model.Repeated,
    model.Repetitions,
    model.Stuck,
    model.Arithmetic,
    model.Negate,
    model.MakeTuple,
    model.MakeSet,
    model.RangeSet,
    model.SetOperation,
    model.Comprehension,
    model.Subsets,
    model.Reach,
)


def _is_never_none(expr: model.Expr) -> bool:
    """Whether expressions of this kind are never none."""
    if isinstance(expr, model.Quantified):
        return expr.quantifier in ("some", "all", "no", "count", "sum")
    return isinstance(expr, _ALWAYS_VALUES) or (isinstance(expr, model.Const) and expr.value is not None)


_COMPILERS: Final[dict[type[model.Expr], Callable[[Any, Any], Closure]]] = {
    model.Const: _const,
    model.Local: _local,
    model.Let: _let,
    model.GetField: _field,
    model.MakeTuple: _make_tuple,
    model.MakeSet: _make_set,
    model.SetOperation: _set_operation,
    model.Lookup: _lookup,
    model.Chosen: _choice,
    model.Stuck: _stuck,
    model.Repeated: _repeated_test,
    model.Repetitions: _repetitions,
    model.Compare: _compare,
    model.Contains: _contains,
    model.IsNone: _is_none,
    model.Present: _present,
    model.Not: _not,
    model.And: _and,
    model.Or: _or,
    model.If: _if,
    model.Read: entry_reader,
    model.Apply: _apply,
    model.Call: _call,
    model.Negate: _negate,
    model.Arithmetic: _arithmetic,
    model.Quantified: _quantifier,
    model.Comprehension: _comprehension,
    model.RangeSet: _set_of_domain,
    model.Subsets: _set_of_domain,
    model.Reach: _reach,
}
