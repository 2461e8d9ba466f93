"""Walks over the blocks, statements and expressions of a model."""

from __future__ import annotations

from collections.abc import Iterator

from zermelo.interpreter import model
from zermelo.interpreter.model.rewriting import subexpressions


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
            yield from subexpressions(statement)
    for phase in game.phases.values():
        if phase.decision is not None:
            yield from subexpressions(phase.decision)
        for rule in rules_of(phase.decision):
            yield from subexpressions(rule)
    for loose in game.loose:
        yield loose.value


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
