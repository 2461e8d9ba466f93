"""Payoff tables, whose columns are aligned, and legends, which stay as they are drawn."""

from __future__ import annotations

from itertools import zip_longest

from zermelo.grammar.formatter.documents import TextRow
from zermelo.grammar.formatter.lines import Line, SourceWord
from zermelo.grammar.formatter.spacing import are_apart
from zermelo.grammar.source import Source


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
    for word, is_apart in zip(words, are_apart(words), strict=True):
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
