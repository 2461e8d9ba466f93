"""What a player observes on coming to a state (:mod:`zermelo.interpreter.native.rules.perception`)."""

from __future__ import annotations

from typing import Literal

from zermelo.interpreter.native.dialect.words import (
    PLAYERS,
    WORDS,
    Context,
    State,
    array,
    bits,
    ints,
    mix,
    moved,
    observed,
)

ACTOR: int  # the slot of the actor: a player's number plus 2
PHASE: int  # the slot of the phase
TOGETHER: tuple[int, ...]  # whether the choices of a phase are made together
CHOICES: int  # the first slot of the players' choices so far: a move plus 1
TOLD: int  # the slot of the number of tellings, which follow it
SIZE: int  # the slots of a telling: a head and its values
MOST: int  # the most tellings; one more is counted, but has no room
LABEL: int  # the low bits of a head, for the label; the hearers are above
OVERFLOW: int  # the fault site if there are more tellings
DIGESTS: int  # the first slot of the digests of observations, two for each player
STIRRER: int  # makes the second one differ from the first


def shown_values(context: Context, last: State, state: State, player: int, seen: ints[WORDS], count: int) -> int: ...


def shown_question(state: State, player: int, seen: ints[WORDS], count: int) -> int: ...


def show(state: State, at: int, label: int, seen: ints[WORDS], count: int) -> int: ...  # write the telling at a slot


# A player's observations on coming to a state, each preceded by its length.


def observe(context: Context, last: State, state: State, move: int, player: int, seen: ints[WORDS]) -> int:
    """Write a player's observations on coming to ``state`` from ``last`` by a move; the number of words."""
    count: int = shown_moves(last, state, move, player, seen, 0)
    if is_midway(last, state, move) != 0:
        return count
    count = shown_tellings(context, state, player, seen, count)
    end: int = shown_values(context, last, state, player, seen, count + 1)  # all new values make one observation
    seen[count] = end - count - 1
    return shown_question(state, player, seen, end if end > count + 1 else count)


def shown_tellings(context: Context, state: State, player: int, seen: ints[WORDS], count: int) -> int:
    """Write no tellings, in games that tell nothing."""
    return count


# A player's observations of the last move where all decide in turn.


def shown_moves(last: State, state: State, move: int, player: int, seen: ints[WORDS], count: int) -> int:
    """Write a player's observations of a move, made in ``last``, behind ``count`` words; -1 stands for no move."""
    return moved(move, last[ACTOR] - 2, player, seen, count) if move >= 0 else count


def is_midway(last: State, state: State, move: int) -> int:
    """Whether other players are still to choose together with a move."""
    return 0


# A player's observations of the last move where choices are made together: players see these after the last one.


def shown_choices(last: State, state: State, move: int, player: int, seen: ints[WORDS], count: int) -> int:
    """Write a player's observations of a move, made in ``last``, behind ``count`` words; -1 stands for no move."""
    if move < 0:
        return count
    mover: int = last[ACTOR] - 2
    if TOGETHER[last[PHASE]] == 0:
        return moved(move, mover, player, seen, count)
    if mover == player:
        count = moved(move, player, player, seen, count)
    if is_choosing(last, state, move) != 0:
        return count
    for other in range(PLAYERS):
        made: int = move + 1 if other == mover else last[CHOICES + other]
        if made != 0 and other != player:
            count = moved(made - 1, other, player, seen, count)
    return count


def is_choosing(last: State, state: State, move: int) -> int:
    """Whether other players are still to choose together with the move made in ``last``."""
    return move >= 0 and TOGETHER[last[PHASE]] != 0 and state[CHOICES + last[ACTOR] - 2] != 0


# Making room in the state for a telling, which is kept there until the next move.


def begin_telling(state: State, hearers: bits, label: int) -> int:
    """Write the head of a telling; its slot, before those of the values, or -1 if there is no room."""
    told: int = state[TOLD]
    if told <= MOST:
        state[TOLD] = told + 1
    if told >= MOST:
        return -1
    at: int = TOLD + 1 + told * SIZE
    state[at] = (hearers << LABEL) | label
    return at


# Tellings, kept in the state until the next move, and a player's observations of them.


def heard_tellings(context: Context, state: State, player: int, seen: ints[WORDS], count: int) -> int:
    """Write the tellings that a player hears."""
    told: int = state[TOLD]
    if told > MOST:
        if context[0] == 0:
            context[0] = OVERFLOW
        told = MOST
    one: int = 1
    for i in range(told):
        at: int = TOLD + 1 + i * SIZE
        if (state[at] >> (LABEL + player)) & 1 != 0:
            count = show(state, at, state[at] & ((one << LABEL) - 1), seen, count)
    return count


# Digests of the players' observations (:mod:`zermelo.interpreter.native.rules.perception`).


def perceive(context: Context, last: State, state: State, move: int) -> int:
    """Add the players' observations on coming to ``state``, from ``last`` by a move, to the digests in ``state``."""
    seen = array(WORDS)
    for player in range(PLAYERS):
        count: int = observed(context, last, state, move, player, seen)
        first: int = state[DIGESTS + 2 * player]
        second: int = state[DIGESTS + 2 * player + 1]
        for i in range(count):
            first = mix(first, seen[i])
            second = mix(mix(second, seen[i]), STIRRER)
        state[DIGESTS + 2 * player] = first
        state[DIGESTS + 2 * player + 1] = second
    return 0


def perceived(state: State, player: int, digest: ints[Literal[2]]) -> int:
    """Write the digests of a player's observations."""
    digest[0] = state[DIGESTS + 2 * player]
    digest[1] = state[DIGESTS + 2 * player + 1]
    return 0
