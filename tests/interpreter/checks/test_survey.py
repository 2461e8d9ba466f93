from __future__ import annotations

from fractions import Fraction

import pytest
from attrs import evolve

from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.analysis import Fact
from zermelo.interpreter.checks.game_facts import CHECK_EVERY, Facts, survey
from zermelo.interpreter.machine import CHANCE, END, Move

UNKNOWN = Fact(None, "not proved")
NOTHING_KNOWN = Facts(
    ("A", "B"), UNKNOWN, None, UNKNOWN, Fact(True, ""), Fact(False, ""), Fact(True, ""), Fact(True, ""), UNKNOWN
)


def look(machine, positions=10_000, seconds=60.0, progress=None):
    return survey(machine, positions, seconds, progress)


def nim(position):
    mover, heaps = position
    if not any(heaps):
        return END, ((-1, 1) if mover == 0 else (1, -1))
    following = {}
    for k, heap in enumerate(heaps):
        for take in range(1, heap + 1):
            following[f"take({k}, {take})"] = (1 - mover, (*heaps[:k], heap - take, *heaps[k + 1 :]))
    return mover, following


def test_positions_of_nim(toy):
    reached, waiting = set(), [(0, (1, 2, 3))]
    while waiting:
        position = waiting.pop()
        if position not in reached:
            reached.add(position)
            actor, following = nim(position)
            waiting.extend(following.values() if actor != END else ())
    found = look(toy((0, (1, 2, 3)), nim))
    assert found.finished
    assert found.positions == len(reached)
    assert found.terminals == 2
    assert found.longest == 6
    assert found.sums == (0,)
    assert found.loop is None
    assert not found.chance


def test_facts_become_proved(toy):
    known = NOTHING_KNOWN.with_survey(look(toy((0, (1, 1)), nim)))
    assert (known.constant_sum.holds, known.sum) == (True, 0)
    assert known.terminates.holds
    assert known.terminates.how == "all 4 positions have been visited, and none can come back"
    assert known.chance.holds is True  # proved by the rules already
    assert evolve(NOTHING_KNOWN, chance=UNKNOWN).with_survey(look(toy((0, (1, 1)), nim))).chance.holds is False
    assert known.common_payoff.holds is False
    assert known.common_payoff.how == "one play pays (-1, 1)"
    assert known.ends


def loops(position):
    return {
        "a": (0, {"on": "b", "off": "end"}),
        "b": (1, {"on": "c", "off": "end"}),
        "c": (CHANCE, {"back": ("1/2", "b"), "end": ("1/2", "end")}),
        "end": (END, (1, -1)),
    }[position]


def test_loop_is_shown(toy):
    found = look(toy("a", loops))
    assert found.finished
    assert found.positions == 4
    assert found.longest is None
    assert found.chance
    assert str(found.loop) == "after on, on, back lead back to the same position"
    known = NOTHING_KNOWN.with_survey(found)
    assert known.terminates == Fact(False, "after on, on, back lead back to the same position")
    assert known.constant_sum.holds is None  # an infinite play may pay something else


def test_sums_that_differ(toy):
    machine = toy("a", lambda p: {"a": (0, {"l": "x", "r": "y"}), "x": (END, (1, 0)), "y": (END, (2, 2))}[p])
    known = NOTHING_KNOWN.with_survey(look(machine))
    assert known.constant_sum == Fact(False, "one play pays 1 in all and another 4")


def test_what_is_proved_stays(toy):
    proved = evolve(NOTHING_KNOWN, constant_sum=Fact(True, "by the rules"), sum=Fraction(0))
    assert proved.with_survey(look(toy((0, (1, 1)), nim))).constant_sum.how == "by the rules"


def test_limit_of_positions(toy):
    found = look(toy(0, lambda k: (0, {"on": k + 1})), positions=100)
    assert not found.finished
    assert found.stopped == "after 100 positions"
    assert found.positions == 100
    assert found.longest is None
    assert NOTHING_KNOWN.with_survey(found) == NOTHING_KNOWN


def test_limit_of_time_and_progress(toy):
    seen: list[int] = []
    endless = toy(0, lambda k: (0, {"on": k + 1}))
    assert look(endless, seconds=0.0).stopped == "after 0 s"
    look(endless, positions=2 * CHECK_EVERY, progress=seen.append)
    assert seen == [CHECK_EVERY, 2 * CHECK_EVERY]


def test_long_plays_need_no_recursion(toy):
    length = 20_000
    found = look(toy(0, lambda k: (END, (0, 0)) if k == length else (0, {"on": k + 1})), positions=length + 1)
    assert found.longest == length


class Earning:
    """Two paths to one position; the first player earns ``ways[k]`` (and the opponent ``others[k]``) on path k."""

    player_names = ("A", "B")

    def __init__(self, ways, others):
        self.paid = list(zip(ways, others, strict=True))

    def initial(self):
        return ()

    def actor(self, state):
        return END if len(state) == 2 else 0

    def moves(self, state):
        return (Move("0"), Move("1")) if not state else (Move("on"),)

    def after(self, state, move):
        return (*state, move)

    def position(self, state):
        return len(state)

    def earned(self, state):
        return tuple(map(Fraction, self.paid[int(state[0].name)])) if state else (Fraction(0), Fraction(0))

    payoff = earned

    def play(self, state):
        return state


@pytest.mark.parametrize(
    ("ways", "others", "constant", "common"),
    [
        ((1, 3), (-1, -3), True, False),
        ((1, 3), (0, 0), None, False),
        ((1, 3), (1, 3), None, True),
        ((2, 2), (2, 2), True, True),
        ((0, 3), (0, -3), True, None),
    ],
)
def test_earnings_may_depend_on_the_path(ways, others, constant, common):
    known = NOTHING_KNOWN.with_survey(look(Earning(ways, others)))
    assert known.constant_sum.holds is constant
    assert known.common_payoff.holds is common


def test_draws_with_too_many_outcomes(toy):
    class Deal(toy):
        def outcomes(self, state):
            raise ZermeloError("too-many-outcomes", "too many")

    found = look(Deal("a", lambda position: (CHANCE, {})))
    assert found.stopped == "at a draw with too many outcomes to list"


def test_another_sum_is_refuted_only_if_some_play_ends():
    known = evolve(NOTHING_KNOWN, constant_sum=Fact(True, "proved"), sum=Fraction(1))
    assert known.sums_to(1).holds and known.zero_sum.holds is None
    assert evolve(known, ends=True).zero_sum.holds is False
