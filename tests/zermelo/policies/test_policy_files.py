"""Policies written to files, read again: best responses to them, and matches between them."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from pathlib import Path

import pytest

import zermelo
from zermelo.cli import main
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.policies.exploiting import _match_by_histories, _match_by_positions, matches
from zermelo.policies.strategy_files import probabilities, read_record
from zermelo.solvers.common.limits import Limits, ignore_progress

UNSEEN = """\
game "A name that no variable holds"

players Ann, Bob

var stone: 0..2 = 0

start at hide

phase hide:
    turn Ann:
        move put(n in {1, 2}):
            stone := n
            go find

phase find:
    let here = stone
    stone := 0
    turn Bob:
        move look(n in {1, 2}): end payoff {p: if (p == Bob) == (n == here) then 1 else -1 for p in Player}
"""


@pytest.fixture
def written(tmp_path, capsys):
    """Writes the positions of a game to a file as the command line does, after a change to it."""

    def write(game, change=lambda record: None, *options):
        path = tmp_path / "positions.json"
        assert main(["solve", *game.split(), "--positions", str(path), *options]) == 0
        capsys.readouterr()
        record = json.loads(path.read_text(encoding="utf-8"))
        change(record)
        path.write_text(json.dumps(record), encoding="utf-8")
        return str(path)

    return write


def told(capsys, *words):
    assert main([*words, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


@pytest.mark.parametrize(
    ("game", "values"),
    [
        ("subtraction_game -p pile=8", ["-1", "1"]),  # who meets a multiple of four loses
        ("two_ply_tree", ["3", "-3"]),
        ("coin_flip_tree", ["3", "-3"]),  # with chance
        ("three_player_tree", ["4", "3", "2"]),  # no constant sum
        ("pirates", ["3", "0", "1", "0"]),  # Stewart's pirates: every other one is bribed
        ("prisoners_dilemma", ["1", "1"]),  # at once
        ("bear_off_race -p men=1", ["1", "-1"]),
    ],
)
def test_nobody_gains_against_a_policy(written, capsys, game, values):
    """Best responses go through the whole tree, and know nothing of how the policy was found."""
    answers = told(capsys, "exploit", *game.split(), written(game))["answers"]
    assert [answer["value"] for answer in answers] == [answer["best"] for answer in answers] == values


def test_a_policy_gets_at_least_the_value_from_everybody(written, capsys):
    """Ann wins six objects; against those who err she wins too, and Bob, who has lost, gains if she errs."""
    file = written("subtraction_game -p pile=6")
    plays = told(capsys, "match", "subtraction_game", "-p", "pile=6", file, "uniform")["plays"]
    gets = {tuple(play["seats"]): Fraction(play["value"]["Ann"]) for play in plays}
    assert gets[file, file] == gets[file, "uniform"] == 1
    assert -1 <= gets["uniform", file] < gets["uniform", "uniform"] < 1


def test_the_mean_of_a_contestant_is_that_against_others(written, run, tmp_path, monkeypatch):
    """The best MAX gets (3 + 12 + 8)/3 from a MIN who chooses at random, and the best MIN gives (3 + 2 + 2)/3."""
    monkeypatch.chdir(tmp_path)
    file = Path(written("two_ply_tree")).name
    printed = run("match", "two_ply_tree", file, "uniform").out
    rows = [re.split("  +", row) for row in printed.split("mean over all seats, against others\n")[1].splitlines()]
    assert rows == [[file, "8/3 ≈ 2.667"], ["uniform", "-8/3 ≈ -2.667"]]
    assert "mean over" not in run("match", "two_ply_tree", file).out


def test_what_a_worse_policy_loses(written, capsys):
    """MIN answers A3 with the least leaf; MAX, who goes to A3, gets 2, and 3 by going to A1."""

    def worse(record):
        record["policy"][0]["moves"] = {"A3": None}

    maximizer, minimizer = told(capsys, "exploit", "two_ply_tree", written("two_ply_tree", worse))["answers"]
    assert (maximizer["value"], maximizer["best"]) == ("2", "3")
    assert (minimizer["value"], minimizer["best"]) == ("-2", "-2")


def test_probabilities_of_a_policy(written, capsys):
    """From half of A1 and half of A2 the best responses of MIN leave (3 + 2)/2."""

    def mixed(record):
        record["policy"][0]["moves"] = {"A1": "1/2", "A2": "0.5"}

    maximizer, minimizer = told(capsys, "exploit", "two_ply_tree", written("two_ply_tree", mixed))["answers"]
    assert maximizer["value"] == "5/2" and minimizer["best"] == "-5/2"


def test_positions_of_the_same_words(written, tmp_path, capsys):
    """What Bob should do depends on what no words of the position say: that is refused, not mixed up."""
    game = tmp_path / "unseen.game"
    game.write_text(UNSEEN, encoding="utf-8")
    assert main(["exploit", str(game), written(str(game))]) == 2
    assert "not what an earlier one says of the same position" in " ".join(capsys.readouterr().err.split())


def test_the_output_of_policy_and_json_is_read_too(tmp_path, capsys):
    assert main(["solve", "two_ply_tree", "--policy", "--json"]) == 0
    file = tmp_path / "policy.json"
    file.write_text(capsys.readouterr().out, encoding="utf-8")
    assert [answer["gain"] for answer in told(capsys, "exploit", "two_ply_tree", str(file))["answers"]] == ["0", "0"]


def test_a_policy_of_the_whole_game_serves_its_rest(written, capsys):
    file = written("subtraction_game -p pile=6")
    words = ("exploit", "subtraction_game", "-p", "pile=6", "--after", "take(1)", file)
    assert [answer["value"] for answer in told(capsys, *words)["answers"]] == ["-1", "1"]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda record: record.update(policy=3), "its policy is not a list"),
        (lambda record: record["policy"].append(3), "decision 5 of the policy does not say in which position"),
        (lambda record: record["policy"][1].update(player="Zoe"), "for Zoe, a player that the game does not have"),
        (lambda record: record["policy"][1].update(moves={}), "decision 2 of the policy lists no moves"),
        (lambda record: record["policy"][1].update(moves={"A21": None}), "the move A21 is not one of A11, A12, A13"),
        (lambda record: record["policy"][1].update(moves={"A11": "2"}), "the probability of A11 is 2, not between"),
        (lambda record: record["policy"][1].update(moves={"A11": "1/2"}), "sum to 1/2, not to 1"),
        (lambda record: record["policy"].pop(2), "it does not say what MIN does at /A2"),
        (
            lambda record: record["policy"].append({**record["policy"][1], "moves": {"A12": None}}),
            "decision 5 of the policy is not what an earlier one says of the same position",
        ),
        (lambda record: record.update(title="Chess"), "for 'Chess', but this game is"),
    ],
)
def test_policies_that_do_not_fit(written, capsys, change, said):
    file = written("two_ply_tree", change)
    for command, *others in (["exploit"], ["match", "uniform"]):  # who plays uniformly, leads everywhere
        assert main([command, "two_ply_tree", file, *others]) == 2
        shown = " ".join(capsys.readouterr().err.split())
        assert "bad-strategy" in shown and said in shown


def test_results_without_a_policy_say_how_to_get_one(tmp_path, capsys):
    file, table = tmp_path / "solved.json", tmp_path / "positions.csv"
    assert main(["solve", "two_ply_tree", "--positions", str(table), "--json"]) == 0
    file.write_text(capsys.readouterr().out, encoding="utf-8")
    for given in (file, table):
        assert main(["exploit", "two_ply_tree", str(given)]) == 2
        shown = " ".join(capsys.readouterr().err.split())
        assert "bad-strategy" in shown and "--positions FILE.json" in shown


@pytest.mark.parametrize(
    ("listed", "found"),
    [
        ({"a": "1/3", "b": "2/3"}, ["1/3", "2/3", "0"]),
        ({"b": 1}, ["0", "1", "0"]),
        ({"a": "0.5", "b": "25e-2", "c": "+2.5E-1"}, ["1/2", "1/4", "1/4"]),
        ({"a": "0.500001", "b": "0.5"}, ["500001/1000001", "500000/1000001", "0"]),
        ({"a": "0.499999", "b": "0.5"}, ["499999/999999", "500000/999999", "0"]),
        ({"a": "0.5000011", "b": "0.5"}, "in here the probabilities sum to 10000011/10000000, not to 1"),
        ({"a": "0.4999989", "b": "0.5"}, "in here the probabilities sum to 9999989/10000000, not to 1"),
        ({"a": "1.0000001"}, "in here the probability of a is 1.0000001, not between 0 and 1"),
        ({"a": ".5", "b": ".5"}, "in here the probability of a is not a number: .5"),
        # an exponent has at most three digits, so that no short text is a number without end
        ({"a": "1e-0001", "b": 1}, "in here the probability of a is not a number: 1e-0001"),
        ({"x" * 40: 1}, f"in here the move {'x' * 40} is not one of a, b, c"),
        ({"x" * 41: 1}, f"in here the move {'x' * 40}... is not one of a, b, c"),
    ],
)
def test_probabilities_are_scaled_where_they_are_rounded_alone(listed, found):
    if isinstance(found, list):
        assert probabilities("f.json", "here", ("a", "b", "c"), listed) == list(map(Fraction, found))
        return
    with pytest.raises(ZermeloError) as refused:
        probabilities("f.json", "here", ("a", "b", "c"), listed)
    assert refused.value.message == f"f.json holds no strategies for this game: {found}"


def test_a_file_of_the_greatest_size_is_read(tmp_path, monkeypatch):
    file, game = tmp_path / "positions.json", zermelo.load("two_ply_tree")
    record = {"title": game.title, "parameters": {}, "policy": []}
    file.write_text(json.dumps(record), encoding="utf-8")
    monkeypatch.setattr("zermelo.policies.strategy_files.LARGEST", file.stat().st_size)
    assert read_record(str(file), game) == record
    monkeypatch.setattr("zermelo.policies.strategy_files.LARGEST", file.stat().st_size - 1)
    with pytest.raises(ZermeloError, match="it has more than"):
        read_record(str(file), game)


@pytest.mark.parametrize(
    ("given", "help"), [({"pile": 6}, "-p pile=6 sets it"), ({}, ""), ({"pile": 15, "heaps": 2}, "")]
)
def test_another_parameter_is_named_with_the_option_that_sets_it(tmp_path, given, help):
    game = zermelo.load("subtraction_game")
    assert game.parameters["pile"] == 15
    file = tmp_path / "positions.json"
    settings = {name: value for name, value in game.parameters.items() if name != "pile"} | given
    file.write_text(json.dumps({"title": game.title, "parameters": settings, "policy": []}), encoding="utf-8")
    with pytest.raises(ZermeloError) as refused:
        read_record(str(file), game)
    assert refused.value.code == "bad-strategy" and refused.value.help == help


@pytest.mark.parametrize(("name", "help"), [("unifrom", "did you mean 'uniform'?"), ("nowhere.json", "")])
def test_a_misspelt_uniform_is_recognized(name, help):
    with pytest.raises(ZermeloError) as refused:
        read_record(name, zermelo.load("two_ply_tree"))
    assert (refused.value.code, refused.value.help) == ("unreadable-file", help)


# Strategies against each other.


ROUND = """\
game "Round and round"

players A, B

var turns: 0..1000 = 0

start at play(A)

phase play(p: Player):
    turn p:
        move stop: end win p
        move pass: go play(other p)

endless payoff (0, 0)
"""


def met(names, game, by=matches):
    return {each.seats: each.value for each in matches(names, game.initial, Limits(), ignore_progress)}


def test_who_moves_at_random_in_tic_tac_toe():
    """X wins 737 of 1260 plays, O 363, and 160 are drawn."""
    assert met(["uniform"], zermelo.load("tic_tac_toe")) == {
        ("uniform",) * 2: (Fraction(374, 1260), Fraction(-374, 1260))
    }


def test_the_best_strategy_gets_the_value_at_least(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert run("solve", "tic_tac_toe", "--positions", "ttt.json").code == 0
    found = met(["ttt.json", "uniform"], zermelo.load("tic_tac_toe"))
    assert found["ttt.json", "ttt.json"] == (0, 0)
    assert found["ttt.json", "uniform"][0] > 0 and found["uniform", "ttt.json"][1] > 0
    record = run("match", "tic_tac_toe", "ttt.json", "uniform", "--json").record
    assert [play["seats"] for play in record["plays"]] == list(map(list, found))
    assert {play["error"] for play in record["plays"]} == {"0"}


@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("two_ply_tree", {}),
        ("subtraction_game", {"pile": 6}),
        ("coin_flip_tree", {}),
        ("three_player_tree", {}),
        ("pig", {"target": 4}),
        ("goofspiel", {"cards": 2, "open": True, "shuffled": True}),
        ("oshi_zumo", {"coins": 2, "size": 1, "rounds": 2}),
    ],
)
def test_by_positions_as_by_histories(run, tmp_path, monkeypatch, name, parameters):
    monkeypatch.chdir(tmp_path)
    game = zermelo.load(name, **parameters)
    options = [word for each, value in parameters.items() for word in ("-p", f"{each}={str(value).lower()}")]
    assert run("solve", name, *options, "--positions", "best.json").code == 0
    names = ["best.json", "uniform"]
    records = {"best.json": read_record("best.json", game), "uniform": None}
    begin = game.initial
    by_positions = _match_by_positions(names, records, begin, game.machine, Limits(), ignore_progress)
    if game.facts.terminates.holds:
        assert by_positions == _match_by_histories(names, records, begin, Limits(), ignore_progress)
    assert by_positions == matches(names, begin, Limits(), ignore_progress)


def test_plays_may_go_round(tmp_path):
    """Who stops or passes as chance has it: the first one wins two plays of three."""
    file = tmp_path / "round.game"
    file.write_text(ROUND, encoding="utf-8")
    assert met(["uniform"], zermelo.load(str(file))) == {("uniform",) * 2: (Fraction(1, 3), Fraction(-1, 3))}


def test_more_histories_than_can_be_written_down():
    game, little = zermelo.load("nim"), Limits(memory=100 << 20)
    with pytest.raises(ZermeloError) as refused:
        _match_by_histories(["uniform"], {"uniform": None}, game.initial, little, ignore_progress)
    assert refused.value.code == "out-of-memory"
    assert matches(["uniform"], game.initial, little, ignore_progress)
