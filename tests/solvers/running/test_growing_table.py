"""The table of the window kernel, which grows with the search."""

from __future__ import annotations

import pytest
from all_machines import native_machine, needs_llvm, python_machine
from attrs import evolve
from solving import solve

import zermelo
from zermelo.solvers.common.limits import LimitReached, Limits
from zermelo.solvers.running import path_search
from zermelo.solvers.search.window_search import enhanced_alphabeta
from zermelo.solvers.solution import Handover, Problem
from zermelo.solving import facts_of


@pytest.fixture
def searched(monkeypatch):
    """Counts of a search of connect four on 4 x 4, by the size that its table begins with, and all sizes it had."""
    game = zermelo.load("connect_four", rows=4, columns=4)
    machine = native_machine(game.model)
    sizes = []
    grow = path_search.TableSearch._grow

    def watched(search):
        grow(search)
        sizes.append(len(search.search.table))

    monkeypatch.setattr(path_search.TableSearch, "_grow", watched)

    def search(first, solver="enhanced_alphabeta", **limits):
        monkeypatch.setattr(path_search, "_FIRST", first)
        del sizes[:]
        result = solve(machine, facts_of(game), solver, limits=Limits(**limits))
        return result, list(sizes)

    return search


@needs_llvm
def test_growing_forgets_nothing(searched):
    whole, once = searched(1 << 30)
    assert not once
    for first in (1 << 6, 1 << 9, 1 << 12):
        grown, sizes = searched(first)
        assert len(sizes) > 1 and sizes == sorted(sizes)
        assert (grown.value, grown.counts) == (whole.value, whole.counts)


@needs_llvm
def test_it_grows_no_further_than_memory_allows(searched):
    memory = 1 << 20
    small, sizes = searched(1 << 6, memory=memory)
    assert sizes and max(sizes) * 3 * 8 <= memory
    assert small.value == searched(1 << 12)[0].value


@needs_llvm
def test_alphabeta_with_a_table_begins_small_and_finds_the_same(searched):
    whole, once = searched(1 << 22, "alphabeta_table")
    assert not once
    for first in (1 << 6, 1 << 12):
        grown, sizes = searched(first, "alphabeta_table")
        assert len(sizes) > 1 and sizes == sorted(sizes)
        assert grown.value == whole.value == searched(first)[0].value


@needs_llvm
@pytest.mark.parametrize("first", [1 << 4, 1 << 9])
def test_pasts_go_along_when_a_table_of_alphabeta_grows(monkeypatch, first):
    game = zermelo.loads(LOOKS_BACK)
    monkeypatch.setattr(path_search, "_FIRST", first)
    machine = native_machine(game.model)
    for solver in ("alphabeta_table", "minimax"):
        assert solve(machine, facts_of(game), solver).value == (-1, 1)


@needs_llvm
@pytest.mark.parametrize("rows", [4, 5])
def test_a_limit_may_end_the_growth_of_a_table_that_is_used_again(monkeypatch, rows):
    """The clock stands still but for the one time when a part of the entries has been rehashed."""
    monkeypatch.setattr(path_search, "_FIRST", 1 << 8)
    monkeypatch.setattr(path_search, "_CHUNK", 1 << 5)
    game = zermelo.load("connect_four", rows=rows, columns=4)
    machine = native_machine(game.model)
    problem = Problem(machine, facts_of(game), machine.initial(), limits=Limits())
    alone = enhanced_alphabeta(problem)
    parts = []
    check = Limits.check

    def stopped(limits, counts):
        parts.append(counts["nodes"])
        if len(parts) > 3 and parts[-3] == parts[-1] > 0:
            raise limits.out_of_time(counts)
        check(limits, counts)

    problem = evolve(problem, handover=Handover())
    with monkeypatch.context() as patched:
        patched.setattr(Limits, "check", stopped)
        with pytest.raises(LimitReached):
            enhanced_alphabeta(problem)
    again = enhanced_alphabeta(problem)
    assert again.value == alone.value and again.counts["hits"] > 0


LOOKS_BACK = """
game "Looks back"
players A, B
var at: 0..4 = 0
start at play(A)
phase play(p: Player):
    if repeated(at): end win p
    turn p:
        move go_to(n in 0..4):
            at := n
            go play(other p)
"""


def test_words_of_histories_take_no_memory_that_is_not_used(monkeypatch):
    """In Python, too, where a list of words is there at once."""
    lengths = []
    room = path_search.TableSearch._room

    def watched(search):
        lengths.append(len(search.search.pasts.words))
        return room(search)

    monkeypatch.setattr(path_search.TableSearch, "_room", watched)
    game = zermelo.loads(LOOKS_BACK)
    result = solve(python_machine(game.model), facts_of(game), "principal_variation", limits=Limits(memory=1 << 30))
    assert result.value == (-1, 1)  # B takes the last of the four other places
    assert 0 < max(lengths) < 1 << 20
