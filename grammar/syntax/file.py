"""The whole of a file."""

from __future__ import annotations

from attrs import field, frozen

from zermelo.grammar.syntax.declarations import Declaration
from zermelo.grammar.syntax.nodes import Comment, Node


@frozen(eq=False, repr=False)
class GameFile(Node):
    """A whole file: its title, its declarations and its comments, each in the order of the text."""

    title: str
    declarations: tuple[Declaration, ...]
    comments: tuple[Comment, ...] = field(default=(), repr=False)
