"""The lark parser: its tables, made once and kept, and the reading of one declaration.

Making the tables from ``game.lark`` takes about a second, loading them some hundredths of one.
"""

from __future__ import annotations

import pickle
import sys
from collections.abc import Callable
from functools import cache, cached_property
from io import BytesIO
from pathlib import Path
from threading import RLock
from typing import Literal

import lark

from grammar import disk_cache
from grammar.builder import Builder
from grammar.diagnostics import Findings
from grammar.layout import Chunk, Layout
from grammar.lexer import Lexer
from grammar.mistake import Mistake
from grammar.syntax import Node

Start = Literal["declaration", "expression", "played_move"]
STARTS: tuple[Start, ...] = ("declaration", "expression", "played_move")


class Engine:
    """A parser for one declaration (or another ``start`` of the grammar) at a time.

    Its layout filter and its builder must know what is being read; ``lock`` keeps threads apart. ``layout`` tells,
    until the next reading begins, how far the last one came.
    """

    def __init__(self, tables: bytes | None = None) -> None:
        """``tables`` are what :meth:`tables` of another engine gave; without them they are made from the grammar."""
        self.lock = RLock()
        self.layout = Layout()
        self._builder = Builder()
        if tables is None:
            self._lark = lark.Lark(
                grammar_text(),
                parser="lalr",
                lexer=Lexer,
                start=list(STARTS),
                keep_all_tokens=True,
                postlex=self.layout,
                transformer=self._builder,
            )
        else:
            load: Callable[..., lark.Lark] = lark.Lark._load_from_dict
            self._lark = load(**pickle.loads(tables), postlex=self.layout, transformer=self._builder)

    def tables(self) -> bytes:
        stored = BytesIO()
        self._lark.save(stored, exclude_options=("postlex", "transformer"))
        return stored.getvalue()

    def read(self, chunk: Chunk, findings: Findings, start: Start = "declaration") -> Node:
        """The tree of a chunk.

        Raises Mistake where the layout is wrong, and lark's UnexpectedInput where the grammar does not go on.
        """
        with self.lock:
            self.layout.chunk = self._builder.chunk = chunk
            self._builder.findings, self._builder.doubts = findings, Findings(chunk.source)
            tree = self._lark.parse(chunk.text, start=start)
            assert isinstance(tree, Node)
            findings.found += self._builder.doubts.found
            return tree

    def progress(self, chunk: Chunk, start: Start) -> int | None:
        """Where the reading of a chunk fails, as an offset into it; None if it does not."""
        with self.lock:
            try:
                self.read(chunk, Findings(chunk.source), start)
            except lark.UnexpectedInput as error:
                return error.pos_in_stream
            except Mistake:
                return self.layout.tokens[-1].end_pos if self.layout.tokens else 0
            return None

    @cached_property
    def literals(self) -> dict[str, str]:
        """The words and signs of the language by the names of their terminals."""
        terminals = self._lark.terminals
        return {found.name: found.pattern.value for found in terminals if found.pattern.type == "str"}

    @cached_property
    def keywords(self) -> tuple[str, ...]:
        return tuple(literal for literal in self.literals.values() if literal[0].isalpha())


def grammar_text() -> str:
    return Path(__file__).with_name("game.lark").read_text(encoding="utf-8")


@cache
def engine() -> Engine:
    """The one engine of this process."""
    depends_on = (grammar_text(), lark.__version__, sys.version, f"{Lexer.__module__}.{Lexer.__qualname__}")
    tables = disk_cache.load("tables", *depends_on)
    made = Engine(tables)
    if tables is None:
        disk_cache.store("tables", made.tables(), *depends_on)
    return made
