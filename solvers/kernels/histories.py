"""Counting the histories of a game, one by one.

A *history* is a beginning of a play: all moves and outcomes of chance so far. Histories, the nodes of the game tree
(:mod:`zermelo.solvers.forms.extensive_form`), are visited depth first; only the path to the current one is kept. Their
number determines the memory of the tree before any of it is used.
"""

from __future__ import annotations

from zermelo.interpreter.native.dialect.words import (
    CHANCE,
    END,
    MOVES,
    STATE,
    Context,
    State,
    actor,
    apply,
    copy,
    ints,
    moves,
    outcomes,
    poll,
)
from zermelo.solvers.kernels.answers import DONE

TOO_MANY = -4
"""There are more histories than the limit."""


class Stop:
    """A history on the path: its moves or outcomes, and how many have been tried."""

    state: State
    legal: ints[MOVES]
    count: int
    tried: int


class Count:
    """A count of at most ``most`` histories: ``nodes`` so far, among them ``terminals``, the ends, and ``decisions`` of
    players."""

    rules: Context
    path: list[Stop]
    weights: ints[MOVES]
    most: int
    depth: int
    nodes: int
    terminals: int
    decisions: int


def start_count(count: Count) -> None:
    """Start at the root, the first state of the path."""
    count.depth, count.nodes, count.terminals, count.decisions = 0, 0, 0, 0
    enter_history(count, count.path[0])


def go_on_counting(count: Count, budget: int) -> int:
    """Make ``budget`` more steps; the depth reached, or one of the answers."""
    left: int = budget
    while left > 0:
        left -= 1
        here = count.path[count.depth]
        if here.tried < here.count:
            there = count.path[count.depth + 1]
            copy(there.state, here.state, STATE)
            apply(count.rules, there.state, here.legal[here.tried])
            here.tried += 1
            count.depth += 1
            enter_history(count, there)
            if count.depth + 2 >= len(count.path) or count.rules[0] != 0 or poll() != 0:
                left = 0
            if count.nodes > count.most:
                return TOO_MANY
        elif count.depth > 0:
            count.depth -= 1
        else:
            return DONE
    return count.depth


def enter_history(count: Count, here: Stop) -> None:
    """Count a new history, from which nothing has been tried."""
    count.nodes += 1
    here.tried = 0
    if actor(here.state) == END:
        count.terminals += 1
        here.count = 0
    elif actor(here.state) == CHANCE:
        here.count = outcomes(count.rules, here.state, here.legal, count.weights)
    else:
        count.decisions += 1
        here.count = moves(count.rules, here.state, here.legal)
