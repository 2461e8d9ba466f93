"""A kernel that brings states into canonical form."""

from __future__ import annotations

from zermelo.interpreter.native.dialect.words import (
    CHANCE,
    KEY,
    MOVES,
    STATE,
    Context,
    State,
    actor,
    copy,
    ints,
    least_image,
    moves,
    outcomes,
    renamed_player,
    unpack,
)


class Asked:
    """A ``state``, the least key of its images, the state ``there`` that this is read back to, and its moves."""

    rules: Context
    state: State
    there: State
    key: ints[KEY]
    legal: ints[MOVES]
    weights: ints[MOVES]
    image: int
    count: int


def bring(asked: Asked) -> None:
    """Find the canonical form of a state at a decision."""
    who: int = actor(asked.state)
    asked.image = least_image(asked.state, asked.key)
    copy(asked.there, asked.state, STATE)
    unpack(asked.rules, asked.there, asked.key, renamed_player(asked.image, who) if who >= 0 else who)
    if who == CHANCE:
        asked.count = outcomes(asked.rules, asked.there, asked.legal, asked.weights)
    else:
        asked.count = moves(asked.rules, asked.there, asked.legal)


def bring_often(asked: Asked, times: int) -> int:
    """Find it many times, to be timed."""
    found: int = 0
    for _ in range(times):
        found += least_image(asked.state, asked.key)
    return found
