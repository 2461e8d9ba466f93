from __future__ import annotations

from fractions import Fraction

from zermelo.interpreter.machine import CHANCE
from zermelo.solvers.common.limits import ignore_progress
from zermelo.solvers.search import random_plays as module
from zermelo.solvers.search.random_plays import random_plays

WRITTEN = [0, 1, [1, 2, [CHANCE, (Fraction(1, 2), 3), (Fraction(1, 2), 8)]]]


def play(machine, plays, seed, progress=ignore_progress):
    return random_plays(machine, machine.initial(), plays, seed, progress)


def test_means_are_exact_and_reproducible(tree):
    machine = tree(WRITTEN)
    first = play(machine, 200, seed=1)
    assert first == play(machine, 200, seed=1)
    assert first != play(machine, 200, seed=2)
    assert first.plays == 200
    assert first.unfinished == 0
    assert (first.shortest, first.longest) == (1, 3)
    assert sum(first.mean_payoffs) == 0
    assert first.mean_payoffs[0].denominator in (1, 2, 4, 5, 8, 10, 20, 25, 40, 50, 100, 200)
    assert 1 < first.mean_length < 3


def test_every_legal_move_is_as_likely(tree):
    """One play in two pays 1, one in four 2, one in eight 3 and one in eight 8: 19/8 on average."""
    found = play(tree(WRITTEN), 4000, seed=3)
    assert abs(found.mean_payoffs[0] - Fraction(19, 8)) < Fraction(1, 5)


def test_plays_without_end_are_given_up(toy, monkeypatch):
    monkeypatch.setattr(module, "LONGEST", 50)
    found = play(toy(0, lambda k: (0, {"on": k})), 3, seed=1)
    assert (found.plays, found.unfinished) == (0, 3)
    assert found.mean_payoffs is None
    assert found.mean_length is None


def test_progress(tree):
    seen: list[int] = []
    play(tree(WRITTEN), 3, 1, seen.append)
    assert seen == [1, 2, 3]
