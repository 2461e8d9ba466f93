"""The deals of a rule in a state, numbered and counted without a list.

A deal is a hand for each of n parameters. Hand i is a subset of size s_i, or a single value, of a *stock* B_i, and
disjoint from the earlier hands that it *avoids*. If each of these lies within B_i, or outside of it, and they are
disjoint from each other, then what is left of the stock has the same size r_i in every deal: |B_i| less the sizes of
those within. So there are comb(r_1, s_1) ... comb(r_n, s_n) deals, and they are numbered as they are listed: in mixed
radix, a digit for each hand. The digit of a subset is its rank in lexicographic order (the combinatorial number system:
Knuth, The Art of Computer Programming 4A, 7.2.1.3); single values that avoid each other are a permutation, whose digits
are its Lehmer code. Ranking and unranking take a walk over the stocks; a uniform number is a uniform deal.

*Deals in which some hands are known* are deals again: a known hand is its own stock, and every hand that avoids it, or
is avoided by it, loses its cards from the stock. That a later hand is known thus restricts an earlier one, and counts
and draws remain exact.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import comb, prod
from random import Random

from attrs import frozen

from zermelo.interpreter.evaluation.context import Context, Frame
from zermelo.interpreter.evaluation.dealing import DealtParameter
from zermelo.interpreter.values import OrderedSet, Value, canonical


@frozen(eq=False)
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


@frozen(eq=False)
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
        return self._dealt([random.randrange(radix) for radix in self.radices])

    def unrank(self, number: int) -> tuple[Value, ...]:
        """Deal number ``number``, from 0."""
        digits = []
        for radix in reversed(self.radices):
            number, digit = divmod(number, radix)
            digits.append(digit)
        return self._dealt(digits[::-1])

    def rank(self, deal: Sequence[Value]) -> int | None:
        """The number of a deal, from 0; None if it is none of these."""
        if len(deal) != len(self.hands):
            return None
        number = 0
        dealt: list[tuple[Value, ...]] = []
        for hand, radix, value in zip(self.hands, self.radices, deal, strict=True):
            cards = _cards(hand, value)
            left = self._left(hand, dealt)
            if cards is None or not set(cards) <= set(left):
                return None
            digit = left.index(value) if hand.size is None else _rank(left, cards)
            number = number * radix + digit
            dealt.append(cards)
        return number

    def given(self, known: Mapping[int, Value]) -> Deals | None:
        """Those in which some hands, by number, are ``known``; None if they cannot be counted so."""
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

    def _dealt(self, digits: list[int]) -> tuple[Value, ...]:
        deal: list[Value] = []
        dealt: list[tuple[Value, ...]] = []
        for hand, digit in zip(self.hands, digits, strict=True):
            left = self._left(hand, dealt)
            if hand.size is None:
                cards = (left[digit],)
                deal.append(cards[0])
            else:
                cards = _unrank(left, hand.size, digit)
                deal.append(OrderedSet(cards))
            dealt.append(cards)
        return tuple(deal)

    def _left(self, hand: Hand, dealt: list[tuple[Value, ...]]) -> tuple[Value, ...]:
        """The stock of a hand without the hands dealt that it avoids."""
        if not hand.avoids:
            return hand.stock
        taken = {card for other in hand.avoids for card in dealt[other]}
        return tuple([card for card in hand.stock if card not in taken])

    def __iter__(self) -> Iterator[tuple[Value, ...]]:
        return map(self.unrank, range(self.count))


def deals_in(parameters: Sequence[DealtParameter], context: Context, frame: Frame) -> Deals | None:
    """The deals of a rule in a state; None if they cannot be counted so."""
    hands = []
    for parameter in parameters:
        stock = parameter.stock(context, frame)
        if parameter.size is None:
            hands.append(Hand(stock.items, None, parameter.avoids))
        else:
            size = parameter.size(context, frame)
            has_subsets = isinstance(size, int) and size >= 0
            hands.append(Hand(canonical(stock).items, size if has_subsets else len(stock) + 1, parameter.avoids))
    return deals_of(hands)


def deals_of(hands: Sequence[Hand]) -> Deals | None:
    """The deals of these hands; None if a hand has more choices in some deals than in others."""
    stocks = [frozenset(hand.stock) for hand in hands]
    radices = []
    for hand, stock in zip(hands, stocks, strict=True):
        within = [other for other in hand.avoids if stocks[other] & stock]
        if not all(stocks[other] <= stock for other in within):
            return None
        if any(_may_meet(hands, stocks, one, other) for one in within for other in within if one < other):
            return None
        left = max(0, len(stock) - sum(hands[other].cards for other in within))
        radices.append(comb(left, hand.cards))
    return Deals(tuple(hands), tuple(radices))


def _may_meet(hands: Sequence[Hand], stocks: list[frozenset[Value]], earlier: int, later: int) -> bool:
    """Whether two hands may have a card in common."""
    return earlier not in hands[later].avoids and bool(stocks[earlier] & stocks[later])


def _cards(hand: Hand, value: Value) -> tuple[Value, ...] | None:
    """The cards of a hand with this value, in the order of its stock; None if there is no such hand."""
    if hand.size is None:
        return (value,)
    if not isinstance(value, OrderedSet) or len(value) != hand.size:
        return None
    cards = tuple(card for card in hand.stock if card in value.members)
    return cards if len(cards) == hand.size else None


def _unrank(stock: tuple[Value, ...], size: int, number: int) -> tuple[Value, ...]:
    """Subset number ``number`` of ``size`` cards, in lexicographic order: at each card, the subsets with it come before
    those without. ``subsets`` counts those with the card at hand; it passes from card to card by exact divisions."""
    cards = []
    left = len(stock)
    subsets = comb(left - 1, size - 1) if size else 0
    for card in stock:
        if size == 0:
            break
        left -= 1
        if number < subsets:
            cards.append(card)
            size -= 1
            subsets = subsets * size // left if left else 0
        else:
            number -= subsets
            subsets = subsets * (left - size + 1) // left if left else 0
    return tuple(cards)


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
