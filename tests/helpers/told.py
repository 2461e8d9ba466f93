"""Files with mistakes that say what is found: below each faulty line stands the whole finding, as ``#!`` lines.

``ZERMELO_TEST_WRITE=1`` in the environment writes the findings anew, to be read before they are committed.
"""

from __future__ import annotations

import os
import re
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from zermelo.grammar.diagnostics import Finding, Findings, Source

if TYPE_CHECKING:
    from slips import Slip

MARK = "#!"


def hold(file: Path | Slip, find: Callable[[Source], Findings]) -> Findings:
    """Assert that the findings of a file, or of a slip, are those that it says; returns them."""
    written = file.read_text(encoding="utf-8")
    source = Source(file.name, untold(written))
    findings = find(source)
    text = told(source, findings)
    if os.environ.get("ZERMELO_TEST_WRITE"):
        file.write_text(text, encoding="utf-8")
    else:
        assert text.splitlines() == written.splitlines()
    return findings


def untold(text: str) -> str:
    """The file itself: without what is said to be found."""
    return "".join(line for line in text.splitlines(keepends=True) if not line.startswith(MARK))


def told(source: Source, findings: Findings) -> str:
    """The file with its findings."""
    below = defaultdict(list)
    for finding in findings:
        below[finding.span.line] += [f"{MARK} {line}\n" for line in _lines(finding)]
    lines = source.text.splitlines(keepends=True)
    last = len(lines)
    if lines and not lines[-1].endswith("\n"):
        lines[-1] += "\n"
    found = below[0]
    for number, line in enumerate(lines, 1):
        found += [line, *below.pop(number, ())]
    return "".join([*found, *(line for number, said in below.items() if number > last for line in said)])


def _lines(finding: Finding) -> list[str]:
    """A finding as text: what a person reads, and the places beside it."""
    source = finding.source
    at = f"at {source.excerpt(finding.span)!r}" if finding.span.line == finding.span.end_line else "here"
    lines = [f"{finding.severity.value}[{finding.code}]: {finding.message}", f"  {at}{_colon(finding.remark)}"]
    lines += [
        f"  line {label.span.line}, {source.excerpt(label.span)!r}{_colon(label.text)}" for label in finding.labels
    ]
    if finding.help:
        lines.append(f"  = help: {finding.help}")
    if finding.fix is not None:
        old, new = source.excerpt(finding.fix.span), finding.fix.replacement
        title = "" if finding.fix.title == finding.help else finding.fix.title
        lines.append(f"  = fix: {old!r} becomes {new!r}{_colon(title)}")
    return [part for line in lines for part in line.splitlines()]


def codes(file: Path) -> list[str]:
    """The codes that a file says are found, one for each finding."""
    return re.findall(r"^#! \w+\[([\w-]+)\]", file.read_text(encoding="utf-8"), re.MULTILINE)


def _colon(text: str) -> str:
    return f": {text}" if text else ""
