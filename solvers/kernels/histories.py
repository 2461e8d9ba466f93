"""Count the histories of a game, one by one.

A *history* is a beginning of a play: all moves and outcomes of chance so far. They are the positions of the tree of all
plays (:mod:`zermelo.solvers.forms.extensive_form`), which is walked depth first; nothing is kept but the path to the
present one. How many there are says what the tree takes in memory, before any of that is spent.
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
"""There are more histories than are counted."""


class Stop:
    """A history on the path: what may happen next, and how much of it has been tried."""

    state: State
    legal: ints[MOVES]
    count: int
    tried: int


class Count:
    """A count under way, of at most ``most`` histories: ``nodes`` so far, among them ``terminals``, the ends, and
    ``decisions``, at which a player decides."""

    rules: Context
    path: list[Stop]
    weights: ints[MOVES]
    most: int
    depth: int
    nodes: int
    terminals: int
    decisions: int


def start_count(count: Count) -> None:
    """Put the count at its root, the first state of the path."""
    count.depth, count.nodes, count.terminals, count.decisions = 0, 0, 0, 0
    enter_history(count, count.path[0])


def go_on_counting(count: Count, budget: int) -> int:
    """Make so many steps more; the depth that the count has come to, or one of the answers."""
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
    """A new history, which counts, and from which nothing has been tried."""
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
