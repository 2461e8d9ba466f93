"""Checking a file at the extremes of its parameters.

Rules that are sound for the default parameters may not be so for others, and it is at the ends of their domains that
they mostly break: an empty board, a range that is too short. So a file is checked at the first and at the last value of
each parameter, the others having their default values, and with all parameters at their first and at their last values:
not at all combinations, whose number grows exponentially. Combinations that the file does not allow are passed over.

Lines about the game with other parameters, which they name, are checked with those.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from attrs import evolve

from zermelo.grammar.diagnostics import Finding, Findings
from zermelo.grammar.parse import parse
from zermelo.grammar.source import Source, Span
from zermelo.grammar.syntax import GameFile
from zermelo.interpreter.check import check_tree
from zermelo.interpreter.checks.other_parameters import is_in, is_in_others, other_lines
from zermelo.interpreter.model import Model
from zermelo.interpreter.values import format_value

SINGLE: Final = 20
"""With more parameters than this they are not varied one by one."""

NOT_ALLOWED: Final = frozenset({"parameter-out-of-range", "requirement-not-met"})
"""Findings of values that the file does not allow together."""


def check_at_extremes(source: Source, overrides: Mapping[str, Any] | None = None) -> Findings:
    """All findings of a file: those for its default parameters, or the given ones, and then those that only come up at
    extreme values of the other parameters, whose messages say at which. Raises ``ZermeloError`` (``unknown-parameter``)
    like :func:`zermelo.interpreter.check.check`."""
    overrides = {} if overrides is None else overrides
    tree, findings = parse(source)
    if tree is None or findings.errors:
        return findings
    game, findings = check_tree(tree, findings, overrides)
    return findings if game is None else add_extremes(tree, game, findings, overrides)


def add_extremes(tree: GameFile, game: Model, findings: Findings, overrides: Mapping[str, Any]) -> Findings:
    """The findings of a game under ``overrides``, whose text has this tree, and those that only come up at the
    extremes."""
    known = {(finding.code, finding.span) for finding in findings}
    found: dict[tuple[str, Span], tuple[Finding, list[dict[str, Any]]]] = {}
    for values in _extremes(game, overrides):
        _, there = check_tree(tree, Findings(game.source), {**overrides, **values})
        if any(finding.code in NOT_ALLOWED for finding in there):
            continue
        for finding in there:
            if (finding.code, finding.span) not in known and not is_in_others(game, finding):
                where = found.setdefault((finding.code, finding.span), (finding, []))[1]
                if not any(fewer.items() <= values.items() for fewer in where):  # they alone are wrong
                    where.append(values)
    for settings, lines in other_lines(game):
        _, there = check_tree(tree, Findings(game.source), {**overrides, **settings})
        refused = [evolve(each, span=lines[0].span, labels=()) for each in there if each.code in NOT_ALLOWED]
        findings.found += refused or [each for each in there if any(is_in(each, line) for line in lines)]
    for finding, where in found.values():
        conditions = " or ".join(map(_condition, where))
        findings.found.append(evolve(finding, message=f"{finding.message} (if {conditions})"))
    return findings


def _condition(values: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} = {format_value(value)}" for name, value in values.items())


def _extremes(game: Model, overrides: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """The values of parameters to check, each time those that differ from the present ones."""
    met: list[dict[str, Any]] = [{}]
    free = {name: ends for name, ends in game.extremes.items() if name not in overrides}
    each = [{name: end} for name, ends in free.items() for end in ends] if len(free) <= SINGLE else []
    for values in (*each, *({name: ends[k] for name, ends in free.items()} for k in (0, 1))):
        changed = {name: value for name, value in values.items() if value != game.parameters[name]}
        if changed not in met:
            met.append(changed)
            yield changed
