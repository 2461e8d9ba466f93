"""Newton's method for stochastic games: numbers v near the value, where one step T of the game gives T(v) = v.

Choose best in every step by v, and evaluate these choices as a Markov chain
(:mod:`zermelo.solvers.positions.rounds.dense_chain`): Pollatschek and Avi-Itzhak (1969). The steps are computed
exactly, from numbers rounded to a grid, but the chain in doubles: it only corrects numbers by what is wrong with them,
again and again, so that each time adds some fifteen digits, to any precision.

That goes on while it halves the greatest T(v) - v. Where it stops sooner, which may happen far from the solution and
where T has a kink (van der Wal 1978), the choices of who wants more are evaluated against the best answers, by Newton's
method for that, and those by what is found take their place (Hoffman and Karp 1966): that comes nearer with every
round, from below. After each, Newton's method is tried again.

If players can stay for ever, T has many fixed points. So in each step the play ends with a small probability, for what
an endless play is worth; as that vanishes, the numbers tend to the value (Mertens and Neyman 1981). The probability is
made smaller by and by, since each solution is a good start for the next one. From there, a last round of Newton's
method goes on without that ending while it still halves T(v) - v. Mostly such a round would have done from the
beginning, but where T has other fixed points it may lead to one of those.

Nothing here is a proof: :mod:`zermelo.solvers.positions.rounds.shapley` proves bounds near v.

Cost: a matrix game for each round in every step of the method, of which there are ten or twenty, or some for each
ending; and eliminations. Components of 100 rounds, three by three, take a second or two, of 300 three to forty seconds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import ceil, floor
from typing import Final

from attrs import define, evolve, field, frozen

from zermelo.grammar.deadline import look
from zermelo.solvers.positions.rounds.dense_chain import DenseChain
from zermelo.solvers.positions.rounds.stochastic_game import Mixing, Step, answer, choose

Numbers = dict[int, Fraction]
"""Numbers of positions."""

_STEPS: Final = 100
"""The most steps of either method."""

_PARTS: Final = 1 << 10
"""Numbers for endings that are too probable are corrected up to the probability of the ending, over this."""

_LESS: Final = Fraction(1, 16)
"""By what the probability of an ending is multiplied from one to the next."""

_CORRECTIONS: Final = 20
"""The most corrections in doubles to evaluate choices once."""


@frozen
class Approximation:
    """Numbers near the value, the choices by them, how far what they bring is from the numbers, and the greatest of
    these amounts."""

    numbers: Numbers
    choices: Mapping[int, Mixing]
    rests: Numbers
    rest: Fraction


@define(eq=False)
class StochasticIteration:
    """The method for the ``steps`` of a component; ``behind`` has the numbers of the positions behind it. In each step
    the play ends with the probability ``ending``, and ``paid`` is paid. Numbers are multiples of 1 / ``grid``, and
    nothing less than ``enough`` is corrected."""

    steps: Sequence[Step]
    behind: Mapping[int, Fraction]
    paid: Fraction
    ending: Fraction
    grid: int
    enough: Fraction
    places: dict[int, int] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.places = {step.position: place for place, step in enumerate(self.steps)}

    def approximation(self) -> Approximation:
        """Numbers near the value: for endings that are less and less probable, each from the last one.

        Raises ``OverflowError`` or ``ValueError`` if there are probabilities that doubles cannot hold."""
        here, ending = self.beginning(), Fraction(1, 2)
        while self.ending < ending and self.ending:
            sooner = evolve(self, ending=ending, enough=max(self.enough, ending / _PARTS))
            here = sooner._approached(sooner._measured(here.numbers))
            ending *= _LESS
        return self._approached(self._measured(here.numbers))

    def beginning(self) -> Approximation:
        """The mean of all that is known, everywhere."""
        known = [*self.behind.values(), self.paid]
        start = rounded(sum(known, Fraction(0)) / len(known), self.grid)
        return self._measured(dict.fromkeys(self.places, start))

    def _approached(self, here: Approximation) -> Approximation:
        """Numbers near the value for this ending, from others."""
        for _ in range(_STEPS):
            there = self._corrected(here)
            if there.rest <= self.enough:
                return there
            here = self._measured(self._answered(here).numbers)
        return here

    def polished(self, here: Approximation) -> Approximation:
        """Numbers nearer to the value, by Newton's method for steps in which the play does not end."""
        without = evolve(self, ending=Fraction(0))
        return without._corrected(without._measured(here.numbers))

    def slack(self, here: Approximation, doubts: Mapping[int, Fraction]) -> Numbers:
        """What is still wrong comes to so much in the rest of a play, whatever its signs: rounding, and what numbers of
        positions behind may be wrong by, included."""
        wrong = {}
        for step in self.steps:
            p, choice = step.position, here.choices[step.position]
            ways = zip(choice.chances(), step.ways, strict=True)
            outside = sum((chance * factor * doubts.get(there, 0) for chance, (_, factor, there) in ways), Fraction(0))
            wrong[p] = abs(choice.number - here.numbers[p]) + outside + Fraction(1, self.grid)
        return self._brings(self._chain(here), wrong)

    def _corrected(self, here: Approximation) -> Approximation:
        """Newton's method, as long as it halves what is wrong."""
        for _ in range(_STEPS):
            if here.rest <= self.enough:
                break
            there = self._measured(self._evaluated(here))
            if 2 * there.rest > here.rest:
                break
            here = there
        return here

    def _answered(self, here: Approximation) -> Approximation:
        """What the choices of who wants more are worth if the other player answers best: Newton's method for that."""
        fixed = here.choices
        here = self._measured(here.numbers, fixed)
        for _ in range(_STEPS):
            if here.rest <= self.enough:
                break
            here = self._measured(self._evaluated(here), fixed)
        return here

    def _evaluated(self, here: Approximation) -> Numbers:
        """What the choices are worth: what is wrong with their numbers is found exactly, and corrected in doubles."""
        numbers, rests, chain = here.numbers, here.rests, self._chain(here)
        for _ in range(_CORRECTIONS):
            numbers = changed(numbers, self._brings(chain, rests), self.grid)
            known = {**self.behind, **numbers}
            rests = {
                step.position: self._brought(here.choices[step.position].mean(step, known)) - numbers[step.position]
                for step in self.steps
            }
            if max(map(abs, rests.values())) <= self.enough:
                break
        return numbers

    def _brought(self, number: Fraction) -> Fraction:
        """What a step is worth if the play may end in it."""
        return (1 - self.ending) * number + self.ending * self.paid

    def _measured(self, numbers: Numbers, fixed: Mapping[int, Mixing] | None = None) -> Approximation:
        """The choices by some numbers, of both sides or in answer to ``fixed`` ones, and what they bring."""
        look()
        known = {**self.behind, **numbers}
        choices = {
            step.position: choose(step, known) if fixed is None else answer(step, fixed[step.position], known)
            for step in self.steps
        }
        rests = {p: (1 - self.ending) * choices[p].number + self.ending * self.paid - numbers[p] for p in self.places}
        return Approximation(numbers, choices, rests, max(map(abs, rests.values())))

    def _chain(self, here: Approximation) -> DenseChain:
        """The chain of the choices. No probability is found by subtraction, so that small ones are precise."""
        stays, shares, leaving = float(1 - self.ending), list[dict[int, float]](), list[float]()
        for step in self.steps:
            row, away = dict[int, float](), float(self.ending)
            for chance, (_, factor, there) in zip(here.choices[step.position].chances(), step.ways, strict=True):
                if not chance:
                    continue
                share = stays * float(chance * factor)
                if there in self.places:
                    row[self.places[there]] = row.get(self.places[there], 0.0) + share
                else:
                    away += share
                away += stays * float(chance * (1 - factor))
            shares.append(row)
            leaving.append(away)
        return DenseChain(shares, leaving)

    def _brings(self, chain: DenseChain, amounts: Mapping[int, Fraction]) -> Numbers:
        """What a chain brings in the rest of a play, if each position brings so much."""
        most = max(map(abs, amounts.values()))
        found = chain.brought([float(amounts[step.position] / most) for step in self.steps])
        return {step.position: most * Fraction(amount) for step, amount in zip(self.steps, found, strict=True)}


def changed(numbers: Numbers, changes: Mapping[int, Fraction], grid: int, direction: int = 0) -> Numbers:
    """Numbers and what is added to them, on a grid."""
    return {p: rounded(number + changes[p], grid, direction) for p, number in numbers.items()}


def rounded(number: Fraction, grid: int, direction: int = 0) -> Fraction:
    """The multiple of 1 / ``grid`` next to a number: below it (-1), above it (1), or the nearest (0)."""
    scaled = number * grid
    whole = floor(scaled) if direction < 0 else ceil(scaled) if direction > 0 else round(scaled)
    return Fraction(whole, grid)
