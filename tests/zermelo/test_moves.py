"""``zermelo moves``."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from math import inf
from pathlib import Path

import pytest

import zermelo
from zermelo import gamedefs
from zermelo.cli import main
from zermelo.interpreter.reference.why_not import split_play
from zermelo.solutions.page import plan_lines, strategies_of_plan


def test_moves(run):
    ran = run("moves", "tic_tac_toe", "--after", "mark(b2); mark( a1 );")
    assert ran.code == 0
    assert ran.out == (
        "Tic-tac-toe (size = 3)\n\n"
        "after  mark(b2), mark(a1)\n"
        "now    X is to move\n"
        "moves  mark(b1), mark(c1), mark(a2), mark(c2), mark(a3), mark(b3), mark(c3)\n\n"
        "everybody sees:\n3 . . .\n2 . X .\n1 O . .\n  a b c\n"
    )


def test_moves_with_hidden_things(run):
    ran = run("moves", "kuhn_poker", "--after", "deal(J, Q); check")
    assert ran.out.endswith(
        "Alice sees:\nhand[Alice] = J\nand knows of Alice: check\n\n"
        "Bob sees:\nhand[Bob] = Q\nand knows of Alice: check\n"
    )
    chosen = run("moves", "rock_paper_scissors", "--after", "show(rock)").out
    assert "One sees:\nnone of the variables\nand knows of One: show(rock)\n" in chosen
    assert chosen.endswith("Two sees:\nnone of the variables\n")


def test_moves_of_chance(run):
    ran = run("moves", "kuhn_poker")
    assert "now       chance is to draw" in ran.out and "each with probability 1/6: deal(J, Q), " in ran.out
    record = run("moves", "kuhn_poker", "--json").record
    assert record["actor"] == "chance" and record["moves"] == []
    assert record["outcomes"][0] == {"outcome": "deal(J, Q)", "probability": "1/6"}


def test_moves_of_chance_that_are_too_many_to_list(run):
    shown = run("moves", "four_card_whist").out
    assert "outcomes  736,281,000, such as deal({" in shown
    assert shown == run("moves", "four_card_whist").out != run("moves", "four_card_whist", "--seed", "5").out
    record = run("moves", "four_card_whist", "--json").record
    assert record["outcomes"] is None
    assert record["too_many"]["count"] == 736_281_000
    drawn = run("moves", "four_card_whist", "--after", record["too_many"]["example"])
    assert "now    North is to move" in drawn.out
    assert "736,281,000 outcomes" in run("solve", "four_card_whist").err


def test_moves_of_chance_that_nobody_counts(run, tmp_path):
    whist = gamedefs.path("four_card_whist").read_text(encoding="utf-8")
    path = tmp_path / "a_nine.game"
    path.write_text(whist.replace("h, each)):", "h, each)) if some c in h: c.rank == nine:"), encoding="utf-8")
    assert "outcomes  too many to list, such as deal({" in run("moves", str(path)).out
    assert run("moves", str(path), "--json").record["too_many"]["count"] is None


def test_moves_at_the_end(run):
    words = ["moves", "two_ply_tree", "--after", "A1; A12"]
    assert "now    the play has ended: MAX 12, MIN -12" in run(*words).out
    record = run(*words, "--json").record
    assert record["actor"] is None and record["payoff"] == {"MAX": "12", "MIN": "-12"}


def test_moves_as_json(run):
    record = run("moves", "kuhn_poker", "--after", "deal(J, Q); check", "--json").record
    assert record["play"] == ["deal(J, Q)", "check"]
    assert (record["actor"], record["moves"], record["payoff"]) == ("Bob", ["check", "bet"], None)
    assert record["views"]["Bob"] == [{"variable": "hand", "indices": ["Bob"], "value": "Q"}]
    assert record["information"]["Bob"] == ["hand[Bob] = Q", "Alice: check", "to decide: reply"]


def test_an_illegal_move_is_shown_with_the_rule(run):
    ran = run("moves", "tic_tac_toe", "--after", "mark(b2); mark(b2)")
    assert ran.code == 1 and ran.out == ""
    assert ran.err.startswith("error[illegal-move]: ") and "= play: mark(b2)" in ran.err
    assert "move mark(c in Cell) if board[c] is none:" in ran.err


def test_a_card_that_another_has_replaced_is_not_forgotten(run):
    file = str(Path(__file__).parents[1] / "trial" / "strategies" / "hidden_twice.game")
    printed = run("moves", file, "--after", "deal(2, 1); change; drawn(3)").out
    assert "hand[Ann] = 3\nand knows of hand[Ann] = 2, Ann: change\n" in printed
    assert printed.endswith("hand[Bob] = 1\nand knows of Ann: change\n")


TOSS = """\
game "Toss"
players Ann, Bob
start at toss
phase toss:
    chance:
        outcome heads: go guess(1)
        outcome tails: go guess(2)
phase guess(secret n: 1..2):
    turn Ann:
        move say(k in 1..2): end win if k == n then Ann else Bob
"""


def test_positions_that_no_variable_tells_apart_are_told_apart_by_their_plays(run, game_file):
    printed = run("moves", game_file(TOSS), "--after", "tails", "--believe", "Ann").out
    rows = [re.split("  +", line) for line in printed.split("Ann believes:\n")[1].splitlines()[:3]]
    assert rows == [["probability", "after"], ["1/2 = 0.5", "heads"], ["1/2 = 0.5", "tails"]]


@pytest.mark.parametrize(("count", "heads"), [(6, ["v1", "v2", "v3", "v4", "v5", "v6"]), (7, ["v1", "v3"])])
def test_many_columns_of_a_belief_say_nothing_twice(run, game_file, count, heads):
    """The first two say the same, and so do all others, which say more."""
    names = [f"v{k}" for k in range(1, count + 1)]
    lines = [f"            {name} := {'n' if k > 1 else 'if n > 2 then 2 else 1'}" for k, name in enumerate(names)]
    text = (
        'game "Hidden"\nplayers Ann, Bob\n'
        + "".join(f"var {name}: 0..4 = 0   hidden\n" for name in names)
        + "start at hide\nphase hide:\n    chance:\n        outcome hide(n in 1..4):\n"
        + "\n".join(lines)
        + "\n            go seek\nphase seek:\n    turn Ann:\n        move stop: end win if v1 == 1 then Ann else Bob\n"
    )
    printed = run("moves", game_file(text), "--after", "hide(3)", "--believe", "Ann").out
    head = printed.split("Ann believes:\n")[1].splitlines()[0].split()
    assert head == ["probability", *heads]


SEEK = """\
game "Hide and seek"
players Ann, Bob
var spot: 1..30 = 1   hidden
start at hide
phase hide:
    chance:
        outcome hide(n in 1..{spots}):
            spot := n
            go seek
phase seek:
    turn Ann:
        move seek(n in 1..{spots}): end win if n == spot then Ann else Bob
"""


@pytest.mark.parametrize(
    ("spots", "rest"),
    [(20, []), (22, ["... and 2 positions that are less probable; `zermelo moves --json` has them"])],
)
def test_up_to_twenty_positions_of_a_belief_are_printed(run, game_file, spots, rest):
    file = game_file(SEEK.replace("{spots}", f"{spots}"))
    printed = run("moves", file, "--after", "hide(3)", "--believe", "Ann").out.splitlines()
    assert sum(line.startswith(f"1/{spots} ") for line in printed) == 20
    assert [line for line in printed if line.startswith("...")] == rest


# ``--after``: every command that takes a game begins after a play, written as the commands print it.


GOOFSPIEL = ["goofspiel", "-p", "open=true", "-p", "cards=3"]


@pytest.mark.parametrize(
    ("text", "moves"),
    [
        ("", []),
        (" ; , ", []),
        ("mark(b2)", ["mark(b2)"]),
        ("mark(b2); mark( a1 );", ["mark(b2)", "mark(a1)"]),
        ("mark(b2), mark(a1), pass", ["mark(b2)", "mark(a1)", "pass"]),
        ("deal((J, hearts)), deal((K, spades)); raise", ["deal((J,hearts))", "deal((K,spades))", "raise"]),
        ("keep({1, 2}), go({(a1, b1), (a2, b2)}, none)\n, stop", ["keep({1,2})", "go({(a1,b1),(a2,b2)},none)", "stop"]),
        ("mark(b2; mark(a1), mark(c3)", ["mark(b2", "mark(a1)", "mark(c3)"]),
    ],
)
def test_commas_and_semicolons_outside_brackets_end_a_move(text, moves):
    assert split_play(text) == moves


@pytest.mark.parametrize(
    "words",
    [
        ["solve", "tic_tac_toe"],
        ["compare", "tic_tac_toe"],
        ["moves", "tic_tac_toe"],
        ["plays", "tic_tac_toe", "2"],
        ["random", "tic_tac_toe", "--plays", "10"],
        ["play", "tic_tac_toe", "--seat", "X=random", "--seat", "O=random", "--seed", "1"],
        ["equilibria", "tic_tac_toe"],
        ["correlated", "tic_tac_toe"],
        ["exploit", "tic_tac_toe", "uniform"],
        ["match", "tic_tac_toe", "uniform"],
    ],
    ids=lambda words: words[0],
)
def test_every_command_begins_there(run, words):
    """Two squares are left."""
    play = ["mark(b2)", "mark(a1)", "mark(b1)", "mark(b3)", "mark(c1)", "mark(a3)", "mark(a2)"]
    here = run(*words, "--after", ", ".join(play))
    there = run(*words, "--after", "; ".join(play))
    assert (here.code, here.err) == (there.code, there.err) == (0, "")
    if "time" not in here.out:
        assert here.out == there.out
    whole = run(*words, "--after", "mark(b2), mark(b2)")
    assert whole.code and "error[illegal-move]" in whole.err


def test_plays_are_counted_from_there(run):
    """600 of the 8,902 plays of three moves at chess begin with 1. e4 (the published counts by first move)."""
    assert run("plays", "chess", "2", "--after", "go_to(e2, e4)").out == "600\n"
    record = run("plays", "chess", "2", "--after", "go_to(e2, e4)", "--json").record
    assert (record["after"], record["plays"]) == (["go_to(e2, e4)"], 600)


@pytest.mark.parametrize("machine", ["native", "python", "reference"])
def test_random_plays_begin_there(run, machine):
    """One square is left, and nobody wins by it."""
    play = "mark(b2), mark(a1), mark(b1), mark(b3), mark(a2), mark(c2), mark(c1), mark(a3)"
    record = run("random", "tic_tac_toe", "--after", play, "--plays", "20", "--machine", machine, "--json").record
    assert (record["shortest"], record["longest"]) == (1, 1)
    assert record["mean_payoffs"] == {"X": "0", "O": "0"}
    assert record["after"] == play.split(", ")


def test_what_was_earned_before_counts(run, tmp_path):
    path = tmp_path / "earning.game"
    path.write_text(
        'game "Earning"\nplayers Ann\nvar left: 0..3 = 3\nstart at take\nphase take:\n    turn Ann:\n'
        "        move one if left > 0:\n            left -= 1\n            earn Ann: 1\n            go take\n"
        "    otherwise:\n        end\n"
    )
    for machine in ("native", "reference"):
        words = [str(path), "--after", "one", "--machine", machine, "--json"]
        assert run("random", *words, "--plays", "5").record["mean_payoffs"] == {"Ann": "3"}
        assert run("solve", *words).record["value"] == {"Ann": "3"}


def test_history_counts(run, tmp_path):
    """The third time a position comes ends the play, also if it came twice before the play goes on at random."""
    path = tmp_path / "to_and_fro.game"
    path.write_text(
        'game "To and fro"\nplayers Ann\nvar at: Bool = false\nstart at go_on\nphase go_on:\n'
        "    if repetitions(at) == 3: end win Ann\n    turn Ann:\n        move step:\n"
        "            at := not at\n            go go_on\n"
    )
    for machine in ("native", "python", "reference"):
        words = [str(path), "--after", "step, step, step", "--machine", machine, "--json"]
        record = run("random", *words, "--plays", "3").record
        assert (record["shortest"], record["longest"]) == (1, 1)


def test_tables_are_made_of_what_is_left(run):
    """With everything open, what is left of a round of goofspiel is a game of its own: to its value both agree."""
    after = ["--after", "bid(1), bid(2)"]
    table = run("equilibria", *GOOFSPIEL, *after, "--json").record
    solved = run("solve", *GOOFSPIEL, *after, "--json").record
    assert {tuple(found["payoff"].values()) for found in table["equilibria"]} == {tuple(solved["value"].values())}
    assert table["after"] == ["bid(1)", "bid(2)"]
    by_tree = run("solve", *GOOFSPIEL, *after, "--solver", "sequence_form", "--json").record
    assert by_tree["value"] == solved["value"]


def test_strategies_of_the_whole_game_serve_for_what_is_left(run, tmp_path):
    whole = run("solve", *GOOFSPIEL, "--solver", "cfr", "--iterations", "20", "--json").out
    path = tmp_path / "strategies.json"
    path.write_text(whole)
    for command in ("exploit", "match"):
        ran = run(command, *GOOFSPIEL, str(path), "--after", "bid(3), bid(3)")
        assert (ran.code, ran.err) == (0, "")
        assert "after  bid(3), bid(3)" in ran.out
    path.write_text(whole.replace('"bid(1)"', '"bid(7)"'))
    assert "error[bad-strategy]" in run("exploit", *GOOFSPIEL, str(path), "--after", "bid(3), bid(3)").err


@pytest.mark.parametrize(
    "command", [["equilibria"], ["correlated"], ["exploit", "uniform"], ["solve", "--solver", "sequence_form"]]
)
def test_what_is_left_of_a_hidden_game_is_no_game(run, command):
    name, *rest = command
    ran = run(name, "kuhn_poker", *rest, "--after", "deal(J, Q), check")
    assert ran.code == 1 and "error[no-value]" in ran.err
    ran = run(name, *GOOFSPIEL, *rest, "--after", "bid(1)")
    assert ran.code == 1 and "somebody has chosen already" in ran.err


def test_a_play_printed_without_its_middle_is_refused(run):
    ran = run("solve", "tic_tac_toe", "--after", "mark(b2), ... 3 more ..., mark(a1)")
    assert ran.code == 2 and "printed without its middle" in ran.err


def test_the_play_is_printed_whole_and_taken_again(run):
    play = ", ".join(["take(1)"] * 14)
    printed = run("solve", "subtraction_game", "-p", "pile=20", "--after", play).out
    after = " ".join(printed.partition("\nafter ")[2].partition("\n\n")[0].split())
    assert after == play
    assert run("moves", "subtraction_game", "-p", "pile=20", "--after", after).code == 0


# Estimates, features and weights, on the command line and in Python.


PLAYED = ["moves", "tic_tac_toe", "--after", "mark(b2); mark(a1)"]


def test_an_estimate_is_shown_with_what_it_is_made_of(capsys):
    assert main([*PLAYED, "--estimate", "--weight", "open_lines=1/2"]) == 0
    rows = [line.split() for line in capsys.readouterr().out.splitlines()[-3:]]
    assert rows == [["feature", "weight", "X", "O"], ["open_lines", "1/2", "1", "-1"], ["estimate", "1/2", "-1/2"]]


def test_the_same_as_json(capsys):
    assert main([*PLAYED, "--estimate", "--json"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert record["estimate"] == {"X": "1/9", "O": "-1/9"}
    assert record["features"] == [{"feature": "open_lines", "weight": "1/9", "values": {"X": "1", "O": "-1"}}]


def test_an_estimate_without_features_is_one_line(capsys):
    assert main(["moves", "horizon_effect", "--estimate"]) == 0
    assert capsys.readouterr().out.splitlines()[-1].split() == ["estimate", "2", "-2"]


def test_a_file_without_an_estimate_says_so(capsys):
    assert main(["moves", "nim", "--estimate"]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "The file has no estimate."


def test_show_lists_the_weights(capsys):
    assert main(["show", "chess", "--json", "--weight", "mobility=0"]) == 0
    assert json.loads(capsys.readouterr().out)["weights"] == {"material": "1/200", "mobility": "0"}


@pytest.mark.parametrize("weight", ["opne_lines=1", "open_lines=x"])
def test_a_wrong_weight_is_misuse(weight, capsys):
    assert main([*PLAYED, "--weight", weight]) == 2
    assert "open_lines" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["tic_tac_toe", "connect_four", "othello", "checkers", "chess", "breakthrough"])
def test_no_estimate_of_a_bundled_game_is_worth_a_win(name):
    """With the most men that one side can have: the weighted sum of the largest features."""
    most = {
        "tic_tac_toe": {"open_lines": 8},
        "connect_four": {"open_lines": 69, "threats": 69},
        "othello": {"corners": 4, "mobility": 60},
        "checkers": {"material": 18, "back_row": 4, "mobility": 12, "centre": 4, "advance": 72},
        "chess": {"material": 9 * 9 + 2 * 5 + 4 * 3, "mobility": 9 * 27 + 2 * 14 + 2 * 13 + 2 * 8 + 8},
        "breakthrough": {"number_of_men": 16, "advance": 16 * 8},
    }[name]
    weights = zermelo.load(name).weights
    assert weights.keys() == most.keys()
    assert sum(Fraction(weights[feature]) * most[feature] for feature in most) < 1


WEIGHT = Path(__file__).parents[1] / "trial" / "proofs" / "08_weight.game"


@pytest.mark.parametrize("weight", ["1/10", "-7/3", "1000", "100000000000000000000", "-100000000000000000000"])
def test_other_weights_have_other_bounds(weight):
    """The facts are those of a file with these weights. The value, which no estimate changes, is 0: Bob moves last, and
    goes to 1, where Ann gets 1 - 1."""
    given = zermelo.load(WEIGHT).reweighed(f=weight)
    written = zermelo.loads(WEIGHT.read_text(encoding="utf-8").replace("weight f = 1/10", f"weight f = {weight}"))
    assert given.facts == written.facts
    least, most = given.facts.estimates
    assert max(abs(least), abs(most)) == 2 * abs(Fraction(weight))
    for solver in ("enhanced_alphabeta", "iterative_deepening", "aspiration", "principal_variation", "mtdf", "star2"):
        solution = zermelo.solve(given, solver)
        assert (solution.value, solution.exact) == ((0, 0), True), solver


# `zermelo force`: plans as text and as JSON, and what it refuses.


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


@pytest.mark.parametrize(
    ("amount", "says"),
    [
        *((amount, f"'{amount}' is not a number such as 1, -2 or 3/2") for amount in ("much", "1/0", "nan", "inf")),
        *((amount, "it has too many digits") for amount in ("1e999999999", "9" * 5000)),
    ],
)
def test_an_amount_is_a_number_that_can_be_reckoned_with(run, amount, says):
    ran = run("force", "tiger", "--at-least", amount)
    assert ran.code == 2
    assert says in ran.err


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


def test_a_plan_that_fits_is_not_cut(monkeypatch):
    plan = zermelo.force(zermelo.load("vacuum"), "Cleaner", at_least=1).plan
    lines, decisions = plan_lines(plan, inf), len(list(plan.decisions()))
    assert plan_lines(plan, len(lines)) == lines
    assert plan_lines(plan, len(lines) - 1) == [*lines[:-1], "... and 1 more line, which --all prints"]
    monkeypatch.setattr("zermelo.solutions.page.MOST", decisions)
    ((strategy,)) = strategies_of_plan(plan)
    assert len(strategy["decisions"]) == decisions
    monkeypatch.setattr("zermelo.solutions.page.MOST", decisions - 1)
    assert strategies_of_plan(plan) == []


def test_in_python():
    found = zermelo.force(zermelo.load("vacuum"), "Cleaner", at_least=1)
    assert found.amount == 1
    assert [str(step.move) for step in found.plan.steps] == ["left", "suck", "right", "suck"]
    assert all(step.possible == possible for step, possible in zip(found.plan.steps, (8, 4, 2, 2), strict=True))
