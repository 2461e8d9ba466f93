"""The widget of a conversation. It is imported where the extra ``notebook`` is known to be installed."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import anywidget
import traitlets
from attrs import define, field

from zermelo.drawing.positions import cells_of
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.machine import Move, display_text
from zermelo.interpreter.values import Cell
from zermelo.pictures.marks import Picture, sheet
from zermelo.pictures.svg import svg

# What a widget shows, as plain data, and what it is told: the Python side, which needs no browser.
#
# A widget shows a *page*, a record of plain data, and tells what a person has done by a *message*: ``{"turn": 3, "do":
# "move", "number": 0}``. A message about another page than the one that is shown is out of date, a second click for
# instance, and changes nothing. What a page can hold is listed in ``widget.js``, which shows it.


Page = dict[str, Any]
Message = Mapping[str, Any]


@define(eq=False)
class Conversation(ABC):
    """Pages and messages by turns: ``turn`` counts the messages, and ``remark`` is what there is to say about the last
    one. ``shown`` is the rest of the page that is shown, once there is one."""

    turn: int = field(init=False, default=0)
    remark: str = field(init=False, default="")
    shown: Page | None = field(init=False, default=None)

    def page(self) -> Page:
        """The page to be shown now. Raises ``PlayError`` if the rules fail at the beginning."""
        if self.shown is None:
            self.shown = self.content()
        return {"turn": self.turn, "remark": self.remark, **self.shown}

    def obey(self, message: object) -> None:
        """Do what a message says. One that cannot be understood, or is out of date, changes nothing. An error, of the
        rules for instance, becomes the remark, and so does an interrupt; what they stopped has not happened."""
        if not isinstance(message, Mapping) or message.get("turn") != self.turn:
            return
        self.remark = ""
        bring_back = self.remembered()
        try:
            self.follow(message)
            self.shown = self.content()
        except ZermeloError as error:
            bring_back()
            self.remark = f"{error.message} ({error.help})" if error.help else error.message
        except KeyboardInterrupt:
            bring_back()
            self.remark = "This has been interrupted."
        self.turn += 1

    @abstractmethod
    def content(self) -> Page:
        """All of the page but the turn and the remark. Raises ``PlayError`` for an error of the rules."""

    @abstractmethod
    def follow(self, message: Message) -> None:
        """Do what a message says, if it can be understood. Raises ``ZermeloError``."""

    @abstractmethod
    def remembered(self) -> Callable[[], None]:
        """A function that brings back all that :meth:`follow` may change."""


def picture_of(drawn: Picture, labels: Mapping[str, str], current: str = "") -> Page:
    """A picture with the spots that have a label, for those who point at them or hear them, and the one that is
    ``current``. Their places are in shares of the width and height, so that the picture may have any size."""
    box = sheet(drawn)
    return {
        "svg": svg(drawn),
        "width": box.width,
        "height": box.height,
        "description": f"{drawn.title}. {drawn.description}",
        "spots": [
            {
                "name": spot.name,
                "label": labels[spot.name],
                "left": (spot.x - box.left) / box.width,
                "top": (spot.y - box.top) / box.height,
                "width": spot.width / box.width,
                "height": spot.height / box.height,
                "is_current": spot.name == current,
            }
            for spot in drawn.spots
            if spot.name in labels
        ],
    }


def board_of(drawn: Picture, moves: Sequence[Move], changed: Mapping[Move, Cell]) -> Page:
    """A position, with the cells that moves are about as spots."""
    return picture_of(drawn, {name: name for move in moves for name in cells_of(move, changed)})


def move_of(move: Move, changed: Mapping[Move, Cell], detail: str = "", is_best: bool = False) -> Page:
    """A move to choose, with the cells that it is about, and what there is to say about it."""
    return {"text": display_text(move), "cells": cells_of(move, changed), "detail": detail, "is_best": is_best}


def button(name: str, text: str, is_enabled: bool = True) -> Page:
    """Something to press."""
    return {"name": name, "text": text, "is_enabled": is_enabled}


_HERE = Path(__file__).parent


class Widget(anywidget.AnyWidget):
    """Shows the pages of a conversation, and tells it the messages of the browser."""

    _esm = (_HERE / "widget.js").read_text(encoding="utf-8")
    _css = (_HERE / "widget.css").read_text(encoding="utf-8")
    page = traitlets.Dict().tag(sync=True)

    def __init__(self, conversation: Conversation) -> None:
        super().__init__(page=conversation.page())
        self.conversation = conversation
        self.on_msg(self._hear)

    def __repr__(self) -> str:
        return f"<Widget of '{self.page['title']}'>"

    def _hear(self, widget: Any, message: object, buffers: object) -> None:
        self.conversation.obey(message)
        self.page = self.conversation.page()
