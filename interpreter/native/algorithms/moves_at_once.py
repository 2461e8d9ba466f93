"""A player's observations of the last move where choices are made together: players see these after the last one."""

from __future__ import annotations

from zermelo.interpreter.native.dialect.words import PLAYERS, WORDS, State, ints, moved

ACTOR: int  # the slot of the actor: a player's number plus 2
PHASE: int  # the slot of the phase
TOGETHER: tuple[int, ...]  # whether the choices of a phase are made together
CHOICES: int  # the first slot of the players' choices so far: a move plus 1


def shown_moves(last: State, state: State, move: int, player: int, seen: ints[WORDS], count: int) -> int:
    """Write a player's observations of a move, made in ``last``, behind ``count`` words; -1 stands for no move."""
    if move < 0:
        return count
    mover: int = last[ACTOR] - 2
    if TOGETHER[last[PHASE]] == 0:
        return moved(move, mover, player, seen, count)
    if mover == player:
        count = moved(move, player, player, seen, count)
    if is_midway(last, state, move) != 0:
        return count
    for other in range(PLAYERS):
        made: int = move + 1 if other == mover else last[CHOICES + other]
        if made != 0 and other != player:
            count = moved(made - 1, other, player, seen, count)
    return count


def is_midway(last: State, state: State, move: int) -> int:
    """Whether other players are still to choose together with the move made in ``last``."""
    return move >= 0 and TOGETHER[last[PHASE]] != 0 and state[CHOICES + last[ACTOR] - 2] != 0
