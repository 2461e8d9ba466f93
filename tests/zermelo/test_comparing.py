from __future__ import annotations

import json
from fractions import Fraction

import pytest
from attrs import evolve
from small_games import ENTRY, HIDDEN_AND_ENDLESS

import zermelo
from zermelo.cli import main
from zermelo.comparing import Outcome, compare, disagreement
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.checks.proving import facts
from zermelo.numbers import interval_text
from zermelo.solvers.choosing.fitting import unmet
from zermelo.solvers.choosing.registry import SOLVERS
from zermelo.solvers.common.limits import Limits

CONSTANT = facts(zermelo.load("nim").model)
"""The facts of a game of two players with a constant sum."""


def outcomes_of(name, limits=None, **parameters):
    game = zermelo.load(name, **parameters)
    return list(compare(game.machine, facts(game.model), game.machine.initial(), limits or Limits()))


def test_every_solver_that_fits_comes_to_the_same_value():
    found = outcomes_of("nim", heaps=2)
    known = facts(zermelo.load("nim").model)
    assert [outcome.solver for outcome in found] == [
        name for name, solver in SOLVERS.items() if not unmet(solver, known)
    ]
    exact = [outcome for outcome in found if outcome.certainty == "exact"]
    assert {outcome.value for outcome in exact} == {(1, -1)}
    assert [outcome.solver for outcome in found if outcome not in exact] == ["mcts"]
    assert all(outcome.nodes and outcome.seconds is not None for outcome in found)
    assert disagreement(known, found) == ""


def test_what_is_left_after_some_moves(run):
    """X has b2, and O is not in a corner: X wins."""
    record = run("compare", "tic_tac_toe", "--after", "mark(b2); mark(b1)", "--json").record
    assert record["after"] == ["mark(b2)", "mark(b1)"]
    exact = [found for found in record["solvers"] if found["certainty"] == "exact"]
    assert len(exact) > 5 and all(found["value"] == {"X": "1", "O": "-1"} for found in exact)
    assert "\nafter  mark(b2), mark(b1)\n" in run("compare", "tic_tac_toe", "--after", "mark(b2); mark(b1)").out
    assert run("compare", "tic_tac_toe", "--after", "mark(b2); mark(b2)").err.startswith("error[illegal-move]: ")


def test_a_solver_that_runs_out_of_time_says_so():
    found = {outcome.solver: outcome for outcome in outcomes_of("connect_four", Limits(seconds=0.2))}
    assert found["minimax"].stopped == "out-of-time"
    assert found["minimax"].value is None
    assert found["iterative_deepening"].certainty == "depth-limited"


def test_a_solver_that_finds_no_value_says_so():
    found = {outcome.solver: outcome for outcome in outcomes_of("kuhn_poker")}
    assert found["sequence_form"].certainty == "exact"
    assert found["normal_form"].stopped == "no-solver"


def test_values_that_differ_are_a_fault():
    one = Outcome("minimax", (1, -1), "exact")
    other = Outcome("alphabeta", (0, 0), "exact")
    assert "minimax finds (1, -1) and alphabeta (0, 0)" in disagreement(CONSTANT, [one, other])
    assert disagreement(CONSTANT, [one, evolve(other, certainty="depth-limited")]) == ""
    near = Outcome("cfr", (Fraction(1, 2), Fraction(-1, 2)), "bounded", (Fraction(0), Fraction(9, 10)))
    assert "minimax finds (1, -1), and cfr proves that it is between 0 and 9/10" in disagreement(CONSTANT, [near, one])
    assert disagreement(CONSTANT, [near, other]) == ""


def test_equilibria_may_differ(capsys, tmp_path):
    """Both are exact, and neither is wrong."""
    file = tmp_path / "entry.game"
    file.write_text(ENTRY)
    assert main(["compare", str(file)]) == 0
    shown = capsys.readouterr()
    assert "2, 2" in shown.out and "0, 4" in shown.out and shown.err == ""


def test_a_game_for_no_solver_is_refused():
    with pytest.raises(ZermeloError) as raised:
        game = zermelo.loads(HIDDEN_AND_ENDLESS)
        list(compare(game.machine, zermelo.solving.facts_of(game), game.machine.initial(), Limits()))
    assert raised.value.code == "no-solver"


def test_bounds_are_shown(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")
    assert main(["compare", "matching_pennies", "--json"]) == 0
    record = json.loads(capsys.readouterr().out)
    intervals = {entry["solver"]: entry["interval"] for entry in record["solvers"]}
    assert intervals["sequence_form"] is None
    low, high = map(Fraction, intervals["cfr"])
    assert low <= 0 <= high
    assert main(["compare", "matching_pennies"]) == 0
    (row,) = (line for line in capsys.readouterr().out.splitlines() if line.startswith("cfr "))
    assert "bounded" in row and row.endswith(interval_text(low, high))


def test_the_command(capsys):
    assert main(["compare", "two_ply_tree"]) == 0
    printed = capsys.readouterr().out.splitlines()
    assert printed[2].split() == ["solver", "value", "nodes", "time", "memory"]
    assert any(line.split()[:3] == ["minimax", "3", "13"] for line in printed)
    assert main(["compare", "two_ply_tree", "--json"]) == 0
    record = json.loads(capsys.readouterr().out)
    exact = [entry for entry in record["solvers"] if entry["certainty"] == "exact"]
    assert len(exact) > 5
    assert {tuple(entry["value"].values()) for entry in exact} == {("3", "-3")}
