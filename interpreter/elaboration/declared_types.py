"""The types with which variables, fields and names are declared.

Expressions have base types: a part of a type, ``{jack, queen, king}``, is known only of the places that hold its
values.
"""

from __future__ import annotations

from zermelo.interpreter import model
from zermelo.interpreter.elaboration.expressions import known
from zermelo.interpreter.elaboration.scope import Scope
from zermelo.interpreter.types import PartType, SetType, TupleType, Type, strip_none


def declared_type(expr: model.Expr, scope: Scope) -> Type:
    """A type, perhaps a part of that of the expression, with all its values."""
    match expr:
        case model.Present(operand=operand):
            return declared_type(operand, scope)
        case model.Read(variable=variable):
            return variable.type
        case model.GetField(record=record, index=index):
            type = strip_none(declared_type(record, scope))
            return type.items[index] if isinstance(type, TupleType) else expr.type
        case model.Local(slot=slot, name=name):
            local = scope.find(name)
            return local.declared if local is not None and local.slot == slot else expr.type
        case _:
            return expr.type


def declared_element(domain: model.Expr, element: Type, scope: Scope) -> Type:
    """The same for the members of a set, whose base type is ``element``."""
    if isinstance(domain, model.Const):
        return PartType(element, domain.value) if known(domain) and domain.value else element
    type = strip_none(declared_type(domain, scope))
    return type.element if isinstance(type, SetType) else element
