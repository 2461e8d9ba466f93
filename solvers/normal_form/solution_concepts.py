"""Solution concepts of normal forms: equilibrium, dominance, efficiency, maximin.

* A *Nash equilibrium* is a profile from which nobody gains by a unilateral deviation (Nash 1950); it is *strict* if
  everybody loses by one.
* A strategy is *strictly dominated* if another one, or a mixture, pays more whatever the others do. Strategies are
  eliminated round by round, since some are dominated only after others are gone (Luce and Raiffa 1957); the order makes
  no difference. A strategy is *dominant* if it is better than all others whatever the others do.
* A profile is *Pareto-efficient* if no other pays somebody more and nobody less, nor a lottery over profiles, such as
  mixtures are, on average; its *welfare* is the sum of payoffs.
* A player's *maximin* is the greatest payoff that a mixture guarantees them against all others, even a coalition.

Cost: two visits of every profile; dominance by mixtures, efficiency and maximin are linear programs, solved exactly.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from fractions import Fraction
from itertools import product
from math import lcm
from typing import Final

from attrs import frozen

from zermelo.foundation.deadline import check_deadline
from zermelo.interpreter.machine import Payoff
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.common.numbers import OBJECT_BYTES
from zermelo.solvers.linear_programming.exact_optimum import optimum
from zermelo.solvers.linear_programming.linear_program import LinearProgram, bytes_of_program
from zermelo.solvers.normal_form.normal_form import NormalForm, Profile

_CHECK_EVERY: Final = 256
"""The number of profiles between two checks of the time."""


def pure_equilibria(game: NormalForm) -> list[Profile]:
    """All profiles from which nobody gains by a unilateral deviation. A player's best payoff is computed once for all
    profiles with the same strategies of the others."""
    most: list[dict[Profile, Fraction]] = [{} for _ in _players(game)]
    for profile, payoff in _cells(game):
        for player, against in enumerate(most):
            others = (*profile[:player], *profile[player + 1 :])
            against[others] = max(against.get(others, payoff[player]), payoff[player])
    return [
        profile
        for profile, payoff in _cells(game)
        if all(
            payoff[player] == against[*profile[:player], *profile[player + 1 :]] for player, against in enumerate(most)
        )
    ]


def _cells(game: NormalForm) -> Iterator[tuple[Profile, Payoff]]:
    """All profiles with their payoffs; a deadline ends it."""
    for number, cell in enumerate(zip(game.profiles(), game.payoffs, strict=True)):
        if number % _CHECK_EVERY == 0:
            check_deadline()
        yield cell


def is_strict(game: NormalForm, profile: Profile) -> bool:
    """Whether everybody loses by a unilateral deviation from an equilibrium."""
    check_deadline()
    return all(
        game.payoff(other)[player] < game.payoff(profile)[player]
        for player in _players(game)
        for other in game.instead(profile, player)
        if other != profile
    )


def _players(game: NormalForm) -> range:
    return range(len(game.player_names))


def undominated_payoffs(payoffs: Iterable[Payoff]) -> set[Payoff]:
    """The payoffs to which no other one is preferable: better for somebody and worse for nobody."""
    kept: list[Payoff] = []
    for payoff in sorted(set(payoffs), reverse=True):  # a payoff that dominates another one comes before it
        check_deadline()
        if not any(all(a >= b for a, b in zip(other, payoff, strict=True)) for other in kept):
            kept.append(payoff)
    return set(kept)


def is_efficient(payoff: Payoff, front: Collection[Payoff], limits: Limits) -> bool:
    """Whether no lottery over the profiles of a table pays somebody more than a ``payoff`` of it and nobody less.
    ``front``: the :func:`undominated_payoffs` payoffs of its profiles, since no lottery over others does better.

    It is efficient if no lottery that pays nobody less pays a greater sum."""
    scale = lcm(*{amount.denominator for each in (payoff, *front) for amount in each})
    columns = [[int(amount * scale) for amount in each] for each in sorted(front)]
    wanted = [int(amount * scale) for amount in payoff]
    program = LinearProgram(list(map(sum, columns)), [False] * len(columns))
    program.add([(k, 1) for k in range(len(columns))], 1, True)
    for player, amount in enumerate(wanted):
        program.add([(k, -column[player]) for k, column in enumerate(columns) if column[player]], -amount, False)
    found = optimum(program, limits)
    assert found is not None and found[1], "a bounded linear program, in which the payoff itself is possible"
    return found[0].value(program) == sum(wanted)


@frozen
class Elimination:
    """In round ``round``, from 1, ``strategy`` of ``player`` was dominated."""

    round: int
    player: int
    strategy: int


def eliminate(game: NormalForm, limits: Limits) -> tuple[list[Elimination], tuple[tuple[int, ...], ...]]:
    """Iterated elimination of strictly dominated strategies: the eliminated ones, and each player's remaining ones."""
    left = [list(range(count)) for count in game.counts]
    taken: list[Elimination] = []
    number = 0
    while True:
        number += 1
        found = [
            Elimination(number, player, strategy)
            for player in _players(game)
            for strategy in left[player]
            if len(left[player]) > 1 and _is_dominated(game, left, player, strategy, limits)
        ]
        if not found:
            return taken, tuple(map(tuple, left))
        taken += found
        for gone in found:
            left[gone.player].remove(gone.strategy)


def _payoff_rows(game: NormalForm, left: list[list[int]], player: int) -> dict[int, list[Fraction]]:
    """A player's payoffs by each remaining strategy, for all combinations of the others' remaining strategies."""
    others = list(product(*(kept if p != player else [0] for p, kept in enumerate(left))))
    return {
        own: [game.payoff((*other[:player], own, *other[player + 1 :]))[player] for other in others]
        for own in left[player]
    }


def _is_dominated(game: NormalForm, left: list[list[int]], player: int, strategy: int, limits: Limits) -> bool:
    check_deadline()
    rows = _payoff_rows(game, left, player)
    mine = rows.pop(strategy)
    if any(all(a > b for a, b in zip(other, mine, strict=True)) for other in rows.values()):
        return True
    if any(all(row[k] <= mine[k] for row in rows.values()) for k in range(len(mine))) or len(rows) == 1:
        return False  # it is a best reply somewhere, or the only other strategy does not dominate it
    margin, _ = _maximin_mixture([[a - b for a, b in zip(row, mine, strict=True)] for row in rows.values()], limits)
    return margin > 0


def dominant_strategy(game: NormalForm, player: int) -> int | None:
    """A player's dominant strategy, if there is one."""
    rows = _payoff_rows(game, [list(range(count)) for count in game.counts], player)
    for own, mine in rows.items():
        check_deadline()
        if all(all(a > b for a, b in zip(mine, row, strict=True)) for other, row in rows.items() if other != own):
            return own
    return None


def maximin(game: NormalForm, player: int, limits: Limits) -> tuple[Fraction, list[Fraction]]:
    """The maximin payoff of a player, and a mixture that guarantees it."""
    rows = _payoff_rows(game, [list(range(count)) for count in game.counts], player)
    return _maximin_mixture(list(rows.values()), limits)


def _maximin_mixture(rows: list[list[Fraction]], limits: Limits) -> tuple[Fraction, list[Fraction]]:
    """The greatest amount that a mixture of rows pays in every column, and that mixture."""
    numbers = sum(map(len, rows))
    limits.require(OBJECT_BYTES * numbers, f"a table of {numbers:,} payoffs")
    scale = lcm(*{entry.denominator for row in rows for entry in row})
    program = LinearProgram([0] * len(rows) + [1], [False] * len(rows) + [True])
    program.add([(i, 1) for i in range(len(rows))], 1, True)
    columns = {tuple(int(entry * scale) for entry in column) for column in zip(*rows, strict=True)}
    coefficients = sum(1 + sum(map(bool, column)) for column in columns)
    needed = bytes_of_program(coefficients, len(rows) + len(columns))
    limits.require(needed, f"a linear program of {len(columns):,} rows")
    for column in sorted(columns):
        check_deadline()
        program.add([*((i, -entry) for i, entry in enumerate(column) if entry), (len(rows), 1)], 0, False)
    found = optimum(program, limits)
    assert found is not None and found[1], "a bounded linear program"
    return found[0].x[-1] / scale, found[0].x[:-1]


# Correlated and coarse correlated equilibria, by linear programs solved exactly.
#
# A mediator draws a profile and tells each player their own strategy. The distribution is a *correlated equilibrium* if
# nobody gains by deviating from what they are told (Aumann 1974), and a *coarse* one if nobody gains by committing to a
# strategy beforehand instead (Moulin and Vial 1978); no-regret learning converges to the latter. Both are given by
# linear inequalities, so the one with the greatest welfare solves a linear program, with a column for every profile.


@frozen
class Correlated:
    """Profiles with their probabilities, and the expected payoffs."""

    profiles: dict[Profile, Fraction]
    payoff: Payoff

    @property
    def welfare(self) -> Fraction:
        """The sum of the players' payoffs."""
        return sum(self.payoff, Fraction(0))


def best_correlated(game: NormalForm, is_coarse: bool, limits: Limits) -> Correlated:
    """The correlated equilibrium, or the coarse one, with the greatest welfare."""
    numbers = sum(count if is_coarse else count - 1 for count in game.counts) * len(game.payoffs)
    lines = len(game.payoffs) + sum(count if is_coarse else count * (count - 1) for count in game.counts)
    limits.require(bytes_of_program(numbers, lines), f"a linear program of {len(game.payoffs):,} profiles")
    profiles = list(game.profiles())
    scale = lcm(*{amount.denominator for payoff in game.payoffs for amount in payoff})
    units = [[int(amount * scale) for amount in payoff] for payoff in game.payoffs]
    place = {profile: k for k, profile in enumerate(profiles)}
    program = LinearProgram([sum(amounts) for amounts in units], [False] * len(profiles))
    program.add([(k, 1) for k in range(len(profiles))], 1, True)
    for player, count in enumerate(game.counts):
        for instead in range(count):
            for told in [None] if is_coarse else [own for own in range(count) if own != instead]:
                check_deadline()
                row = []
                for k, profile in enumerate(profiles):
                    if told is None or profile[player] == told:
                        other = place[(*profile[:player], instead, *profile[player + 1 :])]
                        gain = units[other][player] - units[k][player]
                        if gain:
                            row.append((k, gain))
                program.add(row, 0, False)
    found = optimum(program, limits)
    assert found is not None and found[1], "every finite game has a correlated equilibrium"
    drawn = {profiles[k]: weight for k, weight in enumerate(found[0].x) if weight}
    payoff = tuple(
        sum((weight * game.payoff(profile)[player] for profile, weight in drawn.items()), Fraction(0))
        for player in range(len(game.player_names))
    )
    return Correlated(drawn, payoff)
