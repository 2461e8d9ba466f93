"""Online outcome sampling: unbiased wherever plays are led, and what it learns against exact best responses."""

from __future__ import annotations

from fractions import Fraction
from math import sqrt
from random import Random
from statistics import mean, variance

import pytest
from all_machines import compiled_machine, needs_llvm, python_machine

import zermelo
from zermelo.decisions import fitting_deals, online
from zermelo.game import Game, State
from zermelo.interpreter.reference.machine import ReferenceMachine
from zermelo.solvers.common.limits import Limits, ignore_progress
from zermelo.solvers.imperfect_information.sampling_from_rules import SampledPlay, marks_of, online_strategy, source
from zermelo.solvers.kernels import sampling_from_rules as kernel
from zermelo.solvers.running.lowered_backend import run_with_fallback
from zermelo.solvers.solution import Problem
from zermelo.solving import on_machine

ITERATIONS = 3_000
"""How many single iterations are averaged, with an aim and without."""

KUHN = ("deal(J, Q)", "deal(K, Q); check", "deal(Q, K); check; bet")


def after(game: Game, play: str) -> State:
    state = game.initial
    for move in filter(None, play.split("; ")):
        state = state.after(move)
    return state


def aims_of(state: State, machine, deals: int = 100):
    found = fitting_deals(state, deals, Random(0), Limits(), ignore_progress)
    return [(on_machine(State(state.game, each), machine), share) for each, share in found.states]


def problem_of(game: Game, machine, seed: int = 0) -> Problem:
    return Problem(machine, game.facts, machine.initial(), seed=seed)


@needs_llvm
@pytest.mark.parametrize("play", KUHN)
def test_what_an_iteration_adds_is_the_same_on_average_wherever_it_is_led(play):
    """From one table, in which all moves are made, many times one iteration with and without an aim: the means of all
    additions to regrets and averages agree, to as many standard errors as do not occur by accident; and at the aim they
    scatter less."""
    game = zermelo.load("kuhn_poker")
    machine = compiled_machine(game.model)
    problem, aims = problem_of(game, machine), aims_of(after(game, play), machine)

    def work(backend, kernels):
        sampled = SampledPlay(backend, kernels, problem, by_outcome=True)
        sampled.learn(300, 0.0, Fraction(1))
        sampled.sampling.is_full = 1  # no more sets
        free = additions(sampled, ITERATIONS)
        sampled.aim_at(aims, 0.7)
        return free, additions(sampled, ITERATIONS), sampled.sampling.aim.row

    free, led, row = run_with_fallback(
        machine, problem.limits, lambda backend: backend.run(source(backend), lambda kernels: work(backend, kernels))
    )
    for (one, scatter), (other, led_scatter) in zip(free, led, strict=True):
        assert abs(one - other) <= 4.5 * sqrt(scatter + led_scatter) + 1e-9
    assert led[row][1] < free[row][1]


def additions(sampled: SampledPlay, count: int) -> list[tuple[float, float]]:
    """What one iteration adds to each regret and to each sum of strategies, on average over so many, each from the same
    table, with the variances of the means. The regrets are so large that everybody goes on to make all moves."""
    sampling, table = sampled.sampling, sampled.sampling.table
    regrets, sums = [1e4 * (1 + row % 3) for row in range(table.rows)], [0.0] * table.rows
    added: list[list[float]] = []
    for _ in range(count):
        for row in range(table.rows):
            table.regrets[row], table.sums[row] = regrets[row], sums[row]
        sampling.wanted = sampling.iterations + 1
        sampled.kernels.call(kernel.go_on, sampling, 1_000)
        added.append([table.regrets[row] - regrets[row] for row in range(table.rows)] + table.sums[: table.rows])
    columns = list(zip(*added, strict=True))
    return [(mean(column), variance(column) / count) for column in columns]


def test_marks_carry_the_shares_and_the_chances_of_the_plays():
    game = zermelo.load("kuhn_poker")
    machine = ReferenceMachine(game.model)
    aims = aims_of(after(game, "deal(Q, K); check; bet"), machine)
    problem = problem_of(game, machine)
    marks = run_with_fallback(machine, problem.limits, lambda backend: marks_of(backend, problem.root, aims))
    assert len(marks) == 1 + 3 * 2, "two deals, each with a check and a bet"
    assert marks[0].share == pytest.approx(1) and marks[0].chance == 1
    first = marks[marks[0].child]
    assert first.share == pytest.approx(0.5) and first.chance == pytest.approx(1 / 6)
    assert marks[first.sibling].share == pytest.approx(0.5) and marks[first.sibling].sibling == 0
    assert [mark.child for mark in marks].count(0) == 2


@pytest.mark.parametrize("play", KUHN)
def test_an_aim_to_which_nothing_is_led_changes_nothing(play):
    game = zermelo.load("kuhn_poker")
    machine = python_machine(game.model)
    problem = problem_of(game, machine, 7)

    def learned(backend, kernels, is_aimed):
        sampled = SampledPlay(backend, kernels, problem, by_outcome=True)
        if is_aimed:
            sampled.aim_at(aims_of(after(game, play), machine), 0.0)
        sampled.learn(200, 0.0, Fraction(1))
        return sampled.sampling.table.sums[:], sampled.sampling.table.regrets[:]

    one, other = (
        run_with_fallback(
            machine,
            problem.limits,
            lambda backend, aimed=aimed: backend.run(source(backend), lambda kernels: learned(backend, kernels, aimed)),
        )
        for aimed in (False, True)
    )
    assert one == other


@needs_llvm
@pytest.mark.parametrize("play", KUHN)
def test_python_and_machine_code_agree(play):
    game = zermelo.load("kuhn_poker")
    found = []
    for make in (python_machine, compiled_machine):
        machine = make(game.model)
        stages = [aims_of(after(game, play), machine)]
        found.append(online_strategy(problem_of(game, machine, 3), stages, 200))
    assert found[0] == found[1]


def test_the_same_seed_gives_the_same_strategy():
    state = after(zermelo.load("kuhn_poker"), "deal(Q, K)")
    one, again, other = (online(state, 100, seed=seed).chances for seed in (1, 1, 2))
    assert one == again != other


@needs_llvm
def test_it_learns_what_is_dominated():
    """In Kuhn poker nobody who knows that they win calls less than always, or folds with a King; with a Jack nobody
    calls."""
    game = zermelo.load("kuhn_poker")
    for card, best in ("K", "call"), ("J", "fold"):
        found = online(after(game, f"deal(Q, {card}); bet"), 20_000)
        assert [str(each.move) for each in found.worths if each.chance > Fraction(19, 20)] == [best]


@needs_llvm
def test_each_decision_of_a_play_has_its_stage():
    game = zermelo.load("kuhn_poker")
    assert online(after(game, "deal(Q, K)"), 50).counts["iterations"] == 50
    assert online(after(game, "deal(Q, K); check; bet"), 50).counts["iterations"] == 100
