"""Tables that are made on disk though they would fit into memory."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from zermelo.grammar.diagnostics import ZermeloError
from zermelo.solvers.tables import building
from zermelo.solvers.tables import on_disk as making

SMALL = 1 << 20
"""A memory of a megabyte."""


@contextmanager
def on_disk(count: int) -> Iterator[None]:
    """Tables are made on disk, in so many shards."""

    def refuse(*_: Any) -> None:
        raise ZermeloError("out-of-memory", "this is a test", "none")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(building, "_content_in_memory", refuse)
        patch.setattr(making, "SHARDS", count)
        yield


def contents(folder: Path) -> dict[str, bytes]:
    """The files of a folder."""
    return {path.name: path.read_bytes() for path in folder.iterdir()}
