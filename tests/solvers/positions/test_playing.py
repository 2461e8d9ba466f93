"""Plays through a graph of positions."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest
from all_machines import MACHINE_NAMES
from random_cases import seeds
from random_games.circling import write_circling
from reaching import reached

import zermelo
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.solvers.common.limits import Limits, ignore_progress
from zermelo.solvers.positions.graph.exploring import explore
from zermelo.solvers.positions.graph.graph import PAYS, PositionGraph
from zermelo.solvers.positions.solved_positions import Guide, shortest_path, source


def test_a_long_path() -> None:
    """One pass over the edges finds it."""
    size = 200_000
    kinds, targets = [0] * size + [PAYS], [there for p in range(size) for there in (p, p + 1)]
    firsts = [*range(0, 2 * size + 1, 2), 2 * size]
    graph = PositionGraph(("A",), kinds, firsts, targets, None, None, ((Fraction(0),),))
    assert shortest_path(graph, size - 1) == [*range(1, 2 * size - 2, 2)]


@pytest.mark.parametrize("seed", seeds(40))
def test_shortest_paths_lead_there(seed: int) -> None:
    """On graphs found by kernels, too, whose lists are their own; no shorter path does."""
    try:
        game = zermelo.loads(write_circling(Random(seed), "against", True, True))
    except ZermeloError as error:
        assert error.code == "phase-without-exit"
        return
    machine = game.searching
    graph = explore(machine, game.facts, machine.initial(), Limits(), ignore_progress)
    away = {0: 0}
    for p in range(len(graph)):
        for edge in graph.edges(p):
            away.setdefault(graph.targets[edge], away[p] + 1)
    for p in (p for p, kind in enumerate(graph.kinds) if kind > PAYS):
        path = shortest_path(graph, p)
        assert len(path) == away[p]
        assert [0, *(graph.targets[edge] for edge in path)] == [*(source(graph, edge) for edge in path), p]
        state = reached(machine, Guide(machine, machine.initial(), graph).play(path))
        assert machine.actor(state) == graph.actor(p)


DISCOUNTED = """\
game "Discounted"
players Ann, Bob
discount 1/2
start at first
phase first:
    turn Ann:
        move on:
            earn Ann: 1
            earn Bob: -1
            go second
phase second:
    turn Bob:
        move stop: end payoff (8, -8)
        move draw: go last
phase last:
    chance:
        outcome heads: end payoff (16, -16)
"""


@pytest.mark.parametrize("machine", MACHINE_NAMES)
@pytest.mark.parametrize(("play", "paid"), [(("on", "stop"), 5), (("on", "draw", "heads"), 5), (("on", "draw"), 5)])
def test_the_end_of_a_play_is_worth_what_it_pays(play: tuple[str, ...], paid: int, machine: str) -> None:
    """A decision takes the discount off what comes after it, and not off what it pays by ending the play."""
    state = zermelo.loads(DISCOUNTED).on(machine).initial
    for move in play:
        state = state.after(move)
    assert zermelo.solve(state, "positions").value == (paid, -paid)


def test_bounds_hold_of_the_whole_play(monkeypatch):
    """5 have been earned. The rest is worth 2 + 2/3 * 9/10 of itself, which is 5, and counts 9/10."""
    monkeypatch.setattr("zermelo.solvers.positions.solving.MOST_EXACT", 0)
    text = """\
game "Tolls"
players Ann
discount 9/10
start at pay
phase pay:
    turn Ann:
        move pay:
            earn Ann: 5
            go luck
phase luck:
    chance:
        outcome over prob 1/3: end payoff (6)
        outcome again prob 2/3: go wait
phase wait:
    turn Ann:
        move wait: go luck
"""
    for play, value in (([], Fraction(19, 2)), (["pay"], Fraction(19, 2)), (["pay", "again"], 5 + Fraction(81, 20))):
        state = zermelo.loads(text).initial
        for move in play:
            state = state.after(move)
        low, high = zermelo.solve(state, "positions").interval
        assert low <= value <= high and high - low < Fraction(1, 10**9)
