"""The picture of a tree: players, chance, what they choose, what it is worth, and what they cannot tell apart."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from zermelo.interpreter.machine import CHANCE, END
from zermelo.pictures.drawn_tree import DrawnTree
from zermelo.pictures.marks import FAINT, INK, Curve, Lettering, Mark, Picture, Polygon, Spot, Style, moved
from zermelo.pictures.nodes import LINE, Downwards, Growth, Rightwards
from zermelo.pictures.symbols import RADIUS, key, line_colour
from zermelo.pictures.tidy_tree import places

_WIDE: Final = 1_400.0
"""A tree that would be wider than this grows to the right."""

_TRACK: Final = 8.0
"""How far apart the lines of information sets are that pass below the same nodes."""

_HEADING: Final = 64.0
"""The room for the title and the key."""


def tree_picture(tree: DrawnTree) -> Picture:
    """The picture of a tree: its root on top, or on the left if it is wide. Every node is a spot, named by its
    number."""
    upright = _Drawing(tree, Downwards())
    return (upright if upright.width <= _WIDE else _Drawing(tree, Rightwards())).picture()


class _Drawing:
    """A tree at its places: ``along[n]`` is where node n is on its level, and ``deep[l]`` where level l is."""

    def __init__(self, tree: DrawnTree, growth: Growth) -> None:
        self.tree = tree
        self.growth = growth
        self.children: list[list[int]] = [[] for _ in tree.nodes]
        self.level: list[int] = []
        for number, node in enumerate(tree.nodes):
            self.level.append(0 if node.parent is None else self.level[node.parent] + 1)
            if node.parent is not None:
                self.children[node.parent].append(number)
        self.sizes = [growth.size(node) for node in tree.nodes]
        self.along = places(self.children, [(size.left, size.right) for size in self.sizes], growth.gap)
        self.tracks = self._tracks()
        self.deep = self._depths()

    @property
    def width(self) -> float:
        """How much the levels take up."""
        return max(self.along) - min(self.along)

    def picture(self) -> Picture:
        marks: list[Mark] = []
        for number, node in enumerate(self.tree.nodes):
            if node.parent is not None:
                marks += self._edge(node.parent, number)
        marks += self._sets()
        for number, node in enumerate(self.tree.nodes):
            x, y = self._point(number)
            marks += moved(self.growth.marks(node, self.tree.players), x, y)
            marks.append(Spot(x - RADIUS, y - RADIUS, 2 * RADIUS, 2 * RADIUS, str(number)))
        framed = Picture("", tuple(marks)).box
        heading = moved(self._heading(), framed.left, framed.top - _HEADING)
        remarks = self._remarks(framed.left, framed.bottom)
        return Picture(self.tree.title, (*heading, *marks, *remarks), self._description())

    def _point(self, number: int, behind: float = 0.0) -> tuple[float, float]:
        """Where a node is in the picture, or what is so far behind it."""
        return self.growth.point(self.along[number], self.deep[self.level[number]] + behind)

    def _tracks(self) -> dict[tuple[int, ...], int]:
        """For sets with others between their nodes, how deep their lines hang: sets of a level that lie above one
        another get different tracks, the first free one from the left."""
        on_level: dict[int, list[float]] = {}
        for number, level in enumerate(self.level):
            on_level.setdefault(level, []).append(self.along[number])
        spread: list[tuple[float, float, tuple[int, ...]]] = []
        for _, nodes in self.tree.information_sets:
            low, high = min(self.along[node] for node in nodes), max(self.along[node] for node in nodes)
            levels = {self.level[node] for node in nodes}
            between = sum(low <= place <= high for place in on_level[self.level[nodes[0]]])
            if len(levels) == 1 and between > len(nodes):
                spread.append((low, high, nodes))
        found: dict[tuple[int, ...], int] = {}
        ends: dict[int, list[float]] = {}
        for low, high, nodes in sorted(spread):
            taken = ends.setdefault(self.level[nodes[0]], [])
            track = next((k for k, end in enumerate(taken) if end < low), len(taken))
            taken[track : track + 1] = [high]
            found[nodes] = track
        return found

    def _depths(self) -> list[float]:
        """Where each level is, at the middle of its symbols."""
        levels = max(self.level) + 1
        before, behind, hang = ([0.0] * levels for _ in range(3))
        for size, level in zip(self.sizes, self.level, strict=True):
            before[level], behind[level] = max(before[level], size.before), max(behind[level], size.behind)
        for nodes, track in self.tracks.items():
            level = self.level[nodes[0]]
            hang[level] = max(hang[level], _TRACK * (track + 2))
        found = [0.0]
        for level in range(1, levels):
            found.append(found[-1] + max(behind[level - 1], hang[level - 1]) + self.growth.span + before[level])
        return found

    def _edge(self, parent: int, child: int) -> list[Mark]:
        """The line from a node to the words at its child; through one that nobody has followed, two strokes."""
        above, node = self.tree.nodes[parent], self.tree.nodes[child]
        begin = self._point(parent, self.growth.foot(above))
        end = self._point(child, -self.sizes[child].before)
        if node.is_pruned:
            x, y = (begin[0] + end[0]) / 2, (begin[1] + end[1]) / 2
            strokes = [((x - 5, y + d - 2), (x + 5, y + d + 2)) for d in (-2, 3)]
            return [
                Polygon((begin, end), Style(FAINT, dash="3 3"), is_open=True),
                *(Polygon(stroke, Style(INK, width=1.6), is_open=True) for stroke in strokes),
            ]
        look = Style(line_colour(above.actor, self.tree.players), width=2.8) if node.is_best else Style("#8c959f")
        return [Polygon((begin, end), look, is_open=True)]

    def _sets(self) -> list[Mark]:
        """Dotted lines through the nodes of each set; they hang behind others in between."""
        marks: list[Mark] = []
        for player, nodes in self.tree.information_sets:
            look = Style(line_colour(player, self.tree.players), width=2.2, dash="0.1 5")
            track = self.tracks.get(nodes)
            for one, other in pairwise(sorted(nodes, key=lambda node: self.along[node])):
                if track is None:
                    marks.append(Polygon((self._point(one), self._point(other)), look, is_open=True))
                    continue
                hang = RADIUS + _TRACK * (track + 1.5) * 4 / 3  # a cubic curve goes three quarters of the way
                begin, end = self._point(one, RADIUS), self._point(other, RADIUS)
                marks.append(Curve((begin, self._point(one, hang), self._point(other, hang), end), look))
        return marks

    def _heading(self) -> Sequence[Mark]:
        """The title, and the key."""
        actors = {node.actor for node in self.tree.nodes}
        shown = [actor for actor in (*range(len(self.tree.players)), CHANCE) if actor in actors]
        title = Lettering(0, 0, self.tree.title, 16, is_bold=True)
        return [title, *moved(key(shown, self.tree.players, 12), 0, 24)]

    def _remarks(self, x: float, y: float) -> Sequence[Mark]:
        return [
            Lettering(x, y + 2 * LINE + k * (LINE + 2), words, 11, FAINT, is_italic=True)
            for k, words in enumerate(self.tree.remarks)
        ]

    def _description(self) -> str:
        """The tree in words: who moves at the root, what it is worth, and how large the picture is."""
        root = self.tree.nodes[0]
        who = {CHANCE: "Chance draws", END: "The play has ended"}.get(root.actor)
        turn = who or f"{self.tree.players[root.actor]} is to move"
        worth = f", worth {root.value}" if root.value else ""
        return f"{turn} at the root{worth}. {len(self.tree.nodes):,} nodes are shown. {' '.join(self.tree.remarks)}"
