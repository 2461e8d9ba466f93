"""Renaming a name never changes what a text means."""

from __future__ import annotations

from pathlib import Path

import pytest

from zermelo.grammar.diagnostics import Source, ZermeloError
from zermelo.interpreter.check import check
from zermelo.interpreter.symbols.index import index_with_findings, places_to_rename

GAMES = Path(__file__).parents[3] / "gamedefs"

GAME = """\
game "G"
players Ann, Bob
type Fruit = apple | pear
var left: 0..5 = 5
define least = min(left, 2)
start at play(Ann)
phase play(p: Player):
    turn p:
        move take(n in 1..least, f in Fruit):
            left -= n
            if f == apple: end draw
            go play(other p)
    otherwise: end win p
test "t":
    play take(1, pear)
"""


def renamed(text: str, name: str, new: str) -> str:
    """The text after the first symbol with this name has got another one."""
    index = index_with_findings(Source("x", text))[0]
    symbol = next(symbol for symbol in index.symbols.values() if symbol.name == name)
    for place in reversed(places_to_rename(index, symbol, new)):
        text = text[: place.start] + new + text[place.end :]
    return text


@pytest.mark.parametrize("name", ["Ann", "Fruit", "apple", "pear", "left", "least", "play", "p", "take", "n", "f"])
def test_all_places_get_the_new_name_and_come_back(name: str) -> None:
    there = renamed(GAME, name, "fresh")
    assert there.count("fresh") >= 2 and check(Source("x", there))[0] is not None
    assert renamed(there, "fresh", name) == GAME


@pytest.mark.parametrize(
    ("name", "new", "code"),
    [
        ("left", "least", "duplicate-name"),  # two declarations
        ("n", "least", "shadowed-name"),
        ("n", "left", "wrong-kind-of-name"),  # left -= n would assign the argument
        ("left", "next", "reserved-name"),  # a word of the language
        ("left", "2nd", "syntax"),
        ("Fruit", "Player", "reserved-name"),
        ("least", "p", "type-mismatch"),  # 1..p would be the player
    ],
)
def test_a_name_that_would_change_the_meaning_is_refused(name: str, new: str, code: str) -> None:
    with pytest.raises(ZermeloError) as refused:
        renamed(GAME, name, new)
    assert refused.value.code == code


@pytest.mark.parametrize("game", ["kuhn_poker", "tic_tac_toe", "checkers", "beer_or_quiche", "chicken", "leduc_poker"])
def test_every_name_of_a_game_can_be_changed(game: str) -> None:
    text = (GAMES / f"{game}.game").read_text(encoding="utf-8")
    index = index_with_findings(Source("x", text))[0]
    for symbol in index.symbols.values():
        edited = text
        for place in reversed(places_to_rename(index, symbol, f"new_{symbol.name}")):
            edited = f"{edited[: place.start]}new_{edited[place.start :]}"
        game_then, findings = check(Source("x", edited))
        assert game_then is not None, (symbol.name, [finding.message for finding in findings.errors])
