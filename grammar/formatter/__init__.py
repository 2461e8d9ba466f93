"""The one layout of a game file: :func:`format_text` changes where words stand, and never the words.

Words and comments, their order, and which line belongs to which block are kept; spaces, line breaks within a statement
and the columns of comments depend on nothing else. So the meaning cannot change, and formatting a text twice gives the
same as formatting it once. The stages:

1. ``documents.py`` divides a text into logical lines: the depth of their blocks, their words, the comments between;
2. ``expressions.py`` says where a line may be broken, as a document, and ``documents.py`` which words have a space
   before them;
3. ``documents.py`` breaks what is too long at the outermost places, after Wadler (2003), "A prettier printer";
4. ``expressions.py`` aligns the columns of payoff tables, and keeps legends as they are drawn.

As gofmt does, it keeps three choices of the author: a blank line, though never two; whether a short block stands in
lines of its own or behind its colon; and which entries of a table ``{key: value, ...}`` begin a row.
"""

from __future__ import annotations

from itertools import pairwise, takewhile

from zermelo.grammar.diagnostics import InvalidGame, Source
from zermelo.grammar.formatter.documents import Above, Line, TextRow, logical_lines, render, row_texts
from zermelo.grammar.formatter.expressions import legend_rows, line_document, table_rows
from zermelo.grammar.parse import parse_declarations

__all__ = ["WIDTH", "format_text"]

WIDTH = 100
"""The width of code. A comment may reach further, and so may what cannot be broken."""

STEP = 4
"""How many columns a block is indented."""

_APART = {"setup", "legend", "drawn", "phase", "action", "test", "tree", "table"}
"""Declarations that have a blank line before and after them if they fill several lines."""


def format_text(source: Source) -> str:
    """The text of a game or of a position in the one layout. Raises ``InvalidGame`` if it cannot be read."""
    _, findings = parse_declarations(source)
    if findings.errors:
        raise InvalidGame(findings)
    lines = logical_lines(source)
    _indent_matches(lines)
    rows: list[TextRow] = []
    was_apart = False
    for block in _split_by_declaration(lines):
        is_apart = len(block) > 1 and block[0].words[0].text in _APART
        written = _rows(block, source)
        if block[0].words and (is_apart or was_apart):
            written.insert(sum(1 for _ in takewhile(lambda row: row.indent or row.is_blank, written)), TextRow(0, ""))
        rows += written
        was_apart = is_apart
    return "".join(f"{text}\n" for text in row_texts(_drop_spare_blanks(rows)))


def _indent_matches(lines: list[Line]) -> None:
    """Indent the cases of a ``match`` behind ``=`` one step more: the ``match`` gets a row of its own."""
    sunk: list[int] = []  # the depths of the open statements with such a match, as they were
    for line in lines:
        depth = line.depth
        line.above = [Above(each.text, each.depth + sum(own < each.depth for own in sunk)) for each in line.above]
        sunk = [own for own in sunk if own < depth]
        line.depth += len(sunk)
        if any(sign.is_keyword("=", ":=") and word.is_keyword("match") for sign, word in pairwise(line.words)):
            sunk.append(depth)


def _split_by_declaration(lines: list[Line]) -> list[list[Line]]:
    """The lines of each declaration."""
    blocks: list[list[Line]] = []
    for line in lines:
        if line.depth == 0:
            blocks.append([])
        blocks[-1].append(line)
    return blocks


def _rows(block: list[Line], source: Source) -> list[TextRow]:
    """The rows of a declaration, with the comments and blank rows above them."""
    head, *lines = block
    match [word.text for word in head.words[:1]]:
        case ["table"]:
            return _line_rows(head) + table_rows(lines, STEP)
        case ["legend" | "drawn"]:
            return _line_rows(head) + legend_rows(lines, source, STEP)
    return [row for line in block for row in _line_rows(line)]


def _line_rows(line: Line) -> list[TextRow]:
    above = [TextRow(each.depth * STEP, "", each.text) for each in line.above]
    if not line.words:
        return above
    return above + render(line_document(line.words), line.depth * STEP, WIDTH, STEP)


def _drop_spare_blanks(rows: list[TextRow]) -> list[TextRow]:
    """The rows without blank ones at the beginning or the end, below another one, or below a row that opens a block."""
    kept: list[TextRow] = []
    for row in rows:
        if row.is_blank and (not kept or kept[-1].is_blank or kept[-1].code.endswith(":")):
            continue
        kept.append(row)
    while kept and kept[-1].is_blank:
        kept.pop()
    return kept
