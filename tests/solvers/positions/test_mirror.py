"""Games that are their own mirror, against the referee's numbers of random games, whole and with one change."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest
from attrs import evolve
from random_cases import seeds
from random_graphs import Wish, write_graph
from referee.positions import count_policies, numbers

from zermelo import load, solve
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.positions.answering import is_own_mirror
from zermelo.solvers.positions.graph.graph import DRAWS, PAYS, PositionGraph

ZERO = Fraction(0)


def mirrored_once(random: Random, graph: PositionGraph) -> PositionGraph:
    """A draw of chance between a game and its mirror; sometimes with an edge that leads to another place."""
    size = len(graph)
    amounts = [*graph.amounts, *(amount[::-1] for amount in graph.amounts)]
    kinds, targets, weights, rewards, firsts = [DRAWS], [1, 1 + size], [1, 1], [0, 0], [0, 2]
    for copy in (0, 1):
        for position, kind in enumerate(graph.kinds):
            if kind >= 0:
                kinds.append(1 - kind if copy else kind)
            else:
                kinds.append(kind - copy * len(graph.amounts) if kind <= PAYS else kind)
            edges = list(graph.edges(position))
            random.shuffle(edges)
            for edge in edges:
                targets.append(1 + copy * size + graph.targets[edge])
                weights.append(1 if graph.weights is None else graph.weights[edge])
                rewards.append(0 if graph.rewards is None else graph.rewards[edge] + copy * len(graph.amounts))
            firsts.append(len(targets))
    if random.random() < 0.5:
        targets[random.randrange(2, len(targets))] = random.randrange(1, len(kinds))
    return PositionGraph(
        graph.players, kinds, firsts, targets, weights, rewards, tuple(amounts), graph.discount, graph.endless
    )


@pytest.mark.parametrize("seed", seeds(150))
def test_a_game_that_is_its_own_mirror_is_worth_half(seed: int) -> None:
    random = Random(seed)
    wish = Wish(most=3, earns=random.choice(("never", "once")), discount=random.choice((Fraction(1), Fraction(1, 2))))
    graph = evolve(write_graph(random, wish), endless=(Fraction(1, 2),) * 2)
    doubled = graph if random.random() < 0.2 else mirrored_once(random, graph)
    total = Fraction(1) if graph.discount == 1 else ZERO
    if count_policies(doubled) <= 200 and is_own_mirror(doubled, Limits()):
        assert numbers(doubled, (1, -1))[0] == total / 2


def test_a_draw_between_a_game_and_its_mirror_is_its_own_mirror() -> None:
    graph = PositionGraph(("A", "B"), [0, PAYS, PAYS - 1], [0, 2, 2, 2], [1, 2], None, None, ((ZERO, ZERO), (3, -3)))
    assert not is_own_mirror(graph, Limits())
    assert any(is_own_mirror(mirrored_once(Random(seed), graph), Limits()) for seed in range(4))


def test_what_endless_plays_pay_is_part_of_the_game() -> None:
    """A round that goes on for ever, or ends with a draw, and pays the first player for going on."""
    kinds, targets = [DRAWS, 0, 1, PAYS], [1, 2, 1, 3, 2, 3]
    for endless, expected in (((ZERO, ZERO), True), ((Fraction(1), Fraction(-1)), False)):
        graph = PositionGraph(
            ("A", "B"), kinds, [0, 2, 4, 6, 6], targets, [1] * 6, None, ((ZERO, ZERO),), endless=endless
        )
        assert is_own_mirror(graph, Limits()) is expected


def test_nobody_has_an_advantage_in_oshi_zumo() -> None:
    """Buro, "Solving the Oshi-Zumo game" (2003): all is the same for both. Bounds alone are no exact value."""
    solution = solve(load("oshi_zumo", coins=3, size=1))
    assert solution.value == (0, 0)
    assert solution.exact
    assert any("exchanged" in note for note in solution.notes) or solution.interval is None
