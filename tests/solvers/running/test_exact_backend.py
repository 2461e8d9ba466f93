"""Kernels over the interface of a machine, with numbers of any size."""

from __future__ import annotations

from fractions import Fraction
from math import inf

import pytest
from all_machines import python_machine
from attrs import evolve
from kernel_modules import modules
from overstepping import overstepping

import zermelo
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.machine import CHANCE, END, PlayError
from zermelo.interpreter.native.dialect.kernel_source import kernel
from zermelo.solvers.common.limits import Limits, ignore_progress
from zermelo.solvers.common.numbers import INFINITE
from zermelo.solvers.common.trace import Trace
from zermelo.solvers.kernels.dfpn import GROUP
from zermelo.solvers.running.backend import TraceView
from zermelo.solvers.running.exact_backend import ExactBackend, ExactKernels, NextStates, place_of
from zermelo.solvers.running.lowered_backend import LoweredBackend
from zermelo.solvers.running.path_search import CallSearch, Lookahead, PathKernel, PathSearch, sight
from zermelo.solvers.search import counting as walk
from zermelo.solvers.search import expectiminimax
from zermelo.solvers.search.alphabeta import alphabeta, alphabeta_table, minimax
from zermelo.solvers.solution import Problem

HUGE = 10**400
"""Larger than any float."""


def exact(machine, limits=None):
    return ExactBackend(machine, limits or Limits())


@pytest.mark.parametrize("solver", [minimax, alphabeta, alphabeta_table])
def test_payoffs_may_be_of_any_size(tree, known, solver):
    machine = tree([0, [1, HUGE, 1 - HUGE], [1, Fraction(1, HUGE), 2], [1, -HUGE, HUGE]])
    found = solver.on(exact(machine), Problem(machine, known(), machine.initial()))
    assert found.value[0] == Fraction(1, HUGE)
    assert [str(move) for move in found.line] == ["b", "a"]


@pytest.mark.parametrize("solver", [minimax, alphabeta, alphabeta_table])
def test_the_same_as_over_lowered_rules(solver):
    game = zermelo.load("nim", heaps=2)
    lowered = python_machine(game.model)
    by_rules = solver.on(LoweredBackend(lowered), Problem(lowered, game.facts, lowered.initial()))
    for machine in (game.machine, lowered):
        found = solver.on(exact(machine), Problem(machine, game.facts, machine.initial()))
        if solver is alphabeta_table:  # over lowered rules its table begins small; here it keeps all positions
            found = evolve(found, counts=by_rules.counts)
        assert found == by_rules


def test_a_full_table_changes_no_value():
    game = zermelo.load("connect_four", rows=4, columns=3, run=3)
    problem = Problem(game.machine, game.facts, game.machine.initial())
    whole = alphabeta_table(problem)
    tight = alphabeta_table(evolve(problem, limits=Limits(memory=1 << 16)))
    assert tight.value == whole.value
    assert tight.counts["nodes"] > whole.counts["nodes"]
    assert tight.counts == alphabeta_table(evolve(problem, limits=Limits(memory=1 << 16))).counts


def test_a_path_that_needs_more_memory_than_there_is(toy, known):
    machine = toy(0, lambda k: (END, (1, -1)) if k == 5_000 else (k % 2, {"on": k + 1}))
    problem = Problem(machine, known(), machine.initial(), limits=Limits(memory=1 << 18))
    with pytest.raises(ZermeloError) as raised:
        minimax(problem)
    assert raised.value.code == "out-of-memory"
    assert minimax(evolve(problem, limits=Limits())).value == (1, -1)


def test_states_in_records_and_a_table_of_positions():
    """The kernel that counts plays copies states along its path, and has a table of positions."""
    machine = zermelo.load("tic_tac_toe").machine
    backend = exact(machine)

    def plays(kernels):
        table = kernels.elements(walk.kernel.Entry, 1 << 20, everywhere=True)
        search = PathSearch(walk.KERNEL, backend, kernels, Limits(), ignore_progress, table=table)
        search.search.length = 5
        search.start(machine.initial())
        while search.go_on(machine.initial(), 100) >= 0:
            pass
        return search.search.plays

    assert backend.run(walk.KERNEL.source(), plays) == 9 * 8 * 7 * 6 * 5


@pytest.mark.parametrize("solver", [minimax, alphabeta, alphabeta_table])
def test_a_rule_that_goes_wrong(solver):
    game = zermelo.loads(overstepping(3, least=2))
    problem = Problem(game.machine, evolve(zermelo.load("nim").facts, bounds=()), game.machine.initial())
    with pytest.raises(PlayError) as raised:
        solver(problem)
    assert raised.value.code == "assigned-out-of-range"
    assert len(raised.value.play) == 2


def test_a_search_function_goes_on_behind_a_rule_that_went_wrong(tmp_path, monkeypatch):
    made = modules(tmp_path, monkeypatch)(TRIES)
    machine = zermelo.loads(overstepping(3, least=2)).machine
    backend = exact(machine)

    def tried(kernels):
        search = CallSearch(PathKernel(made.Search, made.start, made.work), backend, kernels, Limits(), ignore_progress)
        search.run(machine.initial())
        return search.search.wrong

    assert backend.run(kernel(made.start, made.work), tried) > 0


TRIES = """
from zermelo.interpreter.native.dialect.words import (
    END, MOVES, Call, Context, PlayError, State, Visit, actor, after, moves
)

class Search:
    rules: Context
    calls: list[Call]
    value: int
    depth: int
    nodes: int
    terminals: int
    wrong: int

def work(search: Search, state: State) -> Visit[int]:
    search.nodes += 1
    if actor(state) == END:
        return 0
    legal = array(MOVES)
    for k in range(moves(search.rules, state, legal)):
        try:
            yield work(search, after(search.rules, state, legal[k]))
        except PlayError:
            search.wrong += 1
    return 0

def start(search: Search) -> None:
    search.depth, search.nodes, search.terminals, search.wrong = 0, 0, 0, 0
"""


def test_a_trace_of_results_that_are_records(tree, known):
    machine = tree([CHANCE, ("1/3", [0, 1, 2]), ("2/3", 1)])
    problem, trace = Problem(machine, known(), machine.initial()), Trace(machine)
    backend = ExactBackend(machine, Limits(), trace)
    sees = sight(backend, problem)

    def value(kernels):
        known = sees.known(kernels)
        search = CallSearch(
            expectiminimax.KERNEL, backend, kernels, Limits(), ignore_progress, sees.path, endgames=known
        )
        for _ in range(2):  # the second search is not traced
            Lookahead(search).to(problem.root, inf)
        return sees.fraction(search.search.value)

    source = sees.source(expectiminimax.KERNEL)
    assert backend.run(source, value, TraceView(lambda search, result, arguments: sees.fraction(result))) == Fraction(
        4, 3
    )
    assert [node.value for node in trace.nodes] == [Fraction(4, 3), 2, 1, 2, 1]


GROWN = """
from zermelo.interpreter.native.dialect.words import MOVES

class Inner:
    number: int

class Grown:
    numbers: ints[MOVES]
    inner: Array[Inner, MOVES]

def work(one: Grown, other: Grown) -> int:
    return 0
"""


def test_what_grows_is_copied_with_its_record(tmp_path, monkeypatch):
    made = modules(tmp_path, monkeypatch)(GROWN)
    kernels = ExactKernels(zermelo.load("nim").machine, kernel(made.work), Limits())
    one, other = kernels.new(made.Grown), kernels.new(made.Grown)
    one.numbers[3], one.inner[7].number = HUGE, -HUGE
    kernels.border.views.putter("Grown")(other, one)
    assert (other.numbers[3], other.inner[7].number) == (HUGE, -HUGE)
    assert (other.numbers[0], other.inner[0].number) == (0, 0)
    assert other.inner[7] is not one.inner[7]
    assert kernels.call(made.work, one, other) == 0


def test_infinite_stays_infinite():
    assert INFINITE + HUGE == INFINITE - HUGE == HUGE + INFINITE == inf
    assert HUGE - INFINITE == -INFINITE == -INFINITE + HUGE == -inf
    assert -INFINITE < -HUGE < HUGE < INFINITE


# What the words of the dialect mean over a machine.


class Counting:
    """A machine that counts the states it makes."""

    def __init__(self, machine):
        self.machine, self.made = machine, 0

    def after(self, state, move):
        self.made += 1
        return self.machine.after(state, move)


@pytest.fixture
def counting():
    return Counting(zermelo.load("nim", heaps=2).machine)


def test_a_state_that_was_looked_at_is_not_made_again(counting):
    initial, behind = counting.machine.initial(), NextStates(counting)
    moves = counting.machine.moves(initial)
    seen = [behind.ahead(initial, move) for move in moves]
    assert [behind.ahead(initial, move) for move in moves] == seen
    assert all(behind.after(initial, move) is there for move, there in zip(moves, seen, strict=True))
    assert counting.made == len(moves)


def test_a_search_that_never_looks_ahead_keeps_nothing(counting):
    state, behind = counting.machine.initial(), NextStates(counting)
    for _ in range(3):
        state = behind.after(state, counting.machine.moves(state)[0])
    assert counting.made == 3
    assert not behind._made


def test_entries_of_a_position_stand_in_a_group_of_their_own():
    assert [place_of(number + 1) - place_of(number) for number in range(3)] == [GROUP] * 3
