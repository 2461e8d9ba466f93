"""What a question of the page says: the fields of a JSON object, each of the type that it must have."""

from __future__ import annotations

import json
from typing import Any, Final

from attrs import frozen

from zermelo.game import Game, State
from zermelo.grammar.diagnostics import Source
from zermelo.grammar.reading import LARGEST
from zermelo.loading import TEXT, build

_GREATEST: Final = 10**6
"""The greatest number of a line, a character or a depth."""


_MOVES: Final = 100_000
"""The longest play."""


class Misasked(Exception):
    """A question that the page does not ask; the message says what is wrong with it."""


@frozen
class PageQuestion:
    """The fields of a question. All methods raise :class:`Misasked` for a field of a wrong type."""

    fields: dict[str, Any]

    @classmethod
    def read(cls, data: bytes) -> PageQuestion:
        try:
            fields = json.loads(data)
        except (ValueError, RecursionError):
            raise Misasked("the question is not JSON") from None
        if not isinstance(fields, dict):
            raise Misasked("a question is a JSON object")
        return cls(fields)

    def text(self, name: str) -> str:
        found = self.fields.get(name)
        if not isinstance(found, str) or len(found) > LARGEST or not _is_writable(found):
            raise Misasked(f"`{name}` is a text of {LARGEST:,} characters at most")
        return found

    def text_or_none(self, name: str) -> str | None:
        return None if self.fields.get(name) is None else self.text(name)

    def number_or_none(self, name: str) -> int | None:
        found = self.fields.get(name)
        if found is None:
            return None
        if type(found) is not int or not 0 < found <= _GREATEST:
            raise Misasked(f"`{name}` is a number from 1 to {_GREATEST:,}")
        return found

    def texts(self, name: str) -> list[str]:
        found = self.fields.get(name, [])
        if not isinstance(found, list) or len(found) > _MOVES:
            raise Misasked(f"`{name}` is a list of {_MOVES:,} texts at most")
        return [PageQuestion({name: each}).text(name) for each in found]

    def place(self) -> tuple[int, int]:
        """The line and the character of ``position``, counted from 0."""
        found = self.fields.get("position")
        match found:
            case {"line": int(line), "character": int(character)} if min(line, character) >= 0:
                return min(line, _GREATEST), min(character, _GREATEST)
        raise Misasked("`position` is a line and a character")

    @property
    def source(self) -> Source:
        """The text of the game, which comes from no file."""
        return Source(TEXT, self.text("source"))

    def parameters(self) -> dict[str, str]:
        found = self.fields.get("parameters", {})
        if not isinstance(found, dict):
            raise Misasked("`parameters` is a JSON object")
        return {name: PageQuestion(found).text(name) for name in found}


def _is_writable(text: str) -> bool:
    """Whether a text has no halves of characters, which JSON can hold and no file."""
    return not any("\ud800" <= character <= "\udfff" for character in text)


class Games:
    """The latest games that have been asked about, each read once."""

    def __init__(self) -> None:
        self._kept: dict[tuple[str, tuple[tuple[str, str], ...]], Game] = {}

    def game(self, question: PageQuestion) -> Game:
        """The game of a question. Raises ``InvalidGame``, ``ZermeloError`` and :class:`Misasked`."""
        source, parameters = question.source, question.parameters()
        key = source.text, tuple(sorted(parameters.items()))
        game = self._kept.pop(key, None) or build(TEXT, source, parameters)
        self._kept[key] = game
        while len(self._kept) > _KEPT:
            del self._kept[next(iter(self._kept))]
        return game

    def state(self, question: PageQuestion) -> State:
        """The state after the play of a question. Raises also ``PlayError``."""
        state = self.game(question).initial
        for move in question.texts("play"):
            state = state.after(move)
        return state


_KEPT: Final = 4
"""How many games a process keeps."""
