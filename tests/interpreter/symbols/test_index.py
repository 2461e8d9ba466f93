"""What stands at a place of a text, what it means, and where else it stands."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest
from slips import every_slip

from zermelo.grammar.diagnostics import Source, ZermeloError
from zermelo.grammar.engine import engine
from zermelo.interpreter.check import check
from zermelo.interpreter.elaboration.drawings import LOOK_WORDS
from zermelo.interpreter.elaboration.names import BUILT_IN_FUNCTIONS
from zermelo.interpreter.symbols.index import Symbol, SymbolIndex, index_with_findings, places_to_rename

ROOT = Path(__file__).parents[3]
GAMES = sorted((ROOT / "gamedefs").glob("*.game"))
EVERY = [
    file.read_text(encoding="utf-8", errors="replace")
    for folder in ("gamedefs", "tests/interpreter", "tests/grammar")
    for file in sorted((ROOT / folder).rglob("*.game"))
]
EVERY += [slip.read_text(encoding="utf-8") for slip in every_slip()]

GAME = """\
game "Cards"
players Ann, Bob
param most: 1..3 = 2
type Suit = clubs | hearts
type Other = hearts | spades
type Card = (rank: 1..2, suit: Suit)
var hand[Player]: Card?  = none  private
var deck: set of Card = Card  hidden
define high(c: Card) = c.rank == most
define twice = 2 * most
start at deal
phase deal:
    chance:
        outcome deal(c in deck):
            hand[Ann] := c
            go play(Ann)
phase play(p: Player):
    turn p:
        move show(s in Suit):
            let mine = hand[p]
            if mine is not none and mine.suit == s and high(mine): end win p
            go last
        move hide: go last
phase last:
    together:
        move show(s in Suit)
    then:
        if show[Ann].s == Suit.hearts: end win Ann
        end win Bob
test "t":
    play deal((1, hearts)), show(hearts)
expect plays(1) == 4 with most = 2
"""


def index(text: str) -> SymbolIndex:
    return index_with_findings(Source("x", text))[0]


def at(text: str, marked: str) -> Symbol:
    """The symbol at the ``@`` in a part of the text."""
    before, after = marked.split("@")
    assert text.count(before + after) == 1
    found = index(text).at(text.index(before + after) + len(before))
    assert found is not None
    return found[1]


def lines_of(text: str, symbol: Symbol) -> list[int]:
    """The lines in which a symbol stands."""
    return [span.line for span in index(text).places_of(symbol)]


@pytest.mark.parametrize(
    ("marked", "kind", "lines"),
    [
        ("players @Ann", "player", [2, 15, 16, 28, 28]),
        ("c.rank == @most", "parameter", [3, 9, 10, 32]),
        ("with @most = 2", "parameter", [3, 9, 10, 32]),
        ("in @Suit):\n            let", "type", [4, 6, 19, 26, 28]),
        ("Suit.@hearts", "member", [4, 28, 31, 31]),
        ("deal((1, @hearts))", "member", [4, 28, 31, 31]),
        ("@hearts | spades", "member", [5]),
        ("mine.@suit", "field", [6, 21]),
        ("let mine = ha@nd[p]", "variable", [7, 15, 20]),
        ("outcome deal(c in deck@)", "variable", [8, 14]),
        ("and @high(mine)", "define", [9, 21]),
        ("= @c.rank", "argument", [9, 9]),
        ("go pl@ay(Ann)", "phase", [16, 17]),
        ("hand[@p]", "argument", [17, 18, 20, 21]),
        ("mine@.suit", "name", [20, 21, 21, 21]),
        ("), @show(hearts)", "move", [19, 26, 28, 31]),
        ("play @deal", "outcome", [14, 31]),
        ("show[Ann].@s", "argument", [26, 28]),
    ],
)
def test_a_name_is_found_at_all_its_places(marked: str, kind: str, lines: list[int]) -> None:
    symbol = at(GAME, marked)
    assert (symbol.kind, lines_of(GAME, symbol)) == (kind, lines)


def test_nothing_stands_between_names() -> None:
    assert index(GAME).at(GAME.index("= 2\n")) is None
    assert index(GAME).at(len(GAME)) is None


@pytest.mark.parametrize(
    ("marked", "heading", "remarks"),
    [
        ("players @Ann", "Ann", ("player 1 of 2",)),
        ("param @most", "param most: 1..3 = 2", ("parameter, here 2",)),
        ("type @Suit", "type Suit = clubs | hearts", ("2 values: clubs, hearts",)),
        ("type @Card", "type Card = (rank: 1..2, suit: Suit)", None),
        ("@clubs", "clubs", ("member of Suit",)),
        ("var @hand", "var hand[Player]: Card?  = none  private", ("type: Card?", "each player sees their own")),
        ("var @deck", "var deck: set of Card = Card  hidden", None),
        ("define @twice", "define twice = 2 * most", ("type: 4..4", "value: 4")),
        ("@high(c", "define high(c: Card) = c.rank == most", ("type: Bool",)),
        ("phase @play", "phase play(p: Player):", ()),
        ("move @hide", "move hide: go last", ()),
        ("let @mine", "let mine = hand[p]", ("type: Card?",)),
    ],
)
def test_what_is_said_about_a_name(marked: str, heading: str, remarks: tuple[str, ...] | None) -> None:
    symbol = at(GAME, marked)
    assert symbol.heading == heading
    assert remarks is None or symbol.remarks == remarks


def test_a_mistake_in_one_declaration_does_not_hide_the_others() -> None:
    broken = GAME.replace("define twice = 2 * most", "define twice = 2 *").replace("hand[Ann] := c", "hand[Ann] := ) c")
    assert lines_of(broken, at(broken, "let mine = @hand[p]")) == [7, 20]
    assert at(broken, "and @high(mine)").remarks == ("type: Bool",)


def test_a_likely_repair_keeps_the_names_of_a_declaration() -> None:
    broken = GAME.replace("phase play(p: Player):", "phase play(p: Player)")
    assert lines_of(broken, at(broken, "hand[@p]")) == [17, 18, 20, 21]


def test_types_with_mistakes_keep_the_names() -> None:
    broken = GAME.replace("c.rank == most", "c.rank == Ann").replace("players Ann, Bob\n", "players Ann, Bob, Ann\n")
    assert at(broken, "and @high(mine)").name == "high"


LOOKS = re.compile(rf"\b({'|'.join(LOOK_WORDS)})\b")


def blank(part: re.Match[str]) -> str:
    """As many blanks."""
    return " " * len(part.group())


@pytest.mark.parametrize("file", GAMES, ids=lambda file: file.stem)
def test_every_name_of_a_bundled_game_is_resolved(file: Path) -> None:
    """All words that are declared somewhere are resolved wherever they stand, but for words of the language, and for
    the coordinates of cells, and of looks."""
    text = file.read_text(encoding="utf-8")
    found = index(text)
    names = {symbol.name for symbol in found.symbols.values()}
    known = {*engine().keywords, *BUILT_IN_FUNCTIONS}
    code = re.sub(r'"[^"\n]*"|#[^\n]*', blank, text)
    code = re.sub(r"(?m)^drawn .*(\n +.*)*", lambda drawn: LOOKS.sub(blank, drawn.group()), code)
    for word in re.finditer(r"(?<!\.)\b[A-Za-z_]\w*", code):
        if word.group() in names - known:
            assert found.at(word.start()) is not None, (word.group(), code.count("\n", 0, word.start()) + 1)


def test_no_damage_to_a_text_is_too_much() -> None:
    """Every text of the corpora, right and wrong, cut off or with a part missing, has an index."""
    damage = random.Random(1)
    for text in EVERY:
        start = damage.randrange(len(text) + 1)
        for damaged in (text, text[:start], text[:start] + text[start + damage.randrange(1, 40) :]):
            assert index(damaged).source.text == damaged


# Renaming a name never changes what a text means.


RENAMING_GAMES = Path(__file__).parents[3] / "gamedefs"

RENAMING_GAME = """\
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
    there = renamed(RENAMING_GAME, name, "fresh")
    assert there.count("fresh") >= 2 and check(Source("x", there))[0] is not None
    assert renamed(there, "fresh", name) == RENAMING_GAME


@pytest.mark.parametrize("name", ["größe", "Δx", "手牌", "पत्ते"])
def test_a_name_may_be_of_any_script(name: str) -> None:
    there = renamed(RENAMING_GAME, "take", name)
    assert there.count(name) == 2 and check(Source("x", there))[0] is not None
    assert renamed(there, name, "take") == RENAMING_GAME


def test_both_forms_of_an_accent_are_places_of_a_name() -> None:
    text = RENAMING_GAME.replace("f in", "e\u0301 in").replace("f == apple", "\u00e9 == apple")
    assert renamed(text, "\u00e9", "f") == RENAMING_GAME


@pytest.mark.parametrize(
    ("name", "new", "code"),
    [
        ("left", "least", "duplicate-name"),  # two declarations
        ("n", "least", "shadowed-name"),
        ("n", "left", "wrong-kind-of-name"),  # left -= n would assign the argument
        ("left", "next", "reserved-name"),  # a word of the language
        ("left", "2nd", "syntax"),
        ("left", "re\u200dst", "syntax"),
        ("take", "\u0440\u0435\u0430r", "look-alike-name"),  # in Cyrillic letters, beside the member pear
        ("Fruit", "Player", "reserved-name"),
        ("least", "p", "type-mismatch"),  # 1..p would be the player
    ],
)
def test_a_name_that_would_change_the_meaning_is_refused(name: str, new: str, code: str) -> None:
    with pytest.raises(ZermeloError) as refused:
        renamed(RENAMING_GAME, name, new)
    assert refused.value.code == code


@pytest.mark.parametrize("game", ["kuhn_poker", "tic_tac_toe", "checkers", "beer_or_quiche", "chicken", "leduc_poker"])
def test_every_name_of_a_game_can_be_changed(game: str) -> None:
    text = (RENAMING_GAMES / f"{game}.game").read_text(encoding="utf-8")
    index = index_with_findings(Source("x", text))[0]
    for symbol in index.symbols.values():
        edited = text
        for place in reversed(places_to_rename(index, symbol, f"new_{symbol.name}")):
            edited = f"{edited[: place.start]}new_{edited[place.start :]}"
        game_then, findings = check(Source("x", edited))
        assert game_then is not None, (symbol.name, [finding.message for finding in findings.errors])
