"""A time limit changes nothing but when a search stops, on a clock that counts nodes."""

from __future__ import annotations

import pytest
from solving import solve

import zermelo
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.machine import PlayError
from zermelo.solvers.common.limits import Limits


@pytest.mark.parametrize(("name", "parameters"), [("tic_tac_toe", {}), ("connect_four", {"rows": 4, "columns": 3})])
@pytest.mark.parametrize("share", [0.1, 0.5, 0.8])
def test_what_a_search_finds_in_most_of_the_time_it_finds_as_without_a_limit(name, parameters, share, clock):
    """A node takes a second."""
    game = zermelo.load(name, **parameters)
    whole = solve(game.searching, game.facts)

    def tick(nodes: int) -> None:
        clock[0] = max(clock[0], nodes)

    found = solve(game.searching, game.facts, limits=Limits(whole.counts["nodes"] / share, begin=0.0), progress=tick)
    assert found.exact
    assert (found.solver, found.value, found.line) == (whole.solver, whole.value, whole.line)
    assert found.counts == whole.counts


def test_a_clock_that_leaps_to_the_end_leaves_an_answer(clock):
    game = zermelo.load("connect_four")

    def leap(nodes: int) -> None:
        clock[0] = 100.0

    found = solve(game.searching, game.facts, limits=Limits(60, begin=0.0), progress=leap)
    assert not found.exact and found.counts["depth"] == 1
    assert found.best


SOLVERS = ["minimax", "alphabeta", "expectiminimax", "maxn", "star1"]


@pytest.mark.parametrize("solver", SOLVERS)
def test_a_solver_that_is_asked_for_finds_in_most_of_the_time_what_it_finds_without_a_limit(solver, clock):
    game = zermelo.load("connect_four", rows=3, columns=3, run=3)
    whole = solve(game.searching, game.facts, solver)

    def tick(nodes: int) -> None:
        clock[0] = max(clock[0], nodes)

    limits = Limits(3 * whole.counts["nodes"], begin=0.0)  # the line of best play is searched after the value
    found = solve(game.searching, game.facts, solver, limits=limits, progress=tick)
    assert found.exact and (found.value, found.best, found.counts) == (whole.value, whole.best, whole.counts)


@pytest.mark.parametrize("solver", SOLVERS)
def test_a_solver_that_is_asked_for_deepens_if_the_time_is_too_short_for_all(solver, clock):
    """The first search has no time at all, and a step of those that deepen takes a little."""
    game = zermelo.load("connect_four")

    def tick(nodes: int) -> None:
        clock[0] += 0.4 if clock[0] > 51 else 52

    found = solve(game.searching, game.facts, solver, limits=Limits(60, begin=0.0), progress=tick)
    assert not found.exact and found.solver == solver and found.counts["depth"] > 1


def test_what_a_search_to_a_depth_cannot_do_does_not_stop_one_to_the_end(clock):
    """The estimate fails in every position but the ends, in which nobody asks for it."""
    text = """\
game "Faulty estimate"
players A, B
claim zero_sum, perfect_information, terminates
var left: 0..6 = 6
start at play(A)
phase play(p: Player):
    turn p:
        move take(n in 1..2) if n <= left:
            left -= n
            if left == 0:
                earn p: 1
                earn other p: -1
            go play(other p)
    otherwise:
        end
estimate for p: 1 / (left - left)
"""
    game = zermelo.loads(text)
    with pytest.raises(PlayError) as refused:
        solve(game.searching, game.facts, limits=Limits(depth=1))
    assert refused.value.code == "zero-divisor"
    whole = solve(game.searching, game.facts)
    found = solve(game.searching, game.facts, limits=Limits(60, begin=0.0))
    assert (found.solver, found.value, found.exact) == (whole.solver, (-1, 1), True)


@pytest.mark.parametrize(
    ("name", "solver", "way"),
    [
        ("hex", "minimax", "minimax more; `zermelo solve --depth N --estimate rollouts` searches N moves ahead"),
        ("hex", None, "more; `zermelo solve --depth N --estimate rollouts` searches N moves ahead"),
        ("leduc_poker", "subgame_perfect", "more; a smaller game, or another solver, may need less"),
    ],
)
def test_the_help_names_the_solver_and_what_goes_on(name, solver, way, clock):
    game = zermelo.load(name)

    def leap(nodes: int) -> None:
        clock[0] = 100.0

    with pytest.raises(ZermeloError) as refused:
        solve(game.searching, game.facts, solver, limits=Limits(60, begin=0.0), progress=leap)
    assert refused.value.code == "out-of-time"
    assert refused.value.help is not None and refused.value.help.endswith(way)
