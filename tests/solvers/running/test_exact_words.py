"""What the words of the dialect mean over a machine."""

from __future__ import annotations

import pytest

import zermelo
from zermelo.solvers.kernels.dfpn import GROUP
from zermelo.solvers.running.exact_backend import NextStates, place_of


class Counting:
    """A machine that counts the states it makes."""

    def __init__(self, machine):
        self.machine, self.made = machine, 0

    def after(self, state, move):
        self.made += 1
        return self.machine.after(state, move)


@pytest.fixture
def counting():
    return Counting(zermelo.load("nim", heaps=2).machine)


def test_a_state_that_was_looked_at_is_not_made_again(counting):
    initial, behind = counting.machine.initial(), NextStates(counting)
    moves = counting.machine.moves(initial)
    seen = [behind.ahead(initial, move) for move in moves]
    assert [behind.ahead(initial, move) for move in moves] == seen
    assert all(behind.after(initial, move) is there for move, there in zip(moves, seen, strict=True))
    assert counting.made == len(moves)


def test_a_search_that_never_looks_ahead_keeps_nothing(counting):
    state, behind = counting.machine.initial(), NextStates(counting)
    for _ in range(3):
        state = behind.after(state, counting.machine.moves(state)[0])
    assert counting.made == 3
    assert not behind._made


def test_entries_of_a_position_stand_in_a_group_of_their_own():
    assert [place_of(number + 1) - place_of(number) for number in range(3)] == [GROUP] * 3
