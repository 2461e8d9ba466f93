"""What the server says instead of an answer: a status of HTTP and a record.

Errors are worded for the command line. Here options become what the page has in their place, and advice about those for
which it has nothing is left out.
"""

from __future__ import annotations

import json
import re
from typing import Final

from attrs import frozen

from zermelo.grammar.diagnostics import ZermeloError
from zermelo.grammar.footprint import size


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


def refusal_of(error: ZermeloError) -> Refusal:
    """The refusal for an error of the user's."""
    clauses = in_words_of_the_page(error.help).split("; ")
    return Refusal(
        UNPROCESSABLE,
        error.code,
        in_words_of_the_page(error.message),
        "; ".join(clause for clause in clauses if not _ON_THE_COMMAND_LINE.search(clause)),
    )


_WORDS: Final = tuple(
    (re.compile(option), words)
    for option, words in (
        (r",? and --time and --memory allow more", ""),
        (r"(a longer )?--time(?= allows)", "`zermelo serve --time SECONDS`"),
        (r"--memory \w+ (should be enough|allows \d+ times as much)", "`zermelo serve --memory SIZE` allows more"),
        (r"(?<!serve )--memory(?= )", "`zermelo serve --memory SIZE`"),
        (r"leave out --depth( and --nodes)?", "leave the moves ahead empty"),
        (r"leave out --solver", "leave the solver empty"),
        (r"`(?:zermelo solve )?--solver (\w+)`|--solver (\w+)", r"the solver \1\2"),
        (r"-p (?=\w+=)", ""),
    )
)
"""Options in the sentences in which errors name them, and what is said on the page; the first that fits is taken."""

_ON_THE_COMMAND_LINE: Final = re.compile(r"(?<!zermelo serve )(?<![\w-])--[a-z]|`zermelo (?!serve)")


def in_words_of_the_page(text: str) -> str:
    """A text in which the page's words stand for options, as far as it has any."""
    for option, words in _WORDS:
        text = option.sub(words, text)
    return text


def unreadable(what: str) -> Refusal:
    """The refusal of a request that the page does not make."""
    return Refusal(400, "bad-usage", what)


def too_large(most: int) -> Refusal:
    return Refusal(413, "file-too-large", f"a request may have {most:,} bytes at most")


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
        f"this has been ended, because it needed more than {size(memory)} of memory",
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
