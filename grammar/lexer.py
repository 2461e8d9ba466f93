"""From text to tokens, with the parser's help.

Numbers, quoted texts and signs mean the same everywhere. A word does not: ``test`` begins a declaration, but may also
name a move. So a word is a keyword where the parser accepts that keyword, and a NAME elsewhere. (lark's contextual
lexer does the same with one regular expression for every set of acceptable tokens, some 240 of them; compiling those
would take longer than everything else.)
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import lark
from lark import Token
from lark.common import LexerConf
from lark.lexer import LexerState
from lark.parsers.lalr_parser_state import ParserState

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
