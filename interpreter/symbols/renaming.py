"""Renaming, such that the text means the same as before.

A new name can collide with another one, hide it, or be a word of the language. Rather than foresee every way, the new
text is read: the same names must stand at the same places, each use must lead to the same declaration as before, and no
finding may be new. What has no such proof is refused.
"""

from __future__ import annotations

import re
from collections import Counter

from zermelo.grammar.diagnostics import ZermeloError
from zermelo.grammar.source import Source, Span
from zermelo.interpreter.symbols.index import SymbolIndex, index_with_findings
from zermelo.interpreter.symbols.symbol import Symbol

_NAME = re.compile(r"[A-Za-z_][A-Za-z_0-9]*")


def places_to_rename(index: SymbolIndex, symbol: Symbol, name: str) -> tuple[Span, ...]:
    """The places of a symbol at which the new name is to be written.

    Raises ``ZermeloError`` (``reserved-name``, ``shadowed-name``, ``syntax`` and the like) if the text would not mean
    the same.
    """
    if not _NAME.fullmatch(name):
        help = "a name consists of letters, digits and _, and does not begin with a digit"
        raise ZermeloError("syntax", f"'{name}' is not a name", help)
    places = index.places_of(symbol)
    text, end = [], 0
    for place in places:
        text += [index.source.text[end : place.start], name]
        end = place.end
    edited = Source(index.source.name, "".join(text) + index.source.text[end:])
    _, before = index_with_findings(index.source)
    after, there = index_with_findings(edited)
    new = Counter(finding.code for finding in there) - Counter(finding.code for finding in before)
    for finding in (*there.errors, *there):
        if finding.code in new:
            raise ZermeloError(finding.code, f"'{symbol.name}' cannot be called '{name}': {finding.message}")
    if _meanings(index, places, len(name) - len(symbol.name)) != _meanings(after, (), 0):
        raise ZermeloError("duplicate-name", f"with the name '{name}', other names would change their meaning")
    return places


def _meanings(index: SymbolIndex, renamed: tuple[Span, ...], longer: int) -> dict[int, int]:
    """From where each name stands to where it is declared, in the text with the renamed places longer by so much."""
    starts = [place.start for place in renamed]

    def moved(offset: int) -> int:
        return offset + longer * sum(start < offset for start in starts)

    here = {moved(span.start): moved(span.start) for span in index.symbols}
    return here | {moved(span.start): moved(place.start) for span, place in index.uses.items()}
