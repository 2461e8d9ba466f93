"""What the moves of positions lead to, by their keys: positions in, edges out, and nothing kept in between."""

from __future__ import annotations

from zermelo.interpreter.native.dialect.words import (
    END,
    KEY,
    MOVES,
    PLAYERS,
    STATE,
    Context,
    State,
    actor,
    apply,
    copy,
    earned,
    half,
    hole,
    ints,
    payoff,
    unpack,
)
from zermelo.solvers.kernels.answers import DONE
from zermelo.solvers.kernels.states import list_next

LACKS_ROOM = -4
"""The answer when there is no room for the moves of the next position."""


@hole
def name(state: State, key: ints[KEY]) -> int:
    """Write the key under which a table has a position; the number of the image that has it, if images are kept."""


@hole
def is_exchanged(image: int) -> int:
    """Whether the two players have changed places in an image."""


class Expansion:
    """The moves of ``count`` positions have been made up to ``position``, which are ``edges``.

    A position has ``KEY`` of the ``words``, and one of the ``actors``. Its edges are those from ``firsts`` on, up to
    the next position's. An edge leads to ``KEY`` words of the ``targets``, where one of the ``kinds`` is the actor, or
    to an end, which has no words; ``exchanged`` says whether the players have changed places there. ``weights`` are
    those of outcomes, and ``paid`` is what each of the ``PLAYERS`` earns by a move and is paid at an end."""

    rules: Context
    words: list[int]
    actors: list[half]
    firsts: list[half]
    targets: list[int]
    kinds: list[half]
    exchanged: list[half]
    weights: list[int]
    paid: list[int]
    state: State
    child: State
    key: ints[KEY]
    legal: ints[MOVES]
    drawn: ints[MOVES]
    position: int
    count: int
    edges: int


def expand(search: Expansion) -> int:
    """Make the moves of one position after another: ``DONE``, or ``LACKS_ROOM`` if those of the next have no room."""
    while search.position < search.count:
        read_position(search, search.position)
        offered: int = list_next(search.rules, search.state, search.legal, search.drawn)
        if search.rules[0] != 0 or search.edges + offered > len(search.kinds):
            return LACKS_ROOM
        search.firsts[search.position] = search.edges
        for k in range(offered):
            make_move(search, k)
            if search.rules[0] != 0:
                return LACKS_ROOM
        search.position += 1
    return DONE


def read_position(search: Expansion, position: int) -> None:
    """Read the state of a position back from its key."""
    for k in range(KEY):
        search.key[k] = search.words[position * KEY + k]
    unpack(search.rules, search.state, search.key, search.actors[position])


def make_move(search: Expansion, move: int) -> None:
    """Make a move of the state at hand, and write down where it leads."""
    copy(search.child, search.state, STATE)
    apply(search.rules, search.child, search.legal[move])
    if search.rules[0] != 0:
        return
    edge: int = search.edges
    search.edges += 1
    search.weights[edge], search.exchanged[edge] = search.drawn[move], 0
    if actor(search.child) == END:
        search.kinds[edge] = END
        for p in range(PLAYERS):
            search.paid[edge * PLAYERS + p] = payoff(search.child, p)
        return
    who: int = actor(search.child)
    for p in range(PLAYERS):
        search.paid[edge * PLAYERS + p] = earned(search.child, p)
    search.exchanged[edge] = is_exchanged(name(search.child, search.key))
    search.kinds[edge] = who if search.exchanged[edge] == 0 else 1 - who
    for k in range(KEY):
        search.targets[edge * KEY + k] = search.key[k]


def find_key(search: Expansion) -> int:
    """Write the key of the state at hand, which is no end; whether the players have changed places there."""
    return is_exchanged(name(search.state, search.key))


def find_keys(search: Expansion) -> None:
    """Write among the ``targets`` under which keys all positions are known, which have others if images are kept, and
    whether the players have changed places there."""
    for position in range(search.count):
        read_position(search, position)
        search.exchanged[position] = is_exchanged(name(search.state, search.key))
        for k in range(KEY):
            search.targets[position * KEY + k] = search.key[k]
