"""What is asked about the use of the rules: whether plays come to every part, whether every condition decides, and
whether variables have all their values."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from zermelo.grammar.diagnostics import Finding
from zermelo.grammar.source import Span
from zermelo.interpreter.analysis.parts import RulePart
from zermelo.interpreter.values import shown_value
from zermelo.solvers.validation.covering import Coverage
from zermelo.solvers.validation.reply import SHOWN, Reply
from zermelo.solvers.validation.unused import Unused, UnusedValues

USED: Final = "Is every part of the rules used?"
DECIDES: Final = "Does every condition decide?"
OCCURS: Final = "Does every value occur?"

_SAID: Final = {
    "branch": "no play takes this branch",
    "else": "no play takes this 'else'",
    "case": "no play takes this case",
    "otherwise": "no play comes to this 'otherwise'",
    "end": "no play comes to this 'end'",
    "turn": "no play comes to this decision",
    "chance": "no play comes to this decision",
    "together": "no play comes to this decision",
    "move": "no play makes this move here",
    "outcome": "no play draws this outcome here",
}


def coverage_replies(coverage: Coverage) -> Iterator[Reply]:
    """The questions about a coverage.

    Something unused is a finding only if all positions have been searched, and only in a game without parameters, other
    values of which may use it."""
    if (fault := coverage.fault) is not None:
        yield Reply("Does a rule fail?", "yes", SHOWN, fault.finding, fault.play)
        return
    unused = Unused(coverage)
    parts = [(part.span, _unused_part(unused, part)) for part in unused.parts]
    conditions = [(condition.span, _idle(coverage, condition.span)) for condition in unused.conditions]
    values = [(each.variable.span, _unused_values(coverage, each)) for each in unused.values()]
    yield from _answers(coverage, USED, parts)
    yield from _answers(coverage, DECIDES, conditions)
    yield from _answers(coverage, OCCURS, values)


def _answers(coverage: Coverage, question: str, found: list[tuple[Span, Finding]]) -> Iterator[Reply]:
    """An answer for each finding, or one for all that are none."""
    extent = coverage.extent
    lines = sorted({span.line for span, _ in found})
    listed = f"line{'s' if len(lines) > 1 else ''} {', '.join(map(str, lines))}"
    if not found:
        yield Reply(question, "yes", "proved" if extent.is_whole else SHOWN)
    elif not extent.is_whole:
        yield Reply(question, f"not seen: {listed}", str(extent))
    elif coverage.model.parameters:
        yield Reply(question, f"no: {listed}", "proved for these values of the parameters")
    else:
        for span, finding in found:
            yield Reply(question, f"no: line {span.line}", str(extent), finding)


def _unused_part(unused: Unused, part: RulePart) -> Finding:
    phases = unused.phases_behind(part)
    return Finding(
        "never-reached",
        _SAID.get(part.kind, "no play comes to this line"),
        unused.coverage.model.source,
        part.span,
        f"so no play comes to phase {' or '.join(phases)}" if phases else "",
        help="remove it, or see why the rules do not lead there",
    )


def _idle(coverage: Coverage, span: Span) -> Finding:
    return Finding(
        "idle-condition",
        "this condition holds whenever it is asked",
        coverage.model.source,
        span,
        help="remove it, or see what it should ask",
    )


def _unused_values(coverage: Coverage, unused: UnusedValues) -> Finding:
    values = " or ".join(map(shown_value, unused.values))
    return Finding(
        "unused-value",
        f"{unused.variable.name} is never {values}",
        coverage.model.source,
        unused.variable.declared,
        help="remove the value from its type, or see which rule should assign it",
    )
