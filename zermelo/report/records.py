"""Findings and errors as records for a program: plain data, ready for JSON."""

from __future__ import annotations

from typing import Any

from zermelo.grammar.codes import CODES
from zermelo.grammar.diagnostics import Finding, Fix, InvalidGame, Label, ZermeloError
from zermelo.grammar.source import Span
from zermelo.interpreter.machine import PlayError

Record = dict[str, Any]


def finding_record(finding: Finding) -> Record:
    """A finding. Lines and columns count from 1; ``end_column`` is the column after the last character. ``fix`` may be
    null."""
    return {
        "code": finding.code,
        "severity": finding.severity.value,
        "message": finding.message,
        "file": finding.source.name,
        **_place(finding.span),
        "remark": finding.remark,
        "labels": [_label(label) for label in finding.labels],
        "help": finding.help,
        "fix": None if finding.fix is None else _fix(finding.fix),
    }


def in_full(finding: Finding) -> str:
    """All that a finding says besides its labels, a line for each part."""
    return "\n".join(filter(None, [finding.message, finding.remark, finding.help]))


def error_records(error: ZermeloError) -> list[Record]:
    """An error: one record for each of its findings, or one without a place."""
    if isinstance(error, InvalidGame):
        return [finding_record(finding) for finding in error.findings]
    if isinstance(error, PlayError):
        return [{**finding_record(error.finding), "play": [str(move) for move in error.play]}]
    severity = CODES[error.code].severity.value
    return [{"code": error.code, "severity": severity, "message": error.message, "help": error.help}]


def _place(span: Span) -> Record:
    return {"line": span.line, "column": span.column, "end_line": span.end_line, "end_column": span.end_column}


def _label(label: Label) -> Record:
    return {**_place(label.span), "text": label.text}


def _fix(fix: Fix) -> Record:
    return {**_place(fix.span), "replacement": fix.replacement, "title": fix.title}
