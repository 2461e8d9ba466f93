"""A lexer for Pygments (https://pygments.org), which finds it by the entry point ``pygments.lexers``: its names are
``zermelo`` and ``game``.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar, Final

from pygments.lexer import RegexLexer, bygroups, words
from pygments.token import Comment, Keyword, Name, Number, Operator, Punctuation, String, Text

from zermelo.grammar.names import WORD
from zermelo.grammar.words import vocabulary

_KNOWN = vocabulary()


def _any_of(chosen: Iterable[str]) -> Any:
    return words(tuple(chosen), prefix=r"\b", suffix=r"\b")


class ZermeloLexer(RegexLexer):
    """The language of ``.game`` files."""

    name = "Zermelo"
    aliases: ClassVar[list[str]] = ["zermelo", "game"]
    filenames: ClassVar[list[str]] = ["*.game"]
    url = ""

    tokens: ClassVar[dict[str, list[Any]]] = {
        "root": [
            (r"\s+", Text),
            (r"#[^\n]*", Comment.Single),
            (r'"[^"\n]*"?', String),
            (r"[0-9]+(\.[0-9]+)?", Number),
            (rf"\b({'|'.join(_KNOWN.naming)})( +)({WORD})", bygroups(Keyword, Text, Name.Function)),
            (rf"^({'|'.join(_KNOWN.declarations)})\b", Keyword.Declaration),
            (rf"(\.)({WORD})", bygroups(Punctuation, Name.Attribute)),
            (_any_of(_KNOWN.constants), Keyword.Constant),
            (_any_of(_KNOWN.operators), Operator.Word),
            (_any_of(_KNOWN.types), Keyword.Type),
            (_any_of({*_KNOWN.others, *_KNOWN.declarations}), Keyword),
            (rf"({WORD})(?=\()", Name.Function),
            (rf"@{WORD}", Name.Label),
            (WORD, Name),
            (r":=|\+=|-=|==|!=|<=|>=|//|\.\.|[-+*/%<>=|\\?]", Operator),
            (r"[()\[\]{}:,.]", Punctuation),
            (r".", Text),
        ]
    }


# Lines of a file in the colours of a terminal.


_SEQUENCES: Final = {Comment: "2", Keyword: "35", Operator.Word: "35", Name.Function: "36", Number: "33", String: "32"}

_LEXER: Final = ZermeloLexer()


def colour_text(text: str) -> str:
    """The text with the sequences that colour its words; nothing in it reaches beyond its line."""
    parts = []
    for _, kind, value in _LEXER.get_tokens_unprocessed(text):
        sequence = next((sequence for known, sequence in _SEQUENCES.items() if kind in known), None)
        parts.append(value if sequence is None else f"\x1b[{sequence}m{value}\x1b[0m")
    return "".join(parts)
