"""Records that are equal if their fields are: expressions, types, findings, and other classes that a command loads at
its start.

attrs would write two methods for each class, which costs a fifteenth of a millisecond a class whenever its module is
imported (:mod:`.displayed`). So these classes have them in common, and say ``eq=False`` to attrs. Records of which
a machine compares many, such as what players are told, keep the methods of attrs, which are quicker. A class of
objects that are each equal to itself alone inherits from nothing here.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from operator import attrgetter
from typing import Any

from attrs import fields

from zermelo.grammar.displayed import Displayed


class ByValue(Displayed):
    """A record that is equal to those of its class with equal fields, except for fields that say ``eq=False``. A class
    whose fields are compared by a key, or not hashed, has the methods of attrs."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        if type(self) is not type(other):
            return NotImplemented
        kind: Any = type(self)
        parts = _parts(kind)
        return bool(parts(self) == parts(other))

    def __hash__(self) -> int:
        kind: Any = type(self)
        return hash((kind, _parts(kind)(self)))


@cache
def _parts(kind: Any) -> Callable[[object], object]:
    """What records of a class are compared by."""
    names = [each.name for each in fields(kind) if each.eq]
    return attrgetter(*names) if names else lambda record: None
