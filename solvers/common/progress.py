"""Callbacks for the progress of a solver."""

from __future__ import annotations

from collections.abc import Callable

Progress = Callable[[int], None]
"""Called every few hundred nodes with the number of nodes visited so far."""


def ignore_progress(nodes: int) -> None:
    """The :data:`Progress` that does nothing."""


Remark = Callable[[str], None]
"""Called now and then with the progress of an iteration, in words."""


def ignore_remark(words: str) -> None:
    """The :data:`Remark` that does nothing."""
