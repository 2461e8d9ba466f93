"""The lark parser: its tables, made once and kept, and the reading of one declaration.

Making the tables from ``game.lark`` takes about a second, loading them some hundredths of one. So they are kept in the
user's cache folder, under a name that changes with the grammar, lark and Python. A cache that cannot be written or read
only costs time.
"""

from __future__ import annotations

import hashlib
import os
import sys
import tempfile
from functools import cache
from importlib import resources
from pathlib import Path
from threading import Lock
from typing import Literal

import lark

from grammar.builder import Builder
from grammar.diagnostics import Findings
from grammar.layout import Chunk, Layout
from grammar.syntax import Node

Start = Literal["declaration", "expression", "played_move"]
STARTS: tuple[Start, ...] = ("declaration", "expression", "played_move")


class Engine:
    """A parser for one declaration (or another ``start`` of the grammar) at a time.

    lark calls one layout filter and one builder, which must know what is being read; a lock keeps threads apart.
    """

    def __init__(self, cache_file: str | None = None) -> None:
        self._lock = Lock()
        self.layout = Layout()
        self._builder = Builder()
        self._lark = lark.Lark(
            grammar_text(),
            parser="lalr",
            start=list(STARTS),
            keep_all_tokens=True,
            postlex=self.layout,
            transformer=self._builder,
            cache=cache_file or False,
        )

    def read(self, chunk: Chunk, findings: Findings, start: Start = "declaration") -> Node:
        """The tree of a chunk.

        Raises Mistake where the layout is wrong, and lark's UnexpectedInput where the grammar does not go on.
        """
        with self._lock:
            self.layout.chunk = self._builder.chunk = chunk
            self._builder.findings = findings
            tree = self._lark.parse(chunk.text, start=start)
            assert isinstance(tree, Node)
            return tree


def grammar_text() -> str:
    return resources.files("grammar").joinpath("game.lark").read_text(encoding="utf-8")


@cache
def engine() -> Engine:
    """The one engine of this process."""
    file = _cache_file()
    if file is None or file.exists():
        return Engine(str(file) if file else None)
    try:
        with tempfile.TemporaryDirectory(dir=file.parent) as folder:
            fresh = Path(folder, file.name)
            made = Engine(str(fresh))
            os.replace(fresh, file)
    except OSError:
        return Engine()
    return made


def _cache_file() -> Path | None:
    """Where the tables are kept; None where there is no such place."""
    version = "\n".join([grammar_text(), lark.__version__, sys.version])
    name = f"tables-{hashlib.sha256(version.encode()).hexdigest()[:16]}"
    try:
        base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
        folder = Path(base, "zermelo")
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, RuntimeError):
        return None
    return folder / name
