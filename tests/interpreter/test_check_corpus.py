"""Files with known mistakes, and files without mistakes that use the whole language.

In ``bad/``, ``#!`` lines below a faulty line hold its findings, word by word; there must be no others."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from random_cases import many
from slips import FILES, Slip, every_slip, game_of
from told import codes, hold, untold

from zermelo.gamedefs import names, path
from zermelo.grammar.diagnostics import CODES, Source, Stage
from zermelo.interpreter.check import check

HERE = Path(__file__).parent
BAD = sorted((HERE / "bad").glob("*.game"))
SLIPS = every_slip()
GOOD = sorted((HERE / "good").glob("*.game"))
READING = {
    *("empty-file", "binary-file", "not-utf8", "file-too-large", "nested-too-deep", "other-format", "tab"),
    *("indentation", "never-closed", "unmatched-bracket", "missing-colon", "empty-block", "unterminated-text"),
    *("unknown-character", "syntax", "misspelled-keyword", "foreign-word", "equals-sign", "chained-comparison"),
    *("ambiguous-comparison", "unknown-language", "changed-meaning"),
}
"""The codes of the parser, which has its own tests."""


@pytest.mark.parametrize("file", BAD, ids=lambda file: file.stem)
def test_finds_what_is_wrong_and_nothing_else(file: Path) -> None:
    assert len(hold(file, lambda source: check(source)[1]))


@pytest.mark.parametrize("file", BAD, ids=lambda file: file.stem)
def test_there_is_a_model_exactly_where_there_is_no_error(file: Path) -> None:
    model, findings = check(Source(file.name, untold(file.read_text(encoding="utf-8"))))
    assert (model is None) == bool(findings.errors)


@pytest.mark.parametrize("file", GOOD, ids=lambda file: file.stem)
def test_finds_nothing_wrong_with_a_sound_file(file: Path) -> None:
    model, findings = check(Source(file.name, file.read_text(encoding="utf-8")))
    assert [(finding.span.line, finding.message) for finding in findings] == []
    assert model is not None


@pytest.mark.parametrize("name", names())
def test_finds_nothing_wrong_with_a_bundled_game(name: str) -> None:
    model, findings = check(Source(name, path(name).read_text(encoding="utf-8")))
    assert [(finding.span.line, finding.message) for finding in findings] == []
    assert model is not None


def test_every_code_of_the_checker_is_in_the_corpus() -> None:
    wanted = {code.name for code in CODES.values() if code.stage is Stage.CHECK} - READING
    assert wanted <= {code for file in BAD for code in codes(file)}


@pytest.mark.parametrize("slip", SLIPS, ids=lambda slip: slip.stem)
def test_a_likely_slip_is_told(slip: Slip) -> None:
    """Small games with one slip each, or two, as they may come from a student."""
    assert len(hold(slip, lambda source: check(source)[1]))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_nothing_is_wrong_with_a_game_without_its_slips(path: Path) -> None:
    assert list(check(Source(path.name, game_of(path)))[1]) == []


@pytest.mark.parametrize("second", ["range", "name"])
@pytest.mark.parametrize("slip", [slip for slip in SLIPS if slip.stem.startswith("nim_")], ids=lambda slip: slip.stem)
def test_two_mistakes_are_both_found(slip: Slip, second: str) -> None:
    """A slip, and another mistake in a declaration of its own: that is found as well, and nothing follows from both."""
    text = untold(slip.read_text(encoding="utf-8"))
    more = {"range": "var spare: 0..3 = 7\n", "name": "define spare = nowhere + 1\n"}[second]
    alone = {(finding.code, finding.message) for finding in check(Source("one", text))[1]}
    both = {(finding.code, finding.message) for finding in check(Source("two", text + more))[1]}
    wanted = {"range": "out-of-range", "name": "undefined-name"}[second]
    added = both - alone
    assert alone - both <= {found for found in alone if found[0] == "unused-name"}
    assert [code for code, _ in added if code != "unused-name"] in ([wanted], []), added
    if not any(code in ("tab", "missing-declaration") for code, _ in alone) and "players" not in slip.stem:
        assert wanted in [code for code, _ in added]


# For any change of a valid file the checker gives findings or a model.


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
