"""The table of the window kernel, which grows with the search."""

from __future__ import annotations

import pytest
from all_machines import native_machine, needs_llvm

import zermelo
from zermelo.solvers.choosing.solving import solve
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.running import growing_table
from zermelo.solving import facts_of

pytestmark = needs_llvm


@pytest.fixture
def searched(monkeypatch):
    """Counts of a search of connect four on 4 x 4, by the size that its table begins with, and all sizes it had."""
    game = zermelo.load("connect_four", rows=4, columns=4)
    machine = native_machine(game.model)
    sizes = []
    grow = growing_table.TableSearch._grow

    def watched(search):
        grow(search)
        sizes.append(len(search.search.table))

    monkeypatch.setattr(growing_table.TableSearch, "_grow", watched)

    def search(first, **limits):
        monkeypatch.setattr(growing_table, "_FIRST", first)
        del sizes[:]
        result = solve(machine, facts_of(game), "enhanced_alphabeta", limits=Limits(**limits))
        return result, list(sizes)

    return search


def test_growing_forgets_nothing(searched):
    whole, once = searched(1 << 30)
    assert not once
    for first in (1 << 6, 1 << 9, 1 << 12):
        grown, sizes = searched(first)
        assert len(sizes) > 1 and sizes == sorted(sizes)
        assert (grown.value, grown.counts) == (whole.value, whole.counts)


def test_it_grows_no_further_than_memory_allows(searched):
    memory = 1 << 20
    small, sizes = searched(1 << 6, memory=memory)
    assert sizes and max(sizes) * 3 * 8 <= memory
    assert small.value == searched(1 << 12)[0].value
