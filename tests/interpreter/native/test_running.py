"""Calls of compiled rules: mismatched arguments are refused before anything runs."""

from __future__ import annotations

from ctypes import addressof
from pathlib import Path
from random import Random
from threading import Thread

import pytest
from all_machines import LOWERED_AT_ONCE, compiled_machine, native_machine, needs_llvm, python_machine
from kernel_modules import modules
from observing import observed
from written_games import model_of

import zermelo
from zermelo.foundation.deadline import DeadlinePassed, time_limit
from zermelo.interpreter.machine import CHANCE, END, Machine
from zermelo.interpreter.native.dialect.kernel_source import kernel
from zermelo.interpreter.native.dialect.language import execute_in, initial_namespace
from zermelo.interpreter.native.dialect.lowered_text import Body, Unsupported
from zermelo.interpreter.native.expressions.lowering import Asking
from zermelo.interpreter.native.llvm.engine import is_available
from zermelo.interpreter.native.model_lowering import lower
from zermelo.interpreter.native.running.kernels import Executor, load
from zermelo.interpreter.native.running.machine import machine_over
from zermelo.interpreter.native.running.views import RuleError
from zermelo.interpreter.reference.machine import ReferenceMachine
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.running.backend import UNWATCHED
from zermelo.solvers.running.lowered_backend import LoweredBackend
from zermelo.solvers.running.path_search import sight
from zermelo.solvers.search.alphabeta import MINIMAX
from zermelo.solvers.search.counting import count_plays
from zermelo.solvers.search.positions import measure
from zermelo.solvers.search.random_plays import play_at_random
from zermelo.solvers.solution import Problem


@needs_llvm
def test_a_record_goes_with_the_kernels_that_made_it():
    game = zermelo.load("tic_tac_toe")
    machine = native_machine(game.model)
    sees = sight(LoweredBackend(machine), Problem(machine, game.facts, machine.initial()))
    kernels = machine.load(sees.source(MINIMAX))
    twin = kernels.another()
    mine, other = (
        each.new(MINIMAX.record, calls=4, watch=UNWATCHED.lengths(4), endgames=sees.known(each))
        for each in (kernels, twin)
    )
    twin.call(MINIMAX.start, other)
    with pytest.raises(TypeError):
        twin.call(MINIMAX.start, mine)


@needs_llvm
@pytest.mark.parametrize("game", [zermelo.load("goofspiel"), zermelo.load("go", size=2)])  # the second has a history
@pytest.mark.parametrize("calls", [1, 4, 9])
def test_machine_code_takes_over_in_the_middle_of_a_play(calls, game):
    model = game.model
    executor = Executor(program := lower(model), calls)
    machine = machine_over(program, executor)
    assert observed(machine, Random(1), 9)[0] == observed(ReferenceMachine(model), Random(1), 9)[0]
    assert executor._kernels.is_compiled


def test_an_interrupt_leaves_no_state_under_the_name_of_another(monkeypatch):
    executor = Executor(lower(zermelo.load("tic_tac_toe").model))
    first = executor.begin()
    moves = executor.moves(first)
    second = executor.apply(first, moves[0])
    assert executor.moves(first) == moves
    put = executor._kernels.put

    def interrupted(*given):
        put(*given)
        raise KeyboardInterrupt

    with monkeypatch.context() as context, pytest.raises(KeyboardInterrupt):
        context.setattr(executor._kernels, "put", interrupted)
        executor.moves(second)
    assert executor.moves(first) == moves


# Kernels without rules, compiled and as Python.


TEXT = """\
def scale(numbers: list[int], shares: list[float], by: int) -> int:
    for k in range(len(numbers)):
        shares[k] = float(numbers[k]) / float(by)
        numbers[k] = numbers[k] * by
    return numbers[len(numbers) - 1]


def at(numbers: list[int], k: int) -> int:
    return numbers[k]
"""


@pytest.fixture
def made(monkeypatch, tmp_path):
    return modules(tmp_path, monkeypatch)(TEXT)


@pytest.fixture(params=[False, True])
def kernels(request, made):
    found = load(kernel(made.scale, made.at), request.param)
    assert found.is_compiled == (request.param and is_available())
    return found


def test_functions_work_on_arrays(kernels, made):
    numbers, shares = kernels.elements(int, 3), kernels.elements(float, 3)
    numbers[:] = [1, 2, 3]
    assert list(shares) == [0.0, 0.0, 0.0]
    assert kernels.call(made.scale, numbers, shares, 4) == 12
    assert list(numbers) == [4, 8, 12]
    assert list(shares) == [0.25, 0.5, 0.75]
    assert list(kernels.flat(numbers, 2)) == [4, 8]


@needs_llvm
def test_lists_begin_at_a_line_of_the_cache(made):
    """Rows of numbers across two lines took a tenth longer. Short lists are made another way than long ones."""
    kernels = load(kernel(made.scale, made.at), True)
    for count in (0, 1, 3, 100, 1 << 13, 1 << 14):
        assert addressof(kernels.elements(float, count)) % 64 == 0


def test_calls_that_do_not_fit_are_refused(kernels, made):
    numbers, shares = kernels.elements(int, 3), kernels.elements(float, 3)
    for arguments in ((numbers, shares), (numbers, shares, 4, 5), (numbers, 3, 4), (numbers, shares, None)):
        with pytest.raises(TypeError):
            kernels.call(made.scale, *arguments)


def test_an_index_outside_its_array_is_an_error(kernels, made):
    with pytest.raises(IndexError):
        kernels.call(made.at, kernels.elements(int, 3), 3)


# Stopping rules with long loops: the machines then work as before.


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

    work = initial_namespace(look)
    execute_in(work, "def work() -> int:\n    while 1:\n        if poll() != 0:\n            break\n    return 0\n")
    with pytest.raises(DeadlinePassed):
        work["work"]()
    assert len(asked) == 3


# Games that once crashed compiled code, or made it disagree with the reference machine.


MASKS_WIDER_THAN_VARIABLES = """\
game "Far"

players A, B
type Cell = grid(12, 12)

var pos: Cell = a1
var n: 0..5 = 0

start at play(A)

phase play(p: Player):
    turn p:
        move step(c in Cell) if c in {d in Cell if d.x * 2 > pos.y + n} and size({e in Cell if e.y > n + 9}) > 11:
            pos := c
            n += 1
            if n == 5: end payoff (size({d in Cell if d.x + d.y > n}), -n)
            go play(other p)
        move stop:
            end win p
"""

ODD_WORDS = """\
game "Wide"

players A, B
type Cell = grid(WIDTH, 12)

var taken: set of Cell = {}
var n: 0..5 = 0

start at play(A)

phase play(p: Player):
    turn p:
        move step(c in Cell) if c not in taken and (c.x + c.y) % 7 == n:
            taken += neighbours(c)
            n += 1
            if n == 5: end payoff (size(taken), 0)
            go play(other p)
        move stop:
            end win p
"""

TURN_OF_MANY_POSITIONS = """\
game "Long turn"

players A, B
type Cell = grid(12, 12)

var board[Cell]: set of Cell = {}
var n: 0..3 = 0

start at play(A)

phase play(p: Player):
    turn p preferring n:
        move step(c in Cell) if c not in board[c]:
            board[c] += {c}
            n += 1
            if n == 3: end draw
            go play(p)
        move stop:
            end win p
"""

HUGE_STATE = """\
game "Huge state"

players A
type Cell = grid(30, 30)

var board[Cell]: set of Cell = {}

start at play

phase play:
    turn A:
        move a(c in Cell):
            board[c] += {c}
            end payoff (1)
"""


machines = pytest.mark.parametrize("make", LOWERED_AT_ONCE)


def played(machine: Machine, seed: int) -> list[object]:
    """All that a random play shows."""
    random, seen = Random(seed), []
    state = machine.initial()
    while machine.actor(state) != END:
        assert machine.actor(state) != CHANCE
        moves = machine.moves(state)
        seen.append(moves)
        state = machine.after(state, random.choice(moves))
    return [*seen, machine.payoff(state)]


@machines
@pytest.mark.parametrize(
    "text",
    [MASKS_WIDER_THAN_VARIABLES, *(ODD_WORDS.replace("WIDTH", str(width)) for width in (6, 11, 16, 26))],
    ids=["masks wider than variables", "128 bits", "192 bits", "192 bits in full", "320 bits"],
)
def test_wide_sets_mean_the_same(make, text):
    model = model_of(text)
    machine, reference = make(model), ReferenceMachine(model)
    for seed in range(4):
        assert played(machine, seed) == played(reference, seed)


@needs_llvm
def test_a_turn_of_many_positions_does_not_fill_the_stack():
    program = lower(model_of(TURN_OF_MANY_POSITIONS))
    executor = Executor(program, compiles_after=0)
    state = executor.begin()
    met = []

    def ask() -> None:
        try:
            executor.moves(state)
        except RuleError as error:
            met.append(program.sites[error.site - 1][0])

    thread = Thread(target=ask)
    thread.start()
    thread.join()
    assert met == ["overflow"]


def test_a_state_that_would_fill_the_stack_is_refused():
    with pytest.raises(Unsupported, match="bytes"):
        lower(model_of(HUGE_STATE))


LOSING = """
game "Losing"
players Ann, Bob
start at play
phase play:
    turn Ann:
        move stop: end payoff (-3, 3)
"""


@needs_llvm
@pytest.mark.parametrize("calls", range(1, 12))
def test_what_is_asked_when_machine_code_is_loaded_is_answered_by_it(calls: int) -> None:
    program = lower(model_of(LOSING))
    executor = Executor(program, compiles_after=calls)
    state = executor.begin()
    end = executor.apply(state, executor.moves(state)[0])
    for _ in range(3):
        assert [executor.amount("payoff", end, player) for player in (0, 1)] == [-3, 3]
        assert executor.actor(end) == END
