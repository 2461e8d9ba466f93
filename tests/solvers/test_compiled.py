"""Minimax, alpha-beta and the count of positions on kernels: the same answers as on the reference machine."""

from __future__ import annotations

from fractions import Fraction

import attrs
import pytest

import zermelo
from grammar.diagnostics import ZermeloError
from interpreter.checks.survey import survey
from interpreter.machine import PlayError
from interpreter.native.llvm.engine import is_available
from interpreter.native.machine import native_machine, python_machine
from solvers.limits import Limits
from solvers.native.positions import measure
from solvers.registry import solve
from zermelo.solving import facts_of

MAKERS = [
    pytest.param(python_machine, id="python"),
    pytest.param(
        native_machine,
        id="native",
        marks=pytest.mark.skipif(not is_available(), reason="llvmlite is not installed"),
    ),
]

OVERSTEPPING = """\
game "Overstepping"
players Ann, Bob
claim terminates
var left: 0..3 = 3
start at play(Ann)
phase play(p: Player):
    turn p:
        move take(n in 1..2):
            left -= n
            if left == 0: end win p
            go play(other p)
"""


@pytest.fixture(autouse=True)
def own_cache(monkeypatch, tmp_path):
    monkeypatch.setenv("ZERMELO_CACHE", str(tmp_path))


@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize("solver", ["minimax", "alphabeta", "alphabeta_table"])
@pytest.mark.parametrize(
    "name, parameters",
    [
        ("tic_tac_toe", {"size": 2}),
        ("nim", {"heaps": 2}),
        ("template", {}),
        ("two_ply_tree", {}),
        ("connect_four", {"rows": 3, "columns": 3, "run": 3}),
    ],
)
def test_kernels_find_what_the_reference_machine_finds(make, solver, name, parameters):
    game = zermelo.load(name, **parameters)
    facts = facts_of(game)
    expected = solve(game.machine, facts, solver)
    found = solve(make(game.model), facts, solver)
    assert found.value == expected.value
    if solver == "minimax":
        assert found.best == expected.best
        assert found.line == expected.line
        assert dict(found.counts) == dict(expected.counts)
    elif solver == "alphabeta":
        assert found == attrs.evolve(expected, seconds=found.seconds)
    else:
        assert found.best[0] in solve(game.machine, facts, "minimax").best


@pytest.mark.parametrize("make", MAKERS[1:])
def test_the_whole_tree_of_tic_tac_toe(make):
    game = zermelo.load("tic_tac_toe")
    found = solve(make(game.model), facts_of(game), "minimax")
    assert found.counts["nodes"] == 549_946
    assert found.value == (Fraction(0), Fraction(0))


@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize("name, parameters", [("tic_tac_toe", {}), ("nim", {}), ("template", {}), ("two_ply_tree", {})])
def test_positions_are_counted_as_by_a_survey(make, name, parameters):
    game = zermelo.load(name, **parameters)
    size = measure(make(game.model), 100_000, Limits(60.0), lambda nodes: None)
    visited = survey(game.machine, 100_000, 600.0)
    assert size.finished and visited.finished
    assert (size.positions, size.terminals, size.longest) == (visited.positions, visited.terminals, visited.longest)


@pytest.mark.parametrize("make", MAKERS)
def test_a_rule_that_goes_wrong_says_so_with_its_play(make):
    game = zermelo.loads(OVERSTEPPING)
    machine = make(game.model)
    with pytest.raises(PlayError) as expected:
        state = game.machine.initial()
        for _ in range(2):
            state = game.machine.after(state, game.machine.moves(state)[1])
    with pytest.raises(PlayError) as found:
        state = machine.initial()
        for _ in range(2):
            state = machine.after(state, machine.moves(state)[1])
    assert str(found.value) == str(expected.value)
    assert found.value.play == expected.value.play


@pytest.mark.parametrize("make", MAKERS)
def test_a_kernel_reports_a_rule_that_goes_wrong(make):
    game = zermelo.loads(OVERSTEPPING)
    with pytest.raises(ZermeloError) as found:
        solve(make(game.model), facts_of(zermelo.load("nim")), "minimax")
    assert isinstance(found.value, PlayError)
    assert found.value.code == "assigned-out-of-range"
