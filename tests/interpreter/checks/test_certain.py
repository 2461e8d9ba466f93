"""Chance decisions that are certain, impossible, or possible."""

from __future__ import annotations

import pytest
from written_games import model_of

from zermelo.interpreter.checks.proving import facts

GAME = """
game "Test"
players A, B
param fair: Bool = false
var x: 0..3 = 0
start at {start}
phase play(p: Player):
    turn p:
        {rule}
    {otherwise}
phase roll(p: Player):
    {entry}
    chance:
        outcome low(n in 1..{most}) if n > {least}: end win p
    otherwise: end draw
"""


def chance(**changes):
    parts = {
        "start": "play(A)",
        "rule": "move m: go roll(p)",
        "otherwise": "",
        "entry": "",
        "most": 3,
        "least": 0,
    }
    text = GAME.format(**{**parts, **changes})
    return facts(model_of("\n".join(line for line in text.splitlines() if line.strip()))).chance.holds


OPEN = [
    {"rule": "move m if x > 0: go roll(p)\n        move o: end draw"},
    {"rule": "move m(k in 0..x) if k > 1: go roll(p)", "otherwise": "otherwise: end draw"},
    {"rule": "move m(k in 1..x): go roll(p)", "otherwise": "otherwise: end draw"},
    {"rule": "move m:\n            if x > 0: go roll(p)\n            end draw"},
    {"rule": "move m ensuring x > 0: go roll(p)\n        move o: end draw"},
    {"entry": "if x == 0: end draw"},
    {"entry": "if x > 0: end draw", "rule": "move m:\n            x := 1\n            go roll(p)"},
    {"least": 5},
]


@pytest.mark.parametrize("changes", OPEN, ids=map(str, OPEN))
def test_chance_may_be_asked(changes):
    assert chance(**changes) is None


def test_chance_is_sure_to_be_asked():
    sure = GAME.replace("    otherwise: end draw\n", "").replace(" if n > {least}", "")
    for rule in ("move m: go roll(p)", "move m: go roll(p)\n        move o: end draw"):
        text = sure.format(start="play(A)", rule=rule, otherwise="", entry="", most=3)
        assert facts(model_of("\n".join(filter(str.strip, text.splitlines())))).chance.holds is True


def test_chance_is_never_asked():
    assert chance(entry="if not fair: end draw") is False
