"""The table of a sampled game: the information sets met so far, with regrets and sums of strategies for their moves.

An information state has a number (:mod:`.observations`), and the table leads from it to its information set. A set
keeps the order in which its moves were met first; a later decision of the same set has its moves brought into it.
"""

from __future__ import annotations

from zermelo.interpreter.native.dialect.words import MOVES, PLAYERS, State, floats, ints
from zermelo.solvers.kernels.observations import UNKNOWN
from zermelo.solvers.kernels.regret_matching import match

NONE = -1
"""In place of a row, a move, or a depth."""

MOVES_DIFFER = -4
"""An information set offers different moves in different states."""


class Ply:
    """A decision on the path: its state, its moves in the order of its set, and their values for the traverser as far
    as they are known. ``known`` are the players' information states, ``sequences`` the latest rows of the players in
    the table. The rows of the moves begin with ``first``. The moves from ``tried`` on, but not ``end``, are still to
    be followed. ``drawn`` is the probability with which outcome sampling has drawn the traverser's move, else 1;
    ``weight`` is 1 over the product of those before. ``reach`` is the probability that the traverser's strategy leads
    here, and ``sampled`` that the draws of all players do. ``length`` counts moves and outcomes of the play."""

    state: State
    legal: ints[MOVES]
    values: floats[MOVES]
    known: ints[PLAYERS]
    sequences: ints[PLAYERS]
    count: int
    tried: int
    end: int
    first: int
    length: int
    drawn: float
    weight: float
    reach: float
    sampled: float


class Table:
    """The information sets met so far, ``count`` of them, with ``rows`` moves. Set s is that of ``owners[s]``, who
    knows ``known[s]``, comes there by row ``parents[s]``, and has the rows from ``firsts[s]`` to ``firsts[s + 1]``
    (exclusive). ``places`` leads from information states to sets plus 1, or 0. For each row: the move that is
    ``offered``, its regret, its strategy as last computed, and the sum of strategies."""

    places: list[int]
    owners: list[int]
    known: list[int]
    parents: list[int]
    firsts: list[int]
    offered: list[int]
    regrets: list[float]
    strategies: list[float]
    sums: list[float]
    count: int
    rows: int


def find_set(table: Table, ply: Ply, player: int) -> int:
    """The information set of a decision, ``NONE`` if it has not been met, or ``MOVES_DIFFER`` if the moves do. The
    moves of the decision are brought into the order of the set."""
    if ply.known[player] == UNKNOWN or table.places[ply.known[player]] == 0:
        return NONE
    found: int = table.places[ply.known[player]] - 1
    first: int = table.firsts[found]
    if table.firsts[found + 1] - first != ply.count:
        return MOVES_DIFFER
    for k in range(ply.count):
        at: int = k
        while at < ply.count and ply.legal[at] != table.offered[first + k]:
            at += 1
        if at == ply.count:
            return MOVES_DIFFER
        ply.legal[at] = ply.legal[k]
        ply.legal[k] = table.offered[first + k]
    return found


def add_set(table: Table, ply: Ply, player: int) -> int:
    """A new information set, with a row for each move."""
    new: int = table.count
    table.owners[new], table.known[new], table.parents[new] = player, ply.known[player], ply.sequences[player]
    table.places[ply.known[player]] = new + 1
    for k in range(ply.count):
        table.offered[table.rows + k] = ply.legal[k]
        table.regrets[table.rows + k], table.sums[table.rows + k] = 0.0, 0.0
    table.rows += ply.count
    table.count += 1
    table.firsts[table.count] = table.rows
    return new


def choose_largest(table: Table, first: int, end: int) -> None:
    """The strategy that makes the move of the largest regret; where no regret is known yet, the average."""
    best: int = first
    is_known: bool = False
    for row in range(first, end):
        is_known = is_known or table.regrets[row] != 0.0
        if table.regrets[row] > table.regrets[best]:
            best = row
    if not is_known:
        match(table.sums, table.strategies, first, end)
        return
    for row in range(first, end):
        table.strategies[row] = 1.0 if row == best else 0.0


def change_regrets(table: Table, ply: Ply, by_outcome: int) -> float:
    """Add to the regrets the differences between the values of the moves and their mean, which is returned. A move
    that outcome sampling has not followed has the value 0."""
    if by_outcome != 0:
        for k in range(ply.count):
            if k != ply.end - 1:
                ply.values[k] = 0.0
    value: float = 0.0
    for k in range(ply.count):
        value += table.strategies[ply.first + k] * ply.values[k]
    for k in range(ply.count):
        table.regrets[ply.first + k] += ply.weight * (ply.values[k] - value)
    return value
