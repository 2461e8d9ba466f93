"""Stopping rules with long loops: the machines then work as before."""

from __future__ import annotations

from pathlib import Path

import pytest
from all_machines import compiled_machine, native_machine, python_machine

import zermelo
from zermelo.foundation.deadline import DeadlinePassed, time_limit
from zermelo.interpreter.native.dialect.language import beginning, execute_in
from zermelo.interpreter.native.dialect.lowered_text import Body
from zermelo.interpreter.native.expressions.lowering import Asking
from zermelo.interpreter.native.model_lowering import lower
from zermelo.interpreter.reference.machine import ReferenceMachine
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.search.counting import count_plays
from zermelo.solvers.search.positions import measure
from zermelo.solvers.search.random_plays import play_at_random

SLOW = Path(__file__).parent.parent.parent / "trial" / "limits" / "h_slow.game"

LOOPS = {
    "sum": "(sum a in 1..10000000: (sum b in 1..10000: (a * b + n) % 7)) % 3",
    "count": "(count a in 1..2000000000: (a + n) % 3 == 1) % 3",
    "all": "(if all a in 1..2000000000: a + n != 0 then 1 else 2)",
    "min": "((min a in 1..2000000000: (a * 7 + n) % 10007) + 1) % 3",
    "nested small ones": "(sum a in 1..60, b in 1..60, c in 1..60, d in 1..60, e in 1..60: (a + b * n + e) % 3) % 3",
    "define": "slow(n)",
}

GAME = """
game "Slow and quick"
players Ann, Bob
var n: 0..9 = 0
define slow(x: 0..9) = (sum a in 1..10000000: (sum b in 1..10000: (a * b + x) % 7)) % 3
start at play(Ann)

phase play(p: Player):
    turn p:
        move quick(k in 1..2):
            n := min(9, n + k)
            if n >= 5: end win p
            go play(other p)
        move long:
            n := min(9, n + {loop})
            go play(other p)
"""


MACHINES = {"reference": ReferenceMachine, "python": python_machine, "native": compiled_machine}


@pytest.mark.parametrize("make", MACHINES.values(), ids=MACHINES)
@pytest.mark.parametrize("loop", LOOPS.values(), ids=LOOPS)
def test_a_rule_can_be_stopped_and_others_go_on(make, loop):
    model = zermelo.loads(GAME.format(loop=loop)).model
    machine, judge = make(model), ReferenceMachine(model)
    start = machine.initial()
    long = next(move for move in machine.moves(start) if str(move) == "long")
    with pytest.raises(DeadlinePassed), time_limit(0.1):
        machine.after(start, long)
    state, same = machine.initial(), judge.initial()
    while machine.actor(state) >= 0:
        move = machine.moves(state)[0]
        state, same = machine.after(state, move), judge.after(same, move)
    assert machine.payoff(state) == judge.payoff(same)


@pytest.mark.parametrize("threads", [1, 2])
def test_what_threads_have_counted_when_they_are_stopped_is_true(threads):
    """At most the small part of the game without its long moves is counted."""
    machine = native_machine(zermelo.loads(GAME.format(loop=LOOPS["sum"])).model)
    found = measure(machine, 1000, Limits(0.3), lambda count: None, threads)
    assert not found.finished
    plays = count_plays(machine, machine.initial(), 3, lambda count: None, Limits(0.3), threads)
    assert plays.stopped
    assert plays.plays <= 27
    drawn = play_at_random(machine, machine.initial(), 1000, 0, lambda count: None, Limits(0.3), threads)
    assert drawn.stopped
    assert drawn.plays < 1000


def test_rules_of_ordinary_length_are_not_run_in_threads():
    for name in ("chess", "checkers", "go", "backgammon", "tic_tac_toe"):
        assert not lower(zermelo.load(name).model).may_take_long
    assert lower(zermelo.load(str(SLOW)).model).may_take_long
    assert "poll" not in lower(zermelo.load("go").model).text


@pytest.mark.parametrize(
    ("sizes", "asks"), [((9, 9), 0), ((1 << 18,), 1), ((600, 600), 1), ((64,) * 4, 2), ((1 << 18,) * 2, 2)]
)
def test_the_outermost_loop_asks_for_which_that_is_enough(sizes, asks):
    """Some loop polls within 2 ** 18 rounds, and short inner ones do not."""
    asking, body = Asking(), Body()

    def write(rest):
        if not rest:
            body.line("n += 1")
            return
        with body.block(f"for i{len(rest)} in range({rest[0]})"), asking.inside(rest[0], body):
            write(rest[1:])

    write(sizes)
    assert sum("poll()" in line for line in body.lines) == asks


def test_as_python_whoever_is_asked_may_raise():
    asked = []

    def look():
        asked.append(1)
        if len(asked) == 3:
            raise DeadlinePassed

    work = beginning(look)
    execute_in(work, "def work() -> int:\n    while 1:\n        if poll() != 0:\n            break\n    return 0\n")
    with pytest.raises(DeadlinePassed):
        work["work"]()
    assert len(asked) == 3
