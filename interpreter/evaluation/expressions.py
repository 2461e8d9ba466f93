"""Expressions, compiled to closures ``(context, frame) -> value``.

Closed parts are evaluated once, on first use.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter, ge, gt, le, lt
from typing import Any, Final

from zermelo.grammar.deadline import look
from zermelo.interpreter import model
from zermelo.interpreter.errors import EvaluationError
from zermelo.interpreter.evaluation import arithmetic, calls, history, quantifiers, variables
from zermelo.interpreter.evaluation.context import Closure, CompiledDefine, Compiles, Context, Frame
from zermelo.interpreter.evaluation.domains import domain
from zermelo.interpreter.model import Define, Expr
from zermelo.interpreter.model.rewriting import bound_slots, is_closed, slots
from zermelo.interpreter.types import MemberType, NumberType, strip_none
from zermelo.interpreter.values import OrderedSet, Value, canonical, sort_key


def compile_expression(expr: Expr) -> Closure:
    """The expression as a closure of its own."""
    return Compiler().expression(expr)


def evaluate_constant(expr: Expr) -> Value:
    """The value of an expression that reads no state; raises :class:`EvaluationError` if it has none."""
    return compile_expression(expr)(Context(()), [None] * (1 + max(slots(expr) | bound_slots(expr), default=0)))


class Compiler:
    """Compiles the expressions of one model. Every define is compiled once."""

    def __init__(self) -> None:
        self._defines: dict[Define, CompiledDefine] = {}

    def expression(self, expr: Expr) -> Closure:
        look()
        closure = _COMPILERS[type(expr)](self, expr)
        return closure if isinstance(expr, model.Const) or not is_closed(expr) else _once(closure)

    def condition(self, expr: Expr) -> Closure:
        return self.value(expr, "a condition")

    def value(self, expr: Expr, what: str) -> Closure:
        closure = self.expression(expr)
        if _is_never_none(expr):
            return closure

        def value(context: Context, frame: Frame) -> Value:
            result = closure(context, frame)
            if result is None:
                raise EvaluationError("none-value", f"this is none, where {what} is needed", expr.span)
            return result

        return value

    def define(self, define: Define) -> CompiledDefine:
        if define not in self._defines:
            self._defines[define] = calls.remembering(define, self.expression(define.body))
        return self._defines[define]


def _once(closure: Closure) -> Closure:
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
    return lambda context, frame: canonical(OrderedSet([item(context, frame) for item in items]))


def _set_operation(compiler: Compiles, expr: model.SetOperation) -> Closure:
    left, right = compiler.value(expr.left, "a set"), compiler.value(expr.right, "a set")

    def union(context: Context, frame: Frame) -> OrderedSet:
        return canonical(OrderedSet(left(context, frame).items + right(context, frame).items))

    def difference(context: Context, frame: Frame) -> OrderedSet:
        whole, without = left(context, frame), right(context, frame).members
        return canonical(OrderedSet([item for item in whole.items if item not in without]))

    def intersection(context: Context, frame: Frame) -> OrderedSet:
        whole, within = left(context, frame), right(context, frame).members
        return canonical(OrderedSet([item for item in whole.items if item in within]))

    return {"+": union, "-": difference, "*": intersection}[expr.operator]


def _lookup(compiler: Compiles, expr: model.Lookup) -> Closure:
    get, key = dict(expr.table).get, compiler.expression(expr.key)
    return lambda context, frame: get(key(context, frame))


def _chosen(compiler: Compiles, expr: model.Chosen) -> Closure:
    name, player, parameter = expr.rule.name, compiler.value(expr.player, "a player"), expr.parameter

    def chosen(context: Context, frame: Frame) -> Value:
        choice = context.choices.get(player(context, frame))
        made = choice is not None and choice.name == name
        if parameter is None:
            return made
        return choice.arguments[parameter] if choice is not None and made else None

    return chosen


def _stuck(compiler: Compiles, expr: model.Stuck) -> Closure:
    def stuck(context: Context, frame: Frame) -> bool:
        assert context.offers is not None, "the checker allows stuck only in entry statements"
        return not context.offers(context, frame)

    return stuck


def _repeated(compiler: Compiles, expr: model.Repeated) -> Closure:
    def repeated(context: Context, frame: Frame) -> bool:
        now = context.snapshot
        earlier = now if now is None or context.is_deciding else now.before
        return history.is_repeated(earlier, expr.variables, context.values)

    return repeated


def _repetitions(compiler: Compiles, expr: model.Repetitions) -> Closure:
    return lambda context, frame: history.repetitions(context.snapshot, expr.variables, context.values)


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


def _is_never_none(expr: Expr) -> bool:
    """Whether expressions of this kind are never none."""
    if isinstance(expr, model.Quantified):
        return expr.quantifier in ("some", "all", "no", "count", "sum")
    return isinstance(expr, _ALWAYS_VALUES) or (isinstance(expr, model.Const) and expr.value is not None)


_COMPILERS: Final[dict[type[Expr], Callable[[Any, Any], Closure]]] = {
    model.Const: _const,
    model.Local: _local,
    model.Let: _let,
    model.GetField: _field,
    model.MakeTuple: _make_tuple,
    model.MakeSet: _make_set,
    model.SetOperation: _set_operation,
    model.Lookup: _lookup,
    model.Chosen: _chosen,
    model.Stuck: _stuck,
    model.Repeated: _repeated,
    model.Repetitions: _repetitions,
    model.Compare: _compare,
    model.Contains: _contains,
    model.IsNone: _is_none,
    model.Present: _present,
    model.Not: _not,
    model.And: _and,
    model.Or: _or,
    model.If: _if,
    **variables.COMPILERS,
    **calls.COMPILERS,
    **arithmetic.COMPILERS,
    **quantifiers.COMPILERS,
}
