"""``zermelo check --deep``: what it prints, its records, its exit codes, and its misuses."""

from __future__ import annotations

import json

import pytest

import zermelo
from zermelo.solvers.common.limits import Limits, ignore_progress
from zermelo.testing.mutation import validate

STUCK = """
game "Pile"
players Ann, Bob
var pile: 0..7 = 7
start at choose(Ann)
phase choose(p: Player):
    turn p:
        move take(n in 2..3) if n <= pile:
            pile -= n
            if pile == 0: end win p
            go choose(other p)
"""


def test_a_sound_game(run):
    ran = run("check", "--deep", "tic_tac_toe", "--strict")
    assert ran.code == 0
    assert "tic_tac_toe.game: no findings" in ran.out
    assert "4,520 positions with a move or draw, and their ends: all there are" in ran.out  # 5,478 less 958 ends


def test_an_error_of_the_rules(run, game_file):
    file = game_file(STUCK)
    ran = run("check", "--deep", file)
    assert ran.code == 1
    assert "error[deadlock]" in ran.out
    assert "play: take(3), take(3)" in ran.out
    assert "deadlock" in run("moves", file, "--after", "take(3), take(3)").err


def test_records(run, game_file):
    ran = run("check", "--deep", game_file(STUCK), "--json")
    finding, last = map(json.loads, ran.out.splitlines())
    assert (finding["code"], finding["play"]) == ("deadlock", ["take(3)", "take(3)"])
    assert finding["certainty"] == "a shortest play shows it"
    assert last["file"] == "test.game"
    assert last["searched"]["all"] is False
    assert [answer["code"] for answer in last["answers"]] == ["deadlock"]


def test_warnings_fail_only_if_strict(run):
    assert run("check", "--deep", "snakes_and_ladders").code == 0
    assert run("check", "--deep", "snakes_and_ladders", "--strict").code == 1


def test_a_file_with_errors_is_not_searched(run, game_file):
    ran = run("check", "--deep", game_file('game "Nobody"'))
    assert ran.code == 1
    assert "searched" not in ran.out


def test_limits(run):
    ran = run("check", "--deep", "tic_tac_toe", "--positions", "10")
    assert "the first 10 positions with a move or draw and 1,000 random plays" in ran.out
    assert "within 10 positions, sampled in 1,000 plays" in " ".join(ran.out.split())
    found = validate(zermelo.load("go"), None, Limits(0.0), ignore_progress)
    assert (found.extent.positions, found.extent.stopped) == (0, "time ran out") and found.extent.plays < 50
    assert {reply.how for reply in found.replies if "proved" in reply.how} <= {"proved by the rules"}
    ran = run("check", "--deep", "go", "--time", "0")
    assert ran.code == 1 and "out-of-time" in ran.err  # nor has the file been read


def test_a_parameter(run):
    assert "the first 1 position with" in run("check", "--deep", "nim", "-p", "heaps=2", "--positions", "1").out


@pytest.mark.parametrize("options", [("--positions", "5"), ("--time", "1"), ("--memory", "1G")])
def test_limits_of_nothing(run, options):
    ran = run("check", "nim", *options)
    assert ran.code == 2
    assert "--deep" in ran.err


COUNTING = """
game "Thirteen"
players Ann, Bob
param most: 2..3 = 3
var total: 0..16 = 0
start at count(Ann)
phase count(p: Player):
    turn p:
        move add(n in 1..most):
            total += n
            if total >= 13: end win other p
            go count(other p)
reachable end win Ann if total == 13
never total > 13
never total > 14 with most = 2
"""


def test_witnesses(run, game_file):
    file = game_file(COUNTING)
    ran = run("check", "--deep", file, "--json")
    assert ran.code == 1
    finding, last = map(json.loads, ran.out.splitlines())
    assert (finding["code"], finding["line"], finding["certainty"]) == ("false-witness", 14, "a play shows it")
    assert len(finding["play"]) == 5  # 13 = 3 + 3 + 3 + 3 + 1, and 12 + 2 is above
    asked = [each for each in last["answers"] if each["question"].startswith("Does '")]
    ends = [(each["question"], each["answer"], each["how"]) for each in asked]
    assert ends == [
        ("Does 'reachable end win Ann if total == 13' hold?", "yes", "a play shows it"),
        ("Does 'never total > 13' hold?", "no", "a play shows it"),
    ]


def test_witnesses_under_other_parameters(run, game_file):
    ran = run("check", "--deep", game_file(COUNTING), "-p", "most=2")
    assert "Does 'never total > 14 with most = 2' hold?" in ran.out
    assert ran.out.count("false-witness]") == 1


def test_witnesses_of_what_has_not_been_searched(run, game_file):
    ran = run("check", "--deep", game_file(COUNTING), "--positions", "3")
    assert ran.code == 0
    assert "not seen     within 3 positions" in ran.out
    assert "not refuted  within 3 positions" in ran.out
