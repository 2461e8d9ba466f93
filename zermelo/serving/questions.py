"""What a question of the page says, and what the server says instead of an answer."""

from __future__ import annotations

import json
import re
from typing import Any, Final

from attrs import frozen

from zermelo.foundation.memory import format_bytes
from zermelo.grammar.diagnostics import Source, ZermeloError
from zermelo.grammar.reading import LARGEST
from zermelo.loading import TEXT

# What the server says instead of an answer: a status of HTTP and a record, in the words of the command line, but for
# its options: the page has fields.


@frozen
class Refusal:
    """A refusal: its ``status``, and the ``code``, the message and the hint of an error."""

    status: int
    code: str
    message: str
    hint: str = ""

    @property
    def record(self) -> dict[str, str]:
        return {"code": self.code, "message": self.message, "hint": self.hint}

    @property
    def content(self) -> bytes:
        return json.dumps(self.record).encode()


QUICK: Final = ("findings", "completion", "hover", "format", "rules", "position", "replay")
"""Questions that are answered at once."""


UNPROCESSABLE = 422
"""The status of what can be read and is refused, such as a game with mistakes."""

TOO_LARGE = 413
"""The status of a request that is too large."""


_OPTION: Final = re.compile(
    r"`zermelo [^`]*`|`?(?<!\w)--(?P<option>[a-z-]+)(?: (?P<value>(?<=solver )[a-z_]+|[A-Z]+|\d\w*))?\b`?"
)
"""A whole command, which is for the terminal; or an option, perhaps with a value."""


_LINE: Final = re.compile(rf"{TEXT}:(\d+)")
"""A line of the text, as errors name it."""


_SERVERS: Final = ("time", "memory")
"""Options of the server."""


_FIELDS: Final = {
    "solve": {
        "solver": "the solver",
        "depth": "“Moves ahead”",
        "iterations": "“Iterations”",
        "simulations": "“Simulations”",
        "seed": "“Seed”",
    },
    "draw": {"solver": "the solver", "depth": "“Moves ahead”"},
}
"""Options of a command that are fields of the page."""


def translate_options(text: str, command: str) -> str:
    """A text of a command, for the page: an option becomes the name of its field or, without one, a whole command."""

    def translate(found: re.Match[str]) -> str:
        option, value = found["option"], found["value"]
        if option is None:
            return found.group()
        if field := _FIELDS.get(command, {}).get(option):
            return f"{field} {value}" if value and not value.isupper() else field
        return f"`zermelo {'serve' if option in _SERVERS else command} --{option}{f' {value}' if value else ''}`"

    return _OPTION.sub(translate, text)


def refusal_of(error: ZermeloError, command: str) -> Refusal:
    """The refusal for an error of the user's, which ``command`` would show. The text on the page has no name, and its
    lines have numbers."""
    message, hint = (translate_options(each, command) for each in (error.message, error.help))
    message = _LINE.sub(r"line \1", message)
    return Refusal(UNPROCESSABLE, error.code, message, hint)


def unreadable_refusal(what: str) -> Refusal:
    """The refusal of a request that the page does not make."""
    return Refusal(400, "bad-usage", what)


def too_large_refusal(most: int) -> Refusal:
    return Refusal(TOO_LARGE, "file-too-large", f"a request may have {most:,} bytes at most")


def too_long_refusal(seconds: float) -> Refusal:
    return Refusal(
        UNPROCESSABLE,
        "out-of-time",
        f"this has been ended after {seconds:g} s",
        "`zermelo serve --time SECONDS` allows more; a smaller game may need less",
    )


def too_much_memory_refusal(memory: int) -> Refusal:
    return Refusal(
        UNPROCESSABLE,
        "out-of-memory",
        f"this has been ended, because it needed more than {format_bytes(memory)} of memory",
        "`zermelo serve --memory SIZE` allows more; a smaller game may need less",
    )


def lost_process_refusal(status: int | None) -> Refusal:
    """The refusal when the process that worked on an answer has ended without one; ``status`` is its exit status, a
    negative one for a signal."""
    if status is not None and status > 0:
        why = "this is a fault in Zermelo, not yours: the process that worked on this has failed"
        hint = "the terminal in which `zermelo serve` runs shows where; please report it"
        return Refusal(UNPROCESSABLE, "internal-error", why, hint)
    return Refusal(
        UNPROCESSABLE,
        "out-of-memory",
        "the process that worked on this has been ended, probably because it needed too much memory",
        "`zermelo serve --memory SIZE` allows more; a smaller game may need less",
    )


def too_many_waiting_refusal(waiting: int) -> Refusal:
    return Refusal(503, "out-of-time", f"{waiting:,} requests are waiting already", "try again in a moment")


# What a question of the page says: the fields of a JSON object, each of the type that it must have.


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

    def is_true(self, name: str) -> bool:
        found = self.fields.get(name, False)
        if not isinstance(found, bool):
            raise Misasked(f"`{name}` is true or false")
        return found

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
    """Whether a text has no halves of characters, which JSON can hold, but no file can."""
    return not any("\ud800" <= character <= "\udfff" for character in text)
