"""Positions determine the rest of the play, names that outlive changes of their variables included."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Hashable
from operator import sub
from pathlib import Path
from random import Random
from textwrap import dedent
from typing import Any

import pytest
from hypothesis import given, note, settings
from hypothesis import strategies as st
from random_cases import many
from random_games.writer import write_game

from zermelo.grammar.diagnostics import Source
from zermelo.interpreter.check import check
from zermelo.interpreter.machine import CHANCE, END, Machine, Move, PlayError
from zermelo.interpreter.model import Model
from zermelo.interpreter.model.rewriting import live_names, remembered_names
from zermelo.interpreter.native.model_lowering import lower
from zermelo.interpreter.native.program import Program
from zermelo.interpreter.native.running.kernels import Executor
from zermelo.interpreter.native.running.machine import machine_over
from zermelo.interpreter.reference.machine import ReferenceMachine

TRIAL = Path(__file__).parents[2] / "trial" / "proofs"

MACHINES: dict[str, Callable[[Model], Machine[Any]]] = {
    "reference": ReferenceMachine,
    "python": lambda model: machine_over(lower(model)),
    "native": lambda model: compiled(lower(model)),
}


def compiled(program: Program) -> Machine[Any]:
    return machine_over(program, Executor(program, compiles_after=0))


def model_of(text: str) -> Model:
    model, findings = check(Source("test.game", dedent(text)))
    assert model is not None, findings
    return model


def offered(machine: Machine[Any], state: Any) -> tuple[Any, ...]:
    if machine.actor(state) == CHANCE:
        return tuple(move for move, _ in machine.outcomes(state))
    return machine.moves(state)


def attempt(work: Callable[[], Any]) -> Any:
    """The result of ``work``, or its error."""
    try:
        return work()
    except PlayError as error:
        return error.finding.code, error.finding.span


def future_of(machine: Machine[Any], state: Any) -> tuple[Hashable, list[Any]]:
    """The next step as far as the position determines it, and the states after it."""
    if machine.actor(state) == END:
        paid, before = machine.payoff(state), machine.earned(state)
        return tuple(map(sub, paid, before)), []
    moves = attempt(lambda: offered(machine, state))
    if not all(isinstance(move, Move) for move in moves):
        return moves, []
    behind = [attempt(lambda move=move: machine.after(state, move)) for move in moves]
    reached = [state for state in behind if not isinstance(state, tuple)]
    positions = [state if isinstance(state, tuple) else machine.position(state) for state in behind]
    return (machine.actor(state), moves, machine.outcomes(state), tuple(positions)), reached


def assert_positions_tell_the_future(machine: Machine[Any], limit: int) -> int:
    """States of the same position have the same moves, payoffs and next positions, and so, by induction, the same
    future. Visits at most ``limit`` states of different plays, breadth first; gives the number of recurring
    positions."""
    futures: dict[Hashable, Hashable] = {}
    again = set()
    waiting = deque([machine.initial()])
    while waiting and limit > 0:
        limit -= 1
        state = waiting.popleft()
        position, (future, behind) = machine.position(state), future_of(machine, state)
        if position in futures:
            again.add(position)
        assert futures.setdefault(position, future) == future, machine.play(state)
        waiting.extend(behind)
    return len(again)


FRAME = """
    game "Names"
    players Ann, Bob
    type Sq = grid(3, 1)
    var x: 0..3 = 0
    var y: 0..3 = 0
    var s: set of Sq = {{}}
    var t: set of Sq = {{}}
    var late: Bool = false
    define twice = x + x
    action forget:
        x := 0
        s := {{}}
    start at a
    phase a:
        turn Ann:
            move put(v in 0..3, c in Sq):
                x := v
                y := v
                s := {{c}}
                go b(v % 2)
    phase b(w: 0..1):
{entry}
        turn Bob:
            move u(k in 0..3) if {guard}:
                late := k == 3
                go c
            move pass: go c
    phase c:
        if late: go b(0)
        end payoff (x + y, -x - y)
"""


def game(entry: str, guard: str) -> Model:
    return model_of(FRAME.format(entry="\n".join(f"        {line}" for line in entry.splitlines()), guard=guard))


FOLLOWING = {
    "of a variable that stays": ("let old = x\ny := 0", "k == old"),
    "of an argument": ("let old = w + 1\nx := 0", "k == old"),
    "of another such name": ("let old = x\nlet more = min(old, 2)", "k == more"),
    "through a define": ("let old = twice\ny := 0", "k == old"),
    "of a set": ("let old = s - {a1}", "k == size(old)"),
    "a local variable": ("var old: 0..3 = x", "k == old"),
    "for otherwise alone": ("let old = x\nx := 0\nif old == 3: go c", "k == 1"),
}

REMEMBERED = {
    "of a variable that changes": ("let old = x\nx := 0\ny := 0", "k == old"),
    "in an action": ("let old = x\nforget()\ny := 0", "k == old"),
    "through a define and an action": ("let old = min(twice, 3)\nforget()\ny := 0", "k == old"),
    "under a condition": ("let old = x\nif y > 0:\n    x := 0\n    y := 0", "k == old"),
    "of a name that does not follow": ("let old = x\nlet more = min(3, old + 1)\nx := 0\ny := 0", "k == more"),
    "a set": ("let old = s\nforget()\ny := 0", "k == size(old * {a1})"),
    "a set by another assignment": ("let old = s\ns := t\nx := 0\ny := 0", "a1 in old"),
    "a local variable that changes": ("var old: 0..3 = 0\nif x > 1: old := 2\nx := 0\ny := 0", "k == old"),
    "assigned in a loop": ("var old: 0..3 = 0\nfor i in 1..x: old := i\nx := 0\ny := 0", "k == old"),
    "none or not": ("let old = if x > 1 then x else none\nx := 0\ny := 0", "old is none or k == old"),
    "negative": ("let old = -x\nx := 0\ny := 0", "k == -old"),
    "a fraction": ("let old = x / 3\nx := 0\ny := 0", "k == 3 * old"),
    "a condition": ("let old = x > 1\nx := 0\ny := 0", "old or k == 0"),
}


@pytest.mark.parametrize("case", FOLLOWING)
def test_names_that_follow_are_no_part_of_the_position(case: str) -> None:
    assert remembered_names(game(*FOLLOWING[case]).phases["b"]) == ()


@pytest.mark.parametrize("case", REMEMBERED)
def test_names_that_nothing_else_tells_are_part_of_the_position(case: str) -> None:
    phase = game(*REMEMBERED[case]).phases["b"]
    assert len(remembered_names(phase)) == 1
    assert set(remembered_names(phase)) <= live_names(phase)


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("case", [*FOLLOWING, *REMEMBERED])
def test_equal_positions_have_equal_futures(case: str, machine: str) -> None:
    model = game(*{**FOLLOWING, **REMEMBERED}[case])
    assert assert_positions_tell_the_future(MACHINES[machine](model), 500) > 0


def test_the_order_of_a_remembered_set_counts_on_the_reference_machine() -> None:
    text = """
        game "Rays"
        players Ann, Bob
        type Sq = grid(4, 1)
        var from_west: Bool = false
        start at a
        phase a:
            turn Ann:
                move look(w in Bool):
                    from_west := w
                    go b
        phase b:
            let middle = {t in (if from_west then ray(a1, east) else ray(d1, west)) if t in {b1, c1}}
            from_west := false
            turn Bob:
                move take:
                    var first_met: Sq? = none
                    for t in middle:
                        if first_met is none: first_met := t
                    end payoff (if first_met == b1 then 1 else -1, 0)
    """
    machine = ReferenceMachine(model_of(text))
    left, right = (machine.after(machine.initial(), move) for move in machine.moves(machine.initial()))
    assert machine.position(left) != machine.position(right)
    assert_positions_tell_the_future(machine, 10)


TOGETHER = """
    game "Remembered behind closed hands"
    players Ann, Bob
    var x: 0..2 = 0
    start at a
    phase a:
        chance:
            outcome deal(n in 0..2):
                x := n
                go b
    phase b:
        let old = x
        x := 0
        together:
            move show(n in 0..2)
        then:
            end payoff (if show[Ann].n == old then 1 else 0, if show[Bob].n == old then 1 else 0)
"""

HISTORY = """
    game "Counted"
    players Ann, Bob
    var x: 0..1 = 0
    var n: 0..4 = 0
    start at a
    phase a:
        let often = repetitions(x)
        if n == 4: end win Ann
        turn Ann:
            move set(v in 0..1):
                n += 1
                x := v
                go a
            move stop if often > 1: end win Bob
"""


HISTORY_OF_WHAT_CHANGES = HISTORY.replace("if n == 4", "x := 0\n        if n == 4")

STUCK = """
    game "Stuck, once"
    players Ann, Bob
    var x: 0..2 = 0
    start at a
    phase a:
        turn Ann:
            move put(v in 0..2):
                x := v
                go b
    phase b:
        let had_none = stuck
        x := 2
        turn Bob:
            move take(k in 1..2) if k <= x: end payoff (if had_none then 1 else 0, k)
"""


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize(
    "text",
    [TOGETHER, HISTORY, HISTORY_OF_WHAT_CHANGES, STUCK],
    ids=["together", "history", "history of what changes", "stuck"],
)
def test_other_decisions_and_the_history(text: str, machine: str) -> None:
    assert_positions_tell_the_future(MACHINES[machine](model_of(text)), 500)


@pytest.mark.parametrize("machine", MACHINES)
def test_names_of_a_phase_that_has_been_left_do_not_count(machine: str) -> None:
    model = game(*REMEMBERED["of a variable that changes"])
    found = MACHINES[machine](model)
    first = found.initial()
    ends = {
        found.position(found.after(found.after(first, move), found.find_move(found.after(first, move), "pass")))
        for move in found.moves(first)
    }
    assert len(ends) == 3, "of Ann's move only the square is left"


@settings(max_examples=many(40))
@given(number=st.integers(0, 100_000))
def test_random_games(number: int) -> None:
    text = write_game(Random(number))
    note(text)
    # The discount so far is no part of a position.
    text = re.sub(r"^discount .*\n", "", text, flags=re.M)
    model, _ = check(Source("random.game", text))
    machine = None if model is None else ReferenceMachine(model)
    if machine is not None and not isinstance(attempt(machine.initial), tuple):
        assert_positions_tell_the_future(machine, 150)


@pytest.mark.parametrize("file", ["01_let_not_in_position", "01b_let_false_survey_facts"])
@pytest.mark.parametrize("machine", MACHINES)
def test_trial(file: str, machine: str) -> None:
    model = model_of((TRIAL / f"{file}.game").read_text())
    assert_positions_tell_the_future(MACHINES[machine](model), 500)
