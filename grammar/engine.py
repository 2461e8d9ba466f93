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
from typing import Any, Final, Literal

import lark
from lark.grammar import Rule
from lark.lexer import TerminalDef
from lark.parsers.lalr_analysis import Reduce, Shift
from lark.utils import SerializeMemoizer

from grammar import kept_tables
from grammar.builder import Builder
from grammar.diagnostics import Findings
from grammar.layout import Chunk, Layout
from grammar.lexer import Lexer
from grammar.mistake import Mistake
from grammar.syntax import Node

Start = Literal["declaration", "expression", "played_move"]
STARTS: tuple[Start, ...] = ("declaration", "expression", "played_move")

_GRAMMAR: Final = Path(__file__).with_name("game.lark")

_FORMAT: Final = "tables 3"
"""Changes with what :meth:`Engine.tables` gives."""

Actions = dict[int, dict[str, int]]
"""For each state of the parser and each token the state to go to, or ``-1 - r`` to reduce by the grammar's rule r."""


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
            saved, actions = pickle.loads(tables)
            saved["memo"] = {number: _remade(part) for number, part in saved["memo"].items()}
            self._lark = load(**saved, postlex=self.layout, transformer=self._builder)
            _set_actions(self._lark, actions)

    def tables(self) -> bytes:
        """What another engine can be made from in little time: as lark keeps it, but for what takes lark long to read.

        What its parser does in its states is written as numbers, and its rules and terminals are pickled as they are.
        """
        stored = BytesIO()
        self._lark.save(stored, exclude_options=("postlex", "transformer"))
        saved = pickle.loads(stored.getvalue())
        saved["data"]["parser"]["parser"]["states"] = {}
        saved["memo"] = SerializeMemoizer.deserialize(saved["memo"], {"Rule": Rule, "TerminalDef": TerminalDef}, {})
        return pickle.dumps((saved, _actions(self._lark)))

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


def _remade(part: Rule | TerminalDef) -> Rule | TerminalDef:
    """A part of the grammar for this process: a rule holds its hash, which is another one in every process."""
    if isinstance(part, TerminalDef):
        return part
    return Rule(part.origin, part.expansion, part.order, part.alias, part.options)


def _actions(made: lark.Lark) -> Actions:
    """What a parser does, as numbers. (lark's own way of writing it down takes four times as long to read.)"""
    rules = {rule: number for number, rule in enumerate(made.rules)}
    return {
        state: {token: to if action is Shift else -1 - rules[to] for token, (action, to) in actions.items()}
        for state, actions in _states(made).items()
    }


def _set_actions(made: lark.Lark, written: Actions) -> None:
    """Let a parser do what another did."""
    shifts = {state: (Shift, state) for state in written}
    does = shifts | {-1 - number: (Reduce, rule) for number, rule in enumerate(made.rules)}
    _states(made).update(
        {state: {token: does[number] for token, number in actions.items()} for state, actions in written.items()}
    )


def _states(made: lark.Lark) -> dict[int, dict[str, tuple[Any, Any]]]:
    """What lark's parser does in each of its states on each token."""
    states: dict[int, dict[str, tuple[Any, Any]]] = made.parser.parser._parse_table.states
    return states


def grammar_text() -> str:
    return _GRAMMAR.read_text(encoding="utf-8")


@cache
def engine() -> Engine:
    """The one engine of this process."""
    depends_on = (_FORMAT, grammar_text(), lark.__version__, sys.version, f"{Lexer.__module__}.{Lexer.__qualname__}")
    tables = kept_tables.load(_GRAMMAR, *depends_on)
    made = Engine(tables)
    if tables is None:
        kept_tables.store(_GRAMMAR, made.tables(), *depends_on)
    return made
