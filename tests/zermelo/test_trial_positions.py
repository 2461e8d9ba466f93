"""Trial games in which the variables do not determine the position: values found by hand, on all machines."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

import zermelo
from zermelo.interpreter.check import check
from zermelo.interpreter.checks.game_facts import count_information_sets
from zermelo.interpreter.checks.proving import facts
from zermelo.interpreter.reference.machine import ReferenceMachine
from zermelo.loading import load_any
from zermelo.testing.expectations import Status, run_expectations

TRIAL = Path(__file__).parents[1] / "trial" / "proofs"

VALUES = {
    "01_let_not_in_position": 1,  # Ann writes 1, and Bob pays 1 in any case
    "01c_let_perfect_information": 0,  # matching pennies: Bob cannot see Ann's number
    "06_history_perfect_information": 0,  # the same, with the number of visits to a phase for a coin
    "11b_information_refuted": -1,  # Bob has seen the number before he guesses
}


@pytest.mark.parametrize("machine", ["reference", "python", "native"])
@pytest.mark.parametrize("name", VALUES)
def test_value(name: str, machine: str) -> None:
    game = load_any(str(TRIAL / f"{name}.game"), {}).on(machine)
    assert zermelo.solve(game).value == (Fraction(VALUES[name]), -Fraction(VALUES[name]))


@pytest.mark.parametrize(
    ("name", "is_perfect"),
    [
        ("01_let_not_in_position", True),
        ("01c_let_perfect_information", False),
        ("06_history_perfect_information", False),
        ("11b_information_refuted", True),
    ],
)
def test_information(name: str, is_perfect: bool) -> None:
    """Proofs from the rules agree with a visit of all histories, which settles the rest."""
    game = load_any(str(TRIAL / f"{name}.game"), {})
    model, _ = check(game.model.source)
    assert model is not None
    known, found = facts(model), count_information_sets(ReferenceMachine(model), 1000)
    assert found.finished
    assert (found.confusion is None) is is_perfect
    assert known.perfect_information.holds in (None, is_perfect)
    assert known.with_information_sets(found).perfect_information.holds is is_perfect


def test_claims_that_hold_of_no_position_alone() -> None:
    game = load_any(str(TRIAL / "01b_let_false_survey_facts.game"), {})
    assert [result.status for result in run_expectations(game)] == [Status.FAILED, Status.FAILED]


def test_expectations() -> None:
    game = load_any(str(TRIAL / "01c_let_perfect_information.game"), {})
    statuses = {result.said: result.status for result in run_expectations(game)}
    assert statuses["expect value == (0, 0)"] is Status.PASSED
    assert statuses["expect information_sets == 2"] is Status.PASSED
