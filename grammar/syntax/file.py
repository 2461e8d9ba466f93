"""The whole of a file."""

from __future__ import annotations

from zermelo.grammar.record import field
from zermelo.grammar.syntax.declarations import Declaration
from zermelo.grammar.syntax.nodes import Comment, Node


class GameFile(Node):
    """A whole file: its title, its declarations and its comments, each in the order of the text."""

    title: str
    declarations: tuple[Declaration, ...]
    comments: tuple[Comment, ...] = field(default=(), eq=False)
