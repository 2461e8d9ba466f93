"""Estimates of positions by random plays from there to the end (*rollouts*)."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import floor, inf, lcm
from random import Random
from typing import Any, Final, Generic, Protocol

from attrs import define, field, frozen

from zermelo.foundation.deadline import check_deadline
from zermelo.foundation.records import Displayed
from zermelo.interpreter.machine import CHANCE, END, Machine, Payoff, State
from zermelo.interpreter.native.dialect.kernel_source import Hole
from zermelo.interpreter.native.dialect.words import mix
from zermelo.interpreter.native.program import Program
from zermelo.interpreter.native.running.executor import BeyondLimits
from zermelo.interpreter.values import exact
from zermelo.solvers.common import numbers
from zermelo.solvers.common.numbers import Number
from zermelo.solvers.kernels.ranges import ESTIMATE, MOST
from zermelo.solvers.kernels.ranges import INFINITE as NO_BOUND
from zermelo.solvers.solution import Problem

ROLLOUTS: Final = 32
"""Random plays for one estimate."""


@define(eq=False, repr=False)
class Rollouts(Generic[State]):
    """Random plays, which are the same for the same state of ``random`` and order of positions."""

    machine: Machine[State]
    random: Random
    _latest: tuple[State, tuple[int | Fraction, ...]] | None = field(default=None, init=False)

    def means(self, state: State) -> tuple[int | Fraction, ...]:
        """The mean payoff of every player. There are new plays only for another state than the one asked for last."""
        if self._latest is None or self._latest[0] is not state:
            plays = [self._payoff(state) for _ in range(ROLLOUTS)]
            means = tuple(exact(sum(paid, Fraction(0)) / ROLLOUTS) for paid in zip(*plays, strict=True))
            self._latest = state, means
        return self._latest[1]

    def _payoff(self, state: State) -> Payoff:
        check_deadline()
        machine, random = self.machine, self.random
        while (actor := machine.actor(state)) != END:
            move = machine.draw(state, random) if actor == CHANCE else random.choice(machine.moves(state))
            state = machine.after(state, move)
        return machine.payoff(state)


# The numbers of kernels: parts of a unit or exact ones, what does not fit, and random numbers.


# What kernels cannot hold.


NO_HINTS: Final = "random plays, or hints of the file, are not for machine code here"


class BeyondKernel(BeyondLimits):
    """A search has come to a number, a set or a history for which its kernel has no room; the exact backend has."""


def check_range(kernel: str, *values: Number) -> None:
    """Raise :class:`BeyondKernel` if a value is out of range for a kernel
    (:mod:`zermelo.solvers.kernels.ranges`)."""
    most = MOST[kernel]
    if any(not -most <= value <= most for value in values):
        raise BeyondKernel


# The numbers of window searches: whole parts of a unit over lowered rules, or exact numbers.
#
# In whole parts, a window is rounded outwards. Results stay correct: a wider window only tells more.


_MOST: Final = MOST["window"]

_MOVE_BITS: Final = 39
"""What an entry of the table has room for."""

_MOST_HISTORY: Final = 1 << 18

SCOUT: Final = Fraction(1, 1000)
"""The width of a null window of exact numbers. Any width is right; one below the difference of any two values cuts off
most."""


class Reckoning(Protocol):
    """The numbers of a window search. ``step`` is the width of a null window; ``holes`` are those of the window kernel
    that depend on the machine and on the file's hints."""

    @property
    def step(self) -> Fraction: ...
    @property
    def holes(self) -> Mapping[str, Hole]: ...

    def at_most(self, bound: Number) -> Any:
        """The greatest number up to a bound. Raises :class:`BeyondKernel` where there is none."""

    def value(self, number: Any) -> Fraction:
        """What a number stands for."""


@frozen(eq=False, repr=False)
class WholeParts(Displayed):
    """Whole parts, of which there are ``unit`` in 1."""

    unit: int
    holes: Mapping[str, Hole]

    @property
    def step(self) -> Fraction:
        return Fraction(1, self.unit)

    def at_most(self, bound: Number) -> int:
        if bound < -Fraction(_MOST, self.unit):
            return -NO_BOUND
        if bound > Fraction(_MOST, self.unit):
            raise BeyondKernel
        return floor(bound * self.unit)

    def value(self, number: int) -> Fraction:
        return Fraction(number, self.unit)


@frozen(eq=False, repr=False)
class ExactNumbers(Displayed):
    """Numbers of any size."""

    holes: Mapping[str, Hole]
    step: Fraction = SCOUT

    def at_most(self, bound: Number) -> Number:
        return -numbers.INFINITE if bound == -inf else numbers.INFINITE if bound == inf else bound

    def value(self, number: Number) -> Fraction:
        return Fraction(number)


def in_whole_parts(program: Program, problem: Problem[Any], middle: Number) -> WholeParts:
    """The numbers of lowered rules, in which payoffs, estimates and the ``middle`` between two payoffs are whole; that
    is what a position is worth of which nothing is known. Raises :class:`BeyondKernel` for rollouts, for hints that are
    not in the program, and for moves and estimates that are too large."""
    facts, over = problem.facts, program.estimate_denominator
    hints = {"estimate": facts.has_estimate, "unsettled": facts.has_unsettled}
    unit = lcm(2 * program.denominator, over or 1)
    scale = unit // program.denominator
    if program.moves.chosen_bits > _MOVE_BITS or (over is not None and ESTIMATE * (unit // over) > _MOST):
        raise BeyondKernel
    if problem.rollouts or not all(program.has(hint) for hint, is_given in hints.items() if is_given):
        raise BeyondKernel(NO_HINTS)
    estimate = f"estimate(rules, state, 0) * {unit // (over or 1)}"
    unknown = floor(middle * unit) if -_MOST <= middle * unit <= _MOST else 0
    holes: dict[str, Hole] = {
        "STEP": 1, "SCALE": scale, "LARGEST": _MOST // scale, "MOVE_BITS": program.moves.chosen_bits,
        "HISTORY": min(_MOST_HISTORY, len(program.model.players) << program.moves.chosen_bits),
        "REMAKES": int(bool(program.model.history)),
        "worth": estimate if facts.has_estimate else str(unknown),
        "is_unsettled": "unsettled(rules, state)" if facts.has_unsettled else "0",
    }  # fmt: skip
    return WholeParts(unit, holes)


def in_exact_numbers(machine: Machine[Any], problem: Problem[Any], middle: Number) -> ExactNumbers:
    """The numbers of any machine; a position of which nothing is known is worth the ``middle``."""
    from random import Random

    facts, rollouts = problem.facts, Rollouts(machine, Random(problem.seed))

    def unknown(rules: object, state: list[Any]) -> Number:
        return rollouts.means(state[0])[0] if problem.rollouts else middle

    return ExactNumbers({
        "STEP": SCOUT, "SCALE": 1, "LARGEST": inf, "MOVE_BITS": 0, "HISTORY": 0, "REMAKES": 0,
        "worth": "estimate(rules, state, 0)" if facts.has_estimate and not problem.rollouts else unknown,
        "is_unsettled": "unsettled(rules, state)" if facts.has_unsettled else "0",
    })  # fmt: skip


# Random numbers, the same as in kernels.


_STATE: Final = (1 << 53) - 1


@define(eq=False)
class Draws:
    """The generator of random numbers that kernels have: ``drawn`` of
    :mod:`zermelo.interpreter.native.rules.sampling`. The same ``state`` gives the same numbers here and there."""

    state: int

    def below(self, count: int) -> int:
        """A number from 0 to ``count - 1``."""
        self.state = (self.state + 668265263) & _STATE
        bits = mix(mix(self.state, 2654435769), 40503) >> 20
        return (bits * count) >> 43 if count < 1 << 20 else bits % count


def draws(seed: int) -> Draws:
    """The generator of a seed."""
    return Draws(mix(mix(seed, 40503), 668265263) & _STATE)
