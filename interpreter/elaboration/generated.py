"""Generated names of phases, for the nodes of a tree and for a table.

They cannot clash with names in a file, which consist of letters, digits and underscores (``NAME`` in ``game.lark``):
each generated name has another character. Nor can they clash with each other: a path begins with a slash and a label
with ``@``, which names do not contain, so that a path determines its names.
"""

from __future__ import annotations

from typing import Final

Path = tuple[str, ...]
"""The names of the branches from the root to a node of a tree."""

TABLE: Final = "the table"
"""The phase of a game in ``table:`` notation."""


def node_phase(path: Path) -> str:
    """The phase of a node without a label: ``/``, ``/deal/raise``."""
    return "/" + "/".join(path)


def label(name: str) -> str:
    """The phase of the nodes with a label: ``@name``."""
    return f"@{name}"
