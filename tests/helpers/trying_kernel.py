"""A kernel that takes the legal moves of a state one by one."""

from __future__ import annotations

from zermelo.interpreter.native.dialect.words import (
    LISTED,
    MOVES,
    Context,
    State,
    array,
    bits,
    first_untried,
    ints,
    left_untried,
    untried,
)


class Trial:
    """A state, and the moves that have been tried there, in their order."""

    rules: Context
    state: State
    tried: ints[MOVES]


def try_all(trial: Trial) -> int:
    """Try all moves; their number."""
    count: int = 0
    listed = array(LISTED)
    rest: bits = untried(trial.rules, trial.state, listed)
    while rest != 0:
        move: int = first_untried(trial.rules, trial.state, rest, listed)
        trial.tried[count] = move
        count += 1
        rest = left_untried(rest, move)
    return count
