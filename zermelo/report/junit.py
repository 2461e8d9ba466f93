"""Results as JUnit XML, which continuous integration reads: a suite for each file, a case for each line tested."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Literal
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from attrs import frozen

Outcome = Literal["passed", "failure", "error", "skipped"]


@frozen
class JunitCase:
    """A case: its ``name``, what became of it, ``message`` why, and where it is in its file."""

    name: str
    outcome: Outcome
    message: str = ""
    line: int = 1
    seconds: float = 0.0


def junit(suites: Iterable[tuple[str, Sequence[JunitCase]]]) -> str:
    """The document, of files and their cases."""
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
