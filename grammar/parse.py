"""From a text to its syntax tree, or to findings that say why it has none."""

from __future__ import annotations

import lark

from grammar.builder import Title
from grammar.diagnostics import Findings
from grammar.engine import engine
from grammar.layout import comments, cut
from grammar.mistake import Mistake
from grammar.source import Source
from grammar.syntax import Declaration, GameFile


def parse(source: Source) -> tuple[GameFile | None, Findings]:
    """The tree of a text, or None if it has errors."""
    findings = Findings(source)
    title = ""
    declarations = []
    for chunk in cut(source.text):
        try:
            node = engine().read(chunk, findings)
        except Mistake as mistake:
            mistake.report(findings)
        except lark.UnexpectedToken as error:
            findings.report("syntax", chunk.token_span(error.token), f"unexpected {error.token!r}")
        except lark.UnexpectedCharacters as error:
            findings.report("unknown-character", chunk.span(error.pos_in_stream, error.pos_in_stream + 1), "unexpected")
        else:
            if isinstance(node, Title):
                title = node.text
            else:
                assert isinstance(node, Declaration)
                declarations.append(node)
    if findings.errors:
        return None, findings
    return GameFile(title, tuple(declarations), comments(source)), findings
