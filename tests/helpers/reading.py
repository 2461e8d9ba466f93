"""Expressions read by themselves."""

from __future__ import annotations

from zermelo.grammar import syntax
from zermelo.grammar.diagnostics import Findings
from zermelo.grammar.parse import parse_declarations
from zermelo.grammar.source import Source


def read_expression(text: str) -> tuple[syntax.Expression | None, Findings]:
    """The tree of an expression, as that of a function's body; None if it has errors."""
    declarations, findings = parse_declarations(Source("test", f"define f = {text}"))
    match declarations:
        case [syntax.Define(body=expression)]:
            return expression, findings
    return None, findings
