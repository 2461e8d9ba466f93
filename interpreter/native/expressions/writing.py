"""Text shared by lowered expressions."""

from __future__ import annotations

from zermelo.grammar.source import Span
from zermelo.interpreter.native.coding.number_codes import LIMIT, NO_NUMBER
from zermelo.interpreter.native.dialect.templates import instantiate
from zermelo.interpreter.native.dialect.text import Body, Text
from zermelo.interpreter.native.expressions.bindings import Scalar


class Writer:
    """Writes helpers and names into ``text``, whose sets have up to ``width`` members."""

    def __init__(self, text: Text, width: int) -> None:
        self.text, self.width = text, width

    def helper(self, stem: str, parameters: str, lines: list[str], kind: str = "int") -> str:
        """The name of a function shared by expressions."""
        source = f"({parameters}) -> {kind}:\n" + "\n".join("    " + line for line in lines) + "\n"
        return self.text.shared(stem, source)

    def check(self, name: str) -> str:
        """The name of a function of ``algorithms/checks.py``."""
        return instantiate(self.text, "checks", NO_NUMBER=NO_NUMBER, LIMIT=LIMIT, WIDTH=self.width)[name]

    def fault(self, body: Body, code: str, span: Span) -> None:
        """Note a fault of the rules in ``body``, if it is the first."""
        body.line(f"{self.check('fail')}(C, {self.text.site(code, span)})")

    def code(self, name: str) -> str:
        """The name of a function of ``algorithms/codes.py``."""
        return instantiate(self.text, "codes", NO_NUMBER=NO_NUMBER)[name]

    def bind(self, body: Body, value: Scalar, stem: str) -> Scalar:
        """Assign a value to a fresh name in ``body``."""
        name = self.text.local(body, stem)
        body.line(f"{name}: int = {value.text}")
        return Scalar(name, value.has_none, value.scale)
