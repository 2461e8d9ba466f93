"""Moves at once in circles, and before fractions that are too long: the bounds are guaranteed by the mixtures that come
with them, whoever replies."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from random import Random

import pytest
from random_cases import seeds
from random_graphs import Wish, write_graph
from referee.guarantees import guaranteed
from referee.rounds import round_intervals

from zermelo.solvers.common.limits import Limits
from zermelo.solvers.positions import solving
from zermelo.solvers.positions.graph.graph import PAYS, EarnsForEver, NeedsEndless, PositionGraph
from zermelo.solvers.positions.stochastic_cycles.exact_numbers import ExactSolver

ZERO, ONE = Fraction(0), Fraction(1)
DISCOUNTS = (Fraction(1), Fraction(1), Fraction(1, 2), Fraction(9, 10))


def check(graph: PositionGraph, wants: tuple[int, ...]) -> int:
    """Bounds hold the value, and each side is sure of its own; how many sides have been checked."""
    try:
        found = solving.solve(graph, Limits())
    except EarnsForEver:
        return 0
    between = round_intervals(graph, wants, 60)
    known = {}
    for p, interval in enumerate(between):
        payoff, bounds = found.payoff(p), found.bounds(p)
        if interval is not None:
            assert payoff is not None
            known[p] = bounds or (payoff[0], payoff[0])
            assert known[p][0] <= interval[1] and interval[0] <= known[p][1]
    edges = {p: found.best(p)[0] for p in known if found.best(p)}
    mixtures = {
        p: dict(zip(mixed[0].choosers, mixed[1], strict=True))
        for p in known
        if (mixed := found.mixtures(p)) is not None
    }
    checked = 0
    for side in (1, -1):
        sure = guaranteed(graph, wants, side, edges, mixtures)
        if sure is not None:
            checked += 1
            for p, (low, high) in known.items():
                assert sure[p] >= low if side == 1 else sure[p] <= high
    return checked


def wish(random: Random, circles: bool) -> Wish:
    discount = random.choice(DISCOUNTS)
    return Wish(
        aim=random.choice(("against", "against", "common")),
        most=random.randint(1, 4),
        chance=random.random() < 0.4,
        circles=circles,
        rounds=True,
        earns="never" if discount == 1 else random.choice(("never", "anywhere")),
        discount=discount,
        endless=random.choice(("low", "middle", "high")),
    )


@pytest.mark.parametrize("seed", seeds(8))
def test_circles(seed: int) -> None:
    random, checked = Random(seed), 0
    for _ in range(12):
        wanted = wish(random, circles=True)
        checked += check(write_graph(random, wanted), wanted.wants)
    assert checked > 10


@pytest.mark.parametrize("seed", seeds(4))
def test_numbers_with_too_many_digits(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Wherever fractions are too long, there are bounds, with rounds as without."""
    monkeypatch.setattr(solving, "ExactSolver", partial(ExactSolver, digits=0))
    random = Random(seed)
    for _ in range(25):
        wanted = wish(random, circles=random.random() < 0.7)
        check(write_graph(random, wanted), wanted.wants)


def test_what_the_rules_do_not_say_may_not_matter() -> None:
    """Both choose a side; if it is the same, they choose again, else A wins 1. By tossing a coin A is sure of that. It
    does matter if only B has a choice, who may go on for ever."""
    amounts = ((ZERO, ZERO), (ONE, -ONE))
    kinds, firsts = [0, 3, 3, PAYS - 1], [0, 2, 4, 6, 6]
    coins = PositionGraph(("A", "B"), kinds, firsts, [1, 2, 0, 3, 3, 0], None, None, amounts)
    low, high = solving.solve(coins, Limits()).bounds(0) or (ZERO, ZERO)
    assert low <= 1 <= high < low + Fraction(1, 10**6)
    kinds, firsts = [0, 3, PAYS - 1], [0, 1, 3, 3]
    stays = PositionGraph(("A", "B"), kinds, firsts, [1, 0, 2], None, None, amounts)
    with pytest.raises(NeedsEndless):
        solving.solve(stays, Limits())
