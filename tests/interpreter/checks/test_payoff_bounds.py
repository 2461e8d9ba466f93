from __future__ import annotations

from random import Random

import pytest
from written_games import model_of

import zermelo
from zermelo.interpreter.checks.proving import facts
from zermelo.interpreter.machine import CHANCE, END

LONGEST = 1_000
"""The most moves of a play: some games go round, and never end."""

GAME = """
    game "Test"
    players A, B
    {rest}
    var pot: 0..9 = 0
    start at play(A)
    phase play(p: Player):
        turn p:
            move stop:
                {end}
"""


def bounds_of(end, rest=""):
    return facts(model_of(GAME.format(end=end, rest=rest))).bounds


def test_a_win_pays_between_minus_1_and_1():
    assert bounds_of("end win p") == ((-1, 1), (-1, 1))


def test_amounts_are_as_large_as_their_types():
    assert bounds_of("end payoff {A: pot + 1, B: 2 * pot}") == ((1, 10), (0, 18))


def test_who_gets_an_amount_may_be_anybody():
    assert bounds_of("end payoff {p: pot, other p: 12}") == ((0, 12), (0, 12))


def test_what_bounds_one_bounds_the_other():
    assert bounds_of("end payoff {A: 3, B: -pot + pot - 3}") == ((3, 3), (-3, -3))


def test_the_discount_shrinks_payoffs():
    assert bounds_of("end payoff {A: pot + 1, B: 4}", "discount 1/2") == ((0, 10), (0, 4))


def test_what_is_earned_has_no_bounds():
    assert bounds_of("end win p", "action bonus: earn A: 1")[0] == (-1, 1)
    game = GAME.format(end="earn A: 1\n                end win p", rest="")
    assert facts(model_of(game)).bounds == (None, None)


@pytest.mark.parametrize("name", sorted(set(zermelo.games()) - {"chess", "go", "checkers", "backgammon", "pig"}))
def test_random_plays_stay_within_the_bounds(name):
    game = zermelo.load(name)
    bounds = facts(game.model).bounds
    random = Random(1)
    machine = game.machine
    for _ in range(5):
        state = machine.initial()
        for _ in range(LONGEST):
            if (actor := machine.actor(state)) == END:
                for amount, known in zip(machine.payoff(state), bounds, strict=True):
                    assert known is None or known[0] <= amount <= known[1]
                break
            moves = machine.moves(state)
            state = machine.after(state, machine.draw(state, random) if actor == CHANCE else random.choice(moves))
