"""Outcomes of chance, listed or sampled."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Final

from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.errors import EvaluationError
from zermelo.interpreter.evaluation.context import Compiles, Context, Frame
from zermelo.interpreter.evaluation.dealing import dealt_parameters
from zermelo.interpreter.machine import Move
from zermelo.interpreter.reference.deals import deals_in
from zermelo.interpreter.reference.decisions import CompiledChance
from zermelo.interpreter.reference.rejection import RejectionSampler
from zermelo.interpreter.reference.sample_space import DealtOutcomes, DealtRule
from zermelo.interpreter.values import Value, format_value

Weighted = tuple[tuple[Move, Value], ...]
"""Outcomes in order with their positive weights, which need not sum to 1."""

LIST_LIMIT: Final = 1_000_000
"""The most outcomes that are listed."""

DRAW_LISTING_LIMIT: Final = 2_000
"""The most candidates for which a draw lists the outcomes."""


class Lottery:
    """A chance decision, to be listed or sampled."""

    def __init__(self, chance: CompiledChance, compiler: Compiles) -> None:
        self.chance = chance
        self.sampler = RejectionSampler(chance, compiler)
        self._dealing = [dealt_parameters(rule.model, compiler) for rule in chance.rules]

    def dealt(self, context: Context, frame: Frame) -> DealtOutcomes | None:
        """The outcomes without a list; None if they are not dealt, or not so that they can be counted. Raises
        :class:`EvaluationError` (``bad-probabilities``)."""
        rules = []
        for rule, parameters in zip(self.chance.rules, self._dealing, strict=True):
            if parameters is None:
                return None
            if rule.meets(0, context, frame):
                try:
                    deals = deals_in(parameters, context, frame)
                except EvaluationError:  # perhaps in a set that is never reached, since an earlier one is empty
                    return None
                if deals is None:
                    return None
                rules.append(DealtRule(rule, deals, rule.weigh(context, frame) if deals.count else 0))
        outcomes = DealtOutcomes(tuple(rules))
        self._check_total(outcomes.total)
        return outcomes

    def listed(self, context: Context, frame: Frame) -> Weighted:
        """All outcomes. Raises ``ZermeloError`` (``too-many-outcomes``), and :class:`EvaluationError`
        (``bad-probabilities``) if probabilities do not sum to 1."""
        fewest, _ = self.sampler.candidates(context, frame)
        if fewest > LIST_LIMIT:
            dealt = self.dealt(context, frame)
            raise _too_many(f"about {fewest:,}" if dealt is None else f"{dealt.count:,}")
        frame = frame.copy()
        found: list[tuple[Move, Value]] = []
        for rule in self.chance.rules:
            for arguments in rule.bindings(context, frame):
                weight = rule.weigh(context, frame)
                if weight > 0:
                    found.append((rule.move(arguments), weight))
                    if len(found) > LIST_LIMIT:
                        raise _too_many(f"more than {LIST_LIMIT:,}")
        self._check_total(sum(weight for _, weight in found))
        return tuple(found)

    def _check_total(self, total: Value) -> None:
        """Raises :class:`EvaluationError` (``bad-probabilities``) if weights are probabilities with another sum than
        1."""
        if self.chance.has_probabilities and total != 1:
            raise EvaluationError(
                "bad-probabilities",
                f"the probabilities sum to {format_value(total)}, not to 1",
                self.chance.rules[0].weight_span,
            )

    def draw_unlisted(self, context: Context, frame: Frame, random: Random) -> Move | None:
        """An outcome, drawn by rejection with its exact probability; None if a list is short, or the only way."""
        _, most = self.sampler.candidates(context, frame)
        if most is None or most <= DRAW_LISTING_LIMIT:
            return None
        return self.sampler.draw(context, frame.copy(), random)


def probabilities(outcomes: Weighted) -> tuple[tuple[Move, Fraction], ...]:
    """The outcomes with their probabilities."""
    total = Fraction(sum(weight for _, weight in outcomes))
    return tuple((move, weight / total) for move, weight in outcomes)


def _too_many(count: str) -> ZermeloError:
    return ZermeloError(
        "too-many-outcomes",
        f"a chance decision has {count} outcomes, too many to list them",
        "`zermelo random`, `play` and `moves` draw single outcomes; a smaller game (-p sets parameters) may have fewer",
    )
