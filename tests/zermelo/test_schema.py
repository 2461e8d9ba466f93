"""What commands print with --json is as docs/results.schema.json says."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

SCHEMA = json.loads((Path(__file__).parents[2] / "docs" / "results.schema.json").read_text(encoding="utf-8"))

COMMANDS = [
    ("solve", "solve tic_tac_toe --solver alphabeta_table"),
    ("solve", "solve two_ply_tree --verify"),
    ("solve", "solve two_ply_tree --solver alphabeta --steps"),
    ("solve", "solve coin_flip_tree --solver star2 --steps"),
    ("solve", "solve three_player_tree --solver maxn --steps"),
    ("solve", "solve kuhn_poker"),
    ("solve", "solve kuhn_poker --brief"),
    ("solve", "solve kuhn_poker --solver external_sampling --iterations 50"),
    ("solve", "solve leduc_poker --solver cfr+ --iterations 3"),
    ("solve", "solve pig -p target=5 --policy"),
    ("solve", "solve goofspiel -p open=true -p cards=3 --policy"),
    ("solve", "solve gamblers_ruin"),
    ("solve", "solve connect_four --depth 2"),
    ("solve", "solve connect_four --solver mcts --simulations 20"),
    ("solve", "solve tiger"),
    ("solve", "solve prisoners_dilemma"),
    ("equilibria", "equilibria chicken"),
    ("equilibria", "equilibria beer_or_quiche"),
    ("equilibria", "equilibria colonel_blotto --pure --limit 1"),
    ("equilibria", "equilibria two_robots"),
    ("error", "solve chess --solver cfr"),
    ("error", "equilibria pig"),
    ("finding", "check slip.game"),
]


def validator(name: str) -> Draft202012Validator:
    return Draft202012Validator({**SCHEMA, "$ref": f"#/$defs/{name}"})


def test_the_schema_is_one():
    Draft202012Validator.check_schema(SCHEMA)


@pytest.fixture(autouse=True)
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("slip.game").write_text('game "Slip"\nplayers Ann\nvar n: 0..3 = 3\nstart at p\nphase p:\n    turn Ann:\n'
                                 "        move take:\n            n = n - 1\n            go p\n")  # fmt: skip


@pytest.mark.parametrize(("name", "words"), COMMANDS, ids=[words for _, words in COMMANDS])
def test_a_command_prints_what_the_schema_says(run, name, words):
    ran = run(*shlex.split(words), "--json")
    validator(name).validate(json.loads(ran.out))


@pytest.mark.parametrize(
    "words", ["tic_tac_toe --hidden 2", "othello -p size=4 --method weights", "tic_tac_toe --method spsa"]
)
def test_a_learning_curve_is_what_the_schema_says(run, words):
    ran = run("learn", *shlex.split(words), "--games", "20", "-o", "learnt.json")
    assert ran.code == 0, ran.err
    validator("weights").validate(json.loads(Path("learnt.json").read_text(encoding="utf-8")))


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("solve", {"value": {"X": 0.5}}),
        ("solve", {"new": 1}),
        ("solve", {"certainty": "perhaps"}),
        ("equilibria", {"payoffs": [{"One": "1.2.3"}]}),
    ],
)
def test_what_it_does_not_say_is_no_result(run, name, change):
    """The schema notices a value of another kind, and a field that it has not."""
    record = json.loads(run(name, "chicken" if name == "equilibria" else "tic_tac_toe", "--json").out)
    assert validator(name).is_valid(record)
    assert not validator(name).is_valid({**record, **change})
