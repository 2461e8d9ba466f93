"""Findings for programs that read lines: compilers' ``file:line:column``, and the workflow commands of GitHub."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import PurePath
from typing import Any, Final, Literal
from urllib.parse import quote

from attrs import frozen

from zermelo.foundation.records import ByValue
from zermelo.grammar.diagnostics import CODES, Finding, Fix, InvalidGame, Label, Severity, Source, Span, ZermeloError
from zermelo.interpreter.machine import PlayError
from zermelo.report.console import clean

# Results as JUnit XML, which continuous integration reads: a suite for each file, a case for each line tested.


Outcome = Literal["passed", "failure", "error", "skipped"]


@frozen(eq=False, repr=False)
class JunitCase(ByValue):
    """A case: its ``name``, its ``outcome``, a ``message`` that says why, and where it is in its file."""

    name: str
    outcome: Outcome
    message: str = ""
    line: int = 1
    seconds: float = 0.0


def junit(suites: Iterable[tuple[str, Sequence[JunitCase]]]) -> str:
    """The document, of files and their cases."""
    from xml.etree.ElementTree import Element, SubElement, indent, tostring  # which few commands need

    root = Element("testsuites", name="zermelo")
    every: list[JunitCase] = []
    for file, cases in suites:
        suite = SubElement(root, "testsuite", {"name": _printable(file), **_counts(cases)})
        for case in cases:
            element = SubElement(
                suite,
                "testcase",
                classname=_printable(file),
                name=_printable(case.name),
                file=_printable(file),
                line=str(case.line),
                time=f"{case.seconds:.3f}",
            )
            if case.outcome != "passed":
                SubElement(element, case.outcome, message=_printable(case.message)).text = _printable(case.message)
        every += cases
    root.attrib.update(_counts(every))
    indent(root)
    return f'<?xml version="1.0" encoding="utf-8"?>\n{tostring(root, encoding="unicode")}'


def _counts(cases: Sequence[JunitCase]) -> dict[str, str]:
    counts = Counter(case.outcome for case in cases)
    return {
        "tests": str(len(cases)),
        "failures": str(counts["failure"]),
        "errors": str(counts["error"]),
        "skipped": str(counts["skipped"]),
        "time": f"{sum(case.seconds for case in cases):.3f}",
    }


def _printable(text: str) -> str:
    """The text without characters that XML cannot have."""
    return "".join(sign if sign in "\t\n" or (sign >= " " and sign not in "\ufffe\uffff") else "?" for sign in text)


# Findings and errors as records for a program: plain data, ready for JSON.


Record = dict[str, Any]


FINDING: Final = (
    "code", "severity", "message", "file", "line", "column", "end_line", "end_column", "remark", "labels", "help",
    "fix",
)  # fmt: skip
"""What the record of a finding tells."""


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


def full_message(finding: Finding) -> str:
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


Level = Literal["error", "warning", "notice"]


def concise_line(finding: Finding) -> str:
    """A finding in a line: ``my.game:3:7: error[unknown-name] message``."""
    place = f"{finding.source.name}:{finding.span.line}:{finding.span.column}"
    return clean(f"{place}: {finding.severity.value}[{finding.code}] {' '.join(finding.message.split())}")


def annotation(finding: Finding) -> str:
    """A finding as a workflow command, which GitHub shows beside the line."""
    level: Level = "error" if finding.severity is Severity.ERROR else "warning"
    return workflow_command(level, finding.source, finding.span, finding.code, full_message(finding))


def workflow_command(level: Level, source: Source, span: Span, title: str, message: str) -> str:
    """A workflow command about a place; columns are given only within a line, as GitHub asks."""
    values = {"file": source.name, "line": str(span.line), "endLine": str(span.end_line)}
    if span.line == span.end_line:
        values |= {"col": str(span.column), "endColumn": str(span.end_column)}
    values["title"] = title
    properties = ",".join(f"{name}={_escape(value, ':,')}" for name, value in values.items())
    return f"::{level} {properties}::{_escape(message)}"


def _escape(text: str, signs: str = "") -> str:
    """Percent signs, line ends and ``signs`` as their codes; the percent sign first."""
    for sign in f"%\r\n{signs}":
        text = text.replace(sign, f"%{ord(sign):02X}")
    return text


# Findings as SARIF 2.1.0 (OASIS, 2020), the format that code hosts and editors read.


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
        "message": {"text": full_message(finding)},
        "locations": [{"physicalLocation": _location(finding.source, finding.span)}],
    }
    if finding.labels:
        result["relatedLocations"] = [
            {"id": number, "physicalLocation": _location(finding.source, label.span), "message": {"text": label.text}}
            for number, label in enumerate(finding.labels)
        ]
    if finding.fix is not None:
        result["fixes"] = [_sarif_fix(finding.source, finding.fix)]
    return result


def _location(source: Source, span: Span) -> dict[str, Any]:
    return {"artifactLocation": _artifact(source), "region": _region(span)}


def _artifact(source: Source) -> dict[str, str]:
    """Where a file is: an absolute path has to be a whole URI, since readers take everything else to be relative to the
    folder that they look at."""
    path = PurePath(source.name)
    return {"uri": path.as_uri() if path.is_absolute() else quote(path.as_posix())}


def _region(span: Span) -> dict[str, int]:
    return {
        "startLine": span.line,
        "startColumn": span.column,
        "endLine": span.end_line,
        "endColumn": span.end_column,
    }


def _sarif_fix(source: Source, fix: Fix) -> dict[str, Any]:
    replacement = {"deletedRegion": _region(fix.span), "insertedContent": {"text": fix.replacement}}
    change = {"artifactLocation": _artifact(source), "replacements": [replacement]}
    return {"description": {"text": fix.title or "change this"}, "artifactChanges": [change]}
