"""``stuck`` that is asked before the decision's names have their values.

``stuck`` in the entry statements of a phase says whether its decision offers nothing. To tell, the guards are tested at
once, so every name that they use must have been assigned above.
"""

from __future__ import annotations

from collections.abc import Iterator

from zermelo.grammar.diagnostics import Findings, Label
from zermelo.interpreter import model
from zermelo.interpreter.model.rewriting import free_slots, subexpressions, walk
from zermelo.interpreter.model.walks import own_statements, rules_of


def check_stuck(game: model.Model, findings: Findings) -> None:
    """Report every ``stuck`` that looks at a name of the phase that has no value yet."""
    for phase in game.phases.values():
        needed = {slot for expr in _asked(phase.decision) for slot in free_slots(expr)}
        # A name that is made inside a block ends with it, and the decision cannot mean that one.
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
        f"'stuck' asks what the decision offers, and '{name.name}' has no value yet",
        labels=[Label(name.span, "it gets one here")],
        help=f"ask behind the line that makes '{name.name}'",
    )


def _places(statement: model.Statement) -> Iterator[model.Stuck]:
    """Where a statement, or one inside it, says ``stuck``."""
    for each in own_statements((statement,)):
        for expr in subexpressions(each):
            yield from (part for part in walk(expr) if isinstance(part, model.Stuck))


def _asked(decision: model.Decision | None) -> Iterator[model.Expr]:
    """What is evaluated to tell whether a decision offers anything."""
    if isinstance(decision, model.Together):
        yield decision.players
    for rule in rules_of(decision):
        yield from subexpressions(rule)
        if rule.ensuring is not None:
            for statement in own_statements(rule.body):
                yield from subexpressions(statement)
