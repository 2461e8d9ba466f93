"""Findings as SARIF 2.1.0 (OASIS, 2020), the format that code hosts and editors read."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import PurePath
from typing import Any
from urllib.parse import quote

from zermelo.grammar.codes import CODES
from zermelo.grammar.diagnostics import Finding, Fix
from zermelo.grammar.source import Source, Span
from zermelo.report.records import in_full

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/schemas/sarif-schema-2.1.0.json"


def sarif(findings: Iterable[Finding], version: str) -> dict[str, Any]:
    """The log of one run of this ``version``. Columns count characters, as in our own records; the rules are the codes
    that occur."""
    found = list(findings)
    codes = list(dict.fromkeys(finding.code for finding in found))
    rules = [
        {
            "id": code,
            "shortDescription": {"text": CODES[code].title},
            "defaultConfiguration": {"level": CODES[code].severity.value},
        }
        for code in codes
    ]
    driver = {"name": "zermelo", "semanticVersion": version, "rules": rules}
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "results": [_result(finding, codes.index(finding.code)) for finding in found],
    }
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


def _result(finding: Finding, rule: int) -> dict[str, Any]:
    result: dict[str, Any] = {
        "ruleId": finding.code,
        "ruleIndex": rule,
        "level": finding.severity.value,
        "message": {"text": in_full(finding)},
        "locations": [{"physicalLocation": _location(finding.source, finding.span)}],
    }
    if finding.labels:
        result["relatedLocations"] = [
            {"id": number, "physicalLocation": _location(finding.source, label.span), "message": {"text": label.text}}
            for number, label in enumerate(finding.labels)
        ]
    if finding.fix is not None:
        result["fixes"] = [_fix(finding.source, finding.fix)]
    return result


def _location(source: Source, span: Span) -> dict[str, Any]:
    return {"artifactLocation": _artifact(source), "region": _region(span)}


def _artifact(source: Source) -> dict[str, str]:
    """Where a file is: a path from the root has to be a whole URI, since readers set others behind the folder that they
    look at."""
    path = PurePath(source.name)
    return {"uri": path.as_uri() if path.is_absolute() else quote(path.as_posix())}


def _region(span: Span) -> dict[str, int]:
    return {
        "startLine": span.line,
        "startColumn": span.column,
        "endLine": span.end_line,
        "endColumn": span.end_column,
    }


def _fix(source: Source, fix: Fix) -> dict[str, Any]:
    replacement = {"deletedRegion": _region(fix.span), "insertedContent": {"text": fix.replacement}}
    change = {"artifactLocation": _artifact(source), "replacements": [replacement]}
    return {"description": {"text": fix.title or "change this"}, "artifactChanges": [change]}
