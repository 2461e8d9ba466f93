"""Names of phases that no file writes: those of the nodes of a tree, and of a table.

They cannot meet names that users choose, by construction: a name in a file is made of letters, digits and underscores
(``NAME`` in ``game.lark``), and each name made here has a character that is none of these. Nor can they meet each
other: a path begins with a slash and a label with ``@``, names have neither, and so the names along a path can be read
back from it.
"""

from __future__ import annotations

from typing import Final

Path = tuple[str, ...]
"""The names of the branches that lead to a node of a tree, from the root on."""

TABLE: Final = "the table"
"""The one phase of a game that is written as a table."""


def node_phase(path: Path) -> str:
    """The phase of a node that no label joins with others: ``/``, ``/deal/raise``."""
    return "/" + "/".join(path)


def label(name: str) -> str:
    """The phase of the nodes that have a label: ``@name``."""
    return f"@{name}"
