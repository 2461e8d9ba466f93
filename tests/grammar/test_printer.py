"""Random trees print to text that parses to the same tree."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from printer import print_expression, print_game
from random_cases import many
from random_syntax import expressions, games
from reading import read_expression

from zermelo.grammar import syntax
from zermelo.grammar.diagnostics import Source
from zermelo.grammar.parse import parse


@settings(max_examples=many(150))
@given(expressions)
def test_an_expression_survives_printing(expression: syntax.Expression) -> None:
    text = print_expression(expression)
    again, findings = read_expression(text)
    assert (repr(again), list(findings)) == (repr(expression), []), text


@pytest.mark.filterwarnings("ignore:Generating overly large repr")  # of the strategies, which are never printed
@settings(max_examples=many(150))
@given(games())
def test_a_game_survives_printing(game: syntax.GameFile) -> None:
    text = print_game(game)
    again, findings = parse(Source("printed", text))
    assert (repr(again), list(findings)) == (repr(game), []), text


@pytest.mark.parametrize(
    "text",
    [
        "a or b and not c == d",
        "(a or b) and c",
        "not a == b",
        "(not a) == b",
        "q + 1..6",
        "q + (1..6)",
        "a - b - c",
        "a - (b - c)",
        "-a * b",
        "-(a * b)",
        "other other p",
        "next next p in S",
        "next p in S == q",
        "(next p) in S",
        "a and some x in S: P or Q",
        "(some x in S: P) or Q",
        "f((a where u = 1, v = 2), b)",
        "some x in S: P where u = 1",
        "(some x in S: P) where u = 1",
        "if a then b else if c then d else e",
        "{x in ray(c, d) while board[x] is none if x != c for y in S}",
        "{a: 1, b: 2}[s]",
        "board[e].kind.name",
        "1.5..2.25",
        "x not in S",
        "x is not none",
    ],
)
def test_brackets_stand_only_where_they_are_needed(text: str) -> None:
    expression, findings = read_expression(text)
    assert expression is not None, list(findings)
    assert print_expression(expression) == text
