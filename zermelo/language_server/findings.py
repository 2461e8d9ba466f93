"""Findings as an editor shows them, and their fixes."""

from __future__ import annotations

from lsprotocol.types import (
    CodeAction,
    CodeActionKind,
    Diagnostic,
    DiagnosticRelatedInformation,
    DiagnosticSeverity,
    DiagnosticTag,
    Location,
    Range,
    TextEdit,
    WorkspaceEdit,
)

from zermelo.grammar.codes import Severity
from zermelo.grammar.diagnostics import Finding, Findings
from zermelo.language_server.places import TextPlaces


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
