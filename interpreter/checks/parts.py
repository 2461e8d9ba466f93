"""All blocks of statements and all expressions of a model, for passes that look at every one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from attrs import fields

from zermelo.interpreter import model
from zermelo.interpreter.checks.flow import live_statements


def rules_of(decision: model.Decision | None) -> tuple[model.Rule, ...]:
    match decision:
        case model.Turn(moves=rules) | model.Chance(outcomes=rules) | model.Together(moves=rules):
            return rules
        case None:
            return ()


def blocks(game: model.Model) -> Iterator[model.Block]:
    """Every block that is run by itself; actions once each, not where they are carried out."""
    yield game.setup
    for action in game.actions:
        yield action.body
    for phase in game.phases.values():
        yield phase.entry
        for rule in rules_of(phase.decision):
            yield rule.body
        if isinstance(phase.decision, model.Together):
            yield phase.decision.then
        if phase.otherwise is not None:
            yield phase.otherwise
    yield (game.start,)


def expressions(game: model.Model) -> Iterator[model.Expr]:
    """Every expression that stands by itself: not inside another one."""
    for define in game.defines:
        yield define.body
    for variable in game.variables:
        if isinstance(variable.visibility, model.SeenBy):
            yield variable.visibility.audience
    for block in blocks(game):
        for statement in live_statements(block):
            yield from statement_expressions(statement)
    for phase in game.phases.values():
        match phase.decision:
            case model.Turn(player=player, preferring=preferring):
                yield player
                yield from preferring
            case model.Together(players=players):
                yield players
            case _:
                pass
        for rule in rules_of(phase.decision):
            yield from rule_expressions(rule)
    for loose in (game.estimate, game.unsettled, game.order_moves):
        if loose is not None:
            yield loose.value


def rule_expressions(rule: model.Rule) -> Iterator[model.Expr]:
    """The domains, guards and numbers of a rule, without its body."""
    for parameter in rule.parameters:
        yield parameter.domain
    for level in rule.guards:
        yield from level
    for expr in (rule.ensuring, rule.weight, rule.probability):
        if expr is not None:
            yield expr


def statement_expressions(statement: model.Statement) -> Iterator[model.Expr]:
    """The expressions right in a statement, not those of the statements inside it."""
    for field in fields(type(statement)):
        if field.name not in ("span", "yes", "no", "body", "variable", "action", "type"):
            yield from _expressions_in(getattr(statement, field.name))


def _expressions_in(value: Any) -> Iterator[model.Expr]:
    if isinstance(value, model.Expr):
        yield value
    elif isinstance(value, model.Binder):
        yield value.domain
        if value.stop_condition is not None:
            yield value.stop_condition
        yield from value.tests
    elif isinstance(value, model.WinOutcome | model.PayoffOutcome | model.PayoffForOutcome):
        for field in fields(type(value)):
            yield from _expressions_in(getattr(value, field.name))
    elif isinstance(value, tuple):
        for item in value:
            yield from _expressions_in(item)
