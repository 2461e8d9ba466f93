"""The stages of the analysis find what the checker finds, in every file of the corpora, also if it is cut off."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("pygls")  # an extra of its own: pip install -e '.[dev]'

from zermelo.grammar.source import Source
from zermelo.interpreter.extremes import check_at_extremes
from zermelo.language_server.analysis import checked, checked_at_extremes, read

ROOT = Path(__file__).parents[3]
FILES = [
    file for folder in ("gamedefs", "tests/interpreter", "tests/grammar") for file in (ROOT / folder).rglob("*.game")
]
SMALL = [file for file in FILES if file.stat().st_size < 4000]


@pytest.mark.parametrize("part", range(8))
def test_the_stages_find_what_the_checker_finds(part: int) -> None:
    for file in SMALL[part::8]:
        text = file.read_bytes().decode("utf-8", errors="replace")
        for written in (text, text[: len(text) * 2 // 3]):
            source = Source(file.name, written)
            found = checked_at_extremes(checked(read(source)))
            assert list(found) == list(check_at_extremes(source)), file
