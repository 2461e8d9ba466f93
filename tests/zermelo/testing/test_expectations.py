"""Expectations and tests of files, checked by ``zermelo test``."""

from __future__ import annotations

import pytest
from judged_lines import CARD, STONES, statuses
from small_games import HIDDEN_AND_ENDLESS

import zermelo
from zermelo.testing.expectations import run_expectations

TABLE = """\
game "Meeting"
players Ann, Bob
table:
    Ann \\ Bob | opera | football
    opera     | 2, 1  | 0, 0
    football  | 0, 0  | 1, 2
"""


@pytest.mark.parametrize(
    ("said", "status", "reason"),
    [
        ("expect value == (1, -1)", "passed", ""),
        ("expect value == 1", "passed", ""),
        ("expect value == (-1, 1)", "failed", "the value is (1, -1)"),
        ("expect value == (-1, 1) with stones = 6", "passed", ""),
        ("expect value == (1/2, -1/2) within 1/2", "passed", ""),
        ("expect value == (1/2, -1/2) within 1/3", "failed", "the value is (1, -1)"),
        ("expect value == (stones - 7, 7 - stones) with stones = 6", "passed", ""),
        ("expect positions == 2 * stones with stones = 6", "passed", ""),
        ("expect positions == 2 * stone with stones = 6", "failed", "there is no name 'stone'"),
        ("expect value == (1, -1) with stones = 99", "skipped", "<text>:2: the parameter 'stones' cannot be 99"),
        ("expect best == take(1)", "passed", ""),
        ("expect best == take(2)", "failed", "it gives Ann -1, the best move 1"),
        ("expect best == take(2) with stones = 6", "passed", ""),
        ("expect best == take(9)", "failed", "'n' cannot be 9 here, only 1, 2"),
        ("expect best == grab(1)", "failed", "there is no move 'grab' here: Ann is to move in phase 'play'"),
        ("expect positions == 15", "failed", "there are 14"),
        ("expect positions == 14", "passed", ""),
        ("expect plays(3) == 8", "passed", ""),
        ("expect plays(3) == 9", "failed", "there are 8"),
    ],
)
def test_expectations(said, status, reason):
    assert statuses(f"{STONES}\n{said}\n") == [(said, status, reason)]


@pytest.mark.parametrize(
    ("said", "status", "reason"),
    [
        ("expect illegal take(3)", "passed", ""),
        ("expect illegal take(2)", "failed", "this move is legal"),
        ("expect left == 7", "passed", ""),
        ("expect left == 6", "failed", "it does not hold"),
    ],
)
def test_expectations_of_a_test(said, status, reason):
    assert statuses(f'{STONES}\ntest "at the beginning":\n    {said}\n') == [(said, status, reason)]


def test_information_sets():
    assert statuses(f"{CARD}\nexpect information_sets == 5\n")[0][1] == "passed"
    assert statuses(f"{CARD}\nexpect information_sets == 6\n")[0][1:] == ("failed", "there are 5")


@pytest.mark.parametrize(
    ("said", "status", "reason"),
    [
        ("expect equilibrium (opera, opera)", "passed", ""),
        ("expect equilibrium (football, football)", "passed", ""),
        ("expect equilibrium (opera, football)", "failed", "Ann does better with football: 1 instead of 0"),
        ("expect equilibrium (football, opera)", "failed", "Ann does better with opera: 2 instead of 0"),
    ],
)
def test_equilibria(said, status, reason):
    assert statuses(f"{TABLE}\n{said}\n") == [(said, status, reason)]


def test_an_equilibrium_of_a_game_in_turns_is_not_checked():
    text = STONES + "\nexpect equilibrium (take(1), take(1))\n"
    assert statuses(text)[0][1:] == (
        "skipped",
        "an equilibrium is checked only if everybody chooses once and unseen, but Ann chooses in several situations",
    )


def test_an_equilibrium_over_a_draw_of_chance():
    text = """\
game "Weather"
players Ann, Bob
var wet: Bool = false   hidden
start at sky
phase sky:
    chance:
        outcome rain prob 1/4:
            wet := true
            go meet
        outcome sun prob 3/4: go meet
phase meet:
    together:
        move inside
        move outside
    then:
        let same = inside[Ann] == inside[Bob]
        let liked = if wet == inside[Ann] then 1 else 0
        end payoff {p: (if same then liked else -1) for p in Player}

expect equilibrium (outside, outside)
expect equilibrium (inside, inside)
expect equilibrium (inside, outside)
"""
    assert [status for _, status, _ in statuses(text)] == ["passed", "passed", "failed"]


def test_a_test_goes_on_playing():
    text = (
        STONES
        + """
test "taking":
    play take(2), take(1)
    expect left == 4
    play take(2)
    expect left == 2
    expect illegal take(3)
"""
    )
    results = list(run_expectations(zermelo.loads(text)))
    assert [result.status.value for result in results] == ["passed"] * 3
    assert {result.test for result in results} == {"taking"}


def test_a_test_ends_with_a_move_that_is_not_legal():
    text = STONES + '\ntest "t":\n    play take(2), take(3)\n    expect left == 2\n'
    (said, status, reason) = statuses(text)[0]
    assert (said, status) == ("play take(3)", "failed") and reason
    assert len(statuses(text)) == 1


def test_a_move_that_comes_after_the_end_is_a_mistake():
    text = STONES.replace("1..9", "0..9") + "\nexpect best == take(1) with stones = 0\n"
    ((_, status, reason),) = statuses(text)
    assert (status, reason) == ("failed", "the play has ended; 'take' comes too late")


def test_what_cannot_be_run_says_so():
    ((_, status, reason),) = statuses(HIDDEN_AND_ENDLESS + "\nexpect value == (0, 0)\n")
    assert status == "skipped" and "are for games whose plays all end" in reason
    text = """\
game "x"
players A
tree:
    chance:
        1/2 l: A:
            a: 1
            b: 0
        1/2 r: A:
            a: 0
            b: 1

expect best == a
"""
    reason = "chance acts first, and the best first move may depend on what it does"
    assert statuses(text)[0][1:] == ("skipped", reason)


def test_where_nobody_moves_no_move_is_best():
    toss = 'game "x"\nplayers A, B\ntree:\n    chance:\n        1/2 l: (1, -1)\n        1/2 r: (-1, 1)\n\n'
    assert statuses(f"{toss}expect best == l\n") == [("expect best == l", "skipped", "chance alone decides this game")]


def test_the_best_first_move_of_one_who_has_seen_nothing_of_chance():
    text = """\
game "Umbrella"
players A
tree:
    chance:
        1/3 rain: A @home:
            take: -1
            leave: -6
        2/3 sun: A @home:
            take: -1
            leave: 0

expect best == take
expect best == leave
"""
    assert [found[1:] for found in statuses(text)] == [
        ("passed", ""),
        ("failed", "it gives A -2, the best move -1"),
    ]


def test_a_move_that_an_equilibrium_mixes_in_is_best_and_one_that_is_no_best_reply_is_not():
    text = """\
game "Guess"
players Ann, Bob
tree:
    chance:
        1/2 l: Ann @start:
            heads: Bob @guess:
                heads: 1
                tails: -1
            tails: Bob @guess:
                heads: -1
                tails: 1
            give_up: -2
        1/2 r: Ann @start:
            heads: Bob @guess:
                heads: 1
                tails: -1
            tails: Bob @guess:
                heads: -1
                tails: 1
            give_up: -2

expect best == heads
expect best == give_up
"""
    assert [found[1:] for found in statuses(text)] == [
        ("passed", ""),
        ("failed", "it gives Ann -2, the best move 0"),
    ]
