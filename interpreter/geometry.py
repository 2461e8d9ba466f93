"""Boards: their builders, and their constants (lines, rows, columns, diagonals)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from zermelo.interpreter.types import BoardType, EdgesType, neighbour
from zermelo.interpreter.values import COMPASS, Cell, Direction, Edge, OrderedSet, canonical

_HEX_DIRECTIONS = tuple(COMPASS[name] for name in ("north", "east", "southeast", "south", "west", "northwest"))
_RISING = (COMPASS["northeast"],)
_FALLING = (COMPASS["southeast"],)


# ------------------------------------------------------------------- builders


def grid(name: str, width: int, height: int, *, identity: str = "") -> BoardType:
    """Squares a1, b1, ... by rows; a square touches the eight around it. Here and below, ``identity`` is what no other
    type of the game is called, where the name is not."""
    return BoardType(name, _squares(identity or name, width, height), shape="grid", directions=tuple(COMPASS.values()))


def hexagonal(name: str, width: int, height: int, *, identity: str = "") -> BoardType:
    """Hexagons a1, b1, ... by rows; (x, y) touches (x+-1, y), (x, y+-1), (x+1, y-1) and (x-1, y+1)."""
    return BoardType(name, _squares(identity or name, width, height), shape="hex", directions=_HEX_DIRECTIONS)


def ring(name: str, size: int, *, identity: str = "") -> BoardType:
    """Cells 0, ..., size - 1 in a circle."""
    cells = tuple(Cell(identity or name, str(k), k, k, 0) for k in range(size))
    links = tuple(tuple(sorted({(k - 1) % size, (k + 1) % size} - {k})) for k in range(size))
    return BoardType(name, cells, shape="ring", links=links)


def graph(name: str, chains: Sequence[Sequence[str]], *, identity: str = "") -> BoardType:
    """Cells in the order in which ``chains`` first name them; consecutive cells of a chain touch."""
    names = list(dict.fromkeys(cell for chain in chains for cell in chain))
    index = {cell: k for k, cell in enumerate(names)}
    numbered = tuple(tuple(index[cell] for cell in chain) for chain in chains)
    touching: list[set[int]] = [set() for _ in names]
    for chain in numbered:
        for a, b in pairwise(chain):
            touching[a].add(b)
            touching[b].add(a)
    links = tuple(tuple(sorted(others - {k})) for k, others in enumerate(touching))
    cells = tuple(Cell(identity or name, cell, k, k, 0) for k, cell in enumerate(names))
    return BoardType(name, cells, shape="graph", links=links, chains=numbered)


def edges(name: str, board: BoardType, *, identity: str = "") -> EdgesType:
    """The pairs of neighbours of ``board``, written a1-b1, in lexicographic order."""
    pairs = ((a, b) for a in board.cells for b in neighbours(board, a) if a.index < b.index)
    ordered = sorted(pairs, key=lambda pair: (pair[0].index, pair[1].index))
    type = identity or name
    listed = tuple(Edge(type, f"{a.name}-{b.name}", k, OrderedSet((a, b))) for k, (a, b) in enumerate(ordered))
    return EdgesType(name, listed, board=board)


def _squares(board: str, width: int, height: int) -> tuple[Cell, ...]:
    places = ((x, y) for y in range(1, height + 1) for x in range(1, width + 1))
    return tuple(Cell(board, f"{_file_name(x)}{y}", k, x, y) for k, (x, y) in enumerate(places))


def _file_name(x: int) -> str:
    """a, ..., z, aa, ab, ... as spreadsheets count."""
    name = ""
    while x:
        x, letter = divmod(x - 1, 26)
        name = chr(ord("a") + letter) + name
    return name


# ------------------------------------------------------------------ constants


def neighbours(board: BoardType, cell: Cell) -> OrderedSet:
    """The neighbours of a cell: clockwise from north on a board with directions, else in the order of the board."""
    if board.directions:
        return OrderedSet(neighbour(board, cell, direction) for direction in board.directions)
    return OrderedSet(board.cells[k] for k in board.links[cell.index])


def directions(board: BoardType) -> OrderedSet:
    """The steps that lead from a cell to its neighbours."""
    return OrderedSet(board.directions)


def lines(board: BoardType, length: int) -> OrderedSet:
    """All straight runs of ``length`` cells, each once: on a grid along files, ranks and diagonals, on a hex board
    along its three axes, on a ring around, on a graph within its chains. They are in the order of their type, as are
    the cells of each; so are the whole lines below."""
    return canonical(OrderedSet(canonical(OrderedSet(run)) for run in _runs(board, length) if len(set(run)) == length))


def _runs(board: BoardType, length: int) -> Iterator[tuple[Cell, ...]]:
    cells = board.cells
    if length < 1:
        return
    if board.shape == "graph":
        for chain in board.chains:
            for k in range(len(chain) - length + 1):
                yield tuple(cells[index] for index in chain[k : k + length])
    elif board.shape == "ring":
        for k in range(len(cells)):
            yield tuple(cells[(k + i) % len(cells)] for i in range(length))
    else:
        for cell in cells:
            for direction in _axes(board):
                run = (cell, *straight(board, cell, direction, length - 1))
                if len(run) == length:
                    yield run


def _axes(board: BoardType) -> tuple[Direction, ...]:
    """One of each pair of opposite directions."""
    return tuple(d for d in board.directions if (d.dx, d.dy) > (0, 0))


def straight(board: BoardType, cell: Cell, direction: Direction, limit: int | None = None) -> Iterator[Cell]:
    """The cells beyond ``cell``, step by step, to the edge of the board, and at most ``limit`` of them."""
    if direction == (0, 0):
        return
    there = neighbour(board, cell, direction)
    while there is not None and (limit is None or limit > 0):
        yield there
        limit = None if limit is None else limit - 1
        there = neighbour(board, there, direction)


def rows(board: BoardType) -> OrderedSet:
    """The ranks."""
    return _whole_lines(board, (COMPASS["east"],), shortest=1)


def columns(board: BoardType) -> OrderedSet:
    """The files."""
    return _whole_lines(board, (COMPASS["north"],), shortest=1)


def diagonals(board: BoardType) -> OrderedSet:
    """The diagonals from edge to edge with at least two cells, rising or falling. A hex board has its third axis, which
    falls, and no others."""
    return _whole_lines(board, _FALLING if board.shape == "hex" else _RISING + _FALLING, shortest=2)


def _whole_lines(board: BoardType, along: tuple[Direction, ...], shortest: int) -> OrderedSet:
    """The runs from edge to edge in each direction of ``along``."""
    found = []
    for direction in along:
        back = Direction(-direction.dx, -direction.dy)
        for cell in board.cells:
            if neighbour(board, cell, back) is None:
                run = (cell, *straight(board, cell, direction))
                if len(run) >= shortest:
                    found.append(canonical(OrderedSet(run)))
    return canonical(OrderedSet(found))
