"""Mixed equilibria of more than two players: the reported gains are correct, and known equilibria are found."""

from __future__ import annotations

import os
import signal
import sys
from fractions import Fraction
from itertools import count, product
from math import inf
from multiprocessing import get_all_start_methods
from random import Random

import pytest
from random_cases import seeds

from zermelo.solvers.common import libraries
from zermelo.solvers.common.libraries import SearchFailed, results_until
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.normal_form import approximate_equilibria as approximate
from zermelo.solvers.normal_form.approximate_equilibria import approximate_equilibria, evaluate_profile
from zermelo.solvers.normal_form.normal_form import NormalForm, PureStrategy

HALF, THIRD = Fraction(1, 2), Fraction(1, 3)


def table(counts, payoff):
    """A game of several players from a function of the profile."""
    names = tuple(tuple(PureStrategy(frozenset(), str(k)) for k in range(count)) for count in counts)
    payoffs = [tuple(map(Fraction, payoff(profile))) for profile in product(*map(range, counts))]
    return NormalForm(tuple("ABCD"[: len(counts)]), names, payoffs)


def pennies(profile):
    """Everybody wants to match the next one, except for the last, who wants to differ."""
    a, b, c = profile
    return 1 if a == b else -1, 1 if b == c else -1, -1 if c == a else 1


def bar(profile):
    """Three friends (0 is to go out): alone it is nice, together it is best, and two are a quarrel."""
    guests = profile.count(0)
    stays = 3 if guests == 2 else 1
    return tuple((0, 2, 0, 5)[guests] if own == 0 else stays for own in profile)


def random_table(seed, counts):
    random = Random(seed)
    return table(counts, lambda profile: [random.randint(-9, 9) for _ in profile])


def test_what_a_player_gains_by_leaving_alone():
    game = table((2, 2, 2), pennies)
    even = (HALF, HALF)
    assert evaluate_profile(game, (even, even, even)).is_proved
    found = evaluate_profile(game, (even, (THIRD, 1 - THIRD), even))
    assert found.payoff == (0, 0, 0)
    assert found.gain == THIRD  # A gets 2/3 - 1/3 by always showing what B shows more often
    assert not found.is_proved


@pytest.mark.skipif("fork" not in get_all_start_methods() or sys.platform == "darwin", reason="needs forked processes")
def test_a_search_without_end_is_stopped(monkeypatch):
    """The time is up when the first result has come."""
    time = [0.0]
    monkeypatch.setattr(libraries, "perf_counter", lambda: time[0])

    def search():
        yield 1
        for _ in count():
            pass

    found = []
    for each in results_until(1000, Limits().memory, search):
        found.append(each)
        time[0] = 2000.0
    assert found == [1]
    assert list(results_until(inf, Limits().memory, lambda: iter("ab"))) == ["a", "b"]


def test_a_method_ends_after_so_many_steps(monkeypatch):
    """Not of seconds. None of the three methods fails by that."""
    pytest.importorskip("pygambit")
    monkeypatch.setattr(approximate, "_POINTS", 1)
    monkeypatch.setattr(approximate, "_STEPS", 8)
    monkeypatch.setattr(approximate, "_SUPPORTS", 2)
    assert len(approximate_equilibria(table((2, 2, 2), bar), Limits())) < 3


@pytest.mark.parametrize("end", ["raises", "ends the process"])
def test_what_goes_wrong_in_a_search_is_told_behind_what_was_found(end, capfd):
    if end != "raises" and "fork" not in get_all_start_methods():
        pytest.skip("the search has no process of its own")

    def search():
        yield 1
        if end == "raises":
            raise RuntimeError("the path is lost\nsomewhere")
        os.kill(os.getpid(), signal.SIGKILL)  # which, unlike abort, no handler of pytest reports

    found = []
    with pytest.raises(SearchFailed, match=r"^(RuntimeError: the path is lost|its process ended)$"):
        found.extend(results_until(inf, Limits().memory, search))
    assert capfd.readouterr().err == ""


def test_one_method_that_fails_leaves_the_others(monkeypatch):
    pygambit = pytest.importorskip("pygambit")

    def lost(*arguments, **options):
        raise RuntimeError("the path is lost")

    monkeypatch.setattr(pygambit.nash, "logit_solve", lost)
    (found,) = approximate_equilibria(table((2, 2, 2), pennies), Limits())
    assert found.is_proved


def test_the_only_equilibrium_of_pennies_for_three():
    pytest.importorskip("pygambit")
    (found,) = approximate_equilibria(table((2, 2, 2), pennies), Limits())
    assert found.mixtures == ((HALF, HALF),) * 3
    assert found.is_proved


def test_three_friends():
    """Between four pure equilibria there are three in which two of them mix: 3 - 2 q = 5 q where the third goes out."""
    pytest.importorskip("pygambit")
    mixes, out = (THIRD, 1 - THIRD), (1, 0)
    found = approximate_equilibria(table((2, 2, 2), bar), Limits())
    assert {profile.mixtures for profile in found} == {(mixes, mixes, out), (mixes, out, mixes), (out, mixes, mixes)}


@pytest.mark.parametrize("seed", seeds(4))
def test_profiles_are_as_near_as_is_said(seed):
    pytest.importorskip("pygambit")
    game = random_table(seed, (2, 3, 2))
    for found in approximate_equilibria(game, Limits()):
        assert all(sum(mixture) == 1 and min(mixture) >= 0 for mixture in found.mixtures)
        gains = []
        for player in range(3):
            for own in range(game.counts[player]):
                changed = list(found.mixtures)
                changed[player] = tuple(Fraction(k == own) for k in range(game.counts[player]))
                gains.append(expected(game, changed)[player] - found.payoff[player])
        assert found.payoff == expected(game, found.mixtures)
        assert found.gain == max(gains) < Fraction(1, 10_000)


def expected(game, mixtures):
    payoff = [Fraction(0)] * 3
    for a, b, c in game.profiles():
        weight = mixtures[0][a] * mixtures[1][b] * mixtures[2][c]
        payoff = [sum_ + weight * amount for sum_, amount in zip(payoff, game.payoff((a, b, c)), strict=True)]
    return tuple(payoff)


def test_simple_fractions_are_tried_until_some_are_an_equilibrium():
    """Where both want to meet, for 13 here and for 7 there: 7/20 is no fraction of twelve parts or fewer."""
    meeting = table((2, 2), lambda profile: [(13, 0, 7)[sum(profile)]] * 2)
    found = approximate._profile_near(meeting, ((0.35, 0.65), (0.35, 0.65)))
    assert found.is_proved and found.mixtures == ((Fraction(7, 20), Fraction(13, 20)),) * 2
