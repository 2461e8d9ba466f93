"""How long plays last, and who can keep them going, as `zermelo solve` and `zermelo moves` say it."""

from __future__ import annotations

import pytest

CIRCLE = """\
game "Circle"
players Ann, Bob
{endless}
start at ann
phase ann:
    turn Ann:
        move go_on: go bob
        move stop: end {stop}
phase bob:
    turn Bob:
        move go_on: go ann
        move give_up: end {give_up}
"""


def circle(endless="endless draw", stop="draw", give_up="win Ann"):
    return CIRCLE.format(endless=endless, stop=stop, give_up=give_up)


@pytest.mark.parametrize(
    ("game", "who", "words"),
    [
        (circle(), ["Ann"], "Ann can keep the play going for ever, unless Bob gives something away"),
        (
            circle(stop="win Bob"),
            ["Ann", "Bob"],
            "Ann and Bob can each keep the play going for ever, unless the other gives something away",
        ),
        (  # nothing is at stake
            circle(give_up="draw"),
            ["Ann", "Bob"],
            "Ann and Bob can keep the play going for ever without getting less",
        ),
        (circle(stop="win Ann"), [], "nobody can keep the play going for ever without giving something away"),
        (
            circle("endless payoff (1, 1)", "payoff (0, 0)", "payoff (0, 0)"),
            ["Ann", "Bob"],
            "Ann and Bob can keep the play going for ever without getting less",
        ),
    ],
)
def test_who_can_keep_a_play_going(run, game_file, game, who, words):
    file = game_file(game)
    assert run("solve", file, "--solver", "positions", "--json").record["can_go_on_for_ever"] == who
    assert f"endless {words}" in " ".join(run("solve", file, "--solver", "positions").out.split())


def test_where_no_play_goes_round_nothing_is_said(run):
    ran = run("solve", "nim", "--solver", "positions", "--json")
    assert ran.record["can_go_on_for_ever"] is None and ran.record["moves_to_the_end"] == 11


@pytest.mark.parametrize(
    ("game", "words"),
    [
        (circle("", "win Bob", "win Ann"), "a play can go on for ever"),
        (circle("", "win Bob", "win Ann").replace("end win Ann", "go ann"), "Ann can keep the play going for ever"),
        (
            circle("", "payoff (0, 0)", "payoff (1, 1)").replace("end payoff (1, 1)", "go ann"),
            "Ann and Bob can together keep the play going for ever",
        ),
    ],
)
def test_a_refusal_says_who_can_keep_a_play_going(run, game_file, game, words):
    ran = run("solve", game_file(game), "--solver", "positions")
    assert ran.err.startswith(f"error[needs-endless]: from the beginning {words}, and the rules do not say")


@pytest.mark.parametrize(
    ("players", "give_up", "words"),
    [
        ("Ann, Bob", "payoff (1, 1)", "the payoffs neither have a constant sum nor are the same for both"),
        ("Ann, Bob, Cy", "win Ann", "there are more than two players, whose payoffs are not the same"),
    ],
)
def test_a_refusal_says_why_no_one_number_counts(run, game_file, players, give_up, words):
    game = circle(stop="win Ann", give_up=give_up).replace("Ann, Bob", players)
    ran = run("solve", game_file(game), "--solver", "positions")
    assert ran.err.startswith(
        f"error[needs-one-number]: from the beginning the same position can come again, and {words}, so that"
    )


def test_how_long_a_play_takes(run):
    ran = run("solve", "pig", "-p", "target=8")
    assert "\nlength     899/209 ≈ 4.301 moves on average; the play is certain to end\n" in ran.out
    record = run("solve", "pig", "-p", "target=8", "--json").record
    assert record["duration"] == {"ends": "1", "length": "899/209", "unit": "moves"}
    assert record["moves_to_the_end"] is None and record["can_go_on_for_ever"] == []
    assert "\nlength  1 round\n" in run("solve", "rock_paper_scissors", "--solver", "positions").out


def test_a_play_that_does_not_end(run):
    assert (
        "\nlength     with the moves that have been found the play goes on for ever\n" in run("solve", "two_taxis").out
    )


def test_a_play_that_may_end(run, game_file):
    game = """\
game "Once"
players Ann
endless payoff (1)
start at toss
phase toss:
    chance:
        outcome heads weight 1: end payoff (1)
        outcome tails weight 2: go wait
phase wait:
    chance:
        outcome again weight 1: go choose
phase choose:
    turn Ann:
        move leave: end payoff (0)
        move stay: go wait
"""
    ran = run("solve", game_file(game), "--solver", "positions")
    assert "found the play ends with probability 1/3 ≈ 0.3333, and goes on for ever otherwise" in " ".join(
        ran.out.split()
    )


def test_how_long_it_takes_after_each_move(run):
    """By hand: who has 5 of 8 and rolls meets an end, 3 and more, with 4 of 6 outcomes; hold is worth a whole turn."""
    worths = run("moves", "pig", "-p", "target=8", "--values", "--json").record["values"]["moves"]
    whole = run("solve", "pig", "-p", "target=8", "--json").record["duration"]
    assert worths[0]["move"] == "roll" and worths[0]["duration"] == whole
    ran = run("moves", "gamblers_ruin", "-p", "counters=1", "--values")
    assert "draws of chance on average" in ran.out


@pytest.mark.parametrize(
    ("after", "length", "best"),
    [("", "2 moves, if those who win hurry and the others delay", ["A1, A11"]), ("A1", "1 move, if those who win", [])],
)
def test_one_move_is_no_line_of_play(run, after, length, best):
    words = ("two_ply_tree", "--after", after, "--machine", "reference", "--solver", "positions")
    facts = [line.split("  ", 1) for line in run("solve", *words).out.splitlines()]
    assert [line[1].strip() for line in facts if line[0] == "best play"] == best
    assert [line[1].strip().startswith(length) for line in facts if line[0] == "length"] == [True]


def test_a_best_play_that_takes_longer_than_the_length(run, game_file):
    """A draw after four moves or after seven, and giving up is worse: in the best play shown nobody hurries."""
    game = """\
game "Even"
players Ann, Bob
var n: 0..6 = 0
start at play(Ann)
phase play(p: Player):
    turn p:
        move go_on if n < 6:
            n += 1
            go play(other p)
        move stop if n == 3 or n == 6: end draw
        move give_up: end win other p
"""
    file, words = game_file(game), ("--solver", "positions")
    text = " ".join(run("solve", file, *words).out.split())
    assert "best play go_on, go_on, go_on, go_on, go_on, go_on, stop length 4 moves, if those who" in text
    assert "hurry and the others delay, and both hurry where nobody wins counts" in text
    assert "nobody wins" not in run("solve", file, *words, "--after", "go_on, go_on, go_on, go_on, go_on").out


def test_a_single_player_has_nobody_who_delays(run, game_file):
    game = """\
game "Alone"
players Ann
var waited: 0..2 = 0
start at play
phase play:
    turn Ann:
        move wait if waited < 2:
            waited += 1
            go play
        move stop: end payoff (waited)
"""
    assert "\nlength     3 moves in a best play\n" in run("solve", game_file(game)).out


STORM = """\
game "Storm"
players Ann, Bob
{payoffs}
start at sail(Bob)
phase sail(p: Player):
    turn p:
        move on: go weather(p)
        move sink: end {sink}
        move moor if p == Bob: end {moor}
phase weather(p: Player):
    chance:
        outcome calm prob 1/3: go sail(other p)
        outcome storm prob 2/3: {storm}
phase drift:
    chance:
        outcome harbour prob 1/2: end {moor}
        outcome ocean prob 1/2: go lost
phase lost:
    turn Ann:
        move row: go lost
        move drown: end {drown}
"""


@pytest.mark.parametrize(
    ("words", "surely", "perhaps", "said"),
    [
        (
            {"sink": "win other p", "moor": "win Ann", "storm": "go drift"},
            [],
            ["Ann", "Bob"],
            "Ann and Bob can each keep the play going for ever with some probability, unless the other gives something "
            "away",
        ),
        (
            {"sink": "win other p", "moor": "draw", "storm": "go drift"},
            [],
            ["Bob"],
            "Bob can keep the play going for ever with some probability, unless Ann gives something away",
        ),
        (
            {"sink": "win other p", "moor": "draw", "storm": "end draw"},
            [],
            [],
            "the play is certain to end as long as nobody gives anything away",
        ),
        (
            {
                "payoffs": "endless payoff (1, 1)",
                "sink": "payoff (0, 0)",
                "moor": "payoff (0, 0)",
                "drown": "payoff (0, 0)",
                "storm": "go drift",
            },
            [],
            ["Ann", "Bob"],
            "Ann and Bob can keep the play going for ever with some probability without getting less",
        ),
    ],
)
def test_who_can_keep_a_play_from_ending_where_chance_draws(run, game_file, words, surely, perhaps, said):
    file = game_file(STORM.format(**{"payoffs": "endless draw", "drown": "win Bob", **words}))
    record = run("solve", file, "--solver", "positions", "--json").record
    assert record["can_go_on_for_ever"] == surely
    assert record["can_go_on_for_ever_with_some_probability"] == perhaps
    assert f"endless {said}" in " ".join(run("solve", file, "--solver", "positions").out.split())
