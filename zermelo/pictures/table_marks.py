"""What lies on a table: cards and dice."""

from __future__ import annotations

from typing import Final

from zermelo.pictures.marks import INK, PAPER, Disc, Lettering, Mark, Rectangle, Style
from zermelo.pictures.text_width import text_width

HEIGHT: Final = 30.0
"""The height of a card and of a die."""

SUITS: Final = {"♠": INK, "♣": INK, "♥": "#c1121f", "♦": "#c1121f", "♤": INK, "♧": INK, "♡": "#c1121f", "♢": "#c1121f"}
"""The signs of suits, and their colours."""

_EYES: Final = {1: "4", 2: "08", 3: "048", 4: "0268", 5: "02468", 6: "023568"}
"""The eyes of a die, in a square of three by three places, numbered row by row."""


def card_width(sign: str) -> float:
    return max(22.0, text_width(sign, 14, is_bold=True) + 8)


def card(sign: str) -> list[Mark]:
    """A card that shows a sign, its upper left corner at (0, 0)."""
    colour = next((SUITS[character] for character in sign if character in SUITS), INK)
    width = card_width(sign)
    return [
        Rectangle(0, 0, width, HEIGHT, Style("#6e7781", PAPER), 3),
        Lettering(width / 2, HEIGHT / 2 + 5, sign, 14, colour, "middle", is_bold=True),
    ]


def die(number: int) -> list[Mark]:
    """A die that shows a number from 1 to 6, its upper left corner at (0, 0)."""
    side = HEIGHT - 4
    places = [((k % 3 + 1) * side / 4, (k // 3 + 1) * side / 4) for k in map(int, _EYES[number])]
    return [
        Rectangle(0, 2, side, side, Style("#6e7781", PAPER), 4),
        *(Disc(x, 2 + y, 2.4, Style(fill=INK)) for x, y in places),
    ]
