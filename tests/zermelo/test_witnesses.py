"""Witnesses of files, ``reachable`` and ``never``, checked by ``zermelo test``."""

from __future__ import annotations

import pytest
from judged_lines import STONES, statuses

import zermelo
from zermelo.testing.expectations import run_expectations

ALL_SEARCHED = "no play comes to it; searched: {} positions with a move or draw, and their ends: all there are"


@pytest.mark.parametrize(
    ("said", "status", "reason"),
    [
        ("reachable end win Bob", "passed", "after take(1), take(2), take(2), take(2)"),
        ("reachable left == 7", "passed", "at the beginning"),
        ("never left == 1", "failed", "after take(2), take(2), take(2)"),
        ("never left == 7 with stones = 6", "passed", ALL_SEARCHED.format(10)),
        ("reachable end draw", "failed", ALL_SEARCHED.format(12)),
        ("never end draw", "passed", ALL_SEARCHED.format(12)),
        ("never 2 / (left - 3) > 9", "failed", "<text>:13: this divides by 0 (after take(2), take(2))"),
    ],
)
def test_witnesses(said, status, reason):
    """A witness, with a shortest play: an end needs four moves at least, and Bob wins if there is an even number."""
    assert statuses(f"{STONES}{said}\n") == [(said, status, reason)]


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        ("expect in play", ""),
        ("expect in play if p == Bob and left == 5", ""),
        ("expect in play if p == Ann", "Bob is to move"),
        ("expect end", "Bob is to move"),
        ("play take(2), take(2), take(1)\n    expect end win Bob", ""),
        ("play take(2), take(2), take(1)\n    expect end if left > 0", "the play has ended: Ann -1, Bob 1"),
        ("play take(2), take(2), take(1)\n    expect end draw", "the play has ended: Ann -1, Bob 1"),
        ("play take(2), take(2), take(1)\n    expect in play", "the play has ended: Ann -1, Bob 1"),
    ],
)
def test_events(said, reason):
    """Where the play is when a test has been played: with seven stones, Ann has taken two."""
    ((*_, status, found),) = statuses(f'{STONES}test "t":\n    play take(2)\n    {said}\n')
    assert (status, found) == ("failed" if reason else "passed", reason)


def test_an_end_that_pays_something_else_than_the_play_has_brought():
    """The amounts of the play are those expected of its end, which pays nothing."""
    text = """\
game "Earned"
players Ann, Bob
{}
start at take
phase take:
    turn Ann:
        move take:
            earn Ann: 2
            end{}
test "t":
    play take
    {}
"""
    said = "an event is about what the end pays alone"
    for header, paid, expected, reason in (
        ("", "", "expect end payoff (2, 0)", f"the play has ended: Ann 2, Bob 0; {said}"),
        ("", "", "expect end payoff (0, 0)", ""),
        ("discount 1/2", " payoff (1, 0)", "expect end payoff (3, 0)", f"the play has ended: Ann 3, Bob 0; {said}"),
        ("", "", "expect in take", "the play has ended: Ann 2, Bob 0"),
    ):
        ((*_, found),) = statuses(text.format(header, paid, expected))
        assert found == reason


def test_witnesses_that_stay_open():
    """More than 200,000 positions, those with an even number of moves are Ann's: the line is open, and no failure."""
    text = """\
game "Long"
players Ann, Bob
var at[1..2]: 0..999 = 0
start at walk(Ann)
phase walk(p: Player):
    turn p:
        move step(n in 1..2) if at[n] < 999:
            at[n] += 1
            go walk(other p)
        move stop if at[1] == 999: end win p
    otherwise: end draw
never at[1] == 999
reachable at[2] == 3
"""
    never, reachable = run_expectations(zermelo.loads(text))
    assert never.status.value == "open" and not never.is_bad
    assert never.reason == "no play comes to it; searched: the first 200,000 positions with a move or draw"
    assert reachable.status.value == "passed"
    assert list(map(str, reachable.play)) == ["step(2)"] * 3
