"""Generic walks over the expressions of a model: parts, free slots, substitution.

Expressions, statements, rules and decisions are records, so the expressions in them are found by looking at their
fields; a new kind needs no new case here. Expressions in binders, in the parameters of a rule and in the outcome of a
play count as parts of the record that these belong to.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeVar

from attrs import evolve, fields

from zermelo.grammar.deadline import look
from zermelo.interpreter import model

E = TypeVar("E", bound=model.Expr)

Whole = model.Expr | model.Binder | model.Statement | model.Rule | model.Decision
"""What expressions stand in."""

_WITHIN = (model.Binder, model.RuleParameter, model.WinOutcome, model.PayoffOutcome, model.PayoffForOutcome)
"""Records that are a part of a whole, and no expressions themselves."""

_FIELDS: dict[type, dict[str, str | None]] = {}


def _fields(kind: type) -> dict[str, str | None]:
    """The fields of a record that may hold expressions, each with the reason why these must not be none."""
    if kind not in _FIELDS:
        others = ("type", "span", "context", "variable", "define", "action")
        _FIELDS[kind] = {
            field.name: field.metadata.get("needed") for field in fields(kind) if field.name not in others
        }
    return _FIELDS[kind]


def subexpressions(whole: Whole) -> tuple[model.Expr, ...]:
    """The expressions right inside this, in the order in which they are written down in the model; those of statements
    and rules inside it are not among them."""
    found: list[model.Expr] = []
    if isinstance(whole, model.Const):
        return ()
    for name in _fields(type(whole)):
        _collect(getattr(whole, name), found)
    return tuple(found)


def operands(whole: Whole) -> Iterator[tuple[model.Expr, str | None]]:
    """The same, each with the reason why it must not be none, if it must not."""
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
    """The expression and everything inside it; the bodies of called defines are not entered."""
    look()
    waiting = [expr]
    while waiting:
        part = waiting.pop()
        yield part
        waiting.extend(reversed(subexpressions(part)))


def slots(expr: model.Expr) -> set[int]:
    """The slots that the expression mentions, bound ones too."""
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
    """The slots that must have a value before the expression is evaluated."""
    return slots(expr) - bound_slots(expr)


def reads_state(expr: model.Expr) -> bool:
    """Whether the value can depend on the state of the game, directly or through defines."""
    for part in walk(expr):
        if isinstance(part, model.Read | model.Repeated | model.Repetitions | model.Stuck | model.Chosen):
            return True
        if isinstance(part, model.Call) and part.define.reads_state:
            return True
    return False


def walk_with_defines(expr: model.Expr) -> Iterator[model.Expr]:
    """The expression and everything inside it, and the body of each define that it calls, once."""
    met: set[model.Define] = set()
    waiting = [expr]
    while waiting:
        for part in walk(waiting.pop()):
            yield part
            if isinstance(part, model.Call) and part.define not in met:
                met.add(part.define)
                waiting.append(part.define.body)


def reads(expr: model.Expr) -> Iterator[model.Read]:
    """The entries of variables that the value depends on, those inside called defines too."""
    return (part for part in walk_with_defines(expr) if isinstance(part, model.Read))


def is_closed(expr: model.Expr) -> bool:
    """Whether the expression depends on nothing but itself."""
    return not free_slots(expr) and not reads_state(expr)


def map_parts(expr: E, change: Callable[[model.Expr], model.Expr]) -> E:
    """The same expression with every expression right inside it changed."""
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
    """The expression with slots replaced by expressions."""
    if isinstance(expr, model.Local):
        return values.get(expr.slot, expr)
    return map_parts(expr, lambda part: substitute(part, values))


def unfold(call: model.Call) -> model.Expr:
    """The body of a define with the arguments in place of its parameters.

    The slots that the body itself binds are moved out of the way of the caller's. An argument may then be evaluated
    more than once, or never.
    """
    body = _renumbered(call.define.body, 1_000 * (1 + _deepest(call)))
    values = {k + 1_000 * (1 + _deepest(call)): argument for k, argument in enumerate(call.arguments)}
    return substitute(body, values)


def _deepest(expr: model.Expr) -> int:
    used = slots(expr) | bound_slots(expr)
    return max(used, default=0) // 1_000


def _renumbered(expr: model.Expr, by: int) -> model.Expr:
    """The expression with all its slots moved up, binders included."""
    if isinstance(expr, model.Local | model.Let | model.Reach):
        expr = evolve(expr, slot=expr.slot + by)
    elif isinstance(expr, model.Quantified | model.Comprehension):
        moved = tuple(evolve(binder, slot=binder.slot + by) for binder in expr.binders)
        expr = evolve(expr, binders=moved)
    return map_parts(expr, lambda part: _renumbered(part, by))
