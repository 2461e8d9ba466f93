"""Lines of a file in the colours of a terminal."""

from __future__ import annotations

from typing import Final

from pygments.token import Comment, Keyword, Name, Number, Operator, String

from zermelo.highlighting.pygments_lexer import ZermeloLexer

_SEQUENCES: Final = {Comment: "2", Keyword: "35", Operator.Word: "35", Name.Function: "36", Number: "33", String: "32"}

_LEXER: Final = ZermeloLexer()


def coloured(text: str) -> str:
    """The text with the sequences that colour its words; nothing in it reaches beyond its line."""
    parts = []
    for _, kind, value in _LEXER.get_tokens_unprocessed(text):
        sequence = next((sequence for known, sequence in _SEQUENCES.items() if kind in known), None)
        parts.append(value if sequence is None else f"\x1b[{sequence}m{value}\x1b[0m")
    return "".join(parts)
