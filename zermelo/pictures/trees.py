"""The picture of a tree: players, chance, what they choose, what it is worth, and what they cannot tell apart."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from functools import cache, cached_property
from itertools import chain, pairwise, zip_longest
from math import ceil, floor
from typing import Final, TypeAlias

from attrs import evolve, frozen

from zermelo.interpreter.machine import CHANCE, END
from zermelo.pictures.marks import (
    FAINT,
    INK,
    NARROW,
    RADIUS,
    Box,
    Curve,
    Disc,
    Lettering,
    Mark,
    Picture,
    Point,
    Polygon,
    Rectangle,
    Rows,
    Spot,
    Style,
    key,
    line_colour,
    move_marks,
    remark_marks,
    symbol,
    text_width,
    title_marks,
    wrap_words,
)

# What the picture of a tree shows.


@frozen
class DrawnNode:
    """A node of a tree. ``parent`` is a number of a node, None at the root. ``actor`` is a player, chance, or the end.

    ``label`` are the lines at the branch that leads there: the move or outcome, how likely it is; ``value`` is what the
    node is worth, and ``notes`` what else is said of it. ``is_best``: the one who moves above it may choose it;
    ``is_pruned``: nobody has looked at it; ``is_ahead``: nobody has looked at it yet; ``is_current``: somebody looks at
    it now. ``folded`` says what is left out below it, if anything is; it has no
    children then. ``board`` are marks about (0, 0) that stand at the node; if it ``is_leaf``, its value is below."""

    parent: int | None
    actor: int
    label: tuple[str, ...] = ()
    value: str = ""
    notes: tuple[str, ...] = ()
    is_best: bool = False
    is_pruned: bool = False
    is_ahead: bool = False
    is_current: bool = False
    folded: str | None = None
    is_leaf: bool = False
    board: tuple[Mark, ...] = ()

    @cached_property
    def reach(self) -> tuple[float, float]:
        """How far what stands at the node reaches from its middle: to each side, and up and down."""
        if self.board:
            box = Picture("", self.board).box
            return box.width / 2, box.height / 2
        return (_half_of_end(self) if self.actor == END else RADIUS), RADIUS

    @property
    def is_leaf_board(self) -> bool:
        """Whether the node is a board below which nothing is drawn, so that its value is there."""
        return bool(self.board) and self.is_leaf


@frozen
class DrawnTree:
    """A tree: its nodes, each behind its parent, and the sets of nodes, two at least, that a player cannot tell apart.
    ``remarks`` are sentences below the picture."""

    title: str
    players: tuple[str, ...]
    nodes: tuple[DrawnNode, ...]
    information_sets: tuple[tuple[int, tuple[int, ...]], ...] = ()
    remarks: tuple[str, ...] = ()


# The rows of a tree: its nodes. In them a node is found by its number, and nodes of one information set share another.


NODE: Final = "node"
PARENT: Final = "parent"
MOVE: Final = "move"
PROBABILITY: Final = "probability"
BEST: Final = "best"
ACTOR: Final = "actor"
VALUE: Final = "value"
INFORMATION_SET: Final = "information_set"
FOLDED: Final = "folded"

_KINDS: Final = {
    **dict.fromkeys((NODE, PARENT), "int64"), **dict.fromkeys((MOVE, PROBABILITY), "string"), BEST: "int64",
    **dict.fromkeys((ACTOR, VALUE), "string"), INFORMATION_SET: "int64", FOLDED: "string",
}  # fmt: skip


def tree_rows(tree: DrawnTree) -> Rows:
    """A row for each node: the branch that leads there, and what the picture says of the node. ``best`` is 1 or 0, the
    actor a player, ``chance`` or ``end``; what is left out below a node is ``folded``."""
    sets = {node: number for number, (_, nodes) in enumerate(tree.information_sets) for node in nodes}
    others = {CHANCE: "chance", END: "end"}
    rows = []
    for number, node in enumerate(tree.nodes):
        move, *likely = node.label or ("",)
        actor = others[node.actor] if node.actor in others else tree.players[node.actor]
        said = (
            number,
            node.parent,
            move or None,
            " ".join(likely) or None,
            int(node.is_best),
            actor,
            node.value or None,
        )
        rows.append((*said, sets.get(number), node.folded))
    return Rows(_KINDS, tuple(rows))


# A node of a tree with all that belongs to it: the words at its branch, its symbol, its value, what is left out below.
#
# Everything lies within the rectangle that ``Margins`` gives, for which the layout keeps room; so no words can lie upon
# others, whatever the tree. A tree grows downwards, with the words of a branch above the node, as in textbooks; or, if
# it is wide, from the left to the right, with these words before the node, so that each node takes up a line.


LINE: Final = 14.0
"""The height of a line of words."""

_SIZE: Final = 12.0
_SMALL: Final = 10.0
_BESIDE: Final = RADIUS + 5
"""Where the words beside a symbol begin."""

_BY_BOARD: Final = 4.0
"""What stays free between a board and what is beside it."""

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
        """The place in the picture of a point that is so far along its level, and so deep."""

    @abstractmethod
    def size(self, node: DrawnNode) -> Margins: ...

    @abstractmethod
    def marks(self, node: DrawnNode, players: Sequence[str]) -> list[Mark]:
        """The marks of a node about (0, 0)."""

    @abstractmethod
    def foot(self, node: DrawnNode) -> float:
        """How far behind the middle of a node the edges to its children begin."""

    @abstractmethod
    def hang(self, node: DrawnNode) -> float:
        """How far behind the middle of a node the line of an information set begins that passes others."""


class Downwards(Growth):
    """The root on top."""

    gap = 12.0
    span = 34.0

    def point(self, along: float, deep: float) -> Point:
        return along, deep

    def foot(self, node: DrawnNode) -> float:
        return node.reach[1] if node.board else RADIUS * 0.9

    def hang(self, node: DrawnNode) -> float:
        return node.reach[1]

    def size(self, node: DrawnNode) -> Margins:
        across, down = node.reach
        half = max((text_width(line, _SIZE, node.is_best) for line in node.label), default=0.0) / 2
        before = len(node.label) * LINE + down + 2
        if node.actor == END or node.is_leaf_board:
            value = text_width(node.value, _SIZE, is_bold=True) / 2
            half = max(half, across, value, *(text_width(note, _SMALL) / 2 for note in node.notes))
            below = len(node.notes) + (1 if node.board and node.value else 0)
            return Margins(half, half, before, down + below * LINE)
        behind = max(down, (len(node.notes) + 0.5) * LINE)
        if node.folded is not None:
            half = max(half, _HALF_FOLD, text_width(node.folded, _SMALL) / 2)
            behind = max(behind, down + _FOLD + LINE)
        return Margins(max(across, half), max(half, _right_of_symbol(node)), before, behind)

    def marks(self, node: DrawnNode, players: Sequence[str]) -> list[Mark]:
        down = node.reach[1]
        top = -down - 5 - (len(node.label) - 1) * LINE
        words: list[Mark] = [
            Lettering(0, top + k * LINE, line, _SIZE, _ink(node), "middle", node.is_best, is_framed=True)
            for k, line in enumerate(node.label)
        ]
        if node.folded is not None:
            base = down + _FOLD
            words.append(_fold((0, down if node.board else RADIUS * 0.6), (_HALF_FOLD, base), (-_HALF_FOLD, base)))
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

    def hang(self, node: DrawnNode) -> float:
        return node.reach[0]

    def size(self, node: DrawnNode) -> Margins:
        across, down = node.reach
        before = across + 6 + text_width(_label_in_a_line(node), _SIZE, node.is_best)
        if node.actor == END or node.is_leaf_board:
            below = len(node.notes) + (1 if node.board and node.value else 0)
            value = text_width(node.value, _SIZE, is_bold=True) / 2 if node.board else 0.0
            return Margins(down, down + below * LINE, before, max(across, value))
        behind = _right_of_symbol(node)
        if node.folded is not None:
            behind += _FOLD + 8 + text_width(node.folded, _SMALL)
        return Margins(down, max(down, (len(node.notes) + 0.5) * LINE), before, behind)

    def marks(self, node: DrawnNode, players: Sequence[str]) -> list[Mark]:
        reach = node.reach[0]
        words: list[Mark] = []
        if node.label:
            line = _label_in_a_line(node)
            words.append(Lettering(-reach - 4, 4.5, line, _SIZE, _ink(node), "end", node.is_best, is_framed=True))
        if node.folded is not None:
            tip = _right_of_symbol(node) + 2
            words.append(_fold((tip, 0), (tip + _FOLD, -RADIUS * 0.8), (tip + _FOLD, RADIUS * 0.8)))
            words.append(Lettering(tip + _FOLD + 4, 4, node.folded, _SMALL, FAINT, is_framed=True))
        return [*words, *_symbol_and_value(node, players)]


def _label_in_a_line(node: DrawnNode) -> str:
    return "  ".join(node.label)


def _ink(node: DrawnNode) -> str:
    return FAINT if node.is_pruned or node.is_ahead else INK


def _largest(sizes: Sequence[Margins]) -> Margins:
    """What a node takes up that looks now like this, now like that."""
    return Margins(
        max(size.left for size in sizes),
        max(size.right for size in sizes),
        max(size.before for size in sizes),
        max(size.behind for size in sizes),
    )


def _half_of_end(node: DrawnNode) -> float:
    """Half the width of an end, or of a node that the search has not looked at."""
    return 5.0 if node.is_pruned or node.is_ahead else text_width(node.value, _SIZE, is_bold=True) / 2 + 5


def _right_of_symbol(node: DrawnNode) -> float:
    """How far a node reaches to the right of its middle, without what is folded up."""
    notes = [text_width(note, _SMALL) for note in node.notes]
    beside = max([text_width(node.value, _SIZE, is_bold=True), *notes])
    if node.board:
        return node.reach[0] + _BY_BOARD + max(2 * RADIUS, beside)
    return _BESIDE + beside if beside else RADIUS


def _ring(node: DrawnNode) -> Mark:
    """The frame around the node in work."""
    across, down = node.reach
    x, y = across + 2, down + 2
    return Rectangle(-x, -y, 2 * x, 2 * y, Style("#b8860b", width=2.4), 5)


def _fold(*points: Point) -> Mark:
    return Polygon(points, Style("#afb8c1", "#eef1f4"))


def _symbol_and_value(node: DrawnNode, players: Sequence[str]) -> list[Mark]:
    """The symbol, with its value and notes beside it; the payoff at an end; a cross where the search has not looked."""
    if node.is_pruned:
        look = Style(FAINT, width=1.5)
        return [
            Polygon(((-4, -4), (4, 4)), look, is_open=True),
            Polygon(((-4, 4), (4, -4)), look, is_open=True),
        ]
    if node.is_ahead:
        return [Disc(0, 0, 3.5, Style(FAINT, width=1.2))]
    if node.board:
        return [*node.board, *_beside_board(node, players)]
    if node.actor == END:
        half = _half_of_end(node) - 1
        frame = Rectangle(-half, -RADIUS + 1, 2 * half, 2 * RADIUS - 2, Style("#d0d7de", "#f6f8fa"), 3)
        payoff = Lettering(0, 4.5, node.value, _SIZE, anchor="middle", is_bold=True)
        below = RADIUS + LINE - 3
        return [frame, payoff, *(_note(0, below, k, note, "middle") for k, note in enumerate(node.notes))]
    value = [Lettering(_BESIDE, 4.5, node.value, _SIZE, is_bold=True, is_framed=True)] if node.value else []
    notes = [_note(_BESIDE, 4.5 + LINE, k, note) for k, note in enumerate(node.notes)]
    return [symbol(node.actor, players), *value, *notes]


def _beside_board(node: DrawnNode, players: Sequence[str]) -> list[Mark]:
    """The value and the notes below a leaf; beside another board, with the symbol of who acts above them."""
    across, down = node.reach
    if node.is_leaf_board:
        words = [Lettering(0, down + LINE - 1, node.value, _SIZE, anchor="middle", is_bold=True)] if node.value else []
        below = down + (2 if node.value else 1) * LINE - 3
        return [*words, *(_note(0, below, k, note, "middle") for k, note in enumerate(node.notes))]
    x, y = across + _BY_BOARD, RADIUS + LINE - 6
    actor = move_marks([symbol(node.actor, players)], x + RADIUS, -RADIUS)
    words = [Lettering(x, y, node.value, _SIZE, is_bold=True, is_framed=True)] if node.value else []
    return [*actor, *words, *(_note(x, y + LINE, k, note) for k, note in enumerate(node.notes))]


def _note(x: float, y: float, k: int, words: str, anchor: str = "start") -> Mark:
    return Lettering(x, y + k * LINE, words, _SMALL, FAINT, "middle" if anchor == "middle" else "start", is_framed=True)


# The places of a tree's nodes, side by side: tidy, symmetric, and never one upon another.
#
# The conditions are those of Wetherell and Shannon (1979) and Reingold and Tilford (1981). Nodes of a level stand at
# the same height; a parent stands over the middle of its children; the nodes of a level do not overlap; and a
# tree read from right to left is the mirror image of itself.
#
# The method is Kennedy's ("Drawing Trees", Journal of Functional Programming 6, 1996), for nodes of any widths. Each
# subtree is laid out by itself and is rigid from then on; its *contour* says what it takes up on each level. The
# subtrees of a parent are pushed together twice, each as far as it goes to the left, and each as far as it goes to the
# right, and placed in the middle between the two. They do not overlap if the differences of their places have certain
# lower bounds; both placements satisfy these, and so does their mean. Cost: for each node the height of its subtree.


Extent: TypeAlias = tuple[float, float]
"""How far something reaches to the left and to the right of its middle; both are positive to the outside."""

Contour: TypeAlias = list[tuple[float, float]]
"""What a subtree takes up, level by level: from where to where, measured from its root."""


def places(children: Sequence[Sequence[int]], extents: Sequence[Extent], gap: float) -> list[float]:
    """The x of every node, the root's being 0. Node 0 is the root, and a child has a greater number than its parent;
    ``gap`` is what stays free between neighbours of a level."""
    offsets = [0.0] * len(children)
    contours: list[Contour] = [[] for _ in children]
    for node in reversed(range(len(children))):
        below = children[node]
        left, right = extents[node]
        contours[node] = [(-left, right)]
        if below:
            fitted = _fit_subtrees([contours[child] for child in below], gap)
            middle = (fitted[0] + fitted[-1]) / 2
            together: Contour = []
            for child, place in zip(below, fitted, strict=True):
                offsets[child] = place - middle
                together = _join_contours(together, _shift_contour(contours[child], offsets[child]))
                contours[child] = []  # it is part of the parent's from here on
            contours[node] += together
    found = [0.0] * len(children)
    for node, below in enumerate(children):
        for child in below:
            found[child] = found[node] + offsets[child]
    return found


def _fit_subtrees(contours: Sequence[Contour], gap: float) -> list[float]:
    """Places for the roots of subtrees: the means of those pushed to the left and those pushed to the right."""
    to_the_left = _push_to_the_left(contours, gap)
    mirrored = [[(-right, -left) for left, right in contour] for contour in reversed(contours)]
    to_the_right = [-place for place in reversed(_push_to_the_left(mirrored, gap))]
    shift = to_the_right[-1] - to_the_left[-1]  # so that the last subtrees of both coincide
    return [(a + b - shift) / 2 for a, b in zip(to_the_left, to_the_right, strict=True)]


def _push_to_the_left(contours: Sequence[Contour], gap: float) -> list[float]:
    """Places for the roots of subtrees, each as near to those before it as ``gap`` allows."""
    found: list[float] = []
    together: Contour = []
    for contour in contours:
        apart = (right - left + gap for (_, right), (left, _) in zip(together, contour, strict=False))
        found.append(max(apart, default=0.0))
        together = _join_contours(together, _shift_contour(contour, found[-1]))
    return found


def _shift_contour(contour: Contour, x: float) -> Contour:
    return [(left + x, right + x) for left, right in contour]


def _join_contours(first: Contour, second: Contour) -> Contour:
    """The contour of two subtrees, the second one to the right of the first on every level that both have."""
    return [
        second_row if first_row is None else first_row if second_row is None else (first_row[0], second_row[1])
        for first_row, second_row in zip_longest(first, second)
    ]


# Boards in lines: the leaves below one parent, as words stand on a page.
#
# A tree of two plies has few parents and many leaves. A line for each leaf makes a picture ten times as tall as it is
# wide; the leaves of a parent side by side make one that fits on a slide.


_LINE_OF_BOARDS: Final = 960.0
"""How long a line of boards may be."""

_TRUNK: Final = 12.0
"""How far before the boards the edges turn, and how far above the words there the rail is from which they hang."""


@frozen
class _Block:
    """Leaves of one parent in a tree that grows to the right. ``places`` are those of their middles by their numbers,
    and ``rails`` the heights at which the edges to them run, from the middle of the left side of the block."""

    size: Margins
    places: Mapping[int, Point]
    rails: Mapping[int, float]


def _block(leaves: Mapping[int, Margins], gap: float) -> _Block:
    """The block of leaves that take up so much, each with its words above it."""
    lines: list[list[int]] = [[]]
    across: dict[int, float] = {}
    x = width = 0.0
    for number, size in leaves.items():
        if lines[-1] and x + size.left + size.right > _LINE_OF_BOARDS:
            lines.append([])
            x = 0.0
        lines[-1].append(number)
        across[number] = x + size.left
        x += size.left + size.right
        width = max(width, x)
        x += gap
    places: dict[int, Point] = {}
    rails: dict[int, float] = {}
    y = 0.0
    for line in lines:
        middle = y + _TRUNK + max(leaves[number].before for number in line)
        for number in line:
            places[number], rails[number] = (across[number], middle), y
        y = middle + max(leaves[number].behind for number in line) + gap
    half = y / 2
    return _Block(
        Margins(half, half, _TRUNK, width),
        {number: (x, y - half) for number, (x, y) in places.items()},
        {number: rail - half for number, rail in rails.items()},
    )


# The order of what chance may draw, in which nothing is said: such that information sets are short.
#
# Below a draw, an information set reaches from the first outcome below which it has a node to the last. The sum of
# these lengths is made smaller by moving one outcome at a time, as long as that helps: a local search, which takes no
# time for the few outcomes that a picture has room for, and leaves an order that is good as it is.


_MOST_OUTCOMES: Final = 24
"""A draw with more outcomes keeps their order."""


def _met_sets(tree: DrawnTree) -> dict[int, list[frozenset[int]]]:
    """For each node where chance draws and each information set with nodes below several of its children: these."""
    found: dict[int, list[frozenset[int]]] = {}
    for _, nodes in tree.information_sets:
        met: dict[int, set[int]] = {}
        for node in nodes:
            child, parent = node, tree.nodes[node].parent
            while parent is not None:
                if tree.nodes[parent].actor == CHANCE:
                    met.setdefault(parent, set()).add(child)
                child, parent = parent, tree.nodes[parent].parent
        for draw, children in met.items():
            if len(children) > 1:
                found.setdefault(draw, []).append(frozenset(children))
    return found


def _shorten(children: list[int], sets: Sequence[frozenset[int]]) -> list[int]:
    """The children of a draw in an order in which the sets reach less far."""
    if len(children) > _MOST_OUTCOMES:
        return children

    def length(order: list[int]) -> int:
        at = {child: place for place, child in enumerate(order)}
        return sum(max(at[child] for child in each) - min(at[child] for child in each) for each in sets)

    best, least = children, length(children)
    while True:
        moved = [
            [*rest[:place], child, *rest[place:]]
            for child in best
            for rest in [[other for other in best if other != child]]
            for place in range(len(best))
        ]
        shortest = min(moved, key=length)
        if length(shortest) >= least:
            return best
        best, least = shortest, length(shortest)


_WIDE: Final = 1_400.0
"""A tree that would be wider than this grows to the right."""

_TRACK: Final = 8.0
"""The distance between lines of information sets that pass below the same nodes."""

_HEADING: Final = 64.0
"""The room for the title and the key."""


def tree_picture(tree: DrawnTree) -> Picture:
    """The picture of a tree: its root on top, or on the left if it is wide; boards at leaves stand in lines there.
    Every node is a spot, named by its number."""
    upright = _Drawing(tree, Downwards())
    drawing = upright if upright.width <= _WIDE else _Drawing(tree, Rightwards())
    return evolve(drawing.picture(), rows=tree_rows(tree))


@frozen
class ShownTree:
    """What a picture shows of a tree at some moment: nodes by their numbers, as they look then, and ``remarks``."""

    nodes: Mapping[int, DrawnNode]
    remarks: tuple[str, ...]


def tree_frames(tree: DrawnTree, moments: Sequence[ShownTree]) -> list[Picture]:
    """Pictures of a tree at these moments and, as the last one, of the tree itself. A node has the same place in all
    of them, and all have the same size."""
    moments = [*moments, _all_of(tree)]
    upright = _Drawing(tree, Downwards(), moments)
    drawing = upright if upright.width <= _WIDE else _Drawing(tree, Rightwards(), moments)
    drawn = [drawing.marks(shown.nodes) for shown in moments]
    around = _box_around(drawn)
    pictures = [drawing.with_words(marks, around, shown.remarks) for marks, shown in zip(drawn, moments, strict=True)]
    return _of_one_size(pictures)


def _all_of(tree: DrawnTree) -> ShownTree:
    return ShownTree(dict(enumerate(tree.nodes)), tree.remarks)


def _of_one_size(pictures: Sequence[Picture]) -> list[Picture]:
    """The same pictures with an invisible mark around all that they show, in whole pixels."""
    box = _box_around([picture.marks for picture in pictures])
    left, top = floor(box.left), floor(box.top)
    ground = Rectangle(left, top, ceil(box.right) - left, ceil(box.bottom) - top, Style())
    return [evolve(picture, marks=(ground, *picture.marks)) for picture in pictures]


def captioned(pictures: Sequence[Picture], captions: Sequence[str]) -> list[Picture]:
    """Pictures of one size, each with a sentence below it; they are of one size again."""
    box = pictures[0].box
    below = box.bottom + _CAPTION_SIZE + LINE
    found = []
    for picture, caption in zip(pictures, captions, strict=True):
        lines = wrap_words(caption, _CAPTION_SIZE, max(box.width, NARROW))
        words = [Lettering(box.left, below + 20 * k, line, _CAPTION_SIZE) for k, line in enumerate(lines)]
        found.append(evolve(picture, marks=(*picture.marks, *words)))
    return _of_one_size(found)


_CAPTION_SIZE: Final = 14.0


def _box_around(drawn: Sequence[tuple[Mark, ...]]) -> Box:
    """The least box around the marks of all pictures, most of which are in several."""
    return Picture("", tuple({id(mark): mark for marks in drawn for mark in marks}.values())).box


class _Drawing:
    """A tree at its places: ``along[n]`` is where node n is on its level, and ``deep[l]`` where level l is; nodes of
    ``blocks`` stand in lines. There is room for the nodes as they look at other ``moments``, too."""

    def __init__(self, tree: DrawnTree, growth: Growth, moments: Sequence[ShownTree] = ()) -> None:
        self.tree = tree
        self.growth = growth
        self.children: list[list[int]] = [[] for _ in tree.nodes]
        self.level: list[int] = []
        for number, node in enumerate(tree.nodes):
            self.level.append(0 if node.parent is None else self.level[node.parent] + 1)
            if node.parent is not None:
                self.children[node.parent].append(number)
        for number, sets in _met_sets(tree).items():
            self.children[number] = _shorten(self.children[number], sets)
        forms: list[dict[DrawnNode, None]] = [{node: None} for node in tree.nodes]
        for shown in moments:
            for number, node in shown.nodes.items():
                forms[number][node] = None
        families = self._families() if isinstance(growth, Rightwards) else []
        self.grown = [growth] * len(tree.nodes)
        for child in chain.from_iterable(families):
            self.grown[child] = Downwards()
        self.sizes = [
            _largest([grown.size(node) for node in each]) for grown, each in zip(self.grown, forms, strict=True)
        ]
        self.blocks: dict[int, _Block] = {}
        for family in families:
            block = _block({child: self.sizes[child] for child in family}, Downwards.gap)
            self.blocks |= dict.fromkeys(family, block)
        self.taken = [self.blocks[n].size if n in self.blocks else size for n, size in enumerate(self.sizes)]
        self.along = self._places()
        self.tracks = self._tracks()
        self.deep = self._depths()
        self._edges = cache(self._edge)
        self._symbols = cache(self._symbol)

    def _families(self) -> list[list[int]]:
        """The leaves below each parent of nothing but leaves, if they are boards and belong to no information set."""
        if self.tree.information_sets:
            return []
        is_leaf = [bool(node.board) and not below for node, below in zip(self.tree.nodes, self.children, strict=True)]
        return [below for below in self.children if len(below) > 1 and all(is_leaf[child] for child in below)]

    def _places(self) -> list[float]:
        """Where each node, or the block in which it stands, is on its level."""
        kept = [below[:1] if below and below[0] in self.blocks else below for below in self.children]
        found = places(kept, [(size.left, size.right) for size in self.taken], self.growth.gap)
        for below, first in zip(self.children, kept, strict=True):
            for child in below[len(first) :]:
                found[child] = found[first[0]]
        return found

    @property
    def width(self) -> float:
        """How much the levels take up."""
        return max(self.along) - min(self.along)

    def picture(self) -> Picture:
        everything = _all_of(self.tree)
        marks = self.marks(everything.nodes)
        return self.with_words(marks, Picture("", marks).box, everything.remarks)

    def marks(self, nodes: Mapping[int, DrawnNode]) -> tuple[Mark, ...]:
        """The marks of nodes, as they look now, and of what joins them."""
        marks: list[Mark] = []
        on_top = [number for number, node in nodes.items() if number in self.blocks and node.is_best]
        for number in (*(number for number in nodes if number not in on_top), *on_top):
            if (parent := nodes[number].parent) is not None:
                marks += self._edges(nodes[parent], number, nodes[number])
        marks += self._sets()
        for number, node in nodes.items():
            marks += self._symbols(number, node)
        return tuple(marks)

    def _symbol(self, number: int, node: DrawnNode) -> tuple[Mark, ...]:
        """A node at its place, with its words."""
        x, y = self._point(number)
        ring = [_ring(node)] if node.is_current else []
        across, down = node.reach if node.board else (RADIUS, RADIUS)
        spot = Spot(-across, -down, 2 * across, 2 * down, str(number))
        return move_marks([*self.grown[number].marks(node, self.tree.players), *ring, spot], x, y)

    def with_words(self, marks: tuple[Mark, ...], framed: Box, remarks: Sequence[str]) -> Picture:
        """The picture of these marks, which lie in a box, with the title above it and remarks below it."""
        heading = move_marks(self._heading(framed.width), framed.left, framed.top - _HEADING)
        below = remark_marks(remarks, framed.left, framed.bottom + 2 * LINE, framed.width)
        return Picture(self.tree.title, (*heading, *marks, *below), self._description())

    def _point(self, number: int, behind: float = 0.0) -> tuple[float, float]:
        """Where a node is in the picture, or what is so far behind it."""
        x, y = self.blocks[number].places[number] if number in self.blocks else (0.0, 0.0)
        return self.growth.point(self.along[number] + y, self.deep[self.level[number]] + x + behind)

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
        for size, level in zip(self.taken, self.level, strict=True):
            before[level], behind[level] = max(before[level], size.before), max(behind[level], size.behind)
        for nodes, track in self.tracks.items():
            level = self.level[nodes[0]]
            reach = max(self.growth.hang(self.tree.nodes[node]) for node in nodes) - RADIUS
            hang[level] = max(hang[level], reach + _TRACK * (track + 2))
        found = [0.0]
        for level in range(1, levels):
            found.append(found[-1] + max(behind[level - 1], hang[level - 1]) + self.growth.span + before[level])
        return found

    def _edge(self, above: DrawnNode, child: int, node: DrawnNode) -> list[Mark]:
        """The line from a node to the words at its child; two strokes cross it if the search does not follow it."""
        assert node.parent is not None, "the root has no line"
        begin = self._point(node.parent, self.growth.foot(above))
        end = self._point(child, -self.sizes[child].before)
        if node.is_pruned:
            x, y = (begin[0] + end[0]) / 2, (begin[1] + end[1]) / 2
            strokes = [((x - 5, y + d - 2), (x + 5, y + d + 2)) for d in (-2, 3)]
            return [
                Polygon((begin, end), Style(FAINT, dash="3 3"), is_open=True),
                *(Polygon(stroke, Style(INK, width=1.6), is_open=True) for stroke in strokes),
            ]
        if node.is_ahead:
            return [Polygon((begin, end), Style(FAINT, dash="3 3"), is_open=True)]
        look = Style(line_colour(above.actor, self.tree.players), width=2.8) if node.is_best else Style("#8c959f")
        return [Polygon(self._rail(begin, child) if child in self.blocks else (begin, end), look, is_open=True)]

    def _rail(self, begin: Point, child: int) -> tuple[Point, ...]:
        """The edge to a node of a block: straight on, along the side of the block, above its line, and down."""
        x, y = self._point(child)
        side = self.deep[self.level[child]] - _TRUNK
        rail = self.along[child] + self.blocks[child].rails[child]
        return begin, (side, begin[1]), (side, rail), (x, rail), (x, y - self.sizes[child].before)

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
                low, lower = self.growth.hang(self.tree.nodes[one]), self.growth.hang(self.tree.nodes[other])
                hang = max(low, lower) + _TRACK * (track + 1.5) * 4 / 3  # a cubic curve goes three quarters of the way
                begin, end = self._point(one, low), self._point(other, lower)
                marks.append(Curve((begin, self._point(one, hang), self._point(other, hang), end), look))
        return marks

    def _heading(self, width: float) -> Sequence[Mark]:
        """The title above a tree of this width, and the key."""
        actors = {node.actor for node in self.tree.nodes}
        shown = [actor for actor in (*range(len(self.tree.players)), CHANCE) if actor in actors]
        return [*title_marks(self.tree.title, 0, 0, width), *move_marks(key(shown, self.tree.players, 12), 0, 24)]

    def _description(self) -> str:
        """The tree in words: who moves at the root, what it is worth, and how large the picture is."""
        root = self.tree.nodes[0]
        who = {CHANCE: "Chance draws", END: "The play has ended"}.get(root.actor)
        turn = who or f"{self.tree.players[root.actor]} is to move"
        worth = f", worth {root.value}" if root.value else ""
        return f"{turn} at the root{worth}. {len(self.tree.nodes):,} nodes are shown. {' '.join(self.tree.remarks)}"
