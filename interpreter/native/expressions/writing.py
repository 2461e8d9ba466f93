"""Text shared by lowered expressions."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from zermelo.grammar.source import Span
from zermelo.interpreter.native.coding.encoding import plus
from zermelo.interpreter.native.coding.number_codes import LIMIT, NO_NUMBER
from zermelo.interpreter.native.dialect.templates import instantiate
from zermelo.interpreter.native.dialect.text import Body, Text
from zermelo.interpreter.native.expressions.bindings import Scalar


class Writer:
    """Writes helpers and names into ``text``, whose sets have up to ``width`` members."""

    def __init__(self, text: Text, width: int) -> None:
        self.text, self.width = text, width

    def check(self, name: str) -> str:
        """The name of a function of ``algorithms/checks.py``."""
        return instantiate(self.text, "checks", NO_NUMBER=NO_NUMBER, LIMIT=LIMIT, WIDTH=self.width)[name]

    def fault(self, body: Body, code: str, span: Span) -> None:
        """Note a fault of the rules in ``body``, if it is the first."""
        body.line(f"{self.check('fail')}(C, {self.text.site(code, span)})")

    def fault_if(self, body: Body, condition: str, code: str, span: Span) -> None:
        """Note a fault of the rules if a condition holds."""
        with body.block(f"if {condition}"):
            self.fault(body, code, span)

    def code(self, name: str) -> str:
        """The name of a function of ``algorithms/codes.py``."""
        return instantiate(self.text, "codes", NO_NUMBER=NO_NUMBER)[name]

    def bind(self, body: Body, value: Scalar, stem: str) -> Scalar:
        """Assign a value to a fresh name in ``body``."""
        return Scalar(self.text.let(body, stem, value.text), value.has_none, value.scale)

    @contextmanager
    def each_entry(self, body: Body, array: str, indices: str, kind: str = "int") -> Iterator[str]:
        """A loop over the entries of an array or a table at ``range(indices)``; gives the name of an entry."""
        index = self.text.local(body, "i")
        with body.block(f"for {index} in range({indices})"):
            yield self.text.let(body, "x", f"{array}[{index}]", kind)

    @contextmanager
    def each_member(self, body: Body, mask: str, low: int = 0) -> Iterator[str]:
        """A loop that takes the members out of a set, the least first, until it is empty: a name of a mask, to which
        the loop may add more. Gives the name of a member's code; ``low`` is the code of bit 0."""
        with body.block(f"while {mask} != 0"):
            name = self.text.let(body, "x", plus(f"lowest({mask})", low))
            body.line(f"{mask} = {mask} & ({mask} - 1)")
            yield name
