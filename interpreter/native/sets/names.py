"""The names of a define's arguments and of a ``where``.

A set is lowered at the uses of its name, which often need no mask of it. But a use may be skipped, and the set is
evaluated all the same: so one that may be an error, or that its parameter may refuse, is evaluated first.
"""

from __future__ import annotations

from zermelo.interpreter import model
from zermelo.interpreter.model import Expr
from zermelo.interpreter.native.coding.encoding import is_set, set_element
from zermelo.interpreter.native.dialect.text import Body
from zermelo.interpreter.native.dialect.unsupported import Unsupported
from zermelo.interpreter.native.expressions.admission import admitted
from zermelo.interpreter.native.expressions.bindings import Binding, Env, Mask, Thunk
from zermelo.interpreter.native.expressions.failing import can_fail, may_refuse
from zermelo.interpreter.native.expressions.lowering import Lowering
from zermelo.interpreter.native.expressions.storing import stored_set
from zermelo.interpreter.native.sets.set_order import is_ascending
from zermelo.interpreter.types import OptionalType, Type


def define_names(lowering: Lowering, call: model.Call, env: Env, body: Body) -> Env:
    """The environment of a define's body, with the arguments assigned in ``body``."""
    names: Env = {}
    for slot, (argument, parameter) in enumerate(zip(call.arguments, call.define.parameters, strict=True)):
        if is_set(parameter.type):
            names[slot] = _set_name(lowering, argument, env, parameter.type, body)
        else:
            value = lowering.scalar(argument, env, parameter.type)
            value = admitted(lowering, value, argument.type, parameter.type, "assigned-out-of-range", argument.span)
            names[slot] = lowering.bind(body, value, parameter.name.lower())
    return names


def let_names(lowering: Lowering, body: Body, expr: model.Let, env: Env) -> Env:
    """The environment in the scope of a ``where``."""
    if is_set(expr.value.type):
        return {**env, expr.slot: _set_name(lowering, expr.value, env, expr.value.type, body)}
    return {**env, expr.slot: lowering.bind(body, lowering.scalar(expr.value, env), "let")}


def _set_name(lowering: Lowering, expr: Expr, env: Env, type: Type, body: Body) -> Binding:
    """What the name of a set stands for, in a place of this type."""
    if not can_fail(expr) and not may_refuse(type, expr.type):
        return Thunk(expr, env)
    if isinstance(type, OptionalType):
        raise Unsupported("a name for a set that may be none, or an error")
    name = lowering.text.let(body, "set", stored_set(lowering, expr, env, type), "bits")
    return Mask(name, set_element(type)) if is_ascending(expr, env) else Thunk(expr, env)
