"""Which moves are best in circles with chance, against a referee that tries all policies of both sides."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from pathlib import Path
from random import Random

import pytest
from attrs import evolve
from random_cases import seeds
from random_graphs import Wish, write_graph
from referee.positions import count_policies, numbers, response_numbers

from zermelo import load, loads
from zermelo import solve as solve_game
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.positions.graph.graph import PAYS, NeedsEndless, PositionGraph
from zermelo.solvers.positions.solving import ContestValues, solve

TRIAL = Path(__file__).parents[3] / "trial" / "best"

ENOUGH = 300
"""Pairs of policies that are tried for a graph, at most."""


def with_twins(random: Random, graph: PositionGraph) -> PositionGraph:
    """The graph with a twin of some inner positions, to which some of the edges lead instead: so some moves are equal,
    though they do not lead to the same position."""
    inner = [p for p, kind in enumerate(graph.kinds) if kind > PAYS]
    kinds, edges = list(graph.kinds), [list(graph.edges(p)) for p in range(len(graph))]
    twins = {p: len(kinds) + k for k, p in enumerate(random.sample(inner, min(2, len(inner))))}
    for p in twins:
        kinds.append(graph.kinds[p])
        edges.append(edges[p])
    firsts, taken, targets = [0], list[int](), list[int]()
    for position, own in enumerate(edges):
        is_decided = kinds[position] >= 0
        for edge in own:
            target = graph.targets[edge]
            both = [target, twins[target]] if target in twins else [target]
            for there in both if is_decided and random.random() < 0.5 else [random.choice(both)]:
                taken.append(edge)
                targets.append(there)
        firsts.append(len(targets))
    weights = None if graph.weights is None else [graph.weights[edge] for edge in taken]
    rewards = None if graph.rewards is None else [graph.rewards[edge] for edge in taken]
    return evolve(graph, kinds=kinds, firsts=firsts, targets=targets, weights=weights, rewards=rewards)


def drawn(random: Random) -> PositionGraph:
    """A random graph of circles with chance, in which some moves are equal."""
    aim = random.choice(("alone", "against", "against"))
    endless = random.choice(("low", "middle", "middle", "high", "missing"))
    earns = random.choice(("never", "never", "once"))
    wish = Wish(aim=aim, most=random.randint(2, 4), earns=earns, endless=endless)
    return with_twins(random, write_graph(random, wish))


def judged(graph: PositionGraph) -> str:
    """Hold what is best in a graph against what all policies get; what could be told of it."""
    wants = (1, -1)[: len(graph.players)]
    if graph.weights is None or count_policies(graph) > ENOUGH:
        return "not tried"
    try:
        values = solve(graph, Limits())
    except NeedsEndless:
        return "not tried"
    assert isinstance(values, ContestValues)
    right = numbers(graph, wants)
    if None in right:
        return "not tried"
    found = "all that keep the number"
    for side in set(wants):
        own = [p for p, kind in enumerate(graph.kinds) if kind >= 0 and wants[kind] == side]
        seen = graph if graph.endless is not None else evolve(graph, endless=(Fraction(-1000 * side),) * len(wants))
        best, keeping = ([ways(p) for p in own] for ways in (values.best, values.keeping))

        def guarantees(
            choice: tuple[int, ...], own: list[int] = own, side: int = side, seen: PositionGraph = seen
        ) -> bool:
            policy = {p: edge - graph.firsts[p] for p, edge in zip(own, choice, strict=True)}
            return response_numbers(seen, wants, side, policy) == right

        assert all(best), "some move is best wherever a player decides"
        assert all(guarantees(choice) for choice in product(*best)), (graph, side)
        if best != keeping:
            found = "some that do not come out are left out"
            assert not all(guarantees(choice) for choice in product(*keeping)), (graph, side)
    return found


@pytest.mark.parametrize("seed", seeds(60))
def test_best_moves_bring_about_the_number_however_they_are_combined(seed: int) -> None:
    """And if all moves that keep the number do so, all of them are best."""
    judged(drawn(Random(seed)))


def test_equal_branches_are_both_best() -> None:
    """Two moves lead to draws that are alike; both are best, and no note is needed."""
    game = load(TRIAL / "best_one_of_two.game")
    solution = solve_game(game)
    assert [str(move) for move in solution.best] == ["left", "right"]
    assert not any("Worth as much" in note for note in solution.notes)


def test_a_move_that_only_puts_off_the_win_is_named_in_a_note() -> None:
    """To wait keeps the win, but who only waits never wins."""
    game = loads("""
game "Wait"
players Ann
endless draw
start at here
phase here:
    turn Ann:
        move wait: go here
        move left: go draw_lots
        move right: go same
phase draw_lots:
    chance:
        outcome x: go here
        outcome y: end win Ann
phase same:
    chance:
        outcome x: go here
        outcome y: end win Ann
""")
    solution = solve_game(game)
    assert [str(move) for move in solution.best] == ["left", "right"]
    assert any("Worth as much" in note and "wait" in note for note in solution.notes)
