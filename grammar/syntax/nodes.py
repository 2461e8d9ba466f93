"""The base of all nodes, and the nodes that belong to no other file."""

from __future__ import annotations

from attrs import field, frozen

from zermelo.grammar.displayed import Displayed
from zermelo.grammar.source import NOWHERE, Span


@frozen(repr=False)
class Node(Displayed):
    """The base of all nodes."""

    span: Span = field(default=NOWHERE, eq=False, repr=False, kw_only=True)


@frozen(repr=False)
class Name(Node):
    """A name where it is declared, or used outside of expressions."""

    text: str

    def __str__(self) -> str:
        return self.text


@frozen(repr=False)
class Comment(Node):
    """A comment, with its ``#``; ``own_line`` is false for one after code on the same line."""

    text: str
    own_line: bool
