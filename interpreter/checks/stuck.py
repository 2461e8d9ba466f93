"""``stuck`` before the names of the decision have their values.

``stuck`` in the entry statements of a phase says that its decision offers no move. It tests the guards at once, so that
every name in them must have been bound before.
"""

from __future__ import annotations

from collections.abc import Iterator

from zermelo.grammar.diagnostics import Findings, Label
from zermelo.interpreter import model
from zermelo.interpreter.model.rewriting import free_slots, subexpressions, walk
from zermelo.interpreter.model.walks import own_statements, rules_of


def check_stuck(game: model.Model, findings: Findings) -> None:
    """Report every ``stuck`` that depends on an entry name without a value yet."""
    for phase in game.phases.values():
        needed = {slot for expr in _asked(phase.decision) for slot in free_slots(expr)}
        # The scope of a name inside a block ends with it, so the decision cannot use it.
        later = {each.slot: each for each in reversed(phase.entry) if isinstance(each, model.SetLocal)}
        later = {slot: first for slot, first in later.items() if slot in needed}
        for statement in phase.entry:
            for place in _places(statement) if later else ():
                _report(place, min(later.values(), key=lambda each: each.span.start), findings)
            if isinstance(statement, model.SetLocal):
                later.pop(statement.slot, None)


def _report(place: model.Stuck, name: model.SetLocal, findings: Findings) -> None:
    findings.report(
        "stuck-too-early",
        place.span,
        f"'stuck' depends on the moves of the decision, but '{name.name}' has no value yet",
        labels=[Label(name.span, "it gets one here")],
        help=f"use 'stuck' after the line that defines '{name.name}'",
    )


def _places(statement: model.Statement) -> Iterator[model.Stuck]:
    """The uses of ``stuck`` in a statement and those inside it."""
    for each in own_statements((statement,)):
        for expr in subexpressions(each):
            yield from (part for part in walk(expr) if isinstance(part, model.Stuck))


def _asked(decision: model.Decision | None) -> Iterator[model.Expr]:
    """The expressions that determine whether a decision offers a move."""
    if isinstance(decision, model.Together):
        yield decision.players
    for rule in rules_of(decision):
        yield from subexpressions(rule)
        if rule.ensuring is not None:
            for statement in own_statements(rule.body):
                yield from subexpressions(statement)
