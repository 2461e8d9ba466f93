"""Visits of positions for a claim ``terminates by``."""

from __future__ import annotations

from math import inf
from pathlib import Path

from written_games import model_of

import zermelo
from zermelo.interpreter.checks.claims import verdict
from zermelo.interpreter.checks.visited_ranking import survey_of_falling

DETOUR = """\
game "Detour"
players Ann, Bob
claim terminates by (left)
var left: 0..9 = 6
start at play(Ann)
phase play(p: Player):
    turn p:
        move one if left > 0:
            left -= 1
            go play(other p)
        move two if left > 1:
            left -= 2
            go play(other p)
        move back if left == 2:
            left := 5
            go play(other p)
    otherwise:
        end draw
"""


def survey(text, most=inf, memory=inf):
    model = model_of(text)
    return survey_of_falling(model, model.claims[0], most, inf, memory)


def test_the_play_that_refutes_is_a_shortest_one():
    found = survey(DETOUR)
    assert found.holds is False
    assert found.how == "after two, two, back in phase 'play' leads from (2) to (5), which is not less"


def test_a_visit_of_all_positions_is_a_proof():
    assert survey(DETOUR.replace("left == 2", "left > 9")).holds


def test_a_visit_that_is_stopped_says_where_and_how_to_go_on():
    text = DETOUR.replace("left == 2", "left > 9")
    found = survey(text, most=3)
    assert found.holds is None
    assert found.how.endswith("the visit was stopped after 3 positions, and --time and --memory allow more")
    assert survey(text.replace("0..9 = 6", "0..900 = 900"), memory=1).holds is None


PROOFS = Path(__file__).parents[2] / "trial" / "proofs"


def parking(claim):
    text = (PROOFS / "16_parking_by_phase.game").read_text(encoding="utf-8")
    return text.replace("perfect_information, terminates by {approach: (k, 1), decide: (k, 0)}", claim)


def test_a_measure_is_that_of_the_phase_in_which_somebody_decides():
    assert survey(parking("terminates by {approach: (k, 1), decide: (k, 0)}")).holds
    found = survey(parking("terminates by {approach: (k, 0), decide: (k, 1)}"))
    assert found.how == "vacant in phase 'approach' leads from (10, 0) to (10, 1), which is not less"
    found = survey(parking("terminates by {approach: 20 - k, decide: -k}"))
    assert found.how == "taken in phase 'approach' leads from (10) to (11), which is not less"


def test_the_phases_of_a_measure_are_proved_by_the_rules():
    for name in ("16_parking_by_phase.game", "17_amazons_by_phase.game"):
        game = zermelo.load(PROOFS / name)
        assert verdict(game.model.claims[-1], game.facts, game.model).holds
        assert game.facts.terminates.holds
