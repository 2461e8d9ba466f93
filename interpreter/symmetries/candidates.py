"""Relabellings that may be symmetries of the rules: what geometry, players and enumerations offer.

* *Boards* of squares and hexagons are turned and mirrored, all of them alike; rings are turned and mirrored, and of
  other boards there are the permutations of cells that keep neighbours, each board by itself.
* *Players* are permuted.
* Two *members* of an enumeration are exchanged; or all members of one are permuted as the players are.
* *Numbers* from 1 to the width or the height of a board that is mirrored are mirrored with it, where they are names for
  files and ranks; and two numbers by which entries of variables are told apart are exchanged.

The proofs say which of these are symmetries. So nothing here can be wrong, only missing.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, count, islice, pairwise, permutations, product
from typing import Final

from attrs import frozen

from zermelo.interpreter.model import Model
from zermelo.interpreter.symmetries.relabelling import STRAIGHT, Matrix, Numbers, Place, Relabelling
from zermelo.interpreter.types import BoardType, EdgesType, MemberType, NumberType
from zermelo.interpreter.values import Direction, Edge, Member, OrderedSet

MOST: Final = 2000
"""The most candidates."""

MANY_MEMBERS: Final = 6
"""Of enumerations with more members, only neighbours are exchanged; of more players, too."""

FEW_PLAYERS: Final = 4
"""Up to so many players are permuted in every way."""

MOST_AUTOMORPHISMS: Final = 48
MOST_TRIALS: Final = 20_000
MANY_CELLS: Final = 100
"""How far the permutations of the cells of a graph are looked for, and in which graphs."""

_Members = dict[Member, Member]


@frozen(eq=False)
class Candidate:
    """A relabelling, with the permutations that may befall names for numbers."""

    relabelling: Relabelling
    permutations: tuple[Numbers, ...] = ()


@frozen(eq=False)
class _Motion:
    """A way to move all boards."""

    matrix: Matrix
    members: _Members


def candidates(game: Model) -> Iterator[Candidate]:
    """The candidates among the relabellings of a game, those first that move the fewest kinds of things; without the
    relabelling that leaves everything as it is."""
    return islice(_candidates(game), MOST)


def leaves_out(game: Model) -> bool:
    """Whether some permutations of the cells of a graph may not be among the candidates, since there are too many."""
    for type in game.types:
        if isinstance(type, BoardType) and type.cells and type.shape not in ("grid", "hex", "ring"):
            trials = count()
            some = sum(1 for _ in islice(_extended(type, [], trials), MOST_AUTOMORPHISMS + 1))
            if len(type.cells) > MANY_CELLS or some > MOST_AUTOMORPHISMS or next(trials) > MOST_TRIALS:
                return True
    return False


def _candidates(game: Model) -> Iterator[Candidate]:
    motions, players = list(islice(_motions(game), MOST)), list(_of_players(game))
    for exchanged, motion in product(players, motions):
        if exchanged or motion.members:
            for also in ({}, *_as_players(game, exchanged)):
                yield from _with_numbers(game, motion, motion.members | exchanged | also)
    still = _Motion(STRAIGHT, {})
    for type in game.types:
        if type is not game.player_type and type.__class__ is MemberType:
            for one, other in _pairs(type.listed):
                yield Candidate(Relabelling({one: other, other: one}, still.matrix, {}))
    for range_ in {type: None for _, type in _indices(game)}:
        for one, other in _pairs(tuple(range_.generate())):
            numbers = {k: k for k in range_.generate()} | {one: other, other: one}
            places: dict[Place, Numbers] = {place: numbers for place, type in _indices(game) if type == range_}
            yield Candidate(Relabelling({}, STRAIGHT, places), (numbers,))


def _pairs(members: tuple[Member, ...]) -> Iterator[tuple[Member, ...]]:
    """Pairs of members, from whose exchanges all permutations are made."""
    if len(members) > MANY_MEMBERS:
        return pairwise(members)
    return combinations(members, 2)


# ----------------------------------------------------------------- players


def _of_players(game: Model) -> Iterator[_Members]:
    """Permutations of the players, from which all others are made; first the one that changes nothing."""
    players = game.players
    if len(players) <= FEW_PLAYERS:
        for names in permutations(players):
            yield _moved(dict(zip(players, names, strict=True)))
    else:
        yield {}
        yield dict(zip(players, (*players[1:], players[0]), strict=True))
        for one, other in _pairs(players):
            yield {one: other, other: one}


def _moved(members: _Members) -> _Members:
    return {member: name for member, name in members.items() if member is not name}


def _as_players(game: Model, exchanged: _Members) -> Iterator[_Members]:
    """The members of an enumeration permuted as the players are."""
    for type in game.types:
        if exchanged and type is not game.player_type and type.__class__ is MemberType:
            assert isinstance(type, MemberType), "it is just that"
            if len(type.listed) == len(game.players):
                yield {type.listed[one.index]: type.listed[other.index] for one, other in exchanged.items()}


# ------------------------------------------------------------------ boards


def _motions(game: Model) -> Iterator[_Motion]:
    """The ways to move all boards; first the one that moves none."""
    boards = [type for type in game.types if isinstance(type, BoardType) and type.cells]
    plane = [board for board in boards if board.shape in ("grid", "hex")]
    others = [list(_automorphisms(board)) for board in boards if board not in plane]
    for matrix in _matrices(plane):
        moved = [_cells(board, matrix) for board in plane]
        for parts in product(*others):
            members = _moved(
                {cell: name for part in (*moved, *parts) if part is not None for cell, name in part.items()}
            )
            if None not in moved and _add_edges(game, members):
                yield _Motion(matrix, members)


def _matrices(boards: list[BoardType]) -> list[Matrix]:
    """The matrices that keep the directions of all boards, the one that moves nothing first."""
    if not boards:
        return [STRAIGHT]
    found = []
    for a, b, c, d in product((1, 0, -1), repeat=4):
        if a * d - b * c in (1, -1) and all(
            {Direction(a * x + b * y, c * x + d * y) for x, y in board.directions} == set(board.directions)
            for board in boards
        ):
            found.append((a, b, c, d))
    return sorted(found, key=lambda matrix: matrix != STRAIGHT)


def _cells(board: BoardType, matrix: Matrix) -> _Members | None:
    """The cells of a board that is turned or mirrored; None if it does not fit onto itself."""
    a, b, c, d = matrix
    there = [(a * cell.x + b * cell.y, c * cell.x + d * cell.y) for cell in board.cells]
    left = min(x for x, _ in there) - min(cell.x for cell in board.cells)
    low = min(y for _, y in there) - min(cell.y for cell in board.cells)
    names = [board.by_coordinates.get((x - left, y - low)) for x, y in there]
    return (
        {cell: name for cell, name in zip(board.cells, names, strict=True) if name is not None} if all(names) else None
    )


def _automorphisms(board: BoardType) -> Iterator[_Members]:
    """Permutations of the cells of a ring or a graph that keep neighbours, some of them where there are many; first the
    one that moves nothing."""
    cells, size = board.cells, len(board.cells)
    if board.shape == "ring":
        for way, start in product((1, -1), range(size)):
            yield {cell: cells[(start + way * k) % size] for k, cell in enumerate(cells)}
    elif size > MANY_CELLS:
        yield {}
    else:
        for names in islice(_extended(board, [], count()), MOST_AUTOMORPHISMS):
            yield {cell: cells[name] for cell, name in zip(cells, names, strict=True)}


def _extended(board: BoardType, names: list[int], trials: Iterator[int]) -> Iterator[list[int]]:
    """The names of all cells, given those of the first: by trying, with what neighbours exclude."""
    here = len(names)
    if here == len(board.cells):
        yield names
        return
    for name in range(len(board.cells)):
        if next(trials) > MOST_TRIALS:
            return
        fits = name not in names and len(board.links[name]) == len(board.links[here])
        if fits and all((k in board.links[here]) == (other in board.links[name]) for k, other in enumerate(names)):
            yield from _extended(board, [*names, name], trials)


def _add_edges(game: Model, members: _Members) -> bool:
    """Let edges be renamed with their ends; whether there are such edges."""
    for type in game.types:
        if isinstance(type, EdgesType):
            by_ends = {edge.ends: edge for edge in type.listed if isinstance(edge, Edge)}
            for ends, edge in by_ends.items():
                name = by_ends.get(OrderedSet(members.get(cell, cell) for cell in ends))
                if name is None:
                    return False
                if name is not edge:
                    members[edge] = name
    return True


# ----------------------------------------------------------------- numbers


def _indices(game: Model) -> Iterator[tuple[Place, NumberType]]:
    """The numbers by which entries of variables are told apart."""
    for variable in game.variables:
        for k, type in enumerate(variable.indices):
            if isinstance(type, NumberType) and type.size > 1:
                yield (variable, k), type


def _with_numbers(game: Model, motion: _Motion, members: _Members) -> Iterator[Candidate]:
    """The candidates with these members: numbers are mirrored where they are names for files and ranks, and where they
    tell entries apart, or only there."""
    mirrored = tuple(_mirrored(game, motion.matrix))
    yield Candidate(Relabelling(members, motion.matrix, {}), mirrored)
    places: dict[Place, Numbers] = {
        place: numbers
        for place, type in _indices(game)
        for numbers in mirrored
        if all(k in numbers for k in type.generate())
    }
    if places:
        yield Candidate(Relabelling(members, motion.matrix, places), mirrored)


def _mirrored(game: Model, matrix: Matrix) -> Iterator[Numbers]:
    """The numbers of files and ranks that are mirrored."""
    a, b, c, d = matrix
    found = set[int]()
    for board in game.types:
        if isinstance(board, BoardType) and board.shape in ("grid", "hex") and b == c == 0:
            if a < 0:
                found.add(max(cell.x for cell in board.cells))
            if d < 0:
                found.add(max(cell.y for cell in board.cells))
    for most in sorted(found):
        yield {k: most + 1 - k for k in range(1, most + 1)}
