"""Assignments to entries of variables, and to places of records, be they in entries or in local names."""

from __future__ import annotations

from zermelo.interpreter import model
from zermelo.interpreter.model import Expr
from zermelo.interpreter.native.coding.encoding import Storage, is_set, places, storage_of
from zermelo.interpreter.native.coding.layout import Place
from zermelo.interpreter.native.dialect.text import Body
from zermelo.interpreter.native.expressions.admission import admitted
from zermelo.interpreter.native.expressions.bindings import Env, Scalar
from zermelo.interpreter.native.expressions.lowering import Lowering
from zermelo.interpreter.native.expressions.storing import store_entry
from zermelo.interpreter.native.expressions.variables import position_of_entry, stored_text
from zermelo.interpreter.native.rules.local_names import make_own
from zermelo.interpreter.native.sets import optional_sets
from zermelo.interpreter.storage import type_at
from zermelo.interpreter.types import OptionalType, TupleType, Type, strip_none


def stored(lowering: Lowering, expr: Expr, type: Type, storage: Storage, env: Env, body: Body) -> str:
    """The stored form of a value that is evaluated here, with the check that its place, of this type, admits it."""
    if is_set(type):
        mask = optional_sets.set_to_store(lowering, expr, env, type, storage)
        return lowering.text.let(body, "value", mask, "bits")
    value = lowering.scalar(expr, env, type)
    value = admitted(lowering, value, expr.type, type, "assigned-out-of-range", expr.span)
    return storage.put_text(lowering.bind(body, value, "value").text)


def assign(lowering: Lowering, statement: model.Assign, env: Env, body: Body) -> None:
    place = lowering.layout.places[statement.variable]
    if statement.path:
        _assign_field(lowering, statement, place, env, body)
        return
    value = stored(lowering, statement.value, statement.variable.type, place.storage, env, body)
    at = _entry(lowering, place, statement, env, body)
    store_entry(lowering, place, at, value, body)


def _assign_field(lowering: Lowering, statement: model.Assign, place: Place, env: Env, body: Body) -> None:
    text, shift, width = _field_value(lowering, statement.value, statement.variable.type, statement.path, env)
    value = lowering.text.let(body, "value", text)
    at = _entry(lowering, place, statement, env, body)
    held = lowering.text.let(body, "held", place.storage.take_text(stored_text(lowering, place, at)))
    can_miss = place.storage.has_none or place.storage.has_unset
    _require_record(lowering, held, statement, statement.variable.type, can_miss, body)
    body.line(f"{held} = {_with_field(held, value, shift, width)}")
    store_entry(lowering, place, at, place.storage.put_text(held), body)


def _entry(lowering: Lowering, place: Place, statement: model.Assign, env: Env, body: Body) -> str:
    text, has_none = position_of_entry(lowering, place, statement.indices, env)
    if not place.indices:
        return "0"
    at = lowering.text.let(body, "at", text)
    if has_none:
        with body.block(f"if {at} < 0"):
            lowering.fault(body, "none-value", statement.span)
            body.line(f"{at} = 0")
    return at


def set_local_field(lowering: Lowering, statement: model.SetLocalField, env: Env, body: Body) -> None:
    make_own(lowering, (statement,), env, body)
    binding = env.get(statement.slot)
    assert isinstance(binding, Scalar), "a name of a record"
    held = lowering.bind(body, Scalar(binding.text), "held").text
    _require_record(lowering, held, statement, statement.type, binding.has_none, body)
    value, shift, width = _field_value(lowering, statement.value, statement.type, statement.path, env)
    name = f"S[{lowering.layout.name_slot(statement.slot)}]" if statement.slot in lowering.kept else binding.text
    body.line(f"{name} = {_with_field(held, value, shift, width)}")


def _with_field(record: str, value: str, shift: int, width: int) -> str:
    """A record with another value in the place of these bits."""
    return f"({record} & {~(((1 << width) - 1) << shift)}) | ({value} << {shift})"


def _field_value(lowering: Lowering, expr: Expr, type: Type, path: tuple[int, ...], env: Env) -> tuple[str, int, int]:
    """The stored form of a value in a place of a record, its first bit, its width."""
    shift = 0
    storage = storage_of(type)
    for index in path:
        record = strip_none(type).base
        assert isinstance(record, TupleType)
        storage, at = places(record)[index]
        shift += at
        type = type_at(type, (index,))
    value = admitted(lowering, lowering.scalar(expr, env, type), expr.type, type, "assigned-out-of-range", expr.span)
    return storage.put_text(value.text), shift, storage.width


def _require_record(
    lowering: Lowering,
    name: str,
    statement: model.SetLocalField | model.Assign,
    type: Type,
    can_miss: bool,
    body: Body,
) -> None:
    """Check that the name is a record of this type (``can_miss``: it may be none or unset), and that no inner record on
    the path is none; after a fault the name is 0."""
    tests = [f"{name} < 0"] if can_miss else []
    shift = 0
    for index in statement.path[:-1]:
        record = strip_none(type).base
        assert isinstance(record, TupleType)
        storage, at = places(record)[index]
        shift, type = shift + at, record.items[index]
        if isinstance(type, OptionalType):
            tests.append(f"({name} >> {shift}) & {(1 << storage.width) - 1} == 0")
    if tests:
        with body.block(f"if {' or '.join(tests)}"):
            lowering.fault(body, "none-value", statement.span)
            body.line(f"{name} = 0")
