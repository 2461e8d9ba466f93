"""Tables of text: columns, widths, wrapping, and widths of characters in a terminal."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from zermelo.report.console import Paint, columns_of, fact_lines, table, wrap_text


def test_columns_are_as_wide_as_what_stands_in_them():
    assert table(("player", "value"), [("X", "0"), ("Yellow", "1/2")], 80) == "player  value\nX       0\nYellow  1/2"


def test_a_long_cell_wraps_at_blanks_and_the_word_before_it_does_not():
    shown = fact_lines([("sum", "zero"), ("moves by chance", "no, as far as the rules tell")], 30)
    assert shown.split("\n") == [
        "sum              zero",
        "moves by chance  no, as far as",
        "                 the rules",
        "                 tell",
    ]


def test_the_widest_column_gives_way_first():
    assert table(("a", "b"), [("one two", "one two three four")], 18).split("\n") == [
        "a        b",
        "one two  one two",
        "         three",
        "         four",
    ]


def test_no_word_is_broken_and_rows_that_do_not_fit_are_blocks():
    rows = [("move_rook(c5)", "one two three four"), ("", "≈ 0.25")]
    assert table(("a", "b"), rows, 28).split("\n") == [
        "a              b",
        "move_rook(c5)  one two three",
        "               four",
        "               ≈ 0.25",
    ]
    assert table(("a", "b"), rows, 18).split("\n") == [
        "a  move_rook(c5)",
        "b  one two three",
        "   four",
        "",
        "b  ≈ 0.25",
    ]
    assert fact_lines([("a", "one two/three/four five")], 10).split("\n") == ["a  one", "   two/three/four", "   five"]
    assert wrap_text("it is ≈ 0.25", 8) == ["it is", "≈ 0.25"]


def test_wide_characters_take_two_columns_and_others_drive_no_terminal():
    assert table(("a", "b"), [("日本", "x"), ("\x1b[1m", "y")], 80).split("\n") == ["a     b", "日本  x", "␛[1m  y"]


def test_only_heads_and_words_are_painted():
    paint = Paint(colour=True)
    assert table(("a",), [("x",)], 80, paint) == "\x1b[1ma\x1b[0m\nx"
    assert fact_lines([("a", "x")], 80, paint) == "\x1b[1ma\x1b[0m  x"


def test_nothing_is_shown_of_no_facts():
    assert fact_lines([], 80) == ""


@given(st.text(st.sampled_from("ab 日"), max_size=40), st.integers(2, 12))
def test_wrapping_keeps_all_but_blanks_and_the_width(text, width):
    lines = wrap_text(text, width)
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")
    assert all(len(columns_of(line).columns) <= width or " " not in line for line in lines)


def test_no_word_is_broken_however_narrow_the_terminal():
    heads = ("solver", "an equilibrium pays", "nodes", "proved between")
    rows = [("enhanced_alphabeta", "1/9 = 0.1111111111, heuristic", "1,234,567,890", "-0.123456789 and 0.123456789")]
    for width in (10, 20, 30, 40, 60):
        printed = table(heads, rows, width)
        assert {word for text in (*heads, *rows[0]) for word in text.split()} <= set(printed.split())
