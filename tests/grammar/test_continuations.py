"""The words that the grammar admits at the end of an unfinished text."""

from __future__ import annotations

import pytest

from zermelo.grammar.continuations import continuation

BEFORE = """\
game "G"
players Ann, Bob
phase first:
    turn Ann:
"""


@pytest.mark.parametrize(
    ("text", "some", "none", "is_name"),
    [
        ("", {"phase", "var", "define", "game"}, {"turn", "if"}, False),
        ("ph", {"phase"}, {"turn"}, False),
        ("claim ", {"zero_sum", "terminates"}, {"phase"}, False),
        ("var x: ", {"grid", "set"}, {"if", "go"}, True),
        ("define f = ", {"some", "if", "match"}, {"go", "grid"}, True),
        ("define f = 1 ", {"where", "or"}, {"if"}, False),
        ("phase next:\n    ", {"turn", "chance", "go"}, {"move", "phase"}, True),
        (BEFORE + "        ", {"move"}, {"go"}, False),
        (BEFORE + "        move a: ", {"go", "end", "if"}, {"turn"}, True),
        (BEFORE + "        move a: end ", {"win", "draw", "payoff"}, {"go"}, False),
        (BEFORE + "        move a: go ", set(), {"win"}, True),
        (BEFORE + "        move a: go b\n        m", {"move"}, {"go"}, False),
    ],
)
def test_the_grammar_says_what_may_come(text: str, some: set[str], none: set[str], is_name: bool) -> None:
    found = continuation(text)
    assert some <= set(found.words) and not none & set(found.words)
    assert found.is_name == is_name


def test_after_a_mistake_the_line_counts_alone() -> None:
    assert "win" in continuation(BEFORE + "        mov a:\n        move b: end ").words


def test_letters_before_the_end_are_not_read() -> None:
    assert continuation("phase a:\n    tur").begun == "tur"


@pytest.mark.parametrize("text", ['game "', "\t", ")", "x\x00", 'test "t', "  \n#", "# comment", "var x: 1.."])
def test_any_text_has_an_answer(text: str) -> None:
    assert isinstance(continuation(text).words, tuple)
