"""Two games to say things of, and what becomes of the lines of a file that say them."""

from __future__ import annotations

import zermelo
from zermelo.testing.expectations import run_expectations

STONES = """\
game "Stones"
param stones: 1..9 = 7
players Ann, Bob
var left: 0..stones = stones
start at play(Ann)
phase play(p: Player):
    turn p:
        move take(n in 1..2) if n <= left:
            left -= n
            go play(other p)
    otherwise:
        end win other p
"""

CARD = """\
game "A card"
players Ann, Bob
type Card = low | high
var card: Card   seen by Ann
var shown: Bool = false
start at deal
phase deal:
    chance:
        outcome deal(c in Card):
            card := c
            go bet
phase bet:
    turn Ann:
        move show:
            shown := true
            tell Bob that card_is(card)
            go guess
        move hide: go guess
phase guess:
    turn Bob:
        move guess(c in Card): end payoff (if c == card then -1 else 1, if c == card then 1 else -1)
"""


def statuses(text: str) -> list[tuple[str, str, str]]:
    """The result of each line of a file: its text, the status, and the reason."""
    return [(result.said, result.status.value, result.reason) for result in run_expectations(zermelo.loads(text))]
