"""Frozen records that share one definition of equality, hash and repr.

Trees and models have two hundred kinds of node. attrs writes these three methods for every class and compiles them
when the class is made, which would be most of the time that a small command takes. So they stand here once, and the
classes are made by ``@frozen(eq=False, repr=False)``.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from attrs import fields


@cache
def _attributes(kind: Any) -> tuple[Any, ...]:
    """The attributes of a class, as attrs describes them."""
    return tuple(fields(kind))


class Record:
    """Equal to records of its own kind with equal fields, those with ``eq=False`` apart (a field whose ``eq`` is a
    function is compared by what that makes of it)."""

    __slots__ = ()

    def _compared(self) -> tuple[Any, ...]:
        kind: Any = type(self)
        return tuple(
            getattr(self, a.name) if a.eq_key is None else a.eq_key(getattr(self, a.name))
            for a in _attributes(kind)
            if a.eq
        )

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and isinstance(other, Record) and self._compared() == other._compared()

    def __hash__(self) -> int:
        return hash((type(self), self._compared()))

    def __repr__(self) -> str:
        kind: Any = type(self)
        shown = ", ".join(f"{a.name}={getattr(self, a.name)!r}" for a in _attributes(kind) if a.repr)
        return f"{kind.__name__}({shown})"
