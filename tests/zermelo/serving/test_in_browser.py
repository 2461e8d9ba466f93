"""What answers the page where there is no server: it needs attrs and lark, and nothing else that Zermelo brings."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]

ALONE = """
import json, sys
sys.path[:0] = sys.argv[1:]
from zermelo.serving.in_browser import start
answer = start(600.0, 1 << 30)
for line in sys.stdin:
    name, question = json.loads(line)
    print(json.dumps(answer(name, json.dumps(question), lambda words: None)))
"""


@pytest.fixture(scope="module")
def asked_alone(tmp_path_factory):
    """Asks a process that has attrs and lark alone: pairs of a status and what is said."""
    folder = tmp_path_factory.mktemp("alone")
    for name in ("attr", "attrs", "lark"):
        (folder / name).symlink_to(Path(find_spec(name).origin).parent)

    def ask(*questions):
        lines = "".join(json.dumps(question) + "\n" for question in questions)
        command = [sys.executable, "-I", "-S", "-c", ALONE, str(ROOT), str(folder)]
        done = subprocess.run(command, input=lines, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return [(status, json.loads(content)) for status, content in map(json.loads, done.stdout.splitlines())]

    return ask


def text(name):
    return (ROOT / "gamedefs" / f"{name}.game").read_text(encoding="utf-8")


def test_a_text_is_checked_completed_and_set_out(asked_alone):
    source = text("tic_tac_toe")
    wrong = source.replace("if board[c] is none", "if bord[c] is none")
    place = {"line": 2, "character": 4}
    found, completed, meaning, set_out = asked_alone(
        ("findings", {"source": wrong, "whole": True}),
        ("completion", {"source": source, "position": place}),
        ("hover", {"source": source, "position": place}),
        ("format", {"source": source}),
    )
    (finding,) = found[1]["diagnostics"]
    assert finding["code"] == "undefined-name" and found[1]["fixes"][0]["title"]
    assert completed[0] == meaning[0] == 200
    assert set_out == (200, {"source": source})


GAMES = ("tic_tac_toe", "nim", "kuhn_poker", "rock_paper_scissors", "tiger", "prisoners_dilemma")


@pytest.mark.parametrize("name", GAMES)
def test_a_game_is_shown_played_and_drawn(name, asked_alone):
    question = {"source": text(name)}
    kinds = ["rules", "position", "replay", "reply", "tree"]
    answers = asked_alone(*((kind, {**question, "depth": 2, "seat": "random"}) for kind in kinds))
    assert [status for status, _ in answers if status != 200] == []


def test_a_best_move_is_found(asked_alone):
    (_, found), (status, _) = asked_alone(("hint", {"source": text("nim")}), ("analysis", {"source": text("nim")}))
    assert found["value"] == "1" and status == 200


VALUES = {
    "tic_tac_toe": {"X": "0", "O": "0"},
    "nim": {"Ann": "1", "Bob": "-1"},
    "kuhn_poker": {"Alice": "-1/18", "Bob": "1/18"},
}


def test_small_games_are_solved(asked_alone):
    answers = asked_alone(*(("solve", {"source": text(name)}) for name in VALUES))
    assert [found["value"] for _, found in answers] == list(VALUES.values())


def test_what_needs_native_code_says_so(asked_alone):
    ((status, refused),) = asked_alone(("solve", {"source": text("leduc_poker")}))
    assert status == 422 and refused["code"] == "broken-installation"
