"""The claims of a file, checked against the facts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from zermelo.grammar.diagnostics import Findings
from zermelo.interpreter.analysis.fact import Fact
from zermelo.interpreter.checks.game_facts import Facts
from zermelo.interpreter.model import Claim, Const, Model

if TYPE_CHECKING:
    from zermelo.interpreter.symmetries.relabelling import Relabelling


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
        case _:
            return _symmetric(model)


def _symmetric(model: Model) -> Fact:
    """Whether every player can have the place of every other: by symmetries of the rules
    (:mod:`zermelo.interpreter.symmetries`) that take the first state to itself, so that they take plays to plays, and
    what these pay one player to what their images pay another."""
    from zermelo.interpreter.symmetries.beginning import keeps_beginning  # few files claim it, and it takes a while
    from zermelo.interpreter.symmetries.group import symmetries

    found = symmetries(model)
    kept = [symmetry for symmetry in found if keeps_beginning(model, symmetry)]
    if _takes_to_all(model, kept):
        return Fact(True, "the rules and the beginning are the same with the players exchanged")
    if _takes_to_all(model, found):
        return Fact(None, "the rules are the same with the players exchanged, but the play begins for one of them")
    return Fact(None, "it is not proved that the rules are the same with the players exchanged")


def _takes_to_all(model: Model, group: Sequence[Relabelling]) -> bool:
    """Whether a group of symmetries takes the first player to every other, and so each to each."""
    first = model.players[0]
    return {symmetry.of(first) for symmetry in group} == set(model.players)


def words(fact: Fact) -> str:
    """``proved``, ``refuted`` or ``open``."""
    return "open" if fact.holds is None else "proved" if fact.holds else "refuted"
