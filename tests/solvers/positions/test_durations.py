"""How long plays last: closed forms, and systems of equations of the tests' own."""

from __future__ import annotations

from fractions import Fraction
from math import prod
from unittest.mock import patch

import pytest
from found_graphs import exact_graph
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from random_graphs import Wish, graphs, wishes
from referee.linear_systems import solved as solution_of

import zermelo
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.forms.policy import Duration, Unit
from zermelo.solvers.positions import durations as durations_module
from zermelo.solvers.positions import durations as module
from zermelo.solvers.positions import solving
from zermelo.solvers.positions.durations import durations
from zermelo.solvers.positions.graph.graph import (
    DRAWS,
    PAYS,
    ROOT,
    EarnsForEver,
    NeedsEndless,
    NeedsOneNumber,
    NotEnclosed,
    PositionGraph,
)
from zermelo.solvers.positions.solved_positions import SolvedPositions

ZERO, ONE = Fraction(0), Fraction(1)
AMOUNTS = ((ZERO,), (ONE,))


def twice(number: Fraction | int) -> tuple[Fraction, Fraction]:
    return Fraction(number), Fraction(number)


def at(graph: PositionGraph, position: int = ROOT) -> Duration | None:
    found = durations(solving.solve(graph, Limits()), range(len(graph)), Limits())
    assert found is not None
    return found.at(position)


def gambling(size: int, up: int, down: int) -> PositionGraph:
    """Between 0 and ``size``, in steps of 1, from the middle on; position 0 is the middle."""
    inner = [size // 2, *(k for k in range(1, size) if k != size // 2)]
    number = {amount: p for p, amount in enumerate([*inner, 0, size])}
    targets = [number[amount + step] for amount in inner for step in (1, -1)]
    firsts = [*range(0, 2 * size - 1, 2), 2 * size - 2, 2 * size - 2]
    kinds = [DRAWS] * (size - 1) + [PAYS, PAYS - 1]
    return PositionGraph(("Ann",), kinds, firsts, targets, [up, down] * (size - 1), None, AMOUNTS)


@pytest.mark.parametrize("size", [3, 5, 12, 40])
def test_a_fair_gambler_plays_for_n_times_what_is_missing(size: int) -> None:
    start = size // 2
    assert at(gambling(size, 1, 1)) == Duration(twice(1), twice(start * (size - start)), Unit.DRAWS)


@pytest.mark.parametrize(("up", "down"), [(2, 1), (18, 19)])
def test_an_unfair_gambler(up: int, down: int) -> None:
    """Feller 1950, XIV.3: n / (q - p) - N / (q - p) * (1 - (q/p)^n) / (1 - (q/p)^N)."""
    size, start, p, q = 10, 5, Fraction(up, up + down), Fraction(down, up + down)
    ratio = q / p
    right = start / (q - p) - size / (q - p) * (1 - ratio**start) / (1 - ratio**size)
    found = at(gambling(size, up, down))
    assert found is not None and found.length == twice(right)


@pytest.mark.parametrize("weight", [1, 5, 999])
def test_waiting_for_the_first_success(weight: int) -> None:
    graph = PositionGraph(("Ann",), [DRAWS, PAYS], [0, 2, 2], [0, 1], [weight, 1], None, AMOUNTS)
    assert at(graph) == Duration(twice(1), twice(weight + 1), Unit.DRAWS)


def test_a_play_may_be_lost_in_a_circle() -> None:
    """Of three outcomes one ends the play, one goes on, and one leads where nothing changes any more."""
    graph = PositionGraph(
        ("Ann",), [DRAWS, DRAWS, PAYS], [0, 3, 4, 4], [2, 0, 1, 1], [1, 1, 1, 1], None, AMOUNTS, endless=(ZERO,)
    )
    assert at(graph) == Duration(twice(Fraction(1, 2)), None, Unit.DRAWS)
    assert at(graph, 1) == Duration(twice(0), None, Unit.DRAWS)
    assert at(graph, 2) == Duration(twice(1), twice(0), Unit.DRAWS)


def test_who_wants_to_stay_stays() -> None:
    """One may stop for 1 or stay where chance ends the play, for 0, every other time."""
    graph = PositionGraph(
        ("Ann",), [0, DRAWS, PAYS, PAYS - 1], [0, 2, 4, 4, 4], [3, 1, 0, 2], [1] * 4, None, AMOUNTS, Fraction(1, 2)
    )
    assert at(graph) == Duration(twice(1), twice(1), Unit.MOVES)
    assert at(graph, 1) == Duration(twice(1), twice(Fraction(1, 2)), Unit.MOVES)


def test_snakes_and_ladders_counts_its_throws() -> None:
    """Every throw costs 1, so the value is the mean number of throws."""
    solution = zermelo.solve(zermelo.load("snakes_and_ladders"), "positions")
    assert solution.duration == Duration(twice(1), twice(solution.value[0]), Unit.DRAWS)
    assert round(solution.value[0], 1) == Fraction("39.2")  # Althoen, King and Schilling 1993


def test_a_match_to_two() -> None:
    """A third of the rounds is drawn, and a match of two players alike takes two or three that are not."""
    solution = zermelo.solve(zermelo.load("rock_paper_scissors_match"), "positions")
    assert solution.duration is not None and solution.duration.length is not None
    low, high = solution.duration.length
    assert solution.duration.unit is Unit.ROUNDS
    assert low <= Fraction(15, 4) <= high and high - low < Fraction(1, 10**12)


def plain_chain(solved: SolvedPositions) -> list[dict[int, Fraction] | None]:
    """Where each position leads, by the words: the first best move, mixtures, chance."""
    graph, chain = solved.graph, list[dict[int, Fraction] | None]()
    for position in range(len(graph)):
        shares: dict[int, Fraction] = {}
        if graph.is_within_round(position):
            ways = []
        elif graph.kinds[position] < 0:
            chances = graph.probabilities(position) if graph.kinds[position] == DRAWS else []
            ways = [(graph.targets[e], chance) for e, chance in zip(graph.edges(position), chances, strict=True)]
        elif (mixed := solved.mixtures(position)) is not None:
            round, mixtures = mixed
            ways = [
                (graph.targets[path[-1]], prod((m[k] for m, k in zip(mixtures, choice, strict=True)), start=ONE))
                for path, choice in zip(round.paths, round.choices(), strict=True)
            ]
        else:
            ways = [(graph.targets[edge], ONE) for edge in solved.followed(position)[:1]]
        for target, share in ways:
            shares[target] = shares.get(target, ZERO) + share
        is_known = shares or graph.kinds[position] <= PAYS
        chain.append({target: share for target, share in shares.items() if share} if is_known else None)
    return chain


def reachable(chain: list[dict[int, Fraction] | None], start: int) -> set[int]:
    met, waiting = {start}, [start]
    while waiting:
        for there in chain[waiting.pop()] or ():
            if there not in met:
                met.add(there)
                waiting.append(there)
    return met


def mean(
    chain: list[dict[int, Fraction] | None], among: list[int], brought: dict[int, Fraction]
) -> dict[int, Fraction]:
    """x with x(p) = brought(p) + the mean of x behind p, which is 0 but among some positions."""
    place = {p: k for k, p in enumerate(among)}
    matrix = [[Fraction(p == q) - (chain[p] or {}).get(q, ZERO) for q in among] for p in among]
    found = solution_of(matrix, [brought[p] for p in among])
    assert found is not None
    return {p: found[place[p]] for p in among}


@settings(deadline=None)
@given(wishes(earns="once").flatmap(lambda wish: st.tuples(st.just(wish), graphs(wish))), st.booleans(), st.booleans())
def test_against_a_system_of_equations(
    wished: tuple[Wish, PositionGraph], is_bounded: bool, is_exact_chain: bool
) -> None:
    graph = wished[1]
    try:
        with patch.object(solving, "MOST_EXACT", 0 if is_bounded else solving.MOST_EXACT):
            solved = solving.solve(graph, Limits())
    except (NeedsEndless, EarnsForEver, NeedsOneNumber, NotEnclosed):
        assume(False)
    assume(not solved.tells_distances)
    if is_exact_chain:
        found = durations(solved, range(len(graph)), Limits())
    else:
        assume(max(graph.kinds) < len(graph.players))
        found = durations_module.bound_durations(solved, range(len(graph)), Limits())
    assert found is not None
    chain = plain_chain(solved)
    behind = [reachable(chain, p) for p in range(len(graph))]
    known = [p for p in range(len(graph)) if all(chain[q] is not None for q in behind[p])]
    ends = [p for p in range(len(graph)) if graph.kinds[p] <= PAYS]
    inner = [p for p in known if p not in ends and not behind[p].isdisjoint(ends)]
    chances = mean(chain, inner, {p: sum(((chain[p] or {}).get(e, ZERO) for e in ends), ZERO) for p in inner})
    sure = [p for p in inner if chances[p] == 1]
    is_counted = found.unit is Unit.DRAWS
    lengths = mean(chain, sure, {p: Fraction(is_counted or graph.kinds[p] >= 0) for p in sure})
    for p in range(len(graph)):
        if graph.is_within_round(p):
            continue
        duration = found.at(p)
        if p not in known:
            assert duration is None
            continue
        assert duration is not None
        low, high = duration.ends
        assert low <= chances.get(p, Fraction(p in ends)) <= high
        assert (duration.length is None) == (p not in sure and p not in ends)
        if duration.length is not None:
            low, high = duration.length
            assert low <= lengths.get(p, ZERO) <= high
        is_exact = solved.bounds(ROOT) is None and is_exact_chain
        assert (high == low) if is_exact else (high - low < Fraction(1, 10 ** (20 if is_exact_chain else 6)))


def test_intervals_hold_what_is_exact(monkeypatch: pytest.MonkeyPatch) -> None:
    game = zermelo.load("pig", target=8)
    exact = zermelo.solve(game, "positions").duration
    monkeypatch.setattr(solving, "MOST_EXACT", 0)
    bounded = zermelo.solve(game, "positions").duration
    assert exact is not None and exact.length is not None and bounded is not None and bounded.length is not None
    assert bounded.length[0] < exact.length[0] == exact.length[1] < bounded.length[1]
    assert bounded.length[1] - bounded.length[0] < Fraction(1, 10**20)


@pytest.mark.parametrize("few", [0, 1 << 20])
def test_many_positions_have_bounds_in_floating_point(monkeypatch: pytest.MonkeyPatch, few: int) -> None:
    monkeypatch.setattr(module, "MOST", 5)
    monkeypatch.setattr(durations_module, "_FEW", few)
    found = at(gambling(40, 1, 1))
    assert found is not None and found.length is not None
    low, high = found.length
    assert low <= 400 <= high and high - low < Fraction(1, 10**8)


@pytest.mark.parametrize("most", [0, module.MOST])
def test_the_first_of_the_best_moves_is_made(monkeypatch: pytest.MonkeyPatch, most: int) -> None:
    """Ann may end the play at once, or with a second move and a draw, for the same."""
    monkeypatch.setattr(module, "MOST", most)
    for targets, length in (([3, 1, 2, 3, 3], 1), ([1, 3, 2, 3, 3], 2)):
        graph = PositionGraph(("Ann",), [0, 0, DRAWS, PAYS], [0, 2, 3, 5, 5], targets, [1] * 5, None, AMOUNTS)
        found = at(graph)
        assert found is not None and found.length is not None
        low, high = found.length
        assert low <= length <= high and high - low < Fraction(1, 10**12)


@pytest.mark.parametrize("few", [0, 1 << 20])
def test_of_many_positions_some_may_be_left_for_ever(monkeypatch: pytest.MonkeyPatch, few: int) -> None:
    monkeypatch.setattr(module, "MOST", 0)
    monkeypatch.setattr(durations_module, "_FEW", few)
    graph = PositionGraph(
        ("Ann",),
        [DRAWS, DRAWS, PAYS, DRAWS],
        [0, 3, 4, 4, 6],
        [2, 0, 1, 1, 2, 3],
        [1, 1, 1, 1, 1, 1],
        None,
        AMOUNTS,
        endless=(ZERO,),
    )
    found = [at(graph, position) for position in range(4)]
    assert found[1:] == [
        Duration(twice(0), None, Unit.DRAWS),
        Duration(twice(1), twice(0), Unit.DRAWS),
        found[3],
    ]
    assert found[0] is not None and found[0].length is None
    low, high = found[0].ends
    assert low <= Fraction(1, 2) <= high and high - low < Fraction(1, 10**12)
    assert found[3] is not None and found[3].ends == twice(1) and found[3].length is not None
    low, high = found[3].length
    assert low <= 2 <= high and high - low < Fraction(1, 10**12)


def test_an_end_to_which_all_positions_only_may_come(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST", 0)
    graph = PositionGraph(
        ("Ann",), [DRAWS, DRAWS, PAYS], [0, 2, 3, 3], [2, 1, 1], [1, 4, 1], None, AMOUNTS, endless=(ZERO,)
    )
    found = at(graph)
    assert found is not None and found.length is None
    low, high = found.ends
    assert low <= Fraction(1, 5) <= high and high - low < Fraction(1, 10**12)


def test_weights_beyond_the_kernel_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST", 0)
    graph = PositionGraph(("Ann",), [DRAWS, PAYS], [0, 2, 2], [0, 1], [1 << 40, 1], None, AMOUNTS)
    assert durations(solving.solve(graph, Limits()), [ROOT], Limits()) is None


def test_rounds_among_too_many_positions_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST", 1)
    solution = zermelo.solve(zermelo.load("rock_paper_scissors_match"), "positions")
    assert solution.duration is None and solution.notes[-1].startswith("How long plays take has not been found")


def test_want_of_memory_leaves_it_out() -> None:
    graph = exact_graph(zermelo.load("gamblers_ruin").reference)
    solved = solving.solve(graph, Limits())
    assert durations(solved, [ROOT], Limits(memory=module.POSITION_BYTES)) is None


def test_want_of_time_leaves_it_out() -> None:
    graph = exact_graph(zermelo.load("gamblers_ruin").reference)
    solved = solving.solve(graph, Limits())
    assert durations(solved, [ROOT], Limits(seconds=0)) is None
