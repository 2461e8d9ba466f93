"""Files with known mistakes, and files without mistakes that use the whole language.

In ``bad/``, ``#! code`` at the end of a line lists its findings; there must be no others.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from zermelo.gamedefs import names, path
from zermelo.grammar.codes import CODES, Stage
from zermelo.grammar.source import Source
from zermelo.interpreter.check import check

HERE = Path(__file__).parent
BAD = sorted((HERE / "bad").glob("*.game"))
GOOD = sorted((HERE / "good").glob("*.game"))
READING = {
    *("empty-file", "binary-file", "not-utf8", "file-too-large", "nested-too-deep", "other-format", "tab"),
    *("indentation", "never-closed", "unmatched-bracket", "missing-colon", "empty-block", "unterminated-text"),
    *("unknown-character", "syntax", "misspelled-keyword", "foreign-word", "equals-sign", "chained-comparison"),
    *("ambiguous-comparison",),
}
"""The codes of the parser, which has its own tests."""


def expected(text: str) -> list[tuple[int, str]]:
    return sorted(
        (number, code)
        for number, line in enumerate(text.splitlines(), start=1)
        if "#!" in line
        for code in line.split("#!")[1].split()
    )


@pytest.mark.parametrize("file", BAD, ids=lambda file: file.stem)
def test_finds_what_is_wrong_and_nothing_else(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    _, findings = check(Source(file.name, text))
    assert sorted((finding.span.line, finding.code) for finding in findings) == expected(text)


@pytest.mark.parametrize("file", BAD, ids=lambda file: file.stem)
def test_there_is_a_model_exactly_where_there_is_no_error(file: Path) -> None:
    model, findings = check(Source(file.name, file.read_text(encoding="utf-8")))
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
    codes = {code.name for code in CODES.values() if code.stage is Stage.CHECK} - READING
    assert codes <= {code for file in BAD for _, code in expected(file.read_text(encoding="utf-8"))}
