"""Strategies as results: printed, saved, read again, answered and played against each other."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest

from zermelo.cli import main

TRIALS = Path(__file__).parents[1] / "trial" / "proofs"


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
    """Ann has two information sets and Bob one; the file of strategies is read again as it was written."""
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
    """As OpenSpiel has it: an exploitability of 0.458333 in Kuhn's poker and of 2.373611 in Leduc poker."""
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
    assert "mean over all seats" in printed(capsys, "match", "kuhn_poker", file, "uniform")


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


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda record: record.pop("strategies"), "no list of strategies"),
        (lambda record: record["strategies"][0].update(player="Zoe"), "a player that the game does not have"),
        (lambda record: record["strategies"][0].update(decisions=3), "cannot be understood"),
        (lambda record: record["strategies"][0]["decisions"].pop(0), "it does not say what Alice does knowing"),
        (lambda record: first_decision(record)["moves"].update(fly={"probability": "0"}), "cannot make the move fly"),
        (lambda record: first_decision(record)["moves"].pop("check"), "not to 1"),
        (lambda record: first_decision(record)["moves"].update(check=1), "is no number"),
        (lambda record: first_decision(record)["moves"]["check"].update(probability="1/0"), "is no number"),
    ],
)
def test_files_that_do_not_fit(saved, capsys, change, said):
    file = saved("kuhn_poker", change)
    assert main(["exploit", "kuhn_poker", file]) == 2
    shown = " ".join(capsys.readouterr().err.split())
    assert "bad-strategy" in shown and said in shown


def test_a_file_of_another_game(saved, capsys):
    assert main(["exploit", "leduc_poker", saved("kuhn_poker")]) == 2
    assert "bad-strategy" in capsys.readouterr().err


def test_a_file_that_is_not_there(capsys):
    assert main(["match", "kuhn_poker", "nowhere.json"]) == 2
    assert "unreadable-file" in capsys.readouterr().err
