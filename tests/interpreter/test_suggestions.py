"""Did you mean ...: names that a person may have meant, and no others."""

from __future__ import annotations

import pytest

from zermelo.grammar.diagnostics import nearest, slips_between


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("others", "other"), ("boad", "board"), ("widht", "width"), ("nxet", "next"), ("plyer", "player"),
        ("neighbors", "neighbours"), ("tictactoe", "tic_tac_toe"), ("ches", "chess"), ("alfabeta", "alphabeta"),
        ("minmax", "minimax"), ("red", "rad"), ("BOB", "Bob"), ("x", "X"),
    ],
)  # fmt: skip
def test_slips(written, meant):
    assert nearest(written, ["southwest", "unlike_all_of_them", meant]) == meant


@pytest.mark.parametrize(
    ("written", "other"),
    [("others", "southwest"), ("X", "O"), ("a1", "b1"), ("sum", "win"), ("len", "line"), ("a" * 61, "a" * 60)],
)
def test_words_that_are_only_somewhat_alike(written, other):
    assert nearest(written, [other]) is None


def test_the_fewest_slips_count_and_then_the_order():
    assert nearest("caled", ["called", "calm", "caller"]) == "called"
    assert nearest("hand", ["band", "land"]) == "band"
    assert nearest("hand", []) is None


@pytest.mark.parametrize(
    ("written", "meant", "slips"),
    [("", "abc", 3), ("abc", "abc", 0), ("ba", "ab", 1), ("kitten", "sitting", 3), ("ca", "abc", 3)],
)
def test_slips_between_words(written, meant, slips):
    """The figures are those of the literature; of ``ca`` and ``abc``, what sets the restricted distance apart."""
    assert slips_between(written, meant) == slips_between(meant, written) == slips
