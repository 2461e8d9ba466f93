"""The principal variation."""

from __future__ import annotations

from collections.abc import Callable

from interpreter.machine import Move
from interpreter.native.machine import LoweredMachine, State
from solvers.native.depth_first import DepthFirst


def best_line(
    machine: LoweredMachine, search: DepthFirst, root: State, best: Callable[[State], tuple[Move, ...]]
) -> tuple[Move, ...]:
    """Best play from a state that has been searched to the end, or to the first draw of chance: the first best move,
    then that of the state behind it, which is searched anew. ``best`` are the best moves of the state searched last.

    Cost: a subtree is searched as often as moves of the line lead to it; they soon become small."""
    line = list(best(root)[:1])
    state = root
    while line:
        state = machine.after(state, line[-1])
        if machine.actor(state) < 0:
            break
        search.search(state)
        line += best(state)[:1]
    return tuple(line)
