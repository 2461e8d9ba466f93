"""Where a line may be broken: after its ``=``, before its clauses, and after the colon before a statement."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import evolve

from zermelo.grammar.formatter.documents import Break, Document, Fitting, Nest
from zermelo.grammar.formatter.expressions import Phrase
from zermelo.grammar.formatter.lines import SourceWord

_CLAUSES = ("if", "ensuring", "weight", "prob", "preferring", "within", "with")
_SIGNS = ("=", ":=", "+=", "-=")
_VISIBILITIES = ("public", "hidden", "private", "seen")

_DECLARING = ("var", "param", "define", "feature", "let", "type", "weight", "players")
"""Words before which a colon is followed by a type."""

_BLOCKS = ("if", "else", "for", "move", "outcome", "otherwise", "then", "phase", "setup", "action")
"""Words that begin what has a block, which may be a statement behind the colon."""


def laid_out(words: Sequence[SourceWord]) -> Document:
    """A logical line."""
    return _statement(Phrase(words), 0, len(words))


def _statement(words: Phrase, start: int, end: int) -> Document:
    seen = words.find(start, end, *_VISIBILITIES) if words.words[start].is_keyword("var") else None
    if seen is not None:
        margin = evolve(words.leaves[seen], in_margin=True), words.listing(seen + 1, end)
        return _statement(words, start, seen), Nest(4, margin)
    colon = None if words.words[start].is_keyword(*_DECLARING) else words.colon(start, end)
    if colon is not None:
        return _headed(words, start, colon, end)
    sign = words.find(start, words.find(start, end, "where", "with") or end, *_SIGNS)
    if sign is not None:
        return _assigned(words, start, sign, end)
    return Nest(4, _clauses(words, start, end))


def _headed(words: Phrase, start: int, colon: int, end: int) -> Document:
    """The head of a block, or of a value, and what stands behind the colon."""
    head = Nest(8, _clauses(words, start, colon)), words.leaves[colon]
    if colon + 1 == end:
        return head
    rest = _statement(words, colon + 1, end)
    opens_block = words.words[end - 1].is_keyword(":")  # which is one step deeper than this line, and not than a row
    if words.words[start].is_keyword(*_BLOCKS) and not opens_block:
        return Fitting((head, Nest(4, (Break(), rest))))
    return head, rest


def _assigned(words: Phrase, start: int, sign: int, end: int) -> Document:
    """A name and its value."""
    head = Nest(4, words.listing(start, sign)), words.leaves[sign]
    if words.words[sign + 1].is_keyword("layout"):
        rows = tuple((Break(certain=True), leaf) for leaf in words.leaves[sign + 2 : end])
        return head, words.leaves[sign + 1], Nest(4, rows)
    if words.words[sign + 1].is_keyword("match"):
        return head, Nest(4, (Break(certain=True), _statement(words, sign + 1, end)))
    return Fitting((head, Nest(4, (Break(), words.listing(sign + 1, end)))))


def _clauses(words: Phrase, start: int, end: int) -> Document:
    """A statement without value or block, or the head of a block: with its clauses in a row, or in one row each."""
    places = [place for place in words.level(start, end) if place > start and words.is_clause(place, _CLAUSES)]
    first, *others = (words.listing(*part) for part in words.split(places, start, end))
    return Fitting((first, tuple((Break(), other) for other in others)))
