"""The claims of a file, checked against the facts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final, TypeAlias

from attrs import evolve

from zermelo.grammar.diagnostics import NOWHERE, Finding, Findings
from zermelo.interpreter.analysis import Fact
from zermelo.interpreter.checks.game_facts import Facts
from zermelo.interpreter.model import Claim, Const, Event, Expectation, Loose, Model, Witness
from zermelo.interpreter.types import BOOL
from zermelo.interpreter.values import Value

if TYPE_CHECKING:
    from zermelo.interpreter.symmetries.equivariance import Relabelling


def check_claims(game: Model, findings: Findings) -> None:
    """Report the claims that the rules alone refute."""
    if not game.claims:
        return
    from zermelo.interpreter.checks.proving import facts

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
            from zermelo.interpreter.checks.sums import reachable_phases
            from zermelo.interpreter.checks.termination import falls

            return falls(model, reachable_phases(model), claim)
        case "terminates", _:
            return facts.terminates
        case _:
            return _symmetric(model)


def _symmetric(model: Model) -> Fact:
    """Whether every player can have the place of every other: by symmetries of the rules
    (:mod:`zermelo.interpreter.symmetries`) that take the first state to itself, so that they take plays to plays, and
    what these pay one player to what their images pay another."""
    from zermelo.interpreter.symmetries.equivariance import keeps_beginning
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


# Lines about the game with other parameters.
#
# ``expect``, ``reachable`` and ``never`` may name parameters, behind ``with``. Of the game with its present parameters
# such a line says nothing, and what it names need not exist there: ``never taken[2] with n = 2`` where n is 1. So it is
# read where the game has those parameters, and remembered here without what it says.


Line: TypeAlias = Expectation | Witness

_UNREAD: Final = Event("anywhere", condition=Loose(Const(False, type=BOOL, span=NOWHERE), 0))
"""No position at all."""


def concerns(game: Model, line: Line) -> bool:
    """Whether a line says something of the game with its present parameters."""
    return all(game.parameters.get(name) == value for name, value in line.settings.items())


def without_others(game: Model, findings: Findings) -> Model:
    """The game whose lines about other parameters are not read; what has been found in them is dropped."""
    if not _others(game):
        return game
    findings.found = [finding for finding in findings.found if not is_in_others(game, finding)]
    witnesses = (each if concerns(game, each) else evolve(each, event=_UNREAD) for each in game.witnesses)
    return evolve(game, witnesses=tuple(witnesses))


def is_in_others(game: Model, finding: Finding) -> bool:
    """Whether a finding is about a part of a line about other parameters."""
    return any(is_in(finding, line) for line in _others(game))


def other_lines(game: Model) -> Iterator[tuple[Mapping[str, Value], list[Line]]]:
    """The parameters that lines name, other than the present ones, and the lines that do."""
    waiting = _others(game)
    while waiting:
        settings = waiting[0].settings
        yield settings, [line for line in waiting if line.settings == settings]
        waiting = [line for line in waiting if line.settings != settings]


def is_in(finding: Finding, line: Line) -> bool:
    """Whether a finding is about a part of a line."""
    return line.span.start <= finding.span.start and finding.span.end <= line.span.end


def _others(game: Model) -> list[Line]:
    lines: tuple[Line, ...] = (*game.expectations, *game.witnesses)
    return [line for line in lines if not concerns(game, line)]
