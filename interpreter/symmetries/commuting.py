"""Built-in functions that commute with a relabelling: F(R a, R b) = R(F(a, b)) for all arguments.

*On boards of squares and hexagons* cells are points of the plane. Let R move the cells of a board by x -> M x + v, and
steps by d -> M d, and let it keep the set of the board's directions. Then the cell beyond a step, rays, the cells
between two, directions, and neighbours are mapped, since they are built of sums alone; and so are distances: how many
steps in those directions it takes. On a grid, M permutes files and ranks and turns them around, so that leaps are
mapped as well.

*On other boards* R must keep who is a neighbour of whom, from which distances and connections follow.

All other functions are tried with all their arguments, if these are few.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import product
from math import prod
from types import MappingProxyType
from typing import Final

from zermelo.interpreter import geometry
from zermelo.interpreter.functions import FUNCTIONS
from zermelo.interpreter.model import Apply
from zermelo.interpreter.symmetries.relabelling import Numbers, Relabelling
from zermelo.interpreter.types import BoardType, MemberType, SetType, Type, strip_none
from zermelo.interpreter.values import Direction, Value

MOST_ARGUMENTS: Final = 4096
"""The most arguments with which a function is tried."""

Once = Callable[[object, Callable[[], bool]], bool]
"""The result of a proof, which is made once for each key."""

_OF_STEPS: Final = frozenset({"direction_sum", "direction_scale", "direction_negate"})
_OF_PLANES: Final = frozenset({"step", "ray", "between", "direction", "neighbours", "neighbours_in", "distance"})
_OF_NEIGHBOURS: Final = frozenset({"neighbours", "distance", "connected", "connected_to"})
_ALWAYS: Final = frozenset({"size", "any", "abs"}) | _OF_STEPS


def has_order(function: str) -> bool:
    """Whether the members of the sets that a function gives come in an order that is mapped with them."""
    return function in ("ray", "between")


def has_fixed_order(type: Type, relabelling: Relabelling) -> bool:
    """Whether renamed values of a type are compared as the values are: if all of them stay as they are."""
    return relabelling.fixes(type)


def commutes(
    apply: Apply, relabelling: Relabelling, once: Once, permuted: Mapping[int, Numbers] = MappingProxyType({})
) -> bool:
    """Whether the function of a call surely commutes with a relabelling, by which some of its arguments are
    ``permuted`` numbers."""
    function, context = apply.function, apply.context
    types = tuple(argument.type for argument in apply.arguments)
    if permuted:
        return _is_mapped(function, context, types, relabelling, permuted)
    if function in _ALWAYS:
        return True
    if function in ("min", "max"):
        return all(has_fixed_order(argument.type, relabelling) for argument in apply.arguments)
    if function in ("least", "greatest"):
        base = strip_none(apply.arguments[0].type).base
        return isinstance(base, SetType) and has_fixed_order(base.element, relabelling)
    if function == "next_in":
        return isinstance(context, MemberType) and once(
            ("next", context), lambda: _is_mapped("next", context, (context,), relabelling)
        )
    if isinstance(context, BoardType):
        if function in _OF_NEIGHBOURS and once(("neighbours", context), lambda: keeps_neighbours(context, relabelling)):
            return True
        in_plane = context.shape in ("grid", "hex") and once(
            ("plane", context), lambda: is_affine(context, relabelling)
        )
        if in_plane and (function in _OF_PLANES or (function == "leaps" and _turns_files_and_ranks(relabelling))):
            return True
    return once((function, context, types), lambda: _is_mapped(function, context, types, relabelling))


def is_affine(board: BoardType, relabelling: Relabelling) -> bool:
    """Whether the cells of a board and the steps on it are moved by one matrix, and its directions kept."""
    if {relabelling.of(step) for step in board.directions} != set(board.directions):
        return False
    first = board.cells[0]
    there = relabelling.of(first)
    return all(
        relabelling.of(Direction(cell.x - first.x, cell.y - first.y))
        == (relabelling.of(cell).x - there.x, relabelling.of(cell).y - there.y)
        for cell in board.cells
    )


def keeps_neighbours(board: BoardType, relabelling: Relabelling) -> bool:
    """Whether renamed cells are neighbours of renamed neighbours alone."""
    return all(
        relabelling.of(geometry.neighbours(board, cell)) == geometry.neighbours(board, relabelling.of(cell))
        for cell in board.cells
    )


def _turns_files_and_ranks(relabelling: Relabelling) -> bool:
    return sorted(map(abs, relabelling.matrix)) == [0, 0, 1, 1]


def _is_mapped(
    function: str,
    context: Type | None,
    types: tuple[Type, ...],
    relabelling: Relabelling,
    permuted: Mapping[int, Numbers] = MappingProxyType({}),
) -> bool:
    """Whether a function commutes for all arguments of these types, if they are few."""
    if any(isinstance(strip_none(type).base, SetType) or not type.is_finite for type in types):
        return False
    if prod(type.size for type in types) > MOST_ARGUMENTS:
        return False
    built_in = FUNCTIONS[function]

    def pairs(k: int, type: Type) -> list[tuple[Value, Value]]:
        return (
            list(permuted[k].items()) if k in permuted else [(each, relabelling.of(each)) for each in type.generate()]
        )

    for arguments in product(*(pairs(k, type) for k, type in enumerate(types))):
        before, after = zip(*arguments, strict=True)
        is_asked = not any(value is None and built_in.needs_value(k) for k, value in enumerate(before))
        if is_asked and built_in(context, *after) != relabelling.of(built_in(context, *before)):
            return False
    return True
