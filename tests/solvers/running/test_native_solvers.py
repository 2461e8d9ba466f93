"""Solvers on kernels: the same answers as on the reference machine, with the same counts."""

from __future__ import annotations

import subprocess
import sys
from fractions import Fraction

import pytest
from all_machines import MAKERS, native_machine, needs_llvm, python_machine
from attrs import evolve
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from overstepping import overstepping
from random_cases import many
from random_trees import trees, with_moves
from solving import solve

import zermelo
from zermelo import gamedefs
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.checks.proving import facts
from zermelo.interpreter.machine import CHANCE, PlayError
from zermelo.interpreter.native.running import kernels
from zermelo.interpreter.native.running import machine as machines
from zermelo.interpreter.native.running.kernels import Trial
from zermelo.interpreter.native.running.machine import machine_over
from zermelo.solvers.choosing.registry import SOLVERS, Need, unmet_needs
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.running.backend import BeyondKernel
from zermelo.solvers.running.lowered_backend import LoweredBackend
from zermelo.solvers.search import maxn
from zermelo.solvers.search.expectiminimax import expectiminimax
from zermelo.solvers.search.window_search import enhanced_alphabeta
from zermelo.solvers.solution import Problem
from zermelo.solving import facts_of

SEARCHES = tuple(
    name for name, solver in SOLVERS.items() if Need.IMPERFECT_INFORMATION not in solver.needs and not solver.samples
)
"""Those that search games of perfect information to the end of all plays."""

FOR_TWO = tuple(name for name in SEARCHES if Need.SEVERAL_OPPONENTS not in SOLVERS[name].needs)

WHOLE = ("minimax", "alphabeta", "alphabeta_table", "expectiminimax", "maxn")
"""Solvers that search to the ends of plays without bounds on payoffs, so that they meet every error."""

NODES = 700

SMALLER = {
    "connect_four": {"rows": 3, "columns": 3, "run": 3},
    "nim": {"heaps": 2},
    "tic_tac_toe": {"size": 2},
}

DICE = """\
game "Dice"
players Ann, Bob
claim zero_sum, terminates
var total[Player]: 0..40 = 0
var round: 0..2 = 0
start at choose(Ann)
phase choose(p: Player):
    turn p:
        move one: go throw(p, 3)
        move two: go throw(p, 5)
        move pass:
            total[p] += 2
            go next_throw(p)
phase throw(p: Player, sides: 1..5):
    chance:
        outcome die(n in 1..sides) weight n:
            total[p] += if n == sides then 0 else n
            go next_throw(p)
phase next_throw(p: Player):
    if p == Bob:
        round += 1
        if round == 2:
            if total[Ann] > total[Bob]: end payoff (1/3, -1/3)
            end win Bob
    go choose(other p)
"""

WIDE = """\
game "Wide"                                 # A has many payoffs to choose from, until the last move settles it
players A, B, C, D
var row: 0..5 = 0
start at first
phase first:
    turn A:
        move wide(j in 1..5):
            row := j
            go second
        move out: end payoff (1, 1, 1, 1)
phase second:
    turn B:
        move pick(k in 1..45): end payoff (0, 0, 7 * row + k, 1000 * row + k)
"""

LONG = """\
game "Long"
players Ann, Bob
claim terminates, zero_sum
var left: 0..300 = 300
start at play(Ann)
phase play(p: Player):
    turn p:
        move stop: end payoff {q: if q == p then left - 250 else 250 - left for q in Player}
        move on:
            left -= 1
            if left == 0: end win p
            go play(other p)
"""


class TooLarge(Exception):
    """A game has more nodes than these tests should visit."""


def give_up(nodes: int) -> None:
    if nodes > NODES:
        raise TooLarge


def agree(expected, found, solver):
    """Check for equal answers; with a table, whose entries may be replaced, for equal values."""
    if solver != "alphabeta_table":
        assert found == evolve(expected, seconds=found.seconds)
    else:
        assert (found.value, found.exact) == (expected.value, expected.exact)


@pytest.mark.parametrize("name", gamedefs.names())
def test_bundled_games(name):
    """For each search with kernels that fits the game."""
    game = zermelo.load(name, **SMALLER.get(name, {}))
    known = facts(game.model)
    fitting = [solver for solver in SEARCHES if not (known.has_endless or unmet_needs(SOLVERS[solver], known))]
    for solver in fitting:
        try:
            expected = solve(game.machine, known, solver, give_up)
        except TooLarge:
            if solver == fitting[0]:  # the default, which visits the fewest
                break
            continue
        except ZermeloError as refusal:
            assert refusal.code in ("needs-end", "needs-bounds")
            with pytest.raises(ZermeloError) as again:
                solve(python_machine(game.model), known, solver)
            assert again.value.message == refusal.message
            continue
        agree(expected, solve(python_machine(game.model), known, solver), solver)


@needs_llvm
@pytest.mark.parametrize("solver", FOR_TWO)
def test_compiled_nim(solver):
    game = zermelo.load("nim", heaps=2)
    expected = solve(game.machine, facts_of(game), solver)
    agree(expected, solve(native_machine(game.model), facts_of(game), solver), solver)


@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize("solver", ["expectiminimax", "maxn"])
def test_dice(make, solver):
    game = zermelo.loads(DICE)
    expected = solve(game.machine, facts_of(game), solver)
    assert expected.value[0].denominator > 100
    agree(expected, solve(make(game.model), facts_of(game), solver), solver)


@needs_llvm
@pytest.mark.parametrize("solver", ["minimax", "expectiminimax", "maxn"])
def test_the_whole_tree_of_tic_tac_toe(solver):
    game = zermelo.load("tic_tac_toe")
    found = solve(native_machine(game.model), facts_of(game), solver)
    assert found.counts == {"nodes": 549_946, "terminals": 255_168}
    assert found.value == (Fraction(0), Fraction(0))
    assert len(found.best) == 9


def compare(text, solver):
    game = zermelo.loads(text)
    agree(
        solve(game.machine, facts_of(game), solver), solve(python_machine(game.model), facts_of(game), solver), solver
    )


small = st.integers(-2, 2)


@settings(max_examples=many(40), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(with_moves(trees(st.tuples(small, small, small), players=3, most=12, chance=True)))
def test_three_players_with_ties(tree_text, tree):
    compare(tree_text(tree, ("A", "B", "C")), "maxn")


@settings(max_examples=many(25), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(with_moves(trees(small, most=12, chance=True)))
def test_two_players_and_chance(tree_text, tree):
    compare(tree_text(tree), "expectiminimax")
    compare(tree_text(tree), "maxn")


def problem_of(text):
    game = zermelo.loads(text)
    machine = python_machine(game.model)
    return game, machine, Problem(machine, facts_of(game), machine.initial())


PRIMES = (97, 89, 83, 79, 73, 71, 67, 61, 59, 53, 47, 43)


@pytest.mark.parametrize("host, solver", [(expectiminimax, "expectiminimax"), (maxn.maxn, "maxn")])
def test_numbers_that_outgrow_the_kernel_are_reckoned_in_python(tree_text, host, solver):
    tree: object = 1
    for prime in PRIMES:
        tree = [CHANCE, (f"1/{prime}", 0), (f"{prime - 1}/{prime}", tree)]
    game, machine, problem = problem_of(tree_text(tree))
    with pytest.raises(BeyondKernel):
        host.on(LoweredBackend(machine), problem)
    found = solve(machine, facts_of(game), solver)
    agree(solve(game.machine, facts_of(game), solver), found, solver)
    assert found.value[0].denominator > 1 << 61


def test_more_tuples_than_are_listed(tree_text):
    """B is indifferent eleven times, which makes 2 ** 11 payoffs."""
    branches = [("1/11", [1, (k**3 + 1, 0), (0, 0)]) for k in range(11)]
    game, machine, problem = problem_of(tree_text([CHANCE, *branches]))
    found = maxn.maxn.on(LoweredBackend(machine), problem)
    assert found.alternatives is None
    agree(solve(game.machine, facts_of(game), "maxn"), solve(machine, facts_of(game), "maxn"), "maxn")


def test_sets_that_outgrow_the_kernel_are_kept_in_python(monkeypatch):
    monkeypatch.setattr(maxn, "TUPLES_LIMIT", 50)
    monkeypatch.setattr(maxn, "ROOM", 128)
    game, machine, problem = problem_of(WIDE)
    with pytest.raises(BeyondKernel):
        maxn.maxn.on(LoweredBackend(machine), problem)
    agree(solve(game.machine, facts_of(game), "maxn"), solve(machine, facts_of(game), "maxn"), "maxn")


@pytest.mark.parametrize("solver", FOR_TWO)
def test_a_path_that_outgrows_its_arrays(solver):
    compare(LONG, solver)


@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize("solver", WHOLE)
def test_a_kernel_reports_a_rule_that_goes_wrong(make, solver):
    game = zermelo.loads(overstepping(3, least=2))
    known = evolve(facts_of(zermelo.load("nim")), bounds=())  # nothing is cut off before the rule goes wrong
    with pytest.raises(PlayError) as expected:
        solve(game.machine, known, solver)
    with pytest.raises(PlayError) as found:
        solve(make(game.model), known, solver)
    assert (found.value.code, found.value.play) == (expected.value.code, expected.value.play)
    assert found.value.code == "assigned-out-of-range"


@pytest.mark.parametrize("make", MAKERS)
def test_a_rule_that_goes_wrong_says_so_with_its_play(make):
    game = zermelo.loads(overstepping(3, least=2))
    machine = make(game.model)
    with pytest.raises(PlayError) as expected:
        state = game.machine.initial()
        for _ in range(2):
            state = game.machine.after(state, game.machine.moves(state)[0])
    with pytest.raises(PlayError) as found:
        state = machine.initial()
        for _ in range(2):
            state = machine.after(state, machine.moves(state)[0])
    assert str(found.value) == str(expected.value)
    assert found.value.play == expected.value.play


@pytest.mark.parametrize("make", [pytest.param(lambda model: None, id="reference"), *MAKERS])
@pytest.mark.parametrize("solver", [solver for solver in SEARCHES if not SOLVERS[solver].deepens])
def test_limits_end_a_search_without_a_value(make, solver):
    game = zermelo.load("connect_four")
    machine = make(game.model) or game.machine
    with pytest.raises(ZermeloError) as raised:
        solve(machine, facts(game.model), solver, limits=Limits(seconds=0.2))
    assert raised.value.code == "out-of-time"
    assert "within 0.2 s" in raised.value.message
    with pytest.raises(ZermeloError) as raised:
        solve(machine, facts(game.model), solver, limits=Limits(memory=1 << 10))
    assert raised.value.code == "out-of-memory"


def test_a_small_table_gives_the_same_value():
    game = zermelo.load("connect_four", rows=4, columns=3, run=3)
    for machine in (game.machine, python_machine(game.model)):
        found = solve(machine, facts(game.model), "alphabeta_table")
        tight = solve(machine, facts(game.model), "alphabeta_table", limits=Limits(memory=1 << 15))
        assert tight.value == found.value
        assert tight.counts["nodes"] > found.counts["nodes"]


LARGE_MOVES = """\
game "One, two or three"
players A, B
claim zero_sum, perfect_information, terminates
param large: 0..1000000000 = 1000000000
var left: 0..21 = 21
start at play(A)
phase play(p: Player):
    turn p:
        move more(a in {0, large}, b in {0, large}) if left > 2 and a + b > 0:
            left -= if a == b then 3 else 2
            go look(p)
        move one if left > 0:
            left -= 1
            go look(p)
phase look(p: Player):
    if left == 0: end win p
    go play(other p)
"""


@pytest.mark.parametrize("solver", FOR_TWO)
def test_moves_too_large_for_an_entry_of_a_table(solver):
    """Of two rules, the first has moves of 60 bits. Who leaves 2 wins, since the other one can only take one; and so
    does whoever leaves 6, 10, 14 or 18: whatever is taken then, both together take four."""
    game = zermelo.loads(LARGE_MOVES.replace("21", "11"))
    found = solve(python_machine(game.model), facts_of(game), solver)
    assert found.value == (1, -1) and [str(move) for move in found.best] == ["one"]


def test_a_fine_estimate_does_not_keep_small_payoffs_from_the_kernel():
    game = zermelo.load("connect_four", rows=4, columns=4, run=3)
    machine = python_machine(game.model)
    assert machine.program.estimate_denominator > 64
    known = facts_of(game)
    problem = Problem(machine, known, machine.initial())
    expected = solve(game.machine, known, "enhanced_alphabeta")
    assert enhanced_alphabeta.on(LoweredBackend(machine), problem).value == expected.value


@needs_llvm
def test_a_machine_may_begin_in_python(monkeypatch, tmp_path):
    monkeypatch.setenv("ZERMELO_CACHE", str(tmp_path))
    game = zermelo.load("nim", heaps=2)
    made = []
    compiled = machines.CompiledKernels
    monkeypatch.setattr(machines, "CompiledKernels", lambda *given, **how: made.append(how) or compiled(*given, **how))
    native = native_machine(game.model)
    machine = machine_over(native.program, native.executor, begins_in_python=True)
    monkeypatch.setattr(Trial, "is_over", lambda trial: False)
    first = solve(machine, facts_of(game), "minimax")
    assert not made
    monkeypatch.setattr(Trial, "is_over", lambda trial: True)
    second = solve(machine, facts_of(game), "minimax")
    assert made == [{"is_hurried": True}]
    assert first == evolve(second, seconds=first.seconds)


@needs_llvm
def test_python_is_not_tried_where_machine_code_has_been_kept(monkeypatch, tmp_path):
    monkeypatch.setenv("ZERMELO_CACHE", str(tmp_path))
    game = zermelo.load("template", length=4)
    native = native_machine(game.model)
    machine = machine_over(native.program, native.executor, begins_in_python=True)
    tried = []
    monkeypatch.setattr(machines, "PythonKernels", lambda *given: tried.append(given) or kernels.PythonKernels(*given))
    first = solve(machine, facts_of(game), "minimax")
    assert len(tried) == 1
    solve(native, facts_of(game), "minimax")
    assert solve(machine, facts_of(game), "minimax").value == first.value
    assert len(tried) == 1


@pytest.mark.parametrize(
    ("characters", "seconds"),
    [
        pytest.param(1_000, 0.015, id="short"),
        pytest.param(40_000, 0.025, id="a quarter as long as compiling is likely to take"),
        pytest.param(1_000_000, 0.2, id="long"),
    ],
)
def test_how_long_python_is_tried(characters, seconds, monkeypatch):
    clock = iter([0.9 * seconds, 1.1 * seconds])
    monkeypatch.setattr(kernels, "perf_counter", lambda: next(clock))
    trial = Trial(characters, begin=0.0)
    assert [trial.is_over() for _ in range(2)] == [False, True]


# Discounted games by kernels: payoffs depend on the length of plays, so tables must not be used.


PATIENCE = """
game "Patience"
players A, B
discount 9/10
claim zero_sum
var pot: 0..12 = 0
var left: 0..7 = 7
start at play(A)
phase play(p: Player):
    turn p:
        move add(k in 0..2):
            pot += min(k, 12 - pot)
            left -= 1
            if left == 0: end draw
            go play(if k == 0 then p else other p)
        move take if pot % 3 == 2:
            end payoff {p: pot, other p: -pot}
"""


NATIVE_DISCOUNT_SOLVERS = (
    "minimax",
    "alphabeta",
    "alphabeta_table",
    "maxn",
    "expectiminimax",
    "iterative_deepening",
    "principal_variation",
    "mtdf",
    "dfpn",
)


@pytest.mark.parametrize("make", [python_machine, pytest.param(native_machine, marks=needs_llvm)])
@pytest.mark.parametrize("solver", NATIVE_DISCOUNT_SOLVERS)
def test_discounted_values(solver, make) -> None:
    game = zermelo.loads(PATIENCE)
    known = facts(game.model)
    found = solve(make(game.model), known, solver)
    assert found.value == solve(game.machine, known, "minimax").value


# Ctrl-C while a kernel runs: a short message, and the exit code of interrupted programs.


PROGRAM = """\
import os, signal, sys, threading
from zermelo.interpreter.native.running.kernels import CompiledKernels
from zermelo.cli import main

call = CompiledKernels._call

def watched(self, name, plain):
    if name == kernel:
        CompiledKernels._call = call
        threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()
    return call(self, name, plain)

for command in sys.argv[1:]:
    kernel, *words = command.split()
    CompiledKernels._call = watched
    print("exit code", main([*words, "--machine", "native"]))
"""

COMMANDS = (
    "minimax solve nim -p heaps=6 --solver minimax",
    "alphabeta solve nim -p heaps=6 --solver alphabeta",
    "expectiminimax solve nim -p heaps=6 --solver expectiminimax",
    "maxn solve nim -p heaps=6 --solver maxn",
    "go_on solve connect_four --solver mcts --time 60",
    "go_on plays connect_four 30",
    "go_on show connect_four --positions --time 60 --memory 1G --threads 1",
    "go_on show connect_four --positions --time 60 --memory 1G --threads 2",
    "go_on random pig --plays 1000000000000 --threads 1",
    "go_on random pig --plays 1000000000000 --threads 2",
)


@needs_llvm
def test_an_interrupt_ends_every_kernel():
    ran = subprocess.run([sys.executable, "-c", PROGRAM, *COMMANDS], capture_output=True, text=True, timeout=300)
    assert ran.stderr == "\nInterrupted: there is no result.\n" * len(COMMANDS)
    assert ran.stdout.count("exit code 130") == len(COMMANDS)
