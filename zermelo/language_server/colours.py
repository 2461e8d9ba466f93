"""Semantic tokens: the names of a text with what they stand for, so that an editor can give each kind a colour."""

from __future__ import annotations

from typing import Final

from lsprotocol.types import SemanticTokenModifiers, SemanticTokens, SemanticTokensLegend, SemanticTokenTypes

from zermelo.interpreter.symbols.index import SymbolIndex
from zermelo.interpreter.symbols.symbol import Kind
from zermelo.language_server.places import TextPlaces

TYPES: Final[dict[Kind, SemanticTokenTypes]] = {
    "player": SemanticTokenTypes.EnumMember,
    "parameter": SemanticTokenTypes.Variable,
    "type": SemanticTokenTypes.Type,
    "member": SemanticTokenTypes.EnumMember,
    "field": SemanticTokenTypes.Property,
    "variable": SemanticTokenTypes.Variable,
    "define": SemanticTokenTypes.Function,
    "feature": SemanticTokenTypes.Function,
    "action": SemanticTokenTypes.Method,
    "phase": SemanticTokenTypes.Class,
    "move": SemanticTokenTypes.Event,
    "outcome": SemanticTokenTypes.Event,
    "choice": SemanticTokenTypes.Event,
    "information set": SemanticTokenTypes.Macro,
    "argument": SemanticTokenTypes.Parameter,
    "name": SemanticTokenTypes.Parameter,
    "local variable": SemanticTokenTypes.Variable,
}

_LISTED: Final = list(dict.fromkeys(TYPES.values()))
_DECLARES: Final = 1
_NEVER_CHANGES: Final = 2

LEGEND: Final = SemanticTokensLegend(
    [str(type.value) for type in _LISTED],
    [str(SemanticTokenModifiers.Declaration.value), str(SemanticTokenModifiers.Readonly.value)],
)


def colours(index: SymbolIndex, places: TextPlaces) -> SemanticTokens:
    """The tokens, each as five numbers: lines and characters since the one before, length, type, and modifiers."""
    data: list[int] = []
    line, character = 0, 0
    for span, symbol in index.in_order():
        where = places.range_of(span)
        if where.start.line != line:
            line, character, skipped = where.start.line, 0, where.start.line - line
        else:
            skipped = 0
        flags = (_DECLARES if span == symbol.span else 0) + (_NEVER_CHANGES if symbol.kind == "parameter" else 0)
        kind = _LISTED.index(TYPES[symbol.kind])
        data += [skipped, where.start.character - character, where.end.character - where.start.character, kind, flags]
        character = where.start.character
    return SemanticTokens(data)
