"""``zermelo solve --verify``: a value is confirmed by a second search, or the disagreement is reported."""

from __future__ import annotations

from fractions import Fraction

import pytest
from all_machines import needs_llvm
from attrs import evolve

from zermelo.solvers.choosing.registry import SOLVERS


def test_a_value_is_found_again(run):
    ran = run("solve", "kuhn_poker", "--verify")
    assert ran.code == 0
    how = "by exact best responses over all 55 histories: nobody gains by leaving the strategies"
    assert f"\nverified  {how}\n" in ran.out
    record = run("solve", "two_ply_tree", "--verify", "--json").record
    assert record["verification"] == {
        "confirmed": True,
        "how": "by plain recursion over all 13 histories: the same value",
    }
    assert run("solve", "two_ply_tree", "--json").record["verification"] is None


def test_what_cannot_be_found_again_is_said_not_to_be(run):
    ran = run("solve", "kuhn_poker", "--verify", "--solver", "cfr+", "--iterations", "5")
    assert ran.code == 0
    assert "\nnot verified    the value is bounded, and only exact ones are found again\n" in ran.out


def test_a_proof_in_circles_is_not_found_again_by_a_search_to_the_end(run):
    result = run("solve", "three_mens_morris", "--solver", "dfpn", "--verify")
    assert result.code == 0
    assert "has met a play that goes round" in " ".join(result.out.split())


@needs_llvm
def test_a_value_by_some_of_the_positions_is_found_again_by_another_solver(run):
    ran = run("solve", "tic_tac_toe", "--solver", "positions", "--memory", "200K", "--verify")
    assert "Only positions in which nobody can win at once" in ran.out
    assert "\nverified    by df-pn proof-number search: the same value\n" in ran.out


@pytest.mark.parametrize("format", ["text", "json"])
def test_a_wrong_solver_is_found_out(run, monkeypatch, format):
    right = SOLVERS["minimax"]

    def wrong(problem):
        return evolve(right.algorithm(problem), value=(Fraction(4), Fraction(-4)))

    monkeypatch.setitem(SOLVERS, "minimax", evolve(right, load=lambda: wrong))
    words = ("solve", "two_ply_tree", "--solver", "minimax", "--machine", "reference", "--format", format)
    assert run(*words).code == 0, "without --verify there is no second search"
    ran = run(*words, "--verify")
    assert ran.code == 2
    assert "values-disagree" in (ran.err if format == "text" else ran.out)
    assert "finds (3, -3)" in (ran.err if format == "text" else ran.out)
