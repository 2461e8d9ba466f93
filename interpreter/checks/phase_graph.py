"""Reachable phases, and the blocks that may run in them."""

from __future__ import annotations

from collections.abc import Iterator

from zermelo.interpreter.analysis.simplifying import simplify
from zermelo.interpreter.model import Block, Const, Do, End, Go, If_, Model, Phase
from zermelo.interpreter.model.walks import blocks_of_phase, statements


def runs_through(block: Block) -> bool:
    """Whether some path may fall through a block, under the present parameters."""
    for statement in block:
        match statement:
            case Go() | End():
                return False
            case If_(condition, yes, no):
                settled = simplify(condition)
                open_branches = [yes, no] if not isinstance(settled, Const) else [yes if settled.value else no]
                if not any(map(runs_through, open_branches)):
                    return False
            case Do(action):
                if not runs_through(action.body):
                    return False
    return True


def reachable_phases(model: Model) -> tuple[Phase, ...]:
    """The phases reachable from the start by chains of ``go``: a superset of those that plays reach."""
    start = model.phases[model.start.phase]
    return (start, *(phase for phase in phases_after(model, start) if phase is not start))


def phases_after(model: Model, first: Phase) -> tuple[Phase, ...]:
    """The phases reachable from a phase by one ``go`` or more."""
    found: dict[str, Phase] = {}
    waiting = [first]
    while waiting:
        for block in blocks_of_phase(waiting.pop()):
            for statement in statements(block):
                if isinstance(statement, Go) and statement.phase not in found:
                    found[statement.phase] = model.phases[statement.phase]
                    waiting.append(model.phases[statement.phase])
    return tuple(found.values())


def reachable_blocks(model: Model, phases: tuple[Phase, ...]) -> Iterator[Block]:
    """Every block that may run: ``setup``, and those of ``phases``."""
    yield model.setup
    for phase in phases:
        yield from blocks_of_phase(phase)
