"""Indentation: blocks, continuations, brackets, and mistakes in them."""

from __future__ import annotations

import pytest

from zermelo.grammar.diagnostics import Source
from zermelo.grammar.layout import cut
from zermelo.grammar.parse import parse


def tree_of(text: str) -> str:
    """The tree of a text, as it is shown."""
    tree, findings = parse(Source("test", f'game "test"\n{text}'))
    assert tree is not None, list(findings)
    return repr(tree)


def findings_of(text: str) -> list[tuple[str, int, int]]:
    _, findings = parse(Source("test", text))
    return [(finding.code, finding.span.line, finding.span.column) for finding in findings]


REFERENCE = "setup:\n    if a and b: x := f(1, 2)\n    else:\n        y := 1 + 2\n        z := 3\n"


@pytest.mark.parametrize(
    "text",
    [
        "setup:\n  if a and b: x := f(1, 2)\n  else:\n     y := 1 + 2\n     z := 3\n",
        "setup:\n    if a\n        and b: x := f(1, 2)\n    else:\n        y := 1\n            + 2\n        z := 3\n",
        "setup:\n    if a and b: x := f(\n        1,\n     2)\n    else:\n        y := 1 + 2\n        z := 3\n",
        "setup: # one\n\n# two\n    if a and b:\n        # three\n        x := f(1, 2)\n    # four\n"
        "    else:\n  # five\n        y := 1 + 2\n\n\n        z := 3",
        "setup:\r\n    if a and b: x := f(1, 2)\r\n    else:\r\n        y := 1 + 2\r\n        z := 3\r\n",
        "setup:   \n    if a and b: x := f(1, 2)   \n    else:\n        y := 1 + 2\n        z := 3\n   ",
        "setup:\n    if a and b: x := f(1, # one\n # two\n        2)\n    else:\n        y := 1 + 2\n        z := 3\n",
    ],
)
def test_layouts_that_mean_the_same(text: str) -> None:
    assert tree_of(text) == tree_of(REFERENCE)


def test_a_closing_bracket_may_stand_at_the_left_margin() -> None:
    assert tree_of("define f = {\n    a,\n    b\n}\n") == tree_of("define f = {a, b}\n")


def test_rows_of_a_table_are_flat() -> None:
    flush_right = "table:\n    A \\ B | x | y\n       up | 1 | 2\n  further | 3 | 4\n"
    assert tree_of(flush_right) == tree_of("table:\n    A \\ B | x | y\n    up | 1 | 2\n    further | 3 | 4\n")


def test_the_text_is_cut_at_the_left_margin() -> None:
    source = Source("test", '# head\ngame "x"\n\nsetup:\n    a := (\n1\n)\n# tail\nplayers A')
    assert [(chunk.text.split("\n")[0], chunk.start, chunk.line) for chunk in cut(source)] == [
        ('game "x"', 7, 2),
        ("setup:", 17, 4),
        ("1", 35, 6),
        ("players A", 46, 9),
    ]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("setup:\n        x := 1\n    y := 2\n", ("indentation", 3, 5)),
        ("setup:\n    if a:\n        x := 1\n      y := 2\n", ("indentation", 4, 7)),
        ("setup:\n    x := 1\n      y := 2\n", ("indentation", 3, 7)),
        ("setup:\n    if a:\n    y := 2\n", ("empty-block", 2, 9)),
        ("setup:", ("empty-block", 1, 6)),
        ("setup:\n    x := (1\n    y := 2\n", ("never-closed", 2, 10)),
        ("setup:\n    x := (1\n", ("never-closed", 2, 10)),
        ("setup:\n    x := 1)\n", ("unmatched-bracket", 2, 11)),
        ("setup:\n    x := (1]\n", ("unmatched-bracket", 2, 12)),
        (")\n", ("unmatched-bracket", 1, 1)),
    ],
)
def test_mistakes_of_layout(text: str, found: tuple[str, int, int]) -> None:
    code, line, column = found
    assert findings_of(f'game "test"\n{text}') == [(code, line + 1, column)]


def test_the_first_line_stands_at_the_left_margin() -> None:
    assert findings_of('\n  game "test"\nplayers A\n') == [("indentation", 2, 3)]


def test_a_mismatched_bracket_shows_what_it_should_close() -> None:
    _, findings = parse(Source("test", 'game "test"\ndefine f = (1]\n'))
    (finding,) = findings
    assert [finding.source.excerpt(label.span) for label in finding.labels] == ["("]
