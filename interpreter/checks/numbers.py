"""Checks of the numbers in the rules: ranges, probabilities, and decisions without a move."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import floor

from zermelo.grammar.diagnostics import Findings, Fix, Label, Span
from zermelo.interpreter import model
from zermelo.interpreter.intervals import disjoint
from zermelo.interpreter.model.cardinality import allowed
from zermelo.interpreter.model.rewriting import (
    blocks,
    expressions,
    free_slots,
    live_statements,
    own_statements,
    rules_of,
    subexpressions,
    walk,
)
from zermelo.interpreter.types import UNKNOWN, NumberType, SetType, TupleType, Type, UnknownType, strip_none
from zermelo.interpreter.values import format_value

# Constants outside their ranges, and divisions by constant 0.
#
# Only certain errors are reported: a value whose whole interval lies outside the range, or a constant that is not in
# it. The rest is checked at run time.


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


# Constant probabilities of chance decisions: do they sum to exactly 1?


_LARGEST_DENOMINATOR = 100
_MOST_DIGITS = 8


def check_probabilities(game: model.Model, findings: Findings) -> None:
    """Report probabilities that are negative or do not sum to 1, with the fraction probably meant."""
    for phase in game.phases.values():
        if isinstance(phase.decision, model.Chance) and _check_values(phase.decision, findings):
            _check_sum(phase.decision, game.notation, findings)


def _check_values(chance: model.Chance, findings: Findings) -> bool:
    """Check each number by itself; whether their sum makes sense."""
    sensible = True
    for rule in chance.outcomes:
        for number, what in ((rule.probability, "probability"), (rule.weight, "weight")):
            value = _constant(number)
            if number is None or value is None:
                continue
            if value < 0:
                sensible = False
                findings.report("negative-probability", number.span, f"the {what} of '{rule.name}' is negative")
            elif what == "probability" and value > 1:
                sensible = False
                message = f"the probability of '{rule.name}' is more than 1"
                findings.report("probabilities-not-one", number.span, message)
    return sensible


def _constant(number: model.Expr | None) -> Fraction | None:
    if isinstance(number, model.Const) and isinstance(number.value, int | Fraction):
        return Fraction(number.value)
    return None


def _bindings(rule: model.Rule) -> int | None:
    """The number of outcomes of a rule, if constant."""
    if any(rule.guards):
        return None
    count = 1
    for parameter in rule.parameters:
        if not isinstance(parameter.domain, model.Const) or parameter.domain.value is None:
            return None
        count *= len(parameter.domain.value)
    return count


def _check_sum(chance: model.Chance, notation: str, findings: Findings) -> None:
    given = [rule for rule in chance.outcomes if rule.probability is not None]
    if not given:
        return
    without = [rule for rule in chance.outcomes if rule.probability is None]
    if without:
        findings.report(
            "probabilities-not-one",
            without[0].span,
            f"the outcome '{without[0].name}' has no probability, but others have one",
            labels=[Label(given[0].span, "this one has")],
            help="give all outcomes a probability, or none",
        )
        return
    parts: list[tuple[model.Expr, Fraction, int]] = []
    for rule in given:
        value, count = _constant(rule.probability), _bindings(rule)
        if value is None or count is None or rule.probability is None:
            return
        parts.append((rule.probability, value, count))
    total = sum((value * count for _, value, count in parts), Fraction(0))
    if total == 1:
        return
    meant = [(number, _simple(value), count) for number, value, count in parts]
    fits = sum((value * count for _, value, count in meant), Fraction(0)) == 1
    rounded = [
        (number, value)
        for (number, value, _), (_, given_value, _) in zip(meant, parts, strict=True)
        if value != given_value
    ]
    if fits and rounded:
        number, value = rounded[0]
        findings.report(
            "probabilities-not-one",
            number.span,
            f"the probabilities sum to {total}, not to 1",
            remark=f"did you mean {value}?",
            labels=[Label(other.span, f"and here {fraction}") for other, fraction in rounded[1:]],
            help="probabilities are exact: write the fraction",
            fix=Fix(number.span, str(value), f"write {value}"),
        )
        return
    findings.report(
        "probabilities-not-one",
        parts[-1][0].span,
        f"the probabilities sum to {total}, not to 1",
        labels=[Label(number.span, str(value * count)) for number, value, count in parts[:-1]],
        help="use 'weight' instead of 'prob' for numbers that need not sum to 1" if notation == "phases" else "",
    )


def _simple(value: Fraction) -> Fraction:
    """The simplest fraction that rounds or truncates to this decimal (1/6 for 0.1667 and 0.16), else the number
    itself."""
    digits = next((k for k in range(2, _MOST_DIGITS + 1) if (value * 10**k).denominator == 1), None)
    if digits is None:
        return value
    for denominator in range(1, _LARGEST_DENOMINATOR + 1):
        candidate = value.limit_denominator(denominator)
        scaled = candidate * 10**digits
        if value * 10**digits in (round(scaled), floor(scaled)):
            return candidate
    return value


# ``stuck`` before the names of the decision have their values.
#
# ``stuck`` in the entry statements of a phase says that its decision offers no move. It tests the guards at once, so
# that every name in them must have been bound before.


def check_stuck(game: model.Model, findings: Findings) -> None:
    """Report every ``stuck`` that depends on an entry name without a value yet."""
    for phase in game.phases.values():
        needed = {slot for expr in _asked(phase.decision) for slot in free_slots(expr)}
        # The scope of a name inside a block ends with it, so the decision cannot use it.
        later = {each.slot: each for each in reversed(phase.entry) if isinstance(each, model.SetLocal)}
        later = {slot: first for slot, first in later.items() if slot in needed}
        for statement in phase.entry:
            for place in _places(statement) if later else ():
                _report(place, min(later.values(), key=lambda each: each.span.start), findings)
            if isinstance(statement, model.SetLocal):
                later.pop(statement.slot, None)


def _report(place: model.Stuck, name: model.SetLocal, findings: Findings) -> None:
    findings.report(
        "stuck-too-early",
        place.span,
        f"'stuck' depends on the moves of the decision, but '{name.name}' has no value yet",
        labels=[Label(name.span, "it gets one here")],
        help=f"use 'stuck' after the line that defines '{name.name}'",
    )


def _places(statement: model.Statement) -> Iterator[model.Stuck]:
    """The uses of ``stuck`` in a statement and those inside it."""
    for each in own_statements((statement,)):
        for expr in subexpressions(each):
            yield from (part for part in walk(expr) if isinstance(part, model.Stuck))


def _asked(decision: model.Decision | None) -> Iterator[model.Expr]:
    """The expressions that determine whether a decision offers a move."""
    if isinstance(decision, model.Together):
        yield decision.players
    for rule in rules_of(decision):
        yield from subexpressions(rule)
        if rule.ensuring is not None:
            for statement in own_statements(rule.body):
                yield from subexpressions(statement)
