"""How deep a tree is, found without recursion.

Everything behind the parser walks trees by recursion, and comparing or hashing one recurses as well. So a tree that is
deeper than any reader could follow is refused before anyone touches it.
"""

from __future__ import annotations

from attrs import fields

from zermelo.grammar.syntax import Node

DEEPEST_TREE = 64
"""How many nodes may stand within each other in one declaration; chess needs 11."""


def beyond_depth(root: Node) -> Node | None:
    """The first node found that stands too deep; None if there is none."""
    waiting: list[tuple[object, int]] = [(root, 1)]
    while waiting:
        thing, depth = waiting.pop()
        if isinstance(thing, tuple):
            waiting.extend((part, depth) for part in thing)
        elif isinstance(thing, Node):
            if depth > DEEPEST_TREE:
                return thing
            waiting.extend((getattr(thing, field.name), depth + 1) for field in fields(type(thing)))
    return None
