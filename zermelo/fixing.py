"""Repairing a text by the fixes of its findings.

Only *safe* fixes are made, which leave no doubt what was meant, and only if the text can be read further with one than
without it: each is tried. What a person has to decide is left to them: a name that is like another one, a probability
that does not fit, a word that may be missing, a sign that means different things in other languages.
"""

from __future__ import annotations

from zermelo.grammar.diagnostics import Findings
from zermelo.grammar.parse import parse
from zermelo.grammar.source import Source


def fixed(source: Source) -> tuple[Source, int]:
    """The text with its safe fixes, and how many there were."""
    count = 0
    tried: set[tuple[str, int]] = set()  # codes, and places from the end of the text, which fixes before do not move
    findings = _findings(source)
    while True:
        for finding in findings.errors:
            fix, place = finding.fix, (finding.code, len(source.text) - finding.span.end)
            if fix is None or not fix.safe or place in tried:
                continue
            tried.add(place)
            text = source.text[: fix.span.start] + fix.replacement + source.text[fix.span.end :]
            changed = _findings(Source(source.name, text))
            if len(changed.errors) < len(findings.errors) or _begins_later(changed, findings):
                source, findings, count = changed.source, changed, count + 1
                break
        else:
            return source, count


def _findings(source: Source) -> Findings:
    _, findings = parse(source)
    return findings


def _begins_later(changed: Findings, findings: Findings) -> bool:
    """Whether the text can be read further than before: later mistakes show only now."""
    return changed.errors[0].span.start > findings.errors[0].span.end
