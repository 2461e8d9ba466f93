"""The record of a search: every node in the order of visits, as drawn in a lecture.

A search reports entering nodes, with windows, and leaving them, with results. The rest follows: the windows narrowed by
results, and the moves never tried, which were *pruned* for one of two reasons. Either the window was closed, alpha >=
beta, so that a player has a move at least as good elsewhere; or the position was in the table.
"""

from __future__ import annotations

from fractions import Fraction
from math import inf
from typing import Any, Final, Generic

from attrs import define, field

from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.machine import CHANCE, END, Machine, Move, State

MOST: Final = 100_000
"""The most nodes of a trace."""

Bound = int | Fraction | float


@define(eq=False, repr=False)
class TraceNode:
    """A node: ``parent`` and ``number`` count from 0 in the order of visits; ``tried`` are the children's moves."""

    number: int
    parent: int | None
    move: Move | None
    actor: int
    alpha: Bound
    beta: Bound
    legal: tuple[Move, ...]
    tried: list[Move] = field(factory=list)
    value: Any = None


class Trace(Generic[State]):
    """The record of a search so far."""

    def __init__(self, machine: Machine[State]) -> None:
        self._machine = machine
        self._path: list[TraceNode] = []
        self.nodes: list[TraceNode] = []

    @property
    def depth(self) -> int:
        """The number of open nodes."""
        return len(self._path)

    def enter(self, state: State, alpha: Bound, beta: Bound) -> None:
        """The search visits a state. Raises ``ZermeloError`` (``trace-too-large``)."""
        if len(self.nodes) == MOST:
            raise ZermeloError(
                "trace-too-large",
                f"the search has more than {MOST:,} nodes, which is more than a trace can show",
                "a smaller game, or a solver that visits fewer nodes",
            )
        machine, play = self._machine, self._machine.play(state)
        actor = machine.actor(state)
        parent = self._path[-1] if self._path else None
        node = TraceNode(
            len(self.nodes),
            None if parent is None else parent.number,
            play[-1] if parent is not None else None,
            actor,
            alpha,
            beta,
            machine.moves(state) if actor >= 0 else (),
        )
        if parent is not None:
            parent.tried.append(play[-1])
        self.nodes.append(node)
        self._path.append(node)

    def leave(self, value: Any) -> None:
        """The search has found the value of the state that it entered last."""
        self._path.pop().value = value

    def record(self) -> dict[str, Any]:
        """The trace as JSON: numbers are written as the language writes them, an open side of a window is null."""
        return {"nodes": [self._of_node(node) for node in self.nodes]}

    def _of_node(self, node: TraceNode) -> dict[str, Any]:
        names = self._machine.player_names
        alpha, beta = node.alpha, node.beta
        if node.actor >= 0 and not isinstance(node.value, tuple):
            alpha, beta = (max(alpha, node.value), beta) if node.actor == 0 else (alpha, min(beta, node.value))
        pruned = [str(move) for move in node.legal if move not in node.tried]
        why = f"alpha {_number(alpha)} >= beta {_number(beta)}" if node.tried else "the table knows the position"
        return {
            "node": node.number,
            "parent": node.parent,
            "move": None if node.move is None else str(node.move),
            "actor": {CHANCE: "chance", END: "end"}.get(node.actor) or names[node.actor],
            "entry": {"alpha": _number(node.alpha), "beta": _number(node.beta)},
            "exit": {"alpha": _number(alpha), "beta": _number(beta)},
            "value": list(map(str, node.value)) if isinstance(node.value, tuple) else str(node.value),
            "pruned": pruned,
            "why": why if pruned else None,
        }


def _number(bound: Bound) -> str | None:
    return None if bound in (-inf, inf) else str(bound)
