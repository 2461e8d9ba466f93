"""Bridge against OpenSpiel's on the full deck, against a second program on smaller ones, and against published scores.

Plays are walked in both programs side by side. At every history the same player is to move, with the same moves, and
the payoffs at the end are the same. On the smallest deck all plays of some deals are walked, and what players have
perceived tells the same histories apart in both programs.
"""

from __future__ import annotations

from functools import cached_property
from random import Random
from typing import Any

import pytest
from attrs import evolve, frozen

import zermelo
from zermelo import gamedefs
from zermelo.interpreter.machine import END, Move

SEATS = ("North", "East", "South", "West")
RANKS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace")
STRAINS = ("clubs", "diamonds", "hearts", "spades", "no_trumps")
VULNERABLE = {"nobody": (), "north_south": (0,), "east_west": (1,), "everybody": (0, 1)}
DOUBLED_DOWN = {
    False: (100, 300, 500, 800, 1100, 1400, 1700, 2000, 2300, 2600, 2900, 3200, 3500),
    True: (200, 500, 800, 1100, 1400, 1700, 2000, 2300, 2600, 2900, 3200, 3500, 3800),
}
"""What one, two, ... missing tricks of a doubled contract cost, as score cards print it."""


@frozen
class Deal:
    """The beginning of a play: seats by number, cards as ``(rank, suit)`` by number."""

    hands: tuple[frozenset, ...]
    dealer: int
    vulnerable: tuple[int, ...]

    @property
    def each(self) -> int:
        return len(self.hands[0])

    @property
    def lowest(self) -> int:
        """The lowest suit."""
        return min(suit for hand in self.hands for _, suit in hand)


@frozen
class Table:
    """A second program: the calls and the cards in their order, from which everything else is worked out anew."""

    deal: Deal
    calls: tuple = ()
    cards: tuple = ()

    @cached_property
    def bids(self) -> list[tuple[int, tuple[int, int]]]:
        """All bids with their seats."""
        return [((self.deal.dealer + n) % 4, call) for n, call in enumerate(self.calls) if isinstance(call, tuple)]

    @cached_property
    def stakes(self) -> int:
        """What the last call that is no pass makes of the contract."""
        others = [call for call in self.calls if call != "pass"]
        return {"double": 2, "redouble": 4}.get(others[-1], 1) if others else 1

    @cached_property
    def auction_is_over(self) -> bool:
        return self.calls[-3:] == ("pass",) * 3 and len(self.calls) > 3

    @cached_property
    def declarer(self) -> int:
        seat, (_, strain) = self.bids[-1]
        return next(each for each, bid in self.bids if bid[1] == strain and (each - seat) % 2 == 0)

    @cached_property
    def tricks(self) -> list[list[tuple[int, tuple[int, int]]]]:
        """The cards with the seats they come from, trick by trick; the last one may be empty."""
        tricks, leader = [[]], (self.declarer + 1) % 4
        for card in self.cards:
            tricks[-1].append(((leader + len(tricks[-1])) % 4, card))
            if len(tricks[-1]) == 4:
                leader = self.winner(tricks[-1])
                tricks.append([])
        return tricks

    def winner(self, trick) -> int:
        trumps = self.bids[-1][1][1]
        strength = {trumps: 2, trick[0][1][1]: 1, **({trumps: 2} if trumps == trick[0][1][1] else {})}
        return max(trick, key=lambda each: (strength.get(each[1][1], 0), each[1][0]))[0]

    @cached_property
    def to_play(self) -> int:
        """The seat from which the next card comes."""
        *whole, trick = self.tricks
        if trick:
            return (trick[-1][0] + 1) % 4
        return self.winner(whole[-1]) if whole else (self.declarer + 1) % 4

    @property
    def ended(self) -> bool:
        return self.auction_is_over and (not self.bids or len(self.cards) == 4 * self.deal.each)

    @cached_property
    def actor(self) -> int:
        if not self.auction_is_over:
            return (self.deal.dealer + len(self.calls)) % 4
        return self.declarer if self.to_play == (self.declarer + 2) % 4 else self.to_play

    @cached_property
    def moves(self) -> dict[str, Any]:
        if not self.auction_is_over:
            return {call if isinstance(call, str) else f"bid(({call[0]}, {STRAINS[call[1]]}))": call
                    for call in self.possible_calls()}  # fmt: skip
        trick = self.tricks[-1]
        hand = self.deal.hands[self.to_play].difference(self.cards)
        following = {card for card in hand if trick and card[1] == trick[0][1][1]}
        verb = "follow" if trick else "lead"
        return {f"{verb}(({RANKS[card[0]]}, {STRAINS[card[1]]}))": card for card in following or hand}

    def possible_calls(self):
        yield "pass"
        most = self.deal.each - self.deal.each // 2
        last, highest = self.bids[-1] if self.bids else (None, (0, 0))
        for level in range(1, most + 1):
            yield from ((level, strain) for strain in range(self.deal.lowest, 5) if (level, strain) > highest)
        if last is not None and (self.actor - last) % 2 != (self.stakes == 2) and self.stakes < 4:
            yield "redouble" if self.stakes == 2 else "double"

    def after(self, move) -> Table:
        if self.auction_is_over:
            return evolve(self, cards=(*self.cards, move))
        return evolve(self, calls=(*self.calls, move))

    @property
    def perceived(self) -> tuple:
        """What the player to move has perceived."""
        laid = self.deal.hands[(self.declarer + 2) % 4] if self.cards else None
        return self.actor, self.deal.hands[self.actor], self.calls, self.cards, laid

    @property
    def odd_tricks(self) -> int:
        """How many tricks the declarer's side has won beyond the bid, below 0 if too few."""
        won = sum((self.winner(trick) - self.declarer) % 2 == 0 for trick in self.tricks if trick)
        return won - self.deal.each // 2 - self.bids[-1][1][0]

    @property
    def payoff(self) -> tuple[int, ...]:
        if not self.bids:
            return (0, 0, 0, 0)
        level, strain = self.bids[-1][1]
        vulnerable = self.declarer % 2 in self.deal.vulnerable
        worth = scored(level, STRAINS[strain], self.stakes, vulnerable, self.odd_tricks, self.deal.each)
        return tuple(worth if (seat - self.declarer) % 2 == 0 else -worth for seat in range(4))


def scored(level, strain, stakes, vulnerable, over, each) -> int:
    """What the declarer's side scores."""
    if over < 0:
        if stakes == 1:
            return over * (100 if vulnerable else 50)
        return -DOUBLED_DOWN[vulnerable][-over - 1] * stakes // 2
    points = {"clubs": 20, "diamonds": 20}.get(strain, 30)
    below = (level * points + 10 * (strain == "no_trumps")) * stakes
    above = (500 if vulnerable else 300) if below >= 100 else 50
    missing = each - each // 2 - level
    if missing < 2:
        above += {0: (1000, 1500), 1: (500, 750)}[missing][vulnerable]
    if stakes > 1:
        return below + above + {2: 50, 4: 100}[stakes] + over * {2: (100, 200), 4: (200, 400)}[stakes][vulnerable]
    return below + above + over * points


def numbered(card) -> tuple[int, int]:
    rank, suit = card
    return RANKS.index(str(rank)), STRAINS.index(str(suit))


def dealt(deal: Move) -> tuple[frozenset, ...]:
    """The hands of all four after an outcome that names three: West gets what is left."""
    return tuple(frozenset(map(numbered, hand)) for hand in deal.arguments)


def beginning(machine, deal: Move, deck, dealer: str, vulnerable: str) -> tuple[Any, Table]:
    """The position after a deal, in both programs."""
    three = dealt(deal)
    hands = (*three, frozenset(deck).difference(*three))
    return machine.after(machine.initial(), deal), Table(Deal(hands, SEATS.index(dealer), VULNERABLE[vulnerable]))


def cards(suits: int, ranks: int) -> list[tuple[int, int]]:
    return [(rank, suit) for rank in range(13 - ranks, 13) for suit in range(4 - suits, 4)]


def options(machine, ours, table: Table) -> list[tuple[Any, Table]]:
    """All pairs of positions a move later, once these have been compared."""
    assert (machine.actor(ours) == END) == table.ended
    if table.ended:
        assert machine.payoff(ours) == table.payoff
        return []
    assert machine.actor(ours) == table.actor
    moves = {str(move): move for move in machine.moves(ours)}
    assert moves.keys() == table.moves.keys()
    return [(machine.after(ours, moves[text]), table.after(move)) for text, move in table.moves.items()]


def test_all_plays_of_six_deals_with_one_card_each():
    """North has the jack, and the others the rest in any order."""
    machine = zermelo.load("bridge", suits=1, ranks=4, dealer="East", vulnerable="north_south").searching
    here, there, ends = {}, {}, 0
    for deal, _ in machine.outcomes(machine.initial())[:6]:
        waiting = [beginning(machine, deal, cards(1, 4), "East", "north_south")]
        while waiting:
            ours, table = waiting.pop()
            behind = options(machine, ours, table)
            if behind:
                mine = table.actor, machine.information_state(ours, table.actor)
                assert here.setdefault(mine, table.perceived) == table.perceived
                assert there.setdefault(table.perceived, mine) == mine
            ends += not behind
            waiting += behind
    assert ends == 6 * (1 + 28 * (1 + 22))


@pytest.mark.parametrize(
    ("suits", "ranks", "dealer", "vulnerable", "plays"),
    [
        (2, 2, "North", "east_west", 100),
        (2, 6, "South", "everybody", 100),
        (3, 4, "West", "nobody", 100),
        (4, 5, "East", "north_south", 100),
        (4, 13, "North", "everybody", 40),
    ],
)
def test_random_plays_of_larger_decks(suits, ranks, dealer, vulnerable, plays):
    machine = zermelo.load("bridge", suits=suits, ranks=ranks, dealer=dealer, vulnerable=vulnerable).searching
    random, made = Random(1), 0
    for _ in range(plays):
        deal = machine.draw(machine.initial(), random)
        pair = beginning(machine, deal, cards(suits, ranks), dealer, vulnerable)
        while behind := options(machine, *pair):
            pair = behind[0] if pair[1].moves.get("pass") and random.random() < 0.6 else random.choice(behind)
        made += bool(pair[1].bids) and pair[1].odd_tricks >= 0
    assert 0 < made < plays


def action(move: Move) -> int:
    """The number of a move in OpenSpiel: cards from the twos up, then the calls from 52 on."""
    if move.name == "bid":
        level, strain = move.arguments[0]
        return 55 + 5 * (int(level) - 1) + STRAINS.index(str(strain))
    if move.name in ("lead", "follow"):
        rank, suit = numbered(move.arguments[0])
        return 4 * rank + suit
    return {"pass": 52, "double": 53, "redouble": 54}[move.name]


@pytest.mark.parametrize(
    ("dealer", "vulnerable"),
    [("North", "nobody"), ("North", "north_south"), ("East", "north_south"), ("West", "everybody")],
)
def test_the_same_game_as_in_open_spiel(dealer, vulnerable):
    spiel = pytest.importorskip("pyspiel")
    seat = SEATS.index(dealer)
    settings = {
        "use_double_dummy_result": False,
        "dealer": seat,
        "dealer_vul": seat % 2 in VULNERABLE[vulnerable],
        "non_dealer_vul": 1 - seat % 2 in VULNERABLE[vulnerable],
    }
    game = spiel.load_game("bridge", settings)
    machine = zermelo.load("bridge", suits=4, ranks=13, dealer=dealer, vulnerable=vulnerable).searching
    random, made = Random(2), 0
    for _ in range(40):
        theirs = game.new_initial_state()
        deal = machine.draw(machine.initial(), random)
        ours, table = beginning(machine, deal, cards(4, 13), dealer, vulnerable)
        for places in zip(*(sorted(hand) for hand in table.deal.hands), strict=True):
            for rank, suit in places:
                theirs.apply_action(4 * rank + suit)
        while not theirs.is_terminal():
            assert machine.actor(ours) == theirs.current_player()
            moves = {action(move): move for move in machine.moves(ours)}
            assert sorted(moves) == sorted(theirs.legal_actions())
            chosen = 52 if 52 in moves and random.random() < 0.6 else random.choice(sorted(moves))
            theirs.apply_action(chosen)
            ours = machine.after(ours, moves[chosen])
        assert machine.actor(ours) == END
        assert list(map(float, machine.payoff(ours))) == theirs.returns()
        made += theirs.returns() != [0.0] * 4
    assert made > 0


SCORES = [
    ("(2, spades)", 2, 9, 570, 870),
    ("(3, no_trumps)", 1, 9, 400, 600),
    ("(6, spades)", 1, 12, 980, 1430),
    ("(1, no_trumps)", 4, 13, 1760, 3160),
    ("(4, spades)", 2, 6, -800, -1100),
    ("(7, no_trumps)", 4, 0, -7000, -7600),
]
"""Bid, stakes, tricks won, and what that is worth, also where the declarer is vulnerable."""


@pytest.mark.parametrize("vulnerable", ["north_south", "east_west"])
def test_scores_are_those_of_the_laws(vulnerable):
    """As the score tables for duplicate bridge print them. One move leads to each end: to check the rules takes much
    longer than to play them."""
    ends = "".join(
        f"""
        move result{k}:
            contract := {bid}
            stakes := {stakes}
            declarer := East
            tricks[east_west] := {won}
            tricks[north_south] := {13 - won}
            go lead(East)
"""
        for k, (bid, stakes, won, *_) in enumerate(SCORES)
    )
    rules = gamedefs.path("bridge").read_text(encoding="utf-8")
    text = rules.replace("start at deal\n", f"start at results\n\nphase results:\n    turn North:{ends}")
    beginning = zermelo.loads(text, ranks=13, vulnerable=vulnerable).initial
    for k, (*_, worth, worth_vulnerable) in enumerate(SCORES):
        expected = worth_vulnerable if vulnerable == "east_west" else worth
        assert beginning.after(f"result{k}").payoff == (-expected, expected, -expected, expected)
