"""What a file claims of its game, held against what is known."""

from __future__ import annotations

from interpreter.checks.fact import Fact
from interpreter.checks.facts import Facts
from interpreter.model import Claim, Const


def verdict(claim: Claim, facts: Facts) -> Fact:
    """Whether a claim holds, and how that is known."""
    match claim.property, claim.arguments:
        case "zero_sum", _:
            return facts.zero_sum
        case "constant_sum", (Const(value=claimed),) if facts.constant_sum.holds:
            return Fact(facts.sum == claimed, facts.constant_sum.how)
        case "constant_sum", _:
            return facts.constant_sum
        case "common_payoff", _:
            return facts.common_payoff
        case "perfect_information", _:
            return facts.perfect_information
        case "deterministic", _:
            return facts.deterministic
        case "terminates", _:
            return facts.terminates
    return Fact(None, f"{claim.property} is not checked yet")


def words(fact: Fact) -> str:
    """``proved``, ``refuted`` or ``open``."""
    return "open" if fact.holds is None else "proved" if fact.holds else "refuted"
