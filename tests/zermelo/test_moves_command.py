"""``zermelo moves``."""

from __future__ import annotations

from pathlib import Path

from zermelo import gamedefs


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
