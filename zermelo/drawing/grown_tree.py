"""The upper part of a game's tree: as many whole levels as a picture has room for."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import inf
from typing import Final

from attrs import define

from zermelo.game import CHANCE, State
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.machine import Move

NODES: Final = 300
"""How many nodes a picture has if nobody asks for more."""


@define(eq=False)
class GrownNode:
    """A node of the tree: its ``parent`` by number, None at the root; the ``move`` or outcome that leads there, and the
    ``probability`` of an outcome. Its ``children`` are numbers; ``outcomes`` says of a draw that cannot be listed how
    many outcomes it has, 0 if nobody knows."""

    parent: int | None
    move: Move | None
    probability: Fraction | None
    state: State
    depth: int
    children: list[int]
    outcomes: int | None = None

    @property
    def is_cut(self) -> bool:
        """Whether the play goes on behind the node, outside the tree."""
        return not self.children and not self.state.is_over


def grow(root: State, depth: float = inf, most: int = NODES, report: Callable[[int], None] | None = None
) -> list[GrownNode]:  # fmt: skip
    """The nodes of the tree, level by level, each behind its parent: so many levels below the root as ``depth`` says,
    and only levels that are whole within ``most`` nodes."""
    nodes = [GrownNode(None, None, None, root, 0, [])]
    level = [0]
    while level and nodes[level[0]].depth < depth:
        offered = [(number, choices(nodes[number], most - len(nodes))) for number in level]
        if len(nodes) + sum(len(each) for _, each in offered) > most:
            return nodes
        below = [
            GrownNode(number, move, probability, nodes[number].state.after(move), nodes[number].depth + 1, [])
            for number, each in offered
            for move, probability in each
        ]
        if report is not None:
            report(len(nodes) + len(below))
        level = list(range(len(nodes), len(nodes) + len(below)))
        for number, node in zip(level, below, strict=True):
            assert node.parent is not None, "only the root has none"
            nodes[node.parent].children.append(number)
        nodes += below
    return nodes


def choices(node: GrownNode, room: int) -> list[tuple[Move, Fraction | None]]:
    """The moves of a node, or its outcomes unless they are more than there is room for."""
    state = node.state
    if state.actor != CHANCE:
        return [(move, None) for move in state.moves]
    try:
        node.outcomes = state.sample_space.count
        return list(state.outcomes) if node.outcomes <= room else []
    except ZermeloError as error:
        if error.code != "too-many-outcomes":
            raise
        node.outcomes = node.outcomes or 0
        return []
