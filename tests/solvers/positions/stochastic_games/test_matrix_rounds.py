"""Matrix games: each value is proved by the mixtures found, and compared with the referee's."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_cases import many
from random_graphs import Wish, write_graph
from referee.matrix_games import conceded, guaranteed, matrix_game
from referee.rounds import round_intervals

import zermelo
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.positions import solving
from zermelo.solvers.positions.graph.graph import NotEnclosed
from zermelo.solvers.positions.stochastic_games import enclosures
from zermelo.solvers.positions.stochastic_games.matrix_rounds import equilibrium, matrix_value


def of(*rows: tuple[int, ...]) -> list[list[Fraction]]:
    return [[Fraction(entry) for entry in row] for row in rows]


@st.composite
def matrices(draw: st.DrawFn, most: int = 6) -> list[list[Fraction]]:
    """Small matrices; often with few different entries, so that there are ties everywhere."""
    entries = draw(
        st.sampled_from((
            st.integers(0, 1), st.integers(-1, 1), st.integers(-9, 9), st.fractions(-2, 2, max_denominator=5),
            st.integers(-(10**30), 10**30),
        ))
    )  # fmt: skip
    columns = draw(st.integers(1, most))
    row = st.lists(entries.map(Fraction), min_size=columns, max_size=columns)
    return draw(st.lists(row, min_size=1, max_size=most))


@given(matrices())
@settings(max_examples=many(400), deadline=None)
def test_mixtures_guarantee_and_concede_the_value(matrix: list[list[Fraction]]) -> None:
    found = matrix_value(matrix)
    assert sum(found.rows) == sum(found.columns) == 1
    assert min(found.rows) >= 0
    assert min(found.columns) >= 0
    assert guaranteed(matrix, list(found.rows)) == found.value == conceded(matrix, list(found.columns))


@given(matrices(4))
@settings(max_examples=many(100), deadline=None)
def test_the_referee_finds_the_same_value(matrix: list[list[Fraction]]) -> None:
    assert matrix_value(matrix).value == matrix_game(matrix)[0]


@pytest.mark.parametrize(
    ("matrix", "value"),
    [
        (of((1, -1), (-1, 1)), Fraction(0)),  # matching pennies
        (of((0, -1, 1), (1, 0, -1), (-1, 1, 0)), Fraction(0)),  # stone, paper, scissors
        (of((3, -1), (-2, 4)), Fraction(1)),
        (of((4, 2, 1, 0), (1, 3, 0, -1), (-2, 2, 2, -2), (-1, 0, 3, 1), (0, 1, 2, 4)), Fraction(14, 9)),  # Blotto
        (of((5,)), Fraction(5)),
    ],
)
def test_known_values(matrix: list[list[Fraction]], value: Fraction) -> None:
    assert matrix_value(matrix).value == value


@pytest.mark.parametrize("size", [5, 8, 12])
def test_a_matrix_whose_steps_bring_no_progress(size: int) -> None:
    """A tournament in which each move beats the next half of the others: every basis on the way is degenerate."""
    matrix = [
        [Fraction(0 if i == j else 1 if (j - i) % size <= size // 2 else -1) for j in range(size)] for i in range(size)
    ]
    found = matrix_value(matrix)
    assert guaranteed(matrix, list(found.rows)) == found.value == conceded(matrix, list(found.columns))


# One equilibrium of two players: nobody gains by deviating from it.


Matrix = list[list[Fraction]]


@st.composite
def games(draw: st.DrawFn) -> tuple[Matrix, Matrix]:
    """Two small matrices of one size; often with few different entries, which makes games degenerate."""
    rows, columns = draw(st.integers(1, 5)), draw(st.integers(1, 5))
    entries = draw(st.sampled_from((st.integers(0, 1), st.integers(-9, 9), st.fractions(-2, 2, max_denominator=5))))
    row = st.lists(entries.map(Fraction), min_size=columns, max_size=columns)
    matrix = st.lists(row, min_size=rows, max_size=rows)
    return draw(matrix), draw(matrix)


@given(games())
@settings(max_examples=many(400), deadline=None)
def test_nobody_gains_by_deviating(game: tuple[Matrix, Matrix]) -> None:
    first, second = game
    x, y = equilibrium(first, second)
    assert sum(x) == sum(y) == 1
    assert min(x) >= 0
    assert min(y) >= 0
    ours = [sum(entry * weight for entry, weight in zip(row, y, strict=True)) for row in first]
    theirs = [
        sum(entry * weight for entry, weight in zip(column, x, strict=True)) for column in zip(*second, strict=True)
    ]
    assert all(worth == max(ours) for worth, weight in zip(ours, x, strict=True) if weight)
    assert all(worth == max(theirs) for worth, weight in zip(theirs, y, strict=True) if weight)


def test_battle_of_the_sexes_has_one_of_its_equilibria() -> None:
    first, second = [[2, 0], [0, 1]], [[1, 0], [0, 2]]
    x, y = equilibrium([list(map(Fraction, row)) for row in first], [list(map(Fraction, row)) for row in second])
    third = Fraction(1, 3)
    assert (x, y) in {((1, 0), (1, 0)), ((0, 1), (0, 1)), ((2 * third, third), (third, 2 * third))}


# Circles without bounds refuse a game only if its value depends on them.


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
