"""Answers about names: what they mean, where they are declared and used, and the outline of a file."""

from __future__ import annotations

from typing import Final

from lsprotocol.types import (
    DocumentHighlight,
    DocumentHighlightKind,
    DocumentSymbol,
    Hover,
    Location,
    MarkupContent,
    MarkupKind,
    Position,
    SymbolKind,
    TextEdit,
    WorkspaceEdit,
)

from zermelo.grammar.source import Span
from zermelo.interpreter.symbols.index import SymbolIndex
from zermelo.interpreter.symbols.renaming import places_to_rename
from zermelo.interpreter.symbols.symbol import Kind, Symbol
from zermelo.language_server import words
from zermelo.language_server.places import TextPlaces

SYMBOL_KINDS: Final[dict[Kind, SymbolKind]] = {
    "player": SymbolKind.Object,
    "parameter": SymbolKind.Constant,
    "type": SymbolKind.Enum,
    "member": SymbolKind.EnumMember,
    "field": SymbolKind.Field,
    "variable": SymbolKind.Variable,
    "define": SymbolKind.Function,
    "feature": SymbolKind.Function,
    "action": SymbolKind.Method,
    "phase": SymbolKind.Class,
    "move": SymbolKind.Event,
    "outcome": SymbolKind.Event,
    "choice": SymbolKind.Event,
    "information set": SymbolKind.Key,
}
"""How editors show the names of an outline; local names are not in it."""


def hover(index: SymbolIndex, places: TextPlaces, position: Position) -> Hover | None:
    """What a name of the file means, or else a word of the language."""
    offset = places.offset_of(position)
    found = index.at(offset)
    if found is not None:
        span, symbol = found
        return Hover(MarkupContent(MarkupKind.Markdown, described(symbol)), places.range_of(span))
    word = words.word_at(places.source.text, offset)
    if word is None:
        return None
    begin, text = word
    there = places.range_in_line(position.line, begin, begin + len(text))
    return Hover(MarkupContent(MarkupKind.Markdown, words.described(text)), there)


def described(symbol: Symbol) -> str:
    """A symbol in Markdown: its declaration, and below what else is known."""
    lines = "".join(f"\n- {remark}" for remark in symbol.remarks)
    return f"```zermelo\n{symbol.heading}\n```\n*{symbol.kind}*, line {symbol.span.line}\n{lines}".rstrip()


def definition(address: str, index: SymbolIndex, places: TextPlaces, position: Position) -> list[Location]:
    found = index.at(places.offset_of(position))
    if found is None:
        return []
    symbol = found[1]
    family = [symbol] if found[0] == symbol.span else index.family(symbol)
    return [Location(address, places.range_of(other.span)) for other in family]


def references(
    address: str, index: SymbolIndex, places: TextPlaces, position: Position, with_declaration: bool
) -> list[Location]:
    """All places of a name, with or without those that declare it."""
    found = index.at(places.offset_of(position))
    if found is None:
        return []
    return [
        Location(address, places.range_of(span))
        for span in index.places_of(found[1])
        if with_declaration or span not in index.symbols
    ]


def highlights(index: SymbolIndex, places: TextPlaces, position: Position) -> list[DocumentHighlight]:
    found = index.at(places.offset_of(position))
    spans = () if found is None else index.places_of(found[1])
    return [DocumentHighlight(places.range_of(span), DocumentHighlightKind.Text) for span in spans]


def renaming(
    address: str, index: SymbolIndex, places: TextPlaces, position: Position, name: str
) -> WorkspaceEdit | None:
    """The edits that give a name another text; None if there is no name. Raises ``ZermeloError`` like
    :func:`zermelo.interpreter.symbols.renaming.places_to_rename`."""
    found = index.at(places.offset_of(position))
    if found is None:
        return None
    spans = places_to_rename(index, found[1], name)
    return WorkspaceEdit(changes={address: [TextEdit(places.range_of(span), name) for span in spans]})


def outline(index: SymbolIndex, places: TextPlaces) -> list[DocumentSymbol]:
    """The names of the file, and in them those of moves, outcomes, members and fields."""
    parts: dict[Span, list[Symbol]] = {}
    for symbol in index.symbols.values():
        if symbol.kind in SYMBOL_KINDS:
            parts.setdefault(symbol.container, []).append(symbol)
    made = []
    for container, (first, *others) in parts.items():
        if first.whole == container and first.kind != "player":
            made.append(_outlined(first, places, [_outlined(other, places, []) for other in others]))
        else:
            made += [_outlined(symbol, places, []) for symbol in (first, *others)]
    return made


def _outlined(symbol: Symbol, places: TextPlaces, children: list[DocumentSymbol]) -> DocumentSymbol:
    is_part = symbol.kind in ("player", "member", "field", "choice", "information set")
    return DocumentSymbol(
        name=symbol.name,
        kind=SYMBOL_KINDS[symbol.kind],
        range=places.range_of(symbol.span if is_part or symbol.whole == symbol.container else symbol.whole)
        if not children
        else places.range_of(symbol.whole),
        selection_range=places.range_of(symbol.span),
        detail=symbol.kind,
        children=children,
    )
