"""The record of a search: every node in the order of visits, as drawn in a lecture.

A search reports entering nodes, with windows, and leaving them, with results. The rest follows: the windows narrowed by
results, and the moves never tried, which were *pruned* for one of two reasons. Either the window was closed, alpha >=
beta, so that a player has a move at least as good elsewhere; or the position was in the table. At a *horizon* nothing
is tried, and nothing pruned: the search was not to look further.

A search of draws (:mod:`zermelo.solvers.kernels.star`) finds bounds of values, :class:`Between`. It leaves a draw as
soon as its bounds lie outside the window; and it may visit a state twice, first for its first move alone, a *probe*,
then for the others. Each visit is a node.
"""

from __future__ import annotations

from enum import Enum
from fractions import Fraction
from math import inf
from typing import Any, Final, Generic

from attrs import define, field, frozen

from zermelo.foundation.records import ByValue
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.machine import CHANCE, END, Machine, Move, State

MOST: Final = 100_000
"""The most nodes of a trace."""

Bound = int | Fraction | float


@frozen(eq=False, repr=False)
class Between(ByValue):
    """The bounds of a value that is not known exactly."""

    low: Fraction
    high: Fraction


def known_bounds(low: Fraction, high: Fraction) -> Fraction | Between:
    """What is known of a value between two bounds: the value itself if they are equal."""
    return low if low == high else Between(low, high)


def bounds_of_value(value: Any) -> tuple[Any, Any]:
    """The bounds of a value: the value itself, twice, if it is known."""
    return (value.low, value.high) if isinstance(value, Between) else (value, value)


class WhichMoves(Enum):
    """Which moves of a state a visit is for."""

    ALL = "all moves"
    FIRST = "the first move alone"
    OTHERS = "the other moves"


@define(eq=False, repr=False)
class TraceNode:
    """A node: ``parent`` and ``number`` count from 0 in the order of visits; ``tried`` are the children's moves. Behind
    a draw ``probability`` is that of its outcome. ``is_horizon``: the value is an estimate. A visit may be for a
    ``part`` of the moves: then ``probe`` is the number of the visit for the first one, and ``goes_on`` says of that one
    that the visit for the others has come."""

    number: int
    parent: int | None
    move: Move | None
    actor: int
    alpha: Bound
    beta: Bound
    legal: tuple[Move, ...]
    outcomes: dict[Move, Fraction]
    tried: list[Move] = field(factory=list)
    value: Any = None
    probability: Fraction | None = None
    is_horizon: bool = False
    part: WhichMoves = WhichMoves.ALL
    probe: int | None = None
    goes_on: bool = False

    @property
    def pruned(self) -> tuple[Move, ...]:
        """The moves that were left out since they cannot matter."""
        if self.is_horizon or self.goes_on:
            return ()
        looked_at = self.legal[:1] if self.part is WhichMoves.OTHERS else ()
        return tuple(move for move in self.legal if move not in self.tried and move not in looked_at)

    @property
    def window_behind(self) -> tuple[Bound, Bound]:
        """Alpha and beta when the search leaves the node."""
        return self.window_with(self.value)

    def window_with(self, value: Any) -> tuple[Bound, Bound]:
        """Alpha and beta when so much is known of the value; None is nothing."""
        if self.actor < 0 or self.is_horizon or value is None or isinstance(value, tuple):
            return self.alpha, self.beta
        low, high = bounds_of_value(value)
        return (max(self.alpha, low), self.beta) if self.actor == 0 else (self.alpha, min(self.beta, high))

    @property
    def decision(self) -> str:
        """Why a draw was left, if its bounds lie outside its window: ``at most 2 <= alpha 3``."""
        low, high = bounds_of_value(self.value)
        if high <= self.alpha:
            return f"at most {high} <= alpha {self.alpha}"
        return f"at least {low} >= beta {self.beta}" if low >= self.beta else ""


class TraceTooLarge(ZermeloError):
    """The refusal of a search that has more nodes than its record may have."""


class Trace(Generic[State]):
    """The record of a search so far, of at most so many nodes."""

    def __init__(self, machine: Machine[State], most: int = MOST) -> None:
        self._machine = machine
        self._most = most
        self._path: list[TraceNode] = []
        self.nodes: list[TraceNode] = []

    @property
    def depth(self) -> int:
        """The number of open nodes."""
        return len(self._path)

    def enter(self, state: State, alpha: Bound, beta: Bound, part: WhichMoves = WhichMoves.ALL) -> None:
        """The search visits a state, for a part of its moves if a player moves there. The side of a window on which a
        probe proves nothing is open. Raises :class:`TraceTooLarge` (``trace-too-large``)."""
        if len(self.nodes) == self._most:
            raise TraceTooLarge(
                "trace-too-large",
                f"the search has more than {self._most:,} nodes, which is more than can be shown",
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
            dict(machine.outcomes(state)) if actor == CHANCE else {},
        )
        if parent is not None:
            parent.tried.append(play[-1])
            node.probability = parent.outcomes.get(play[-1])
            if actor >= 0 and part is not WhichMoves.ALL:
                self._mark_part(node, part, parent)
        self.nodes.append(node)
        self._path.append(node)

    def _mark_part(self, node: TraceNode, part: WhichMoves, parent: TraceNode) -> None:
        """Note that a node below a draw is visited for a part of its moves."""
        everything = self.nodes[0]
        node.part = part
        if part is WhichMoves.OTHERS:
            same = (each for each in self.nodes if each.parent == parent.number and each.move == node.move)
            first = next(same)
            node.probe, first.goes_on = first.number, True
        elif node.actor == 0:
            node.alpha = everything.alpha
        else:
            node.beta = everything.beta

    def leave(self, value: Any, is_estimate: bool = False) -> None:
        """The search has found the value of the state that it entered last, or made do with an estimate there."""
        node = self._path.pop()
        node.value, node.is_horizon = value, is_estimate

    def record(self) -> dict[str, Any]:
        """The trace as JSON: numbers are written as the language writes them, an open side of a window is null."""
        return {"nodes": [self._node_record(node) for node in self.nodes]}

    def _node_record(self, node: TraceNode) -> dict[str, Any]:
        names = self._machine.player_names
        alpha, beta = node.window_behind
        pruned = list(map(str, node.pruned))
        return {
            "node": node.number,
            "parent": node.parent,
            "move": None if node.move is None else str(node.move),
            "probability": None if node.probability is None else str(node.probability),
            "actor": {CHANCE: "chance", END: "end"}.get(node.actor) or names[node.actor],
            "entry": {"alpha": _bound_as_json(node.alpha), "beta": _bound_as_json(node.beta)},
            "exit": {"alpha": _bound_as_json(alpha), "beta": _bound_as_json(beta)},
            "horizon": node.is_horizon,
            "value": _value_as_json(node.value),
            "bounds": [str(node.value.low), str(node.value.high)] if isinstance(node.value, Between) else None,
            "moves": node.part.value,
            "probe": node.probe,
            "pruned": pruned,
            "why": self._pruning_reason(node) if pruned else None,
        }

    def _pruning_reason(self, node: TraceNode) -> str:
        """Why moves were left out."""
        if node.actor == CHANCE:
            return node.decision
        if node.part is WhichMoves.FIRST and node.parent is not None:
            return self.nodes[node.parent].decision
        alpha, beta = map(_bound_as_json, node.window_behind)
        is_tried = bool(node.tried) or node.part is WhichMoves.OTHERS
        return f"alpha {alpha} >= beta {beta}" if is_tried else "the table knows the position"


def _value_as_json(value: Any) -> str | list[str] | None:
    """A value as JSON, all players' shares if they are counted apart; null if it is not known."""
    if isinstance(value, Between):
        return None
    return list(map(str, value)) if isinstance(value, tuple) else str(value)


def _bound_as_json(bound: Bound) -> str | None:
    return None if bound in (-inf, inf) else str(bound)
