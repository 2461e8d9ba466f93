"""What the server says instead of an answer: a status of HTTP and a record, in the words of the command line, but for
its options: the page has fields.
"""

from __future__ import annotations

import json
import re
from typing import Final

from attrs import frozen

from zermelo.foundation.memory import format_bytes
from zermelo.grammar.diagnostics import ZermeloError


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


UNPROCESSABLE = 422
"""The status of what can be read and is refused, such as a game with mistakes."""

TOO_LARGE = 413
"""The status of a request that is too large."""


_OPTION: Final = re.compile(
    r"`zermelo [^`]*`|`?(?<!\w)--(?P<option>[a-z-]+)(?: (?P<value>(?<=solver )[a-z_]+|[A-Z]+|\d\w*))?\b`?"
)
"""A whole command, which is for the terminal; or an option, perhaps with a value."""


_SERVERS: Final = ("time", "memory")
"""Options of the server."""


_FIELDS: Final = {
    "solve": {"solver": "the solver"},
    "draw": {"solver": "the solver", "depth": "“Moves ahead”"},
}
"""Options of a command that are fields of the page."""


def in_words_of_the_page(text: str, command: str) -> str:
    """A text of a command for the page, where an option has the name of its field, or if it has none its command."""

    def said(found: re.Match[str]) -> str:
        option, value = found["option"], found["value"]
        if option is None:
            return found.group()
        if field := _FIELDS.get(command, {}).get(option):
            return f"{field} {value}" if value and not value.isupper() else field
        return f"`zermelo {'serve' if option in _SERVERS else command} --{option}{f' {value}' if value else ''}`"

    return _OPTION.sub(said, text)


def refusal_of(error: ZermeloError, command: str) -> Refusal:
    """The refusal for an error of the user's, which ``command`` would show."""
    message, hint = (in_words_of_the_page(each, command) for each in (error.message, error.help))
    return Refusal(UNPROCESSABLE, error.code, message, hint)


def unreadable(what: str) -> Refusal:
    """The refusal of a request that the page does not make."""
    return Refusal(400, "bad-usage", what)


def too_large(most: int) -> Refusal:
    return Refusal(TOO_LARGE, "file-too-large", f"a request may have {most:,} bytes at most")


def too_long(seconds: float) -> Refusal:
    return Refusal(
        UNPROCESSABLE,
        "out-of-time",
        f"this has been ended after {seconds:g} s",
        "`zermelo serve --time SECONDS` allows more; a smaller game may need less",
    )


def too_much(memory: int) -> Refusal:
    return Refusal(
        UNPROCESSABLE,
        "out-of-memory",
        f"this has been ended, because it needed more than {format_bytes(memory)} of memory",
        "`zermelo serve --memory SIZE` allows more; a smaller game may need less",
    )


def lost(status: int | None) -> Refusal:
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


def too_many(waiting: int) -> Refusal:
    return Refusal(503, "out-of-time", f"{waiting:,} requests are waiting already", "try again in a moment")
