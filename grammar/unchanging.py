"""What never changes needs no copies."""

from __future__ import annotations

from typing import Self


class Unchanging:
    """An object that never changes: a copy of it, a deep one too, is itself."""

    __slots__ = ()

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: object) -> Self:
        return self
