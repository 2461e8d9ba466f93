"""Documents: words with places where a line may be broken, and how they become rows.

After Philip Wadler (2003), "A prettier printer". A *group* is set in one row if it fits there, up to the next place
where a line may be broken; if it does not, all its own places are broken, and the groups in it are asked anew. So lines
break at the outermost places first. Each group is measured no further than the width, so the time is proportional to
the number of words times the width.

A comment inside a document always ends its row. Comments are not measured: they stand in the margin.
"""

from __future__ import annotations

from itertools import groupby

from attrs import define, frozen

from zermelo.grammar.formatter.lines import SourceWord

MARGIN = 43
"""The column, from 0, of comments behind code and of the visibility of variables, if the code is not longer."""

_APART = 2
"""The least number of spaces before a comment, or a visibility."""


@frozen(eq=False)
class Leaf:
    """A word, ``apart`` from the one before it; one ``in_margin`` stands in the margin."""

    word: SourceWord
    apart: bool = True
    in_margin: bool = False

    @property
    def width(self) -> int:
        return self.apart + len(self.word.text)


@frozen(eq=False)
class Break:
    """A place where a line may be broken, in its group; one that is ``certain`` is always broken."""

    certain: bool = False


@frozen(eq=False)
class Nest:
    """Rows inside begin ``by`` columns further to the right: than the rows around it or, if it is ``hanging``, than the
    place where the document begins, if that is further right."""

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
    """The rows of a document; one that begins only because a comment is in the way is indented one ``step`` more."""
    rows = [TextRow(indent, "")]
    waiting: _Waiting = [(indent, False, document)]
    while waiting:
        column, is_flat, first = waiting.pop()
        match first:
            case Leaf():
                _put(first, rows, column + step)
            case Break(is_certain):
                if is_certain or not is_flat:
                    rows.append(TextRow(column, ""))
            case Nest(by, inner, is_hanging):
                if is_hanging:
                    column = max(column, rows[-1].end + (bool(rows[-1].code) and _first(inner).apart))
                waiting.append((column + by, is_flat, inner))
            case Fitting(inner):
                waiting.append((column, is_flat or _fits(inner, waiting, width - rows[-1].end), inner))
            case parts:
                waiting += [(column, is_flat, part) for part in reversed(parts)]
    return rows


def _put(leaf: Leaf, rows: list[TextRow], indent: int) -> None:
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


def _first(document: Document) -> Leaf:
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


def flush(rows: list[TextRow]) -> list[str]:
    """The text of rows. Comments behind code stand in the margin; those in adjacent rows all in one column, behind the
    longest."""
    texts: list[str] = []
    for is_behind, group in groupby(rows, lambda row: bool(row.code and row.comment)):
        together = list(group)
        column = max(MARGIN, *(row.end + _APART for row in together)) if is_behind else 0
        for row in together:
            code = f"{'':>{row.indent}}{row.code}"
            texts.append(f"{code:<{column}}{row.comment}".rstrip() if is_behind else f"{code}{row.comment}".rstrip())
    return texts
