"""How much alpha-beta looks at if the moves come in another order: the exercise of every course.

Minimax visits the tree and says what every move is worth. Then alpha-beta itself searches the same game three times:
with the moves in the order of the game, with the best ones first in every position, and with the best ones last.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from attrs import frozen

from zermelo.game import Game
from zermelo.interpreter.checks.game_facts import Facts
from zermelo.interpreter.machine import Move
from zermelo.interpreter.model import Model
from zermelo.interpreter.reference.machine import ReferenceMachine
from zermelo.interpreter.reference.state import ReferenceState
from zermelo.solvers.choosing.solving import solve
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.common.trace import Trace, TraceTooLarge

MOST: Final = 20_000
"""The most nodes of a tree whose moves are put in order."""

Plays = Mapping[tuple[Move, ...], Any]
"""What the positions behind plays are worth to the first player."""


class Sorted(ReferenceMachine):
    """The game, with the moves sorted by what they are worth to the player who makes them."""

    def __init__(self, model: Model, worth: Plays, best_first: bool) -> None:
        super().__init__(model)
        self._worth = worth
        self._best_first = best_first

    def moves(self, state: ReferenceState) -> tuple[Move, ...]:
        legal, play = super().moves(state), self.play(state)
        if not all((*play, move) in self._worth for move in legal):  # at the horizon, nobody has looked behind them
            return legal
        falls = (self.actor(state) == 0) is self._best_first
        return tuple(sorted(legal, key=lambda move: self._worth[*play, move], reverse=falls))


@frozen
class Visited:
    """How many nodes a search visits, and how many of them are leaves: ends of plays, or at the horizon."""

    how: str
    nodes: int
    leaves: int


def orders_of_moves(game: Game, facts: Facts, root: ReferenceState, limits: Limits) -> list[Visited]:
    """What is visited with each order of moves; nothing where the tree is too large."""
    machine = game.reference
    trace = Trace(machine, MOST)
    try:
        solve(machine, facts, "minimax", root=root, limits=limits, trace=trace)
    except TraceTooLarge:
        return []
    begin = machine.play(root)
    plays: list[tuple[Move, ...]] = []
    for node in trace.nodes:
        if node.parent is None or node.move is None:
            plays.append(begin)
        else:
            plays.append((*plays[node.parent], node.move))
    worth = {play: node.value for play, node in zip(plays, trace.nodes, strict=True)}
    searches = [
        ("alpha-beta, as they stand", "alphabeta", machine),
        ("alpha-beta, best first", "alphabeta", Sorted(game.model, worth, best_first=True)),
        ("alpha-beta, best last", "alphabeta", Sorted(game.model, worth, best_first=False)),
        ("minimax, in any order", "minimax", machine),
    ]
    found = []
    for how, name, ordered in searches:
        counts = solve(ordered, facts, name, root=root, limits=limits).counts
        found.append(Visited(how, counts["nodes"], counts["terminals"] + counts.get("estimates", 0)))
    return found
