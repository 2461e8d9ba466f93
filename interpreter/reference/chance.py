"""Outcomes of chance, listed or sampled."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Final

from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.errors import EvaluationError
from zermelo.interpreter.evaluation.context import Context, Frame
from zermelo.interpreter.machine import Move
from zermelo.interpreter.reference.decisions import CompiledChance
from zermelo.interpreter.reference.rejection import RejectionSampler
from zermelo.interpreter.values import Value, format_value

Weighted = tuple[tuple[Move, Value], ...]
"""Outcomes in order with their positive weights, which need not sum to 1."""

LIST_LIMIT: Final = 1_000_000
"""The most outcomes that are listed."""

DRAW_LISTING_LIMIT: Final = 2_000
"""The most candidates for which a draw lists the outcomes."""


class Lottery:
    """A chance decision, to be listed or sampled."""

    def __init__(self, chance: CompiledChance, sampler: RejectionSampler) -> None:
        self.chance = chance
        self.sampler = sampler

    def listed(self, context: Context, frame: Frame) -> Weighted:
        """All outcomes. Raises ``ZermeloError`` (``too-many-outcomes``), and :class:`EvaluationError`
        (``bad-probabilities``) if probabilities do not sum to 1."""
        fewest, _ = self.sampler.candidates(context, frame)
        if fewest > LIST_LIMIT:
            raise _too_many(f"about {fewest:,}")
        frame = frame.copy()
        found: list[tuple[Move, Value]] = []
        for rule in self.chance.rules:
            for arguments in rule.bindings(context, frame):
                weight = rule.weigh(context, frame)
                if weight > 0:
                    found.append((rule.move(arguments), weight))
                    if len(found) > LIST_LIMIT:
                        raise _too_many(f"more than {LIST_LIMIT:,}")
        if self.chance.has_probabilities:
            total = sum(weight for _, weight in found)
            if total != 1:
                raise EvaluationError(
                    "bad-probabilities",
                    f"the probabilities sum to {format_value(total)}, not to 1",
                    self.chance.rules[0].weight_span,
                )
        return tuple(found)

    def draw_unlisted(self, context: Context, frame: Frame, random: Random) -> Move | None:
        """An outcome, drawn with its exact probability; None if a list is short, or the only way."""
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
        "a parameter (-p) may make the game smaller; `zermelo random` draws single outcomes",
    )
