"""Members of a new type that are written as a set, as other languages do: ``type Card = {J, Q, K}``.

Braces make a part of another type, of names that are declared. If none of them is, the members of a new type are meant.
That is reported once, and the type is read as it is meant, with an order in case there is one, so that its members are
no news where they are used.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Set
from typing import Final

from attrs import evolve

from zermelo.grammar import syntax
from zermelo.grammar.diagnostics import Findings, Fix
from zermelo.interpreter.values import COMPASS

_CELL: Final = re.compile(r"[A-Za-z]{1,2}[0-9]+")
"""A cell of a board, or a player of a game for several numbers of them: nobody declares their names."""


def read_as_meant(tree: syntax.GameFile, declared: Callable[[], Set[str]], findings: Findings) -> syntax.GameFile:
    """The tree in which such types are enumerations; ``declared`` gives the names of all kinds that a file declares."""

    def meant(item: syntax.Declaration) -> syntax.Declaration:
        if not isinstance(item, syntax.TypeDeclaration) or not isinstance(item.definition, syntax.PartType):
            return item
        members = item.definition.members
        items = members.items if isinstance(members, syntax.SetLiteral) else ()
        names = [syntax.Name(each.name, span=each.span) for each in items if isinstance(each, syntax.Reference)]
        if len(names) < max(2, len(items)) or _is_any_known(names, declared()):
            return item
        written = " | ".join(name.text for name in names)
        findings.report(
            "foreign-word",
            members.span,
            "the members of a new type stand without braces, with '|' between them",
            help=f"or with '<', if they have an order: {' < '.join(name.text for name in names)}",
            fix=Fix(members.span, written, f"write '{written}'"),
        )
        return evolve(item, definition=syntax.Enumeration(tuple(names), ordered=True, span=members.span))

    return evolve(tree, declarations=tuple(map(meant, tree.declarations)))


def _is_any_known(names: Iterable[syntax.Name], declared: Set[str]) -> bool:
    return any(name.text in declared or name.text in COMPASS or _CELL.fullmatch(name.text) for name in names)
