"""The players of a file, on whom all other declarations may depend."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from zermelo.grammar import syntax
from zermelo.grammar.diagnostics import Findings
from zermelo.interpreter.elaboration.assigned import assigned_names
from zermelo.interpreter.elaboration.declarations import FileGlobals
from zermelo.interpreter.elaboration.expressions import constant, known
from zermelo.interpreter.elaboration.names import DeclaredNames, report_doubles
from zermelo.interpreter.elaboration.parameter_values import parameter_value
from zermelo.interpreter.types import INTEGER, MemberType, NumberType
from zermelo.interpreter.values import Member


def file_globals(declarations: DeclaredNames, findings: Findings, overrides: Mapping[str, Any]) -> FileGlobals:
    """The names of a file under given parameters, with the players made."""
    globals = FileGlobals(declarations, findings, overrides, assigned=assigned_names(declarations))
    _declare_players(declarations, globals)
    return globals


def _declare_players(declarations: DeclaredNames, globals: FileGlobals) -> None:
    """Make the type Player, on which all other declarations may depend."""
    written = declarations.players
    names: list[str] = []
    written_names: list[syntax.Name] = []
    match written:
        case syntax.Players():
            named = [(name.text, name.span) for name in written.names]
            report_doubles(named, globals.findings, "'{}' plays twice", first="first named here")
            once: dict[str, syntax.Name] = {}
            for name in written.names:
                once.setdefault(name.text, name)
            names, written_names = list(once), list(once.values())
        case syntax.PlayerCount():
            names = [f"P{k}" for k in range(1, _player_count(written, globals) + 1)]
        case None:
            names = ["nobody"]
    globals.player_type = MemberType("Player", tuple(Member("Player", name, k) for k, name in enumerate(names)))
    globals.add_type(globals.player_type)
    globals.place_parts(globals.player_type, written_names)


def _player_count(written: syntax.PlayerCount, globals: FileGlobals) -> int:
    """The number of players that the user or the file sets; ``players`` is the name of this parameter."""
    scope = globals.scope()
    numbers = [
        constant(part, scope, INTEGER, "the number of players") for part in (written.low, written.high, written.default)
    ]
    if not all(map(known, numbers)):
        return 1
    low, high, default = (number.value for number in numbers)
    type = NumberType(low, high, 1)
    value = (
        parameter_value(globals.overrides["players"], type, "players") if "players" in globals.overrides else default
    )
    if low < 1 or isinstance(value, str) or not type.contains(value):
        globals.report_outside("players", value, type, written, numbers[2].span)
        return 1
    globals.parameters["players"] = (type, value)
    return int(value)
