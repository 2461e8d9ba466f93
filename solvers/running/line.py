"""The principal variation."""

from __future__ import annotations

from collections.abc import Callable

from zermelo.interpreter.machine import Move
from zermelo.interpreter.native.running.machine import LoweredMachine, LoweredState
from zermelo.solvers.common.going_round import GoesRound
from zermelo.solvers.common.limits import LimitReached


def best_line(
    machine: LoweredMachine,
    root: LoweredState,
    best: tuple[Move, ...],
    best_behind: Callable[[LoweredState, int], tuple[Move, ...]],
) -> tuple[Move, ...]:
    """Best play from a root with these best moves, to the end of the play, the first draw of chance or the horizon: the
    first best move, then that of the state behind it, and so on. ``best_behind`` searches a state so many moves behind
    the root anew and gives its best moves, none where it is cut off; the line ends where that search comes to a limit.

    Cost: a subtree is searched as often as moves of the line lead to it; they soon become small."""
    line: list[Move] = []
    state = root
    while best:
        line.append(best[0])
        state = machine.after(state, line[-1])
        try:
            best = () if machine.actor(state) < 0 else best_behind(state, len(line))
        except (LimitReached, GoesRound):
            break
    return tuple(line)
