"""The built-in functions of the language.

``FUNCTIONS[name](context, *arguments)`` gives the value; ``context`` is the board, or the type of the players, to which
the function belongs, else None. A step off the board gives none. An argument of none gives none, too, or the empty set
if the result is a set; the functions that refuse none say so in the table.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Any, Final, NamedTuple

from zermelo.interpreter.types import BoardType, EdgesType, MemberType, neighbour
from zermelo.interpreter.values import (
    COMPASS,
    EMPTY,
    Cell,
    Direction,
    Edge,
    Member,
    OrderedSet,
    Value,
    in_type_order,
    sort_key,
)

# Boards: their builders, and their constants (lines, rows, columns, diagonals).


_HEX_DIRECTIONS = tuple(COMPASS[name] for name in ("north", "east", "southeast", "south", "west", "northwest"))
_RISING = (COMPASS["northeast"],)
_FALLING = (COMPASS["southeast"],)


# ------------------------------------------------------------------- builders


def grid(name: str, width: int, height: int, *, identity: str = "") -> BoardType:
    """Squares a1, b1, ... by rows; a square touches the eight around it. Here and below, ``identity`` is a label that
    no other type of the game has; it is needed where another type may have the same name."""
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
    return in_type_order(
        OrderedSet(in_type_order(OrderedSet(run)) for run in _runs(board, length) if len(set(run)) == length)
    )


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
    """The full diagonals, rising or falling: as long as the shorter side, and at least two cells. A hex board has its
    third axis, which falls, and no others."""
    along = _FALLING if board.shape == "hex" else _RISING + _FALLING
    return _whole_lines(board, along, shortest=max(2, min(len(rows(board)), len(columns(board)))))


def _whole_lines(board: BoardType, along: tuple[Direction, ...], shortest: int) -> OrderedSet:
    """The runs from edge to edge in each direction of ``along``."""
    found = []
    for direction in along:
        back = Direction(-direction.dx, -direction.dy)
        for cell in board.cells:
            if neighbour(board, cell, back) is None:
                run = (cell, *straight(board, cell, direction))
                if len(run) >= shortest:
                    found.append(in_type_order(OrderedSet(run)))
    return in_type_order(OrderedSet(found))


# ------------------------------------------- players, and other members


def next_in(players: MemberType, player: Member | None, among: OrderedSet) -> Member | None:
    """The first player of ``among`` after ``player``, around the table; ``player`` comes last."""
    if player is None:
        return None
    around = players.listed[player.index + 1 :] + players.listed[: player.index + 1]
    return next((member for member in around if member in among), None)


def member(type: MemberType, k: int | None) -> Member | None:
    """Member number k of a type, from 1: the inverse of ``number``."""
    if k is None or k not in range(1, len(type.listed) + 1):
        return None
    return type.listed[k - 1]


# --------------------------------------------------------- cells and steps


def cell(board: BoardType, x: int | None, y: int | None = 0) -> Cell | None:
    """The cell at (x, y); on a ring, number x."""
    return None if x is None or y is None else board.by_coordinates.get((x, y))


def step(board: BoardType, cell: Cell | None, direction: Direction | None) -> Cell | None:
    if cell is None or direction is None:
        return None
    return neighbour(board, cell, direction)


def ring_step(board: BoardType, cell: Cell | None, count: int | None) -> Cell | None:
    """The cell ``count`` steps ahead on a ring; none between two cells."""
    if cell is None or count is None or count != int(count):
        return None
    return board.cells[(cell.index + count) % len(board.cells)]


def steps(board: BoardType, a: Cell | None, b: Cell | None) -> int | None:
    """The number of steps ahead on a ring from a to b."""
    return None if a is None or b is None else (b.index - a.index) % len(board.cells)


# --------------------------------------------------------------- geometry


def neighbours_in(board: BoardType, cell: Cell | None, directions: OrderedSet) -> OrderedSet:
    """The neighbours of a cell in ``directions``, in the order of these."""
    return OrderedSet(step(board, cell, direction) for direction in directions)


def ray(board: BoardType, cell: Cell | None, direction: Direction | None) -> OrderedSet:
    """The cells beyond ``cell``, outward to the edge of the board."""
    return EMPTY if cell is None or direction is None else OrderedSet(straight(board, cell, direction))


def direction(board: BoardType, a: Cell | None, b: Cell | None) -> Direction | None:
    """The step that leads, repeated, from a to b; none if they are on no common line."""
    if a is None or b is None or a is b:
        return None
    dx, dy = b.x - a.x, b.y - a.y
    length = max(abs(dx), abs(dy))
    unit = Direction(dx // length, dy // length)
    return unit if unit in board.directions and (unit.dx * length, unit.dy * length) == (dx, dy) else None


def between(board: BoardType, a: Cell | None, b: Cell | None) -> OrderedSet:
    """The cells strictly between a and b, from a on; empty if they are on no common line."""
    along = direction(board, a, b)
    if along is None or a is None or b is None:
        return EMPTY
    length = max(abs(b.x - a.x), abs(b.y - a.y))
    return OrderedSet(straight(board, a, along, length - 1))


def distance(board: BoardType, a: Cell | None, b: Cell | None) -> int | None:
    """The length of a shortest path; none if there is no path."""
    if a is None or b is None:
        return None
    dx, dy = b.x - a.x, b.y - a.y
    if board.shape == "grid":
        return max(abs(dx), abs(dy))
    if board.shape == "hex":
        return max(abs(dx), abs(dy), abs(dx + dy))
    if board.shape == "ring":
        return min(steps(board, a, b) or 0, steps(board, b, a) or 0)
    return next((far for cell, far in _walk(board, (a,)) if cell is b), None)


def leaps(board: BoardType, cell: Cell | None, m: int | None, n: int | None) -> OrderedSet:
    """The cells m files and n ranks away, or n files and m ranks, in the order of the board."""
    if cell is None or m is None or n is None:
        return EMPTY
    offsets = {(i * a, j * b) for a, b in ((m, n), (n, m)) for i in (1, -1) for j in (1, -1)} - {(0, 0)}
    found = (board.by_coordinates.get((cell.x + dx, cell.y + dy)) for dx, dy in offsets)
    return OrderedSet(sorted((there for there in found if there is not None), key=lambda there: there.index))


def are_connected(board: BoardType, cells: OrderedSet) -> bool:
    """Whether ``cells`` are connected; true of the empty set."""
    return sum(1 for _ in _walk(board, cells.items[:1], cells)) == len(cells)


def are_sides_joined(board: BoardType, cells: OrderedSet, a: OrderedSet, b: OrderedSet) -> bool:
    """Whether a path within ``cells`` joins a cell of ``a`` to one of ``b``."""
    start = tuple(cell for cell in a if cell in cells)
    return any(cell in b for cell, _ in _walk(board, start, cells))


def _walk(board: BoardType, start: tuple[Cell, ...], within: OrderedSet | None = None) -> Iterator[tuple[Cell, int]]:
    """The cells reachable from ``start``, breadth first, each with its distance."""
    seen = set(start)
    queue = deque((cell, 0) for cell in start)
    while queue:
        cell, far = queue.popleft()
        yield cell, far
        for there in neighbours(board, cell):
            if there not in seen and (within is None or there in within):
                seen.add(there)
                queue.append((there, far + 1))


class BuiltIn(NamedTuple):
    """A built-in function.

    None is an error as argument ``needs_values_from`` or a later one (from 0). ``is_tabulated`` says that its values
    are worth a table, since the arguments are few: cells, steps and small numbers. ``spoken`` is its name in files,
    where that differs from its name in the model.
    """

    compute: Callable[..., Value]
    needs_values_from: int | None = None
    is_tabulated: bool = False
    spoken: str | None = None

    def __call__(self, context: Any, *arguments: Value) -> Value:
        return self.compute(context, *arguments)

    def needs_value(self, k: int) -> bool:
        """Whether argument k must not be none."""
        return self.needs_values_from is not None and k >= self.needs_values_from


FUNCTIONS: Final[dict[str, BuiltIn]] = {
    "other": BuiltIn(lambda players, p: None if p is None else players.listed[1 - p.index]),
    "next": BuiltIn(lambda players, p: None if p is None else players.listed[(p.index + 1) % len(players.listed)]),
    "next_in": BuiltIn(next_in, needs_values_from=1, spoken="next"),
    "number": BuiltIn(lambda type, member: None if member is None else member.index + 1),
    "member": BuiltIn(member),
    "cell": BuiltIn(cell),
    "x": BuiltIn(lambda board, cell: None if cell is None else cell.x),
    "y": BuiltIn(lambda board, cell: None if cell is None else cell.y),
    "ends": BuiltIn(lambda edges, edge: EMPTY if edge is None else edge.ends),
    "step": BuiltIn(step, is_tabulated=True),
    "ring_step": BuiltIn(ring_step, is_tabulated=True),
    "steps": BuiltIn(steps),
    "direction_sum": BuiltIn(lambda _, d, e: None if d is None or e is None else Direction(d.dx + e.dx, d.dy + e.dy)),
    "direction_scale": BuiltIn(lambda _, k, d: None if k is None or d is None else Direction(k * d.dx, k * d.dy)),
    "direction_negate": BuiltIn(lambda _, d: None if d is None else Direction(-d.dx, -d.dy)),
    "neighbours": BuiltIn(lambda board, cell: EMPTY if cell is None else neighbours(board, cell), is_tabulated=True),
    "neighbours_in": BuiltIn(neighbours_in, needs_values_from=1, is_tabulated=True, spoken="neighbours"),
    "ray": BuiltIn(ray, is_tabulated=True),
    "between": BuiltIn(between, is_tabulated=True),
    "direction": BuiltIn(direction, is_tabulated=True),
    "distance": BuiltIn(distance, is_tabulated=True),
    "leaps": BuiltIn(leaps, is_tabulated=True),
    "connected": BuiltIn(are_connected, needs_values_from=0),
    "connected_to": BuiltIn(are_sides_joined, needs_values_from=0, spoken="connected"),
    "size": BuiltIn(lambda _, items: len(items), needs_values_from=0),
    "any": BuiltIn(lambda _, items: len(items) > 0, needs_values_from=0),
    "greatest": BuiltIn(lambda _, items: max(items, key=sort_key, default=None), needs_values_from=0, spoken="max"),
    "least": BuiltIn(lambda _, items: min(items, key=sort_key, default=None), needs_values_from=0, spoken="min"),
    "abs": BuiltIn(lambda _, number: abs(number), needs_values_from=0),
    "max": BuiltIn(lambda _, *values: max(values, key=sort_key), needs_values_from=0),
    "min": BuiltIn(lambda _, *values: min(values, key=sort_key), needs_values_from=0),
}
"""All functions, by their names in the model. ``number`` counts from 1; ``next`` goes around the table."""
