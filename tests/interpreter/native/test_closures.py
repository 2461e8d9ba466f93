"""``reach`` over numbers: all reached numbers must be in the range of the start."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from all_machines import MAKERS

import zermelo
from zermelo.interpreter.machine import END, PlayError

GAME = """
game "Reach"
players A, B
var n: 0..9 = 0
var bound: 0..12 = BOUND
var steps: 0..6 = 0
define near(k: 1..3) = reach x from {n, 2}: {y in {x + k, x - 2} if y >= 0 and y < bound}
start at play(A)
phase play(p: Player):
    if steps == 6: end payoff {A: size(near(2)), B: n}
    turn p:
        move grow(k in 1..3) if n + k < 10 and size(near(k)) > 2:
            n += k
            steps += 1
            go play(other p)
        move jump(to in near(3)):
            n := to
            steps += 1
            go play(other p)
"""


@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize(("bound", "goes_wrong"), [(10, False), (12, True)])
def test_closures_of_numbers(bound: int, goes_wrong: bool, make: Any) -> None:
    game = zermelo.loads(GAME.replace("BOUND", str(bound)))
    machine = make(game.model)
    errors = 0
    for seed in range(12):
        found: list[list[object]] = []
        for each in (game.machine, machine):
            random, seen = Random(seed), list[object]()
            try:
                state = each.initial()
                while each.actor(state) != END:
                    moves = each.moves(state)
                    seen.append(moves)
                    state = each.after(state, random.choice(moves))
                seen.append(each.payoff(state))
            except PlayError as error:
                assert error.code == "assigned-out-of-range"
                seen.append(str(error))
                errors += 1
            found.append(seen)
        assert found[0] == found[1]
    assert (errors > 0) == goes_wrong


def test_a_closure_that_would_never_end_is_an_error_of_the_rules() -> None:
    endless = GAME.replace("{y in {x + k, x - 2} if y >= 0 and y < bound}", "{x + k}").replace("BOUND", "1")
    game = zermelo.loads(endless)
    with pytest.raises(PlayError, match=r"a member of 'reach' is given 1[0-2], but takes only 0\.\.9"):
        game.machine.initial()


@pytest.mark.parametrize("make", MAKERS)
def test_a_domain_that_always_goes_wrong_does_so_when_it_is_asked(make: Any) -> None:
    game = zermelo.loads(GAME.replace("BOUND", "10").replace("to in near(3)", "to in (reach x from {1, 2}: {x + 1})"))
    machine = make(game.model)
    found = []
    for each in (game.machine, machine):
        with pytest.raises(PlayError) as error:
            each.moves(each.initial())
        found.append(str(error.value))
    assert found[0] == found[1]
