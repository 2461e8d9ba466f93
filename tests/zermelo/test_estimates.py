"""Estimates, features and weights, on the command line and in Python."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest

import zermelo
from zermelo.cli import main

PLAYED = ["moves", "tic_tac_toe", "--after", "mark(b2); mark(a1)"]


def test_an_estimate_is_shown_with_what_it_is_made_of(capsys):
    assert main([*PLAYED, "--estimate", "--weight", "open_lines=1/2"]) == 0
    rows = [line.split() for line in capsys.readouterr().out.splitlines()[-3:]]
    assert rows == [["feature", "weight", "X", "O"], ["open_lines", "1/2", "1", "-1"], ["estimate", "1/2", "-1/2"]]


def test_the_same_as_json(capsys):
    assert main([*PLAYED, "--estimate", "--json"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert record["estimate"] == {"X": "1/9", "O": "-1/9"}
    assert record["features"] == [{"feature": "open_lines", "weight": "1/9", "values": {"X": "1", "O": "-1"}}]


def test_an_estimate_without_features_is_one_line(capsys):
    assert main(["moves", "horizon_effect", "--estimate"]) == 0
    assert capsys.readouterr().out.splitlines()[-1].split() == ["estimate", "2", "-2"]


def test_a_file_without_an_estimate_says_so(capsys):
    assert main(["moves", "nim", "--estimate"]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "The file has no estimate."


def test_show_lists_the_weights(capsys):
    assert main(["show", "chess", "--json", "--weight", "mobility=0"]) == 0
    assert json.loads(capsys.readouterr().out)["weights"] == {"material": "1/200", "mobility": "0"}


@pytest.mark.parametrize("weight", ["opne_lines=1", "open_lines=x"])
def test_a_wrong_weight_is_misuse(weight, capsys):
    assert main([*PLAYED, "--weight", weight]) == 2
    assert "open_lines" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["tic_tac_toe", "connect_four", "othello", "checkers", "chess", "breakthrough"])
def test_no_estimate_of_a_bundled_game_is_worth_a_win(name):
    """With the most men that one side can have: the weighted sum of the largest features."""
    most = {
        "tic_tac_toe": {"open_lines": 8},
        "connect_four": {"open_lines": 69, "threats": 69},
        "othello": {"corners": 4, "mobility": 60},
        "checkers": {"men": 0, "kings": 12},
        "chess": {"material": 9 * 9 + 2 * 5 + 4 * 3, "mobility": 9 * 27 + 2 * 14 + 2 * 13 + 2 * 8 + 8},
        "breakthrough": {"number_of_men": 16, "advance": 16 * 8},
    }[name]
    weights = zermelo.load(name).weights
    assert weights.keys() == most.keys()
    assert sum(Fraction(weights[feature]) * most[feature] for feature in most) < 1


WEIGHT = Path(__file__).parents[1] / "trial" / "proofs" / "08_weight.game"


@pytest.mark.parametrize("weight", ["1/10", "-7/3", "1000", "100000000000000000000", "-100000000000000000000"])
def test_other_weights_have_other_bounds(weight):
    """The facts are those of a file with these weights. The value, which no estimate changes, is 0: Bob moves last, and
    goes to 1, where Ann gets 1 - 1."""
    given = zermelo.load(WEIGHT).reweighed(f=weight)
    written = zermelo.loads(WEIGHT.read_text(encoding="utf-8").replace("weight f = 1/10", f"weight f = {weight}"))
    assert given.facts == written.facts
    least, most = given.facts.estimates
    assert max(abs(least), abs(most)) == 2 * abs(Fraction(weight))
    for solver in ("enhanced_alphabeta", "iterative_deepening", "aspiration", "principal_variation", "mtdf", "star2"):
        solution = zermelo.solve(given, solver)
        assert (solution.value, solution.exact) == ((0, 0), True), solver
