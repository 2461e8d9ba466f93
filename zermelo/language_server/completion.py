"""Completion: the words that the grammar admits at a place, and the names that can stand there.

The grammar says which words may come, and whether a name may; the word before says what kind of name. The declaration
in which somebody is typing can seldom be read as a whole, so the names that it binds are also looked for in its text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from lsprotocol.types import (
    CompletionItem,
    CompletionItemKind,
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

from zermelo.grammar.continuations import Continuation, continuation
from zermelo.grammar.diagnostics import Span
from zermelo.interpreter.elaboration.names import BUILT_IN_FUNCTIONS
from zermelo.interpreter.symbols.index import Kind, Symbol, SymbolIndex, places_to_rename
from zermelo.interpreter.values import COMPASS
from zermelo.language_server import words
from zermelo.language_server.documents import TextPlaces

# Answers about names: what they mean, where they are declared and used, and the outline of a file.


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
        return Hover(MarkupContent(MarkupKind.Markdown, symbol_markdown(symbol)), places.range_of(span))
    word = words.word_at(places.source.text, offset)
    if word is None:
        return None
    begin, text = word
    there = places.range_in_line(position.line, begin, begin + len(text))
    return Hover(MarkupContent(MarkupKind.Markdown, words.word_markdown(text)), there)


def symbol_markdown(symbol: Symbol) -> str:
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


def rename_edits(
    address: str, index: SymbolIndex, places: TextPlaces, position: Position, name: str
) -> WorkspaceEdit | None:
    """The edits that give a name another text; None if there is no name. Raises ``ZermeloError`` like
    :func:`zermelo.interpreter.symbols.index.places_to_rename`."""
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
            made.append(_outline_entry(first, places, [_outline_entry(other, places, []) for other in others]))
        else:
            made += [_outline_entry(symbol, places, []) for symbol in (first, *others)]
    return made


def _outline_entry(symbol: Symbol, places: TextPlaces, children: list[DocumentSymbol]) -> DocumentSymbol:
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


ITEM_KINDS: Final[dict[Kind, CompletionItemKind]] = {
    "player": CompletionItemKind.EnumMember,
    "parameter": CompletionItemKind.Constant,
    "type": CompletionItemKind.Class,
    "member": CompletionItemKind.EnumMember,
    "field": CompletionItemKind.Field,
    "variable": CompletionItemKind.Variable,
    "define": CompletionItemKind.Function,
    "feature": CompletionItemKind.Function,
    "action": CompletionItemKind.Method,
    "phase": CompletionItemKind.Module,
    "move": CompletionItemKind.Event,
    "outcome": CompletionItemKind.Event,
    "choice": CompletionItemKind.Event,
    "information set": CompletionItemKind.Reference,
    "argument": CompletionItemKind.Variable,
    "name": CompletionItemKind.Variable,
    "local variable": CompletionItemKind.Variable,
}

VALUES: Final[tuple[Kind, ...]] = ("player", "parameter", "type", "member", "variable", "define", "feature")
BUILT_IN_TYPES: Final = ("Bool", "Direction", "Player")
BUILT_IN_FIELDS: Final = ("ends", "x", "y")
BUILT_IN_VALUES: Final = (*BUILT_IN_TYPES, *COMPASS, "diagonal", "orthogonal", "stuck")

_BOUND: Final = re.compile(r"\b([A-Za-z_]\w*) in\b|\b(?:let|var|reach) ([A-Za-z_]\w*)|[(,] *([A-Za-z_]\w*):")


def completions(index: SymbolIndex, offset: int) -> list[CompletionItem]:
    """What may come at a place of a text, once each."""
    text = index.source.text[:offset]
    found = continuation(text)
    items = [CompletionItem(word, kind=CompletionItemKind.Keyword) for word in found.words]
    if found.is_name:
        items += _names(found, index, text)
    return list({item.label: item for item in reversed(items)}.values())[::-1]


def _names(found: Continuation, index: SymbolIndex, text: str) -> Iterator[CompletionItem]:
    before = found.before[-1] if found.before else ""
    if before == ".":
        yield from _parts(found.before[-2], index)
    elif before in ("go", "at"):
        yield from _of_kinds(index, "phase")
    elif before in ("play", "illegal") or found.before[:1] == ("test",):
        yield from _of_kinds(index, "move", "outcome", "choice")
    elif before == "legend":
        yield from _of_kinds(index, "type", "variable")
    elif before == "weight" and len(found.before) == 1:
        yield from _of_kinds(index, "feature")
    elif "grid" in found.words:
        yield from _of_kinds(index, "type")
        yield from _built_in(BUILT_IN_TYPES, CompletionItemKind.Class)
    elif "let" in found.words:
        yield from _of_kinds(index, "action", "variable")
        yield from _local(index, text)
    elif "true" in found.words:
        yield from _local(index, text)
        yield from _of_kinds(index, *VALUES)
        yield from _built_in(BUILT_IN_VALUES, CompletionItemKind.Constant)
        yield from _built_in(tuple(sorted(BUILT_IN_FUNCTIONS)), CompletionItemKind.Function)


def _parts(owner: str, index: SymbolIndex) -> Iterator[CompletionItem]:
    """The members of the type before a dot; else the fields of records, cells and edges."""
    types = [symbol for symbol in index.symbols.values() if symbol.kind == "type" and symbol.name == owner]
    if types:
        members = [symbol for symbol in index.symbols.values() if symbol.kind == "member"]
        yield from (_item(member) for member in members if member.container == types[0].container)
    else:
        yield from _of_kinds(index, "field")
        yield from _built_in(BUILT_IN_FIELDS, CompletionItemKind.Field)


def _of_kinds(index: SymbolIndex, *kinds: Kind) -> Iterator[CompletionItem]:
    yield from (_item(symbol) for symbol in index.symbols.values() if symbol.kind in kinds)


def _local(index: SymbolIndex, text: str) -> Iterator[CompletionItem]:
    """The names bound in the declaration at whose place ``text`` ends."""
    start = text.rfind("\n") + 1
    while start > 0 and text[start : start + 1] in (" ", "\n", "\r", "#", ""):
        start = text.rfind("\n", 0, start - 1) + 1
    known = {symbol.name: symbol for symbol in index.symbols.values() if symbol.is_local and symbol.span.start >= start}
    for match in _BOUND.finditer(text, start):
        name = next(group for group in match.groups() if group is not None)
        yield _item(known[name]) if name in known else CompletionItem(name, kind=CompletionItemKind.Variable)


def _built_in(names: tuple[str, ...], kind: CompletionItemKind) -> Iterator[CompletionItem]:
    yield from (CompletionItem(name, kind=kind, detail="of the language") for name in names)


def _item(symbol: Symbol) -> CompletionItem:
    documentation = MarkupContent(MarkupKind.Markdown, symbol_markdown(symbol))
    return CompletionItem(symbol.name, kind=ITEM_KINDS[symbol.kind], detail=symbol.kind, documentation=documentation)
