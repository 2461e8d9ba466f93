"""Claims of files, checked by ``zermelo test`` and shown by ``zermelo show``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from judged_lines import STONES

import zermelo
from zermelo.solvers.common.limits import Limits
from zermelo.testing.expectations import run_expectations

TRIAL = Path(__file__).parents[2] / "trial"


@pytest.mark.parametrize(
    ("claims", "found"),
    [
        ("zero_sum, deterministic, perfect_information, terminates", ["passed"] * 4),
        ("constant_sum 0, constant_sum 1, common_payoff", ["passed", "failed", "failed"]),
        ("symmetric", ["open"]),
    ],
)
def test_claims(claims, found):
    text = STONES.replace("players Ann, Bob", f"players Ann, Bob\nclaim {claims}")
    assert [result.status.value for result in run_expectations(zermelo.loads(text))] == found


CLOBBER = (TRIAL / "proofs" / "15_clobber_ends.game").read_text(encoding="utf-8")


def test_a_claim_is_open_only_with_the_reason_and_within_limits_it_is_proved(monkeypatch):
    monkeypatch.setattr(zermelo.solving, "COUNTED", 100)
    game = zermelo.loads(CLOBBER)
    stopped = "the visit of its positions was stopped at 100, and --time and --memory allow more"
    (claim,) = run_expectations(game)
    assert (claim.status.value, claim.reason) == ("open", f"it is not proved that every play ends; {stopped}")
    (claim,) = run_expectations(game, limits=Limits(memory=100_000_000))
    assert claim.status.value == "passed"
    assert claim.reason.endswith("positions have been visited, and none can come back")


def test_show_judges_a_claim_by_the_positions_it_counts(run):
    path = str(TRIAL / "proofs" / "15_clobber_ends.game")
    (claim,) = json.loads(run("show", path, "--json").out)["claims"]
    assert claim["holds"] is None
    (claim,) = json.loads(run("show", path, "--positions", "--json").out)["claims"]
    assert claim["holds"] is True
