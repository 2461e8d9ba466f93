"""Limits of the language are the same on every machine, and limits of a machine are invisible: at each, just below and
just above, all machines agree."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest
from all_machines import MACHINE_NAMES, native_machine, python_machine

import zermelo
from zermelo.interpreter.check import check
from zermelo.interpreter.machine import MOST_PHASES, Machine, PlayError
from zermelo.interpreter.native.dialect.lowered_text import Unsupported
from zermelo.interpreter.native.rules.perception import MOST_TOLD
from zermelo.interpreter.native.state_encoding import state_layout
from zermelo.interpreter.reference.machine import ReferenceMachine
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.search.random_plays import play_at_random

TRIALS = Path(__file__).parents[2] / "trial"

SPIN = """
game "Spin"
players A, B
var n: 0..20000 = 0
start at play
phase play:
    turn A:
        move go_round(k in 1..2): go spin(k)
phase spin(k: 1..2):
    n += 1
    if n < {phases}: go spin(k)
    end payoff {{A: k, B: -k}}
"""

THROUGH_DECISIONS = """
game "Nothing offered"
players A, B
var n: 0..20000 = 0
start at play
phase play:
    turn A:
        move go_round(k in 1..2): go left(k)
phase left(k: 1..2):
    n += 1
    turn A:
        move never if n > {phases}: end win A
    otherwise:
        if n == {phases}: end payoff {{A: k, B: -k}}
        go right(k)
phase right(k: 1..2):
    n += 1
    chance:
        outcome never if n > {phases}: end win A
    otherwise:
        if n == {phases}: end payoff {{A: k, B: -k}}
        go left(k)
"""

AT_LAST_A_DECISION = """
game "A decision behind many phases"
players A, B
var n: 0..20000 = 0
start at spin
phase spin:
    n += 1
    if n < {phases} - 1: go spin
    go play
phase play:
    turn B:
        move stop: end win B
"""

TELLING = """
game "Gossip"
players A, B
var heard: 0..99 = 0   hidden
start at play(A)
phase play(p: Player):
    turn p:
        move talk(k in 1..2):
            for i in 1..{count}: tell {{A, B}} that heard_of(i * k)
            heard += k
            if heard > 2: end win p
            go play(other p)
"""

REMEMBERING = """
game "A long memory"
players A, B
var steps: 0..99 = 0
var place: 0..2 = 0
start at play(A)
phase play(p: Player):
    turn p:
        move on(k in 1..2) if repetitions(place) < 90:
            place := (place + k) % 3
            steps += 1
            if steps == {count}: end payoff {{A: repetitions(place), B: -repetitions(place)}}
            go play(other p)
"""

LARGE = """
game "Large"
players A, B
var n: 0..{most} = {most} - 3
start at play(A)
phase play(p: Player):
    turn p:
        move grow(k in 1..4):
            if n + k > {most} - 1: end payoff {{A: 3 * (n + k), B: -3 * (n + k)}}
            n += k
            go play(other p)
"""


WAITING = """
game "Waiting"
players A, B
var x: 0..1 = 0
start at wait
phase wait:
    turn A:
        move go_on if repetitions(x) > {count}: end win A
        move never if x == 1:
            x := 0
            end win B
    otherwise: go wait
"""


def on(machine: str, text: str) -> Machine[Any]:
    model, findings = check(zermelo.Source("limit.game", text))
    assert model is not None, zermelo.render(findings)
    makers: dict[str, Any] = {"reference": ReferenceMachine, "python": python_machine, "native": native_machine}
    try:
        made: Machine[Any] = makers[machine](model)
    except Unsupported:  # ``auto`` then takes the reference machine
        made = ReferenceMachine(model)
    return made


def told(machine: Machine[Any], seed: int) -> list[Any]:
    """The transcript of a random play, with its payoff, or its error with message, line and play."""
    random, seen = Random(seed), []
    try:
        state = machine.initial()
        while machine.moves(state):
            seen.append([tuple(map(str, machine.information_state(state, p))) for p in range(2)])
            state = machine.after(state, random.choice(machine.moves(state)))
        seen.append([tuple(map(str, machine.information_state(state, p))) for p in range(2)])
        seen.append(machine.payoff(state))
    except PlayError as error:
        seen.append((error.code, error.message, error.finding.span, [str(move) for move in error.play]))
    return seen


def agreed(text: str, seed: int = 1) -> list[Any]:
    """The transcript on which all machines agree."""
    shown = [told(on(machine, text), seed) for machine in MACHINE_NAMES]
    assert all(one == shown[0] for one in shown)
    return shown[0]


@pytest.mark.parametrize("text", [SPIN, THROUGH_DECISIONS])
@pytest.mark.parametrize("phases", [MOST_PHASES - 1, MOST_PHASES, MOST_PHASES + 1])
def test_phases_without_a_decision(text, phases):
    *_, last = agreed(text.format(phases=phases))
    if phases <= MOST_PHASES:
        assert sum(last) == 0
    else:
        code, message, _, play = last
        assert (code, play) == ("endless-go", ["go_round(1)"])
        assert "10,000" in message


@pytest.mark.parametrize("phases", [MOST_PHASES - 1, MOST_PHASES, MOST_PHASES + 1])
def test_phases_before_the_first_decision(phases):
    *_, last = agreed(AT_LAST_A_DECISION.format(phases=phases))
    assert last == (-1, 1) if phases <= MOST_PHASES else last[0] == "endless-go"


@pytest.mark.parametrize("machine", MACHINE_NAMES)
@pytest.mark.parametrize("text", [SPIN, THROUGH_DECISIONS])
@pytest.mark.parametrize("phases", [MOST_PHASES, MOST_PHASES + 1])
def test_random_plays_stop_at_the_same_phase(text, phases, machine):
    """Kernels that draw come to rest at a decision before they know whether it offers anything."""

    def played() -> int:
        there = on(machine, text.format(phases=phases))
        return play_at_random(there, there.initial(), 3, 1, lambda _: None, Limits(), 1).plays

    if phases <= MOST_PHASES:
        assert played() == 3
        return
    with pytest.raises(PlayError) as raised:
        played()
    assert raised.value.code == "endless-go"


def test_a_circle_that_the_history_leaves_is_none():
    """The variables recur, and the number of repetitions does not."""
    assert agreed(WAITING.format(count=300))[-1] == (1, -1)


def test_the_manual_says_how_many():
    manual = (Path(__file__).parents[3] / "docs" / "language.md").read_text(encoding="utf-8")
    assert f"more than {MOST_PHASES:,} phases" in " ".join(manual.split())


@pytest.mark.parametrize("machine", ["auto", *MACHINE_NAMES])
def test_fifteen_thousand_phases_are_an_error_in_words(machine):
    game = zermelo.load(str(TRIALS / "values" / "h_goloop15k.game")).on(machine)
    with pytest.raises(PlayError) as raised:
        zermelo.solve(game)
    assert raised.value.code == "endless-go"
    assert raised.value.finding.span.line == 6
    assert [str(move) for move in raised.value.play] == ["take(1)"]


@pytest.mark.parametrize("count", [MOST_TOLD - 1, MOST_TOLD, MOST_TOLD + 1])
def test_tellings_of_one_run(count):
    for seed in range(3):
        assert len(agreed(TELLING.format(count=count), seed)[-1]) == 2


@pytest.mark.parametrize("count", [19, 20, 21, 22])
def test_decisions_that_a_history_holds(count, monkeypatch):
    monkeypatch.setattr(state_layout, "MOST_ENTRIES", 20)
    for seed in range(3):
        assert sum(agreed(REMEMBERING.format(count=count), seed)[-1]) == 0


@pytest.mark.parametrize("most", [2**k + d for k in (31, 60, 61, 62, 63, 64, 200) for d in (-1, 0, 1)])
def test_large_numbers(most):
    for seed in range(2):
        *_, (a, b) = agreed(LARGE.format(most=most), seed)
        assert a == -b >= 3 * (most - 1)


@pytest.mark.parametrize("machine", MACHINE_NAMES)
def test_a_play_may_have_any_length(machine):
    text = SPIN.format(phases=3_000).replace("if n < 3000: go spin(k)", "if n < 3000: go play")
    there = on(machine, text)
    state = there.initial()
    while there.moves(state):
        state = there.after(state, there.moves(state)[0])
    assert there.payoff(state) == (1, -1)
    assert len(there.play(state)) == 3_000
    assert len(there.information_state(state, 1)) > 0
    there.position(state)
