"""What the positions of a contest are worth if their edges have not been kept, because they do not fit into memory: all
moves are made again.

This needs a graph in which every edge leads to a higher number. Then the last position comes first: whatever a move
leads to has been solved, is an end, or is no position that is kept, since somebody can win at once there
(:mod:`zermelo.solvers.kernels.exploration`). So each position is worth its best move, as in retrograde analysis
(:mod:`zermelo.solvers.kernels.retrograde`), and has the same distance from the end.

**No more memory.** The kind of a position is needed until it is solved, and what it is worth from then on. So a rating
takes the place of the kind: the number of an amount, and the distance in the low bits.

Moves are made in batches, as when positions are found: the search for them may stand some positions before the one that
is being solved.

Cost: the time in which the positions were found, once more. Of a position the key is kept, its entry in the table, and
32 bits.
"""

from __future__ import annotations

from typing import Literal

from zermelo.interpreter.native.dialect.words import KEY, PLAYERS, actor, ints, prefetch
from zermelo.solvers.kernels.answers import BEYOND, DONE
from zermelo.solvers.kernels.exploration import (
    BATCH,
    LACKS_ROOM,
    PAYS,
    UNKNOWN,
    Child,
    Exploration,
    entry_of,
    expect_row,
    known_number,
    number_in,
)
from zermelo.solvers.kernels.position_graph import has_room_for_amounts, list_moves, make_next, number_amount

DISTANCE_BITS = 16
"""The bits of a rating that hold the distance."""

MOST_DISTANCE = (1 << DISTANCE_BITS) - 1
MOST_AMOUNT = (1 << 31 - DISTANCE_BITS) - 1
"""The largest distance, and the largest number of an amount, of a rating."""


class Solving:
    """Positions after ``parent`` are solved, and ``best`` is the rating of the best of its moves that have been looked
    at, -1 before there is one. Those who want more of the first player's payoff hurry where they get at least
    ``hurries[0]``, and the others where it is at most ``hurries[1]``; player p wants more of it if ``wants[p]`` is
    1, and less if it is -1."""

    parent: int
    best: int
    hurries: ints[Literal[2]]
    wants: ints[PLAYERS]


def start_again(search: Exploration, solving: Solving) -> None:
    """Before the last position, when all have been found."""
    search.position, search.tried, search.offered = search.positions.count, 0, 0
    solving.parent, solving.best = search.positions.count, -1


def solve_back(search: Exploration, solving: Solving, budget: int) -> int:
    """Look at ``budget`` more moves, about: ``DONE`` at the end, ``LACKS_ROOM`` for amounts, and ``BEYOND`` if a rating
    would be too large."""
    left: int = budget
    while left > 0:
        if not has_room_for_amounts(search):
            return LACKS_ROOM
        gather_back(search)
        for k in range(search.gathered):
            expect_rating(search, search.batch[k])
        for k in range(search.gathered):
            if not look_at(search, solving, search.batch[k], k):
                return BEYOND
        if search.gathered == 0:
            close(search, solving)
            return DONE
        left -= search.gathered
    return 0


def gather_back(search: Exploration) -> None:
    """Fill the batch with the next moves, from the last position back."""
    search.gathered = 0
    while search.gathered < BATCH and search.rules[0] == 0:
        if search.tried < search.offered:
            make_next(search, search.batch[search.gathered])
        elif search.position == 0:
            return
        else:
            search.position -= 1
            list_moves(search)


def expect_rating(search: Exploration, child: Child) -> None:
    """The rating of a child will be needed soon."""
    if child.kind > PAYS:
        expect_row(search.positions, child.hash)
        entry: int = search.positions.table[entry_of(search.positions, child.hash)]
        if entry != 0:
            prefetch(search.kinds[number_in(search.positions, entry)])


def look_at(search: Exploration, solving: Solving, child: Child, place: int) -> bool:
    """Compare a move with the best one of its position so far; False if its rating is too large."""
    if child.parent != solving.parent:
        close(search, solving)
        solving.parent, solving.best = child.parent, -1
    rating: int = rating_behind(search, child, place)
    if distance_of(rating) == MOST_DISTANCE or amount_of(rating) > MOST_AMOUNT:
        return False
    if solving.best < 0 or is_better(search, solving, rating + 1):
        solving.best = rating + 1
    return True


def close(search: Exploration, solving: Solving) -> None:
    """All moves of a position have been looked at."""
    if solving.best >= 0:
        search.kinds[solving.parent] = solving.best


def rating_behind(search: Exploration, child: Child, place: int) -> int:
    """The rating of what a move leads to."""
    if child.kind <= PAYS:
        return rating_of(PAYS - child.kind, 0)
    number: int = known_number(search.positions, search.words, place * KEY, child.hash)
    if number == UNKNOWN:
        return rating_of(search.prizes[actor(child.state)], 1)
    rating: int = search.kinds[number]
    return rating if child.exchanged == 0 else exchange(search, rating)


def exchange(search: Exploration, rating: int) -> int:
    """The rating of the image in which two players have changed places."""
    for p in range(PLAYERS):
        search.paid[p] = search.amounts.rows[amount_of(rating) * PLAYERS + PLAYERS - 1 - p]
    return rating_of(number_amount(search), distance_of(rating))


def rating_of(amount: int, distance: int) -> int:
    """A rating."""
    return amount << DISTANCE_BITS | distance


def amount_of(rating: int) -> int:
    """The number of the amount that everybody gets."""
    return rating >> DISTANCE_BITS


def distance_of(rating: int) -> int:
    """The distance from the end."""
    return rating & MOST_DISTANCE


def is_better(search: Exploration, solving: Solving, rating: int) -> bool:
    """Whether a rating is better than the best so far for the player who acts: more of what they want; or as much, but
    sooner for one who hurries, and later for one who delays."""
    wants_more: bool = solving.wants[search.kinds[solving.parent]] > 0
    number: int = search.amounts.rows[amount_of(rating) * PLAYERS]
    best: int = search.amounts.rows[amount_of(solving.best) * PLAYERS]
    if number != best:
        return (number > best) == wants_more
    hurries: bool = number >= solving.hurries[0] if wants_more else number <= solving.hurries[1]
    if hurries:
        return distance_of(rating) < distance_of(solving.best)
    return distance_of(rating) > distance_of(solving.best)
