"""What a table says of all positions of a graph, without solving any: each row group is read once.

The positions are found as for a table, with their keys; where a table keeps one of those that are images of each other,
the keys are those of the images. Then positions and rows, both in the order of their keys, are merged.

Cost: that of finding the positions, and of reading the files; beside the graph, a key and a number for each position.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Final

import numpy
from attrs import frozen

from zermelo.interpreter.native.running.views import BeyondLimits
from zermelo.solvers.kernels.expansion import expand, find_keys
from zermelo.solvers.positions.graph.graph import PositionGraph
from zermelo.solvers.solution import Problem
from zermelo.solvers.tables.building import explore_with_keys
from zermelo.solvers.tables.dataset import TableFiles, key_names
from zermelo.solvers.tables.expanding import Expander, numbers_of
from zermelo.solvers.tables.keys import KeyFinder, key_source, no_table, sortable

Array = numpy.ndarray[Any, Any]

WHOLE: Final = 1 << 53
"""Whole numbers up to here are floating-point numbers, and their quotients are rounded as fractions are."""


@frozen(eq=False)
class KnownGraph:
    """The positions of a graph of which a table knows some. Those that are no ends come first: what the first player
    gets there is in ``worths``, as a floating-point number, which is not a number where the table does not say it; and
    ``is_known`` says which of them the table has."""

    graph: PositionGraph
    worths: Array
    is_known: Array


def known_graph(problem: Problem[Any], files: TableFiles, finder: KeyFinder) -> KnownGraph:
    """All positions of a problem, on the machine of a finder of keys, as a table knows them.

    Raises ``ZermeloError``: ``no-table``, ``damaged-table``, ``out-of-memory``, ``out-of-time``; and ``PlayError``."""
    try:
        graph, keys = explore_with_keys(problem, finder.machine, None)
        keys, exchanged = _names(finder, graph, keys)
    except BeyondLimits as limit:
        raise no_table(limit.why) from limit
    worths, is_known = numpy.full(len(keys), numpy.nan), numpy.zeros(len(keys), bool)
    own = sortable(keys)
    order = numpy.argsort(own, kind="stable")
    own, read = own[order], 0
    for group in files.groups():
        rows = sortable(numpy.stack([group.column(name).to_numpy() for name in key_names(files.width)], axis=1))
        first, end = numpy.searchsorted(own, rows[0]), numpy.searchsorted(own, rows[-1], "right")
        places = numpy.searchsorted(rows, own[first:end])
        is_here = rows[places] == own[first:end]
        positions, places = order[first:end][is_here], places[is_here]
        is_known[positions] = True
        for player, chosen in enumerate((~exchanged[positions], exchanged[positions])):
            if chosen.any():
                worths[positions[chosen]] = amounts_of(group, problem.machine.player_names[player])[places[chosen]]
        read += group.num_rows
        problem.progress(read)
        problem.limits.check({"nodes": len(graph)})
    return KnownGraph(graph, worths, is_known)


def _names(finder: KeyFinder, graph: PositionGraph, keys: Array) -> tuple[Array, Array]:
    """Under which keys a table knows positions, and where the two players have changed places."""
    if finder.images is None:
        return keys, numpy.zeros(len(keys), bool)
    machine, source = finder.machine, key_source(finder.images, expand, find_keys)
    actors = numbers_of(graph.kinds, "int32", len(keys))
    return machine.with_room(
        lambda: machine.run(source, lambda kernels: Expander(machine, kernels).names(keys, actors))
    )


def amounts_of(group: Any, player: str) -> Array:
    """What a player gets in the rows of a group; not a number where that is not defined."""
    names = (f"value_{player}", f"value_{player}_numerator", f"value_{player}_denominator")
    over, *under = (group.column(name).combine_chunks() for name in names if name in group.column_names)
    columns = [column.fill_null("1" if str(column.type) == "string" else 1) for column in (over, *under)]
    parts: list[Any] = [None if str(column.type) == "string" else column.to_numpy() for column in columns]
    if any(part is None or max(-int(part.min()), int(part.max())) >= WHOLE for part in parts):
        texts = (map(int, column.to_pylist()) for column in columns)
        found = numpy.array([float(Fraction(*row)) for row in zip(*texts, strict=True)])
    else:
        found = parts[0] / parts[1] if under else parts[0].astype(float)
    found[over.is_null().to_numpy(zero_copy_only=False)] = numpy.nan
    return found
