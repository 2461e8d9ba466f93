"""Which moves to search first.

Alpha-beta cuts off most when the best move comes first. What suggests that a move is good, in this order:

1. it was best when the position was searched before (the table's move);
2. ``order moves by`` of the file ranks the position after it highest;
3. it is a *killer*: it cut off another position at the same ply (Akl and Newborn, "The principal continuation and the
   killer heuristic", 1977). The last two are kept for each ply;
4. its *history*: it has cut off often, wherever that was (Schaeffer, "The history heuristic and alpha-beta search
   enhancements in practice", 1989). A cut-off counts the square of the depth below it, 1 in a search without depth;
5. the order of the game.

The order never changes a value, only how long it takes to find it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from math import inf
from typing import Generic

from zermelo.interpreter.machine import Machine, Move, State
from zermelo.solvers.common.numbers import Number


class MoveOrder(Generic[State]):
    """The order of moves, and what has been learned about it: killers and history, if it ``learns``."""

    def __init__(self, machine: Machine[State], ranks: bool, learns: bool) -> None:
        self._machine = machine
        self._ranks = ranks
        self._learns = learns
        self._killers: dict[int, tuple[Move, ...]] = {}
        self._history: defaultdict[tuple[int, Move], Number] = defaultdict(int)

    def sorted(
        self, moves: Iterable[tuple[Move, State | None]], actor: int, ply: int, best_before: Move | None
    ) -> list[tuple[Move, State | None]]:
        """Moves with the states that they lead to, the most promising first. A state that has not been made is not
        ranked."""
        killers = self._killers.get(ply, ())

        def promise(pair: tuple[Move, State | None]) -> tuple[bool, Number, int, Number]:
            move, child = pair
            rank = self._machine.rank(child) if self._ranks and child is not None else 0
            killer = len(killers) - killers.index(move) if move in killers else 0
            return move == best_before, rank, killer, self._history[actor, move]

        return sorted(moves, key=promise, reverse=True)

    def cut(self, actor: int, ply: int, depth: Number, move: Move) -> None:
        """Learn that a move has cut off a position at this ply, ``depth`` plies above the horizon."""
        if not self._learns:
            return
        self._history[actor, move] += 1 if depth == inf else depth * depth
        killers = self._killers.get(ply, ())
        if move not in killers[:1]:
            self._killers[ply] = (move, *killers[:1])
