"""What comes to light without being meant to, and what is revealed."""

from __future__ import annotations

from pathlib import Path

import pytest

import zermelo
from zermelo.grammar.diagnostics import Source
from zermelo.interpreter.check import check

FOLDER = Path(__file__).parents[2] / "trial" / "secrets"

CARD = """
game "A card"
players Ann, Bob, Cy
type Card = low | high
var card: Card   hidden
var hand[Player]: Card   private
var shown: Card? = none
start at deal
phase deal:
    chance:
        outcome deal(c in Card, d in Card):
            card := c
            hand[Ann] := d
            go play
phase play:
    turn Ann:
        move show:
            REVEAL
            shown := VALUE
            go guess
phase guess:
    turn Bob:
        move guess(c in Card):
            if shown == c or card == c: end win Bob
            end win {Ann, Cy}
"""


def warnings(text: str) -> list[str]:
    _, findings = check(Source("test.game", text))
    return [finding.code for finding in findings]


@pytest.mark.parametrize("file", ["leak1", "leak2", "leak3", "leak4", "openphase"])
def test_each_way_of_betraying_is_found(file):
    assert warnings((FOLDER / f"{file}.game").read_text(encoding="utf-8")) == ["betrays-hidden"]


def test_a_card_that_its_variable_shows_later_is_no_betrayal():
    assert warnings((FOLDER / "reveal.game").read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    ("reveal", "value", "is_betrayed"),
    [
        ("reveal card", "card", False),
        ("reveal card == low", "card", True),
        ("reveal hand[Ann]", "card", True),
        ("reveal card to Bob", "card", True),
        ("reveal card to {Bob, Cy}", "card", True),  # Ann has not been told
        ("reveal hand[Ann] to {Bob, Cy}", "hand[Ann]", False),  # Ann knows
        ("reveal hand[Ann] to Bob", "hand[Ann]", True),
        ("tell Player that it_is(card)", "card", False),
        ("let c = card", "c", True),
        ("let c = card", "(if c == low then low else high)", False),
    ],
)
def test_what_everybody_has_been_told_is_not_betrayed(reveal, value, is_betrayed):
    found = warnings(CARD.replace("REVEAL", reveal).replace("VALUE", value))
    assert ("betrays-hidden" in found) == is_betrayed


@pytest.mark.parametrize(
    ("change", "is_betrayed"), [("", False), ("hand[Bob] := card", True), ("card := hand[Bob]", False)]
)
def test_what_was_told_of_all_entries_is_past_when_one_has_changed(change, is_betrayed):
    reveal = "\n            ".join(["for q in Player: reveal hand[q]", *filter(None, [change])])
    found = warnings(CARD.replace("REVEAL", reveal).replace("VALUE", "hand[Bob]"))
    assert ("betrays-hidden" in found) == is_betrayed


@pytest.mark.parametrize("machine", ["reference", "native"])
def test_revealing_tells_the_words_the_indices_and_the_value(machine):
    text = CARD.replace("REVEAL", "for p in {Ann}: reveal hand[p] to {Bob}").replace("VALUE", "none")
    state = zermelo.loads(text).on(machine).initial.after("deal(low, high)").after("show")
    assert "told hand_p(Ann, high)" in map(str, state.information_state("Bob"))
    assert not any("told" in str(seen) for seen in state.information_state("Cy"))


def test_a_guard_may_read_a_size_that_was_revealed_on_entry():
    text = (FOLDER.parents[1] / "interpreter" / "good" / "revealed.game").read_text(encoding="utf-8")
    assert warnings(text) == []
    assert warnings(text.replace("    reveal size(deck)\n    let left", "    let left")) == [
        *("guard-reads-hidden", "betrays-hidden", "betrays-hidden")
    ]


@pytest.mark.parametrize(("first", "second", "found"), [("secret ", "", 0), ("", "secret ", 1), ("", "", 0)])
def test_a_choice_is_as_secret_as_in_its_own_phase(first, second, found):
    """A move of the same name in another phase says nothing of it."""
    text = f"""
game "Two rounds"
players Ann, Bob
var shown: 0..1? = none
start at one
phase one:
    together:
        move show({first}t in 0..1)
    then:
        go two
phase two:
    together:
        move show({second}t in 0..1)
    then:
        shown := show[Ann].t
        if shown == show[Bob].t: end win Ann
        end win Bob
"""
    _, findings = check(Source("two.game", text))
    assert [finding.code for finding in findings.found] == ["betrays-hidden"] * found
