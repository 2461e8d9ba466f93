"""`zermelo moves --values --solver oos`: what is printed, what limits do, and what is refused."""

from __future__ import annotations

import pytest


def test_the_record(run):
    words = ("moves", "kuhn_poker", "--after", "deal(J, K); bet", "--values", "--solver", "oos", "--iterations", "300")
    found = run(*words, "--json").record["values"]
    assert (found["solver"], found["exact"], found["certainty"]) == ("oos", False, "heuristic")
    assert (found["deals"], found["all_deals"], found["iterations"]) == (2, True, 300)
    assert [each["move"] for each in found["moves"]] == ["fold", "call"]
    assert sum(each["probability"] for each in found["moves"]) == pytest.approx(1)


def test_it_is_called_a_guess(run):
    ran = run("moves", "liars_dice", "--after", "roll(3); roll(5)", "--values", "--solver", "oos", "--iterations", "50")
    assert ran.code == 0
    printed = " ".join(ran.out.split())
    assert "A guess: how often" in printed and "6, all that fit, with their probabilities" in printed


@pytest.mark.parametrize(
    ("options", "code"),
    [
        (("kuhn_poker",), "no-value"),
        (("kuhn_poker", "--after", "deal(J, K)", "--time", "0.001"), "out-of-time"),
    ],
)
def test_refusals(run, options, code):
    ran = run("moves", *options, "--values", "--solver", "oos")
    assert ran.code in (1, 2) and f"error[{code}]" in ran.err


def test_a_full_table_is_said(run):
    words = ("moves", "leduc_poker", "--after", "deal(J♥); deal(K♠)", "--values", "--solver", "oos")
    ran = run(*words, "--memory", "300K", "--iterations", "5000")
    assert ran.code == 0 and "The memory is full" in ran.out
