"""The meanings of words, for people who point at one."""

from __future__ import annotations

import pytest

from zermelo.grammar.words import vocabulary
from zermelo.interpreter.elaboration.names import BUILT_IN_FUNCTIONS
from zermelo.language_server.words import WORDS, word_at, word_markdown


def test_every_word_of_the_grammar_and_every_function_has_a_meaning():
    known = vocabulary()
    words = {*known.declarations, *known.constants, *known.operators, *known.types, *known.others}
    assert WORDS.keys() == words | BUILT_IN_FUNCTIONS | {"stuck"}


@pytest.mark.parametrize("word", WORDS)
def test_a_form_has_its_word(word):
    form, meaning = WORDS[word]
    assert word in form.replace("(", " ").replace(":", " ").replace(",", " ").split() or word == "player"
    assert meaning.endswith(".") and form in word_markdown(word)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("    tu|rn p:", (4, "turn")),
        ("|turn p:", (0, "turn")),
        ("turn| p:", None),
        ("var turns|_left: 0..3", None),
        ("x := 1  # no tu|rn here", None),
        ('game "A tu|rn"', None),
        ("go play(ot|her p)", (8, "other")),
        ("\nphase pl|ay:\n", (7, "play")),
        ("end d|raw", (4, "draw")),
        ("|", None),
    ],
)
def test_the_word_at_a_place(text, found):
    assert word_at(text.replace("|", ""), text.index("|")) == found
