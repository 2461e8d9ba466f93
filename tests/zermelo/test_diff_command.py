"""``zermelo diff``: what it prints, its record, its exit codes, and its misuses."""

from __future__ import annotations

import pytest

import zermelo


def test_games_that_are_the_same(run):
    ran = run("diff", "tic_tac_toe")
    assert ran.code == 0
    assert "The games are the same: proved." in ran.out
    assert "5,478 pairs of positions, all there are" in ran.out  # the published number of positions


def test_a_record(run):
    record = run("diff", "subtraction_game", "--second", "most=4", "--json").record
    assert record["same"] is False
    assert record["difference"] == {
        "aspect": "moves",
        "after": [[], []],
        "and_after": None,
        "player": None,
        "said": ["nothing more", "take(4)"],
    }
    assert (record["first"]["parameters"]["most"], record["second"]["parameters"]["most"]) == (3, 4)


def test_a_limit(run):
    ran = run("diff", "tic_tac_toe", "--positions", "100")
    assert ran.code == 1
    said = " ".join(ran.out.split())
    assert "No difference on any play of at most 2 moves and outcomes, nor on 10,200 random plays." in said
    record = run("diff", "tic_tac_toe", "--positions", "100", "--plays", "7", "--json").record
    assert (record["same"], record["length"], record["stopped"]) == (None, 2, "after 100 pairs of positions")
    assert (record["plays"], record["shortest"]) == (8, None)


def test_a_difference_that_only_random_plays_show(run, tmp_path):
    """The last stone wins instead of losing, in a game too long to compare."""
    game = zermelo.load("nim").model.source.text
    changed = tmp_path / "nim.game"
    assert game.count("end win other p") == 1
    changed.write_text(game.replace("end win other p", "end win p"))
    ran = run("diff", "nim", str(changed), "--positions", "10")
    assert ran.code == 1
    assert "The end pays other amounts." in ran.out and "no play of at most" in " ".join(ran.out.split())
    record = run("diff", "nim", str(changed), "--positions", "10", "--json").record
    assert (record["same"], record["shortest"]) == (False, False)
    assert record["difference"]["aspect"] == "payoffs"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("kuhn_poker", "--rename", "deal"), "is not of the form WORD=OTHER"),
        (("kuhn_poker", "no_such_game"), "there is no file and no bundled game"),
        (("nim", "--first", "sticks=3"), "the game has no parameter 'sticks'"),
        (("nim", "--second", "heaps"), "is not of the form NAME=VALUE"),
    ],
)
def test_misuses(run, arguments, said):
    ran = run("diff", *arguments)
    assert ran.code == 2
    assert said in ran.err


def test_outcomes_that_nobody_can_list_stop_the_comparison(run):
    ran = run("diff", "four_card_whist", "four_card_whist")
    assert ran.code == 1 and "stopped where chance has too many outcomes to list" in " ".join(ran.out.split())
