"""Strategies against each other."""

from __future__ import annotations

from fractions import Fraction

import pytest

import zermelo
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.policies.exploiting import _match_by_histories, _match_by_positions, matches
from zermelo.policies.strategy_files import read_record
from zermelo.solvers.common.limits import Limits, ignore_progress

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
