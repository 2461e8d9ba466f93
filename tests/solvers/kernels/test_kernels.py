"""What is checked of bounds follows in exact arithmetic, and wrong bounds do not pass."""

from __future__ import annotations

import ast
from fractions import Fraction
from math import inf, nan, nextafter
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from attrs import define, frozen
from hypothesis import given
from hypothesis import strategies as st
from random_cases import seeds
from random_graphs import Wish, graphs
from referee.positions import lasting, read

from zermelo.solvers.kernels import past as kernel
from zermelo.solvers.kernels.interval_iteration import (
    BEGIN,
    CHECK,
    CLIMB,
    PRUNE,
    UNPROVED,
    check,
    divide,
    earns,
    prune,
    relabel,
    stays,
)
from zermelo.solvers.kernels.paired_bounds import Pair, are_proved, bound_both
from zermelo.solvers.kernels.past import Pasts, is_past_of, keep, spread_pasts
from zermelo.solvers.kernels.upper_bounds import Drift, holds, most
from zermelo.solvers.positions.graph.graph import PositionGraph

CHANCE, OURS, FREE, END = -1, 0, 1, -2
BELOW_ONE = nextafter(1.0, 0.0)

doubles = st.one_of(
    st.floats(-1e150, 1e150, allow_nan=False),
    st.floats(-2, 2),
    st.integers(-40, 40).map(lambda k: 1.0 + k * 2.0**-52),
    st.integers(-1000, 1000).map(lambda k: k * 5e-324),
)
"""Of all sizes, and such as differ in the last bits."""


def graph_of(kinds: list[int], edges: list[list[tuple[int, int, int]]], discount: float = 1.0) -> Any:
    """A graph of edges (weight, number of the reward, target), as functions of kernels read it in Python."""
    firsts = [0]
    for each in edges:
        firsts.append(firsts[-1] + len(each))
    flat = [edge for each in edges for edge in each]
    weights, rewards, targets = ([edge[k] for edge in flat] for k in range(3))
    return SimpleNamespace(
        kinds=kinds, firsts=firsts, weights=weights, rewards=rewards, targets=targets, earning=[],
        earns=int(any(rewards)), discount=discount,
    )  # fmt: skip


def side_of(values: list[float], amounts: tuple[float, ...] = (0.0,), endless: float = 0.0) -> Any:
    return SimpleNamespace(values=values, amounts=amounts, frees=[0, 1], endless=endless, top=0.0)


def worth(graph: Any, side: Any, position: int, edge: int) -> Fraction:
    """What an edge is worth, exactly; the discount is a tenth below 1 if it is not 1."""
    target = graph.targets[edge]
    is_discounted = graph.discount < 1 and graph.kinds[position] >= 0 and graph.kinds[target] > END
    factor = Fraction(9, 10) if is_discounted else 1
    reward = Fraction(side.amounts[graph.rewards[edge]]) if graph.earns else 0
    return reward + factor * Fraction(side.values[target])


@given(doubles, doubles, st.booleans())
def test_an_edge_is_worth_at_most_what_is_reckoned(value: float, reward: float, is_discounted: bool) -> None:
    graph = graph_of([OURS, OURS], [[(1, 1, 1)], [(1, 0, 0)]], discount=0.9 if is_discounted else 1.0)
    side = side_of([0.0, value], (0.0, reward))
    found = most(graph, side, 0, 0)
    exact = worth(graph, side, 0, 0)
    assert exact <= Fraction(found) <= exact + Fraction(1, 2**48) * (abs(Fraction(value)) + abs(Fraction(reward)) + 1)


@given(st.lists(st.tuples(st.integers(1, 2**31 - 1), doubles, doubles), min_size=1, max_size=30), doubles)
def test_a_mean_that_passes_is_not_above_the_value(edges: list[tuple[int, float, float]], value: float) -> None:
    """The value is tried that is the mean, rounded, and those next to it, and any other."""
    count = len(edges)
    graph = graph_of([CHANCE, *[END] * count], [[(weight, k, k + 1) for k, (weight, _, _) in enumerate(edges)]])
    side = side_of([0.0, *(behind for _, behind, _ in edges)], tuple(reward for _, _, reward in edges))
    total = sum(weight for weight, _, _ in edges)
    mean = sum((weight * worth(graph, side, 0, k) for k, (weight, _, _) in enumerate(edges)), Fraction(0)) / total
    nearest = float(mean)
    for tried in (value, nearest, nextafter(nearest, inf), nextafter(nearest, -inf)):
        side.values[0] = tried
        if holds(graph, side, 0, 0, 0, Drift()):
            assert mean <= Fraction(tried)


@pytest.mark.parametrize("count", [1, 8, 100])
def test_what_a_sum_loses_is_allowed_for(count: int) -> None:
    """Beside -1 and 1, numbers that are lost one by one, and add up to more than 0."""
    values = [-1.0, *[2.0**-55] * count, 1.0]
    graph = graph_of([CHANCE, *[END] * len(values)], [[(1, 0, k + 1) for k in range(len(values))]])
    found = Drift()
    assert not holds(graph, side_of([0.0, *values]), 0, 0, 0, found)
    assert found.sum == 0.0 < sum(map(Fraction, values)) <= Fraction(found.doubt)


@given(st.lists(doubles, min_size=1, max_size=30))
def test_a_mean_of_equal_values_is_checked_without_any_room(values: list[float]) -> None:
    """No rounding spoils what needs none."""
    value = max(values)
    graph = graph_of([CHANCE, END], [[(3 + k, 0, 1) for k in range(len(values))]])
    side = side_of([value, value])
    assert holds(graph, side, 0, 0, 0, Drift())
    side.values[0] = nextafter(value, -inf)
    assert not holds(graph, side, 0, 0, 0, Drift())


@given(st.lists(doubles, min_size=1, max_size=5), st.integers(0, 4), doubles)
def test_decisions(values: list[float], choice: int, value: float) -> None:
    """The free take any edge, ours the one that they chose."""
    edges = [(1, 0, k + 1) for k in range(len(values))]
    choice = choice % len(values)
    for kind, most_of_all in ((FREE, max(values)), (OURS, values[choice])):
        graph = graph_of([kind, *[END] * len(values)], [edges])
        assert holds(graph, side_of([value, *values]), 0, choice, 0, Drift()) == (value >= most_of_all)


@pytest.mark.parametrize("kind", [FREE, OURS, CHANCE])
@pytest.mark.parametrize("wrong", [nan, -inf, BELOW_ONE])
def test_what_is_no_bound_never_passes(kind: int, wrong: float) -> None:
    graph = graph_of([kind, END], [[(1, 0, 1)]])
    assert not holds(graph, side_of([wrong, 1.0]), 0, 0, 0, Drift())
    assert holds(graph, side_of([inf, 1.0]), 0, 0, 0, Drift())
    assert not holds(graph, side_of([1.0, nan]), 0, 0, 0, Drift())
    assert not holds(graph, side_of([1.0, inf]), 0, 0, 0, Drift())


# ------------------------------------------------------------ in a component


def work_of(graph: Any, side: Any, labels: list[int], hopes: int = 0) -> Any:
    """The iteration at the check of the component of the first two positions, on the other side of which nothing is
    left to do."""
    size = len(graph.kinds)
    marks = SimpleNamespace(labels=labels, choices=[graph.firsts[0], graph.firsts[1]] + [0] * (size - 2), chosen=1)
    return SimpleNamespace(
        graph=graph, upper=side, lower=side, ends=marks, drift=Drift(), order=list(range(size)), component=0, count=9,
        is_lower=1, circles=1, hopes=hopes, tries=0, descends=0, sweeps=0, slack=1.0, stage=CHECK,
    )  # fmt: skip


def test_a_fixed_point_below_what_staying_is_worth_does_not_pass() -> None:
    """The free may go round for ever, which is worth 1; with 1/2 everywhere nothing changes, and yet it is no bound."""
    graph = graph_of([OURS, FREE, END], [[(1, 0, 1)], [(1, 0, 0), (1, 0, 2)], []])
    for value, follows in ((0.5, CLIMB), (BELOW_ONE, CLIMB), (1.0, BEGIN), (2.0, BEGIN), (nan, CLIMB)):
        side = side_of([value, value, 0.5], endless=1.0)
        work = work_of(graph, side, labels=[1, 1, 0])
        assert [holds(graph, side, p, graph.firsts[p], 0, Drift()) for p in (0, 1)] == [value == value] * 2
        check(work, side, 0, 2)
        assert work.stage == follows


def test_hope_fails_where_a_play_may_stay_among_equal_values() -> None:
    """The free may go round for ever, or leave for less; chance goes round, and never leaves."""
    by_choice = graph_of([OURS, FREE, END], [[(1, 0, 1)], [(1, 0, 0), (1, 0, 2)], []])
    by_chance = graph_of([CHANCE, CHANCE, END], [[(1, 0, 1)], [(1, 0, 0)], []])
    for graph in (by_choice, by_chance):
        side = side_of([0.75, 0.75, 0.5], endless=1.0)
        work = work_of(graph, side, labels=[0, 0, 0], hopes=1)
        work.is_lower = 0
        check(work, side, 0, 2)
        assert (work.stage, work.hopes) == (PRUNE, 0)


def test_hope_fails_where_the_bounds_are_far_apart() -> None:
    """Chance leaves half of the time; the same numbers bound the game and its negative from above."""
    graph = graph_of([CHANCE, CHANCE, END], [[(1, 0, 1), (1, 0, 2)], [(1, 0, 0)], []])
    for values, follows in (([-1.0, -0.875, -1.25], BEGIN), ([1.0, 1.25, 0.5], PRUNE)):
        side = side_of(values)
        work = work_of(graph, side, labels=[0, 0, 0], hopes=1)
        work.scale = 1.0
        check(work, side, 0, 2)
        assert work.stage == follows


def test_bounds_lowered_by_one_bit_do_not_pass() -> None:
    """Half of the time 1, half of the time again."""
    graph = graph_of([CHANCE, CHANCE, END], [[(1, 0, 1), (1, 0, 2)], [(1, 0, 0)], []])
    for value, follows in ((BELOW_ONE, CLIMB), (1.0, BEGIN)):
        side = side_of([value, value, 1.0])
        work = work_of(graph, side, labels=[0, 0, 0])
        check(work, side, 0, 2)
        assert work.stage == follows


def test_what_fails_at_last_has_no_bounds() -> None:
    graph = graph_of([CHANCE, CHANCE, END], [[(1, 0, 1), (1, 0, 2)], [(1, 0, 0)], []])
    side = side_of([BELOW_ONE, BELOW_ONE, 1.0])
    work = work_of(graph, side, labels=[0, 0, 0])
    work.descends = 1
    check(work, side, 0, 2)
    assert work.stage == UNPROVED


# ------------------------------------------------------- both bounds at once


def pair_of(graph: Any, count: int, width: float = 0.0) -> Pair:
    """For a component of so many positions."""
    pair = Pair()
    pair.count, pair.end = count, len(graph.kinds)
    pair.slopes, pair.drift, pair.width, pair.scale = [nan] * len(graph.kinds), Drift(), width, 1.0
    return pair


def sides_of(above: list[float], below: list[float]) -> tuple[Any, Any]:
    upper, lower = side_of(above), side_of(below)
    lower.frees = [1, 0]
    return upper, lower


@pytest.mark.parametrize("stays", [OURS, FREE])
def test_both_bounds_at_once_are_not_proved_where_a_play_may_stay_among_equal_values(stays: int) -> None:
    """Who may leave gets 1/2 for that, and would go round for ever if it paid more; the other one has to follow."""
    graph = graph_of([stays, 1 - stays, END], [[(1, 0, 1), (1, 0, 2)], [(1, 0, 0)], []])
    settled, stuck = [0.75, 0.875, 0.5], [-0.5, -0.5, -0.5]
    choices = [0, 0, 0]
    upper, lower = sides_of(*((settled, stuck) if stays == OURS else (stuck, settled)))
    assert all(holds(graph, side, p, edge, 0, Drift()) for side in (upper, lower) for p, edge in ((0, 1), (1, 2)))
    assert not are_proved(pair_of(graph, 2, width=1.0), graph, upper, lower, choices)


@pytest.mark.parametrize("low", [-0.25, -0.5])
def test_both_bounds_at_once_are_not_proved_where_they_are_far_apart(low: float) -> None:
    """Chance leaves half of the time, for 1/2."""
    graph = graph_of([CHANCE, CHANCE, END], [[(1, 0, 1), (1, 0, 2)], [(1, 0, 0)], []])
    upper, lower = sides_of([0.75, 0.875, 0.5], [low, low + 0.125, -0.5])
    for width in (0.0, 0.5, 1.0):
        proved = are_proved(pair_of(graph, 2, width), graph, upper, lower, [0, 0, 0])
        assert proved == (low > -0.5 and width >= 0.875 + low + 0.125)


@pytest.mark.parametrize("often", [1, 10, 1000])
def test_where_circles_close_in_one_position_both_bounds_take_few_sweeps(often: int) -> None:
    """However often plays go round: then only what each step adds counts as many times more."""
    graph = graph_of(
        [CHANCE, FREE, CHANCE, END, END, END],
        [[(often, 0, 1), (1, 0, 3)], [(1, 0, 2), (1, 0, 5)], [(often, 0, 0), (1, 0, 4)], [], [], []],
    )
    behind = [1.0, -1.0, -4.0]
    upper, lower = sides_of([0.0] * 3 + behind, [0.0] * 3 + [-value for value in behind])
    assert 0 < bound_both(pair_of(graph, 3), graph, upper, lower, [0] * 6) <= 4
    stays = Fraction(often, often + 1)
    exact = (1 - stays - stays * (1 - stays)) / (1 - stays * stays)
    assert -Fraction(lower.values[0]) <= exact <= Fraction(upper.values[0])
    assert upper.values[0] + lower.values[0] < often * 1e-13


@pytest.mark.parametrize(
    ("kinds", "behind"),
    [((CHANCE, CHANCE), 1.0), ((FREE, OURS), 1.0), ((OURS, FREE), 1.0), ((CHANCE, CHANCE), inf)],
)
def test_both_bounds_are_not_tried_for_ever(kinds: tuple[int, ...], behind: float) -> None:
    """Nobody can leave, or what is behind has no bounds."""
    onward = [(1, 0, 0), (1, 0, 2)] if behind == inf else [(1, 0, 0)]
    graph = graph_of([*kinds, END], [[(1, 0, 1)], onward, []])
    upper, lower = sides_of([0.0, 0.0, behind], [0.0, 0.0, behind])
    assert bound_both(pair_of(graph, 2), graph, upper, lower, [0, 0, 0]) == 0


# End components are those that the referee finds by trying what is reached from where.


END_COMPONENTS_OURS, END_COMPONENTS_FREE = 0, 1


def found_in(graph: PositionGraph, chosen: bool, choices: list[int]) -> tuple[Any, Any, Any]:
    """The arrays after all passes over the whole graph."""
    size = len(graph)
    arrays = SimpleNamespace(
        kinds=graph.kinds, firsts=graph.firsts, targets=graph.targets, weights=graph.weights, rewards=graph.rewards,
        earning=[int(any(amount)) for amount in graph.amounts], earns=int(graph.rewards is not None),
        discount=float(graph.discount),
    )  # fmt: skip
    side = SimpleNamespace(frees=[END_COMPONENTS_OURS, END_COMPONENTS_FREE])
    ends = SimpleNamespace(labels=[1] * size, choices=choices, visits=0, depth=0, count=0, chosen=int(chosen))
    for name in ("places", "lows", "edges", "fresh", "path", "waiting"):
        setattr(ends, name, [0] * size)
    changed = True
    while changed:
        while sum(prune(arrays, side, ends, p) for p in range(size)):
            pass
        for p in range(size):
            if ends.labels[p] and not ends.fresh[p]:
                divide(arrays, side, ends, p)
        changed = sum(relabel(ends, p) for p in range(size) if ends.labels[p]) > 0
        ends.visits = 0
    assert not any(ends.places + ends.fresh)
    return arrays, side, ends


@given(st.data())
def test_edges_that_stay_are_those_of_end_components(data: st.DataObject) -> None:
    graph = data.draw(graphs(Wish(most=6, earns="anywhere", discount=data.draw(st.sampled_from((1, 0.5))))))
    chosen = data.draw(st.booleans())
    choices = [data.draw(st.integers(a, max(a, b - 1))) for a, b in zip(graph.firsts, graph.firsts[1:], strict=False)]
    arrays, side, ends = found_in(graph, chosen, choices)
    nodes = read(graph)
    allowed = [
        [choices[p] - graph.firsts[p]]
        if chosen and node.player == END_COMPONENTS_OURS
        else list(range(len(node.steps)))
        for p, node in enumerate(nodes)
    ]
    expected = lasting(nodes, allowed)
    found = {
        (p, edge - graph.firsts[p])
        for p in range(len(graph))
        if ends.labels[p]
        for edge in graph.edges(p)
        if stays(arrays, side, ends, p, edge)
    }
    assert found == expected
    assert {p for p in range(len(graph)) if ends.labels[p]} == {p for p, _ in expected}
    for p, k in expected:
        target = graph.targets[graph.firsts[p] + k]
        assert ends.labels[target] == ends.labels[p], "they go round together"
        earning = any(any(graph.reward(graph.firsts[q] + j)) for q, j in expected if q == p)
        assert earns(arrays, side, ends, p) == earning
    for label in set(ends.labels) - {0}:
        assert ends.labels[label - 1] == label, "named for one of its positions"


# Pasts of positions, in a short list of words that is written over again and again, compared with a plain copy.


Moment = tuple[int, ...]
History = tuple[Moment, ...]

PAST = 3
"""The first word of a past stands for what the rules have looked for: the moments that begin with a number of its
bits."""


@frozen(eq=False)
class Kept:
    """A past that has been kept: what has been looked for, the part of the history that this can be, the words of the
    kernel, and the numbers of the words of the part."""

    looked_for: int
    part: History
    past: list[int]
    numbers: range


@define(eq=False)
class PlainCopy:
    """What ``size`` words hold: for each place the number of the word that was written there last."""

    size: int
    places: dict[int, int]
    written: int = 0

    def write(self, count: int) -> range:
        numbers = range(self.written, self.written + count)
        self.places.update({number % self.size: number for number in numbers})
        self.written += count
        return numbers

    def grow(self, size: int) -> None:
        still_there = set(self.places.values())
        self.size, self.places = size, {number % size: number for number in still_there}

    def holds(self, numbers: range) -> bool:
        return set(numbers) <= set(self.places.values())


def part_of(history: History, looked_for: int) -> History:
    return (*(moment for moment in history[:-1] if looked_for >> moment[0] & 1), history[-1])


def a_history(random: Random, width: int) -> History:
    """Up to five moments, most of them alike."""
    return tuple(tuple(random.choice((0, 0, 1)) for _ in range(width)) for _ in range(random.randint(1, 5)))


@pytest.fixture(params=[1, 2, 3])
def width(request, monkeypatch):
    """The words of a moment. A state is a history, which is what the rules have in their context, too."""
    names = {
        "MOMENT": request.param,
        "PAST": PAST,
        "moments": len,
        "recorded": lambda rules, entry, word: rules[entry][word],
        "may_read": lambda rules, past, entry: past[0] >> rules[entry][0] & 1,
    }
    for name, meaning in names.items():
        monkeypatch.setattr(kernel, name, meaning)
    return request.param


@pytest.mark.parametrize("seed", seeds(12))
def test_a_past_counts_for_the_same_part_until_it_is_written_over(width, seed):
    random = Random(seed)
    pasts, plain = Pasts(), PlainCopy(8, {})
    pasts.words, pasts.written, pasts.oldest = [0] * 8, 0, 0
    kept: list[Kept] = []
    for _ in range(60):
        history, looked_for = a_history(random, width), random.randrange(4)
        part, past = part_of(history, looked_for), [looked_for, 0, 0]
        fits = len(part) * width <= plain.size
        assert keep(pasts, history, history, past) == fits
        if fits:
            kept.append(Kept(looked_for, part, past, plain.write(len(part) * width)))
        if plain.size < 128 and random.randrange(20) == 0:
            before, size = plain.size, plain.size * random.choice((2, 8))
            pasts.words += [0] * (size - before)
            spread_pasts(pasts, before)
            plain.grow(size)
        for each in kept:
            for other in (history, each.part, a_history(random, width)):
                is_same = part_of(other, each.looked_for) == each.part
                assert is_past_of(pasts, other, other, each.past) == (is_same and plain.holds(each.numbers))


# Functions of kernels can be called without a list of their parameters at hand.


KERNELS = sorted((Path(__file__).parents[3] / "solvers" / "kernels").glob("[a-z]*.py"))
INDICES = {"i", "k"}


@pytest.mark.parametrize("path", KERNELS, ids=lambda path: path.stem)
def test_a_function_takes_six_parameters_at_most_and_names_them(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for function in [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]:
        names = [each.arg for each in function.args.args]
        assert len(names) <= 6, f"{function.name}({', '.join(names)})"
        assert all(len(name) > 1 or name in INDICES for name in names), f"{function.name}({', '.join(names)})"
