"""The variables that rules assign."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from zermelo.grammar import syntax
from zermelo.interpreter.elaboration.names import DeclaredNames, parts_of


def assigned_names(declarations: DeclaredNames) -> frozenset[str]:
    """The variables that rules other than ``setup`` assign; only these are part of a position."""
    names: set[str] = set()
    for item in declarations.tree.declarations:
        if not isinstance(item, syntax.Setup):
            names.update(_targets(item))
    return frozenset(names)


def _targets(node: Any) -> Iterator[str]:
    """The names of all assigned variables in a piece of syntax."""
    if isinstance(node, syntax.Assignment):
        target: Any = node.target
        while isinstance(target, syntax.Index | syntax.Field):
            target = target.target
        if isinstance(target, syntax.Reference):
            yield target.name
    elif isinstance(node, syntax.LayoutAssignment):
        yield node.target.text
    elif isinstance(node, syntax.Expression | syntax.TypeExpression):
        return
    elif isinstance(node, syntax.Node):
        for part in parts_of(node):
            yield from _targets(part)
    elif isinstance(node, tuple):
        for item in node:
            yield from _targets(item)
