"""The depth and the size of rules with their defines and actions inlined.

The depth of one declaration is limited (:mod:`zermelo.grammar.depth`), but defines can form chains of any length.
Walks, checks, lowering and evaluation recurse along such a chain, and Python's usual stack holds some dozens of
defines. So elaboration measures the depth, each define once and without recursion, and raises the recursion limit
accordingly; rules deeper than :data:`DEEPEST_RULES` are refused before anything recurses into them. A chain in which
each define calls the next one twice doubles with every line: rules larger than :data:`LARGEST_RULES` are refused, too.
"""

from __future__ import annotations

import sys
from typing import Final

from attrs import fields, has

from zermelo.grammar.source import Span
from zermelo.interpreter import model
from zermelo.interpreter.types import Type

DEEPEST_RULES: Final = 1_000
"""The deepest nesting of expressions and statements. Beyond some limit the stack of the process overflows, which kills
it: with 8 MB of stack, chains of 9,000 parts were read and played, those of 18,000 not."""

LARGEST_RULES: Final = 5_000
"""The most expressions and statements in a define or action; those of chess have some hundreds."""

_FRAMES_EACH: Final = 24
"""Python frames between an expression and one directly inside it; an estimate."""

_USUAL: Final = 1_000
"""Python's default recursion limit, enough for everything around the rules."""

_OTHERS: Final = (Type, Span, model.Variable, model.Const, model.Local)
"""Records that are leaves of the walk."""


def extent_of(root: object) -> tuple[int, int]:
    """The depth of a part of a model, and its number of expressions and statements."""
    deepest, size = 0, 0
    waiting: list[tuple[object, int]] = [(root, 1)]
    while waiting:
        thing, depth = waiting.pop()
        if isinstance(thing, tuple):
            waiting.extend((part, depth) for part in thing)
        elif isinstance(thing, model.Define | model.Action):
            deepest = max(deepest, depth + thing.depth)
            size += thing.size
        elif has(kind := type(thing)) and not isinstance(thing, _OTHERS):
            deepest = max(deepest, depth)
            size += 1
            waiting.extend((getattr(thing, field.name), depth + 1) for field in fields(kind))
    return deepest, size


def make_room(depth: int) -> None:
    """Raise Python's recursion limit to what rules of this depth take."""
    needed = _USUAL + _FRAMES_EACH * depth
    if depth > _USUAL // _FRAMES_EACH and sys.getrecursionlimit() < needed:
        sys.setrecursionlimit(needed)
