"""For any change of a valid file the checker gives findings or a model."""

from __future__ import annotations

import re
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from random_cases import many

from zermelo.gamedefs import names, path
from zermelo.grammar.diagnostics import Source
from zermelo.interpreter.check import check

WORD = re.compile(r"[A-Za-z_]\w*|\d+(?:\.\d+)?|[^\sA-Za-z_0-9]+")
TEXTS = [path(name).read_text(encoding="utf-8") for name in names()]
TEXTS += [file.read_text(encoding="utf-8") for file in sorted((Path(__file__).parent / "good").glob("*.game"))]
OTHER_WORDS = ["none", "Player", "true", "{}", "(1, 2)", "north", "stuck", "0", "-1", "1/3", "0.1667", "999999999"]


def without_word(text: str, draw: st.DrawFn) -> str:
    word = draw(st.sampled_from(list(WORD.finditer(text))))
    return text[: word.start()] + text[word.end() :]


def with_word_twice(text: str, draw: st.DrawFn) -> str:
    word = draw(st.sampled_from(list(WORD.finditer(text))))
    return f"{text[: word.end()]} {text[word.start() :]}"


def with_another_word(text: str, draw: st.DrawFn) -> str:
    """The text with a word replaced by another one of it, or by one that fits almost anywhere."""
    words = list(WORD.finditer(text))
    word = draw(st.sampled_from(words))
    other = draw(st.one_of(st.sampled_from(words).map(lambda found: found.group()), st.sampled_from(OTHER_WORDS)))
    return text[: word.start()] + other + text[word.end() :]


def without_line(text: str, draw: st.DrawFn) -> str:
    lines = text.split("\n")
    del lines[draw(st.integers(0, len(lines) - 1))]
    return "\n".join(lines)


def with_lines_swapped(text: str, draw: st.DrawFn) -> str:
    lines = text.split("\n")
    a, b = draw(st.integers(0, len(lines) - 1)), draw(st.integers(0, len(lines) - 1))
    lines[a], lines[b] = lines[b], lines[a]
    return "\n".join(lines)


EDITS = [without_word, with_word_twice, with_another_word, with_another_word, without_line, with_lines_swapped]


@st.composite
def edited_files(draw: st.DrawFn) -> str:
    text = draw(st.sampled_from(TEXTS))
    for _ in range(draw(st.integers(1, 3))):
        text = draw(st.sampled_from(EDITS))(text, draw)
    return text


@settings(max_examples=many(200), suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(edited_files())
def test_an_edited_file_gives_findings_or_a_model(text: str) -> None:
    model, findings = check(Source("edited.game", text))
    assert (model is None) == bool(findings.errors)
    for finding in findings:
        assert 0 <= finding.span.start <= finding.span.end <= len(text) + 1
        assert finding.message
