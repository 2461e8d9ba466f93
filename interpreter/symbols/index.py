"""The index of the names of a file: what stands at a place, and all places of a name."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping
from functools import cached_property

from attrs import frozen

from zermelo.grammar import syntax
from zermelo.grammar.diagnostics import Findings
from zermelo.grammar.displayed import Displayed
from zermelo.grammar.parse import parse_parts
from zermelo.grammar.source import Source, Span
from zermelo.interpreter.elaboration import assemble
from zermelo.interpreter.elaboration.declarations import FileGlobals
from zermelo.interpreter.elaboration.names import declare
from zermelo.interpreter.elaboration.players import file_globals
from zermelo.interpreter.symbols.declared import declared_in
from zermelo.interpreter.symbols.played import played_names, uses
from zermelo.interpreter.symbols.remarks import heading_of, remarks_of
from zermelo.interpreter.symbols.symbol import SHARED, Symbol


@frozen(repr=False)
class SymbolIndex(Displayed):
    """The names that a file declares, in the order of the text, by the places of their declarations; and from each
    place where a name is used (``uses``) to the place where it is declared."""

    source: Source
    symbols: Mapping[Span, Symbol]
    uses: Mapping[Span, Span]

    def at(self, offset: int) -> tuple[Span, Symbol] | None:
        """The name at the character ``offset``, or right before it, and what it means."""
        for place in (offset, offset - 1):
            k = bisect_right(self._starts, place) - 1
            if k >= 0 and self._places[k].start <= place < self._places[k].end:
                span = self._places[k]
                return span, self.symbols[self.uses.get(span, span)]
        return None

    def in_order(self) -> Iterator[tuple[Span, Symbol]]:
        """All names of the text in their order, each with its meaning."""
        return ((span, self.symbols[self.uses.get(span, span)]) for span in self._places)

    def family(self, symbol: Symbol) -> tuple[Symbol, ...]:
        """The declarations that mean the same by this name: one, but for moves and outcomes, which are known by their
        names alone, and for information sets."""
        kind = SHARED.get(symbol.kind)
        if kind is None:
            return (symbol,)
        return tuple(
            other for other in self.symbols.values() if other.name == symbol.name and SHARED.get(other.kind) == kind
        )

    def places_of(self, symbol: Symbol) -> tuple[Span, ...]:
        """All places of a name, its declarations included, in the order of the text."""
        declared = {other.span for other in self.family(symbol)}
        found = [*declared, *(span for span, place in self.uses.items() if place in declared)]
        return tuple(sorted(found, key=lambda span: span.start))

    @cached_property
    def _places(self) -> list[Span]:
        return sorted({*self.symbols, *self.uses}, key=lambda span: span.start)

    @cached_property
    def _starts(self) -> list[int]:
        return [span.start for span in self._places]


def index_with_findings(source: Source) -> tuple[SymbolIndex, Findings]:
    """The index of a text, which may have any mistakes: of those declarations that can be read; and the findings of
    reading and elaborating, of which those in other declarations may be consequences of a first mistake."""
    tree, findings, _ = parse_parts(source)
    globals = file_globals(declare(tree, findings), findings, {})
    assemble(globals)
    return index_of_elaborated(tree, globals), findings


def index_of_elaborated(tree: syntax.GameFile, globals: FileGlobals) -> SymbolIndex:
    """The same from the tree of a text, and its names after their elaboration."""
    source = globals.findings.source
    names = list(declared_in(tree))
    locals = {local.span: local for local in globals.locals}
    symbols = {
        declared.name.span: Symbol(
            declared.name.text,
            declared.kind,
            declared.name.span,
            declared.node.span,
            declared.top.span,
            heading_of(declared, source),
            remarks_of(declared, globals, locals, source),
        )
        for declared in names
    }
    known = uses(globals, dict(played_names(tree, names, globals)))
    sound = {
        span: place for span, place in known.items() if place in symbols and source.excerpt(span) == symbols[place].name
    }
    return SymbolIndex(source, symbols, sound)
