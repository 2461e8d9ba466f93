"""The worths of policies, where plays hardly ever leave."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import product

import pytest

from zermelo.solvers.positions.stochastic_cycles.intervals import ball, flint, precision, rational
from zermelo.solvers.positions.stochastic_cycles.policy_iteration import evaluate
from zermelo.solvers.positions.stochastic_cycles.turn_based_game import AWAY, Arena, Number


def walk(size: int, wins: int, costs: int, number: Callable[[Fraction], Number]) -> Arena:
    """A walk that goes back with 9 of 10, waits at the beginning, and ends beyond its other end, where it wins; each
    step costs something."""
    back, on = number(Fraction(9, 10)), number(Fraction(1, 10))
    rows = []
    for p in range(size):
        is_last = p == size - 1
        brings = number(Fraction(costs) + (Fraction(wins, 10) if is_last else 0))
        rows.append([(brings, ((max(0, p - 1), back), (AWAY if is_last else p + 1, on)))])
    return Arena(range(size), [0] * size, rows, [()] * size)


@pytest.mark.parametrize("size", [2, 40])
def test_a_walk_that_ends_after_ages(size: int) -> None:
    """It ends with probability 1, for 40 places after some 10^38 steps. Balls tell how many to their full precision."""
    policy = [0] * size
    wins = evaluate(walk(size, 1, 0, rational), policy, None, None)
    assert wins[:-1] == [1] * size
    # From place k it takes d(k) = 10 + 9 d(k - 1) steps to come one further.
    right = rational(sum((Fraction(10 * (9 ** (k + 1) - 1), 8) for k in range(size)), Fraction(0)))
    assert evaluate(walk(size, 0, 1, rational), policy, None, None)[0] == right
    with precision(64):
        found = evaluate(walk(size, 0, 1, ball), policy, None, None)[0]
        assert found.rel_accuracy_bits() > 50
    with precision(200):
        assert found.contains(flint().arb(right))


def test_a_class_that_is_never_left() -> None:
    """From 0 the play is caught in 1 and 2 with probability 2/3, after 5 have been earned."""
    third, one = rational(Fraction(1, 3)), rational(Fraction(1))
    rows = [
        [(5 * one, ((1, third), (2, third), (AWAY, third)))],
        [(0 * one, ((2, one),))],
        [(0 * one, ((1, one),))],
    ]
    found = evaluate(Arena(range(3), [0] * 3, rows, [()] * 3), [0] * 3, 7 * one, None)
    assert found[:-1] == [rational(5 + Fraction(14, 3)), 7, 7]


def race(length: int) -> Arena:
    """Two men, in turn, go one to three places on, and beyond the last one they win; whoever is met begins again. A
    position is how far the man to move has come, and the other one."""
    place = {pair: p for p, pair in enumerate(product(range(length), repeat=2))}
    share, none, rows = rational(Fraction(1, 3)), rational(Fraction(0)), []
    for mine, theirs in place:
        shares = Counter[int]()
        for on in (mine + step for step in (1, 2, 3)):
            met = length - on == theirs
            shares[AWAY if on >= length else place[0 if met else theirs, on]] += 1
        away = shares.pop(AWAY, 0)
        ways = [(there, share * count) for there, count in shares.items()]
        rows.append([(none + away, (*ways, *([(AWAY, share * away)] if away else [])))])
    return Arena(range(len(rows)), [0] * len(rows), rows, [()] * len(rows))


def test_circles_that_close_at_few_positions_take_few_products() -> None:
    """Only a man who is met goes back, to the beginning. The matrix has 900 rows: in a bad order it fills up."""
    arena, products = race(30), list[int]()
    found = evaluate(arena, [0] * len(arena), None, lambda _, count: products.append(count))
    assert products[-1] < 60_000
    for p, ((brings, shares),) in enumerate(arena.rows):
        assert found[p] == brings + sum(share * found[there] for there, share in shares)
