"""Tables as HTML, for pages that have a style sheet and for notebooks, which have none. Words are escaped."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import Final

from attrs import frozen


@frozen
class CellStyles:
    """What stands in the attribute ``style`` of a table's cells, of the heads of its rows and of its caption; empty
    where a style sheet says it."""

    cell: str = ""
    row_head: str = ""
    caption: str = ""


BY_STYLE_SHEET: Final = CellStyles()


def html_table(
    heads: Sequence[str],
    rows: Iterable[Sequence[str]],
    caption: str = "",
    is_headed: bool = False,
    styles: CellStyles = BY_STYLE_SHEET,
) -> str:
    """Rows under heads, if there are some; ``is_headed``: the first cell of a row is its head."""
    parts = [f"<caption{_style(styles.caption)}>{escape(caption)}</caption>"] if caption else []
    if heads:
        top = "".join(f'<th scope="col"{_style(styles.cell)}>{escape(head)}</th>' for head in heads)
        parts.append(f"<thead><tr>{top}</tr></thead>")
    parts.append("<tbody>")
    for row in rows:
        cells = [f"<td{_style(styles.cell)}>{escape(text)}</td>" for text in row]
        if is_headed:
            cells[0] = f'<th scope="row"{_style(styles.row_head)}>{escape(row[0])}</th>'
        parts.append(f"<tr>{''.join(cells)}</tr>")
    return "\n".join(["<table>", *parts, "</tbody>", "</table>"])


def _style(words: str) -> str:
    return f' style="{words}"' if words else ""
