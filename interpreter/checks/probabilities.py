"""Constant probabilities of chance decisions: do they sum to exactly 1?"""

from __future__ import annotations

from fractions import Fraction
from math import floor

from zermelo.grammar.diagnostics import Findings, Fix, Label
from zermelo.interpreter import model

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
