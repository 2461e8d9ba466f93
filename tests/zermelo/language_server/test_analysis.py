"""The stages of the analysis find what the checker finds, in every file of the corpora, also if it is cut off."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from slips import every_slip

from zermelo.grammar.diagnostics import Source
from zermelo.grammar.reading import LARGEST
from zermelo.language_server import documents
from zermelo.language_server.documents import FirstLook, TextPlaces, check_further, check_text, read
from zermelo.language_server.protocol import Position
from zermelo.loading import check_source
from zermelo.solvers.validation import first_positions

ROOT = Path(__file__).parents[3]
FOLDERS = ("gamedefs", "tests/interpreter", "tests/grammar", "tests/trial/robust")
FILES = [file for folder in FOLDERS for file in (ROOT / folder).rglob("*.game")]
SMALL = [
    *(file.read_bytes().decode("utf-8", errors="replace") for file in FILES if file.stat().st_size < 4000),
    *(slip.read_text(encoding="utf-8") for slip in every_slip()),
]


@pytest.mark.parametrize("part", range(8))
def test_the_stages_find_what_the_checker_finds(part: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(first_positions, "WORK", 3 * first_positions.MOVE)
    for text in SMALL[part::8]:
        for written in (text, text[: len(text) * 2 // 3]):
            source = Source("small.game", written)
            found = check_further(check_text(read(source)))
            assert list(found) == list(check_source(source, {})), text


@pytest.mark.parametrize("notation", ["tree:\n    A: 1\n", "table:\n    A \\ B | l\n    u     | 1\n"])
@pytest.mark.parametrize(
    "line",
    ["never in decide if true", "reachable in decide", "claim terminates by {decide: 1}", "expect never in decide"],
)
def test_phases_beside_another_notation_can_be_named(notation: str, line: str) -> None:
    text = f'game "x"\nplayers A, B\nphase decide:\n    turn A:\n        move m: end draw\n{notation}{line}\n'
    source = Source("twice.game", text)
    found = check_further(check_text(read(source)))
    assert [finding.code for finding in found] == [finding.code for finding in check_source(source, {})]
    assert "duplicate-name" in {finding.code for finding in found} or found.errors


def test_an_analysis_that_fails_is_a_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(source: Source) -> FirstLook:
        raise KeyError(source.name)

    monkeypatch.setattr(documents, "read", failing)
    published: list[tuple[int, list[str]]] = []

    async def edit() -> None:
        open = documents.Documents(lambda _, version, found: published.append((version, [each.code for each in found])))
        open.change("file:///one.game", 1, "game")
        assert await open.names("file:///one.game") is None
        found = await open.findings("file:///one.game")
        assert found is not None and [each.code for each in found] == ["internal-error"]
        open.stop()

    asyncio.run(edit())
    assert published == [(1, ["internal-error"])]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32"])
def test_a_place_counts_in_the_units_of_the_editor(encoding: str) -> None:
    text = 'game "🂡 é"  # 🂡🂱\nplayers Ann, Bob\n'
    sizes = {"utf-8": lambda part: len(part.encode()), "utf-16": lambda part: len(part.encode("utf-16-le")) // 2}
    size = sizes.get(encoding, len)
    places = TextPlaces(Source("cards.game", text), encoding)
    for offset in range(len(text)):
        before = text[:offset]
        here = Position(before.count("\n"), size(before[before.rfind("\n") + 1 :]))
        assert places.offset_of(here) == offset


def test_a_text_that_is_too_large_is_refused_before_anybody_looks_into_it() -> None:
    look = read(Source("large.game", 'game "x"\n' + "#" * LARGEST))
    assert [finding.code for finding in look.findings] == ["file-too-large"]
    assert (look.index.source.text, look.findings.source.text) == ("", "")
