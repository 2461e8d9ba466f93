"""What is shown of a text: the colours of its names, its findings with the edits that mend them, its layout,
and what can be done with it."""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from typing import Final

from zermelo.grammar.diagnostics import Finding, Findings, InvalidGame, Severity, Source
from zermelo.grammar.formatter import format_text
from zermelo.interpreter.symbols.index import SymbolIndex
from zermelo.language_server.completion import KINDS
from zermelo.language_server.documents import TextPlaces
from zermelo.language_server.protocol import (
    CodeAction,
    CodeActionKind,
    CodeLens,
    Command,
    Diagnostic,
    DiagnosticRelatedInformation,
    DiagnosticSeverity,
    DiagnosticTag,
    Location,
    Position,
    Range,
    SemanticTokenModifiers,
    SemanticTokens,
    SemanticTokensLegend,
    TextEdit,
    WorkspaceEdit,
)

# Semantic tokens: the names of a text with what they stand for, so that an editor can give each kind a colour.


_LISTED: Final = list(dict.fromkeys(shown for _, shown, _ in KINDS.values()))
_DECLARES: Final = 1
_NEVER_CHANGES: Final = 2

LEGEND: Final = SemanticTokensLegend(
    [str(type.value) for type in _LISTED],
    [str(SemanticTokenModifiers.Declaration.value), str(SemanticTokenModifiers.Readonly.value)],
)


def colours(index: SymbolIndex, places: TextPlaces) -> SemanticTokens:
    """The tokens, each as five numbers: lines and characters since the one before, length, type, and modifiers."""
    data: list[int] = []
    line, character = 0, 0
    for span, symbol in index.in_order():
        where = places.range_of(span)
        if where.start.line != line:
            line, character, skipped = where.start.line, 0, where.start.line - line
        else:
            skipped = 0
        flags = (_DECLARES if span == symbol.span else 0) + (_NEVER_CHANGES if symbol.kind == "parameter" else 0)
        kind = _LISTED.index(KINDS[symbol.kind][1])
        data += [skipped, where.start.character - character, where.end.character - where.start.character, kind, flags]
        character = where.start.character
    return SemanticTokens(data)


# Findings as an editor shows them, and their fixes.


def diagnostic(address: str, finding: Finding, places: TextPlaces) -> Diagnostic:
    remarks = [f": {finding.remark}" if finding.remark else "", f"\n{finding.help}" if finding.help else ""]
    labels = [label for label in finding.labels if label.text]
    return Diagnostic(
        range=places.range_of(finding.span),
        message=finding.message + "".join(remarks),
        severity=DiagnosticSeverity.Error if finding.severity is Severity.ERROR else DiagnosticSeverity.Warning,
        code=finding.code,
        source="zermelo",
        tags=[DiagnosticTag.Unnecessary] if finding.code == "unused-name" else None,
        related_information=[
            DiagnosticRelatedInformation(Location(address, places.range_of(label.span)), label.text) for label in labels
        ],
    )


def fixes(address: str, findings: Findings, where: Range, places: TextPlaces) -> list[CodeAction]:
    """The edits that mend findings in a range."""
    start, end = places.offset_of(where.start), places.offset_of(where.end)
    return [
        CodeAction(
            title=finding.fix.title or f"write '{finding.fix.replacement.strip()}'",
            kind=CodeActionKind.QuickFix,
            diagnostics=[diagnostic(address, finding, places)],
            is_preferred=True,
            edit=WorkspaceEdit(
                changes={address: [TextEdit(places.range_of(finding.fix.span), finding.fix.replacement)]}
            ),
        )
        for finding in findings
        if finding.fix is not None and finding.span.start <= end and start <= finding.span.end
    ]


# Formatting: the edits that bring a text into the one layout of ``zermelo fmt``.


def layout_edits(source: Source) -> list[TextEdit]:
    """The edits, of whole lines, so that an editor keeps its marks in those that stay; none for a text with mistakes in
    its grammar."""
    try:
        after = format_text(source).splitlines(keepends=True)
    except InvalidGame:
        return []
    before = source.text.splitlines(keepends=True)
    return [
        TextEdit(Range(Position(start, 0), Position(end, 0)), "".join(after[first:last]))
        for kind, start, end, first, last in SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
        if kind != "equal"
    ]


# Code lenses: commands above the first line of a game, which the editor runs in a terminal.


_RUN: Final = "zermelo.run"
"""The command that an editor has to know: it runs ``zermelo`` with these arguments, in a terminal."""

_LENSES: Final = {"Solve": "solve", "Test": "test", "Play": "play"}

_TITLE: Final = re.compile(r"^game\b", re.MULTILINE)


def lenses(source: Source, places: TextPlaces, path: str) -> list[CodeLens]:
    """What can be done with the file at a path."""
    title = _TITLE.search(source.text)
    if title is None:
        return []
    there = places.range_in_line(source.text.count("\n", 0, title.start()), title.start(), title.end())
    return [CodeLens(there, Command(shown, _RUN, [word, path])) for shown, word in _LENSES.items()]
