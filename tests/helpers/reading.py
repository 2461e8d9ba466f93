"""Parsing of single expressions."""

from __future__ import annotations

from zermelo.grammar import syntax
from zermelo.grammar.diagnostics import Findings, Source
from zermelo.grammar.parse import parse_declarations


def read_expression(text: str) -> tuple[syntax.Expression | None, Findings]:
    """The tree of an expression, parsed as the body of a define; None if it has errors."""
    declarations, findings = parse_declarations(Source("test", f"define f = {text}"))
    match declarations:
        case [syntax.Define(body=expression)]:
            return expression, findings
    return None, findings
