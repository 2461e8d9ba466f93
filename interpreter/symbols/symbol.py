"""A name that a file declares."""

from __future__ import annotations

from typing import Final, Literal

from attrs import frozen

from zermelo.grammar.displayed import Displayed
from zermelo.grammar.source import Span

Kind = Literal[
    "player",
    "parameter",
    "type",
    "member",
    "field",
    "variable",
    "define",
    "feature",
    "action",
    "phase",
    "move",
    "outcome",
    "choice",
    "information set",
    "argument",
    "name",
    "local variable",
]
"""What a name stands for. An ``argument`` is a parameter of a define, action, phase, move or outcome; a ``name``
is that of a quantifier, a loop, ``let`` or ``where``; a ``choice`` is one of a table."""

LOCAL: Final = frozenset({"argument", "name", "local variable"})
"""The kinds of names that only one declaration knows."""

SHARED: Final = {"move": "move", "outcome": "move", "choice": "move", "information set": "information set"}
"""The kinds of names that several places of a file may declare and mean the same by: a move is known by its name alone,
in whatever phase it is offered, and so is an outcome in the plays of a test."""


@frozen(eq=False, repr=False)
class Symbol(Displayed):
    """One name where it is declared, at ``span``.

    ``whole`` is the text of its declaration, and ``container`` that at the left margin which contains it; they are the
    same for the names of the file. ``heading`` shows the declaration, ``remarks`` say in sentences what else is known.
    """

    name: str
    kind: Kind
    span: Span
    whole: Span
    container: Span
    heading: str
    remarks: tuple[str, ...] = ()

    @property
    def is_local(self) -> bool:
        return self.kind in LOCAL
