"""Proofs that a step is preferred: sound, and found where the rules allow it."""

from __future__ import annotations

from random import Random

import pytest

from zermelo.grammar.diagnostics import Source
from zermelo.interpreter.check import check
from zermelo.interpreter.native.dialect.language import execute
from zermelo.interpreter.native.model_lowering import lower

WALK = """\
game "A walk with points to spend"
players A, B
var at[0..8]: 0..15 = 0
var points[1..3]: 0..3 = 0
define left = sum d in 1..3: points[d]
start at throw(A)
phase throw(p: Player):
    chance:
        outcome thrown(a in 1..3, b in 1..3):
            for d in 1..3: points[d] := 0
            points[a] := 2
            points[b] := 1
            go step(p)
phase step(p: Player):
    turn p preferring (-left):
        move walk(d in 1..3, k in 1..8) if points[d] > 0 and at[k] < 9 and (d != 2 or at[0] < 3):
            at[k] += 1
            {spend}
            if d == 3 and at[0] < 12: at[0] += d
            if {end}: end win p
            go {there}
    otherwise:
        go throw(other p)
phase pause(p: Player):
    if left == 1: go throw(other p)
    go step(p)
"""

PROVED = {
    "out of reach": ("points[d] -= 1", "at[0] >= 15", "step(p)"),
    "likely to end": ("points[d] -= 1", "at[3] > 3", "step(p)"),
    "ended by every move": ("points[d] -= 1", "left < 2", "step(p)"),
    "won back": ("points[d] := points[d] // 2", "at[0] >= 12", "step(p)"),
    "another phase": ("points[d] -= 1", "at[0] >= 12", "pause(p)"),
    "one step a turn": ("points[d] -= 1", "at[0] >= 12", "step(other p)"),
}


def program_of(name: str, spend: str, end: str, there: str):
    text = WALK.format(spend=spend, end=end, there=there)
    model, findings = check(Source(f"{name}.game", text))
    assert model is not None, findings
    return lower(model)


@pytest.mark.parametrize("name", PROVED)
def test_what_is_proved_is_preferred(name):
    program = program_of(name, *PROVED[name])
    (call,) = {line.split("(")[0][4:] for line in program.text.splitlines() if line.startswith("def proof_")}
    functions = execute(program.text)
    context = [0] * program.history.context
    room, weights = [0] * program.most_moves, [0] * program.most_moves
    random, proved, seen, steps = Random(name), 0, 0, []
    for _ in range(25):
        state = [0] * program.layout.size
        functions["begin"](context, state)
        for _ in range(80):
            if functions["actor"](state) == -2:
                break
            if functions["actor"](state) == -1:
                count = functions["outcomes"](context, state, room, weights)
                steps = room[:count]
            else:
                every = room[: functions["steps"](context, state, room)]
                steps = room[: functions["moves"](context, state, room)]
                for move in every if len(every) > 1 else ():
                    is_proved = functions[call](context, state, move)
                    assert not is_proved or move in steps
                    proved, seen = proved + is_proved, seen + 1
            functions["apply"](context, state, random.choice(steps))
            assert context[0] == 0
    assert seen > 30
    assert proved > seen / 12
