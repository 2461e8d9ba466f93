"""Legends of enumerations, which give members signs: ``"♥" = hearts``.

A record of members with signs is shown as their signs, side by side. So that it can be read again, no sign of a type
begins another one: then the first sign ends where it must, whatever follows (a *prefix code*).
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Final

from zermelo.grammar import syntax
from zermelo.interpreter.elaboration.scope import Scope

_NO_SIGN: Final = re.compile(r"[\s()\[\]{}<>,;?]|^$|^none$")
"""What the text of a move gives another meaning."""


def signs_of(type_name: str, members: Collection[str], scope: Scope) -> dict[str, str]:
    """The sign of each member of an enumeration, by its name, that the file's legends give."""
    signs: dict[str, str] = {}
    for legend in scope.globals.declarations.every(syntax.Legend):
        if type_name and legend.target.text == type_name:
            for entry in legend.entries:
                _add(entry, signs, members, type_name, scope)
    return signs


def _add(
    entry: syntax.LegendEntry, signs: dict[str, str], members: Collection[str], type_name: str, scope: Scope
) -> None:
    report, sign = scope.findings.report, entry.text
    member = entry.value.name if isinstance(entry.value, syntax.Reference) else ""
    if member not in members:
        listed = ", ".join(members)
        report("type-mismatch", entry.value.span, f"this is not a member of {type_name}", help=f"these are: {listed}")
    elif _NO_SIGN.search(sign):
        help = "a sign has no spaces, brackets, commas, semicolons or question marks"
        report("syntax", entry.span, f'"{sign}" cannot be a sign in the text of a move', help=help)
    elif member in signs:
        report("duplicate-name", entry.span, f"the legend has a sign for {member} already")
    elif sign in members and sign != member:
        report("duplicate-name", entry.span, f'"{sign}" is the name of another member')
    else:
        for other in signs.values():
            if sign.startswith(other) or other.startswith(sign):
                message = f'"{sign}" and "{other}" cannot be told apart: one begins like the other'
                report("duplicate-name", entry.span, message)
                return
        signs[member] = sign
