"""Retrograde analysis of games whose values and distances have been published."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from all_machines import needs_llvm
from referee.fixed_points import plain_distances, plain_numbers

import zermelo
from zermelo.solvers.common.limits import Limits, ignore_progress
from zermelo.solvers.kernels.retrograde import FOREVER
from zermelo.solvers.positions.graph.exploring import explore
from zermelo.solvers.positions.graph.graph import ROOT, Components, Contest, find_components
from zermelo.solvers.positions.retrograde import RetrogradeValues, solve, who_sustains


def solved(name: str, **parameters: Any) -> tuple[RetrogradeValues, Components]:
    game, limits = zermelo.load(name, **parameters), Limits()
    machine = game.searching
    graph = explore(machine, game.facts, machine.initial(), limits, ignore_progress)
    components = find_components(graph, limits)
    return solve(Contest(graph, (1, -1)), components, limits), components


@needs_llvm
def test_king_and_rook_against_king() -> None:
    """White mates in 16 moves at most, which is in 31 plies (Thompson's tables, and many since)."""
    values, _ = solved("rook_ending", size=8)
    graph = values.contest.graph
    assert values.number(ROOT) == 1
    found = zip(graph.kinds, values.low.distances, strict=True)
    distances = [(distance, kind) for kind, distance in found if distance < FOREVER]
    assert max(distances) == (32, 1)
    assert max(distance for distance, kind in distances if kind == 0) == 31


@pytest.mark.parametrize("middle", [True, False])
def test_three_mens_morris(middle: bool) -> None:
    """The first player wins by the point in the middle; if that is forbidden, both can go on for ever."""
    values, _ = solved("three_mens_morris", middle=middle)
    graph = values.contest.graph
    assert values.number(ROOT) == (1 if middle else 0)
    right = plain_numbers(graph, (1, -1))
    assert [values.number(p) for p in range(len(graph))] == right
    assert [values.distance(p) for p in range(len(graph))] == plain_distances(graph, (1, -1), right, Fraction(0))
    assert who_sustains(values, Limits()).players(ROOT) == (() if middle else (0, 1))


@pytest.mark.parametrize(("rows", "columns", "number"), [(4, 4, 0), (4, 5, 0), (5, 4, 0)])
def test_small_connect_four(rows: int, columns: int, number: int) -> None:
    """Draws, which end when the board is full (Tromp, the table of small boards)."""
    values, _ = solved("connect_four", rows=rows, columns=columns)
    assert values.number(ROOT) == number
    assert values.distance(ROOT) == rows * columns
