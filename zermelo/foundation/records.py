"""How the records that a command loads at its start are compared, shown and copied."""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import cache
from operator import attrgetter
from typing import Any, Self

from attrs import fields

# How the records that a command loads at its start are shown: nodes of the syntax tree, parts of a model, findings.
#
# attrs would write a method for each class, which costs 0.15 ms a class whenever its module is imported: a fifth of the
# time that a command takes to start. So these classes have one method, and say ``repr=False`` to attrs, as do those
# that nobody shows.


class Displayed:
    """A record that is shown as ``Name(field=value, ...)``."""

    __slots__ = ()

    def __repr__(self) -> str:
        kind: Any = type(self)
        shown = (f"{each.name}={getattr(self, each.name)!r}" for each in fields(kind) if each.repr)
        return f"{kind.__name__}({', '.join(shown)})"


# Records that are equal if their fields are: expressions, types, findings, and other classes that a command loads at
# its start.
#
# attrs would write two methods for each class, which costs a fifteenth of a millisecond a class whenever its module is
# imported. So these classes share two methods, and say ``eq=False`` to attrs. Records that a machine compares often,
# such as what players are told, keep the methods of attrs, which are quicker. A class whose objects are equal only to
# themselves inherits from nothing here.


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
    """A function that gives the parts of a record by which those of its class are compared."""
    names = [each.name for each in fields(kind) if each.eq]
    return attrgetter(*names) if names else lambda record: None


# What never changes needs no copies.


class Unchanging:
    """An object that never changes: a copy of it, a deep one too, is itself."""

    __slots__ = ()

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: object) -> Self:
        return self


# How the objects that a user gets are shown: as readable text when printed, as a picture or a table in a notebook.
#
# Games, states, solutions and strategies are defined in rooms that know nothing of pictures. So they ask a *display*,
# which is set from above (:mod:`zermelo.notebook.displays`); until there is one they are shown by their ``repr``, and
# ``repr`` never changes.


Bundle = dict[str, str]
"""The same thing by MIME types, of which a notebook shows the richest that it can."""


class _Display:
    """The functions that show things: as text for a reader, and in a notebook. They return None for what is shown by
    its ``repr``."""

    text: Callable[[object], str | None] = lambda thing: None
    bundle: Callable[[object], Bundle | None] = lambda thing: None


def set_display(text: Callable[[object], str | None], bundle: Callable[[object], Bundle | None]) -> None:
    """Show everything by these functions from now on, of which ``bundle`` never raises, and takes no time worth
    mentioning."""
    _Display.text, _Display.bundle = text, bundle


class RichlyDisplayed:
    """A record that is shown by the display."""

    __slots__ = ()

    def __str__(self) -> str:
        text = _Display.text(self)
        return repr(self) if text is None else text

    def _repr_mimebundle_(
        self, include: Collection[str] | None = None, exclude: Collection[str] | None = None
    ) -> Bundle | None:
        """The bundle that IPython asks for; IPython itself leaves out the parts that are not wanted."""
        return _Display.bundle(self)
