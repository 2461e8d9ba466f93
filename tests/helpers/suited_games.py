"""Random small card games whose suits can be exchanged, or some of them, or none."""

from __future__ import annotations

from random import Random

_SUITS = ("clubs", "hearts", "spades")

_ALIKE = (
    "(if hand[A].rank > hand[B].rank then 2 else 0)",
    "(if hand[A].suit == hand[B].suit then 1 else -1)",
    "(if board.suit == hand[A].suit then 3 else 0)",
    "(if board.suit == hand[B].suit then -2 else 0)",
    "(if named[A] == hand[B].suit then 2 else 0)",
    "(if named[B] == hand[A].suit then -2 else 0)",
    "(if named[A] == named[B] then 1 else 0)",
    "(if named[A] == board.suit then stake else -1)",
    "stake * (if hand[A].rank >= hand[B].rank then 1 else -1)",
)
"""What A gets from B, and what no exchange of suits changes."""

_UNLIKE = (
    "(if board.suit == clubs then 1 else 0)",
    "(if hand[B].suit == hearts then 2 else 0)",
    "(if named[B] == clubs then 1 else 0)",
    "(if hand[A].suit == favourite then 1 else 0)",
    "(if named[A] == favourite then 2 else 0)",
    "(if hand[A].suit == latest then 2 else 0)",
)
"""The same where a suit has a part of its own, by the rules or in the beginning of a play."""

_TOLD = (
    "tell B that suit_of_A(hand[A].suit)",
    "tell Player that board(board)",
    "tell A that rank_of_B(hand[B].rank)",
    "if hand[A].suit == hand[B].suit: tell A that same",
)


def suited_game(random: Random) -> str:
    """A card game for A and B of zero sum: chance deals, then A and B move once or twice in turn."""
    suits = _SUITS[: random.choice((2, 2, 3))]
    ranks = random.choice((1, 2, 2)) if len(suits) == 2 else 1
    terms = random.sample(_ALIKE, random.randint(2, 4))
    if random.random() < 0.25:
        terms.append(random.choice(_UNLIKE))
    told = random.sample(_TOLD, random.randint(0, 2))
    secret = random.choice((" secret", ""))
    weight = random.choice(("", " weight a.rank", " weight if a.suit == b.suit then 1 else 2"))
    differs = "a != b" if len(suits) * ranks < 4 else "a != b and b != c and a != c"
    visible = random.choice(("hidden", "private"))
    board = "" if random.random() < 0.5 else " hidden"
    lines = [
        'game "Suited"',
        "players A, B",
        "claim zero_sum",
        f"type Suit = {' | '.join(suits)}",
        f"type Card = (rank: 1..{ranks}, suit: Suit)",
        f"var hand[Player]: Card  {visible}",
        f"var board: Card{board}",
        "var named[Player]: Suit? = none hidden",
        "var stake: 1..2 = 1",
        *(f"var {name}: Suit = hearts" for name in ("favourite", "latest") if any(name in term for term in terms)),
        "start at deal",
        "phase deal:",
        "    chance:",
        f"        outcome deal(a in Card, b in Card, c in Card) if {differs}{weight}:",
        "            hand[A] := a",
        "            hand[B] := b",
        "            board := c",
        *(f"            {line}" for line in told),
        "            go speak(A)",
        "phase speak(p: Player):",
        "    turn p:",
        f"        move name(s in Suit){secret}:",
        "            named[p] := s",
        *(["            latest := s"] if any("latest" in term for term in terms) else []),
        "            if p == A: go speak(B)",
        "            go finish",
        "        move double:",
        "            stake := 2",
        "            if p == A: go speak(B)",
        "            go finish",
        "phase finish:",
        f"    let due = {' + '.join(terms)}",
        "    end payoff {A: due, B: -due}",
    ]
    return "\n".join(lines) + "\n"
