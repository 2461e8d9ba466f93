"""Refusals of constructs that the lowering does not cover."""

from __future__ import annotations

from typing import Final

from zermelo.grammar.source import NOWHERE, Span
from zermelo.interpreter import model
from zermelo.interpreter.model import Expr

_WORDS: Final[dict[type[Expr], str]] = {
    model.Const: "a constant",
    model.Local: "a local name",
    model.Read: "a variable",
    model.Call: "a define",
    model.Let: "'where'",
    model.If: "'if'",
    model.Apply: "a built-in function",
    model.Lookup: "a table in braces",
    model.Chosen: "what a player chose",
    model.MakeSet: "a set in braces",
    model.SetOperation: "an operation on sets",
    model.RangeSet: "a range",
    model.Comprehension: "a comprehension",
    model.Quantified: "a quantifier",
    model.Reach: "'reach'",
    model.Subsets: "'subsets'",
}


class Unsupported(Exception):
    """The lowering does not cover this construct; the game runs on the reference machine.

    ``construct`` names it in the words of the language where these exist; ``span`` is its place, None if it has no
    single one.
    """

    def __init__(self, construct: str, span: Span | None = None) -> None:
        super().__init__(f"the native machine does not cover {construct}")
        self.construct = construct
        self.span = span

    def locate(self, span: Span) -> None:
        """Note its place, unless a more precise one is known."""
        if self.span is None and span != NOWHERE:
            self.span = span


class Beyond(Unsupported):
    """No value of this expression fits into a machine word: it is lowered to a fault, with all that needs it."""


def described(expr: Expr) -> str:
    """The name of an expression in a refusal."""
    return _WORDS.get(type(expr), "an expression of this kind")
