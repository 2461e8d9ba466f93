"""The lark parser: its tables, made once and cached, the reading of one declaration, and how deep a tree may be."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache, cached_property
from importlib.util import cache_from_source
from json import dumps, loads
from pathlib import Path
from threading import RLock
from typing import Any, Final

import lark
from attrs import fields
from lark import Token
from lark.common import LexerConf
from lark.grammar import NonTerminal, Rule, RuleOptions, Terminal
from lark.lexer import LexerState, TerminalDef
from lark.parsers.lalr_analysis import Reduce, Shift
from lark.parsers.lalr_parser_state import ParserState

from zermelo.foundation import disk_cache
from zermelo.grammar.builder import Builder
from zermelo.grammar.diagnostics import Findings, Mistake
from zermelo.grammar.layout import Chunk, Layout
from zermelo.grammar.names import name_at_beginning
from zermelo.grammar.syntax import Node, TreeNode
from zermelo.grammar.words import GRAMMAR, grammar_text

# The depth of a tree, found without recursion.
#
# All later stages walk trees by recursion, and so do comparing and hashing. A tree deeper than any reader could follow
# is therefore refused first.


DEEPEST_TREE = 64
"""The greatest depth of one declaration, in nodes; chess needs 11. In a ``tree:`` each node counts from 1 again: the
layout limits how deep its branches nest (:data:`zermelo.grammar.layout.DEEPEST_TREE`)."""


def node_too_deep(root: Node) -> Node | None:
    """The first node found that is too deep; None if there is none."""
    waiting: list[tuple[object, int]] = [(root, 1)]
    while waiting:
        thing, depth = waiting.pop()
        if isinstance(thing, tuple):
            waiting.extend((part, depth) for part in thing)
        elif isinstance(thing, Node):
            if isinstance(thing, TreeNode):
                depth = 1
            if depth > DEEPEST_TREE:
                return thing
            waiting.extend((getattr(thing, field.name), depth + 1) for field in fields(type(thing)))
    return None


# From text to tokens, with the parser's help.
#
# Numbers, quoted texts and signs mean the same everywhere. A word does not: ``test`` begins a declaration, but may also
# name a move. So a word is a keyword where the parser accepts that keyword, and a NAME elsewhere. (lark's contextual
# lexer does the same with one regular expression for every set of acceptable tokens, some 240 of them; compiling those
# would take longer than everything else.)


_unexpected: Callable[[str, int, int, int], lark.UnexpectedCharacters] = lark.UnexpectedCharacters


class Lexer(lark.lexer.Lexer):
    """The lexer of one grammar, without state."""

    __future_interface__ = 2  # tells lark to pass the state of the parser

    def __init__(self, conf: LexerConf) -> None:
        literals = {found.pattern.value: found.name for found in conf.terminals if found.pattern.type == "str"}
        self._keywords = {literal: name for literal, name in literals.items() if literal[0].isalpha()}
        self._signs = {literal: name for literal, name in literals.items() if not literal[0].isalpha()}
        self._ignored = frozenset(conf.ignore)
        patterns = [
            (found.name, found.pattern.to_regexp())
            for found in sorted(conf.terminals, key=lambda found: -found.priority)
            if found.pattern.type == "re"
        ]
        longest_first = sorted(self._signs, key=len, reverse=True)
        patterns.append(("sign", "|".join(map(re.escape, longest_first))))
        self._pattern = re.compile("|".join(f"(?P<{name}>{pattern})" for name, pattern in patterns))

    def lex(self, lexer_state: LexerState, parser_state: ParserState[int]) -> Iterator[Token]:
        text = lexer_state.text.text
        acceptable = parser_state.parse_conf.states
        position, line, line_start = 0, 1, 0
        while position < len(text):
            found = self._pattern.match(text, position)
            if found is None:
                raise _unexpected(text, position, line, position - line_start + 1)
            kind, value, end = found.lastgroup or "", found.group(), found.end()
            if kind in self._ignored:
                position = end
                continue
            if kind == "NAME" and not value.isascii():
                value = name_at_beginning(value)
                if not value:
                    raise _unexpected(text, position, line, position - line_start + 1)
                end = position + len(value)
            if kind == "sign":
                kind = self._signs[value]
            elif kind == "NAME" and self._keywords.get(value) in acceptable[parser_state.position]:
                kind = self._keywords[value]
            column, first_line = position - line_start + 1, line
            if kind == "_NL":
                line += value.count("\n")
                line_start = position + value.rindex("\n") + 1
            yield Token(kind, value, position, first_line, column, line, end - line_start + 1, end)
            position = end


# The cache of the parser's tables.
#
# Making them from ``game.lark`` takes about a second, loading them some hundredths of a second. Like byte code, they
# are made once from a text of the package and serve all games. So they are stored beside the byte code or, where Python
# writes none or cannot, in the user's cache. Unlike byte code they are plain data, and reading them runs nothing.


_KIND: Final = "tables"


def load_tables(source: Path, *depends_on: str) -> bytes | None:
    """The tables made from ``source`` and the texts that they depend on, or None."""
    with suppress(OSError):
        key, stored = disk_cache.key_of(_KIND, *depends_on), _tables_path(source).read_bytes()
        if (tables := disk_cache.unseal(key, stored)) is not None:
            return tables
    return disk_cache.load(_KIND, *depends_on)


def store_tables(source: Path, tables: bytes, *depends_on: str) -> None:
    """Store the tables in place of those made from ``source`` before."""
    if not sys.dont_write_bytecode:
        with suppress(OSError):
            place = _tables_path(source)
            place.parent.mkdir(parents=True, exist_ok=True)
            disk_cache.write_whole(place, disk_cache.seal(disk_cache.key_of(_KIND, *depends_on), tables))
            place.chmod(source.stat().st_mode & 0o666)
            return
    disk_cache.store(_KIND, tables, *depends_on)


def _tables_path(source: Path) -> Path:
    return Path(cache_from_source(str(source))).with_suffix(".tables")


START: Final = "declaration"

_FORMAT: Final = "tables 5"
"""The version of the format of :meth:`Engine.tables`."""

_OPTIONS: Final = {"parser": "lalr", "lexer": Lexer, "start": START, "keep_all_tokens": True}

Actions = tuple[list[list[str]], list[tuple[int, int, list[int]]]]
"""Lists of tokens; and each state of the parser, with the index of the list of tokens that it accepts, and for each of
these tokens the state to shift to, or ``-1 - r`` to reduce by rule r of the grammar."""


class Engine:
    """A parser for one declaration at a time.

    Its layout filter and its builder have state, which ``lock`` guards between threads. Until the next reading begins,
    ``layout`` holds the progress of the last one.
    """

    def __init__(self, tables: bytes | None = None) -> None:
        """``tables`` come from :meth:`tables` of another engine; without them they are made from the grammar.

        Raises ValueError for anything else.
        """
        self.lock = RLock()
        self.layout = Layout()
        self._builder = Builder()
        if tables is None:
            options: dict[str, Any] = {**_OPTIONS, "postlex": self.layout, "transformer": self._builder}
            self._lark = lark.Lark(grammar_text(), **options)
            return
        load: Callable[..., lark.Lark] = lark.Lark._load_from_dict
        try:
            data, terminals, rules, actions = loads(tables)
            memo = dict(terminals) | {number: _rule_from_lists(rule) for number, rule in rules}
            data["options"] = _OPTIONS
            data["parser"]["parser"]["states"] = {}
            data["parser"]["lexer_conf"]["lexer_type"] = Lexer
            self._lark = load(data, memo, postlex=self.layout, transformer=self._builder)
            _set_actions(self._lark, actions)
        except (
            AssertionError,
            AttributeError,
            LookupError,
            RecursionError,
            TypeError,
            lark.exceptions.LarkError,
        ) as error:
            raise ValueError("these are no tables of the parser") from error

    def tables(self) -> bytes:
        """Plain data from which another engine is made quickly: lark's own, but with the actions of the parser as
        numbers and the rules as lists, since lark takes long to read its own format of these.

        Lark.save and Lark.load use a pickle, which can name code to run, and take 25 ms to load where this takes 13.
        """
        data, memo = self._lark.memo_serialize([TerminalDef, Rule])
        del data["options"], data["parser"]["parser"]["states"], data["parser"]["lexer_conf"]["lexer_type"]
        terminals = [(number, part) for number, part in memo.items() if part["__type__"] == "TerminalDef"]
        rules = [(number, _rule_to_lists(part)) for number, part in memo.items() if part["__type__"] == "Rule"]
        return dumps((data, terminals, rules, _actions(self._lark)), separators=(",", ":")).encode()

    def read(self, chunk: Chunk, findings: Findings) -> Node:
        """The tree of a chunk.

        Raises Mistake for wrong layout, and lark's UnexpectedInput for a syntax error.
        """
        with self.lock:
            self.layout.chunk = self._builder.chunk = chunk
            self._builder.findings, self._builder.doubts = findings, Findings(chunk.source)
            tree = self._lark.parse(chunk.text)
            assert isinstance(tree, Node)
            findings.found += self._builder.doubts.found
            return tree

    def progress(self, chunk: Chunk) -> int | None:
        """The offset into a chunk at which its reading fails; None if it succeeds."""
        with self.lock:
            try:
                self.read(chunk, Findings(chunk.source))
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


def _rule_to_lists(rule: dict[str, Any]) -> list[Any]:
    """A rule of lark as lists."""
    symbols = [[symbol["name"], symbol.get("filter_out")] for symbol in rule["expansion"]]
    options = {name: value for name, value in rule["options"].items() if name != "__type__"}
    return [rule["origin"]["name"], symbols, rule["order"], rule["alias"], options]


def _rule_from_lists(written: list[Any]) -> Rule:
    origin, symbols, order, alias, options = written
    expansion = [NonTerminal(name) if out is None else Terminal(name, filter_out=out) for name, out in symbols]
    return Rule(NonTerminal(origin), expansion, order, alias, RuleOptions(**options))


def _actions(made: lark.Lark) -> Actions:
    """The actions of a parser as numbers, which are read four times as fast as lark's own format."""
    rules = {rule: number for number, rule in enumerate(made.rules)}
    places: dict[tuple[str, ...], int] = {}
    states = [
        (
            state,
            places.setdefault(tuple(actions), len(places)),
            [to if action is Shift else -1 - rules[to] for action, to in actions.values()],
        )
        for state, actions in _states(made).items()
    ]
    return list(map(list, places)), states


def _set_actions(made: lark.Lark, written: Actions) -> None:
    """Give a parser the actions of another one."""
    tokens, states = written
    does: dict[int, tuple[Any, Any]] = {state: (Shift, state) for state, _, _ in states}
    does |= {-1 - number: (Reduce, rule) for number, rule in enumerate(made.rules)}
    _states(made).update(
        {state: dict(zip(tokens[place], [does[to] for to in goes], strict=True)) for state, place, goes in states}
    )


def _states(made: lark.Lark) -> dict[int, dict[str, tuple[Any, Any]]]:
    """The actions of lark's parser: for each state and token."""
    states: dict[int, dict[str, tuple[Any, Any]]] = made.parser.parser._parse_table.states
    return states


@cache
def engine() -> Engine:
    """The one engine of this process."""
    depends_on = (_FORMAT, grammar_text(), lark.__version__, sys.version, f"{Lexer.__module__}.{Lexer.__qualname__}")
    tables = load_tables(GRAMMAR, *depends_on)
    if tables is not None:
        with suppress(ValueError):
            return Engine(tables)
    made = Engine()
    store_tables(GRAMMAR, made.tables(), *depends_on)
    return made
