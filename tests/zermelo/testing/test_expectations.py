"""Expectations and tests of files, checked by ``zermelo test``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from judged_lines import CARD, STONES, statuses
from small_games import HIDDEN_AND_ENDLESS

import zermelo
from zermelo.game import State
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.checks.game_facts import choices_at
from zermelo.solvers.common.limits import Limits
from zermelo.testing.expectations import counterexample, doubt, indistinguishable_states, run_expectations

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
    assert [found[1:] for found in statuses(text)] == [
        ("passed", ""),
        ("passed", ""),
        ("failed", "Ann does better with outside: 3/4 instead of -1"),
    ]


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


# Claims of files, checked by ``zermelo test`` and shown by ``zermelo show``.


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


def test_a_value_is_found_within_the_memory_of_the_question():
    _, scarce, *_ = run_expectations(zermelo.load("kuhn_poker"), limits=Limits(memory=1 << 16))
    assert (scarce.status.value, "64K" in scarce.reason) == ("skipped", True)
    _, ample, *_ = run_expectations(zermelo.load("kuhn_poker"), limits=Limits(memory=1 << 20))
    assert ample.status.value == "passed"


def test_show_judges_a_claim_by_the_positions_it_counts(run):
    path = str(TRIAL / "proofs" / "15_clobber_ends.game")
    (claim,) = json.loads(run("show", path, "--json").out)["claims"]
    assert claim["holds"] is None
    (claim,) = json.loads(run("show", path, "--positions", "--json").out)["claims"]
    assert claim["holds"] is True


# What a test of a file expects players to know.


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


# What players know, compared with an enumeration of all plays.


HIDDEN = """\
game "Hidden moves"
players Ann, Bob
var coin: Bool = false   hidden
var pot: 0..9 = 0
var turns: 0..9 = 0   hidden
endless draw
start at toss
phase toss:
    chance:
        outcome heads prob 1/3:
            coin := true
            go first(turns)
        outcome tails prob 2/3: go first(turns)
phase first(secret n: 0..9):
    let old = pot
    turn Ann:
        move quiet secret:
            turns := min(turns + 1, 9)
            go second(old)
        move loud:
            pot := min(pot + 1, 9)
            go draw
phase draw:
    chance:
        outcome more:
            pot := min(pot + 1, 9)
            tell Bob that up
            go second(0)
        outcome less: go second(1)
phase second(secret before: 0..9):
    turn Bob:
        move stop: end win Ann
        move on(secret b in Bool) if pot < 3: go first(before)

test "asked":
    play tails, quiet
    expect knows(Ann, turns == 1)
    expect knows(Ann, coin)
    expect knows(Bob, pot == 0)
    expect knows(Ann, pot + turns < 3)
    expect knows(Bob, turns > 0)
"""


def all_states(game: zermelo.Game, most: int) -> list[State]:
    """Every state of every play of at most so many moves and draws."""
    found = [game.initial]
    for state in found:
        if len(state.play) < most:
            found += [state.after(move) for move in choices_at(game.machine, state.machine_state)]
    return found


@pytest.mark.parametrize("machine", ["reference", "auto"])
@pytest.mark.parametrize("text", [HIDDEN])
def test_knowledge_is_what_holds_in_all_plays_that_look_the_same(text, machine):
    game = zermelo.loads(text).on(machine)
    (asked,) = game.model.tests
    lines = [line for line in asked.lines if hasattr(line, "condition")]
    every = all_states(game, 7)
    looks = {
        player: [(tuple(state.information_state(player)), state.actor == zermelo.CHANCE) for state in every]
        for player in game.players
    }
    values = [[game.machine.evaluate(state.machine_state, line.condition) for state in every] for line in lines]
    answers, compared = set(), 0
    for here, state in enumerate(every):
        if len(state.play) > 4:
            break
        for player, seen in looks.items():
            known, is_draw = seen[here]
            same = [k for k, (other, draws) in enumerate(seen) if other == known and (is_draw or not draws)]
            met = {other.play for other in indistinguishable_states(state, player, Limits())}
            assert {every[k].play for k in same} <= met
            for line, value in zip(lines, values, strict=True):
                found = {value[k] for k in same}
                if counterexample(state, player, line.condition, Limits()) is None:
                    assert found == {True}
                if doubt(state, player, line.condition, Limits()) is None:
                    assert len(found) == 1
                if len(met) == len(same):  # no play of greater length looks the same
                    compared += 1
                    assert (counterexample(state, player, line.condition, Limits()) is None) == (found == {True})
                    assert (doubt(state, player, line.condition, Limits()) is None) == (len(found) == 1)
                answers.add((found == {True}, len(found) == 1))
    assert compared > 100
    assert answers == {(True, True), (False, True), (False, False)}


def test_what_a_player_knows_is_asked_within_memory():
    state = zermelo.load("goofspiel", cards=6).initial
    for number in range(8):  # One bids the highest card, and Two a card unknown to One
        state = state.after(state.moves[number % 2 - 1])
    assert len(list(indistinguishable_states(state, "One", Limits()))) > 1
    with pytest.raises(ZermeloError) as refused:
        list(indistinguishable_states(state, "One", Limits(memory=4 << 10)))
    assert refused.value.code == "out-of-memory"
