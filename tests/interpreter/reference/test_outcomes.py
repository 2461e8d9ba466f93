"""Payoffs at the end."""

from __future__ import annotations

from fractions import Fraction

import pytest

from zermelo.interpreter.machine import PlayError

WIN = """
    game "Win"
    players 1..5 = 3
    start at play
    phase play:
        turn P1:
            move one: end win P1
            move first(n in 1..size(Player)): end win {p in Player if number(p) <= n}
            move nobody: end win {p in Player if number(p) > 9}
            move draw: end draw
            move nothing: end
"""


@pytest.mark.parametrize(
    ("players", "move", "payoff"),
    [
        (1, "one", [1]),
        (2, "one", [1, -1]),
        (3, "one", [1, Fraction(-1, 2), Fraction(-1, 2)]),
        (3, "first(2)", [Fraction(1, 2), Fraction(1, 2), -1]),
        (4, "first(4)", [Fraction(1, 4)] * 4),
        (3, "draw", [0, 0, 0]),
        (3, "nothing", [0, 0, 0]),
    ],
)
def test_winners_share_what_the_others_lose(machine_of, follow, players, move, payoff) -> None:
    machine = machine_of(WIN, players=players)
    assert machine.payoff(follow(machine, move)) == tuple(payoff)


def test_somebody_must_win(machine_of, follow) -> None:
    machine = machine_of(WIN)
    with pytest.raises(PlayError) as caught:
        follow(machine, "nobody")
    assert caught.value.code == "no-payoff"


PAY = """
    game "Pay"
    players A, B
    var who: Player = A
    start at play
    phase play:
        turn A:
            move both(p in Player): end payoff {p: 3, other p: 1/2}
            move pair(p in Player, n in 1..2): end payoff {A: 1, p: n, B: 2}
            move for_some(n in 0..2): end payoff {p: number(p) for p in Player if number(p) <= n}
"""


def test_payoffs_stand_in_the_order_of_the_players(machine_of, follow) -> None:
    machine = machine_of(PAY)
    assert machine.payoff(follow(machine, "both(B)")) == (Fraction(1, 2), 3)
    assert machine.payoff(follow(machine, "for_some(2)")) == (1, 2)
    assert machine.payoff(follow(machine, "pair(A, 1)")) == (1, 2)


@pytest.mark.parametrize(
    ("move", "code", "says"),
    [
        ("pair(A, 2)", "conflicting-payoffs", "A is given two payoffs, 1 and 2"),
        ("for_some(1)", "no-payoff", "B is given no payoff"),
        ("for_some(0)", "no-payoff", "A and B are given no payoff"),
    ],
)
def test_each_player_gets_one_payoff(machine_of, follow, move, code, says) -> None:
    machine = machine_of(PAY)
    with pytest.raises(PlayError) as caught:
        follow(machine, move)
    assert caught.value.code == code
    assert says in caught.value.message
