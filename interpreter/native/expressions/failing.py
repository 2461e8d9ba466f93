"""Whether an expression may be an error of the rules.

By its form and the types of its parts, which are sound: so it may say that an expression can fail although guards in it
exclude that, never the other way round. Numbers with too many digits do not count: no machine of numbers holds them.
"""

from __future__ import annotations

from typing import Final

from zermelo.interpreter import model
from zermelo.interpreter.functions import FUNCTIONS
from zermelo.interpreter.model import Expr
from zermelo.interpreter.model.rewriting import subexpressions, walk_with_defines
from zermelo.interpreter.native.coding.encoding import set_element
from zermelo.interpreter.native.expressions.variables import needs_check
from zermelo.interpreter.storage import admission_test
from zermelo.interpreter.types import NoneType, NumberType, OptionalType, Type

_TAKE_NONE: Final = (model.IsNone, model.GetField, model.Lookup, model.Let, model.MakeSet, model.MakeTuple)
"""Expressions of which no part need have a value."""


def can_fail(expr: Expr) -> bool:
    """Whether its evaluation may be an error of the rules, in itself or in a define that it calls."""
    return any(map(_fails, walk_with_defines(expr)))


def may_refuse(type: Type, given: Type) -> bool:
    """Whether a parameter of this type may refuse a value of the type ``given``."""
    is_missing = _may_be_none(given) and not isinstance(type, OptionalType)
    return is_missing or (not isinstance(given, NoneType) and admission_test(type, given) is not None)


def _fails(expr: Expr) -> bool:
    """The same for the expression without its parts."""
    match expr:
        case model.Read(variable=variable, indices=indices):
            checked = zip(variable.indices, indices, strict=True)
            return not variable.has_initial or any(needs_check(type, index.type) for type, index in checked)
        case model.Arithmetic(operator="/" | "//" | "%", right=right) if _may_be_zero(right.type):
            return True
        case model.Call(define=define, arguments=arguments):
            pairs = zip(define.parameters, arguments, strict=True)
            return any(may_refuse(parameter.type, argument.type) for parameter, argument in pairs)
        case model.Stuck():  # as the guards of its decision may
            return True
        case model.Reach(step=step) if admission_test(set_element(expr.type), set_element(step.type)) is not None:
            return True
        case model.Apply(function=function, arguments=arguments):
            needed = [argument for k, argument in enumerate(arguments) if FUNCTIONS[function].needs_value(k)]
        case model.Compare(operator="==" | "!="):
            needed = []
        case model.Contains(collection=collection):
            needed = [collection]
        case model.If(condition=condition):
            needed = [condition]
        case _:
            needed = [] if isinstance(expr, _TAKE_NONE) else list(subexpressions(expr))
    return any(_may_be_none(part.type) for part in needed)


def _may_be_none(type: Type) -> bool:
    return isinstance(type, OptionalType | NoneType)


def _may_be_zero(type: Type) -> bool:
    return not isinstance(type, NumberType) or type.low is None or type.high is None or type.low <= 0 <= type.high
