"""`zermelo force`: plans as text and as JSON, and what it refuses."""

from __future__ import annotations

import json
import re

import pytest

import zermelo

SHARED = """\
game "Ten looks"
players Ann
var coin: Bool = false  hidden
start at toss
phase toss:
    chance:
        outcome heads:
            coin := true
            go look(1)
        outcome tails: go look(1)
phase look(n: 1..10):
    turn Ann:
        move wait: go next(n)
phase next(n: 1..10):
    chance:
        outcome light:
            tell Ann that light
            go after(n)
        outcome dark: go after(n)
phase after(n: 1..10):
    if n < 10: go look(n + 1)
    end payoff (if coin then 2 else 1)
"""


def test_the_plan_is_printed_as_a_tree(run):
    ran = run("force", "odd_coin", "--at-least", "1")
    assert ran.code == 0
    assert "The plan of Assayer:\nweigh(1, {1}, {2})\n  told heavier(" in ran.out
    assert "Assayer can force 1." in ran.out
    assert ran.err == ""


def test_as_json_every_branch_names_its_step(run):
    ran = run("force", "pit_cave", "--after", "dig(c2)", "--json")
    record = ran.record
    assert record["player"] == "Explorer" and record["forced"] == "1" and record["at_least"] is None
    plan = record["plan"]
    numbers = [branch["step"] for each in plan["steps"] for branch in each["branches"]]
    assert set(numbers) | {branch["step"] for branch in plan["begins"]} == set(range(len(plan["steps"])))
    assert all(branch["step"] > k for k, each in enumerate(plan["steps"]) for branch in each["branches"])
    assert {end for each in plan["steps"] for end in each["ends"]} == {"1"}


@pytest.mark.parametrize(
    ("words", "verdict"),
    [
        (["odd_coin", "-p", "weighings=1", "--at-least", "1"], "Assayer cannot force 1."),
        (["tiger"], "Seeker can force -3, and no more."),
        (["tiger", "--at-least", "-5"], "Seeker can force -5: -3 by this plan."),
        (["matching_pennies", "Even"], "Even can force -1, and no more."),
    ],
)
def test_the_verdict_says_what_can_be_forced(run, words, verdict):
    ran = run("force", *words)
    assert ran.code == 0
    assert f"verdict  {verdict}" in re.sub(r" +\n +", " ", ran.out)


def test_what_several_ways_lead_to_is_written_once(run, game_file):
    file = game_file(SHARED)
    ran = run("force", file)
    lines = ran.out.split("The plan of Ann:\n")[1].split("\n\n")[0].splitlines()
    assert sum(line.strip().endswith(")") and "go on at" in line for line in lines) == 8
    assert len(lines) == 2 * 9 + 1
    assert [line.strip() for line in lines][-1] == "go on at (1)"


def test_a_long_plan_is_cut_short_unless_all_of_it_is_asked_for(run):
    short, whole = run("force", "tiger", "-p", "steps=40").out, run("force", "tiger", "-p", "steps=40", "--all").out
    hidden = re.search(r"\.\.\. and ([\d,]+) more lines, which --all prints", short)
    assert hidden is not None
    lines = whole.split("The plan of Seeker:\n")[1].split("\n\n")[0].splitlines()
    assert len(lines) == 40 + int(hidden[1].replace(",", ""))


@pytest.mark.parametrize(
    ("words", "code", "text"),
    [
        (["kuhn_poker"], "bad-usage", "the players are Alice, Bob"),
        (["kuhn_poker", "Alise"], "unknown-player", "did you mean 'Alice'?"),
        (["wildcatter", "--after", "oil; drill"], "no-value", "the play has ended"),
        (["four_card_whist", "North"], "too-many-outcomes", ""),
    ],
)
def test_refusals_have_codes(run, words, code, text):
    ran = run("force", *words)
    assert ran.code != 0
    assert f"error[{code}]" in ran.err and text in ran.err


@pytest.mark.parametrize("amount", ["much", "1/0", "nan", "inf"])
def test_an_amount_is_a_number(run, amount):
    ran = run("force", "tiger", "--at-least", amount)
    assert ran.code == 2
    assert "is not a number such as 1, -2 or 3/2" in ran.err


# ------------------------------------------------------------------ plans of `zermelo solve`


def test_a_plan_is_a_strategy_for_other_commands(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "plan.json").write_text(run("solve", "tiger", "--json").out, encoding="utf-8")
    judged = run("exploit", "tiger", "plan.json")
    assert re.search(r"Seeker +68/25 = 2.72 +68/25 = 2.72 +0", judged.out)
    held = run("match", "tiger", "plan.json", "uniform", "--json").record
    assert "68/25" in json.dumps(held)
    played = run("match", "tiger", "--seat", "Seeker=plan.json", "--plays", "5")
    assert played.code == 0


def test_more_decisions_than_can_be_listed_are_in_the_plan_alone(run):
    record = run("solve", "tiger", "-p", "steps=40", "--json").record
    assert record["strategies"] == []
    assert len(record["plan"]["steps"]) <= record["counts"]["nodes"]


def test_a_seat_follows_the_plan(run):
    first, second = (run("match", "wildcatter", "--seat", "Wildcatter=best", "--plays", "30") for _ in range(2))
    assert first.code == 0
    assert first.out.split("time")[0] == second.out.split("time")[0]


def test_the_plan_is_verified_by_all_histories(run):
    ran = run("solve", "tiger", "--verify")
    assert "by the best of all plans over all 489 histories: none brings more" in re.sub(r"\s+", " ", ran.out)


def test_in_python():
    found = zermelo.force(zermelo.load("vacuum").initial, "Cleaner", 1)
    assert found.amount == 1
    assert [str(step.move) for step in found.plan.steps] == ["left", "suck", "right", "suck"]
    assert all(step.possible == possible for step, possible in zip(found.plan.steps, (8, 4, 2, 2), strict=True))
