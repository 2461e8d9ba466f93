"""The outcomes of a chance decision as a sample space, listed or dealt.

Implements :class:`zermelo.interpreter.machine.SampleSpace`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cached_property
from random import Random

from attrs import frozen

from zermelo.interpreter.evaluation.rules import CompiledRule
from zermelo.interpreter.machine import Move
from zermelo.interpreter.reference.deals import Deals
from zermelo.interpreter.values import Value
from zermelo.interpreter.weighted_choice import weighted_choice


@frozen(eq=False)
class DealtRule:
    """The outcomes of a rule: its ``deals``, each of which has this ``weight``."""

    rule: CompiledRule
    deals: Deals
    weight: Value


class DealtOutcomes:
    """Outcomes that are dealt: no list of them is made. ``mass`` is the probability of what is given."""

    def __init__(self, rules: tuple[DealtRule, ...], mass: Fraction = Fraction(1)) -> None:
        self.rules = tuple(each for each in rules if each.weight > 0 and each.deals.count)
        self.mass = mass

    @cached_property
    def count(self) -> int:
        return sum(each.deals.count for each in self.rules)

    @cached_property
    def total(self) -> Fraction:
        """The weights of all outcomes together."""
        return sum(map(Fraction, self._shares), Fraction(0))

    @cached_property
    def _shares(self) -> list[Value]:
        """The weight of each rule's outcomes together."""
        return [each.deals.count * each.weight for each in self.rules]

    def probability(self, outcome: Move) -> Fraction:
        for each in self.rules:
            if each.rule.name == outcome.name and each.deals.rank(outcome.arguments) is not None:
                return Fraction(each.weight) / self.total
        return Fraction(0)

    def rank(self, outcome: Move) -> int | None:
        before = 0
        for each in self.rules:
            if each.rule.name == outcome.name:
                number = each.deals.rank(outcome.arguments)
                if number is not None:
                    return before + number
            before += each.deals.count
        return None

    def unrank(self, number: int) -> Move:
        if number >= 0:
            for each in self.rules:
                if number < each.deals.count:
                    return each.rule.move(each.deals.unrank(number))
                number -= each.deals.count
        raise IndexError("there are not so many outcomes")

    def draw(self, random: Random) -> Move:
        each = self.rules[weighted_choice(self._shares, random)]
        return each.rule.move(each.deals.draw(random))

    def given(self, known: Mapping[str, Mapping[int, Value]]) -> DealtOutcomes | None:
        rules = []
        for each in self.rules:
            if each.rule.name in known:
                deals = each.deals.given(known[each.rule.name])
                if deals is None:
                    return None
                rules.append(DealtRule(each.rule, deals, each.weight))
        event = DealtOutcomes(tuple(rules))
        event.mass = self.mass * event.total / self.total if event.total else Fraction(0)
        return event

    def __iter__(self) -> Iterator[tuple[Move, Fraction]]:
        for each in self.rules:
            probability = Fraction(each.weight) / self.total
            yield from ((each.rule.move(deal), probability) for deal in each.deals)


class ListedOutcomes:
    """Outcomes with their probabilities, in a list. ``mass`` is the probability of what is given."""

    def __init__(self, outcomes: tuple[tuple[Move, Fraction], ...], mass: Fraction = Fraction(1)) -> None:
        self.outcomes = outcomes
        self.mass = mass

    @property
    def count(self) -> int:
        return len(self.outcomes)

    @cached_property
    def _numbers(self) -> dict[Move, int]:
        return {outcome: number for number, (outcome, _) in enumerate(self.outcomes)}

    def probability(self, outcome: Move) -> Fraction:
        number = self.rank(outcome)
        return Fraction(0) if number is None else self.outcomes[number][1]

    def rank(self, outcome: Move) -> int | None:
        return self._numbers.get(outcome)

    def unrank(self, number: int) -> Move:
        if number < 0:
            raise IndexError("outcomes are numbered from 0")
        return self.outcomes[number][0]

    def draw(self, random: Random) -> Move:
        return self.outcomes[weighted_choice([probability for _, probability in self.outcomes], random)][0]

    def given(self, known: Mapping[str, Mapping[int, Value]]) -> ListedOutcomes:
        kept = [
            (outcome, probability)
            for outcome, probability in self.outcomes
            if outcome.name in known and all(outcome.arguments[k] == value for k, value in known[outcome.name].items())
        ]
        mass = sum((probability for _, probability in kept), Fraction(0))
        return ListedOutcomes(tuple((outcome, chance / mass) for outcome, chance in kept), self.mass * mass)

    def __iter__(self) -> Iterator[tuple[Move, Fraction]]:
        return iter(self.outcomes)
