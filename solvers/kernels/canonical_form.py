"""The canonical form of a state: the one of its images that has the least key."""

from __future__ import annotations

from zermelo.interpreter.native.dialect.words import (
    KEY,
    Context,
    State,
    actor,
    ints,
    least_image,
    renamed_player,
    unpack,
)


class Bringing:
    """A ``state`` at a decision, and the number of the ``image`` that is its canonical form."""

    rules: Context
    state: State
    key: ints[KEY]
    image: int


def bring(search: Bringing) -> None:
    """Make the canonical form of the state, as if the play began there."""
    who: int = actor(search.state)
    search.image = least_image(search.state, search.key)
    unpack(search.rules, search.state, search.key, renamed_player(search.image, who) if who >= 0 else who)
