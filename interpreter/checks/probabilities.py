"""Chance decisions whose probabilities are all constant: do they sum to exactly 1?"""

from __future__ import annotations

from fractions import Fraction

from grammar.diagnostics import Findings, Fix, Label
from interpreter import model

_LARGEST_DENOMINATOR = 100
_NEAR = Fraction(1, 500)


def check_probabilities(game: model.Model, findings: Findings) -> None:
    """Report probabilities that are negative, 0, or do not sum to 1, with the fraction that was probably meant."""
    for phase in game.phases.values():
        if isinstance(phase.decision, model.Chance):
            _check_values(phase.decision, findings)
            _check_sum(phase.decision, findings)


def _check_values(chance: model.Chance, findings: Findings) -> None:
    for rule in chance.outcomes:
        for number, what in ((rule.probability, "probability"), (rule.weight, "weight")):
            value = _constant(number)
            if number is None or value is None:
                continue
            if value < 0:
                findings.report("negative-probability", number.span, f"the {what} of '{rule.name}' is negative")
            elif value == 0:
                findings.report(
                    "zero-probability",
                    number.span,
                    f"the outcome '{rule.name}' can never be drawn",
                    remark=f"its {what} is 0",
                    help="remove it",
                )
            elif what == "probability" and value > 1:
                message = f"the probability of '{rule.name}' is more than 1"
                findings.report("probabilities-not-one", number.span, message)


def _constant(number: model.Expr | None) -> Fraction | None:
    if isinstance(number, model.Const) and isinstance(number.value, int | Fraction):
        return Fraction(number.value)
    return None


def _bindings(rule: model.Rule) -> int | None:
    """How many outcomes a rule stands for, where that is constant."""
    if any(rule.guards):
        return None
    count = 1
    for parameter in rule.parameters:
        if not isinstance(parameter.domain, model.Const) or parameter.domain.value is None:
            return None
        count *= len(parameter.domain.value)
    return count


def _check_sum(chance: model.Chance, findings: Findings) -> None:
    given = [rule for rule in chance.outcomes if rule.probability is not None]
    if not given:
        return
    without = [rule for rule in chance.outcomes if rule.probability is None]
    if without:
        findings.report(
            "probabilities-not-one",
            without[0].span,
            f"the outcome '{without[0].name}' has no probability, and others have one",
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
        help="'weight' instead of 'prob' makes numbers that need not sum to 1",
    )


def _simple(value: Fraction) -> Fraction:
    """The simple fraction that a rounded decimal was probably meant for, or the number itself."""
    for denominator in range(1, _LARGEST_DENOMINATOR + 1):
        candidate = value.limit_denominator(denominator)
        if abs(candidate - value) <= _NEAR:
            return candidate
    return value
