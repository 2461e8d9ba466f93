"""Strategies sampled from the rules, from the command line: printed, saved, and played."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest

from zermelo.cli import main

TIGHT = ["--memory", "200k", "--iterations", "300"]
"""So little memory that the tree of Leduc poker does not fit."""


def printed(capsys, *words, code=0):
    assert main(list(words)) == code
    out = capsys.readouterr()
    return out.out if code == 0 else out.err


@pytest.fixture
def saved(tmp_path, capsys):
    """Saves strategies after a change to them; the name of the file."""

    def save(game, solver, *words, change=lambda record: None):
        found = json.loads(printed(capsys, "solve", game, "--solver", solver, *words, "--json"))
        change(found)
        path = tmp_path / "sampled.json"
        path.write_text(json.dumps(found), encoding="utf-8")
        return str(path)

    return save


@pytest.mark.parametrize("solver", ["external_sampling", "outcome_sampling"])
def test_the_page_says_what_is_estimated(solver, capsys):
    text = " ".join(printed(capsys, "solve", "leduc_poker", "--solver", solver, *TIGHT).split())
    assert "these strategies pay" in text and "value, bounded" not in text
    assert "Sampled from the rules, since memory has no room for the tree" in text
    assert "by responses learned from samples: an estimate, no proof" in text
    assert "proved the value" not in text


def test_other_solvers_stop_where_the_tree_does_not_fit(capsys):
    assert "out-of-memory" in printed(capsys, "solve", "leduc_poker", "--solver", "cfr", *TIGHT, code=1)


@pytest.mark.parametrize("words", [["--exploitability", "0.1"], ["--checkpoint", "work"]])
def test_what_needs_the_tree_is_refused(words, capsys, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    command = ["solve", "leduc_poker", "--solver", "external_sampling", "--memory", "200k", *words]
    text = printed(capsys, *command, code=1)
    assert "error[no-solver]" in text and f"leave out {words[0]}" in text
    assert not (tmp_path / "work").exists()


def test_json_has_estimates_and_says_what_is_not_listed(capsys):
    found = json.loads(printed(capsys, "solve", "leduc_poker", "--solver", "external_sampling", *TIGHT, "--json"))
    assert found["exploitability"] is None and found["exact"] is False and found["certainty"] == "heuristic"
    assert found["sampled_exploitability"]["margin"] > 0
    assert found["meaning"] == "these strategies pay" and found["standard_errors"] is not None
    for strategy in found["strategies"]:
        assert strategy["elsewhere"] == "uniform"
        for decision in strategy["decisions"]:
            assert sum(Fraction(told["probability"]) for told in decision["moves"].values()) == 1
            assert all("loses" not in told for told in decision["moves"].values())


def test_sampled_strategies_are_judged_where_the_tree_fits(saved, capsys):
    file = saved("leduc_poker", "external_sampling", "--memory", "4M", "--iterations", "3000")
    answers = json.loads(printed(capsys, "exploit", "leduc_poker", file, "--json"))["answers"]
    gains = [float(Fraction(answer["gain"])) for answer in answers]
    assert all(0 < gain < 2 for gain in gains)


def test_sampled_strategies_play(saved, capsys):
    """In decisions that are not listed, too: with so few iterations most are not."""
    file = saved("leduc_poker", "outcome_sampling", "--memory", "200k", "--iterations", "20")
    words = ["--seat", f"Ann={file}", "--seat", "Bob=random", "--plays", "20", "--jobs", "1", "--json"]
    names = json.loads(printed(capsys, "solve", "leduc_poker", "--solver", "cfr", "--iterations", "1", "--json"))
    words = [word.replace("Ann", names["players"][0]).replace("Bob", names["players"][1]) for word in words]
    assert json.loads(printed(capsys, "match", "leduc_poker", *words))["plays"] == 20


def test_an_unknown_rule_for_decisions_that_are_not_listed_is_refused(saved, capsys):
    def change(found):
        found["strategies"][0]["elsewhere"] = "best"

    file = saved("leduc_poker", "external_sampling", *TIGHT, change=change)
    for words in (["exploit", "leduc_poker", file], ["match", "leduc_poker", file, "uniform"]):
        assert "`elsewhere` of a strategy is best, and not 'uniform'" in printed(capsys, *words, code=2)


def test_moves_have_no_values_against_sampled_strategies(capsys):
    command = ["moves", "leduc_poker", "--after", "deal(J♥), deal(Q♠)", "--values", "--solver", "external_sampling"]
    assert "strategies from samples" in printed(capsys, *command, "--memory", "200k", code=1)
