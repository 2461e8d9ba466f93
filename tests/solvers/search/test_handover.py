"""A search that goes on with the table of another one that was stopped."""

from __future__ import annotations

from contextlib import suppress

import pytest
from all_machines import native_machine, needs_llvm, python_machine
from attrs import evolve

import zermelo
from zermelo.interpreter.checks.proving import facts
from zermelo.solvers.choosing.registry import find_solver
from zermelo.solvers.common.limits import LimitReached, Limits
from zermelo.solvers.search.window_search import Selection, enhanced_alphabeta, principal_variation, window_solver
from zermelo.solvers.solution import Problem

# What is earned on the way belongs to the play and not to the position.
EARNING = """\
game "Earning"
players A, B
claim zero_sum, perfect_information, terminates
var left: 0..30 = 30
var latest: 0..4 = 0
start at play(A)
phase play(p: Player):
    turn p:
        move take(n in 1..4) if n <= left and n != latest:
            left -= n
            latest := n
            earn p: (n * left + 3) % 7
            earn other p: -((n * left + 3) % 7)
            go play(other p)
    otherwise:
        end
estimate for p: if left % 2 == 0 then 1/2 else -1/3
"""


def problem(game, machine=native_machine) -> Problem:
    made = machine(game.model)
    return Problem(made, facts(game.model), made.initial())


def stopped(whole: Problem, nodes: int, solver=enhanced_alphabeta) -> Problem:
    """What is left after a search that was stopped after so many nodes."""
    with pytest.raises(LimitReached):
        solver(evolve(whole, limits=Limits(nodes=nodes)))
    return whole


@needs_llvm
def test_one_that_deepens_goes_on_with_the_table_of_a_search_of_the_whole_game():
    game = zermelo.load("connect_four", rows=4, columns=5)
    afresh = principal_variation(problem(game))
    later = principal_variation(stopped(problem(game), 120_000))
    assert later.value == afresh.value == (0, 0) and later.exact
    assert later.counts["nodes"] < afresh.counts["nodes"]


@needs_llvm
def test_a_search_that_is_stopped_again_and_again_gets_there():
    game = zermelo.load("connect_four", rows=4, columns=4)
    at_once = enhanced_alphabeta(problem(game))
    whole = problem(game)
    for nodes in range(5_000, at_once.counts["nodes"], 5_000):
        stopped(whole, nodes)
    found = enhanced_alphabeta(whole)
    assert (found.value, found.exact) == (at_once.value, True)


@needs_llvm
@pytest.mark.parametrize("nodes", [1, 7, 50, 400, 1_500])
def test_no_value_depends_on_where_the_search_before_was_stopped(nodes):
    game = zermelo.loads(EARNING)
    expected = find_solver("minimax").algorithm(problem(game)).value
    for solver in (principal_variation, enhanced_alphabeta, window_solver(principal_deepening, Selection())):
        for before in (enhanced_alphabeta, principal_variation):
            whole = problem(game)
            with suppress(LimitReached):
                before(evolve(whole, limits=Limits(nodes=nodes)))
            found = solver(whole)
            assert found.exact and found.value == expected


def principal_deepening(given, search):
    """Deepening that begins with a search of the whole game."""
    from zermelo.solvers.search.window_search import search_once as at_once
    from zermelo.solvers.search.window_search import search_open_windows

    at_once(given, search)
    return search_open_windows(given, search)


@pytest.mark.parametrize("machine", [python_machine, pytest.param(native_machine, marks=needs_llvm)])
def test_a_search_of_another_kernel_begins_anew(machine):
    game = zermelo.load("tic_tac_toe")
    whole = stopped(problem(game, machine), 500)
    late = find_solver("late_moves").algorithm(evolve(whole, limits=Limits(depth=3)))
    assert (
        late.counts["nodes"]
        == find_solver("late_moves").algorithm(evolve(problem(game, machine), limits=Limits(depth=3))).counts["nodes"]
    )
    assert whole.handover.take(None, "") is None
