""""""

from __future__ import annotations

import re
from fractions import Fraction
from random import Random

import pytest
from attrs import evolve
from found_graphs import exact_graph
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from random_cases import many
from random_games.circling import write_circling
from referee.positions import EarnsForEver, count_policies, numbers
from solving import solve

import zermelo
from zermelo.grammar.diagnostics import InvalidGame, ZermeloError
from zermelo.interpreter.machine import CHANCE
from zermelo.solvers.common.limits import LimitReached, Limits, ignore_progress
from zermelo.solvers.search import random_plays as module
from zermelo.solvers.search.random_plays import random_plays
from zermelo.solvers.solution import Certainty
from zermelo.solving import facts_of

WRITTEN = [0, 1, [1, 2, [CHANCE, (Fraction(1, 2), 3), (Fraction(1, 2), 8)]]]


def play(machine, plays, seed, progress=ignore_progress):
    return random_plays(machine, machine.initial(), plays, seed, progress)


def test_means_are_exact_and_reproducible(tree):
    machine = tree(WRITTEN)
    first = play(machine, 200, seed=1)
    assert first == play(machine, 200, seed=1)
    assert first != play(machine, 200, seed=2)
    assert first.plays == 200
    assert first.unfinished == 0
    assert (first.shortest, first.longest) == (1, 3)
    assert sum(first.mean_payoffs) == 0
    assert first.mean_payoffs[0].denominator in (1, 2, 4, 5, 8, 10, 20, 25, 40, 50, 100, 200)
    assert 1 < first.mean_length < 3


def test_every_legal_move_is_as_likely(tree):
    """One play in two pays 1, one in four 2, one in eight 3 and one in eight 8: 19/8 on average."""
    found = play(tree(WRITTEN), 4000, seed=3)
    assert abs(found.mean_payoffs[0] - Fraction(19, 8)) < Fraction(1, 5)


def test_plays_without_end_are_given_up(toy, monkeypatch):
    monkeypatch.setattr(module, "LONGEST", 50)
    found = play(toy(0, lambda k: (0, {"on": k})), 3, seed=1)
    assert (found.plays, found.unfinished) == (0, 3)
    assert found.mean_payoffs is None
    assert found.mean_length is None


def test_progress(tree):
    seen: list[int] = []
    play(tree(WRITTEN), 3, 1, seen.append)
    assert seen == [1, 2, 3]


# Plays that need not end, in rules that do not say what an endless one pays: what may be called exact then.
#
# Payoffs have bounds, but only in plays that end. A value is exact if it is the same whatever endless plays pay.


TO_THE_END = ("alphabeta", "alphabeta_table", "enhanced_alphabeta", "dfpn", "positions")
TO_A_DEPTH = ("iterative_deepening", "aspiration", "principal_variation", "mtdf", "null_move", "late_moves")
HUGE = 1000
"""More than any play pays that ends."""

OPEN = """\
game "Open end"
players Ann, Bob
estimate for p: 0
start at s
phase s:
    turn Ann:
        move stop: end payoff (2, -2)
        move fall: end payoff (-2, 2)
        move wait: go s
"""
"""Ann gets 2, the most that a play pays which ends; waiting may bring more, or not."""


def rules(seed: int, has_chance: bool) -> str:
    """A game of two players that says nothing of endless plays."""
    text = write_circling(Random(seed), "against", has_chance, False)
    return re.sub(r"^(endless|discount) .*\n", "", text, flags=re.M) + "estimate for p: 0\n"


def certain(text: str) -> Fraction | None:
    """What the game is worth whatever endless plays pay; None if that depends on it. Skips what is beyond brute
    force."""
    graph = exact_graph(zermelo.loads(text).reference)
    assume(count_policies(graph) < 300)
    values = {numbers(evolve(graph, endless=(Fraction(e), Fraction(-e))), (1, -1))[0] for e in (-HUGE, 0, HUGE)}
    return values.pop() if len(values) == 1 else None


def claimed(text: str, solver: str, limits: Limits) -> Fraction | None:
    """What a solver calls exact; None if it refuses, or says that it is something else."""
    game = zermelo.loads(text)
    try:
        found = solve(game.reference, facts_of(game), solver, limits=limits)
    except (ZermeloError, LimitReached):
        return None
    return found.value[0] if found.certainty is Certainty.EXACT else None


@pytest.mark.parametrize("solver", TO_THE_END + TO_A_DEPTH)
def test_the_best_of_all_ends_is_not_exact_if_waiting_may_bring_more(solver: str) -> None:
    limits = Limits() if solver in TO_THE_END else Limits(depth=6)
    assert claimed(OPEN, solver, limits) is None
    assert claimed(OPEN.replace("start at", "endless draw\nstart at"), solver, limits) in (None, 2)


@settings(max_examples=many(60), suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])
@given(seed=st.integers(0, 10**6), solver=st.sampled_from(TO_THE_END + TO_A_DEPTH))
def test_nothing_is_exact_that_depends_on_what_is_not_said(seed: int, solver: str) -> None:
    text = rules(seed, has_chance=False)
    try:
        value = certain(text)
    except (EarnsForEver, InvalidGame):
        assume(False)
    limits = Limits(nodes=3_000) if solver in TO_THE_END else Limits(depth=6)
    assert claimed(text, solver, limits) in (None, value), text
