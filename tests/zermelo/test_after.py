"""``--after``: every command that takes a game begins after a play, written as the commands print it."""

from __future__ import annotations

import pytest

from zermelo.interpreter.reference.why_not import split_play

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
