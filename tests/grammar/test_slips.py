"""The corpus of slips: in every ``bad/*.game``, ``#!`` lines below a faulty line hold its findings, word by word."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from told import codes, hold, untold

from zermelo.grammar.diagnostics import Findings, Source
from zermelo.grammar.parse import parse

CORPUS = sorted((Path(__file__).parent / "bad").glob("*.game"))


def findings_of(text: str) -> Findings:
    return parse(Source("bad.game", text))[1]


@pytest.mark.parametrize("path", CORPUS, ids=lambda path: path.stem)
def test_the_corpus_gets_its_findings(path: Path) -> None:
    assert len(hold(path, lambda source: parse(source)[1]))


def test_the_corpus_is_large() -> None:
    assert sum(len(codes(path)) for path in CORPUS) >= 100


@pytest.mark.parametrize("path", CORPUS, ids=lambda path: path.stem)
def test_a_fix_mends_what_it_is_offered_for(path: Path) -> None:
    """With a fix applied, its finding is gone, and there is no new finding before it."""
    text = untold(path.read_text(encoding="utf-8"))
    findings = findings_of(text)
    for finding in findings:
        if finding.fix is not None:
            span = finding.fix.span
            mended = findings_of(text[: span.start] + finding.fix.replacement + text[span.end :])
            assert len(mended) < len(findings), finding


@pytest.mark.parametrize("path", CORPUS, ids=lambda path: path.stem)
def test_no_message_speaks_of_the_parser(path: Path) -> None:
    for finding in findings_of(untold(path.read_text(encoding="utf-8"))):
        said = f"{finding.message} {finding.help} {finding.remark}"
        assert not re.search(r"token|_NL|INDENT|\$END|[A-Z]{3,}|expected one of|terminal", said.replace("NAME", "")), (
            said
        )


@pytest.mark.parametrize(
    ("text", "excerpt", "message", "replacement"),
    [
        ("setup:\n    x = 3\n", "=", "'=' says what a name means; ':=' gives a variable a new value", ":="),
        ("phase p:\n    trun A:\n        move m: end\n", "trun", "'trun' is not a word that can come here", "turn"),
        ("phase p:\n    turn A\n        move m: end\n", "A", "a colon is missing at the end of this line", ":"),
        ("define f = a && b\n", "&&", "'&&' means nothing here", "and"),
        ("define f = g(1 2)\n", "2", "a comma is missing before '2'", ","),
        ("setup:\n    tell p captured(c)\n", "captured", "'that' is missing before 'captured'", " that "),
        ('define f = "a\n', '"a', "this quoted text is not closed", None),
        ("define f = (1\n", "(", "this '(' is never closed", None),
        ("define f = 3 $ 4\n", "$", "the character '$' means nothing here", None),
        ("setup:\n    end win\n", "win", "something is missing after 'win'", None),
        ("setup:\n    return 3\n", "return", "there is no 'return' in this language", None),
        ("var x = 3\n", "x", "the type of 'x' is missing", None),
        ("if x: end\n", "if", "'if' cannot stand here", None),
    ],
)
def test_messages(text: str, excerpt: str, message: str, replacement: str | None) -> None:
    (finding,) = findings_of(f'game "test"\n{text}')
    assert finding.source.excerpt(finding.span) == excerpt
    assert finding.message == message
    assert (finding.fix.replacement if finding.fix else None) == replacement


def test_a_chained_comparison_shows_both() -> None:
    (finding,) = findings_of('game "test"\ndefine f = 1 < x <= 3\n')
    assert finding.source.excerpt(finding.span) == "<="
    assert [finding.source.excerpt(label.span) for label in finding.labels] == ["<"]


def test_moves_that_are_chosen_together_have_no_effects() -> None:
    (finding,) = findings_of('game "test"\nphase a:\n    together:\n        move bid(n in 1..3):\n            x := n\n')
    assert finding.source.excerpt(finding.span) == ":"
    assert "bid[p]" in finding.help


def test_spans_point_into_the_text_as_it_is_even_behind_a_repair() -> None:
    (first, second) = findings_of('game "test"\ndefine f = a && b || c\n')
    assert (first.span.column, second.span.column) == (14, 19)
