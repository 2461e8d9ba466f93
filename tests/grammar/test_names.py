"""Names: which characters they have, when two are the same, and which look alike."""

from __future__ import annotations

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zermelo.grammar import names
from zermelo.grammar.diagnostics import Findings, Source
from zermelo.grammar.engine import engine
from zermelo.grammar.layout import split_declarations
from zermelo.grammar.parse import parse

# ruff: noqa: RUF001 - names that look alike are what this is about


@pytest.mark.parametrize("name", ["größe", "Δx", "карта", "手牌", "पत्ते", "_", "é1", "e\u0301", "x٣"])
def test_letters_may_be_of_any_script(name: str) -> None:
    assert names.is_name(name) and names.name_at_beginning(f"{name}+1") == name


@pytest.mark.parametrize(
    "text", ["", "1x", "\u0301e", "x²", "col·lecció", "Fi\u200drm", "\u3164", "x\ufe0f", "♣", "a b"]
)
def test_what_is_no_name(text: str) -> None:
    assert not names.is_name(text)


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=4))
def test_a_name_is_an_identifier_of_python_that_can_be_seen(text: str) -> None:
    """Unicode's names of what is invisible, and Python's identifiers, are two independent sources."""
    said = " ".join(unicodedata.name(character, "") for character in text)
    if names.is_name(text):
        assert text.isidentifier() and names.is_name(names.normal(text))
        assert not any(word in said for word in ("VARIATION SELECTOR", "ZERO WIDTH", "FILLER", "MIDDLE DOT"))
    elif text.isidentifier():
        assert any(re.match(names.INVISIBLE, character) or character in "·\u0387" for character in text)


@given(st.text(st.sampled_from("aé²½ \u0301\u200d-ß手·_1"), max_size=8))
def test_a_text_becomes_a_name(text: str) -> None:
    near = names.as_name(text)
    assert near == "" or names.is_name(near)
    if names.is_name(names.normal(text)) and text.strip("_"):
        assert near == names.normal(text)


def test_an_accent_has_two_forms_and_is_one_name() -> None:
    tree, findings = parse(Source("x", 'game "x"\nplayers Zoe\u0308, Ann\ndefine b = Zoë\n'))
    assert tree is not None and not findings
    players, used = tree.declarations
    assert players.names[0].text == used.body.name == "Zo\u00eb"
    assert [players.names[1].span.column, used.span.line] == [15, 3]  # the text keeps its columns


def test_only_letters_of_different_alphabets_and_of_one_case_have_one_shape() -> None:
    """That they are confusable is what the standard says; that they are no other letters, its names of them."""
    for shape, letters in names._SHAPES.items():
        for letter in letters:
            assert names.shape(letter) == shape and names.alphabets(letter) != names.alphabets(shape)
            assert unicodedata.category(letter) == unicodedata.category(shape)
    assert len(names._SHAPE_OF) == sum(map(len, names._SHAPES.values()))


@pytest.mark.parametrize(
    ("name", "found"),
    [("paypal", ""), ("раypal", "ра"), ("Δx", ""), ("ΔX", ""), ("карта", ""), ("ΑΒΓ", ""), ("νmax", "ν"), ("Гα", "Г")],
)
def test_a_letter_in_disguise_is_found(name: str, found: str) -> None:
    assert "".join(names.disguised_letters(name)) == found


def test_accents_do_not_hide_that_names_look_alike() -> None:
    assert names.shape("Ёж") == names.shape("Ëж") == names.shape("E\u0308ж")


def test_the_lexer_reads_as_much_as_is_a_name() -> None:
    (chunk,) = split_declarations(Source("x", "define d = größe×2\n"))
    assert engine().progress(chunk) == len("define d = größe")
    (chunk,) = split_declarations(Source("x", "define d = größe*2\n"))
    assert engine().read(chunk, Findings(chunk.source)) is not None
