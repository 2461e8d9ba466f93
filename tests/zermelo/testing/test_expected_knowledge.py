"""What a test of a file expects players to know."""

from __future__ import annotations

from pathlib import Path

import pytest
from judged_lines import CARD, statuses

import zermelo
from zermelo.testing.expectations import run_expectations

TRIAL = Path(__file__).parents[2] / "trial"


@pytest.mark.parametrize(
    ("lines", "status"),
    [
        (["play deal(low)", "expect knows_value(Ann, card)"], "passed"),
        (["play deal(low)", "expect knows_value(Bob, card)"], "failed"),
        (["play deal(low), show", "expect knows_value(Bob, card)"], "passed"),
        (["play deal(low), hide", "expect knows_value(Bob, card)"], "failed"),
        (["play deal(low), hide", "expect knows_value(Bob, shown)"], "passed"),
        (["play deal(low), hide", "expect knows_value(Bob, shown or card == high)"], "failed"),
        (["expect knows_value(Ann, shown)"], "passed"),
        (["play deal(low)", "expect knows(Ann, card == low)"], "passed"),
        (["play deal(low)", "expect knows(Ann, card == high)"], "failed"),
        (["play deal(low)", "expect knows(Ann, not card == high)"], "passed"),
        (["play deal(low)", "expect knows(Bob, card == low)"], "failed"),
        (["play deal(low), show", "expect knows(Bob, card == low)"], "passed"),
        (["play deal(low), show", "expect knows(Bob, shown)"], "passed"),
        (["play deal(low), hide", "expect knows(Bob, shown)"], "failed"),
        (["play deal(low), hide", "expect knows(Bob, not shown)"], "passed"),
        (["play deal(low), hide", "expect knows(Bob, card in {low, high})"], "passed"),
        (["play deal(low), hide, guess(low)", "expect knows(Bob, card == low)"], "failed"),
        (["expect knows(Ann, not shown)"], "passed"),
        (["expect knows(Ann, card == low)"], "failed"),
        (["play deal(low)", "expect not knows(Ann, card == high)"], "passed"),  # which is false
        (["play deal(low)", "expect not knows(Ann, card == low)"], "failed"),
        (["play deal(low)", "expect not knows_value(Ann, card)"], "failed"),
        (["play deal(low)", "expect not knows_value(Bob, card)"], "passed"),
        (["play deal(low), hide", "expect not shown"], "passed"),
    ],
)
def test_knowledge(lines, status):
    text = CARD + '\ntest "what they know":\n' + "".join(f"    {line}\n" for line in lines)
    assert [result.status.value for result in run_expectations(zermelo.loads(text))] == [status]


def test_a_step_that_is_not_over_is_none_that_a_player_considers():
    """Until chance has drawn, nobody has noticed the bet: Ann does not consider that the stake may be 1."""
    text = """game "Stake"
players Ann, Bob
var stake: 0..9 = 0   hidden
start at play
phase play:
    turn Ann:
        move bet:
            stake := 1
            go draw_one
phase draw_one:
    chance:
        outcome more:
            stake := 2
            go answer
        outcome much:
            stake := 3
            go answer
phase answer:
    turn Bob:
        move stop: end draw
test "stake":
    expect knows(Ann, stake == 0)
    play bet, much
    expect knows(Ann, stake >= 2)
    expect knows(Ann, stake == 3)
"""
    assert [status for _, status, _ in statuses(text)] == ["passed", "passed", "failed"]


def test_knowledge_names_a_play_that_looks_the_same():
    text = CARD + '\ntest "t":\n    play deal(low), hide\n'
    asked = {
        "knows_value(Bob, card)": "Bob cannot tell it from deal(high), hide, where it is another",
        "knows(Bob, card == low)": "Bob cannot tell it from deal(high), hide, where it does not hold",
        "knows(Bob, card == high)": "it does not hold",
    }
    for question, reason in asked.items():
        assert statuses(f"{text}    expect {question}\n")[0][2] == reason


def test_the_knowledge_of_a_trial():
    """Bob holds Q, Alice J. Each sees their own card, and knows that the other's differs."""
    game = zermelo.load(TRIAL / "proofs" / "14_knows_false.game")
    results = [
        (each.said.removeprefix("expect "), each.status.value)
        for each in run_expectations(game)
        if each.test == "knowing"
    ]
    assert results == [
        ("knows(Bob, hand[Bob] == K)", "failed"),
        ("knows_value(Bob, hand[Bob])", "passed"),
        ("knows_value(Bob, hand[Alice])", "failed"),
        ("knows(Alice, hand[Bob] == J)", "failed"),
        ("knows(Alice, hand[Bob] == Q)", "failed"),
    ]


def test_that_a_variable_is_unset_is_known_to_who_would_see_it():
    """Before the deal nobody has a card: Ann knows, and Bob does not see that it has not been dealt yet."""
    text = CARD + '\ntest "t":\n    expect knows_value(Ann, card)\n    expect knows_value(Bob, card)\n'
    assert [(status, reason) for _, status, reason in statuses(text)] == [
        ("passed", ""),
        ("failed", "Bob cannot tell it from deal(low), where it is another"),
    ]


def test_what_is_known_is_a_condition():
    text = CARD + '\ntest "t":\n    play deal(low)\n    expect knows(Ann, card)\n'
    with pytest.raises(zermelo.InvalidGame) as refused:
        zermelo.loads(text)
    (finding,) = refused.value.findings
    assert finding.code == "type-mismatch" and "knows_value(p, e)" in finding.help
