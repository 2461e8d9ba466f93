"""A search to watch in a notebook: its pictures one after the other, and a question before each cut-off."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from attrs import define, field

from zermelo.drawing.frames import QUESTION, Frame
from zermelo.notebook.widgets import Conversation, Message, Page, button, picture_of

_ASK: Final = {False: "Ask what is cut next", True: "Do not ask what is cut next"}


@define(eq=False)
class Watching(Conversation):
    """The ``frames`` of a search, ``at`` one of them; ``asks``: students are asked before each cut-off; ``is_asked``:
    they are asked now."""

    frames: list[Frame]
    at: int = field(init=False, default=0)
    asks: bool = field(init=False, default=False)
    is_asked: bool = field(init=False, default=False)

    def follow(self, message: Message) -> None:
        """Go to a ``step``, or to the one at which a node, a ``spot``, was entered; ``press`` a button."""
        match message:
            case {"do": "step", "number": int(number)}:
                self._go(number)
            case {"do": "spot", "name": str(name)} if name in self._entered():
                self._go(self._entered()[name])
            case {"do": "press", "name": "back"}:
                self._go(self.at - 1)
            case {"do": "press", "name": "step"} if self.is_asked:  # and shows the answer
                self.at, self.is_asked = self.at + 1, False
            case {"do": "press", "name": "step"}:
                self._go(self.at + 1)
            case {"do": "press", "name": "ask"}:
                self.asks = not self.asks

    def remembered(self) -> Callable[[], None]:
        before = self.at, self.asks, self.is_asked

        def bring_back() -> None:
            self.at, self.asks, self.is_asked = before

        return bring_back

    def _go(self, number: int) -> None:
        """Go to a step, unless it is the next one, with a cut-off that is to be asked about first."""
        if 0 <= number < len(self.frames):
            self.is_asked = self.asks and number == self.at + 1 and bool(self.frames[number].cut)
            self.at = self.at if self.is_asked else number

    def _entered(self) -> dict[str, int]:
        """The first step of each node."""
        found: dict[str, int] = {}
        for number, frame in enumerate(self.frames):
            if frame.current is not None:
                found.setdefault(frame.current, number)
        return found

    def content(self) -> Page:
        frame, last = self.frames[self.at], len(self.frames) - 1
        labels = {name: self.frames[number].said for name, number in self._entered().items() if number <= self.at}
        return {
            "title": frame.picture.title,
            "status": QUESTION if self.is_asked else frame.said,
            "log": [],
            "tree": picture_of(frame.picture, labels, frame.current or ""),
            "board": None,
            "text": "",
            "moves": [],
            "buttons": [
                button("back", "Back", self.at > 0),
                button("step", "Show the answer" if self.is_asked else "Step", self.at < last),
                button("ask", _ASK[self.asks]),
            ],
            "steps": {"at": self.at, "last": last, "goes_on": self.at < last and not self.is_asked},
        }
