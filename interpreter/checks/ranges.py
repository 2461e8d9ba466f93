"""Constants outside their ranges, and divisions by what is always 0.

Only what is certain is reported here: a value whose whole interval lies outside the range, or a constant that the range
does not have. What depends on the play is checked while the game is played.
"""

from __future__ import annotations

from grammar.diagnostics import Findings, Label
from grammar.source import Span
from interpreter import model
from interpreter.checks.flow import statements
from interpreter.checks.parts import blocks, expressions
from interpreter.intervals import disjoint
from interpreter.rewriting import walk
from interpreter.types import NumberType, Type, UnknownType, strip_none
from interpreter.values import format_value


def check_ranges(game: model.Model, findings: Findings) -> None:
    for root in expressions(game):
        for expr in walk(root):
            _check_expression(expr, findings)
    for block in blocks(game):
        for statement in statements(block):
            _check_statement(statement, game, findings)


def _check_expression(expr: model.Expr, findings: Findings) -> None:
    match expr:
        case model.Arithmetic(operator="/" | "//" | "%", right=model.Const(value=0) as divisor):
            findings.report("division-by-zero", divisor.span, "this is a division by 0")
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
            if not path:
                _check_value(value, variable.type, f"'{variable.name}'", variable.span, findings)
        case model.Fill(variable=variable, value=value):
            _check_value(value, variable.type, f"'{variable.name}'", variable.span, findings)
        case model.SetLocal(type=Type() as type, value=value, name=name):
            _check_value(value, type, f"'{name}'", None, findings)
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
    """Report a value that can never be of the type."""
    if isinstance(value.type, UnknownType) or isinstance(type, UnknownType):
        return
    labels = [] if declared is None else [Label(declared, f"declared as {type}")]
    if isinstance(value, model.Const):
        if value.value is not None and not type.contains(value.value):
            shown = format_value(value.value)
            message = f"{place} can never be {shown}"
            findings.report("out-of-range", value.span, message, remark=f"it is one of {type}", labels=labels)
        return
    wanted, actual = strip_none(type.base), strip_none(value.type)
    if isinstance(wanted, NumberType) and isinstance(actual, NumberType) and disjoint(actual, wanted):
        findings.report(
            "out-of-range",
            value.span,
            f"{place} can never be this: it is at least {actual.low} and at most {actual.high}"
            if actual.low is not None and actual.high is not None
            else f"{place} can never be this: it is {'at least' if actual.low is not None else 'at most'} "
            f"{actual.low if actual.low is not None else actual.high}",
            remark=f"outside {wanted}",
            labels=labels,
        )
