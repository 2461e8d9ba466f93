"""A node of a tree with all that belongs to it: the words at its branch, its symbol, its value, what is left out below.

Everything lies within the rectangle that ``Margins`` gives, for which the layout keeps room; so no words can lie upon
others, whatever the tree. A tree grows downwards, with the words of a branch above the node, as in textbooks; or, if it
is wide, from the left to the right, with these words before the node, so that each node takes up a line.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Final

from attrs import frozen

from zermelo.interpreter.machine import END
from zermelo.pictures.drawn_tree import DrawnNode
from zermelo.pictures.marks import FAINT, INK, Lettering, Mark, Point, Polygon, Rectangle, Style
from zermelo.pictures.symbols import RADIUS, symbol
from zermelo.pictures.text_width import text_width

LINE: Final = 14.0
"""The height of a line of words."""

_SIZE: Final = 12.0
_SMALL: Final = 10.0
_BESIDE: Final = RADIUS + 5
"""Where the words beside a symbol begin."""

_HALF_FOLD: Final = 20.0
_FOLD: Final = 30.0
"""The triangle that stands for what has been left out: half of its base, and its height."""


@frozen
class Margins:
    """What a node takes up about the middle of its symbol, in a tree that grows downwards: to the ``left`` and to the
    ``right``, where its neighbours are; ``before`` it, towards the root, and ``behind`` it. In a tree that grows to the
    right, it is turned: left is above, and before is on the left."""

    left: float
    right: float
    before: float
    behind: float


class Growth(ABC):
    """In which direction a tree grows."""

    gap: float
    """What stays free between neighbours."""

    span: float
    """How long an edge is, from level to level."""

    @abstractmethod
    def point(self, along: float, deep: float) -> Point:
        """The place in the picture of what is so far along its level, and so deep."""

    @abstractmethod
    def size(self, node: DrawnNode) -> Margins: ...

    @abstractmethod
    def marks(self, node: DrawnNode, players: Sequence[str]) -> list[Mark]:
        """The marks of a node about (0, 0)."""

    @abstractmethod
    def foot(self, node: DrawnNode) -> float:
        """How far behind the middle of a node the edges to its children begin."""


class Downwards(Growth):
    """The root on top."""

    gap = 12.0
    span = 34.0

    def point(self, along: float, deep: float) -> Point:
        return along, deep

    def foot(self, node: DrawnNode) -> float:
        return RADIUS * 0.9

    def size(self, node: DrawnNode) -> Margins:
        half = max((text_width(line, _SIZE, node.is_best) for line in node.label), default=0.0) / 2
        before = len(node.label) * LINE + RADIUS + 2
        if node.actor == END:
            half = max(half, _half_of_end(node), *(text_width(note, _SMALL) / 2 for note in node.notes))
            return Margins(half, half, before, RADIUS + len(node.notes) * LINE)
        behind = max(RADIUS, (len(node.notes) + 0.5) * LINE)
        if node.folded is not None:
            half = max(half, _HALF_FOLD, text_width(node.folded, _SMALL) / 2)
            behind = max(behind, RADIUS + _FOLD + LINE)
        return Margins(max(RADIUS, half), max(half, _right_of_symbol(node)), before, behind)

    def marks(self, node: DrawnNode, players: Sequence[str]) -> list[Mark]:
        top = -RADIUS - 5 - (len(node.label) - 1) * LINE
        words: list[Mark] = [
            Lettering(0, top + k * LINE, line, _SIZE, _ink(node), "middle", node.is_best, is_framed=True)
            for k, line in enumerate(node.label)
        ]
        if node.folded is not None:
            base = RADIUS + _FOLD
            words.append(_fold((0, RADIUS * 0.6), (_HALF_FOLD, base), (-_HALF_FOLD, base)))
            words.append(Lettering(0, base + 12, node.folded, _SMALL, FAINT, "middle", is_framed=True))
        return [*words, *_symbol_and_value(node, players)]


class Rightwards(Growth):
    """The root on the left."""

    gap = 3.0
    span = 42.0

    def point(self, along: float, deep: float) -> Point:
        return deep, along

    def foot(self, node: DrawnNode) -> float:
        return _right_of_symbol(node) + 2

    def size(self, node: DrawnNode) -> Margins:
        before = RADIUS + 6 + text_width(_in_a_line(node), _SIZE, node.is_best)
        if node.actor == END:
            half = _half_of_end(node)
            return Margins(RADIUS, RADIUS + len(node.notes) * LINE, before + half - RADIUS, half)
        behind = _right_of_symbol(node)
        if node.folded is not None:
            behind += _FOLD + 8 + text_width(node.folded, _SMALL)
        return Margins(RADIUS, max(RADIUS, (len(node.notes) + 0.5) * LINE), before, behind)

    def marks(self, node: DrawnNode, players: Sequence[str]) -> list[Mark]:
        reach = _half_of_end(node) if node.actor == END else RADIUS
        words: list[Mark] = []
        if node.label:
            line = _in_a_line(node)
            words.append(Lettering(-reach - 4, 4.5, line, _SIZE, _ink(node), "end", node.is_best, is_framed=True))
        if node.folded is not None:
            tip = _right_of_symbol(node) + 2
            words.append(_fold((tip, 0), (tip + _FOLD, -RADIUS * 0.8), (tip + _FOLD, RADIUS * 0.8)))
            words.append(Lettering(tip + _FOLD + 4, 4, node.folded, _SMALL, FAINT, is_framed=True))
        return [*words, *_symbol_and_value(node, players)]


def _in_a_line(node: DrawnNode) -> str:
    return "  ".join(node.label)


def _ink(node: DrawnNode) -> str:
    return FAINT if node.is_pruned else INK


def _half_of_end(node: DrawnNode) -> float:
    """Half the width of an end, or of what nobody has looked at."""
    return 5.0 if node.is_pruned else text_width(node.value, _SIZE, is_bold=True) / 2 + 5


def _right_of_symbol(node: DrawnNode) -> float:
    """How far a node reaches to the right of the middle of its symbol, without what is folded up."""
    notes = [text_width(note, _SMALL) for note in node.notes]
    beside = max([text_width(node.value, _SIZE, is_bold=True), *notes])
    return _BESIDE + beside if beside else RADIUS


def _fold(*points: Point) -> Mark:
    return Polygon(points, Style("#afb8c1", "#eef1f4"))


def _symbol_and_value(node: DrawnNode, players: Sequence[str]) -> list[Mark]:
    """The symbol, with its value and notes beside it; at an end the payoff; a cross where nobody has looked."""
    if node.is_pruned:
        look = Style(FAINT, width=1.5)
        return [
            Polygon(((-4, -4), (4, 4)), look, is_open=True),
            Polygon(((-4, 4), (4, -4)), look, is_open=True),
        ]
    if node.actor == END:
        half = _half_of_end(node) - 1
        frame = Rectangle(-half, -RADIUS + 1, 2 * half, 2 * RADIUS - 2, Style("#d0d7de", "#f6f8fa"), 3)
        payoff = Lettering(0, 4.5, node.value, _SIZE, anchor="middle", is_bold=True)
        below = RADIUS + LINE - 3
        return [frame, payoff, *(_note(0, below, k, note, "middle") for k, note in enumerate(node.notes))]
    value = [Lettering(_BESIDE, 4.5, node.value, _SIZE, is_bold=True, is_framed=True)] if node.value else []
    notes = [_note(_BESIDE, 4.5 + LINE, k, note) for k, note in enumerate(node.notes)]
    return [symbol(node.actor, players), *value, *notes]


def _note(x: float, y: float, k: int, words: str, anchor: str = "start") -> Mark:
    return Lettering(x, y + k * LINE, words, _SMALL, FAINT, "middle" if anchor == "middle" else "start", is_framed=True)
