"""Completion: the words that the grammar admits at a place, and the names that can stand there.

The grammar says which words may come, and whether a name may; the word before says what kind of name. The declaration
in which somebody is typing can seldom be read as a whole, so the names that it binds are also looked for in its text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from attrs import frozen

from zermelo.grammar.continuations import Continuation, continuation
from zermelo.grammar.diagnostics import Span
from zermelo.grammar.names import WORD
from zermelo.interpreter.elaboration.drawings import LOOK_WORDS
from zermelo.interpreter.elaboration.names import BUILT_IN_FUNCTIONS
from zermelo.interpreter.symbols.index import Kind, Symbol, SymbolIndex, places_to_rename
from zermelo.interpreter.values import COMPASS
from zermelo.language_server import words
from zermelo.language_server.documents import TextPlaces
from zermelo.language_server.protocol import (
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
    Range,
    SemanticTokenTypes,
    SymbolKind,
    TextEdit,
    WorkspaceEdit,
)

# Answers about names: what they mean, where they are declared and used, and the outline of a file.


KINDS: Final[dict[Kind, tuple[CompletionItemKind, SemanticTokenTypes, SymbolKind | None]]] = {
    "player": (CompletionItemKind.EnumMember, SemanticTokenTypes.EnumMember, SymbolKind.Object),
    "parameter": (CompletionItemKind.Constant, SemanticTokenTypes.Variable, SymbolKind.Constant),
    "type": (CompletionItemKind.Class, SemanticTokenTypes.Type, SymbolKind.Enum),
    "member": (CompletionItemKind.EnumMember, SemanticTokenTypes.EnumMember, SymbolKind.EnumMember),
    "field": (CompletionItemKind.Field, SemanticTokenTypes.Property, SymbolKind.Field),
    "variable": (CompletionItemKind.Variable, SemanticTokenTypes.Variable, SymbolKind.Variable),
    "define": (CompletionItemKind.Function, SemanticTokenTypes.Function, SymbolKind.Function),
    "feature": (CompletionItemKind.Function, SemanticTokenTypes.Function, SymbolKind.Function),
    "action": (CompletionItemKind.Method, SemanticTokenTypes.Method, SymbolKind.Method),
    "phase": (CompletionItemKind.Module, SemanticTokenTypes.Class, SymbolKind.Class),
    "move": (CompletionItemKind.Event, SemanticTokenTypes.Event, SymbolKind.Event),
    "outcome": (CompletionItemKind.Event, SemanticTokenTypes.Event, SymbolKind.Event),
    "choice": (CompletionItemKind.Event, SemanticTokenTypes.Event, SymbolKind.Event),
    "information set": (CompletionItemKind.Reference, SemanticTokenTypes.Macro, SymbolKind.Key),
    "argument": (CompletionItemKind.Variable, SemanticTokenTypes.Parameter, None),
    "name": (CompletionItemKind.Variable, SemanticTokenTypes.Parameter, None),
    "local variable": (CompletionItemKind.Variable, SemanticTokenTypes.Variable, None),
}
"""How editors show names of each kind: in a completion, in the text, and in an outline, which has no local names."""


@frozen
class Look:
    """The names of a document, and its places."""

    address: str
    index: SymbolIndex
    places: TextPlaces

    def at(self, position: Position) -> tuple[Span, Symbol] | None:
        """The name at a position, if there is one, and what it stands for."""
        return self.index.at(self.places.offset_of(position))

    def locations(self, spans: Iterable[Span]) -> list[Location]:
        return [Location(self.address, self.places.range_of(span)) for span in spans]


def hover(look: Look, position: Position) -> Hover | None:
    """What a name of the file means, or else a word of the language."""
    places, found = look.places, look.at(position)
    if found is not None:
        span, symbol = found
        return Hover(MarkupContent(MarkupKind.Markdown, symbol_markdown(symbol)), places.range_of(span))
    word = words.word_at(places.source.text, places.offset_of(position))
    if word is None:
        return None
    begin, text = word
    there = places.range_in_line(position.line, begin, begin + len(text))
    return Hover(MarkupContent(MarkupKind.Markdown, words.word_markdown(text)), there)


def symbol_markdown(symbol: Symbol) -> str:
    """A symbol in Markdown: its declaration, and below what else is known."""
    return f"```zermelo\n{symbol.heading}\n```\n{symbol_facts(symbol)}"


def symbol_facts(symbol: Symbol) -> str:
    """What is known about a symbol beside its declaration, in Markdown."""
    lines = "".join(f"\n- {remark}" for remark in symbol.remarks)
    return f"*{symbol.kind}*, line {symbol.span.line}\n{lines}".rstrip()


def definition(look: Look, position: Position) -> list[Location]:
    found = look.at(position)
    if found is None:
        return []
    span, symbol = found
    return look.locations(other.span for other in ([symbol] if span == symbol.span else look.index.family(symbol)))


def references(look: Look, position: Position, with_declaration: bool) -> list[Location]:
    """All places of a name, with or without those that declare it."""
    found = look.at(position)
    spans = () if found is None else look.index.places_of(found[1])
    return look.locations(span for span in spans if with_declaration or span not in look.index.symbols)


def highlights(look: Look, position: Position) -> list[DocumentHighlight]:
    found = look.at(position)
    spans = () if found is None else look.index.places_of(found[1])
    return [DocumentHighlight(look.places.range_of(span), DocumentHighlightKind.Text) for span in spans]


def renamable(look: Look, position: Position) -> Range | None:
    """The place of the name that can be changed here."""
    found = look.at(position)
    return None if found is None else look.places.range_of(found[0])


def rename_edits(look: Look, position: Position, name: str) -> WorkspaceEdit | None:
    """The edits that give a name another text; None if there is no name. Raises ``ZermeloError`` like
    :func:`zermelo.interpreter.symbols.index.places_to_rename`."""
    found = look.at(position)
    if found is None:
        return None
    spans = places_to_rename(look.index, found[1], name)
    return WorkspaceEdit(changes={look.address: [TextEdit(look.places.range_of(span), name) for span in spans]})


def outline(look: Look) -> list[DocumentSymbol]:
    """The names of the file, and in them those of moves, outcomes, members and fields."""
    parts: dict[Span, list[Symbol]] = {}
    for symbol in look.index.symbols.values():
        if KINDS[symbol.kind][2] is not None:
            parts.setdefault(symbol.container, []).append(symbol)
    made, places = [], look.places
    for container, (first, *others) in parts.items():
        if first.whole == container and first.kind != "player":
            made.append(_outline_entry(first, places, [_outline_entry(other, places, []) for other in others]))
        else:
            made += [_outline_entry(symbol, places, []) for symbol in (first, *others)]
    return made


def _outline_entry(symbol: Symbol, places: TextPlaces, children: list[DocumentSymbol]) -> DocumentSymbol:
    is_part = symbol.kind in ("player", "member", "field", "choice", "information set")
    _, _, kind = KINDS[symbol.kind]
    assert kind is not None, "an outline has no local names"
    return DocumentSymbol(
        name=symbol.name,
        kind=kind,
        range=places.range_of(symbol.span if is_part or symbol.whole == symbol.container else symbol.whole)
        if not children
        else places.range_of(symbol.whole),
        selection_range=places.range_of(symbol.span),
        detail=symbol.kind,
        children=children,
    )


VALUES: Final[tuple[Kind, ...]] = ("player", "parameter", "type", "member", "variable", "define", "feature")
BUILT_IN_TYPES: Final = ("Bool", "Direction", "Player")
BUILT_IN_FIELDS: Final = ("ends", "x", "y")
BUILT_IN_MEMBERS: Final = {"Bool": ("false", "true"), "Direction": tuple(COMPASS)}
BUILT_IN_VALUES: Final = (*BUILT_IN_TYPES, *COMPASS, "diagonal", "orthogonal", "stuck")

_BOUND: Final = re.compile(rf"({WORD}) in\b|\b(?:let|var|reach) ({WORD})|[(,] *({WORD}):")


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
    elif before in ("legend", "drawn"):
        yield from _of_kinds(index, "type", "variable")
    elif found.before[:1] == ("drawn",) and "true" not in found.words:  # a look
        yield from _built_in(LOOK_WORDS, CompletionItemKind.Color)
        yield from _of_kinds(index, "player")
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
    elif owner == "Player":
        yield from _of_kinds(index, "player")
    elif owner in BUILT_IN_MEMBERS:
        yield from _built_in(BUILT_IN_MEMBERS[owner], CompletionItemKind.EnumMember)
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
    return CompletionItem(symbol.name, kind=KINDS[symbol.kind][0], detail=symbol.kind, documentation=documentation)
