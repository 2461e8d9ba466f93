"""The words of Gambit's files: texts in quotes, braces, commas, numbers and letters."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Final, NoReturn

from attrs import define, field

from zermelo.grammar.diagnostics import Mistake, Source, Span
from zermelo.grammar.reading import position

_TOKEN: Final = re.compile(r'"(?:\\.|[^"\\])*"|[{},]|[^\s{},"]+|"', re.DOTALL)
_NUMBER: Final = re.compile(r"[+-]?(?:\d+/\d+|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)")
MOST_DIGITS: Final = 100
"""The most digits of a number, as in the language; an exponent stands for so many of them."""


@define(eq=False)
class GambitTokens:
    """The tokens of a file, read one after the other. Whatever does not fit raises
    :class:`~zermelo.grammar.diagnostics.Mistake` (``foreign-syntax``) at the token."""

    source: Source
    _found: list[re.Match[str]] = field(init=False)
    _at: int = 0

    def __attrs_post_init__(self) -> None:
        self._found = list(_TOKEN.finditer(self.source.text))

    @property
    def ended(self) -> bool:
        """Whether no token is left."""
        return self._at == len(self._found)

    @property
    def span(self) -> Span:
        """Where the next token is, or the end of the text."""
        text = self.source.text
        start, end = (len(text.rstrip()),) * 2 if self.ended else self._found[self._at].span()
        first_line_end = text.find("\n", start, end)  # a text may have several lines
        return position(text, start, end if first_line_end < 0 else first_line_end)

    def refuse(self, wanted: str) -> NoReturn:
        """Raise that something else is ``wanted`` here."""
        there = "the file ends here" if self.ended else f"{self._peek()[:40]} cannot stand here"
        raise Mistake("foreign-syntax", self.span, f"{there}: this must be {wanted}")

    def _peek(self) -> str:
        return "" if self.ended else self._found[self._at].group()

    def _take(self) -> str:
        taken = self._peek()
        self._at += 1
        return taken

    def sees(self, token: str) -> bool:
        """Whether this token is next."""
        return self._peek() == token

    def sees_text(self) -> bool:
        """Whether a text in quotes is next."""
        return len(self._peek()) > 1 and self._peek().startswith('"')

    def accept(self, token: str) -> bool:
        """Pass this token if it is next."""
        if not self.sees(token):
            return False
        self._at += 1
        return True

    def expect(self, token: str) -> None:
        """Pass this token."""
        if not self.accept(token):
            self.refuse(f"'{token}'")

    def word(self, wanted: str) -> str:
        """A word without quotes."""
        if self._peek()[:1] in ("", '"', "{", "}", ","):
            self.refuse(wanted)
        return self._take()

    def text(self, wanted: str) -> str:
        """A text without its quotes."""
        if not self.sees_text():
            self.refuse(wanted)
        return self._take()[1:-1].replace('\\"', '"')

    def optional_text(self) -> str:
        """A text if one is next, else the empty one."""
        return self.text("a text") if self.sees_text() else ""

    def whole_number(self, wanted: str) -> int:
        """A number from 0."""
        if not re.fullmatch(r"[0-9]{1,9}", self._peek()):
            self.refuse(wanted)
        return int(self._take())

    def sees_number(self) -> bool:
        """Whether a number is next."""
        return _NUMBER.fullmatch(self._peek()) is not None

    def number(self, wanted: str) -> str:
        """A number as it is written: ``-1/3``, ``0.25``, ``1e-3``."""
        if not self.sees_number():
            self.refuse(wanted)
        digits, power = re.split("[eE]", self._peek() + "e0")[:2]
        if len(power) > 4 or max(map(len, digits.strip("+-").split("/"))) + abs(int(power)) > MOST_DIGITS:
            self.refuse(f"{wanted}, of at most {MOST_DIGITS} digits")
        if re.search(r"/0+$", self._peek()):
            self.refuse(f"{wanted}, and no division by 0")
        return self._take()


_AS_IN_THE_LANGUAGE: Final = re.compile(r"-?[0-9]+(?:\.[0-9]+|/[0-9]+)?")


def number_text(written: str) -> str:
    """A number as the language writes it: as it is, if that can be read there."""
    return written if _AS_IN_THE_LANGUAGE.fullmatch(written) else str(Fraction(written))
