"""Weighted sums, and weights that a user sets."""

from __future__ import annotations

from fractions import Fraction

import pytest

from zermelo.grammar.diagnostics import Source, ZermeloError
from zermelo.interpreter import model
from zermelo.interpreter.check import check
from zermelo.interpreter.model.cardinality import with_weights
from zermelo.interpreter.reference.machine import ReferenceMachine

TEXT = """game "Race"
players Ann, Bob
param unit: 1..5 = 2
var score[Player]: 0..9 = 0
feature lead(p) = score[p] - score[other p]
feature even(p) = if score[p] % 2 == 0 then 1 else 0
weight even = -1/4
weight lead = unit / 20
{estimate}
start at run(Ann)
phase run(p: Player):
    turn p:
        move step(n in 1..3) if score[p] + n <= 9:
            score[p] += n
            go run(other p)
    otherwise:
        end win p
"""


def race(estimate: str = "estimate for p: weighted sum") -> model.Model:
    game, findings = check(Source("race.game", TEXT.format(estimate=estimate)))
    assert game is not None, [finding.message for finding in findings]
    return game


def estimates(game: model.Model, *moves: str) -> list[Fraction | int]:
    machine = ReferenceMachine(game)
    state = machine.initial()
    for move in moves:
        state = machine.after(state, machine.find_move(state, move))
    return [machine.evaluate(state, game.estimate, player) for player in game.players]


def test_every_feature_counts_as_much_as_its_weight() -> None:
    game = race()
    assert [(feature.name, feature.weight) for feature in game.estimate.features] == [
        ("lead", Fraction(1, 10)),
        ("even", Fraction(-1, 4)),
    ]
    assert estimates(game, "step(3)", "step(2)") == [Fraction(1, 10), Fraction(-1, 10) - Fraction(1, 4)]


def test_weights_can_be_set_as_numbers_and_as_text() -> None:
    game = with_weights(race(), {"lead": 2, "even": "0.5"})
    assert [feature.weight for feature in game.estimate.features] == [2, Fraction(1, 2)]
    assert estimates(game, "step(3)", "step(2)") == [2, Fraction(-3, 2)]


def test_the_game_itself_keeps_its_weights() -> None:
    game = race()
    with_weights(game, {"lead": 5})
    assert estimates(game, "step(3)") == [Fraction(3, 10), Fraction(-11, 20)]


def test_a_feature_can_be_used_like_a_define() -> None:
    game = race("estimate for p: lead(p) / 5 + even(p)").estimate
    assert game.features == ()


def test_the_sum_must_be_the_whole_estimate() -> None:
    _, findings = check(Source("race.game", TEXT.format(estimate="estimate for p: weighted sum + 1")))
    assert [finding.code for finding in findings.errors] == ["syntax"]


@pytest.mark.parametrize(
    ("weights", "code", "help"),
    [
        ({"laed": 1}, "unknown-weight", "lead"),
        ({"lead": "much"}, "weight-not-a-number", "0.25"),
        ({"lead": "1/0"}, "weight-not-a-number", "0.25"),
    ],
)
def test_a_wrong_weight_is_refused(weights, code, help) -> None:
    with pytest.raises(ZermeloError) as raised:
        with_weights(race(), weights)
    assert raised.value.code == code
    assert help in raised.value.help
