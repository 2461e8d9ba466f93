"""What all nodes have in common, and the nodes that belong to no other kind."""

from __future__ import annotations

from zermelo.grammar.record import Record, field
from zermelo.grammar.source import NOWHERE, Span


class Node(Record):
    """The base of all nodes."""

    span: Span = field(default=NOWHERE, eq=False, repr=False, kw_only=True)


class Name(Node):
    """A name where it is declared, or used for something that is no expression."""

    text: str

    def __str__(self) -> str:
        return self.text


class Comment(Node):
    """A comment, with its ``#``; ``own_line`` is false for one that stands behind code."""

    text: str
    own_line: bool
