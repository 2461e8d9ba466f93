"""Strategies as results: printed, saved, read again, best responses to them, and matches between them."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest

from zermelo.cli import main

TRIALS = Path(__file__).parents[2] / "trial" / "proofs"


@pytest.fixture
def saved(tmp_path, capsys):
    """Saves the solution of a game as the command line does, after a change to it."""

    def save(game, change=lambda record: None, name="saved.json"):
        assert main(["solve", *game.split(), "--json"]) == 0
        record = json.loads(capsys.readouterr().out)
        change(record)
        path = tmp_path / name
        path.write_text(json.dumps(record), encoding="utf-8")
        return str(path)

    return save


def printed(capsys, *words):
    assert main(list(words)) == 0
    return capsys.readouterr().out


def test_the_page_tells_who_does_what(capsys):
    lines = printed(capsys, "solve", "kuhn_poker").splitlines()
    head = next(line for line in lines if line.startswith("Bob sees"))
    assert head.split("  ")[-1].strip() == "might as well"
    assert any(line.split() == ["hand[Bob]", "=", "K", "Alice:", "check", "bet"] for line in lines)


@pytest.mark.parametrize("name", ["02_label_split", "02b_hidden_clock_phases"])
def test_decisions_of_others_in_secret_do_not_part_decisions(saved, capsys, name):
    """Ann has two information sets and Bob one; the file of strategies survives a round trip."""
    game = str(TRIALS / f"{name}.game")
    file = saved(game)
    decisions = {s["player"]: s["decisions"] for s in json.loads(Path(file).read_text())["strategies"]}
    assert [len(decisions[player]) for player in ("Ann", "Bob")] == [2, 1]
    assert len(decisions["Ann"][1]["known"]) == 3
    assert "Nobody can gain" in printed(capsys, "exploit", game, file)


def test_json_has_every_decision(capsys):
    record = json.loads(printed(capsys, "solve", "kuhn_poker", "--json"))
    alice, bob = record["strategies"]
    assert len(alice["decisions"]) == len(bob["decisions"]) == 6
    for decision in bob["decisions"]:
        assert sum(Fraction(move["probability"]) for move in decision["moves"].values()) == 1


def test_nobody_gains_against_an_equilibrium(saved, capsys):
    file = saved("kuhn_poker")
    record = json.loads(printed(capsys, "exploit", "kuhn_poker", file, "--json"))
    assert [answer["gain"] for answer in record["answers"]] == ["0", "0"]
    assert "Nobody can gain" in printed(capsys, "exploit", "kuhn_poker", file)


def test_what_the_uniform_strategy_loses(capsys):
    """OpenSpiel's values: an exploitability of 0.458333 in Kuhn's poker and of 2.373611 in Leduc poker."""
    assert "11/24" in printed(capsys, "exploit", "kuhn_poker", "uniform")
    record = json.loads(printed(capsys, "exploit", "leduc_poker", "uniform", "--json"))
    gains = [Fraction(answer["gain"]) for answer in record["answers"]]
    assert float(sum(gains) / 2) == pytest.approx(2.373611, abs=1e-6)


def test_against_one_strategy_only_the_other_answers(saved, capsys):
    file = saved("kuhn_poker", lambda record: record["strategies"].pop())
    record = json.loads(printed(capsys, "exploit", "kuhn_poker", file, "--json"))
    (answer,) = record["answers"]
    assert answer["player"] == "Bob" and answer["value"] is None and answer["best"] == "1/18"


def test_matches_are_exact(saved, capsys):
    file = saved("kuhn_poker")
    record = json.loads(printed(capsys, "match", "kuhn_poker", file, "uniform", "--json"))
    brought = {tuple(play["seats"]): play["value"]["Alice"] for play in record["plays"]}
    assert brought[file, file] == "-1/18"
    assert brought["uniform", "uniform"] == "1/8"
    assert Fraction(brought[file, "uniform"]) >= Fraction(-1, 18) >= Fraction(brought["uniform", file])
    said = " ".join(printed(capsys, "match", "kuhn_poker", file, "uniform").split())
    assert "mean over all seats" in said


def test_rounded_probabilities_are_taken(saved, capsys):
    def round_off(record):
        for strategy in record["strategies"]:
            for decision in strategy["decisions"]:
                for move in decision["moves"].values():
                    move["probability"] = f"{float(Fraction(move['probability'])):.9f}"

    record = json.loads(printed(capsys, "exploit", "kuhn_poker", saved("kuhn_poker", round_off), "--json"))
    assert all(0 <= Fraction(answer["gain"]) < Fraction(1, 10**8) for answer in record["answers"])


def first_decision(record):
    return record["strategies"][0]["decisions"][0]


def put(probability):
    """Sets the probability of check in the first player's first decision, which knows only the card."""
    return lambda record: first_decision(record)["moves"]["check"].update(probability=probability)


def twice(record):
    record["strategies"][1]["decisions"].append(record["strategies"][1]["decisions"][2])


def negative(record):
    for move, probability in zip(first_decision(record)["moves"].values(), ("4/3", "-1/3"), strict=True):
        move["probability"] = probability


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda record: record.pop("strategies"), "no list of strategies"),
        (lambda record: record["strategies"][0].update(player="Zoe"), "for Zoe, a player that the game does not have"),
        (lambda record: record["strategies"].append(3), "a player that the game does not have"),
        (lambda record: record["strategies"].append(record["strategies"][0]), "two strategies for Alice"),
        (lambda record: record["strategies"][0].update(decisions=3), "the decisions of Alice are not a list"),
        (lambda record: record["strategies"][0]["decisions"].pop(0), "it does not say what Alice does knowing"),
        (lambda record: record["strategies"][0]["decisions"].append(7), "decision 7 of Alice does not say"),
        (lambda record: first_decision(record).update(known=["hand[Alice] = A"]), "Alice never knows hand[Alice] = A"),
        (lambda record: first_decision(record).update(known=[[]] * 9), "decision 1 of Alice is not in this game"),
        (lambda record: first_decision(record).update(moves=[]), "decision 1 of Alice lists no moves"),
        (twice, "decision 7 of Bob repeats one before"),
        (lambda record: first_decision(record)["moves"].update(fly={"probability": "0"}), "fly is not one of"),
        (lambda record: first_decision(record)["moves"].update(check=1), "the probability of check is not a number"),
        (lambda record: first_decision(record)["moves"].update(check={}), "of check is not a number: null"),
        (lambda record: first_decision(record)["moves"].clear(), "sum to 0, not to 1"),
        (negative, "the probability of check is 4/3, not between 0 and 1"),
        (put("-1/3"), "the probability of check is -1/3, not between 0 and 1"),
        (put("1/0"), "not a number: 1/0"),
        (put("2/4e3"), "not a number"),
        (put("1e999999999"), "not a number: 1e999999999"),
        (put(True), "not a number: true"),
        (put(float("inf")), "not a number: Infinity"),
        (put(float("nan")), "not a number: NaN"),
        (put(-0.25), "is -0.25, not between 0 and 1"),
        (put("9" * 5000 + "/" + "9" * 5001), "sum to"),
        (put(10**4200), "not between 0 and 1"),
        (put([[[]]]), "not a number: [[[]]]"),
        (lambda record: record.pop("title"), "does not say for which game"),
        (lambda record: record.update(title="Leduc"), "for 'Leduc', but this game is 'Kuhn poker'"),
        (lambda record: record.pop("parameters"), "does not say under which parameters"),
        (lambda record: record["parameters"].update(ante=2), "for ante = 2, but here it is null"),
    ],
)
def test_files_that_do_not_fit(saved, capsys, change, said):
    file = saved("kuhn_poker", change)
    for command in ("exploit", "match"):
        assert main([command, "kuhn_poker", file]) == 2
        shown = " ".join(capsys.readouterr().err.split())
        assert "bad-strategy" in shown and said in shown


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "it is not JSON (line 1, column 1)"),
        (b'{"title":\n  nothing}', "it is not JSON (line 2, column 3)"),
        (b"[" * 200_000, "nested too deep"),
        (b'{"a":' * 200_000, "nested too deep"),
        (b"[1, 2]", "not what `zermelo solve --json` prints"),
        (b'{"title": "Kuhn poker", "title": "Kuhn poker"}', "'title' is given twice"),
        (b'{"title": "\xff"}', "it is not text"),
        (b"9" * 10_000, "not what `zermelo solve --json` prints"),
    ],
)
def test_files_that_hold_no_such_record(tmp_path, capsys, content, said):
    file = tmp_path / "strategies.json"
    file.write_bytes(content)
    assert main(["exploit", "kuhn_poker", str(file)]) == 2
    shown = " ".join(capsys.readouterr().err.split())
    assert "bad-strategy" in shown and said in shown


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
def test_files_may_have_any_encoding_of_unicode(saved, capsys, encoding):
    """A console may choose one when output goes to a file, with a byte order mark."""
    path = Path(saved("kuhn_poker"))
    path.write_text(path.read_text(encoding="utf-8"), encoding=encoding)
    assert "Nobody can gain" in printed(capsys, "exploit", "kuhn_poker", str(path))


def test_moves_given_twice_are_refused(saved, capsys):
    """JSON would silently take the last one."""
    path = Path(saved("kuhn_poker"))
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace('"moves": {', '"moves": {"bet": {"probability": "1"}, ', 1), encoding="utf-8")
    assert main(["exploit", "kuhn_poker", str(path)]) == 2
    assert "'bet' is given twice" in " ".join(capsys.readouterr().err.split())


def test_a_file_of_another_game(saved, capsys):
    assert main(["exploit", "leduc_poker", saved("kuhn_poker")]) == 2
    shown = " ".join(capsys.readouterr().err.split())
    assert "bad-strategy" in shown and "for 'Kuhn poker', but this game is" in shown


def test_a_file_of_the_same_moves_and_another_game(saved, capsys):
    """A player who chooses once and sees nothing has the same information state in both."""
    assert main(["exploit", "stag_hunt", saved("prisoners_dilemma")]) == 2
    assert "bad-strategy" in capsys.readouterr().err


def test_a_file_of_other_parameters(saved, capsys):
    file = saved("goofspiel -p cards=2")
    assert main(["exploit", "goofspiel", "-p", "cards=3", file]) == 2
    assert "its strategies are for cards = 2, but here it is 3" in " ".join(capsys.readouterr().err.split())
    assert main(["exploit", "goofspiel", "-p", "cards=2", file]) == 0


@pytest.mark.parametrize("game", ["leduc_poker", "liars_dice -p sides=2", "battleship", "beer_or_quiche"])
def test_what_is_printed_is_read(saved, capsys, game):
    """Each decision of a file is found again, and they are distinct."""
    record = json.loads(printed(capsys, "exploit", *game.split(), saved(game), "--json"))
    assert all(Fraction(answer["gain"]) == 0 for answer in record["answers"])


def test_a_file_that_is_not_there(capsys):
    assert main(["match", "kuhn_poker", "nowhere.json"]) == 2
    assert "unreadable-file" in capsys.readouterr().err
