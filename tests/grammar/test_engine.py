"""The tables of the parser: free of conflicts, and kept in a cache that may fail."""

from __future__ import annotations

import logging
from pathlib import Path

import lark
import pytest

from grammar import engine as module
from grammar.diagnostics import Findings
from grammar.engine import STARTS, Engine, engine, grammar_text
from grammar.layout import Layout, cut
from grammar.source import Source
from grammar.words import FOREIGN_WORDS, NOT_NEEDED, PLACES, RESERVED


@pytest.fixture
def cache_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache folder of its own, and no engine yet."""
    monkeypatch.setenv("ZERMELO_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(module, "engine", module.engine.__wrapped__)
    return tmp_path / "cache"


def works(made: Engine) -> bool:
    (chunk,) = cut(Source("test", "players A, B\n"))
    return bool(made.read(chunk, Findings(chunk.source)))


def test_the_grammar_has_no_conflicts(caplog: pytest.LogCaptureFixture) -> None:
    """lark resolves a conflict of shift and reduce silently, and only its debug log tells."""
    with caplog.at_level(logging.DEBUG, logger="lark"):
        lark.Lark(grammar_text(), parser="lalr", start=list(STARTS), keep_all_tokens=True, postlex=Layout())
    assert [record.getMessage() for record in caplog.records if "conflict" in record.getMessage()] == []


def test_tables_are_made_once_and_kept(cache_folder: Path) -> None:
    assert works(module.engine())
    (file,) = cache_folder.iterdir()
    made = file.stat().st_ino
    assert works(module.engine())
    assert [path.stat().st_ino for path in cache_folder.iterdir()] == [made]


def test_a_damaged_cache_is_replaced(cache_folder: Path) -> None:
    module.engine()
    (file,) = cache_folder.iterdir()
    whole = file.read_bytes()
    file.write_bytes(whole[: len(whole) // 2])
    assert works(module.engine())
    assert file.stat().st_size > len(whole) // 2


def test_without_a_cache_the_tables_are_made_each_time(cache_folder: Path) -> None:
    cache_folder.write_text("a file where the folder should be", encoding="utf-8")
    assert works(module.engine())


def test_all_words_that_messages_speak_of_are_words_of_the_language() -> None:
    keywords = set(engine().keywords)
    assert keywords >= RESERVED
    assert keywords >= PLACES.keys()
    assert all(
        set(ours.split()) <= keywords for words in FOREIGN_WORDS.values() for ours in words if ours[:1].isalpha()
    )
    assert not NOT_NEEDED.keys() & (keywords - {"while"})
