"""Games beyond the limits of machine code fall back to the reference machine invisibly."""

from __future__ import annotations

from random import Random

import pytest
from all_machines import native_machine, needs_llvm, python_machine
from played_alike import play_alike
from solving import solve

import zermelo
from zermelo.interpreter.checks.proving import facts
from zermelo.interpreter.machine import PlayError
from zermelo.interpreter.native.state_encoding import state_layout
from zermelo.interpreter.native.state_encoding.move_codes import MORE_ROOM
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.search import counting
from zermelo.solvers.search.counting import count_plays
from zermelo.solvers.search.random_plays import random_plays

WIDE = """
game "Wide"
players A, B
claim zero_sum, perfect_information, terminates
var left: 0..2 = 2
var recent: 0..6 = 0
start at play(A)
phase play(p: Player):
    turn p:
        move pick(a in 1..33, b in 1..33) if left > 1 or a + b > 64:
            recent := (a * b) % 7
            left -= 1
            if left == 0: end win (if recent == 3 then p else other p)
            go play(other p)
"""

AMAZONS = """
game "Amazons"
players White, Black
type Square = grid(10, 10)
type Thing = white | black | arrow
var board[Square]: Thing? = none
define colour(p: Player) = if p == White then white else black
define open(c: Square, left: Square) =
    {t for d in directions(Square) for t in ray(c, d) while board[t] is none or t == left}
setup:
    for s in {a4, d1, g1, j4}: board[s] := white
    for s in {a7, d10, g10, j7}: board[s] := black
start at play(White)
phase play(p: Player):
    turn p:
        move go(from in Square, to in open(from, from), shot in open(to, from)) if board[from] == colour(p):
            board[from] := none
            board[to] := colour(p)
            board[shot] := arrow
            go play(other p)
    otherwise: end win other p
"""

LOTTERY = """
game "Lottery"
players A, B
var drawn: 0..40 = 0
start at lottery
phase lottery:
    chance:
        outcome ball(a in 1..40, b in 1..40) weight a:
            drawn := b
            go play
phase play:
    turn A:
        move stop: end payoff {A: drawn, B: -drawn}
"""

LONG = """
game "Long"
players A, B
var place: 0..9 = 0
var steps: 0..40 = 0
start at play(A)
phase play(p: Player):
    turn p:
        move on(k in 1..2) if not repeated(steps):
            place := (place + k) % 10
            steps += 1
            if steps == 30: end win (if place > 4 then A else B)
            go play(other p)
"""

RICH = """
game "Rich"
players A, B
var rounds: 0..70 = 0
start at play(A)
phase play(p: Player):
    turn p:
        move earn_it:
            rounds += 1
            earn A: 1000000
            earn B: -1000000
            for k in 1..60:
                earn A: 500000000
                earn B: -500000000
            if rounds == 3: end draw
            go play(other p)
"""

MAKERS = [pytest.param(python_machine, id="python"), pytest.param(native_machine, id="native")]


def both(text, make):
    game = zermelo.loads(text)
    return game.machine, make(game.model), facts(game.model)


@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize("most", [33, 130], ids=["crowded", "too many"])
def test_decisions_with_many_moves(make, most):
    """The rules are lowered again with longer lists; beyond these, the reference machine lists the moves."""
    reference, machine, _ = both(WIDE.replace("33", str(most)).replace("64", str(2 * most - 2)), make)
    one, two = play_alike(reference, machine, reference.initial(), machine.initial(), Random(3))
    assert machine.play(two) == reference.play(one)
    assert machine.program.most_moves == min(most * most, MORE_ROOM)


@pytest.mark.parametrize("make", MAKERS)
def test_the_same_position_is_the_same_by_any_way(make):
    _, machine, _ = both(WIDE, make)
    start = machine.initial()
    moves = {str(move): move for move in machine.moves(start)}
    there, here = (machine.after(start, moves[name]) for name in ("pick(1, 2)", "pick(2, 1)"))
    assert machine.position(there) == machine.position(here)
    assert machine.position(there) != machine.position(machine.after(start, moves["pick(1, 1)"]))


@pytest.mark.parametrize("make", MAKERS)
def test_kernels_begin_anew_with_more_room(make, monkeypatch):
    monkeypatch.setattr(counting, "count_plays", None)
    reference, machine, known = both(WIDE, make)
    found = solve(machine, known, "alphabeta_table")
    assert machine.program.most_moves == 1089
    assert found.value == solve(reference, known, "alphabeta_table").value
    for threads in (1, 2):
        _, machine, known = both(WIDE, make)
        assert count_plays(machine, machine.initial(), 2, lambda _: None, Limits(), threads).plays == 1089 * 3
        assert random_plays(machine, machine.initial(), 10, 1).plays == 10


@needs_llvm
def test_amazons():
    """The numbers are those on which other programs agree."""
    machine = both(AMAZONS, native_machine)[1]
    counts = [count_plays(machine, machine.initial(), length, lambda _: None, Limits(), 1).plays for length in (1, 2)]
    assert counts == [2176, 4307152]


@pytest.mark.parametrize("make", MAKERS)
def test_kernels_leave_decisions_of_too_many_moves_to_python(make):
    _, machine, _ = both(WIDE.replace("33", "130"), make)
    assert count_plays(machine, machine.initial(), 1, lambda _: None, Limits(), 1).plays == 130 * 130


@pytest.mark.parametrize("make", MAKERS)
def test_chance_with_too_many_outcomes(make):
    reference, machine, _ = both(LOTTERY, make)
    assert machine.outcomes(machine.initial()) == reference.outcomes(reference.initial())
    random = Random(5)
    for _ in range(20):
        state = machine.initial()
        drawn = machine.draw(state, random)
        state = machine.after(state, drawn)
        assert machine.moves(state)
    assert random_plays(machine, machine.initial(), 10, 1).plays == 10


@pytest.mark.parametrize("make", MAKERS)
def test_plays_that_are_too_long(make, monkeypatch):
    monkeypatch.setattr(state_layout, "MOST_ENTRIES", 16)
    reference, machine, _ = both(LONG, make)
    one, two = reference.initial(), machine.initial()
    for _ in range(30):
        move = reference.moves(one)[-1]
        assert machine.moves(two)[-1] == move
        one, two = reference.after(one, move), machine.after(two, move)
    assert machine.payoff(two) == reference.payoff(one)


@pytest.mark.parametrize("make", MAKERS)
def test_no_limit_is_an_error(make):
    reference, machine, known = both(RICH, make)
    state = machine.initial()
    there = reference.initial()
    while machine.actor(state) >= 0:
        state = machine.after(state, machine.moves(state)[0])
        there = reference.after(there, reference.moves(there)[0])
    assert machine.payoff(state) == reference.payoff(there)
    assert solve(machine, known, "minimax").value == solve(reference, known, "minimax").value


@pytest.mark.parametrize("make", MAKERS)
def test_moves_that_nobody_can_list_are_an_error_of_the_rules(make):
    crowded = WIDE.replace("a in 1..33, b in 1..33", "a in 1..99, b in 1..99, c in 1..99")
    reference, machine, _ = both(crowded, make)
    with pytest.raises(PlayError) as expected:
        reference.moves(reference.initial())
    with pytest.raises(PlayError) as found:
        machine.moves(machine.initial())
    assert found.value.code == expected.value.code == "too-many-moves"
    assert str(found.value) == str(expected.value)
