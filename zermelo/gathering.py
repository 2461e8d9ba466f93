"""The game files of a command line, which may name folders."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from zermelo.grammar.diagnostics import ZermeloError


def gathered(names: Iterable[str]) -> list[str]:
    """The names, with the ``.game`` files in and below each folder in its place, in alphabetical order; each once.
    Raises ``ZermeloError`` (``unreadable-file``) for a folder without any."""
    found: dict[str, None] = {}
    for name in names:
        if not Path(name).is_dir():
            found[name] = None
            continue
        inside = sorted(str(path) for path in Path(name).rglob("*.game") if path.is_file())
        if not inside:
            raise ZermeloError("unreadable-file", f"there is no game file in {name}", "their names end in .game")
        found |= dict.fromkeys(inside)
    return list(found)
