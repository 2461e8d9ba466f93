"""Mixed equilibria of more than two players, found in floating point by Gambit and checked here in fractions.

With more than two players, equilibria solve equations of higher degree, and their probabilities need not be rational.
Three methods of Gambit find some equilibria; none is sure to find all:

* the *logit* path follows quantal response equilibria, with errors that vanish, to an equilibrium (McKelvey and Palfrey
  1995, Turocy 2005);
* the *global Newton* method starts from a game with bonuses that leave one equilibrium, and follows a path to games
  without bonuses (Govindan and Wilson 2003);
* in small tables, *support enumeration* solves the equations of every set of played strategies (Datta 2010).

Their results are not trusted. Probabilities are rounded to fractions, from which the most that a player gains by a
unilateral deviation is computed exactly and reported with the profile. If it is 0, the profile is a proved equilibrium:
simple fractions, which often are one, are tried first.

Cost: exponential in the worst case, and the last two may not terminate; each method ends after a number of steps, and
equilibria not found by then are left out. Each check visits every profile of pure strategies once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import partial
from math import prod
from typing import Any, Final

from zermelo.solvers.common.libraries import SearchFailed, broken_library, import_library, results_until
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.normal_form.nash import MixedProfile
from zermelo.solvers.normal_form.normal_form import NormalForm

MOST_SEARCHED: Final = 5_000
"""The most profiles of a table that is searched."""

_MOST_FOR_SUPPORTS: Final = 64
"""The most profiles of a table for support enumeration."""

_POINTS: Final = 2_000
"""The most points of a logit path."""

_STEPS: Final = 100_000
"""The most steps of the global Newton method, divided by the number of profiles, to which the cost of a step is
proportional."""

_SUPPORTS: Final = 1_000
"""The most sets of played strategies whose equations are solved."""

_RECTANGLES: Final = 2_000
"""The most boxes of probabilities in which the solutions of one such set are sought."""

_SIMPLE: Final = (12, 1000)
"""Bounds on the denominators of simple fractions."""

_PARTS: Final = 1 << 40
"""The denominator of probabilities if no simple fractions fit."""

_ACCEPTED: Final = Fraction(1, 10**6)
"""The most that a player may gain, relative to the range of payoffs."""

_NEGLIGIBLE: Final = 1e-6
"""Smaller probabilities are taken for 0."""

_MISSING: Final = 0.01
"""The tolerance on sums of probabilities, which rounding makes exact."""

_PURPOSE: Final = "mixed equilibria of more than two players"

_APART: Final = Fraction(1, 10_000)
"""Profiles whose probabilities differ by at most this are identified."""

Weights = list[list[float]]
"""A probability for every strategy of every player."""


def approximate_equilibria(game: NormalForm, limits: Limits) -> list[MixedProfile]:
    """Some equilibria that are not pure, in order of ``gain``, which is at most a millionth of the range of payoffs;
    none if the table is larger than :data:`MOST_SEARCHED`.

    Raises ``ZermeloError`` (``library-missing``)."""
    gambit = import_library("pygambit", _PURPOSE, "gambit", having="StrategicGame")
    numpy = import_library("numpy", _PURPOSE)
    if len(game.payoffs) > MOST_SEARCHED:
        return []
    found: list[MixedProfile] = []
    failures: list[str] = []
    methods = {"logit_solve": _POINTS, "gnm_solve": _STEPS // len(game.payoffs)}
    if len(game.payoffs) <= _MOST_FOR_SUPPORTS:
        methods["enumpoly_solve"] = _SUPPORTS
    for method, steps in methods.items():
        search = partial(_search_by_method, gambit, numpy, game, method, steps)
        try:
            found += (_profile_near(game, weights) for weights in results_until(limits.left, limits.free, search))
        except SearchFailed as error:
            failures.append(str(error))
    if len(failures) == len(methods):
        raise broken_library("pygambit", _PURPOSE, "gambit", failures[0])
    most = _ACCEPTED * (max(map(max, game.payoffs)) - min(map(min, game.payoffs)))
    kept: list[MixedProfile] = []
    for profile in sorted(found, key=lambda profile: profile.gain):
        is_new = all(_distance(profile, other) > _APART for other in kept)
        if is_new and profile.gain <= most and not profile.is_pure:
            kept.append(profile)
    return kept


def _search_by_method(gambit: Any, numpy: Any, game: NormalForm, method: str, most: int) -> Iterator[Weights]:
    """The results of one of Gambit's methods in its first ``most`` steps. Raises ``ValueError`` if these are not
    probabilities, and whatever Gambit raises."""
    columns = zip(*game.payoffs, strict=True)
    arrays = (numpy.array(column, dtype=object).reshape(game.counts) for column in columns)
    table = gambit.StrategicGame.from_arrays(*arrays)
    results: list[Weights] = []
    steps = 0

    def count(event: object) -> None:
        nonlocal steps
        steps += 1
        if steps > most:
            raise StopIteration

    def keep(profile: Any) -> None:
        results.append([[float(chance) for _, chance in profile[player]] for player in table.players])

    search = partial(getattr(gambit.nash, method), table, event_callback=count)
    try:
        match method:
            case "logit_solve":  # which has a single result
                keep(search().equilibrium)
            case "enumpoly_solve":
                search(nash_callback=keep, max_rectangles=_RECTANGLES)
            case _:
                search(nash_callback=keep)
    except RuntimeError:  # which Gambit makes of an exception in a callback
        if steps <= most:
            raise
    for weights in results:
        if tuple(map(len, weights)) != tuple(game.counts) or not all(map(_is_distribution, weights)):
            raise ValueError("the results are not probabilities")
        yield weights


def _is_distribution(weights: Sequence[float]) -> bool:
    """Whether these are probabilities, up to rounding."""
    return all(-_NEGLIGIBLE <= weight <= 2 for weight in weights) and abs(sum(weights) - 1) < _MISSING


def _distance(one: MixedProfile, other: MixedProfile) -> Fraction:
    return max(
        abs(a - b)
        for own, theirs in zip(one.mixtures, other.mixtures, strict=True)
        for a, b in zip(own, theirs, strict=True)
    )


def _profile_near(game: NormalForm, weights: Weights) -> MixedProfile:
    """A profile of simple fractions near these weights that is an equilibrium, or else a closer approximation."""
    for denominator in _SIMPLE:
        simple = tuple(tuple(Fraction(w).limit_denominator(denominator) for w in mixture) for mixture in weights)
        if all(min(mixture) >= 0 and sum(mixture) == 1 for mixture in simple):
            profile = evaluate_profile(game, simple)
            if profile.is_proved:
                return profile
    return evaluate_profile(game, tuple(map(_round_mixture, weights)))


def _round_mixture(mixture: Sequence[float]) -> tuple[Fraction, ...]:
    parts = [round(weight * _PARTS) if weight > _NEGLIGIBLE else 0 for weight in mixture]
    total = sum(parts)
    return tuple(Fraction(count, total) for count in parts)


def evaluate_profile(game: NormalForm, mixtures: Sequence[Sequence[Fraction]]) -> MixedProfile:
    """A profile of mixtures with its exact payoffs and the most that a player would gain by a unilateral deviation."""
    players = range(len(mixtures))
    brings = [[Fraction(0)] * count for count in game.counts]
    for profile, payoff in zip(game.profiles(), game.payoffs, strict=True):
        for player in players:
            chance = prod((mixtures[q][profile[q]] for q in players if q != player), start=Fraction(1))
            if chance:
                brings[player][profile[player]] += chance * payoff[player]
    payoffs = tuple(
        sum((weight * amount for weight, amount in zip(mixture, own, strict=True)), Fraction(0))
        for mixture, own in zip(mixtures, brings, strict=True)
    )
    gain = max(max(own) - payoff for own, payoff in zip(brings, payoffs, strict=True))
    return MixedProfile(tuple(map(tuple, mixtures)), payoffs, gain)
