"""What profiles of a normal form can be: equilibria, dominant, efficient; and what players can be sure of.

* A *Nash equilibrium* is a profile from which nobody gains by leaving alone (Nash 1950); it is *strict* where everybody
  who leaves alone loses.
* A strategy is *strictly dominated* where another one, or a mixture, brings more whatever the others do. Strategies are
  eliminated round by round, since some are dominated only when others are gone (Luce and Raiffa 1957); the order makes
  no difference. A strategy is *dominant* where it is better than all others whatever the others do.
* A profile is *Pareto-efficient* where no other brings somebody more and nobody less; its *welfare* is the sum.
* A player's *maximin* is the most that a mixture secures him, whatever the others do, even together.

Cost: two looks at every profile; mixtures and maximin are linear programs, solved exactly.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product
from math import lcm
from typing import Final

from attrs import frozen

from zermelo.grammar.deadline import look
from zermelo.interpreter.machine import Payoff
from zermelo.solvers.common.columns import OBJECT_BYTES
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.linear_programming.exact_optimum import optimum
from zermelo.solvers.linear_programming.linear_program import LinearProgram, bytes_of_program
from zermelo.solvers.normal_form.normal_form import NormalForm, Profile

_CHECK_EVERY: Final = 256
"""Profiles between two looks at the clock."""


def pure_equilibria(game: NormalForm) -> list[Profile]:
    """All profiles from which nobody gains by leaving alone: in which everybody gets the most that he can get against
    what the others do. For every player that is found once for all profiles in which the others do the same."""
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
    """All profiles with what they bring, as long as the time allows."""
    for number, cell in enumerate(zip(game.profiles(), game.payoffs, strict=True)):
        if number % _CHECK_EVERY == 0:
            look()
        yield cell


def is_strict(game: NormalForm, profile: Profile) -> bool:
    """Whether everybody who leaves an equilibrium alone loses by it."""
    look()
    return all(
        game.payoff(other)[player] < game.payoff(profile)[player]
        for player in _players(game)
        for other in game.instead(profile, player)
        if other != profile
    )


def _players(game: NormalForm) -> range:
    return range(len(game.player_names))


def efficient(payoffs: Sequence[Payoff]) -> set[Payoff]:
    """Those payoffs that no other one betters for somebody at nobody's cost."""
    kept: list[Payoff] = []
    for payoff in sorted(set(payoffs), reverse=True):  # whatever betters a payoff comes before it
        look()
        if not any(all(a >= b for a, b in zip(other, payoff, strict=True)) for other in kept):
            kept.append(payoff)
    return set(kept)


@frozen
class Elimination:
    """In round ``round``, from 1, ``strategy`` of ``player`` was dominated."""

    round: int
    player: int
    strategy: int


def eliminate(game: NormalForm, limits: Limits) -> tuple[list[Elimination], tuple[tuple[int, ...], ...]]:
    """What iterated elimination of strictly dominated strategies takes away, and what it leaves of each player's."""
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


def _rows(game: NormalForm, left: list[list[int]], player: int) -> dict[int, list[Fraction]]:
    """What each strategy that is left brings a player, for every combination of what is left to the others."""
    others = list(product(*(kept if p != player else [0] for p, kept in enumerate(left))))
    return {
        own: [game.payoff((*other[:player], own, *other[player + 1 :]))[player] for other in others]
        for own in left[player]
    }


def _is_dominated(game: NormalForm, left: list[list[int]], player: int, strategy: int, limits: Limits) -> bool:
    look()
    rows = _rows(game, left, player)
    mine = rows.pop(strategy)
    if any(all(a > b for a, b in zip(other, mine, strict=True)) for other in rows.values()):
        return True
    if any(all(row[k] <= mine[k] for row in rows.values()) for k in range(len(mine))) or len(rows) == 1:
        return False  # somewhere it is as good as any, or only one other is left, which does not dominate it
    margin, _ = _guaranteed([[a - b for a, b in zip(row, mine, strict=True)] for row in rows.values()], limits)
    return margin > 0


def dominant(game: NormalForm, player: int) -> int | None:
    """The strategy that is strictly better than every other whatever the others do, if there is one."""
    rows = _rows(game, [list(range(count)) for count in game.counts], player)
    for own, mine in rows.items():
        look()
        if all(all(a > b for a, b in zip(mine, row, strict=True)) for other, row in rows.items() if other != own):
            return own
    return None


def maximin(game: NormalForm, player: int, limits: Limits) -> tuple[Fraction, list[Fraction]]:
    """The most that a player can secure, and a mixture that does."""
    rows = _rows(game, [list(range(count)) for count in game.counts], player)
    return _guaranteed(list(rows.values()), limits)


def _guaranteed(rows: list[list[Fraction]], limits: Limits) -> tuple[Fraction, list[Fraction]]:
    """The mixture of rows whose least entry is largest, and that entry."""
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
        look()
        program.add([*((i, -entry) for i, entry in enumerate(column) if entry), (len(rows), 1)], 0, False)
    found = optimum(program, limits)
    assert found is not None and found[1], "mixtures of rows have a best guarantee"
    return found[0].x[-1] / scale, found[0].x[:-1]
