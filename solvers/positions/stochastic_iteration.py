"""Newton's method for stochastic games: numbers v near the value, where one step T of the game gives T(v) = v.

Choose best in every step by v, and evaluate these choices as a Markov chain
(:mod:`zermelo.solvers.positions.policy_evaluation`): Pollatschek and Avi-Itzhak (1969). The steps are computed exactly,
from numbers rounded to a grid, but the chain in doubles: it only corrects numbers by what is wrong with them, again and
again, so that each time adds some fifteen digits, to any precision.

Where that does not halve the greatest T(v) - v, which may happen far from the solution and where T has a kink (van der
Wal 1978), another way is taken from there on: the choices of who wants more are evaluated against the best answers, by
Newton's method again, and improved by what is found (Hoffman and Karp 1966). That comes nearer with every round, from
below.

If players can stay for ever, T has many fixed points. So in each step the play ends with a small probability, for what
an endless play is worth; as that vanishes, the numbers tend to the value (Mertens and Neyman 1981). From there, a last
round of Newton's method goes on without that ending while it still halves T(v) - v.

Nothing here is a proof: :mod:`zermelo.solvers.positions.shapley` proves bounds near v.

Cost: a matrix game for each round in every step of the method, of which there are ten or twenty, and the elimination.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import ceil, floor
from typing import Final

from attrs import define, evolve, field, frozen

from zermelo.grammar.deadline import look
from zermelo.solvers.positions.arena import AWAY, Arena, Row
from zermelo.solvers.positions.policy_evaluation import evaluate
from zermelo.solvers.positions.stochastic_game import Choice, Step, answer, choose

Numbers = dict[int, Fraction]
"""Numbers of positions."""

_STEPS: Final = 300
"""The most steps of either method."""

_CORRECTIONS: Final = 50
"""The most corrections in doubles to evaluate choices once."""


@frozen
class Approximation:
    """Numbers near the value, the choices by them, how far what they bring is from the numbers, and the greatest of
    these amounts."""

    numbers: Numbers
    choices: Mapping[int, Choice]
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
        """Numbers near the value.

        Raises ``ZeroDivisionError`` or ``OverflowError`` if there are probabilities that doubles cannot hold."""
        known = [*self.behind.values(), self.paid]
        start = rounded(sum(known, Fraction(0)) / len(known), self.grid)
        here = self._corrected(self._measured(dict.fromkeys(self.places, start)))
        for _ in range(_STEPS):
            if here.rest <= self.enough:
                break
            here = self._measured(self._answered(here).numbers)
        return here

    def polished(self, here: Approximation) -> Approximation:
        """Numbers near the value, from those in whose steps the play ended; now it does not."""
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
        most = max(wrong.values())
        slack = self._chain(here, {p: float(amount / most) for p, amount in wrong.items()})
        return {p: most * Fraction(slack[p]) for p in self.places}

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
        numbers, rests, rest = here.numbers, here.rests, here.rest
        for _ in range(_CORRECTIONS):
            scaled = {p: float(one / rest) for p, one in rests.items()}
            corrections = self._chain(here, scaled)
            numbers = changed(numbers, {p: rest * Fraction(corrections[p]) for p in self.places}, self.grid)
            known = {**self.behind, **numbers}
            rests = {
                step.position: self._brought(here.choices[step.position].mean(step, known)) - numbers[step.position]
                for step in self.steps
            }
            rest = max(map(abs, rests.values()))
            if rest <= self.enough:
                break
        return numbers

    def _brought(self, number: Fraction) -> Fraction:
        """What a step is worth if the play may end in it."""
        return (1 - self.ending) * number + self.ending * self.paid

    def _measured(self, numbers: Numbers, fixed: Mapping[int, Choice] | None = None) -> Approximation:
        """The choices by some numbers, of both sides or in answer to ``fixed`` ones, and what they bring."""
        look()
        known = {**self.behind, **numbers}
        choices = {
            step.position: choose(step, known) if fixed is None else answer(step, fixed[step.position], known)
            for step in self.steps
        }
        rests = {p: (1 - self.ending) * choices[p].number + self.ending * self.paid - numbers[p] for p in self.places}
        return Approximation(numbers, choices, rests, max(map(abs, rests.values())))

    def _chain(self, here: Approximation, brings: Mapping[int, float]) -> dict[int, float]:
        """What the choices bring until the play leaves, if each position brings so much; 0 where it never leaves."""
        arena = Arena([step.position for step in self.steps], [0] * len(self.steps))
        for step in self.steps:
            arena.edges.append(())
            arena.rows.append([self._row(step, here.choices[step.position], brings[step.position])])
        worths = evaluate(arena, [0] * len(self.steps), 0.0, None)
        return {step.position: worths[place] for place, step in enumerate(self.steps)}

    def _row(self, step: Step, choice: Choice, brings: float) -> Row:
        shares: dict[int, Fraction] = {}
        for chance, (_, factor, there) in zip(choice.chances(), step.ways, strict=True):
            if chance and there in self.places:
                place = self.places[there]
                shares[place] = shares.get(place, Fraction(0)) + chance * factor * (1 - self.ending)
        away = 1 - sum(shares.values())
        row = tuple((place, float(share)) for place, share in shares.items())
        return brings, (*row, (AWAY, float(away))) if away else row


def changed(numbers: Numbers, changes: Mapping[int, Fraction], grid: int, direction: int = 0) -> Numbers:
    """Numbers and what is added to them, on a grid."""
    return {p: rounded(number + changes[p], grid, direction) for p, number in numbers.items()}


def rounded(number: Fraction, grid: int, direction: int = 0) -> Fraction:
    """The multiple of 1 / ``grid`` next to a number: below it (-1), above it (1), or the nearest (0)."""
    scaled = number * grid
    whole = floor(scaled) if direction < 0 else ceil(scaled) if direction > 0 else round(scaled)
    return Fraction(whole, grid)
