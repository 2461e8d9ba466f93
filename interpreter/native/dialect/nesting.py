"""Limits on the nesting of lowered text, and how it is kept flat.

Readers of the text recurse along it, and Python has limits of its own:

=========================  ============================  ==============================================================
limit                      Python                        here
=========================  ============================  ==============================================================
nested blocks              99 levels of indentation      :data:`MOST_BLOCKS`; a level takes up to 3 frames of ``emit``
nested loops               20 in a function              :data:`MOST_LOOPS`
parts of an expression     200 brackets; 1000 frames     :data:`MOST_PARTS`; a level takes up to 6 frames of ``emit``
the lowering itself        1000 frames                   :data:`MOST_LOWERED`; a level takes up to 8 frames
=========================  ============================  ==============================================================

So every reader needs at most some 600 of Python's 1000 frames. The lowering flattens deep rules: chains of ``else if``
become sequences of tests (:mod:`zermelo.interpreter.native.rules.statements`), blocks and parts of expressions at too
deep a level are lifted into functions of their own, and long sums and unions are grouped by halves. Rules that still
exceed the limits are refused (:class:`zermelo.interpreter.native.dialect.unsupported.Unsupported`).
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
"""From this depth on blocks are lifted, which leaves the blocks of a single statement room up to
:data:`MOST_BLOCKS`."""

DEEP_LOOPS: Final = 6

DEEP_PARTS: Final = 40
"""Deeper expressions are lifted; in the bundled games the depth is up to 35."""

LONG_BODY: Final = 400
"""After so many lines blocks are lifted, too: LLVM's time per function grows faster than its length."""

LONG_CHAIN: Final = 8
"""With more cases, a chain of ``else if`` is not lowered to nested blocks."""

LONG_CHOICE: Final = 24
"""The same for expressions, each of whose cases takes one level only."""

_LONGEST_OPERAND_LIST: Final = 16

_TOKEN: Final = re.compile(r"[(\[]|[)\]]|,|\b(?:and|or)\b|\b(?:if|not)\b|(?<=\s)[^\w\s()\[\],]+(?=\s)")


def is_deep(text: str, most: int) -> bool:
    """Whether an expression of the dialect may be nested more than ``most`` deep. A level takes two characters at
    least, so short texts are not inspected."""
    return len(text) > 2 * most and _depth(text) > most


def _depth(text: str) -> int:
    """A bound on the depth of an expression. Brackets count, and all adjacent operators in one, which may group to the
    left. Operands of ``and`` and ``or``, and parts separated by commas, are on one level."""
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
    """The content of a bracket: the number of choices, the operators and inner depth of the current part, and the
    deepest part so far."""

    def __init__(self) -> None:
        self.choices = self.operators = self.deepest = self.before = 0

    def next_part(self) -> None:
        self.before = max(self.before, self.operators + self.deepest)
        self.operators = self.deepest = 0

    def depth(self) -> int:
        self.next_part()
        return self.choices + 1 + self.before


def require_flat(line: str) -> None:
    """Refuse a line whose expression is nested too deep. Raises Unsupported."""
    if is_deep(line, MOST_PARTS):
        raise Unsupported(f"an expression more than {MOST_PARTS} parts deep")


def require_room(blocks: int, loops: int) -> None:
    """Refuse a block nested in so many blocks and loops, itself and the function's own counted. Raises Unsupported."""
    if loops > MOST_LOOPS:
        raise Unsupported(f"more than {MOST_LOOPS} nested loops")
    if blocks > MOST_BLOCKS:
        raise Unsupported(f"more than {MOST_BLOCKS} nested blocks")


def require_shallow(depth: int) -> None:
    """Refuse rules with expressions and blocks nested to this depth, those of defines counted. Raises Unsupported."""
    if depth > MOST_LOWERED:
        raise Unsupported(f"rules more than {MOST_LOWERED} parts deep, their defines counted")


def halved(texts: Sequence[str], combine: Callable[[str, str], str]) -> str:
    """Texts combined in order by an associative operation, grouped by halves."""
    if len(texts) == 1:
        return texts[0]
    middle = len(texts) // 2
    return combine(halved(texts[:middle], combine), halved(texts[middle:], combine))


def joined(operator: str, texts: Sequence[str]) -> str:
    """Texts joined by an associative operator; many are grouped by halves."""
    if len(texts) <= _LONGEST_OPERAND_LIST:
        return f" {operator} ".join(texts)
    middle = len(texts) // 2
    return f"({joined(operator, texts[:middle])}) {operator} ({joined(operator, texts[middle:])})"
