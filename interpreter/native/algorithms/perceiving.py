"""Digests of the players' observations (:mod:`zermelo.interpreter.native.rules.perception`)."""

from __future__ import annotations

from typing import Literal

from zermelo.interpreter.native.dialect.words import PLAYERS, WORDS, Context, State, array, ints, mix, observed

DIGESTS: int  # their first slot, two for each player
STIRRER: int  # makes the second one differ from the first


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
