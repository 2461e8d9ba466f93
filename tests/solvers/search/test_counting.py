from __future__ import annotations

import pytest

from zermelo.interpreter.machine import CHANCE, END
from zermelo.solvers.search.counting import count_exactly


def test_plays_of_each_length(tree):
    machine = tree([0, 1, [1, 2, 3], [CHANCE, ("1/2", 4), ("1/4", 5), ("1/4", [0, 1])]])
    assert [count_exactly(machine, machine.initial(), n).plays for n in range(5)] == [1, 3, 5, 1, 0]


@pytest.mark.parametrize("length", [0, 1, 7, 60])
def test_ways_to_one_position_are_counted_together(toy, length):
    machine = toy(0, lambda k: (END, (0, 0)) if k == 100 else (k % 2, {"l": k + 1, "r": k + 1, "wait": k}))
    assert count_exactly(machine, machine.initial(), length).plays == 3**length


def test_progress_counts_positions(toy):
    seen: list[int] = []
    machine = toy(0, lambda k: (0, {"a": k + 1, "b": k + 2}))
    count_exactly(machine, machine.initial(), 4, seen.append)
    assert seen == [3, 6, 10]
