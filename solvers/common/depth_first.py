"""Recursion without the stack of Python, which a long play would overflow."""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import TypeVar

Node = TypeVar("Node")
Result = TypeVar("Result")


def depth_first(visit: Callable[[Node], Generator[Node, Result, Result]], root: Node) -> Result:
    """The result of ``visit(root)``, a generator that yields the nodes whose results it needs and is sent these."""
    path = [visit(root)]
    results: list[Result] = []
    while path:
        try:
            asked = path[-1].send(results.pop()) if results else next(path[-1])
        except StopIteration as ended:
            path.pop()
            results.append(ended.value)
        else:
            path.append(visit(asked))
    return results.pop()
