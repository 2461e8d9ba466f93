"""Findings for programs that read lines: compilers' ``file:line:column``, and the workflow commands of GitHub."""

from __future__ import annotations

from typing import Literal

from zermelo.grammar.codes import Severity
from zermelo.grammar.diagnostics import Finding
from zermelo.grammar.source import Source, Span
from zermelo.report.columns import clean
from zermelo.report.records import in_full

Level = Literal["error", "warning", "notice"]


def concise(finding: Finding) -> str:
    """A finding in a line: ``my.game:3:7: error[unknown-name] message``."""
    place = f"{finding.source.name}:{finding.span.line}:{finding.span.column}"
    return clean(f"{place}: {finding.severity.value}[{finding.code}] {' '.join(finding.message.split())}")


def annotation(finding: Finding) -> str:
    """A finding as a workflow command, which GitHub shows beside the line."""
    level: Level = "error" if finding.severity is Severity.ERROR else "warning"
    return workflow_command(level, finding.source, finding.span, finding.code, in_full(finding))


def workflow_command(level: Level, source: Source, span: Span, title: str, message: str) -> str:
    """A workflow command about a place; columns are given only within a line, as GitHub asks."""
    values = {"file": source.name, "line": str(span.line), "endLine": str(span.end_line)}
    if span.line == span.end_line:
        values |= {"col": str(span.column), "endColumn": str(span.end_column)}
    values["title"] = title
    properties = ",".join(f"{name}={_escaped(value, ':,')}" for name, value in values.items())
    return f"::{level} {properties}::{_escaped(message)}"


def _escaped(text: str, signs: str = "") -> str:
    """Percent signs, line ends and ``signs`` as their codes; the percent sign first."""
    for sign in f"%\r\n{signs}":
        text = text.replace(sign, f"%{ord(sign):02X}")
    return text
