"""Loading a table for searches: all its keys, and what the players get, in memory that kernels read as it is."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from zermelo.interpreter.machine import Payoff
from zermelo.interpreter.native.images import Images
from zermelo.solvers.common.limits import Limits, Progress
from zermelo.solvers.kernels.endgames import BIAS, HALF_WORD
from zermelo.solvers.solution import HALF_BYTES, Endgames
from zermelo.solvers.tables.dataset import TableFiles, key_names
from zermelo.solvers.tables.rows import payoff_of

if TYPE_CHECKING:
    import numpy

    Array = numpy.ndarray[Any, Any]

_CODE: Final = "i"


def load_endgames(
    files: TableFiles, players: Sequence[str], images: Images | None, limits: Limits, progress: Progress
) -> Endgames:
    """All positions of a table whose values are defined, with what the ``players`` get. They are entered in the
    ledger of the limits. Every row group is compared with its digest.

    Raises ``ZermeloError``: ``damaged-table``, ``out-of-memory``, ``out-of-time``."""
    import numpy

    each = HALF_BYTES * (2 * files.width + 1)
    limits.require(each * files.rows, f"the keys and the values of {files.rows:,} positions")
    halves, outcomes = (array(_CODE, [0]) * (files.rows * count) for count in (2 * files.width, 1))
    keys, chosen = numpy.frombuffer(halves, "int32").reshape(files.rows, -1), numpy.frombuffer(outcomes, "int32")
    numbers: dict[Payoff, int] = {}
    count = 0
    for rows in files.groups():
        values = _values(rows, players, numbers)
        is_known = values >= 0
        end = count + int(is_known.sum())
        for k, name in enumerate(key_names(files.width)):
            words = rows.column(name).to_numpy()[is_known]
            keys[count:end, 2 * k] = (words >> 32).astype("int64") - BIAS
            keys[count:end, 2 * k + 1] = (words & HALF_WORD).astype("int64") - BIAS
        chosen[count:end] = values[is_known]
        count = end
        progress(count)
        limits.check({"nodes": 0})
    del keys, chosen, values, is_known  # no view is left, so that the arrays can be shortened
    del halves[2 * files.width * count :], outcomes[count:]
    payoffs = list(numbers)
    if images is not None and images.exchange:
        payoffs += [(second, first) for first, second in payoffs]
    found = Endgames(halves, outcomes, payoffs, images)
    limits.hold(found, found.bytes)
    return found


def _values(rows: Any, players: Sequence[str], numbers: dict[Payoff, int]) -> Array:
    """The number of the payoffs of each row, -1 for none. New payoffs are numbered."""
    import numpy

    names = [name for name in rows.column_names if name.startswith("value_")]
    places = numpy.zeros(rows.num_rows, "int64")
    for name in names:
        column = rows.column(name).combine_chunks().dictionary_encode(null_encoding="encode")
        places = places * len(column.dictionary) + column.indices.to_numpy(zero_copy_only=False)
        _, first, places = numpy.unique(places, return_index=True, return_inverse=True)
    found = []
    for row in rows.select(names).take(first).to_pylist():
        payoff = payoff_of(row, players)
        found.append(-1 if payoff is None else numbers.setdefault(payoff, len(numbers)))
    return numpy.array(found, "int32")[places]
