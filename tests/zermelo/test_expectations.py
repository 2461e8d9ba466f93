"""Claims, expectations and tests of files, checked by ``zermelo test``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from small_games import HIDDEN_AND_ENDLESS

import zermelo
from zermelo.expectations import run_expectations
from zermelo.solvers.common.limits import Limits

TRIAL = Path(__file__).parents[1] / "trial"

STONES = """\
game "Stones"
param stones: 1..9 = 7
players Ann, Bob
var left: 0..stones = stones
start at play(Ann)
phase play(p: Player):
    turn p:
        move take(n in 1..2) if n <= left:
            left -= n
            go play(other p)
    otherwise:
        end win other p
"""

CARD = """\
game "A card"
players Ann, Bob
type Card = low | high
var card: Card   seen by Ann
var shown: Bool = false
start at deal
phase deal:
    chance:
        outcome deal(c in Card):
            card := c
            go bet
phase bet:
    turn Ann:
        move show:
            shown := true
            tell Bob that card_is(card)
            go guess
        move hide: go guess
phase guess:
    turn Bob:
        move guess(c in Card): end payoff (if c == card then -1 else 1, if c == card then 1 else -1)
"""

TABLE = """\
game "Meeting"
players Ann, Bob
table:
    Ann \\ Bob | opera | football
    opera     | 2, 1  | 0, 0
    football  | 0, 0  | 1, 2
"""


ALL_SEARCHED = "no play comes to it; searched: {} positions with a move or draw, and their ends: all there are"


def statuses(text: str) -> list[tuple[str, str, str]]:
    """The result of each line of a file: its text, the status, and the reason."""
    return [(result.said, result.status.value, result.reason) for result in run_expectations(zermelo.loads(text))]


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


@pytest.mark.parametrize(
    ("said", "status", "reason"),
    [
        ("expect value == (1, -1)", "passed", ""),
        ("expect value == 1", "passed", ""),
        ("expect value == (-1, 1)", "failed", "the value is (1, -1)"),
        ("expect value == (-1, 1) with stones = 6", "passed", ""),
        ("expect value == (1/2, -1/2) within 1/2", "passed", ""),
        ("expect value == (1/2, -1/2) within 1/3", "failed", "the value is (1, -1)"),
        ("expect best == take(1)", "passed", ""),
        ("expect best == take(2)", "failed", "it gives Ann -1, the best move 1"),
        ("expect best == take(2) with stones = 6", "passed", ""),
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
    ],
)
def test_knowledge(lines, status):
    text = CARD + '\ntest "what they know":\n' + "".join(f"    {line}\n" for line in lines)
    assert [result.status.value for result in run_expectations(zermelo.loads(text))] == [status]


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


def test_what_is_known_is_a_condition():
    text = CARD + '\ntest "t":\n    play deal(low)\n    expect knows(Ann, card)\n'
    with pytest.raises(zermelo.InvalidGame) as refused:
        zermelo.loads(text)
    (finding,) = refused.value.findings
    assert finding.code == "type-mismatch" and "knows_value(p, e)" in finding.help


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


def test_the_command_shows_what_failed(run, game_file):
    ran = run("test", game_file(f"{STONES}\nexpect value == (1, -1)\nexpect plays(1) == 3\n"))
    assert (ran.code, ran.err) == (1, "")
    assert ran.out.splitlines() == [
        "passed   expect value == (1, -1)",
        "failed   expect plays(1) == 3",
        "  --> test.game:15:1",
        "   |",
        "15 | expect plays(1) == 3",
        "   | ^^^^^^^^^^^^^^^^^^^^ there are 2",
        "",
        "1 passed, 1 failed.",
    ]


def test_the_command_is_content_where_all_holds(run, game_file):
    ran = run("test", game_file(f'{STONES}\ntest "a":\n    play take(1)\n    expect left == 6\n'))
    assert (ran.code, ran.out) == (0, "passed   a: expect left == 6\n\n1 passed.\n")
    assert run("test", game_file(STONES)).out.startswith("There is nothing to test")


def test_the_command_as_json(run, game_file):
    ran = run("test", game_file(f"{STONES}\nexpect positions == 1\n"), "--json")
    assert ran.code == 1
    (result,) = ran.record["results"]
    assert result.pop("seconds") >= 0
    assert result == {
        "said": "expect positions == 1",
        "test": "",
        "play": None,
        "status": "failed",
        "reason": "there are 14",
        "line": 14,
        "column": 1,
    }


def test_an_open_claim_is_no_failure(run, game_file):
    ran = run("test", game_file(STONES.replace("players Ann, Bob", "players Ann, Bob\nclaim symmetric")))
    assert ran.code == 0 and ran.out.startswith("open     claim symmetric (") and ran.out.endswith("\n1 open.\n")


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
