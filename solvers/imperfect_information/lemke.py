"""One equilibrium of a game of two players with any payoffs, exactly, from its sequence form.

Both players begin with a *prior*: they play every move with some probability. Think of a mixture: with probability λ
the players follow plans x and y, and otherwise the prior. At λ = 0 each player has a best response to the prior. While
λ grows, x remains a best response to the opponent's mixture, and y likewise; at λ = 1 they are best responses to each
other. With the sequence form (:mod:`zermelo.solvers.forms.sequence_form`) this is a path of complementary pivots
(:mod:`zermelo.solvers.linear_programming.complementary_pivoting`) over as many equations as sequences:

- the moves of an information set add up to the sequence that leads there, the empty sequence to λ;
- a sequence loses ``r`` compared with the best one of its information set, and is played only where r is 0.

So x and r of a sequence are a pair. In each information set one sequence is a best response to the prior: its x is
basic at the start, as is the r of every other one. The values of the information sets are eliminated: the value of a
set is what its first best response brings, plus the loss of that.

The path ends, since nothing on it grows for ever. λ is at most 1, so plans are bounded. If losses alone grew, so would
values of information sets, and none would fall; but a sequence has a loss only where it is not played, so the growths,
weighted by what reaches the sets, add up to 0, and by the perturbation something reaches every set.

The equilibrium is *normal-form perfect* (Selten 1975): shortly before the end, and so in the limit, its plans are best
responses to a mixture that plays every move. So no player uses a plan that is weakly dominated. This is about plans: it
says nothing of moves that a player's own plan avoids, and does not make an equilibrium sequential.

Source: von Stengel, van den Elzen and Talman, "Computing normal form perfect equilibria for extensive two-person games"
(2002); Koller, Megiddo and von Stengel, "Efficient computation of equilibria for extensive two-person games" (1996).
Cost: a pivot for each equation as a rule, each of which is a pass over a table of the sequences of both players.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from fractions import Fraction
from typing import Final

from attrs import define, field

from zermelo.interpreter.machine import State
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.common.rationals import over_one_denominator
from zermelo.solvers.forms.best_response import best_response, check_memory, gradient
from zermelo.solvers.forms.sequence_form import SequenceForm, Sequences, plan_of
from zermelo.solvers.forms.sequence_form import sequence_form as form_of
from zermelo.solvers.forms.strategy import strategies
from zermelo.solvers.linear_programming.complementary_pivoting import GO, STOP, Equation, follow
from zermelo.solvers.solution import Answer, Problem
from zermelo.solvers.tree_building.building import tree_of

Linear = dict[int, int]
"""A linear form: factors of variables, and of 1."""

ONE: Final = -3
"""The constant of a linear form, as if it were a variable."""


@define(eq=False)
class _Side:
    """A player: their ``sequences``, the number of the ``first`` pair of variables, that of sequence 1, and of each
    information set the ``best`` sequence against the prior. ``weights`` are the plan, by what is 0 at the start."""

    sequences: Sequences
    first: int
    best: list[int]
    weights: list[Linear] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.weights = [{GO: 1}]
        own = self.sequences
        for i, parent in enumerate(own.parents):
            options = range(own.firsts[i], own.firsts[i + 1])
            others = [sequence for sequence in options if sequence != self.best[i]]
            rest = dict(self.weights[parent])
            for sequence in others:
                rest[self.played(sequence)] = -1
            self.weights += [rest if sequence == self.best[i] else {self.played(sequence): 1} for sequence in options]

    def basic(self, sequence: int) -> int:
        """The variable of a sequence that is basic at the start: its weight if it is a best response, else its loss."""
        return 2 * (self.first + sequence - 1)

    def played(self, sequence: int) -> int:
        """The variable for the weight of a sequence that is no best response to the prior."""
        return self.basic(sequence) + 1

    def lost(self, sequence: int) -> int:
        """The variable for the loss of one that is."""
        return self.basic(sequence) + 1

    def equations(self, values: Sequence[Linear]) -> list[Equation]:
        """The equations of all sequences but the empty one; ``values``: what they bring at their leaves."""
        own = self.sequences
        made: dict[int, Equation] = {}
        behind: list[Linear] = [defaultdict(int) for _ in range(len(own))]  # what the sets after a sequence are worth
        for i in reversed(range(len(own.parents))):
            best = self.best[i]
            worth = _sum((1, values[best]), (1, behind[best]), (1, {self.lost(best): 1}))
            for sequence in range(own.firsts[i], own.firsts[i + 1]):
                loss = _sum((1, worth), (-1, values[sequence]), (-1, behind[sequence]))
                known = self.weights[best] if sequence == best else loss
                made[sequence] = _equation(self.basic(sequence), known)
            behind[own.parents[i]] = _sum((1, behind[own.parents[i]]), (1, worth))
        return [made[sequence] for sequence in range(1, len(own))]

    def plan(self, found: dict[int, Fraction]) -> list[Fraction]:
        """The plan at the end of the path."""
        bests = set(self.best)
        weights = (self.basic(s) if s in bests else self.played(s) for s in range(1, len(self.sequences)))
        return [Fraction(1), *(found.get(variable, Fraction(0)) for variable in weights)]


def _sum(*terms: tuple[int, Linear]) -> Linear:
    total: Linear = defaultdict(int)
    for factor, form in terms:
        for variable, amount in form.items():
            total[variable] += factor * amount
    return total


def _equation(basic: int, known: Linear) -> Equation:
    """The equation of a variable that is equal to a linear form."""
    entries = {variable: -factor for variable, factor in known.items() if factor and variable != ONE}
    return Equation(basic, 1, entries, known.get(ONE, 0))


def _values(form: SequenceForm, player: int, other: _Side, prior: Sequence[Fraction]) -> list[Linear]:
    """What each sequence of a player brings at its leaves, against the mixture of the other's plan and prior; in parts
    of a unit."""
    parts, whole = over_one_denominator(prior)
    values: list[Linear] = [defaultdict(int) for _ in range(len(form.players[player]))]
    for own, theirs, payoff in zip(form.leaves[player], form.leaves[1 - player], form.payoffs[player], strict=True):
        if payoff:
            value = values[own]
            value[ONE] += payoff * parts[theirs]
            value[GO] -= payoff * parts[theirs]
            for variable, factor in other.weights[theirs].items():
                value[variable] += payoff * whole * factor
    return values


def _best_to(form: SequenceForm, player: int, priors: Sequence[Sequence[Fraction]]) -> list[int]:
    """For each information set of a player the first best sequence against the prior."""
    values, _ = gradient(form, player, priors)
    own = form.players[player]
    best = [0] * len(own.parents)
    for i in reversed(range(len(best))):
        best[i] = max(range(own.firsts[i], own.firsts[i + 1]), key=values.__getitem__)
        values[own.parents[i]] += values[best[i]]
    return best


def _uniform_plan(sequences: Sequences) -> list[Fraction]:
    """The plan that plays all moves of an information set equally often."""
    strategy = [Fraction(1)] * len(sequences)
    for first, end in zip(sequences.firsts, sequences.firsts[1:], strict=False):
        strategy[first:end] = [Fraction(1, end - first)] * (end - first)
    return plan_of(sequences, strategy)


def perfect_equilibrium(form: SequenceForm, limits: Limits) -> tuple[tuple[list[Fraction], list[Fraction]], int]:
    """The plans of a normal-form perfect equilibrium of a game of two players, and the number of pivots. The prior
    plays all moves of an information set equally often.

    Raises ``ZermeloError``: ``out-of-time``, ``out-of-memory``."""
    priors = [_uniform_plan(player) for player in form.players]
    mine = _Side(form.players[0], 0, _best_to(form, 0, priors))
    theirs = _Side(form.players[1], len(form.players[0]) - 1, _best_to(form, 1, priors))
    own = mine.equations(_values(form, 0, theirs, priors[1]))
    other = theirs.equations(_values(form, 1, mine, priors[0]))
    found, pivots = follow([*own, *other, Equation(STOP, 1, {GO: 1}, 1)], limits)
    return (mine.plan(found), theirs.plan(found)), pivots


def lemke(problem: Problem[State]) -> Answer:
    """Solve by complementary pivoting over the sequence form. Needs two players, and plays that end."""
    tree = tree_of(problem)
    form = form_of(tree, problem.limits)
    plans, pivots = perfect_equilibrium(form, problem.limits)
    check_memory(form, plans, problem.limits)
    payoff = form.expectation(plans)
    for player, amount in enumerate(payoff):
        most, _ = best_response(form, player, plans)
        assert most == amount, f"player {player} gains {most - amount} by another strategy"
    return Answer(
        value=payoff,
        best=(),
        line=(),
        counts={
            "nodes": tree.histories,
            "information sets": len(tree.information_sets),
            "sequences": sum(map(len, form.players)),
            "pivots": pivots,
        },
        alternatives=None,
        notes=(
            "It is proved that nobody gains by another strategy, and nobody uses one that is weakly dominated; there "
            "may be other equilibria. Whether it is sequential was not examined.",
        ),
        strategies=strategies(tree, form, plans),
    )
