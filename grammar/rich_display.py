"""How what a user gets shows itself: as readable text when it is printed, and in a notebook as a picture or a table.

Games, states, solutions and strategies are defined in rooms that know nothing of pictures. So they ask a *display*,
which is set from above (:mod:`zermelo.notebook.displays`); until there is one they are shown by their ``repr``, and
``repr`` never changes.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Protocol

Bundle = dict[str, str]
"""The same thing by MIME types, of which a notebook shows the richest that it can."""


class Display(Protocol):
    """What knows how to show things."""

    def text(self, thing: object) -> str | None:
        """A thing as text for a reader; None if it is shown by its ``repr``."""

    def bundle(self, thing: object) -> Bundle | None:
        """A thing as a notebook shows it; None if it is shown by its ``repr``. Never raises, and takes no time worth
        mentioning."""


class _Showing:
    """The display that is in use."""

    display: Display | None = None


def set_display(display: Display) -> None:
    """Show everything by this display from now on."""
    _Showing.display = display


class RichlyDisplayed:
    """A record that is shown by the display."""

    __slots__ = ()

    def __str__(self) -> str:
        text = None if _Showing.display is None else _Showing.display.text(self)
        return repr(self) if text is None else text

    def _repr_mimebundle_(
        self, include: Collection[str] | None = None, exclude: Collection[str] | None = None
    ) -> Bundle | None:
        """What IPython asks for; it leaves out of the bundle itself what is not wanted."""
        return None if _Showing.display is None else _Showing.display.bundle(self)
