"""Circles without bounds refuse a game only if its value depends on them."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

import pytest
from random_graphs import Wish, write_graph
from referee.rounds import round_intervals

import zermelo
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.positions import solving
from zermelo.solvers.positions.graph.graph import NotEnclosed
from zermelo.solvers.positions.stochastic_games import enclosures

ROOM = """
phase room:
    together:
        move act(stays in Bool)
    then:
        earn Ann: 1
        earn Bob: -1
        if act[Ann].stays and act[Bob].stays: go room
        end draw
"""
"""What is earned here has no total, if both stay."""

GATE = """
phase gate:
    turn Bob:
        move finish: end win Bob
        move enter: go room
"""
"""Bob wins unless he wants to go into the room."""

IN_FRONT = """
game "A room behind a gate"
players Ann, Bob
endless draw
start at choose
phase choose:
    turn Ann:
        move safe: end win Ann
        move dare: go gate
"""

AROUND = """
game "A gate behind a circle"
players Ann, Bob
endless draw
start at meet
phase meet:
    together:
        move act(pushes in Bool)
    then:
        if act[Ann].pushes and act[Bob].pushes: go gate
        if act[Ann].pushes: end win Ann
        if act[Bob].pushes: end draw
        go meet
"""

CHANCE = """
game "A draw of chance in front"
players Ann, Bob
endless draw
start at toss
phase toss:
    chance:
        outcome good: end win Ann
        outcome bad: go gate
"""

FREE = """
game "Ann may enter"
players Ann, Bob
endless draw
start at choose
phase choose:
    turn Ann:
        move safe: end win Ann
        move dare: go room
"""


@pytest.mark.parametrize(("rules", "value"), [(IN_FRONT, 1), (AROUND, 0)])
def test_what_nobody_who_plays_well_comes_to_does_not_matter(rules: str, value: int) -> None:
    """Ann is sure of the value without the gate, and Bob of no more than it, since he wins at the gate."""
    solution = zermelo.solve(zermelo.loads(rules + GATE + ROOM))
    low, high = solution.interval or (solution.value[0], solution.value[0])
    assert low <= value <= high < low + Fraction(1, 10**9)


@pytest.mark.parametrize("rules", [CHANCE + GATE, FREE])
def test_what_may_matter_is_refused(rules: str) -> None:
    """At the gate Bob is sure of a win, but nothing says that this is the least that Ann gets; and Ann may hope for
    more than 1 in the room."""
    with pytest.raises(ZermeloError) as raised:
        zermelo.solve(zermelo.loads(rules + ROOM))
    assert raised.value.code == "earns-for-ever"


def test_bounds_hold_whatever_lacks_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """Some circles are declared to have no bounds: all bounds that are left hold the value."""
    random, solved, held = Random(3), 0, 0
    whole = enclosures._enclosed
    unlucky: set[int] = set()

    def enclosed(contest: Any, steps: Any, *others: Any) -> Any:
        if min(step.position for step in steps) in unlucky:
            raise NotEnclosed(steps[0].position)
        return whole(contest, steps, *others)

    monkeypatch.setattr(enclosures, "_enclosed", enclosed)
    monkeypatch.setattr(enclosures, "_go_round_in_turn", lambda *_: False)
    for _ in range(150):
        wanted = Wish(
            aim="against", most=random.randint(2, 5), chance=random.random() < 0.4, circles=True, rounds=True,
            earns="never", endless=random.choice(("low", "middle", "high")),
        )  # fmt: skip
        graph = write_graph(random, wanted)
        unlucky = {p for p in range(1, len(graph)) if random.random() < 0.4}
        try:
            found = solving.solve(graph, Limits())
        except NotEnclosed:
            continue
        solved += 1
        for p, interval in enumerate(round_intervals(graph, wanted.wants, 60)):
            payoff = found.payoff(p)
            if interval is not None and payoff is not None:
                low, high = found.bounds(p) or (payoff[0], payoff[0])
                assert low <= interval[1] and interval[0] <= high
                held += 1
            elif interval is not None:
                assert not found.best(p) and found.mixtures(p) is None
    assert solved > 20 and held > 100
