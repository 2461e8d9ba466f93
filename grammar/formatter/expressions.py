"""Where an expression may be broken: at its outermost operators, before them; after commas; and in brackets.

The words of a correct text need no second parser: brackets, the precedence of operators, and what opens to the right
(quantifiers, ``if ... then``, ``reach``) say which words belong together.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest

from attrs import evolve, field, frozen

from zermelo.grammar.diagnostics import Source
from zermelo.grammar.formatter.documents import (
    Break,
    Document,
    Fitting,
    Leaf,
    Line,
    Nest,
    SourceWord,
    TextRow,
    ends_operand,
    spaces_before,
)
from zermelo.grammar.layout import CLOSING

_QUANTIFIERS = ("some", "all", "no", "count", "sum", "min", "max", "first", "last", "reach")
_TESTS = ("while", "until", "if")
_CHAINS = (
    ("or",),
    ("and",),
    ("==", "!=", "<", "<=", ">", ">=", "in", "not", "is", "from"),
    ("|",),
    ("+", "-"),
    ("*", "/", "//", "%"),
)
"""Operators, from the weakest on; ``not`` is that of ``not in``."""


@frozen(eq=False)
class Phrase:
    """The words of a line, and its parts as documents. A part is given by its first word and the one after its last."""

    words: Sequence[SourceWord]
    leaves: list[Leaf] = field(init=False)
    partners: dict[int, int] = field(init=False)  # the closing bracket of each opening one

    @leaves.default
    def _leaves(self) -> list[Leaf]:
        return [Leaf(word, apart) for word, apart in zip(self.words, spaces_before(self.words), strict=True)]

    @partners.default
    def _partners(self) -> dict[int, int]:
        partners, opened = {}, []
        for place, word in enumerate(self.words):
            if word.is_keyword(*CLOSING):
                opened.append(place)
            elif word.is_keyword(*CLOSING.values()):
                partners[opened.pop()] = place
        return partners

    def level(self, start: int, end: int) -> Iterator[int]:
        """The places of the words of a part outside of its brackets; an opening bracket stands for its contents."""
        place = start
        while place < end:
            yield place
            place = self.partners.get(place, place) + 1

    def find(self, start: int, end: int, *texts: str) -> int | None:
        """The first place of one of these words or signs in a part, outside of its brackets."""
        return next((place for place in self.level(start, end) if self.words[place].is_keyword(*texts)), None)

    def colon(self, start: int, end: int) -> int | None:
        """The first colon of a part that belongs to no quantifier."""
        pending = 0
        for place in self.level(start, end):
            if self.is_quantifier(place):
                pending += 1
            elif self.words[place].is_keyword(":"):
                if not pending:
                    return place
                pending -= 1
        return None

    def is_quantifier(self, place: int) -> bool:
        word, after = self.words[place], self.words[place + 1 : place + 3]
        return word.is_keyword(*_QUANTIFIERS) and len(after) == 2 and after[1].is_keyword("in", "from")

    def is_clause(self, place: int, texts: Sequence[str]) -> bool:
        """Whether one of these words begins a clause here; an ``if`` that begins an operand belongs to a ``then``."""
        word = self.words[place]
        return word.is_keyword(*texts) and place > 0 and (word.text != "if" or ends_operand(self.words[place - 1]))

    def opener(self, start: int, end: int) -> int:
        """The first place of a quantifier or an ``if ... then`` in a part, outside of brackets; ``end`` without any."""
        for place in self.level(start, end):
            conditional = self.words[place].is_keyword("if") and not (place and ends_operand(self.words[place - 1]))
            if conditional or self.is_quantifier(place):
                return place
        return end

    def split(self, places: Sequence[int], start: int, end: int) -> list[tuple[int, int]]:
        """A part cut before each of these places."""
        return list(zip([start, *places], [*places, end], strict=True))

    # ------------------------------------------------------------------------------------------- documents

    def sequence(self, start: int, end: int) -> Document:
        """Words one after the other, with what is in brackets."""
        return tuple(
            self.brackets(place) if place in self.partners else self.leaves[place] for place in self.level(start, end)
        )

    def brackets(self, place: int) -> Document:
        """An opening bracket and all up to its closing one; further rows begin right of the opening one."""
        start, end = place + 1, self.partners[place]
        if self.words[place].text == "{":
            inner: Document = Nest(0 if self.is_table(start, end) else 3, self.members(start, end), hanging=True)
        else:
            inner = Nest(0, self.listing(start, end, is_enclosed=True), hanging=True)
        return self.leaves[place], inner if end > start else (), self.leaves[end]

    def members(self, start: int, end: int) -> Document:
        """What is in braces: items, or a comprehension, in which each further ``for`` begins a row."""
        generators = [place for place in self.level(start, end) if self.words[place].is_keyword("for")]
        first, *others = (self.tested(*part) for part in self.split(generators[1:], start, end))
        return Fitting((first, tuple((Break(), other) for other in others)))

    def tested(self, start: int, end: int) -> Document:
        """A generator and its tests, all in one row, or each test in a row of its own; so is an element's ``for``."""
        tests = [place for place in self.level(start, end) if self.is_clause(place, _TESTS)]
        first, *others = self.split(tests, start, end)
        element = self.find(*first, "for")
        parts = [first] if element is None else self.split([element], *first)
        head, *binder = (self.listing(*part, is_enclosed=True) for part in parts)
        generator = Fitting((head, tuple((Break(), each) for each in binder)))
        return Fitting((generator, tuple((Break(), self.expression(*part, is_enclosed=True)) for part in others)))

    def listing(self, start: int, end: int, is_enclosed: bool = False) -> Document:
        """Items with commas between them, as many in a row as fit, and bindings behind a ``where``."""
        where = self.find(start, end, "where")
        if where is not None and where > start:
            bindings = (Break(), self.leaves[where], self.items(where + 1, end, is_enclosed))
            return Fitting((self.items(start, where, is_enclosed), Nest(4, bindings)))
        return self.items(start, end, is_enclosed)

    def items(self, start: int, end: int, is_enclosed: bool) -> Document:
        cuts, pending = [], 0
        for place in self.level(start, end):
            pending += self.is_quantifier(place)
            pending -= bool(pending) and self.words[place].is_keyword(":")
            if not pending and self.words[place].is_keyword(","):
                cuts.append(place + 1)
        first, *others = (self.item(*part, is_enclosed) for part in self.split(cuts, start, end))
        is_table = start > 0 and self.words[start - 1].is_keyword("{") and self.is_table(start, end)
        return first, tuple(
            (Break(certain=True), other) if is_table and self.words[cut].begins_row else Fitting((Break(), other))
            for cut, other in zip(cuts, others, strict=True)
        )

    def is_table(self, start: int, end: int) -> bool:
        """Whether braces hold keys and values, and no comprehension: the author's division into rows is then kept."""
        has_key = self.colon(start, self.find(start, end, ",") or end) is not None
        return has_key and self.find(start, end, "for") is None

    def item(self, start: int, end: int, is_enclosed: bool) -> Document:
        """An item, with its comma; or a key and its value."""
        comma: Document = ()
        if end > start and self.words[end - 1].is_keyword(","):
            end -= 1
            comma = self.leaves[end]
        colon = self.colon(start, end)
        if colon is None:
            return self.expression(start, end, is_enclosed), comma
        value = self.expression(colon + 1, end, is_enclosed)
        return self.expression(start, colon, is_enclosed), self.leaves[colon], Nest(4, value), comma

    def expression(self, start: int, end: int, is_enclosed: bool = False) -> Document:
        """An expression; a row may end with a colon only if the expression ``is_enclosed`` in brackets."""
        if start >= end:
            return ()
        opener = self.opener(start, end)
        if opener == start:
            return self.opened(start, end, is_enclosed)
        for operators in _CHAINS:
            places = [place for place in self.level(start, opener) if self.is_operator(place, start, operators)]
            if places and self.words[places[0]].is_keyword("in", "from") and places[0] <= start + 2:
                name = self.sequence(start, places[0] + 1)  # beside its domain
                domain = self.expression(places[0] + 1, end, is_enclosed)
                return name, Nest(8, domain) if isinstance(domain, Fitting) else domain
            if places:
                first, *others = (self.operand(*part, is_enclosed) for part in self.split(places, start, end))
                return Fitting((first, tuple((Break(), other) for other in others)))
        if opener < end:
            return self.sequence(start, opener), self.expression(opener, end, is_enclosed)
        return self.sequence(start, end)

    def operand(self, start: int, end: int, is_enclosed: bool) -> Document:
        """An operator and its operand, whose further rows are indented unless it is a quantifier or ``if``."""
        operand = self.expression(start, end, is_enclosed)
        return operand if self.opener(start, end) == start + 1 else Nest(4, operand)

    def is_operator(self, place: int, start: int, operators: Sequence[str]) -> bool:
        word, before = self.words[place], self.words[place - 1]
        return place > start and word.is_keyword(*operators) and ends_operand(before)

    def opened(self, start: int, end: int, is_enclosed: bool) -> Document:
        """A quantifier or an ``if``, which extends to the end of the part."""
        if not self.words[start].is_keyword("if"):
            colon = self.find(start, end, ":")
            assert colon is not None
            body = self.listing(colon + 1, end, is_enclosed)
            head = self.leaves[start], self.items(start + 1, colon, is_enclosed), self.leaves[colon]
            return Fitting((head, Nest(4, (Break(), body) if is_enclosed else body)))
        if self.matching(start + 1, end, "then") == end:  # an 'if' that is no expression
            return self.leaves[start], self.expression(start + 1, end, is_enclosed)
        parts: list[Document] = []
        is_chain = False
        while (otherwise := self.matching(start + 1, end, "else")) < end:
            branch, start = self.branch(start, otherwise, is_enclosed), otherwise + 1
            is_chain |= self.words[start].is_keyword("if")
            parts += [branch, Break(is_chain and not is_enclosed), self.leaves[otherwise]]
            if not self.words[start].is_keyword("if"):
                parts.append(self.listing(start, end, is_enclosed))
                break
        return Nest(0, Fitting(tuple(parts)), hanging=True)

    def branch(self, start: int, end: int, is_enclosed: bool) -> Document:
        """An ``if`` and its ``then``, without the ``else``."""
        then = self.matching(start + 1, end, "then")
        condition = self.listing(start + 1, then, is_enclosed)
        value = self.leaves[then], self.listing(then + 1, end, is_enclosed)
        return Fitting((self.leaves[start], Nest(4, (condition, Break(), value))))

    def matching(self, start: int, end: int, text: str) -> int:
        """The place of the ``then`` or ``else`` of the ``if`` before a part; ``end`` if it has none."""
        pending = 0
        for place in self.level(start, end):
            if self.words[place].is_keyword("if") and not ends_operand(self.words[place - 1]):
                pending += 1
            elif self.words[place].is_keyword(text):
                if not pending:
                    return place
                pending -= 1
        return end


# Where a line may be broken: after its ``=``, before its clauses, and after the colon before a statement.


_CLAUSES = ("if", "ensuring", "weight", "prob", "preferring", "within", "with")
_SIGNS = ("=", ":=", "+=", "-=")
_VISIBILITIES = ("public", "hidden", "private", "seen")

_DECLARING = ("var", "param", "define", "feature", "let", "type", "weight", "players")
"""The first words of lines in which a colon opens no block: a type may follow it."""

_BLOCKS = ("if", "else", "for", "move", "outcome", "otherwise", "then", "phase", "setup", "action")
"""The first words of lines that have a block, which may be a single statement behind the colon."""


def line_document(words: Sequence[SourceWord]) -> Document:
    """A logical line."""
    return _statement(Phrase(words), 0, len(words))


def _statement(words: Phrase, start: int, end: int) -> Document:
    seen = words.find(start, end, *_VISIBILITIES) if words.words[start].is_keyword("var") else None
    if seen is not None:
        margin = evolve(words.leaves[seen], in_margin=True), words.listing(seen + 1, end)
        return _statement(words, start, seen), Nest(4, margin)
    colon = None if words.words[start].is_keyword(*_DECLARING) else words.colon(start, end)
    if colon is not None:
        return _head_and_rest(words, start, colon, end)
    sign = words.find(start, words.find(start, end, "where", "with") or end, *_SIGNS)
    if sign is not None:
        return _assignment(words, start, sign, end)
    return Nest(4, _clauses(words, start, end))


def _head_and_rest(words: Phrase, start: int, colon: int, end: int) -> Document:
    """The head of a block, or of a value, and what stands behind the colon."""
    head = Nest(8, _clauses(words, start, colon)), words.leaves[colon]
    if colon + 1 == end:
        return head
    rest = _statement(words, colon + 1, end)
    opens_block = words.words[end - 1].is_keyword(":")  # which is one step deeper than this line, and not than a row
    if words.words[start].is_keyword(*_BLOCKS) and not opens_block:
        return Fitting((head, Nest(4, (Break(), rest))))
    return head, rest


def _assignment(words: Phrase, start: int, sign: int, end: int) -> Document:
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


# Payoff tables, whose columns are aligned, and legends, which stay as they are drawn.


def table_rows(lines: list[Line], indent: int) -> list[TextRow]:
    """The rows of a table; a comment within one of them goes above it."""
    cells = [_cells(line.words) for line in lines]
    widths = [max(map(len, column)) for column in zip_longest(*cells, fillvalue="")]
    rows: list[TextRow] = []
    for line, texts in zip(lines, cells, strict=True):
        inner = [comment for word in line.words for comment in word.above]
        inner += [word.behind for word in line.words[:-1] if word.behind]
        rows += [TextRow(indent, "", comment) for comment in [*(each.text for each in line.above), *inner]]
        padded = [f"{text:<{width}}" for text, width in zip(texts, widths, strict=False)]
        rows.append(TextRow(indent, " | ".join(padded).rstrip(), line.words[-1].behind))
    return rows


def _cells(words: list[SourceWord]) -> list[str]:
    """The texts of the cells of a row."""
    cells = [""]
    for word, is_apart in zip(words, spaces_before(words), strict=True):
        if word.is_keyword("|"):
            cells.append("")
        else:
            cells[-1] += " " * (is_apart and bool(cells[-1])) + word.text
    return cells


def legend_rows(lines: list[Line], source: Source, indent: int) -> list[TextRow]:
    """The rows of a legend, each as it stands."""
    rows: list[TextRow] = []
    for line in lines:
        rows += [TextRow(indent, "", each.text) for each in line.above]
        first, *others = line.drawn(source).split("\n")
        rows.append(TextRow(indent, first.rstrip()))
        for row in others:
            text = row.strip()
            rows.append(TextRow(indent + len(row) - len(row.lstrip()) - line.column if text else 0, text))
        rows[-1].comment = line.words[-1].behind
    return rows
