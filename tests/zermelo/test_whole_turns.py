"""Games whose positions do not fit into memory, but those between turns do: what commands say of them."""

from __future__ import annotations

from fractions import Fraction

import pytest
from all_machines import needs_llvm

GAME = ("hypergammon", "-p", "men=1")
FEW = ("--memory", "600K")

pytestmark = needs_llvm


def test_solve(run):
    """Nobody is better off, by symmetry; and a note says what is missing."""
    record = run("solve", *GAME, *FEW, "--json").record
    low, high = map(Fraction, record["interval"])
    assert low <= 0 <= high and high - low < Fraction(1, 10**11) and not record["exact"]
    assert record["counts"]["nodes"] == 995 < run("solve", *GAME, "--json").record["counts"]["nodes"]
    assert any("Only the positions between turns have been kept" in note for note in record["notes"])
    assert any("More digits" in note for note in run("solve", *GAME, *FEW, "--digits", "20", "--json").record["notes"])


@pytest.mark.parametrize("option", [("--policy",), ("--positions", "positions.csv")])
def test_all_decisions_are_refused_in_words(run, tmp_path, monkeypatch, option):
    monkeypatch.chdir(tmp_path)
    ran = run("solve", *GAME, *FEW, *option)
    assert ran.code == 1 and ran.err.startswith("error[out-of-memory]: there are more than")
    assert "without --policy and --positions, the positions between turns may be enough" in ran.err


@pytest.mark.parametrize(
    "after", ["thrown(3, 2)", "thrown(6, 1); step(24, 1)", "thrown(2, 1); step(24, 2); step(22, 1)"]
)
def test_what_moves_bring(run, after):
    """From the beginning of a turn, within it, and between two: what is found if all positions are kept."""
    words = ("moves", *GAME, "--after", after, "--values", "--json")
    folded, plain = run(*words, *FEW).record["values"], run(*words).record["values"]
    assert [each["move"] for each in folded["moves"]] == [each["move"] for each in plain["moves"]]
    for one, other in zip(folded["moves"], plain["moves"], strict=True):
        bounded, exact = (Fraction(each["value"]["White"]) for each in (one, other))
        assert abs(bounded - exact) < Fraction(1, 10**11)


def test_verify_says_why_not(run):
    assert "only exact ones are found again" in run("solve", *GAME, *FEW, "--verify").out
