"""``zermelo moves``."""

from __future__ import annotations


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
    assert "outcomes  too many to list" in run("moves", "four_card_whist").out
    assert run("moves", "four_card_whist", "--json").record["outcomes"] is None


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
