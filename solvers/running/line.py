"""The principal variation."""

from __future__ import annotations

from collections.abc import Callable
from math import inf

from zermelo.interpreter.machine import Machine, Move, State
from zermelo.solvers.common.going_round import GoesRound
from zermelo.solvers.common.limits import LimitReached
from zermelo.solvers.common.numbers import Number


def best_line(
    machine: Machine[State],
    root: State,
    best: tuple[Move, ...],
    best_behind: Callable[[State, int], tuple[Move, ...]],
    plies: Number = inf,
) -> tuple[Move, ...]:
    """Best play from a root with these best moves, to the end of the play, the first draw of chance or the horizon: the
    first best move, then that of the state behind it, and so on. ``best_behind`` searches a state so many moves behind
    the root anew and gives its best moves, none where it is cut off, which it may be ``plies`` behind the root or
    later. The line ends where that search comes to a limit.

    Cost: a subtree is searched again at every move above it that has alternatives; subtrees soon become small."""
    line: list[Move] = []
    state = root
    while best:
        line.append(best[0])
        state = machine.after(state, line[-1])
        legal = machine.moves(state)
        if len(legal) <= 1 and len(line) < plies:
            best = legal
            continue
        try:
            best = best_behind(state, len(line)) if legal else ()
        except (LimitReached, GoesRound):
            break
    return tuple(line)
