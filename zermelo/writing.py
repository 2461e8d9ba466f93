"""Files that commands write."""

from __future__ import annotations

from pathlib import Path

from zermelo.grammar.diagnostics import ZermeloError


def write_file(path: Path, data: bytes) -> None:
    """Write a file as a whole. Raises ``ZermeloError`` (``unwritable-file``)."""
    from zermelo.grammar.whole_file import write_whole

    try:
        write_whole(path, data)
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or "no file can have this name"
        raise ZermeloError("unwritable-file", f"cannot write {path}: {why}") from error
