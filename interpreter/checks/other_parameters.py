"""Lines about the game with other parameters.

``expect``, ``reachable`` and ``never`` may name parameters, behind ``with``. Of the game with its present parameters
such a line says nothing, and what it names need not exist there: ``never taken[2] with n = 2`` where n is 1. So it is
read where the game has those parameters, and remembered here without what it says.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, TypeAlias

from attrs import evolve

from zermelo.grammar.diagnostics import Finding, Findings
from zermelo.grammar.source import NOWHERE
from zermelo.interpreter.model import Const, Event, Expectation, Loose, Model, Witness
from zermelo.interpreter.types import BOOL
from zermelo.interpreter.values import Value

Line: TypeAlias = Expectation | Witness

_UNREAD: Final = Event("anywhere", condition=Loose(Const(False, type=BOOL, span=NOWHERE), 0))
"""No position at all."""


def concerns(game: Model, line: Line) -> bool:
    """Whether a line says something of the game with its present parameters."""
    return all(game.parameters.get(name) == value for name, value in line.settings.items())


def without_others(game: Model, findings: Findings) -> Model:
    """The game whose lines about other parameters are not read; what has been found in them is dropped."""
    if not _others(game):
        return game
    findings.found = [finding for finding in findings.found if not is_in_others(game, finding)]
    witnesses = (each if concerns(game, each) else evolve(each, event=_UNREAD) for each in game.witnesses)
    return evolve(game, witnesses=tuple(witnesses))


def is_in_others(game: Model, finding: Finding) -> bool:
    """Whether a finding is about a part of a line about other parameters."""
    return any(is_in(finding, line) for line in _others(game))


def other_lines(game: Model) -> Iterator[tuple[Mapping[str, Value], list[Line]]]:
    """The parameters that lines name, other than the present ones, and the lines that do."""
    waiting = _others(game)
    while waiting:
        settings = waiting[0].settings
        yield settings, [line for line in waiting if line.settings == settings]
        waiting = [line for line in waiting if line.settings != settings]


def is_in(finding: Finding, line: Line) -> bool:
    """Whether a finding is about a part of a line."""
    return line.span.start <= finding.span.start and finding.span.end <= line.span.end


def _others(game: Model) -> list[Line]:
    lines: tuple[Line, ...] = (*game.expectations, *game.witnesses)
    return [line for line in lines if not concerns(game, line)]
