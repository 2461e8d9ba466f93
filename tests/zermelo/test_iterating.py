"""Solvers that iterate, from the command line."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zermelo.cli import main
from zermelo.numbers import LEGIBLE, LEGIBLE_DIGITS, exact_text, interval_text


def test_the_result_says_what_is_proved(capsys):
    assert main(["solve", "kuhn_poker", "--solver", "cfr+", "--exploitability", "1e-3"]) == 0
    printed = capsys.readouterr().out
    assert "value, bounded" in printed
    assert "the value of the game for Alice is between -0.05" in printed
    assert "exploitability  ≈ 0.000" in printed


def test_json_has_the_bounds_as_fractions(capsys):
    assert main(["solve", "kuhn_poker", "--iterations", "100", "--json"]) == 0
    record = json.loads(capsys.readouterr().out)
    low, high = map(Fraction, record["interval"])
    assert low <= Fraction(-1, 18) <= high
    assert Fraction(record["exploitability"]) == (high - low) / 2
    assert record["solver"] == "predictive_cfr_plus"
    assert record["certainty"] == "bounded" and record["exact"] is False
    assert record["counts"]["iterations"] == 100


def test_a_checkpoint_is_taken_up_again(capsys, tmp_path):
    file = tmp_path / "work"
    command = ["solve", "kuhn_poker", "--solver", "cfr", "--checkpoint", str(file), "--json"]
    counts = []
    for iterations in ("10", "30"):
        assert main([*command, "--iterations", iterations]) == 0
        counts.append(json.loads(capsys.readouterr().out)["counts"]["iterations"])
    assert counts == [10, 30]
    file.write_bytes(b"something else")
    assert main([*command, "--iterations", "40"]) == 1
    assert "bad-checkpoint" in capsys.readouterr().out
    assert file.read_bytes() == b"something else"


@pytest.mark.parametrize("words", [["--exploitability", "small"], ["--exploitability", "-1"], ["--iterations", "0"]])
def test_goals_that_are_no_numbers(capsys, words):
    assert main(["solve", "kuhn_poker", "--solver", "cfr", *words]) == 2
    assert "bad-usage" in capsys.readouterr().err


@given(st.fractions(), st.fractions(min_value=0))
def test_an_interval_in_decimals_contains_the_interval(low, width):
    near = width * Fraction(103, 100)
    for digits, room in ((None, near), (LEGIBLE_DIGITS, max(near, width + Fraction(2, 10**LEGIBLE_DIGITS)))):
        shown = interval_text(low, low + width, digits).split(" and ")
        assert Fraction(shown[0]) <= low <= low + width <= Fraction(shown[1])
        assert Fraction(shown[1]) - Fraction(shown[0]) <= room


def test_fractions_that_nobody_would_read():
    assert exact_text(Fraction(-1, 18)) == "-1/18 ≈ -0.05556"
    long = Fraction(10**LEGIBLE + 1, 3 * 10**LEGIBLE)
    assert exact_text(long) == "≈ 0.3333"
