"""How far a solver has come, for whoever wants to know."""

from __future__ import annotations

from collections.abc import Callable

Progress = Callable[[int], None]
"""Called every few hundred nodes with the number of nodes visited so far."""


def ignore_progress(nodes: int) -> None:
    """The :data:`Progress` of a caller who does not want to know."""


Remark = Callable[[str], None]
"""Called now and then with how far an iteration has come, in words."""


def ignore_remark(words: str) -> None:
    """The :data:`Remark` of a caller who does not want to know."""
