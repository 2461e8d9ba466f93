"""Numbers for rows of words, from 0 on, in the order in which the rows come.

A hash table with open addressing and linear probing (Knuth, The art of computer programming, vol. 3, section 6.4); the
rows lie beside it, in their order, and are compared as a whole. An entry of the table is 0 where there is none, else 1
more than a number, with a *tag* above it: bits of the row's hash, as many as 31 bits leave. So few rows are looked at
in vain, and each takes 4 bytes for its entry, besides the free ones.

The host makes the table longer before it is full: it takes another one, all 0, in which all rows are entered anew.

Cost: a number is found in about one access to the table and one to the rows, which a caller can have brought into the
cache before (``expect_entry``, ``expect_row``).
"""

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
    copy,
    half,
    hole,
    hurry,
    ints,
    mix,
    moves,
    payoff,
    prefetch,
)

UNKNOWN = -1
"""No number: the row is not known."""

AHEAD = 16
"""How many rows before they are entered into a table their entries are brought into the cache."""


class Numbering:
    """The first ``count`` numbers are taken, each with ``width`` words of ``rows``. In an entry of the table a number
    has ``bits`` bits."""

    rows: list[int]
    table: list[half]
    width: int
    bits: int
    count: int


def hash_row(words: list[int], first: int, width: int) -> int:
    """The hash of a row that begins at ``first``."""
    hash: int = 0
    for k in range(first, first + width):
        hash = mix(hash, words[k])
    return hash


def hash_of_row(numbering: Numbering, number: int) -> int:
    """The hash of the row of a number."""
    return hash_row(numbering.rows, number * numbering.width, numbering.width)


def entry_of(numbering: Numbering, hash: int) -> int:
    """The first entry to look at."""
    return (hash >> 32) * len(numbering.table) >> 31


def tag_of(numbering: Numbering, hash: int) -> int:
    """The bits of a hash that entries hold."""
    return hash & ((1 << (31 - numbering.bits)) - 1)


def expect_entry(numbering: Numbering, hash: int) -> None:
    """A row with this hash will be looked for soon."""
    prefetch(numbering.table[entry_of(numbering, hash)])


def expect_row(numbering: Numbering, hash: int) -> None:
    """A row with this hash will be looked for at once."""
    entry: int = numbering.table[entry_of(numbering, hash)]
    if entry != 0:
        prefetch(numbering.rows[number_in(numbering, entry) * numbering.width])


def number_of(numbering: Numbering, words: list[int], first: int, hash: int) -> int:
    """The number of a row that begins at ``first``: the next one, ``count``, if it is new."""
    at: int = find_entry(numbering, words, first, hash)
    entry: int = numbering.table[at]
    if entry != 0:
        return number_in(numbering, entry)
    numbering.table[at] = tag_of(numbering, hash) << numbering.bits | numbering.count + 1
    for k in range(numbering.width):
        numbering.rows[numbering.count * numbering.width + k] = words[first + k]
    numbering.count += 1
    return numbering.count - 1


def known_number(numbering: Numbering, words: list[int], first: int, hash: int) -> int:
    """The number of a row that begins at ``first``, ``UNKNOWN`` if it has none."""
    return number_in(numbering, numbering.table[find_entry(numbering, words, first, hash)])


def find_entry(numbering: Numbering, words: list[int], first: int, hash: int) -> int:
    """The entry of a row that begins at ``first``, or the one where it is to be entered, which is 0."""
    at: int = entry_of(numbering, hash)
    tag: int = tag_of(numbering, hash)
    entry: int = numbering.table[at]
    while entry != 0:
        if entry >> numbering.bits == tag and is_row(numbering, number_in(numbering, entry), words, first):
            return at
        at = at + 1 if at + 1 < len(numbering.table) else 0
        entry = numbering.table[at]
    return at


def number_in(numbering: Numbering, entry: int) -> int:
    """The number that an entry of the table holds; ``UNKNOWN`` if the entry is 0."""
    return (entry & ((1 << numbering.bits) - 1)) - 1


def is_row(numbering: Numbering, number: int, words: list[int], first: int) -> bool:
    """Whether the row of a number is the one that begins at ``first``."""
    for k in range(numbering.width):
        if numbering.rows[number * numbering.width + k] != words[first + k]:
            return False
    return True


def forget_last(numbering: Numbering, hash: int) -> None:
    """Forget the row with the highest number, which has this hash. Where it stands nothing stood when it was entered:
    so all others are found as before."""
    at: int = entry_of(numbering, hash)
    while numbering.table[at] & ((1 << numbering.bits) - 1) != numbering.count:
        at = at + 1 if at + 1 < len(numbering.table) else 0
    numbering.table[at] = 0
    numbering.count -= 1


def enter_again(numbering: Numbering, first: int, end: int) -> None:
    """Enter the numbers of a range into a table that has lost them."""
    for number in range(first, end):
        if number + AHEAD < end:
            expect_entry(numbering, hash_of_row(numbering, number + AHEAD))
        enter_one_again(numbering, number)


def enter_one_again(numbering: Numbering, number: int) -> None:
    """Enter a number into a table that has lost it."""
    hash: int = hash_of_row(numbering, number)
    at: int = entry_of(numbering, hash)
    while numbering.table[at] != 0:
        at = at + 1 if at + 1 < len(numbering.table) else 0
    numbering.table[at] = tag_of(numbering, hash) << numbering.bits | number + 1


# What the search for positions (:mod:`zermelo.solvers.kernels.position_graph`) works on: its records, its codes, and
# what is open in it.


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
    and ``rewards`` if nobody earns anything; ``firsts`` and ``targets`` are empty if edges are only counted. The
    ``terminals`` ends have numbers of their own, from 1 on: ``ends[k]`` is that of the end that pays the amount k, 0 if
    there is none yet.

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


# Decisive moves: moves that end the play at once, and pay the mover the most that any play can pay
# (Teytaud and Teytaud, "On the huge benefit of decisive moves in Monte-Carlo tree search algorithms", 2010).
#
# Let two players have a constant sum, and let M be the most that any play can pay a player; plays that never end pay
# them less. A position in which they are to act and have a decisive move is *decided*. It is worth M to them, at a
# distance of 1: no other move brings more, and none ends the play sooner. So nothing that lies behind its other moves
# can matter there, and all positions that the same player has decided are one, with one edge, to the end.
#
# **Edges that are not needed.** In another position let one edge lead to where the other player has decided the play.
# The mover gets the least there that any play can pay, at a distance of 2. Let a second edge lead to a position that
# has not been decided. Then the first one need not be kept:
#
# * What it brings is the least. So it is best only if the second one brings no more.
# * If it brings no more, then the mover delays, since a play that never ends pays them more than that. And the end is
# at
#   least as far behind the second edge: if the other player is to act there, the next move is none that wins at once;
# and   if the mover acts again, they may make any other. So it takes at least two moves, beginning with the edge
# itself.
#
# So neither the value nor the distance of any position changes, nor who can keep a play going for ever. If there is no
# such second edge, the first one stays: the position is lost in 2, or something else is better.
#
# It does not matter if a decisive move is overlooked: the position is kept then, like others. Those that end the play
# because the other player has no move are overlooked, since it costs more to see them. (Tables on disk see them: there
# all moves of a position are made in any case.)
#
# Cost: the moves of each position are tried until one is decisive, each time that an edge leads to a decided position,
# and once for each of the others.


def has_decisive_move(rules: Context, trial: Trial, state: State) -> int:
    """Whether the player to act has a decisive move, after which the state of the trial is left."""
    count: int = moves(rules, state, trial.legal)
    for k in range(count):
        if rules[0] != 0:
            return 0
        copy(trial.state, state, STATE)
        hurry(rules, trial.state, trial.legal[k])
        if actor(trial.state) == END and payoff(trial.state, 0) == trial.most[actor(state)]:
            return 1
    return 0
