"""Draws of chance on the reference machine: weights, deals, sample spaces, and rejection sampling."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from math import comb, prod
from random import Random
from typing import Final

from attrs import frozen

from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.evaluation.context import (
    Compiles,
    Context,
    DealtParameter,
    Frame,
    SizeBounds,
    dealt_parameters,
    parameter_bounds,
    unrank_subset,
)
from zermelo.interpreter.evaluation.statements import CompiledRule
from zermelo.interpreter.machine import Move
from zermelo.interpreter.model.rewriting import free_slots
from zermelo.interpreter.reference.decisions import CompiledChance
from zermelo.interpreter.types import NumberType, strip_none
from zermelo.interpreter.values import EvaluationError, OrderedSet, Value, format_value, in_type_order, weighted_choice

# The deals of a rule in a state, numbered and counted without a list.
#
# A deal is a hand for each of n parameters. Hand i is a subset of size s_i, or a single value, of a *stock* B_i, and
# disjoint from the earlier hands that it *avoids*. If each of these lies within B_i, or outside of it, and they are
# disjoint from each other, then what is left of the stock has the same size r_i in every deal: |B_i| less the sizes of
# those within. So there are comb(r_1, s_1) ... comb(r_n, s_n) deals, and they are numbered as they are listed: in mixed
# radix, a digit for each hand. The digit of a subset is its rank in lexicographic order (the combinatorial number
# system: Knuth, The Art of Computer Programming 4A, 7.2.1.3); single values that avoid each other are a permutation,
# whose digits are its Lehmer code. Ranking and unranking take a walk over the stocks; a uniform number is a uniform
# deal.
#
# *Deals in which some hands are known* are deals again: a known hand is its own stock, and every hand that avoids it,
# or is avoided by it, loses its cards from the stock. That a later hand is known thus restricts an earlier one, and
# counts and draws remain exact.


@frozen(eq=False, repr=False)
class Hand:
    """A hand to be dealt: its ``stock``, in order; its ``size``, None for a single value; the numbers of the earlier
    hands that it ``avoids``."""

    stock: tuple[Value, ...]
    size: int | None
    avoids: frozenset[int]

    @property
    def cards(self) -> int:
        """How many cards it takes."""
        return 1 if self.size is None else self.size


@frozen(eq=False, repr=False)
class Deals:
    """All deals of these hands; ``radices`` counts the choices for each hand when the earlier ones are dealt."""

    hands: tuple[Hand, ...]
    radices: tuple[int, ...]

    @property
    def count(self) -> int:
        """The number of deals."""
        return prod(self.radices)

    def draw(self, random: Random) -> tuple[Value, ...]:
        """A deal, all equally likely; there must be one."""
        return self._deal_by_digits([random.randrange(radix) for radix in self.radices])

    def unrank(self, number: int) -> tuple[Value, ...]:
        """Deal number ``number``, from 0."""
        digits = []
        for radix in reversed(self.radices):
            number, digit = divmod(number, radix)
            digits.append(digit)
        return self._deal_by_digits(digits[::-1])

    def rank(self, deal: Sequence[Value]) -> int | None:
        """The number of a deal, from 0; None if it is none of these."""
        if len(deal) != len(self.hands):
            return None
        number = 0
        dealt: list[tuple[Value, ...]] = []
        for hand, radix, value in zip(self.hands, self.radices, deal, strict=True):
            cards = _cards(hand, value)
            left = self._remaining_stock(hand, dealt)
            if cards is None or not set(cards) <= set(left):
                return None
            digit = left.index(value) if hand.size is None else _rank(left, cards)
            number = number * radix + digit
            dealt.append(cards)
        return number

    def given(self, known: Mapping[int, Value]) -> Deals | None:
        """The deals in which some hands, by number, are ``known``; None if they cannot be counted in this way."""
        cards = {k: _cards(self.hands[k], value) for k, value in known.items()}
        hands = []
        for k, hand in enumerate(self.hands):
            touching = {other for other in known if other in hand.avoids or k in self.hands[other].avoids}
            taken = {card for other in touching for card in cards[other] or ()}
            if k not in known:
                stock = tuple(card for card in hand.stock if card not in taken)
                hands.append(Hand(stock, hand.size, hand.avoids - touching))
                continue
            own = cards[k]
            is_possible = own is not None and set(own) <= set(hand.stock) and not set(own) & taken
            hands.append(Hand((own or ()) if is_possible else (), hand.size, frozenset()))
            if not is_possible:
                return Deals(self.hands, (0,) * len(self.hands))
        return deals_of(hands)

    def _deal_by_digits(self, digits: list[int]) -> tuple[Value, ...]:
        deal: list[Value] = []
        dealt: list[tuple[Value, ...]] = []
        for hand, digit in zip(self.hands, digits, strict=True):
            left = self._remaining_stock(hand, dealt)
            if hand.size is None:
                cards = (left[digit],)
                deal.append(cards[0])
            else:
                cards = unrank_subset(left, hand.size, digit)
                deal.append(OrderedSet(cards))
            dealt.append(cards)
        return tuple(deal)

    def _remaining_stock(self, hand: Hand, dealt: list[tuple[Value, ...]]) -> tuple[Value, ...]:
        """The stock of a hand without the hands dealt that it avoids."""
        if not hand.avoids:
            return hand.stock
        taken = {card for other in hand.avoids for card in dealt[other]}
        return tuple([card for card in hand.stock if card not in taken])

    def __iter__(self) -> Iterator[tuple[Value, ...]]:
        return map(self.unrank, range(self.count))


def deals_in(parameters: Sequence[DealtParameter], context: Context, frame: Frame) -> Deals | None:
    """The deals of a rule in a state; None if they cannot be counted in this way."""
    hands = []
    for parameter in parameters:
        stock = parameter.stock(context, frame)
        if parameter.size is None:
            hands.append(Hand(stock.items, None, parameter.avoids))
        else:
            size = parameter.size(context, frame)
            has_subsets = isinstance(size, int) and size >= 0
            hands.append(Hand(in_type_order(stock).items, size if has_subsets else len(stock) + 1, parameter.avoids))
    return deals_of(hands)


def deals_of(hands: Sequence[Hand]) -> Deals | None:
    """The deals of these hands; None if a hand has more choices in some deals than in others."""
    stocks = [frozenset(hand.stock) for hand in hands]
    radices = []
    for hand, stock in zip(hands, stocks, strict=True):
        within = [other for other in hand.avoids if stocks[other] & stock]
        if not all(stocks[other] <= stock for other in within):
            return None
        pairs = ((one, other) for one in within for other in within if one < other)
        if any(one not in hands[other].avoids and stocks[one] & stocks[other] for one, other in pairs):
            return None  # two of them may have a card in common
        left = max(0, len(stock) - sum(hands[other].cards for other in within))
        radices.append(comb(left, hand.cards))
    return Deals(tuple(hands), tuple(radices))


def _cards(hand: Hand, value: Value) -> tuple[Value, ...] | None:
    """The cards of a hand with this value, in the order of its stock; None if there is no such hand."""
    if hand.size is None:
        return (value,)
    if not isinstance(value, OrderedSet) or len(value) != hand.size:
        return None
    cards = tuple(card for card in hand.stock if card in value.members)
    return cards if len(cards) == hand.size else None


def _rank(stock: tuple[Value, ...], cards: tuple[Value, ...]) -> int:
    """The number of a subset in lexicographic order."""
    chosen = set(cards)
    size, number = len(cards), 0
    for place, card in enumerate(stock):
        if size == 0:
            break
        if card in chosen:
            size -= 1
        else:
            number += comb(len(stock) - place - 1, size - 1)
    return number


# The outcomes of a chance decision as a sample space, listed or dealt.
#
# Implements :class:`zermelo.interpreter.machine.SampleSpace`.


@frozen(eq=False, repr=False)
class DealtRule:
    """The outcomes of a rule: its ``deals``, each of which has this ``weight``."""

    rule: CompiledRule
    deals: Deals
    weight: Value


class DealtOutcomes:
    """Outcomes that are dealt: no list of them is made. ``mass`` is the probability of the event that they make up."""

    def __init__(self, rules: tuple[DealtRule, ...]) -> None:
        self.rules = tuple(each for each in rules if each.weight > 0 and each.deals.count)
        self.mass = Fraction(1)

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
    """Outcomes with their probabilities, in a list. ``mass`` is the probability of the event that they make up."""

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


# Sampling an outcome of chance with its exact probability, without listing all outcomes.
#
# The method is rejection sampling (von Neumann 1951; Devroye, Non-Uniform Random Variate Generation, 1986, II.3). The
# parameters x1, ..., xn of an outcome are drawn in turn, each uniformly from its domain D_i, which may depend on the
# earlier ones. So a binding is proposed with probability 1 / (|D_1| ... |D_n|), which varies with the sizes. Let M_i be
# an upper bound of |D_i|: accepting with probability (|D_1| ... |D_n|) / (M_1 ... M_n) gives each binding the same
# probability 1 / (M_1 ... M_n). A binding that fails a guard is rejected; one of weight w, with w_max an upper bound of
# the weights, is accepted with probability w / w_max. If there are several clauses, one of them is drawn first, in
# proportion to M_1 ... M_n * w_max. After a rejection everything is drawn anew.
#
# This is integer arithmetic, so the distribution is exact. The expected number of trials is the inverse of the
# acceptance rate, so bounds must be close. A domain without earlier parameters has a known size; the others are bounded
# by their structure: ``subsets(Card - h, 4)``, where h is a set of 4 cards, chooses from exactly 28
# (:mod:`zermelo.interpreter.evaluation.context`), so that deals are never rejected.


_MOST_TRIES: Final = 1_000_000
"""The most trials of one draw."""


class RejectionSampler:
    """Samples outcomes of one chance decision."""

    def __init__(self, chance: CompiledChance, compiler: Compiles) -> None:
        self._rules = [_Envelope(rule, compiler) for rule in chance.rules]

    def candidates(self, context: Context, frame: Frame) -> SizeBounds:
        """Bounds on the number of bindings, before guards; None: unknown."""
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
        self._sizes = [parameter_bounds(compiler, rule.model, k) for k in range(len(parameters))]
        weight = rule.model.weight if rule.model.probability is None else rule.model.probability
        own = {parameter.slot for parameter in parameters}
        self._is_uniform = weight is None or not free_slots(weight) & own
        kind = None if weight is None else strip_none(weight.type)
        self._highest = kind.high if isinstance(kind, NumberType) else None

    def candidates(self, context: Context, frame: Frame) -> SizeBounds:
        """Bounds on the number of bindings, before guards; unknown if a domain has an error: guards may skip it."""
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


# Outcomes of chance, listed or sampled.


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
        """The outcomes without a list; None if they are not dealt, or if their deals cannot be counted. Raises
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
        """Raise :class:`EvaluationError` (``bad-probabilities``) if probabilities do not sum to 1."""
        if self.chance.has_probabilities and total != 1:
            raise EvaluationError(
                "bad-probabilities",
                f"the probabilities sum to {format_value(total)}, not to 1",
                self.chance.rules[0].weight_span,
            )

    def draw_unlisted(self, context: Context, frame: Frame, random: Random) -> Move | None:
        """An outcome, drawn by rejection with its exact probability; None if a list is quick, or the only way."""
        _, most = self.sampler.candidates(context, frame)
        if most is None or most <= DRAW_LISTING_LIMIT:
            return None
        return self.sampler.draw(context, frame.copy(), random)


def probabilities(outcomes: Weighted) -> tuple[tuple[Move, Fraction], ...]:
    total = Fraction(sum(weight for _, weight in outcomes))
    return tuple((move, weight / total) for move, weight in outcomes)


def _too_many(count: str) -> ZermeloError:
    return ZermeloError(
        "too-many-outcomes",
        f"a chance decision has {count} outcomes, too many to list them",
        "`zermelo random`, `play` and `moves` draw single outcomes; a smaller game (-p sets parameters) may have fewer",
    )
