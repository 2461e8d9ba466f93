"""How deep and how large rules are when the defines and actions that they use are put in.

One declaration is as deep as a person can read (:mod:`zermelo.grammar.depth`), but a define can use another one, and
that a third: a chain as long as a file likes. What walks rules, checks them, lowers them or runs them goes down such a
chain by recursion, for which Python has room for some dozens of defines. So the depth is measured while the rules are
made, each define once, without recursion; there is made room for as much as that; and rules that are deeper than
:data:`DEEPEST_RULES` are refused before anything goes down them. And a define that uses another one twice, which uses a
third twice, doubles with every line: what would be larger than :data:`LARGEST_RULES` is refused as well.
"""

from __future__ import annotations

import sys
from typing import Final

from attrs import fields, has

from zermelo.grammar.source import Span
from zermelo.interpreter import model
from zermelo.interpreter.types import Type

DEEPEST_RULES: Final = 1_000
"""How many expressions and statements may stand within each other. Without a limit the stack of the process overflows,
which ends it without a word: with 8 MB of stack, chains of 9,000 parts were read and played, those of 18,000 not."""

LARGEST_RULES: Final = 5_000
"""How many expressions and statements a define or action may consist of; those of chess have some hundreds."""

_FRAMES_EACH: Final = 24
"""How many calls of Python room is made for between an expression and one right inside it; an estimate."""

_USUAL: Final = 1_000
"""What Python has room for by itself, which does for everything around the rules."""

_OTHERS: Final = (Type, Span, model.Variable, model.Const, model.Local)
"""Records in which nothing stands that is walked into."""


def extent_of(root: object) -> tuple[int, int]:
    """How many expressions and statements stand within each other in this part of a model, and how many there are."""
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
    """Let Python recurse as far as rules of this depth take."""
    needed = _USUAL + _FRAMES_EACH * depth
    if depth > _USUAL // _FRAMES_EACH and sys.getrecursionlimit() < needed:
        sys.setrecursionlimit(needed)
