"""What is drawn unasked: small trees, and positions that are not too large.

The bounds are numbers of nodes and of entries, and no clock, so that the same thing is shown everywhere alike.
"""

from __future__ import annotations

from math import inf
from typing import Final

from zermelo.drawing.grown_tree import GrownNode, grow
from zermelo.drawing.positions import position_drawn
from zermelo.game import State
from zermelo.interpreter.types import BoardType
from zermelo.pictures.marks import Picture

_NODES: Final = 60
"""The most nodes of a tree that is drawn unasked: all of them, or none."""

_ENTRIES: Final = 1_000
"""The most entries of a position that is drawn."""

_CELLS: Final = 100
"""The most cells of a graph that is drawn: finding places for more takes time."""

_REGULAR: Final = ("grid", "hex", "ring")
"""The shapes of boards whose cells have their places."""


def whole_tree(root: State) -> list[GrownNode] | None:
    """The nodes of a tree that is small enough to be drawn whole; None if it is not."""
    nodes = grow(root, inf, _NODES)
    return None if any(node.is_cut for node in nodes) else nodes


def bounded_position(state: State, player: str | None, is_titled: bool = True) -> Picture | None:
    """The picture of a position, as a player sees it or, if that is None, with everything that is hidden; None if it
    is too large, or if there is nothing to be seen."""
    boards = [variable.indices[-1].base for variable in state.game.model.variables if variable.indices]
    graphs = [each for each in boards if isinstance(each, BoardType) and each.shape not in _REGULAR]
    if any(len(board.cells) > _CELLS for board in graphs):
        return None
    if sum(1 for _ in state.game.machine.entries(state.machine_state)) > _ENTRIES:
        return None
    drawn = position_drawn(state, player, is_titled)
    return drawn if drawn.marks else None
