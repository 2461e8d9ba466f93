"""Generic walks over expressions: parts, free slots, substitution.

The parts of expressions, statements, rules and decisions are found by their fields, so that a new kind needs no case
here. Binders, parameters of rules and outcomes belong to the record that contains them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeVar

from attrs import evolve, fields

from zermelo.grammar.deadline import look
from zermelo.interpreter import model

E = TypeVar("E", bound="model.Expr | model.Outcome")

Whole = model.Expr | model.Binder | model.Statement | model.Rule | model.Decision
"""Records with expressions."""

_WITHIN = (model.Binder, model.RuleParameter, model.WinOutcome, model.PayoffOutcome, model.PayoffForOutcome)
"""Records that belong to the record that contains them."""

_FIELDS: dict[type, dict[str, str | None]] = {}


def _fields(kind: type) -> dict[str, str | None]:
    """The fields of a record that may hold expressions, each with the reason why they must not be none, if any."""
    if kind not in _FIELDS:
        others = ("type", "span", "context", "variable", "define", "action")
        _FIELDS[kind] = {field.name: field.metadata.get("needed") for field in fields(kind) if field.name not in others}
    return _FIELDS[kind]


def subexpressions(whole: Whole) -> tuple[model.Expr, ...]:
    """The expressions directly inside this, in the order of the fields, without those of statements and rules inside
    it."""
    found: list[model.Expr] = []
    if isinstance(whole, model.Const):
        return ()
    for name in _fields(type(whole)):
        _collect(getattr(whole, name), found)
    return tuple(found)


def operands(whole: Whole) -> Iterator[tuple[model.Expr, str | None]]:
    """The same, each with the reason why it must not be none, if any."""
    for name, why in _fields(type(whole)).items():
        found: list[model.Expr] = []
        _collect(getattr(whole, name), found)
        for part in found:
            yield part, None if why is None else why.format(whole)


def _collect(value: Any, found: list[model.Expr]) -> None:
    if isinstance(value, model.Expr):
        found.append(value)
    elif isinstance(value, _WITHIN):
        for name in _fields(type(value)):
            _collect(getattr(value, name), found)
    elif isinstance(value, tuple):
        for item in value:
            _collect(item, found)


def walk(expr: model.Expr) -> Iterator[model.Expr]:
    """The expression and everything inside it, without the bodies of called defines."""
    look()
    waiting = [expr]
    while waiting:
        part = waiting.pop()
        yield part
        waiting.extend(reversed(subexpressions(part)))


def slots(expr: model.Expr) -> set[int]:
    """The slots in the expression, bound ones included."""
    return {part.slot for part in walk(expr) if isinstance(part, model.Local)}


def bound_slots(expr: model.Expr) -> set[int]:
    """The slots that the expression itself binds."""
    bound: set[int] = set()
    for part in walk(expr):
        if isinstance(part, model.Let | model.Reach):
            bound.add(part.slot)
        elif isinstance(part, model.Quantified | model.Comprehension):
            bound.update(binder.slot for binder in part.binders)
    return bound


def free_slots(expr: model.Expr) -> set[int]:
    """The slots that the expression reads and does not bind."""
    return slots(expr) - bound_slots(expr)


def reads_state(expr: model.Expr) -> bool:
    """Whether the value can depend on the state, directly or through defines."""
    for part in walk(expr):
        if isinstance(part, model.Read | model.Repeated | model.Repetitions | model.Stuck | model.Chosen):
            return True
        if isinstance(part, model.Call) and part.define.reads_state:
            return True
    return False


def walk_with_defines(expr: model.Expr) -> Iterator[model.Expr]:
    """The expression and everything inside it, with the body of each called define, once."""
    met: set[model.Define] = set()
    waiting = [expr]
    while waiting:
        for part in walk(waiting.pop()):
            yield part
            if isinstance(part, model.Call) and part.define not in met:
                met.add(part.define)
                waiting.append(part.define.body)


def reads(expr: model.Expr) -> Iterator[model.Read]:
    """The reads of variables in the expression and in called defines."""
    return (part for part in walk_with_defines(expr) if isinstance(part, model.Read))


def is_closed(expr: model.Expr) -> bool:
    """Whether the value depends on neither state nor slots."""
    return not free_slots(expr) and not reads_state(expr)


def map_parts(expr: E, change: Callable[[model.Expr], model.Expr]) -> E:
    """The same expression, or outcome of an end, with every expression directly inside it changed."""
    if isinstance(expr, model.Const):
        return expr
    changes = {}
    for name in _fields(type(expr)):
        old = getattr(expr, name)
        new = _mapped(old, change)
        if new is not old:
            changes[name] = new
    return evolve(expr, **changes) if changes else expr


def _mapped(value: Any, change: Callable[[model.Expr], model.Expr]) -> Any:
    if isinstance(value, model.Expr):
        return change(value)
    if isinstance(value, model.Binder):
        return evolve(value, **{name: _mapped(getattr(value, name), change) for name in _fields(model.Binder)})
    if isinstance(value, tuple) and any(isinstance(item, model.Expr | model.Binder | tuple) for item in value):
        return tuple(_mapped(item, change) for item in value)
    return value


def substitute(expr: model.Expr, values: Mapping[int, model.Expr]) -> model.Expr:
    """The expression with expressions in place of slots."""
    if isinstance(expr, model.Local):
        return values.get(expr.slot, expr)
    return map_parts(expr, lambda part: substitute(part, values))


def unfold(call: model.Call) -> model.Expr:
    """The call inlined: the body of the define with arguments in place of parameters.

    The slots bound in the body are renumbered beyond those of the caller. An argument may be evaluated more than once,
    or never.
    """
    body = _renumbered(call.define.body, 1_000 * (1 + _deepest(call)))
    values = {k + 1_000 * (1 + _deepest(call)): argument for k, argument in enumerate(call.arguments)}
    return substitute(body, values)


def _deepest(expr: model.Expr) -> int:
    used = slots(expr) | bound_slots(expr)
    return max(used, default=0) // 1_000


def _renumbered(expr: model.Expr, by: int) -> model.Expr:
    """The expression with all slots moved up, those of binders included."""
    if isinstance(expr, model.Local | model.Let | model.Reach):
        expr = evolve(expr, slot=expr.slot + by)
    elif isinstance(expr, model.Quantified | model.Comprehension):
        moved = tuple(evolve(binder, slot=binder.slot + by) for binder in expr.binders)
        expr = evolve(expr, binders=moved)
    return map_parts(expr, lambda part: _renumbered(part, by))
