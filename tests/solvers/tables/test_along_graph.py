"""What tables say of the positions of a graph; ``tests/zermelo/test_judge.py`` has the rest."""

from __future__ import annotations

from fractions import Fraction

import numpy
import pytest

from zermelo.solvers.tables.along_graph import amounts_of

pyarrow = pytest.importorskip("pyarrow")


@pytest.mark.parametrize("kind", ["int64", "string"])
def test_quotients_are_rounded_as_fractions_are(kind: str) -> None:
    """The quotient of rounded numbers would be another one."""
    rows = [(2**62 - 3, 3), (1751054707714499914, 1310453776681373469), (1, 3), (-7, 1), (None, None)]
    assert float(rows[1][0]) / float(rows[1][1]) != float(Fraction(*rows[1]))
    columns = ([None if row[k] is None else row[k] if kind == "int64" else str(row[k]) for row in rows] for k in (0, 1))
    names = ("value_Ann_numerator", "value_Ann_denominator")
    group = pyarrow.table({name: pyarrow.array(column, kind) for name, column in zip(names, columns, strict=True)})
    *found, undefined = amounts_of(group, "Ann")
    assert found == [float(Fraction(*row)) for row in rows[:-1]] and numpy.isnan(undefined)


def test_small_numbers() -> None:
    group = pyarrow.table({"value_Ann": pyarrow.array([1, -3, None], "int8"), "value_Bob": [0, 0, 0]})
    assert numpy.array_equal(amounts_of(group, "Ann"), [1, -3, numpy.nan], equal_nan=True)
