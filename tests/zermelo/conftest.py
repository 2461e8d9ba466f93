"""Commands run in this process, and spans of pieces of text."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from typing import Any

import pytest
from attrs import frozen

from zermelo.cli import main
from zermelo.grammar.diagnostics import Span
from zermelo.grammar.reading import position


@frozen
class Ran:
    """The output of a command, and its exit code."""

    code: int
    out: str
    err: str

    @property
    def record(self) -> Any:
        """The output, as JSON."""
        return json.loads(self.out)


@pytest.fixture
def run(capsys, monkeypatch) -> Callable[..., Ran]:
    """Runs a command line in this process; ``typed`` is its standard input. The terminal is 100 columns wide."""
    monkeypatch.setenv("COLUMNS", "100")

    def run_command(*words: str, typed: bytes | str = b"") -> Ran:
        data = typed.encode() if isinstance(typed, str) else typed
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
        code = main(words)
        return Ran(code, *capsys.readouterr())

    return run_command


@pytest.fixture
def game_file(tmp_path, monkeypatch) -> Callable[[str], str]:
    """Writes a text to ``test.game`` in a new current folder; gives the file's name."""
    monkeypatch.chdir(tmp_path)

    def write(text: str) -> str:
        (tmp_path / "test.game").write_text(text, encoding="utf-8")
        return "test.game"

    return write


@pytest.fixture(scope="session")
def piece() -> Callable[..., Span]:
    """The span of the n-th occurrence (from 0) of a piece of a text."""

    def find(text: str, piece: str, n: int = 0) -> Span:
        start = -1
        for _ in range(n + 1):
            start = text.index(piece, start + 1)
        return position(text, start, start + len(piece))

    return find
