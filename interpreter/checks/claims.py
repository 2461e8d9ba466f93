"""The claims of a file, checked against the facts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final, TypeAlias

from attrs import evolve

from zermelo.grammar.diagnostics import NOWHERE, Finding, Findings
from zermelo.interpreter.checks.game_facts import Facts
from zermelo.interpreter.facts import Fact
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
            from zermelo.interpreter.checks.termination import prove_measure_falls

            return prove_measure_falls(model, reachable_phases(model), claim)
        case "terminates", _:
            return facts.terminates
        case _:
            return _prove_symmetric(model)


def _prove_symmetric(model: Model) -> Fact:
    """Whether every player can take the place of every other: by symmetries of the rules
    (:mod:`zermelo.interpreter.symmetries`) that map the first state to itself. They map plays to plays, so that a
    player gets from a play what the renamed player gets from its image."""
    from zermelo.interpreter.symmetries.equivariance import keeps_beginning
    from zermelo.interpreter.symmetries.group import symmetries

    found = symmetries(model)
    kept = [symmetry for symmetry in found if keeps_beginning(model, symmetry)]
    if _is_transitive(model, kept):
        return Fact(True, "the rules and the beginning are the same with the players exchanged")
    if _is_transitive(model, found):
        return Fact(None, "the rules are the same with the players exchanged, but the play begins for one of them")
    return Fact(None, "it is not proved that the rules are the same with the players exchanged")


def _is_transitive(model: Model, group: Sequence[Relabelling]) -> bool:
    """Whether a group of symmetries maps the first player to every other one, and so each player to each."""
    first = model.players[0]
    return {symmetry.of(first) for symmetry in group} == set(model.players)


def verdict_word(fact: Fact) -> str:
    """``proved``, ``refuted`` or ``open``."""
    return "open" if fact.holds is None else "proved" if fact.holds else "refuted"


# Lines about the game with other parameters.
#
# ``expect``, ``reachable`` and ``never`` may name parameters, behind ``with``. Such a line says nothing about the game
# with its present parameters, in which the things that it names need not exist: ``never taken[2] with n = 2`` where n
# is 1. So the line is read only when the game has those parameters; here it is kept without its content.


Line: TypeAlias = Expectation | Witness

_UNREAD: Final = Event("anywhere", condition=Loose(Const(False, type=BOOL, span=NOWHERE), 0))
"""No position at all."""


def is_about_present_game(game: Model, line: Line) -> bool:
    """Whether a line is about the game with its present parameters."""
    return all(game.parameters.get(name) == value for name, value in line.settings.items())


def drop_other_lines(game: Model, findings: Findings) -> Model:
    """The game without the events of lines about other parameters. The findings in such lines are dropped."""
    if not _lines_on_other_parameters(game):
        return game
    findings.found = [finding for finding in findings.found if not is_in_other_line(game, finding)]
    witnesses = (each if is_about_present_game(game, each) else evolve(each, event=_UNREAD) for each in game.witnesses)
    return evolve(game, witnesses=tuple(witnesses))


def is_in_other_line(game: Model, finding: Finding) -> bool:
    """Whether a finding is about a part of a line about other parameters."""
    return any(is_in_line(finding, line) for line in _lines_on_other_parameters(game))


def other_lines(game: Model) -> Iterator[tuple[Mapping[str, Value], list[Line]]]:
    """All parameters that lines name, other than the present ones, each with the lines that name them."""
    waiting = _lines_on_other_parameters(game)
    while waiting:
        settings = waiting[0].settings
        yield settings, [line for line in waiting if line.settings == settings]
        waiting = [line for line in waiting if line.settings != settings]


def is_in_line(finding: Finding, line: Line) -> bool:
    return line.span.start <= finding.span.start and finding.span.end <= line.span.end


def _lines_on_other_parameters(game: Model) -> list[Line]:
    lines: tuple[Line, ...] = (*game.expectations, *game.witnesses)
    return [line for line in lines if not is_about_present_game(game, line)]
