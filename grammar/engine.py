"""The parser: its tables, which lark makes once and which are cached, the reading of one declaration, and how deep a
tree may be."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from contextlib import suppress
from functools import cache, cached_property
from importlib.util import cache_from_source
from json import dumps, loads
from pathlib import Path
from threading import RLock
from typing import Any, Final

from attrs import fields

from zermelo.foundation import disk_cache
from zermelo.grammar.builder import Builder
from zermelo.grammar.diagnostics import Findings, Mistake
from zermelo.grammar.layout import Chunk, Layout, Lexeme
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


# What the parser reads by: plain data, which :func:`make_tables` gets from lark and :class:`ParsingTables` holds.


START: Final = "declaration"

_FORMAT: Final = "tables 7"
"""The version of the format of :func:`make_tables`."""

END: Final = "$END"
"""The terminal at the end of a text."""


def make_tables() -> bytes:
    """The tables of the grammar. Importing lark and making them takes a second."""
    import lark
    from lark.grammar import Rule
    from lark.parsers.lalr_analysis import Shift

    made = lark.Lark(grammar_text(), parser="lalr", lexer="basic", start=START, keep_all_tokens=True)
    ignored = set(made.ignore_tokens)
    literals = {found.name: found.pattern.value for found in made.terminals if found.pattern.type == "str"}
    patterns = [
        (found.name, found.pattern.to_regexp())
        for found in sorted(made.terminals, key=lambda found: -found.priority)
        if found.pattern.type == "re"
    ]

    def form(rule: Rule) -> list[Any]:
        absent = "".join("1" if is_empty else "0" for is_empty in rule.options.empty_indices).split("0")
        before = [len(ones) for ones in absent] if rule.options.empty_indices else [0] * (len(rule.expansion) + 1)
        parts = [
            (place, not symbol.is_term and symbol.name.startswith("_"), before[place])
            for place, symbol in enumerate(rule.expansion)
        ]
        is_plain = not any(before) and not any(takes for _, takes, _ in parts)
        name = rule.alias or rule.options.template_source or rule.origin.name
        is_single = bool(rule.options.expand1 and not rule.alias)
        return [rule.origin.name, len(parts), name, is_single, None if is_plain else parts, before[-1]]

    table = made.parser.parser._parse_table
    numbers = {state: number for number, state in enumerate(table.states)}
    rules = {rule: number for number, rule in enumerate(made.rules)}
    places: dict[str, int] = {}
    states = [
        (
            places.setdefault(" ".join(actions), len(places)),
            " ".join(str(numbers[to] if action is Shift else -1 - rules[to]) for action, to in actions.values()),
        )
        for actions in table.states.values()
    ]
    first, last = numbers[table.start_states[START]], numbers[table.end_states[START]]
    whole = (literals, patterns, sorted(ignored), list(map(form, made.rules)), list(places), states, first, last)
    return dumps(whole, separators=(",", ":")).encode()


class ParsingTables:
    """The tables of :func:`make_tables`; raises ValueError for anything else.

    ``literals`` are the words and signs by the names of their terminals, ``patterns`` the other terminals, ``rules``
    for each rule the nonterminal, the number of its symbols, its name in the builder, whether a single part stands for
    itself, the parts (None if they are the symbols), and how many absent ones stand behind them. A part is the number
    of a symbol, whether its own parts take its place, and how many absent ones stand before it. The symbols of a state
    and what they lead to are texts with spaces, since reading 30,000 short ones takes longer than reading a game."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        try:
            literals, patterns, ignored, self.rules, self._tokens, self._states, self.first, self.last = loads(data)
            self.literals: dict[str, str] = dict(literals)
            self.patterns: dict[str, str] = dict(patterns)
            self.ignored: frozenset[str] = frozenset(ignored)
            self._rows: list[dict[str, int] | None] = [None] * len(self._states)
            fit = all(self._tokens[place].count(" ") == goes.count(" ") for place, goes in self._states)
            if not fit or "NAME" not in self.patterns or max(self.first, self.last) >= len(self._states):
                raise LookupError
        except (AttributeError, LookupError, RecursionError, TypeError) as error:
            raise ValueError("these are no tables of the parser") from error

    def row(self, state: int) -> dict[str, int]:
        """What to do in a state, by the symbol that comes: go to another state, or, if it is negative, reduce by rule
        -1 - r. Most texts come to few of the states."""
        found = self._rows[state]
        if found is None:
            place, goes = self._states[state]
            symbols = self._tokens[place].split()
            found = self._rows[state] = dict(zip(symbols, map(int, goes.split()), strict=True))
        return found


# From text to tokens, with the parser's help.
#
# Numbers, quoted texts and signs mean the same everywhere. A word does not: ``test`` begins a declaration, but may also
# name a move. So a word is a keyword where the parser accepts that keyword, and a NAME elsewhere. (lark's contextual
# lexer does the same with one regular expression for every set of acceptable tokens, some 240 of them; compiling those
# would take longer than everything else.)


class Unexpected(Exception):
    """The text cannot go on like this: at ``offset`` stands ``token``, or, without one, a character that begins none.
    ``states`` are those in which the parser waits."""

    def __init__(self, offset: int, token: Lexeme | None, states: list[int], tables: ParsingTables) -> None:
        super().__init__(offset)
        self.offset, self.token = offset, token
        self._states, self._tables = states, tables

    @property
    def expected(self) -> frozenset[str]:
        """The terminals that may come instead."""
        row = self._tables.row(self._states[-1])
        return frozenset(symbol for symbol in row if symbol.isupper() and self._goes_on_with(symbol))

    def _goes_on_with(self, terminal: str) -> bool:
        """Whether the parser shifts a terminal, after reductions."""
        states = self._states.copy()
        while (to := self._tables.row(states[-1]).get(terminal)) is not None and to < 0:
            origin, size, *_ = self._tables.rules[-1 - to]
            del states[len(states) - size :]
            states.append(self._tables.row(states[-1])[origin])
            if terminal == END and states[-1] == self._tables.last:
                return True
        return to is not None


class Lexer:
    """The lexer, without state."""

    def __init__(self, tables: ParsingTables) -> None:
        self._tables = tables
        literals = {value: name for name, value in tables.literals.items()}
        self._keywords = {literal: name for literal, name in literals.items() if literal[0].isalpha()}
        self._signs = {literal: name for literal, name in literals.items() if not literal[0].isalpha()}
        patterns = [f"(?P<{name}>{pattern})" for name, pattern in tables.patterns.items()]
        signs = "|".join(map(re.escape, sorted(self._signs, key=len, reverse=True)))
        self._pattern = re.compile("|".join([*patterns, f"(?P<sign>{signs})"]))

    def tokens(self, text: str, states: list[int]) -> Iterator[Lexeme]:
        """The tokens of a text; the last of ``states`` is that of the parser."""
        position, line, line_start = 0, 1, 0
        while position < len(text):
            found = self._pattern.match(text, position)
            if found is None:
                raise Unexpected(position, None, states, self._tables)
            kind, value, end = found.lastgroup or "", found.group(), found.end()
            if kind in self._tables.ignored:
                position = end
                continue
            if kind == "NAME" and not value.isascii():
                value = name_at_beginning(value)
                if not value:
                    raise Unexpected(position, None, states, self._tables)
                end = position + len(value)
            if kind == "sign":
                kind = self._signs[value]
            elif kind == "NAME" and self._keywords.get(value) in self._tables.row(states[-1]):
                kind = self._keywords[value]
            column, first_line = position - line_start + 1, line
            if kind == "_NL":
                line += value.count("\n")
                line_start = position + value.rindex("\n") + 1
            yield Lexeme(kind, value, position, first_line, column, line, end - line_start + 1, end)
            position = end


# The cache of the parser's tables.
#
# Making them from ``game.lark`` takes about a second, loading them some milliseconds. Like byte code, they are made
# once from a text of the package and serve all games. So they are stored beside the byte code or, where Python writes
# none or cannot, in the user's cache. Unlike byte code they are plain data, and reading them runs nothing.


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
        self._tables = ParsingTables(make_tables() if tables is None else tables)
        self._lexer = Lexer(self._tables)
        self.literals = self._tables.literals

    def tables(self) -> bytes:
        """Plain data from which another engine is made quickly."""
        return self._tables.data

    def read(self, chunk: Chunk, findings: Findings) -> Node:
        """The tree of a chunk.

        Raises Mistake for wrong layout, and :class:`Unexpected` for a syntax error.
        """
        with self.lock:
            self.layout.chunk = self._builder.chunk = chunk
            self._builder.findings, self._builder.doubts = findings, Findings(chunk.source)
            tree = self._parse(chunk.text)
            assert isinstance(tree, Node)
            findings.found += self._builder.doubts.found
            return tree

    def _parse(self, text: str) -> object:
        """What the builder makes of a text."""
        states, values = [self._tables.first], list[Any]()
        token = beginning = Lexeme(END, "", 0, 1, 1, 1, 1, 0)
        for token in self.layout.process(self._lexer.tokens(text, states)):
            self._feed(token, states, values)
        end = Lexeme.at(END, token or beginning)  # behind the end of a block as lark has it: no repair got further
        while states[-1] != self._tables.last:
            self._reduce(self._action(end, states), states, values)
        return values[-1]

    def _feed(self, token: Lexeme, states: list[int], values: list[Any]) -> None:
        """Complete the rules that end before a token, and shift it."""
        while (action := self._action(token, states)) < 0:
            self._reduce(action, states, values)
        states.append(action)
        build = getattr(self._builder, token.type, None)
        values.append(token if build is None else build(token))

    def _action(self, token: Lexeme, states: list[int]) -> int:
        """What to do with a token. Raises :class:`Unexpected`."""
        action = self._tables.row(states[-1]).get(token.type)
        if action is None:
            raise Unexpected(token.start_pos, token, states, self._tables)
        return action

    def _reduce(self, action: int, states: list[int], values: list[Any]) -> None:
        """Complete a rule: the builder makes one value of those of its symbols. A rule whose parts take its place in
        another one, which has no method, gives a list of them, to which the next ones are added if it repeats."""
        origin, size, name, is_single, parts, absent = self._tables.rules[-1 - action]
        first = len(values) - size
        found = values[first:]
        if parts is not None:
            symbols, found = found, []
            for place, takes, before in parts:
                found += [None] * before
                if not takes:
                    found.append(symbols[place])
                elif found:
                    found += symbols[place]
                else:
                    found = symbols[place]
            found += [None] * absent
        del values[first:], states[first + 1 :]
        states.append(self._tables.row(states[-1])[origin])
        if is_single and len(found) == 1:
            values.append(found[0])
        else:
            values.append(found if name.startswith("_") else getattr(self._builder, name)(found))

    def progress(self, chunk: Chunk) -> int | None:
        """The offset into a chunk at which its reading fails; None if it succeeds."""
        with self.lock:
            try:
                self.read(chunk, Findings(chunk.source))
            except Unexpected as error:
                return error.offset
            except Mistake:
                return self.layout.tokens[-1].end_pos if self.layout.tokens else 0
            return None

    @cached_property
    def keywords(self) -> tuple[str, ...]:
        return tuple(literal for literal in self.literals.values() if literal[0].isalpha())


@cache
def engine() -> Engine:
    """The one engine of this process."""
    depends_on = (_FORMAT, grammar_text(), sys.version)
    tables = load_tables(GRAMMAR, *depends_on)
    if tables is not None:
        with suppress(ValueError):
            return Engine(tables)
    made = Engine()
    store_tables(GRAMMAR, made.tables(), *depends_on)
    return made
