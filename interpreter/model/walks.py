"""Walks over the blocks, statements and expressions of a model."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from attrs import fields

from zermelo.interpreter import model


def rules_of(decision: model.Decision | None) -> tuple[model.Rule, ...]:
    match decision:
        case model.Turn(moves=rules) | model.Chance(outcomes=rules) | model.Together(moves=rules):
            return rules
        case None:
            return ()


def blocks(game: model.Model) -> Iterator[model.Block]:
    """Every block that is run by itself; each action once, not at its calls."""
    yield game.setup
    for action in game.actions:
        yield action.body
    for phase in game.phases.values():
        yield from blocks_of_phase(phase)
    yield (game.start,)


def blocks_of_phase(phase: model.Phase) -> Iterator[model.Block]:
    """The blocks of a phase: entry, effects of moves or outcomes, ``then`` and ``otherwise``."""
    yield phase.entry
    for rule in rules_of(phase.decision):
        yield rule.body
    if isinstance(phase.decision, model.Together):
        yield phase.decision.then
    if phase.otherwise is not None:
        yield phase.otherwise


def expressions(game: model.Model) -> Iterator[model.Expr]:
    """Every expression that is not inside another one."""
    for define in game.defines:
        yield define.body
    for variable in game.variables:
        if isinstance(variable.visibility, model.SeenBy):
            yield variable.visibility.audience
    for block in blocks(game):
        for statement in live_statements(block):
            yield from statement_expressions(statement)
    for phase in game.phases.values():
        yield from decision_expressions(phase.decision)
        for rule in rules_of(phase.decision):
            yield from rule_expressions(rule)
    for loose in (game.estimate, game.unsettled, game.order_moves):
        if loose is not None:
            yield loose.value


def decision_expressions(decision: model.Decision | None) -> Iterator[model.Expr]:
    """The expressions of a decision without its rules: who decides, and preferences."""
    match decision:
        case model.Turn(player=player, preferring=preferring):
            yield player
            yield from preferring
        case model.Together(players=players):
            yield players
        case _:
            pass


def rule_expressions(rule: model.Rule) -> Iterator[model.Expr]:
    """The domains, guards, weight and probability of a rule, without its body."""
    for parameter in rule.parameters:
        yield parameter.domain
    for level in rule.guards:
        yield from level
    for expr in (rule.ensuring, rule.weight, rule.probability):
        if expr is not None:
            yield expr


def statement_expressions(statement: model.Statement) -> Iterator[model.Expr]:
    """The expressions of a statement, without those of the statements inside it."""
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


def statements(block: model.Block) -> Iterator[model.Statement]:
    """All statements of a block, nested ones and those of called actions included."""
    for statement in own_statements(block):
        yield statement
        if isinstance(statement, model.Do):
            yield from statements(statement.action.body)


def own_statements(block: model.Block) -> Iterator[model.Statement]:
    """The same without those of actions, which have frames of their own."""
    for statement in block:
        yield statement
        match statement:
            case model.If_(yes=yes, no=no):
                yield from own_statements(yes)
                yield from own_statements(no)
            case model.For(body=body):
                yield from own_statements(body)
            case _:
                pass


def live_statements(block: model.Block) -> Iterator[model.Statement]:
    """The same without the branches that the present parameters switch off."""
    for statement in block:
        yield statement
        match statement:
            case model.If_(condition=model.Const(value=bool() as holds), yes=yes, no=no):
                yield from live_statements(yes if holds else no)
            case model.If_(yes=yes, no=no):
                yield from live_statements(yes)
                yield from live_statements(no)
            case model.For(body=body):
                yield from live_statements(body)
            case _:
                pass


def phase_title(game: model.Model, phase: model.Phase) -> str:
    """The phase in messages: its name or label, or its line if it has neither."""
    if game.notation == "phases":
        return f"phase '{phase.name}'"
    return phase.name if phase.name.startswith("@") else f"line {phase.span.line}"
