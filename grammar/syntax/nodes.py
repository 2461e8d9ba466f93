"""The base of all nodes, and the nodes that belong to no other file."""

from __future__ import annotations

from attrs import field, frozen

from zermelo.grammar.displayed import Displayed
from zermelo.grammar.source import NOWHERE, Span


@frozen(eq=False, repr=False)
class Node(Displayed):
    """The base of all nodes.

    Trees are compared as they are shown, without spans and comments: attrs would compile an equality for each class,
    which no command needs.
    """

    span: Span = field(default=NOWHERE, repr=False, kw_only=True)


@frozen(eq=False, repr=False)
class Name(Node):
    """A name where it is declared, or used outside of expressions."""

    text: str

    def __str__(self) -> str:
        return self.text


@frozen(eq=False, repr=False)
class Comment(Node):
    """A comment, with its ``#``; ``own_line`` is false for one after code on the same line."""

    text: str
    own_line: bool
