"""Variables of very many entries, several of which share a slot of the state."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from all_machines import MAKERS

import zermelo
from zermelo.interpreter.machine import END, PlayError

GAME = """
game "Roads"
players A, B
type Cell = grid(9, 8)
type Inner = {c in Cell if c.x > 2}
var used[Cell, Cell]: Bool = false
var cost[Inner, Cell]: 0..100
var owner[Cell, Cell]: Player? = none
var groups[Cell, 1..50]: set of 1..9 = {}
var roads[Cell, Cell]: (n: 0..3, p: Player?) = (0, none)
var far[Cell, Cell]: 0..30 = 0
var at: Cell = a1
var step: 0..12 = 0
setup:
    for c in Cell, d in Cell: far[c, d] := distance(c, d)
    for c in Inner: cost[c, a1] := far[c, a1]
start at play(A)
phase play(p: Player):
    if step == 12: end payoff {A: far[c3, at] + (count c in Cell: owner[c, at] == A), B: 0}
    turn p:
        move go_to(c in neighbours(at)) if not used[at, c]HISTORY:
            used[at, c] := true
            owner[c, at] := p
            groups[c, 50] := groups[at, 50] + {1 + step % 9}
            roads[c, at].n := (roads[c, at].n + 1) % 4
            roads[c, at].p := if owner[at, c] is none then p else owner[at, c]
            cost[c3, c] := step * 3 + far[at, c]
            at := c
            step += 1
            go play(other p)
        move dear if step == 1:
            cost[c3, a1] := 99 + 2 * far[at, a1]
            step += 1
            go play(other p)
        move forget if step % 5 == 1:
            used := false
            step += 1
            go play(other p)
        move keep(k in groups[at, 50]):
            groups := {k}
            owner := p
            roads := roads[at, a1]
            cost := k
            step += 1
            go play(other p)
        move look(c in {e5}) if step == 1:
            cost[c3, c] := cost[c4, c]
            step += 1
            go play(other p)
    otherwise: end draw
"""


def played(machine: Any, random: Random) -> list[object]:
    """The transcript of a random play, up to its end or its error."""
    seen: list[object] = []
    state = machine.initial()
    try:
        while machine.actor(state) != END:
            moves = machine.moves(state)
            seen.append(moves)
            state = machine.after(state, random.choice(moves))
    except PlayError as error:
        seen.append((error.code, str(error)))
    else:
        seen.append(machine.payoff(state))
    return seen


@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize("history", ["", " ensuring not repeated(used, at)"])
def test_large_variables_play_as_on_the_reference_machine(history: str, make: Any) -> None:
    game = zermelo.loads(GAME.replace("HISTORY", history))
    machine = make(game.model)
    places = {variable.name: place for variable, place in machine.program.layout.places.items()}
    assert {name: place.per_slot for name, place in places.items() if place.per_slot > 1} == {
        "used": 128, "cost": 16, "owner": 64, "groups": 8, "roads": 32, "far": 16,
    }  # fmt: skip
    for seed in range(6):
        assert played(machine, Random(seed)) == played(game.machine, Random(seed))


@pytest.mark.parametrize("make", MAKERS)
def test_positions_of_large_variables_are_told_apart(make: Any) -> None:
    game = zermelo.loads(GAME.replace("HISTORY", ""))
    machine = make(game.model)
    there: dict[object, object] = {}
    back: dict[object, object] = {}
    random = Random(4)
    for _ in range(6):
        one, two = game.machine.initial(), machine.initial()
        for _ in range(4):
            here, also = game.machine.position(one), machine.position(two)
            assert there.setdefault(here, also) == also
            assert back.setdefault(also, here) == here
            move = random.choice(machine.moves(two))
            one, two = game.machine.after(one, move), machine.after(two, move)
    assert len(there) > 10


@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize(("name", "code"), [("dear", "assigned-out-of-range"), ("look(e5)", "unset-variable")])
def test_their_errors_are_those_of_the_reference_machine(name: str, code: str, make: Any) -> None:
    game = zermelo.loads(GAME.replace("HISTORY", ""))
    found = []
    for machine in (game.machine, make(game.model)):
        state = machine.initial()
        state = machine.after(state, machine.moves(state)[0])
        with pytest.raises(PlayError) as error:
            machine.after(state, machine.find_move(state, name))
        found.append((error.value.code, str(error.value)))
    assert found[0] == found[1]
    assert found[0][0] == code
