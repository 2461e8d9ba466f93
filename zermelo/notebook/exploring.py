"""A tree to click through: nodes are unfolded one by one, and the position of one of them stands beside it.

Everything is shown, hidden or not, as ``zermelo draw`` does.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from attrs import define, field

from zermelo.drawing.game_trees import NODES, GrownNode, NodeWorth, Worths, choices, draw_nodes, only_payoffs, worths_by
from zermelo.drawing.positions import cells_changed
from zermelo.drawing.tables import picture_title, short_number
from zermelo.game import Game, State
from zermelo.interpreter.machine import Move, display_text
from zermelo.interpreter.values import Cell
from zermelo.notebook.bundles import bounded_position, whole_tree
from zermelo.notebook.widgets import Conversation, Message, Page, board_of, button, move_of, picture_of
from zermelo.pictures.trees import tree_picture
from zermelo.positions import changing_variables_text
from zermelo.solved_game import SolvedGame

_MOVES: Final = 200
"""The most moves of a node that can be unfolded, and the most that are listed beside it."""


@define(eq=False)
class Node:
    """A node that has been met: its ``grown`` part, the numbers of its children once it has been unfolded, and whether
    it is unfolded now."""

    grown: GrownNode
    parent: int | None
    children: list[int] = field(factory=list)
    is_open: bool = False


@define(eq=False)
class Explorer(Conversation):
    """The tree below a root. ``nodes`` are all that have been met, the root first, by numbers that never change;
    ``here`` is the one whose position is shown."""

    root: State
    worths: Callable[[list[GrownNode]], Worths]
    nodes: list[Node] = field(init=False)
    here: int = field(init=False, default=0)

    def __attrs_post_init__(self) -> None:
        self.nodes = [Node(GrownNode(None, None, None, self.root, 0, []), None)]
        if whole_tree(self.root) is None:
            self._open(0)
            return
        for number in range(NODES):  # the bound is larger than that of a small tree
            if number < len(self.nodes):
                self._open(number)

    # ------------------------------------------------------------- what is done

    def follow(self, message: Message) -> None:
        """Point at a ``spot``, a node by its number, which is unfolded then or, if it is the current one, folded up;
        make a ``move`` by its number; ``press`` a button."""
        match message:
            case {"do": "spot", "name": str(name)} if name.isdecimal() and int(name) < len(self.nodes):
                self._point_at(int(name))
            case {"do": "move", "number": int(number)}:
                self._step(number)
            case {"do": "press", "name": "fold"}:
                self._point_at(self.here)
            case {"do": "press", "name": "back"}:
                self.here = self.nodes[self.here].parent or 0

    def remembered(self) -> Callable[[], None]:
        """Nodes met after this call are not removed, but folded away: unfolding brings back the same ones."""
        here, unfolded = self.here, [node for node in self.nodes if node.is_open]

        def bring_back() -> None:
            self.here = here
            for node in self.nodes:
                node.is_open = False
            for node in unfolded:
                node.is_open = True

        return bring_back

    def _point_at(self, number: int) -> None:
        node = self.nodes[number]
        if number == self.here and node.is_open:
            node.is_open = False
        elif not node.is_open:
            self._open(number)
        self.here = number

    def _step(self, number: int) -> None:
        if self._open(self.here) and 0 <= number < len(self.nodes[self.here].children):
            self.here = self.nodes[self.here].children[number]

    def _open(self, number: int) -> bool:
        """Unfold a node; False, with a remark, if there is no room for its children, or if it has none."""
        node = self.nodes[number]
        if node.is_open:
            return True
        offered = choices(node.grown, _MOVES)
        if node.grown.state.is_over:
            return False
        if not 0 < len(offered) <= _MOVES:
            self.remark = "What follows here is too much for a picture."
            return False
        if len(self._visible()) + len(offered) > NODES:
            self.remark = f"There is room for {NODES} nodes. Fold up another branch first."
            return False
        if not node.children:
            depth = node.grown.depth + 1
            below = [GrownNode(None, move, chance, node.grown.state.after(move), depth, []) for move, chance in offered]
            node.children = list(range(len(self.nodes), len(self.nodes) + len(below)))
            self.nodes += [Node(grown, number) for grown in below]
        node.is_open = True
        return True

    def _visible(self) -> list[int]:
        """The nodes that the picture shows, level by level."""
        found = [0]
        for number in found:
            if self.nodes[number].is_open:
                found += self.nodes[number].children
        return found

    # ------------------------------------------------------------- what is shown

    def content(self) -> Page:
        visible = self._visible()
        if self.here not in visible:  # it has been folded up
            self.here = 0
        places = {number: place for place, number in enumerate(visible)}
        grown = [self._in_picture(number, places) for number in visible]
        worths = self.worths(grown)
        drawn = tree_picture(draw_nodes(grown, worths, self.root.game.facts))
        labels = {str(place): self._label(number) for number, place in places.items()}
        tree = picture_of(drawn, labels, str(places[self.here]))
        for spot in tree["spots"]:
            spot["name"] = str(visible[int(spot["name"])])
        node, state = self.nodes[self.here], self.nodes[self.here].grown.state
        worth = worths.nodes[places[self.here]]
        board, changed = bounded_position(state, None, is_titled=False), cells_changed(state)
        return {
            "title": picture_title(self.root),
            "status": state.status,
            "log": [display_text(move) for move in state.play],
            "tree": tree,
            "board": None if board is None else board_of(board, state.moves, changed),
            "text": changing_variables_text(state.game, state.game.machine.entries(state.machine_state)),
            "moves": self._moves(node, worth, changed),
            "buttons": [
                button("back", "Back", self.here > 0),
                button("fold", "Fold up" if node.is_open else "Unfold", not state.is_over),
            ],
        }

    def _in_picture(self, number: int, places: dict[int, int]) -> GrownNode:
        """A node with its neighbours by their places in the picture."""
        node, grown = self.nodes[number], self.nodes[number].grown
        children = [places[child] for child in node.children] if node.is_open else []
        parent = None if node.parent is None else places[node.parent]
        return GrownNode(parent, grown.move, grown.probability, grown.state, grown.depth, children, grown.outcomes)

    def _label(self, number: int) -> str:
        node = self.nodes[number]
        grown = node.grown
        name = "the beginning" if grown.move is None else display_text(grown.move)
        fold = "" if grown.state.is_over else ", unfolded" if node.is_open else ", folded up"
        return f"{name}: {grown.state.status}{fold}"

    def _moves(self, node: Node, worth: NodeWorth, changed: Mapping[Move, Cell]) -> list[Page]:
        offered = choices(node.grown, _MOVES)
        return [
            move_of(move, changed, self._detail(k, probability, worth), k in worth.best)
            for k, (move, probability) in enumerate(offered[:_MOVES])
        ]

    def _detail(self, k: int, probability: object, worth: NodeWorth) -> str:
        likely = probability if worth.chances is None else short_number(worth.chances[k])
        return "" if likely is None else str(likely)


def explorer(what: Game | State | SolvedGame) -> Explorer:
    """The tree of a game, from a state on, or of a solution, with what it is worth."""
    if isinstance(what, SolvedGame):
        return Explorer(what.root, worths_by(what, what.root, whole_tree(what.root) is not None))
    return Explorer(what.initial if isinstance(what, Game) else what, only_payoffs)
