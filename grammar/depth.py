"""The depth of a tree, found without recursion.

All later stages walk trees by recursion, and so do comparing and hashing. A tree deeper than any reader could follow is
therefore refused first.
"""

from __future__ import annotations

from attrs import fields

from zermelo.grammar.syntax import Node, TreeNode

DEEPEST_TREE = 64
"""The greatest depth of one declaration, in nodes; chess needs 11. In a ``tree:`` it is that of a branch, beside which
its layout limits the branches (:data:`zermelo.grammar.layout.DEEPEST_TREE`)."""


def beyond_depth(root: Node) -> Node | None:
    """The first node found that is too deep; None if there is none."""
    waiting: list[tuple[object, int]] = [(root, 1)]
    while waiting:
        thing, depth = waiting.pop()
        if isinstance(thing, tuple):
            waiting.extend((part, depth) for part in thing)
        elif isinstance(thing, Node):
            if isinstance(thing, TreeNode):
                depth = 1
            if depth > DEEPEST_TREE:
                return thing
            waiting.extend((getattr(thing, field.name), depth + 1) for field in fields(type(thing)))
    return None
