"""Mixed equilibria of more than two players: the reported gains are correct, and known equilibria are found."""

from __future__ import annotations

import os
import signal
import sys
from fractions import Fraction
from itertools import count, product
from math import inf, nan
from multiprocessing import get_all_start_methods
from random import Random
from types import SimpleNamespace

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


class Gambit:
    """In place of pygambit: each method finds the profiles in their order, one at each step."""

    def __init__(self, profiles, failure=None):
        self.StrategicGame = self.nash = self
        self.profiles, self.failure, self.methods = profiles, failure, []

    def from_arrays(self, *arrays):
        self.arrays, self.players = arrays, range(len(arrays))
        return self

    def search(self, method, table, event_callback, nash_callback):
        assert table is self
        self.methods.append(method)
        try:
            for weights in self.profiles:
                event_callback(None)
                nash_callback([[(None, weight) for weight in mixture] for mixture in weights])
        except StopIteration as stopped:
            raise RuntimeError("a callback has ended it") from stopped
        if self.failure is not None:
            raise RuntimeError(self.failure)

    def gnm_solve(self, table, event_callback, nash_callback):
        self.search("gnm", table, event_callback, nash_callback)

    def enumpoly_solve(self, table, event_callback, nash_callback, max_rectangles):
        assert max_rectangles > 0
        self.search("enumpoly", table, event_callback, nash_callback)

    def logit_solve(self, table, event_callback):
        found = []
        self.search("logit", table, event_callback, found.append)
        return SimpleNamespace(equilibrium=found[-1])


EVEN = [[0.5, 0.5]] * 3
MIXED = [[1 / 3, 2 / 3], [1 / 3, 2 / 3], [1.0, 0.0]]
NEARLY = [[1 / 3 + 1e-5, 2 / 3 - 1e-5], [1 / 3, 2 / 3], [1.0, 0.0]]
OTHER = [[1 / 3, 2 / 3], [1.0, 0.0], [1 / 3, 2 / 3]]
PURE = [[1.0, 0.0]] * 3


@pytest.mark.parametrize("method", ["gnm_solve", "enumpoly_solve", "logit_solve"])
def test_what_a_method_of_a_library_finds(method):
    numpy, gambit = pytest.importorskip("numpy"), Gambit([OTHER, MIXED])
    found = list(approximate._search_by_method(gambit, numpy, table((2, 2, 2), bar), method, 2))
    assert found == ([MIXED] if method == "logit_solve" else [OTHER, MIXED])
    for profile in product((0, 1), repeat=3):
        assert [array[profile] for array in gambit.arrays] == list(bar(profile))


def test_a_method_is_ended_after_so_many_steps_and_leaves_what_it_has_found():
    numpy, game = pytest.importorskip("numpy"), table((2, 2, 2), bar)
    gambit = Gambit([MIXED, OTHER, PURE])
    assert list(approximate._search_by_method(gambit, numpy, game, "gnm_solve", 2)) == [MIXED, OTHER]
    failing = Gambit([MIXED, OTHER], "the path is lost")
    with pytest.raises(RuntimeError, match="the path is lost"):
        list(approximate._search_by_method(failing, numpy, game, "gnm_solve", 2))


@pytest.mark.parametrize("first", [[1.0], [0.5, 0.5, 0.0], [0.5, 0.6], [1.5, -0.5], [nan, 1.0]])
def test_results_that_are_no_probabilities_are_no_results(first):
    numpy, gambit = pytest.importorskip("numpy"), Gambit([MIXED, [first, *EVEN[1:]]])
    search = approximate._search_by_method(gambit, numpy, table((2, 2, 2), bar), "gnm_solve", 9)
    assert next(search) == MIXED
    with pytest.raises(ValueError, match="not probabilities"):
        next(search)


def test_results_that_differ_by_less_than_can_be_told_are_one(monkeypatch):
    """Pure equilibria and profiles from which somebody gains by leaving are none, and large tables are not searched."""
    pytest.importorskip("numpy")
    gambit, imported = Gambit([PURE, NEARLY, EVEN, MIXED, OTHER]), approximate.import_library

    def import_library(name, *rest, **more):
        return gambit if name == "pygambit" else imported(name, *rest, **more)

    monkeypatch.setattr(approximate, "import_library", import_library)
    monkeypatch.setattr(approximate, "results_until", lambda left, free, search: list(search()))
    found = approximate_equilibria(table((2, 2, 2), bar), Limits())
    third, one = (THIRD, 1 - THIRD), (1, 0)
    assert sorted(profile.mixtures for profile in found) == [(third, third, one), (third, one, third)]
    assert gambit.methods == ["logit", "gnm", "enumpoly"]
    monkeypatch.setattr(approximate, "MOST_SEARCHED", 7)
    assert approximate_equilibria(table((2, 2, 2), bar), Limits()) == []


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
