"""How deep lowered text may be nested, and how it is kept flat.

Who reads the text recurs along it, and Python has limits of its own:

=========================  ============================  ==============================================================
what                       Python                        here
=========================  ============================  ==============================================================
blocks inside each other   99 levels of indentation      :data:`MOST_BLOCKS`; a level takes up to 3 frames of ``emit``
loops inside each other    20 in a function              :data:`MOST_LOOPS`
parts of an expression     200 brackets; 1000 frames     :data:`MOST_PARTS`; a level takes up to 6 frames of ``emit``
the lowering itself        1000 frames                   :data:`MOST_LOWERED`; a level takes up to 8 frames
=========================  ============================  ==============================================================

So every reader gets by with some 600 frames of the 1000 that Python has. What is nested deep in a file is lowered so
that the text is not: chains of ``else if`` are asked one after the other
(:mod:`zermelo.interpreter.native.rules.statements`), blocks and parts of expressions that would stand too deep are
lifted into functions of their own, and long sums and unions are halved. What is beyond the limits even then is refused
(:class:`zermelo.interpreter.native.dialect.unsupported.Unsupported`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final

from zermelo.interpreter.native.dialect.unsupported import Unsupported

MOST_BLOCKS: Final = 60
MOST_LOOPS: Final = 16
MOST_PARTS: Final = 80
MOST_LOWERED: Final = 100

DEEP_BLOCKS: Final = 24
"""From here on blocks are lifted: what one statement opens by itself has room up to :data:`MOST_BLOCKS`."""

DEEP_LOOPS: Final = 6

DEEP_PARTS: Final = 40
"""Expressions that are deeper are lifted; in the bundled games they are 35 deep."""

LONG_BODY: Final = 400
"""Behind so many lines, too: LLVM takes more than twice as long for a function of twice the length."""

LONG_CHAIN: Final = 8
"""With more cases than this, a chain of ``else if`` is not lowered to blocks inside each other."""

LONG_CHOICE: Final = 24
"""The same for expressions, each of whose cases takes one level only."""

_LONGEST_OPERAND_LIST: Final = 16

_TOKEN: Final = re.compile(r"[(\[]|[)\]]|,|\b(?:and|or)\b|\b(?:if|not)\b|(?<=\s)[^\w\s()\[\],]+(?=\s)")


def is_deep(text: str, most: int) -> bool:
    """Whether parts of an expression of the dialect may stand within each other more than ``most`` deep. A bracket and
    what it takes to make an operator are two characters at least, so short texts are not looked at."""
    return len(text) > 2 * most and _depth(text) > most


def _depth(text: str) -> int:
    """How deep the parts of an expression stand within each other, at most. Brackets count, and all operators that
    stand side by side in one: they may group to the left. Operands of ``and`` and ``or`` and what commas part stand
    beside each other."""
    levels = [_Level()]
    for token in _TOKEN.findall(text):
        if token in "([":
            levels.append(_Level())
        elif token in ")]":
            depth = levels.pop().depth() + 1
            levels[-1].deepest = max(levels[-1].deepest, depth)
        elif token in (",", "and", "or"):
            levels[-1].next_part()
        elif token == "if":
            levels[-1].choices += 1
        else:
            levels[-1].operators += 1
    return levels[0].depth()


class _Level:
    """What stands in a bracket: how many choices, the operators of the present part and how deep its own brackets are,
    and the deepest part so far."""

    def __init__(self) -> None:
        self.choices = self.operators = self.deepest = self.before = 0

    def next_part(self) -> None:
        self.before = max(self.before, self.operators + self.deepest)
        self.operators = self.deepest = 0

    def depth(self) -> int:
        self.next_part()
        return self.choices + 1 + self.before


def require_flat(line: str) -> None:
    """Refuse a line whose expression is nested too deep."""
    if is_deep(line, MOST_PARTS):
        raise Unsupported(f"an expression that is more than {MOST_PARTS} parts deep")


def require_room(blocks: int, loops: int) -> None:
    """Refuse a block inside so many blocks and loops, it and the function's own counted."""
    if loops > MOST_LOOPS:
        raise Unsupported(f"more than {MOST_LOOPS} loops inside each other")
    if blocks > MOST_BLOCKS:
        raise Unsupported(f"more than {MOST_BLOCKS} blocks inside each other")


def require_shallow(depth: int) -> None:
    """Refuse rules in which so many expressions and blocks stand inside each other, those of defines counted."""
    if depth > MOST_LOWERED:
        raise Unsupported(f"rules that are more than {MOST_LOWERED} parts deep, their defines counted")


def halved(texts: Sequence[str], combine: Callable[[str, str], str]) -> str:
    """What an operation that may be grouped as one likes makes of texts in their order, grouped by halves."""
    if len(texts) == 1:
        return texts[0]
    middle = len(texts) // 2
    return combine(halved(texts[:middle], combine), halved(texts[middle:], combine))


def joined(operator: str, texts: Sequence[str]) -> str:
    """Texts with an operator between them that may be grouped as one likes; many are grouped by halves."""
    if len(texts) <= _LONGEST_OPERAND_LIST:
        return f" {operator} ".join(texts)
    middle = len(texts) // 2
    return f"({joined(operator, texts[:middle])}) {operator} ({joined(operator, texts[middle:])})"
