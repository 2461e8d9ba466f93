"""Sampling an outcome of chance with its exact probability, without listing all outcomes.

The method is rejection sampling (von Neumann 1951; Devroye, Non-Uniform Random Variate Generation, 1986, II.3). The
parameters x1, ..., xn of an outcome are drawn in turn, each uniformly from its domain D_i, which may depend on the
earlier ones. So a binding is proposed with probability 1 / (|D_1| ... |D_n|), which varies with the sizes. Let M_i be
an upper bound of |D_i|: accepting with probability (|D_1| ... |D_n|) / (M_1 ... M_n) gives each binding the same
probability 1 / (M_1 ... M_n). A binding that fails a guard is rejected; one of weight w, with w_max an upper bound of
the weights, is accepted with probability w / w_max. Of several clauses one is drawn first, in proportion to
M_1 ... M_n * w_max. After a rejection everything is drawn anew.

This is integer arithmetic, so the distribution is exact. The expected number of trials is the inverse of the acceptance
rate, so bounds must be close. A domain without earlier parameters has a known size; the others are bounded by their
structure: ``subsets(Card - h, 4)``, where h is a set of 4 cards, chooses from exactly 28
(:mod:`zermelo.interpreter.evaluation.set_sizes`), so that deals are never rejected.
"""

from __future__ import annotations

from fractions import Fraction
from math import prod
from random import Random
from typing import Final

from zermelo.interpreter.errors import EvaluationError
from zermelo.interpreter.evaluation.context import Compiles, Context, Frame
from zermelo.interpreter.evaluation.rules import CompiledRule
from zermelo.interpreter.evaluation.set_sizes import SizeBounds, size_bounds
from zermelo.interpreter.machine import Move
from zermelo.interpreter.model.rewriting import free_slots
from zermelo.interpreter.reference.decisions import CompiledChance
from zermelo.interpreter.types import NumberType, strip_none
from zermelo.interpreter.values import Value
from zermelo.interpreter.weighted_choice import weighted_choice

_MOST_TRIES: Final = 1_000_000
"""The most trials of one draw."""


class RejectionSampler:
    """Samples outcomes of one chance decision."""

    def __init__(self, chance: CompiledChance, compiler: Compiles) -> None:
        self._rules = [_Envelope(rule, compiler) for rule in chance.rules]

    def candidates(self, context: Context, frame: Frame) -> SizeBounds:
        """Bounds of the number of bindings, before guards; None: unknown."""
        bounds = [envelope.candidates(context, frame) for envelope in self._rules]
        highs = [high for _, high in bounds if high is not None]
        return sum(low for low, _ in bounds), sum(highs) if len(highs) == len(bounds) else None

    def draw(self, context: Context, frame: Frame, random: Random) -> Move | None:
        """An outcome; None if no trial was accepted, or no bound is known. Writes to the frame."""
        envelopes = []
        for envelope in self._rules:
            _, most = envelope.candidates(context, frame)
            heaviest = envelope.heaviest(context, frame)
            if most is None or heaviest is None:
                return None
            envelopes.append((envelope, most, heaviest))
        shares = [most * heaviest for _, most, heaviest in envelopes]
        for _ in range(_MOST_TRIES):
            envelope, most, heaviest = envelopes[weighted_choice(shares, random)]
            move = envelope.try_once(context, frame, most, heaviest, random)
            if move is not None:
                return move
        return None


class _Envelope:
    """A clause, with the bounds for its acceptance test."""

    def __init__(self, rule: CompiledRule, compiler: Compiles) -> None:
        parameters = rule.model.parameters
        self._rule = rule
        self._sizes = [
            size_bounds(compiler, parameter.domain, {earlier.slot: earlier.domain for earlier in parameters[:k]})
            for k, parameter in enumerate(parameters)
        ]
        weight = rule.model.weight if rule.model.probability is None else rule.model.probability
        own = {parameter.slot for parameter in parameters}
        self._is_uniform = weight is None or not free_slots(weight) & own
        kind = None if weight is None else strip_none(weight.type)
        self._highest = kind.high if isinstance(kind, NumberType) else None

    def candidates(self, context: Context, frame: Frame) -> SizeBounds:
        """Bounds of the number of bindings, before guards. A domain with an error has none: guards may skip it."""
        try:
            bounds = [size(context, frame) for size in self._sizes]
        except EvaluationError:
            return 0, None
        highs = [high for _, high in bounds if high is not None]
        return prod(low for low, _ in bounds), prod(highs) if len(highs) == len(bounds) else None

    def heaviest(self, context: Context, frame: Frame) -> Value:
        """An upper bound of the weights; None if unknown."""
        return self._rule.weigh(context, frame) if self._is_uniform else self._highest

    def try_once(self, context: Context, frame: Frame, most: int, heaviest: Value, random: Random) -> Move | None:
        """An outcome, or None if it is rejected."""
        rule = self._rule
        if not rule.meets(0, context, frame):
            return None
        size = 1
        for k, source in enumerate(rule.domains):
            count = source.count(context, frame)
            if count == 0:
                return None
            size *= count
            frame[rule.slots[k]] = source.pick(context, frame, random.randrange(count))
            if not rule.meets(k + 1, context, frame):
                return None
        accepted = size * Fraction(rule.weigh(context, frame)) / (most * Fraction(heaviest))
        if random.randrange(accepted.denominator) >= accepted.numerator:
            return None
        return rule.move(tuple([frame[slot] for slot in rule.slots]))
