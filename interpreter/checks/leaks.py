"""Guards that read hidden data: a player's moves would reveal what they do not see, and one information set would offer
different moves. Suspicions, with their reasons.
"""

from __future__ import annotations

from zermelo.grammar.diagnostics import Findings, Label
from zermelo.interpreter import model
from zermelo.interpreter.checks.hidden_values import revealed_on_entry
from zermelo.interpreter.checks.seeing import Case, audience_of, is_public, reads, who_misses
from zermelo.interpreter.model.rewriting import slots
from zermelo.interpreter.types import Type


def check_leaks(game: model.Model, findings: Findings) -> None:
    """Report guards that read what their player does not see. Where everybody sees everything there are none: the
    audience of every read has all players then."""
    if all(map(is_public, game.variables)) and not any(
        parameter.secret for phase in game.phases.values() for parameter in phase.parameters
    ):
        return
    for phase in game.phases.values():
        _check_guards(phase, game, findings)


# ----------------------------------------------------------------- guards and their reads


def _check_guards(phase: model.Phase, game: model.Model, findings: Findings) -> None:
    match phase.decision:
        case model.Turn(player=player, moves=rules):
            pass
        case model.Together(slot=slot, moves=rules, span=span):
            player = model.Local(slot, "whoever chooses", type=game.player_type, span=span)
        case _:
            return
    secret = {slot for slot, parameter in enumerate(phase.parameters) if parameter.secret}
    types: dict[int, Type] = {slot: parameter.type for slot, parameter in enumerate(phase.parameters)}
    if isinstance(player, model.Local):
        types[player.slot] = game.player_type
    case = Case(player, types)
    revealed = tuple(
        value for value, audience in revealed_on_entry(phase, game) if who_misses((audience,), case) is None
    )
    for rule in rules:
        case = Case(player, types, revealed=revealed)
        for parameter, guards in zip((None, *rule.parameters), rule.guards, strict=True):
            if parameter is not None:
                _check_test("domain", parameter.domain, rule, case, secret, phase, game, findings)
                case = case.with_member(parameter.slot, parameter.type, parameter.domain)
            for guard in guards:
                _check_test("guard", guard, rule, case, secret, phase, game, findings)
                case = case.where(guard, True)
        if rule.ensuring is not None:
            _check_test("'ensuring'", rule.ensuring, rule, case, secret, phase, game, findings)


def _check_test(
    what: str,
    test: model.Expr,
    rule: model.Rule,
    case: Case,
    secret: set[int],
    phase: model.Phase,
    game: model.Model,
    findings: Findings,
) -> None:
    for slot in sorted(slots(test) & secret):
        findings.report(
            "guard-reads-hidden",
            test.span,
            f"the {what} of '{rule.name}' uses '{phase.parameters[slot].name}', which its player does not see",
            labels=[Label(phase.parameters[slot].span, "secret")],
            help="positions that a player cannot tell apart must offer the same moves",
        )
    for read, when in reads(test, case):
        unseen = who_misses((audience_of(read, game),), when)
        if unseen is None:
            continue
        name = read.variable.name
        who = case.player.name if isinstance(case.player, model.Local) else unseen.name
        findings.report(
            "guard-reads-hidden",
            test.span,
            f"the {what} of '{rule.name}' reads '{name}', but {who} does not always see it",
            remark=f"for example, {unseen.name} does not see this entry of '{name}'"
            if read.indices
            else f"{unseen.name} does not see '{name}'",
            labels=[Label(read.variable.span, "declared here")],
            help="offer the move whatever is hidden, and let its effects decide what happens; or let the player see it",
        )
