"""The phases that a play can come to, and the statements that may run in them."""

from __future__ import annotations

from collections.abc import Iterator

from interpreter.model import Block, Chance, Do, For, Go, If_, Model, Phase, Statement, Together


def inner_blocks(statement: Statement) -> tuple[Block, ...]:
    """The blocks of a statement: branches, the body of a loop, the action that it carries out."""
    match statement:
        case If_(_, yes, no):
            return yes, no
        case For(_, body):
            return (body,)
        case Do(action, _):
            return (action.body,)
    return ()


def statements(block: Block) -> Iterator[Statement]:
    """All statements of a block, those inside others too."""
    for statement in block:
        yield statement
        for inner in inner_blocks(statement):
            yield from statements(inner)


def blocks(phase: Phase) -> Iterator[Block]:
    """All the blocks of a phase: its entry, what its moves or outcomes do, ``then`` and ``otherwise``."""
    yield phase.entry
    decision = phase.decision
    if isinstance(decision, Chance):
        yield from (rule.body for rule in decision.outcomes)
    elif decision is not None:
        yield from (rule.body for rule in decision.moves)
    if isinstance(decision, Together):
        yield decision.then
    if phase.otherwise is not None:
        yield phase.otherwise


def reachable_phases(model: Model) -> tuple[Phase, ...]:
    """The phases that some chain of ``go`` leads to from the start. A play comes to no others; whether it comes to
    all of these is another question."""
    found = {model.start.phase: model.phases[model.start.phase]}
    waiting = [model.start.phase]
    while waiting:
        phase = model.phases[waiting.pop()]
        for block in blocks(phase):
            for statement in statements(block):
                if isinstance(statement, Go) and statement.phase not in found:
                    found[statement.phase] = model.phases[statement.phase]
                    waiting.append(statement.phase)
    return tuple(found.values())


def reachable_blocks(model: Model, phases: tuple[Phase, ...]) -> Iterator[Block]:
    """Every block that may run: ``setup``, and those of ``phases``."""
    yield model.setup
    for phase in phases:
        yield from blocks(phase)
