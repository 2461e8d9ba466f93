"""``zermelo correlated``, and its line among the equilibria of a table."""

from __future__ import annotations

from fractions import Fraction

import pytest

import zermelo


def test_the_page(run):
    """The published example of von Stengel and Forges (2008): 3.5 and 6.5."""
    ran = run("correlated", "student_and_professor", "--for", "Professor")
    lines = ran.out.splitlines()
    assert (ran.code, ran.err) == (0, "")
    assert lines[2].split("  ")[0] == "drawn" and "Student is told" in lines[2]
    assert "Student gets    7/2 = 3.5" in lines
    assert "Professor gets  at most 13/2 = 6.5" in lines
    assert "welfare         10" in lines


def test_the_greatest_sum_is_marked(run):
    lines = run("correlated", "chicken").out.splitlines()
    assert "welfare   at most 21/2 = 10.5" in lines and "One gets  21/4 = 5.25" in lines


def test_json_says_what_everybody_is_told_and_when(run):
    """Followed move for move, what is drawn pays what is said."""
    record = run("correlated", "student_and_professor", "--json").record
    game = zermelo.load("student_and_professor")
    assert record["for"] is None and record["all"] is True and record["welfare"] == "10"
    assert sum(Fraction(each["probability"]) for each in record["drawn"]) == 1
    expected = [Fraction(0), Fraction(0)]
    for each in record["drawn"]:
        told = {
            (own["player"], tuple(decision["known"])): decision["move"]
            for own in each["strategies"]
            for decision in own["decisions"]
        }
        for talent in ("good", "bad"):
            state = game.initial.after(talent)
            while not state.is_over:
                known = tuple(map(str, state.information_state(state.actor)))
                state = state.after(told[state.actor, known])
            for player, amount in enumerate(state.payoff):
                expected[player] += Fraction(each["probability"]) * amount / 2
    assert dict(zip(game.players, map(str, expected), strict=True)) == record["payoff"]


def test_rows_are_limited(run):
    printed = run("correlated", "student_and_professor", "--limit", "1").out
    assert "which --limit" in printed
    record = run("correlated", "student_and_professor", "--limit", "1", "--json").record
    assert len(record["drawn"]) == 1 and record["all"] is False


@pytest.mark.parametrize(("rounds", "welfare"), [(1, "420/79"), (2, "10")])
def test_bargaining_helps(run, rounds, welfare):
    """A round that decides nothing lets the mediator arrange more (Farina and others 2019)."""
    assert run("correlated", "sheriff", "-p", f"rounds={rounds}", "--json").record["welfare"] == welfare


def test_equilibria_name_it_where_it_brings_more(run):
    printed = " ".join(run("equilibria", "student_and_professor").out.split())
    assert "correlated welfare at most 6:" in printed and "extensive welfare at most 10:" in printed
    record = run("equilibria", "student_and_professor", "--json").record
    assert sum(Fraction(amount) for amount in record["extensive"]["payoff"].values()) == 10
    assert sum(Fraction(each["probability"]) for each in record["extensive"]["profiles"]) == 1
    assert "extensive" not in run("equilibria", "chicken").out
    record = run("equilibria", "chicken", "--json").record
    assert record["extensive"] == record["correlated"]


def test_who_is_not_in_the_game(run):
    ran = run("correlated", "chicken", "--for", "Three")
    assert ran.code == 2 and "error[unknown-player]" in ran.err
