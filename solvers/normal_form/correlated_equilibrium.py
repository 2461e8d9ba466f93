"""Correlated and coarse correlated equilibria, by linear programs solved exactly.

A mediator draws a profile and tells each player their own strategy. The distribution is a *correlated equilibrium* if
nobody gains by deviating from what they are told (Aumann 1974), and a *coarse* one if nobody gains by committing to a
strategy beforehand instead (Moulin and Vial 1978); no-regret learning converges to the latter. Both are given by linear
inequalities, so the one with the greatest welfare solves a linear program, with a column for every profile.
"""

from __future__ import annotations

from fractions import Fraction
from math import lcm

from attrs import frozen

from zermelo.grammar.deadline import look
from zermelo.interpreter.machine import Payoff
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.linear_programming.exact_optimum import optimum
from zermelo.solvers.linear_programming.linear_program import LinearProgram, bytes_of_program
from zermelo.solvers.normal_form.normal_form import NormalForm, Profile


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
                look()
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
