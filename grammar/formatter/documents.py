"""Documents: words with places where a line may be broken, and how they become rows.

After Philip Wadler (2003), "A prettier printer". A *group* is set in one row if it fits there, up to the next place
where a line may be broken; if it does not, all its own places are broken, and the groups in it are asked anew. So lines
break at the outermost places first. Each group is measured no further than the width, so the time is proportional to
the number of words times the width.

A comment inside a document always ends its row. Comments are not measured: they stand in the margin.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby

from attrs import define, field, frozen

from zermelo.grammar.diagnostics import Findings, Source
from zermelo.grammar.engine import engine
from zermelo.grammar.layout import CLOSING, Chunk, Lexeme, split_declarations

# From a text to logical lines: the words of a statement or of the head of a block, however many rows they fill.
#
# A word is a token of the parser; what lies between two words is spaces, line ends and comments. A comment behind a
# word stays there. One in a row of its own belongs to what comes below it; at the end of a block, its column tells to
# which of the open blocks it belongs.


_COMMENT = re.compile(r"#[^\r\n]*")
_NAMES = ("NAME", "NUMBER", "TEXT")


@define(eq=False)
class SourceWord:
    """A token. ``kind`` is its name in the grammar: ``NAME``, ``NUMBER``, ``TEXT``, or that of a keyword or a sign.
    ``above`` are the comments in rows of their own between the previous word of its logical line and this one,
    ``behind`` is the comment after it in its row. ``end`` is the offset of its end in the text."""

    text: str
    kind: str
    end: int
    above: tuple[str, ...] = ()
    behind: str = ""
    begins_row: bool = False

    def is_keyword(self, *texts: str) -> bool:
        """Whether it is one of these words or signs, and no name."""
        return self.text in texts and self.kind not in _NAMES


@frozen
class Above:
    """A row above a line, in the depth of its block: a comment, or blank."""

    text: str
    depth: int


@define(eq=False)
class Line:
    """A logical line, the rows above it, and the column of its first word in the text, from 0. The rows below the last
    word of a text stand above a line without words."""

    depth: int
    column: int
    words: list[SourceWord]
    above: list[Above] = field(factory=list)

    def drawn(self, source: Source) -> str:
        """The line as it stands in the text, without the comment behind it."""
        first, last = self.words[0], self.words[-1]
        return source.text[first.end - len(first.text) : last.end]


def logical_lines(source: Source) -> list[Line]:
    """The lines of a text without errors."""
    reader = _Reader(source.text)
    for chunk in split_declarations(source):
        reader.read(chunk)
    reader.lines.append(Line(0, 0, [], reader.above(0, len(source.text), reader.columns)))
    return reader.lines


@define(eq=False)
class _Reader:
    """``columns`` are those of the open blocks, ``brackets`` the number of open brackets."""

    text: str
    lines: list[Line] = field(factory=list)
    columns: list[int] = field(factory=lambda: [0])
    brackets: int = 0

    def read(self, chunk: Chunk) -> None:
        with engine().lock:
            engine().read(chunk, Findings(chunk.source))
            tokens, continued = engine().layout.tokens, engine().layout.continued
        row = 0
        for token in tokens:
            assert token.start_pos is not None and token.line is not None
            begins_row = token.line != row
            begins = begins_row and not self.brackets and token.start_pos not in continued
            row = token.line
            self.add(token, chunk.start + token.start_pos, begins, is_table=tokens[0] == "table")
            self.lines[-1].words[-1].begins_row = begins_row
            self.brackets += (token in CLOSING) - (token in CLOSING.values())

    def add(self, token: Lexeme, start: int, begins: bool, is_table: bool) -> None:
        """Add a word at the offset ``start``, which ``begins`` a logical line or goes on in one."""
        word = SourceWord(token, token.type, start + len(token))
        if not begins:
            word.above = tuple(text for _, text in self.between(start) if text)
            self.lines[-1].words.append(word)
            return
        assert token.column is not None
        column = token.column - 1
        columns = self.columns.copy()
        depth = min(column, 1) if is_table else self.depth(column)
        self.lines.append(Line(depth, column, [word], self.above(depth, start, columns)))

    def depth(self, column: int) -> int:
        """The depth of a line that begins in ``column``."""
        while column < self.columns[-1]:
            self.columns.pop()
        if column > self.columns[-1]:
            self.columns.append(column)
        return len(self.columns) - 1

    def above(self, depth: int, start: int, columns: list[int]) -> list[Above]:
        """The rows above a line at the offset ``start``; ``columns`` are those of the blocks that were open before it.
        A comment belongs to the innermost open block that does not begin right of the comment, and at least to that of
        the line."""
        rows = []
        for place, text in self.between(start):
            owner = max(level for level, column in enumerate(columns) if column <= place)
            rows.append(Above(text, max(depth, owner)))
        return rows

    def between(self, start: int) -> list[tuple[int, str]]:
        """The rows between the last word and the offset ``start``, each as its column and its comment, which is empty
        in a blank row. A comment right behind the last word is stored in that word instead."""
        last = self.lines[-1].words[-1] if self.lines else None
        first, *rows = self.text[last.end if last else 0 : start].split("\n")
        if last is None:
            rows.insert(0, first)
        elif found := _COMMENT.search(first):
            last.behind = found.group().rstrip()
        if rows and not rows[-1].strip():
            rows.pop()  # the row of the next word, or the end of the text
        return [(len(row) - len(row.lstrip(" ")), row.strip()) for row in rows]


MARGIN = 43
"""The column, from 0, of comments behind code and of the visibility of variables, if the code is not longer."""

_APART = 2
"""The least number of spaces before a comment, or a visibility."""


@frozen(eq=False)
class Leaf:
    """A word; a space comes before it if it is ``apart``, and one ``in_margin`` stands in the margin."""

    word: SourceWord
    apart: bool = True
    in_margin: bool = False

    @property
    def width(self) -> int:
        return self.apart + len(self.word.text)


@frozen(eq=False)
class Break:
    """A place of a group where a line may be broken; a ``certain`` one is always broken."""

    certain: bool = False


@frozen(eq=False)
class Nest:
    """Rows inside begin ``by`` columns to the right of the rows around it or, if it is ``hanging``, of the place where
    it begins itself, if that is further right."""

    by: int
    inner: Document
    hanging: bool = False


@frozen(eq=False)
class Fitting:
    """What is set in one row if it fits."""

    inner: Document


Document = Leaf | Break | Nest | Fitting | tuple["Document", ...]

_Waiting = list[tuple[int, bool, Document]]
"""Documents to be set, the next one last: each with the column of its rows, and whether it is set in one row."""


@define(eq=False)
class TextRow:
    """A row of the text: its code, in column ``indent``, and the comment behind it; without code, the comment is in
    that column."""

    indent: int
    code: str
    comment: str = ""

    @property
    def is_blank(self) -> bool:
        return not self.code and not self.comment

    @property
    def end(self) -> int:
        """The column behind the code."""
        return self.indent + len(self.code)


def render(document: Document, indent: int, width: int, step: int) -> list[TextRow]:
    """The rows of a document; a row that begins only because a comment ended the last one is indented ``step`` more."""
    rows = [TextRow(indent, "")]
    waiting: _Waiting = [(indent, False, document)]
    while waiting:
        column, is_flat, first = waiting.pop()
        match first:
            case Leaf():
                _append_word(first, rows, column + step)
            case Break(is_certain):
                if is_certain or not is_flat:
                    rows.append(TextRow(column, ""))
            case Nest(by, inner, is_hanging):
                if is_hanging:
                    column = max(column, rows[-1].end + (bool(rows[-1].code) and _first_leaf(inner).apart))
                waiting.append((column + by, is_flat, inner))
            case Fitting(inner):
                waiting.append((column, is_flat or _fits(inner, waiting, width - rows[-1].end), inner))
            case parts:
                waiting += [(column, is_flat, part) for part in reversed(parts)]
    return rows


def _append_word(leaf: Leaf, rows: list[TextRow], indent: int) -> None:
    """Put a word behind the others, or in a row of its own if a comment is in the way."""
    row, word = rows[-1], leaf.word
    if row.code and (row.comment or word.above):
        row = TextRow(indent, "")
        rows.append(row)
    rows[-1:-1] = [TextRow(row.indent, "", comment) for comment in word.above]
    if row.code:
        row.code += " " * (max(MARGIN - row.end, _APART) if leaf.in_margin else leaf.apart)
    row.code += word.text
    row.comment = word.behind


def _first_leaf(document: Document) -> Leaf:
    """The first word of a document, which begins with one."""
    while not isinstance(document, Leaf):
        assert not isinstance(document, Break)
        document = document[0] if isinstance(document, tuple) else document.inner
    return document


def _fits(document: Document, waiting: _Waiting, room: int) -> bool:
    """Whether a document fits in ``room`` columns in one row, with what follows it up to the next break."""
    ahead, after, is_commented = [document], len(waiting), False
    is_inside, is_first = True, True
    while room >= 0:
        if not ahead:
            if not after:
                return True
            after -= 1
            ahead, is_inside = [waiting[after][2]], False
        match ahead.pop():
            case Leaf() as leaf:
                if is_commented or (leaf.word.above and not is_first):
                    return not is_inside
                room -= leaf.width
                is_first, is_commented = False, bool(leaf.word.behind)
            case Break(is_certain):
                if not is_inside:
                    return True
                if is_certain:
                    return False
            case Nest(_, inner) | Fitting(inner):
                ahead.append(inner)
            case parts:
                ahead += reversed(parts)
    return False


def row_texts(rows: list[TextRow]) -> list[str]:
    """The texts of rows. Comments behind code stand in the margin, those of adjacent rows in one column, right of the
    longest code."""
    texts: list[str] = []
    for is_behind, group in groupby(rows, lambda row: bool(row.code and row.comment)):
        together = list(group)
        column = max(MARGIN, *(row.end + _APART for row in together)) if is_behind else 0
        for row in together:
            code = f"{'':>{row.indent}}{row.code}"
            texts.append(f"{code:<{column}}{row.comment}".rstrip() if is_behind else f"{code}{row.comment}".rstrip())
    return texts


# Which words have a space before them.


_OPENING = ("(", "[", "{")
_CLOSING = (")", "]", "}")
_NEVER_BEFORE = (*_CLOSING, "[", ",", ":", ".", "..", "?")
_NEVER_AFTER = (*_OPENING, ".", "..", "@")
_CALLED = ("min", "max", "grid", "hex", "ring", "graph", "edges", "plays", "knows", "knows_value")
_FACTORS = ("*", "/", "//", "%")
_ENDING = (*_CLOSING, "none", "true", "false", "?")
"""Words and signs that may end an operand, beside names and numbers."""


def ends_operand(word: SourceWord) -> bool:
    """Whether an operator, and no operand, comes after this word."""
    return word.kind in ("NAME", "NUMBER", "TEXT") or word.text in _ENDING


def spaces_before(words: Sequence[SourceWord]) -> list[bool]:
    """For each word whether a space comes before it."""
    return [_has_space_before(words, place) for place in range(len(words))]


def _has_space_before(words: Sequence[SourceWord], place: int) -> bool:
    if place == 0:
        return False
    before, word = words[place - 1], words[place]
    if word.is_keyword(*_NEVER_BEFORE) or before.is_keyword(*_NEVER_AFTER):
        return False
    if before.is_keyword("-") and _is_sign(words, place - 1):
        return False
    if word.is_keyword("("):
        return not (before.kind in ("NAME", "TEXT") or before.is_keyword(*_CALLED))
    return not (_is_fraction(words, place) or _is_fraction(words, place - 1))


def _is_sign(words: Sequence[SourceWord], place: int) -> bool:
    """Whether a minus is the sign of what comes after it."""
    return place == 0 or not ends_operand(words[place - 1])


def _is_fraction(words: Sequence[SourceWord], place: int) -> bool:
    """Whether this is the stroke of a fraction such as 1/3, which is written without spaces; in ``a * 1 / 3`` the
    product comes first."""
    return (
        words[place].is_keyword("/")
        and 0 < place < len(words) - 1
        and words[place - 1].kind == words[place + 1].kind == "NUMBER"
        and not (place > 1 and words[place - 2].is_keyword(*_FACTORS))
    )
