"""Bounds of folded graphs hold what other solvers, closed forms and the referee say."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import pytest
from all_machines import native_machine, needs_llvm
from attrs import evolve
from folded import ByHand, ComesBack
from found_graphs import exact_graph, kernel_graph
from hypothesis import assume, given
from hypothesis import strategies as st
from random_graphs import Wish, graphs
from referee.positions import count_policies, numbers
from written_games import bundled_model

from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.native.dialect.kernel_source import kernel as join
from zermelo.interpreter.native.running.kernels import load
from zermelo.interpreter.reference.machine import ReferenceMachine
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.kernels import folded_bounds as kernel
from zermelo.solvers.kernels.folded_bounds import Sweeping
from zermelo.solvers.positions.folding.folded_bounds import FoldedBounds, NotBounded, folded_bounds
from zermelo.solvers.positions.folding.folded_graph import FoldedGraph
from zermelo.solvers.positions.graph.graph import DRAWS, PAYS, PositionGraph
from zermelo.solvers.positions.solved import ContestSolution
from zermelo.solvers.positions.solving import solve

AGAINST = (1, -1)


def bounded(graph: FoldedGraph, wants: Sequence[int] = AGAINST, compiled: bool = False) -> FoldedBounds:
    return folded_bounds(graph, wants, Limits(), compiled=compiled)


def may_stay(graph: FoldedGraph) -> bool:
    """Whether there are positions from which each outcome of chance can be brought back to them: by trying out all
    sets of positions."""
    inner = [p for p in range(len(graph)) if graph.kinds[p] > PAYS]
    turns = {p: graph.turns(p) for p in inner}
    sets = ({p for k, p in enumerate(inner) if mask >> k & 1} for mask in range(1, 1 << len(inner)))
    return any(all(any(t in kept for t in targets) for p in kept for targets in turns[p]) for kept in sets)


@given(st.data())
def test_bounds_hold_what_the_referee_finds(data: st.DataObject) -> None:
    """On random graphs, and nothing is proved where plays may stay."""
    aim = data.draw(st.sampled_from(("alone", "against", "against")))
    graph = data.draw(graphs(Wish(aim, most=7, earns="never", endless=data.draw(st.sampled_from(("low", "high"))))))
    assume(count_policies(graph) <= 500)
    try:
        by_hand = ByHand(graph)
    except ComesBack:
        return
    folded = by_hand.folded()
    if may_stay(folded):
        with pytest.raises(NotBounded, match="go on for ever"):
            bounded(folded, AGAINST[: len(graph.players)])
        return
    found = bounded(folded, AGAINST[: len(graph.players)])
    assert found.width <= 1e-11
    for position, number in enumerate(numbers(graph, AGAINST[: len(graph.players)])):
        if position in by_hand.numbers:
            low, high = found.interval(by_hand.numbers[position])
            assert number is not None and low <= number <= high


@pytest.mark.parametrize("name", ["bear_off_race", "ludo", "dice_race"])
@needs_llvm
def test_bounds_hold_what_is_found_without_folding(name: str) -> None:
    hold_what_is_found(exact_graph(ReferenceMachine(bundled_model(name))))


@needs_llvm
def test_bounds_of_a_larger_game_hold_what_is_found_without_folding() -> None:
    """Its positions are found by a kernel: the reference machine takes long."""
    hold_what_is_found(kernel_graph(native_machine(bundled_model("hypergammon", men=1))))


def hold_what_is_found(graph: PositionGraph) -> None:
    by_hand = ByHand(graph)
    found = bounded(by_hand.folded(), compiled=True)
    assert found.width <= 1e-11
    exact = solve(graph, Limits())
    for position, number in by_hand.numbers.items():
        low, high = found.interval(number)
        payoff, known = exact.payoff(position), exact.bounds(position)
        assert payoff is not None
        if isinstance(exact, ContestSolution):
            assert low <= payoff[0] <= high
        else:
            assert known is not None and low <= known[1] and known[0] <= high


def test_pig_may_go_on_for_ever() -> None:
    """Two who roll once and hold whatever it is may both throw nothing but ones."""
    graph = exact_graph(ReferenceMachine(bundled_model("pig", target=4)))
    with pytest.raises(NotBounded, match="go on for ever"):
        bounded(ByHand(graph).folded())


def ruin(size: int, up: int, down: int) -> tuple[PositionGraph, list[Fraction]]:
    """The gambler's ruin from 1 on, and the probabilities of winning it (Feller, Introduction to probability theory I,
    XIV)."""
    kinds = [*[DRAWS] * (size - 1), PAYS, PAYS - 1]
    targets = [t for k in range(size - 1) for t in (k - 1 if k else size - 1, k + 1 if k + 2 < size else size)]
    firsts = [*range(0, 2 * size - 1, 2), 2 * size - 2, 2 * size - 2]
    amounts = ((Fraction(0),), (Fraction(1),))
    graph = PositionGraph(("A",), kinds, firsts, targets, [down, up] * (size - 1), None, amounts)
    ratio = Fraction(down, up)
    exact = [Fraction(k, size) if ratio == 1 else (1 - ratio**k) / (1 - ratio**size) for k in range(1, size)]
    return graph, exact


@pytest.mark.parametrize(("size", "up", "down"), [(2, 1, 1), (5, 1, 1), (20, 3, 2), (30, 1, 1)])
def test_gamblers_ruin(size: int, up: int, down: int) -> None:
    graph, exact = ruin(size, up, down)
    by_hand = ByHand(graph)
    found = bounded(by_hand.folded(), (1,))
    for position, number in enumerate(exact):
        low, high = found.interval(by_hand.numbers[position])
        assert low <= number <= high and high - low <= 1e-9


def checking(graph: FoldedGraph, values: Sequence[float]) -> Sweeping:
    """The state of a check that these are upper bounds of the first positions, where player 0 wants more."""
    kernels = load(join(kernel.start, kernel.go_on, kernel.conclude), compiled=False)
    names = ("kinds", "draws", "weights", "targets")
    halves = {name: kernels.as_halves(getattr(graph, name)) for name in names}
    bound = {"values": len(graph), "frees": 2}
    work = kernels.new(
        Sweeping, graph={**halves, "firsts": list(graph.firsts)}, upper=bound, lower=bound,
        chosen=graph.lists, stays=len(graph),
    )  # fmt: skip
    work.graph.count, work.graph.lists, work.upper.frees[0] = len(graph), graph.lists, 1
    order = [p for p in range(len(graph)) if graph.kinds[p] > PAYS]
    for end in graph.ends:
        work.upper.values[end] = float(graph.payoff(end)[0])
    for position, value in zip(order, values, strict=True):
        work.upper.values[position] = value
    return work


def staying(outcomes: int) -> FoldedGraph:
    """Ann may go to an end, or to where she is; ``outcomes`` of chance leave her no choice but to end."""
    targets = [-1 - 2 * 1, 0] + [-1 - 2 * 1] * outcomes + [-1]
    amounts = ((Fraction(0),), (Fraction(1),))
    count = 1 + outcomes
    return FoldedGraph(
        ("Ann",), [DRAWS, PAYS - 1], [0, len(targets) - 1, len(targets) - 1], [0, 0], [count] + [1] * count,
        targets, amounts, 2, count, len(targets) - 1, [1],
    )  # fmt: skip


def test_nothing_is_proved_where_plays_may_stay() -> None:
    """From above a bound of 5 would pass all checks but that one: staying there keeps it."""
    with pytest.raises(NotBounded, match="go on for ever"):
        bounded(staying(0), (1,))
    found = bounded(staying(1), (1,))
    assert found.interval(0)[0] <= 1 <= found.interval(0)[1]


@given(st.integers(2, 8), st.integers(0, 7), st.sampled_from((1e-12, 0.01, 1.0)))
def test_a_wrong_bound_does_not_pass(size: int, place: int, by: float) -> None:
    """The check alone: bounds with a little to spare pass it, but not if one of them is lower than those around it
    allow, or so high that these are."""
    graph, exact = ruin(size, 1, 1)
    folded = ByHand(graph).folded()
    place %= len(exact)
    for change, passes in ((0.0, True), (-by, False), (by, len(exact) == 1)):
        work = checking(folded, [float(number) + 1e-13 * k * (size - k) for k, number in enumerate(exact, 1)])
        position = [p for p in range(len(folded)) if folded.kinds[p] > PAYS][place]
        work.upper.values[position] += change
        kernel.turn_to(work, kernel.CHECK)
        while work.left > 0:
            work.left -= 1
            kernel.visit(work, work.left)
        assert (work.removed == 0) == passes


def test_numbers_that_are_too_large_are_refused() -> None:
    graph, _ = ruin(6, 1, 1)
    folded = evolve(ByHand(graph).folded(), amounts=((Fraction(0),), (Fraction(2) ** 501,)))
    with pytest.raises(NotBounded, match="500 bits"):
        bounded(folded, (1,))


@needs_llvm
@given(st.integers(2, 12), st.integers(1, 3), st.integers(1, 3))
def test_machine_code_finds_the_same_bits(size: int, up: int, down: int) -> None:
    folded = ByHand(ruin(size, up, down)[0]).folded()
    plain, compiled = bounded(folded, (1,)), bounded(folded, (1,), compiled=True)
    assert list(plain.lower) == list(compiled.lower)
    assert list(plain.upper) == list(compiled.upper)
    assert plain.sweeps == compiled.sweeps


def test_limits() -> None:
    folded = ByHand(ruin(20, 1, 1)[0]).folded()
    for limits, code in ((Limits(memory=100), "out-of-memory"), (Limits(seconds=0), "out-of-time")):
        with pytest.raises(ZermeloError) as refused:
            folded_bounds(folded, (1,), limits, compiled=False)
        assert refused.value.code == code
