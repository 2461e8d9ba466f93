"""How often plays use each line of the rules, for a picture."""

from __future__ import annotations

from collections.abc import Callable

from zermelo.drawing.captions import titled
from zermelo.game import State
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.pictures.listings import DrawnListing, ListedLine, Underlined
from zermelo.report.coverage import Branching, CoveredFile
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.validation.covering import cover


def coverage_drawn(state: State, most: int | None, limits: Limits, report: Callable[[int], None]) -> DrawnListing:
    """The rules of a game with the counts of :func:`~zermelo.solvers.validation.covering.cover`, of the first ``most``
    positions if they are given.

    Raises ``ZermeloError`` (``bad-usage``) for a state that is not the beginning, and the error that a rule makes."""
    game = state.game
    if state.play:
        raise ZermeloError("bad-usage", "argument --after: coverage is that of all plays", "leave it out")
    coverage = cover(game.model, most, limits, report)
    if coverage.fault is not None:
        raise coverage.fault
    covered = CoveredFile(game.model.source, coverage)
    source = covered.source
    last = len(source.lines) - (not source.lines[-1])
    lines = tuple(
        ListedLine(number, source.line(number).rstrip(), covered.lines.get(number), _notes(covered, number))
        for number in range(1, last + 1)
    )
    said = " ".join(f"{name[:1].upper()}{name[1:]}: {words}." for name, words in covered.summary)
    return DrawnListing(
        f"{titled(state)}: how often plays use the rules",
        lines,
        (said, "Never: no play uses the line. Underlined: a condition that has only been true, or only false."),
    )


def _notes(covered: CoveredFile, number: int) -> tuple[Underlined, ...]:
    """What is missing in a line."""
    missing = [each for each in covered.branchings if each.condition.span.line == number and each.remark]
    return tuple(_note(each, covered) for each in missing)


def _note(branching: Branching, covered: CoveredFile) -> Underlined:
    span = branching.condition.span
    end = span.end_column if span.end_line == span.line else len(covered.source.line(span.line)) + 1
    return Underlined(span.column - 1, end - 1, branching.remark)
