"""The claims of a file, checked against the facts."""

from __future__ import annotations

from zermelo.grammar.diagnostics import Findings
from zermelo.interpreter.analysis.fact import Fact
from zermelo.interpreter.checks.game_facts import Facts
from zermelo.interpreter.model import Claim, Const, Model


def check_claims(game: Model, findings: Findings) -> None:
    """Report the claims that the rules alone refute."""
    if not game.claims:
        return
    from zermelo.interpreter.checks.proving import facts  # commands that show claims know the facts already

    known = facts(game)
    for claim in game.claims:
        fact = verdict(claim, known, game)
        if fact.holds is False:
            findings.report(
                "false-claim",
                claim.span,
                f"the game is not {CLAIMED[claim.property]}",
                remark=fact.how,
                help="remove the claim, or mend the rules; no solver relies on a claim",
            )


CLAIMED = {
    "zero_sum": "zero-sum",
    "constant_sum": "of this constant sum",
    "common_payoff": "one in which all players get the same",
    "perfect_information": "one of perfect information",
    "deterministic": "without chance",
    "terminates": "sure to end",
    "symmetric": "symmetric",
}
"""The claimed properties in words."""


def verdict(claim: Claim, facts: Facts, model: Model) -> Fact:
    """Whether a claim of the model holds, and why."""
    match claim.property, claim.arguments:
        case "zero_sum", _:
            return facts.zero_sum
        case "constant_sum", (Const(value=claimed),):
            return facts.sums_to(claimed)
        case "common_payoff", _:
            return facts.common_payoff
        case "perfect_information", _:
            return facts.perfect_information
        case "deterministic", _:
            return facts.deterministic
        case "terminates", _ if claim.is_measured():
            from zermelo.interpreter.checks.falling import falls
            from zermelo.interpreter.checks.phase_graph import reachable_phases

            return falls(model, reachable_phases(model), claim)
        case "terminates", _:
            return facts.terminates
    return Fact(None, f"{claim.property} is not checked yet")


def words(fact: Fact) -> str:
    """``proved``, ``refuted`` or ``open``."""
    return "open" if fact.holds is None else "proved" if fact.holds else "refuted"
