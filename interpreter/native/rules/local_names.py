"""Local names: those of ``let`` and of a local ``var``, and assignments to whole ones."""

from __future__ import annotations

from attrs import evolve

from zermelo.interpreter import model
from zermelo.interpreter.model import Block, Expr
from zermelo.interpreter.model.walks import own_statements
from zermelo.interpreter.native.coding.encoding import is_set, set_element, storage_of
from zermelo.interpreter.native.dialect.text import Body
from zermelo.interpreter.native.dialect.unsupported import Unsupported
from zermelo.interpreter.native.expressions.admission import admitted
from zermelo.interpreter.native.expressions.bindings import Env, Mask, Scalar
from zermelo.interpreter.native.expressions.lowering import Lowering, TooNarrow
from zermelo.interpreter.native.expressions.storing import stored_set
from zermelo.interpreter.native.sets import listed_families as listings
from zermelo.interpreter.native.sets import loops, optional_sets
from zermelo.interpreter.native.sets.family_questions import is_set_of_sets
from zermelo.interpreter.native.sets.set_order import is_ascending
from zermelo.interpreter.types import NoneType, OptionalType, Type


def set_local(lowering: Lowering, statement: model.SetLocal, env: Env, body: Body) -> None:
    expr, type = statement.value, statement.type
    if isinstance(expr.type if type is None else type, OptionalType) and is_set(expr.type if type is None else type):
        _assign_optional(lowering, statement, env, body)
        return
    if type is None and statement.slot not in lowering.kept and is_set_of_sets(expr.type):
        env[statement.slot] = listings.listing(lowering, expr, env, body)
        return
    if is_set(expr.type):
        ascending = type is not None or is_ascending(expr, env)
        element = lowering.element(expr) if type is None else set_element(type)
        text = lowering.mask(expr, env, element) if type is None else stored_set(lowering, expr, env, type)
        order = None if ascending or statement.slot in lowering.kept else _order(lowering, expr, env, body)
        name = _put(lowering, statement, env, body, text, "bits")
        env[statement.slot] = Mask(name, element, ascending, order=order)
        return
    value = lowering.scalar(expr, env, type)
    if type is not None:
        value = admitted(lowering, value, expr.type, type, "assigned-out-of-range", expr.span)
    has_none = value.has_none if type is None else isinstance(type, OptionalType)
    name = _put(lowering, statement, env, body, value.text, "int")
    env[statement.slot] = Scalar(name, has_none, value.scale)


def _order(lowering: Lowering, expr: Expr, env: Env, body: Body) -> tuple[str, str] | None:
    """The members of a set in an order of its own; None if no loop over it is covered, for there may be none."""
    listed = body.beside()
    try:
        order = loops.in_order(lowering, expr, env, listed)
    except Unsupported:
        return None
    body.lines += listed.lines
    body.own |= listed.own
    return order


def _assign_optional(lowering: Lowering, statement: model.SetLocal, env: Env, body: Body) -> None:
    """Assign a set that may be none: its mask, and a flag for none."""
    type = statement.value.type if statement.type is None else statement.type
    ascending = statement.type is not None or is_ascending(statement.value, env)
    if statement.slot in lowering.kept:
        storage, name = storage_of(type), f"S[{lowering.layout.name_slot(statement.slot)}]"
        if storage.width > lowering.layout.width:
            raise TooNarrow(storage.width)
        body.line(f"{name} = {optional_sets.set_to_store(lowering, statement.value, env, type, storage)}")
        env[statement.slot] = evolve(optional_sets.set_held(type, name), is_ascending=ascending)
        return
    new = optional_set(lowering, statement.value, type, statement.name, env, body)
    new = evolve(new, is_ascending=ascending)
    old = env.get(statement.slot)
    if isinstance(old, Mask) and old.text in body.own and old.none in body.own:
        body.line(f"{old.text} = {new.text}")
        body.line(f"{old.none} = {new.none}")
        new = evolve(new, text=old.text, none=old.none)
    env[statement.slot] = new


def optional_set(lowering: Lowering, expr: Expr, type: Type, name: str, env: Env, body: Body) -> Mask:
    """Fresh names for a set that may be none, admitted to this type."""
    none, mask = lowering.text.let(body, "none", optional_sets.is_none(lowering, expr, env)), "0"
    if not isinstance(expr.type, NoneType):
        mask = f"{stored_set(lowering, expr, env, type)} if not {none} else 0"
    return Mask(lowering.text.let(body, name.lower(), mask, "bits"), set_element(type), True, none)


def _put(lowering: Lowering, statement: model.SetLocal, env: Env, body: Body, text: str, kind: str) -> str:
    """Assign to a local name, the one bound to the slot or a fresh one; returns the text that reads it."""
    old = env.get(statement.slot)
    if statement.slot in lowering.kept:
        slot = lowering.layout.name_slot(statement.slot)
        name = f"S[{slot}]"
        body.line(f"{name} = {text}")
        if kind == "int":  # slots of a state are unsigned
            lowering.layout.signed_names.add(slot)
            name = f"{lowering.code('signed')}({name})"
    elif isinstance(old, Scalar | Mask) and old.text in body.own and lowering.text.kinds[old.text] == kind:
        name = old.text
        body.line(f"{name} = {text}")
    else:
        name = lowering.text.let(body, statement.name.lower(), text, kind)
    return name


def make_own(lowering: Lowering, statements: Block, env: Env, body: Body) -> None:
    """Make names assigned by conditional statements local to this function, so that they have a value even if these do
    not run."""
    for statement in own_statements(statements):
        if not isinstance(statement, model.SetLocal | model.SetLocalField) or statement.slot in lowering.kept:
            continue
        old = env.get(statement.slot)
        if isinstance(old, Scalar | Mask) and old.text not in body.own:
            kind = "int" if isinstance(old, Scalar) else "bits"
            name = lowering.text.let(body, statement.name.lower(), old.text, kind)
            env[statement.slot] = evolve(old, text=name)
            if isinstance(old, Mask) and old.none != "0":
                env[statement.slot] = evolve(old, text=name, none=lowering.text.let(body, "none", old.none))
