"""Games about which a proof, or a refutation, was once wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

import zermelo
from zermelo.interpreter.checks.claims import verdict
from zermelo.interpreter.checks.proving import facts
from zermelo.interpreter.machine import PlayError
from zermelo.solving import facts_of
from zermelo.testing.expectations import Status, run_expectations

FOLDER = Path(__file__).parents[2] / "trial" / "proofs"


def load(number):
    (file,) = FOLDER.glob(f"{number}_*.game")
    return zermelo.load(str(file))


def said(game, claim):
    """The verdict of the rules alone on a claim."""
    (found,) = (each for each in game.model.claims if game.model.source.excerpt(each.span).startswith(claim))
    return verdict(found, facts(game.model), game.model).holds


def results(game):
    """The results of the claims of a file, by the first word of each."""
    return {result.said.split()[1]: (result.status, result.reason) for result in run_expectations(game)}


def test_what_is_in_no_set_is_not_put_into_one():
    game = load("04")
    assert said(game, "terminates") is None
    assert results(game)["terminates"] == (Status.FAILED, "m(a1), m(a1) lead back to the same position")


def test_present_values_may_never_have_been_there_before():
    game = load("05")
    assert facts(game.model).bounds == ((0, 2), (-2, 0))
    for machine in ("reference", "python", "native"):
        for solver in ("minimax", "alphabeta", "enhanced_alphabeta", "maxn"):
            assert zermelo.solve(game.on(machine), solver).value == (0, 0)


def test_what_adds_no_repetitions_uses_nothing_up():
    game = load("05b")
    assert said(game, "terminates") is None
    state = game.initial
    for _ in range(20):  # n stays 0, so 20 more are possible
        state = state.after("m")
    assert "m" in map(str, state.moves)


def test_a_circle_without_a_decision_is_no_end():
    game = load("07")
    assert said(game, "terminates") is None
    with pytest.raises(PlayError) as raised:
        results(game)
    assert raised.value.code == "endless-go"


def test_what_a_play_ends_by_has_to_get_smaller():
    game = load("10")
    assert facts(game.model).terminates.holds  # for another reason
    assert said(game, "terminates") is None
    assert results(game)["terminates"] == (
        Status.FAILED,
        "take in phase 'play' leads from (0) to (1), which is not less",
    )


def test_that_an_endless_play_is_worth_something_refutes_no_end():
    game = load("11")
    assert said(game, "terminates") is None
    assert {status for status, _ in results(game).values()} == {Status.PASSED}
    assert facts_of(game).terminates.holds


def test_what_no_play_comes_to_refutes_nothing():
    game = load("11c")
    assert said(game, "deterministic") is None
    assert said(game, "zero_sum") is None
    assert said(game, "terminates") is None
    found = results(game)
    assert [found[claim][0] for claim in ("zero_sum", "deterministic", "terminates")] == [Status.PASSED] * 3
