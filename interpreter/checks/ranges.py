"""Constants outside their ranges, and divisions by constant 0.

Only certain errors are reported: a value whose whole interval lies outside the range, or a constant that is not in it.
The rest is checked at run time.
"""

from __future__ import annotations

from zermelo.grammar.diagnostics import Findings, Label
from zermelo.grammar.source import Span
from zermelo.interpreter import model
from zermelo.interpreter.intervals import disjoint
from zermelo.interpreter.model.compatibility import allowed
from zermelo.interpreter.model.rewriting import walk
from zermelo.interpreter.model.walks import blocks, expressions, live_statements
from zermelo.interpreter.types import UNKNOWN, NumberType, SetType, TupleType, Type, UnknownType, strip_none
from zermelo.interpreter.values import format_value


def check_ranges(game: model.Model, findings: Findings) -> None:
    for root in expressions(game):
        for expr in walk(root):
            _check_expression(expr, findings)
    for block in blocks(game):
        for statement in live_statements(block):
            _check_statement(statement, game, findings)


def _check_expression(expr: model.Expr, findings: Findings) -> None:
    match expr:
        case model.Arithmetic(operator="/" | "//" | "%", right=divisor):
            base = strip_none(divisor.type)
            if isinstance(base, NumberType) and base.low == 0 == base.high:
                findings.report("division-by-zero", divisor.span, "this divides by 0")
        case model.Read(variable=variable, indices=indices):
            for index, type in zip(indices, variable.indices, strict=True):
                _check_value(index, type, f"an index of '{variable.name}'", variable.span, findings)
        case model.Call(define=define, arguments=arguments):
            for argument, parameter in zip(arguments, define.parameters, strict=True):
                place = f"'{parameter.name}' of '{define.name}'"
                _check_value(argument, parameter.type, place, parameter.span, findings)
        case _:
            pass


def _check_statement(statement: model.Statement, game: model.Model, findings: Findings) -> None:
    match statement:
        case model.Assign(variable=variable, indices=indices, path=path, value=value):
            for index, type in zip(indices, variable.indices, strict=True):
                _check_value(index, type, f"an index of '{variable.name}'", variable.span, findings)
            place = f"this field of '{variable.name}'" if path else f"'{variable.name}'"
            _check_value(value, _field_type(variable.type, path), place, variable.span, findings)
        case model.Fill(variable=variable, value=value):
            _check_value(value, variable.type, f"'{variable.name}'", variable.span, findings)
        case model.SetLocal(type=Type() as type, value=value, name=name):
            _check_value(value, type, f"'{name}'", None, findings)
        case model.SetLocalField(type=type, path=path, value=value, name=name):
            _check_value(value, _field_type(type, path), f"this field of '{name}'", None, findings)
        case model.Go(phase=phase, arguments=arguments) if phase in game.phases:
            for argument, parameter in zip(arguments, game.phases[phase].parameters, strict=False):
                place = f"'{parameter.name}' of phase '{phase}'"
                _check_value(argument, parameter.type, place, parameter.span, findings)
        case model.Do(action=action, arguments=arguments):
            for argument, parameter in zip(arguments, action.parameters, strict=True):
                place = f"'{parameter.name}' of '{action.name}'"
                _check_value(argument, parameter.type, place, parameter.span, findings)
        case _:
            pass


def _check_value(value: model.Expr, type: Type, place: str, declared: Span | None, findings: Findings) -> None:
    """Report a value that can never belong to the type, or its parts that cannot."""
    if isinstance(value.type, UnknownType) or isinstance(type, UnknownType):
        return
    wanted = strip_none(type)
    match value:
        case model.If(yes=yes, no=no):
            for branch in (yes, no):
                _check_value(branch, type, place, declared, findings)
            return
        case model.MakeTuple(items=items) if isinstance(wanted, TupleType):
            for item, part in zip(items, wanted.items, strict=True):
                _check_value(item, part, f"this part of {place}", declared, findings)
            return
        case model.MakeSet(items=items) if isinstance(wanted, SetType):
            for item in items:
                _check_value(item, wanted.element, f"a member of {place}", declared, findings)
            return
        case model.Const(value=given):
            if given is None or type.contains(given):
                return
            message = f"{place} can never be {format_value(given)}"
        case _:
            actual, numbers = strip_none(value.type), wanted.base
            if not (isinstance(numbers, NumberType) and isinstance(actual, NumberType) and disjoint(actual, numbers)):
                return
            message = f"{place} can never be this number: it is {_bounds(actual)}"
    labels = [] if declared is None else [Label(declared, f"declared as {type}")]
    findings.report("out-of-range", value.span, message, remark=allowed(type), labels=labels)


def _bounds(numbers: NumberType) -> str:
    if numbers.low is None or numbers.high is None:
        return f"at most {numbers.high}" if numbers.low is None else f"at least {numbers.low}"
    return str(numbers.low) if numbers.low == numbers.high else f"at least {numbers.low} and at most {numbers.high}"


def _field_type(type: Type, path: tuple[int, ...]) -> Type:
    """The type of the field of a record at ``path``."""
    for place in path:
        record = strip_none(type)
        if not isinstance(record, TupleType):
            return UNKNOWN
        type = record.items[place]
    return type
