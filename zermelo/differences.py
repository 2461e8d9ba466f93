"""What would change in a file, as a unified diff."""

from __future__ import annotations

from difflib import unified_diff

from zermelo.grammar.source import Source
from zermelo.report.columns import clean
from zermelo.report.paint import PLAIN, Paint

_ROLES = {"+": "good", "-": "error", "@": "note"}


def difference(source: Source, after: str, paint: Paint = PLAIN) -> str:
    """The lines that change from a source to the text ``after``, as ``diff -u`` and ``git apply`` write them."""
    before = source.text.splitlines(keepends=True)
    rows = unified_diff(before, after.splitlines(keepends=True), source.name, source.name)
    written = []
    for row in rows:
        text = clean(row.rstrip("\n"))
        missing = "" if row.endswith("\n") else "\n\\ No newline at end of file"
        written.append(paint(_ROLES.get(text[:1], ""), text) if text[:1] in _ROLES else text)
        written.append(f"{missing}\n")
    return "".join(written)
