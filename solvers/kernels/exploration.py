"""What the search for positions (:mod:`zermelo.solvers.kernels.position_graph`) works on: its records, its codes, and
what is open in it.
"""

from __future__ import annotations

from zermelo.interpreter.native.dialect.words import KEY, MOVES, PLAYERS, Context, State, half, hole, ints
from zermelo.solvers.kernels.numbering import Numbering

DRAWS = -1
PAYS = -2
"""Kinds of positions: chance draws; this minus k for an end that pays the amount k."""

BATCH = 64
"""The most moves that are made before the positions behind them are looked up."""

LACKS_ROOM = -4
"""The answer when there may be no room for another batch."""

MOST_WEIGHT = (1 << 31) - 1

LARGEST_MOVE = (1 << 31) - 1

AT_ROOT = -1
NOT_MET = -2
"""Where a witness has been met, instead of an edge."""


EXCHANGED = 1 << 30
"""The mark of a target that stands for the image in which the players have changed places, beside its number."""

WON = -(1 << 30)
"""This minus p instead of a target: player p can win at once."""


class Trial:
    """For decisive moves: the state after one, the moves that are tried, and what the first player gets if each player
    gets the most."""

    state: State
    legal: ints[MOVES]
    most: ints[PLAYERS]


@hole
def is_decided(rules: Context, trial: Trial, state: State) -> int:
    """Whether a position is left out, since the player to act has a decisive move, with which the state of the trial is
    left."""


@hole
def write_key(state: State, key: ints[KEY]) -> int:
    """Write what tells the position of a state from others; the number of the image that is kept, if images are."""


@hole
def is_exchanged(image: int) -> int:
    """Whether the players have changed places in an image."""


@hole
def is_witness(rules: Context, state: State, number: int) -> int:
    """Whether the state is one that this witness of the file describes."""


class Child:
    """What a move leads to: the ``kind`` of the position that is kept, with players ``exchanged`` or not, the hash of
    its key, and the number of the position in which it is made."""

    state: State
    kind: int
    exchanged: int
    hash: int
    parent: int


class Exploration:
    """The graph so far, of which ``edges`` edges lead to known positions. ``weights`` is empty if chance never draws,
    and ``rewards`` if nobody earns anything. The ``terminals`` ends have numbers of their own, from 1 on: ``ends[k]``
    is that of the end that pays the amount k, 0 if there is none yet.

    The moves of the first ``most`` positions are made, and not those of others: all of them if it is negative.

    ``moves`` holds the number of the move of each edge, and is empty if they are not asked for; ``unnamed`` says
    whether one was too large for that.

    ``watched`` are the numbers of witnesses, and ``met`` the edges where they have been met.

    ``won[p]`` is 1 more than how many players before p could win at once somewhere, 0 as long as player p never could;
    ``prizes[p]`` is the amount that is paid then, ``winners`` their number. Edges have been added to positions up to
    ``source``: of the latter, edge ``lost`` leads to where the other player wins at once, if it is not -1, and
    ``is_kept`` says whether another edge leads to a position that is kept.

    ``state`` is that of ``position``, of whose ``offered`` moves ``tried`` have been made. The batch has ``gathered``
    children, whose keys lie in ``words``. ``falls`` says whether an edge leads to no higher number, ``earns`` whether
    somebody has earned something, ``draws`` whether chance has drawn."""

    rules: Context
    positions: Numbering
    amounts: Numbering
    kinds: list[half]
    firsts: list[half]
    targets: list[half]
    weights: list[half]
    rewards: list[half]
    moves: list[half]
    ends: list[half]
    batch: list[Child]
    words: list[int]
    paid: list[int]
    watched: list[half]
    met: list[half]
    trial: Trial
    won: ints[PLAYERS]
    prizes: ints[PLAYERS]
    winners: int
    source: int
    lost: int
    is_kept: bool
    state: State
    key: ints[KEY]
    legal: ints[MOVES]
    drawn: ints[MOVES]
    position: int
    tried: int
    offered: int
    gathered: int
    edges: int
    terminals: int
    most: int
    falls: bool
    earns: bool
    draws: bool
    unnamed: bool
