"""Findings: what is wrong with a file, as data.

Every stage from the reader to the solvers reports through :class:`Finding`; only a renderer (``zermelo/report``) turns
one into text for a person. The codes, their severities and their titles are in :mod:`zermelo.grammar.codes`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from attrs import define, field, frozen

from zermelo.grammar.by_value import ByValue
from zermelo.grammar.codes import CODES, Severity
from zermelo.grammar.source import Source, Span


@frozen(eq=False, repr=False)
class Label(ByValue):
    """A span with a remark, shown under the line it points at (``declared here``)."""

    span: Span
    text: str = ""


@frozen(eq=False, repr=False)
class Fix(ByValue):
    """An edit that would mend the finding: replace ``span`` by ``replacement``. A ``safe`` one may be made unasked: it
    leaves no doubt what was meant."""

    span: Span
    replacement: str
    title: str = ""
    safe: bool = False


@frozen(eq=False, repr=False)
class Finding(ByValue):
    """One error or suspicious construct in one file.

    ``message`` is a sentence in the user's words without a full stop; ``span`` is where it is shown, with ``remark``
    beside the carets; ``labels`` are further places that explain it; ``help`` says what to do.
    """

    code: str
    message: str
    source: Source
    span: Span
    remark: str = ""
    labels: tuple[Label, ...] = ()
    help: str = ""
    fix: Fix | None = None

    @property
    def severity(self) -> Severity:
        return CODES[self.code].severity


@define(eq=False, repr=False)
class Findings:
    """The findings of one run over one source.

    Passes go on past the first error: a pass that has reported one returns what it still can, and a later pass does not
    report the same place again.
    """

    source: Source
    found: list[Finding] = field(factory=list)
    _places: set[tuple[str, Span]] = field(factory=set)  # codes and spans of the findings
    _counted: int = 0  # how many of ``found`` are in ``_places``

    def report(
        self,
        code: str,
        span: Span,
        message: str,
        *,
        remark: str = "",
        labels: Iterable[Label] = (),
        help: str = "",
        fix: Fix | None = None,
    ) -> None:
        """Add a finding, unless the same code has been reported for the same span already."""
        if code not in CODES:
            raise KeyError(f"no such finding code: {code}")
        if self._counted != len(self.found):  # others have added or removed some
            self._places = {(known.code, known.span) for known in self.found}
        if (code, span) not in self._places:
            self._places.add((code, span))
            self.found.append(Finding(code, message, self.source, span, remark, tuple(labels), help, fix))
        self._counted = len(self.found)

    @property
    def errors(self) -> tuple[Finding, ...]:
        return tuple(finding for finding in self if finding.severity is Severity.ERROR)

    def __iter__(self) -> Iterator[Finding]:
        """All findings in the order of the text."""
        return iter(sorted(self.found, key=lambda finding: (finding.span.start, finding.span.end)))

    def __len__(self) -> int:
        return len(self.found)


class ZermeloError(Exception):
    """An error with a code of the registry and a message for the user; the base of all exceptions of this project.

    ``zermelo explain CODE`` prints what the code means.
    """

    code: str

    def __init__(self, code: str, message: str, help: str = "") -> None:
        if code not in CODES:
            raise KeyError(f"no such finding code: {code}")
        super().__init__(message)
        self.code = code
        self.message = message
        self.help = help


class InvalidGame(ZermeloError):
    """A file with at least one error. ``findings`` holds all findings."""

    def __init__(self, findings: Findings) -> None:
        first = (findings.errors or tuple(findings))[0]
        more = len(findings.errors) - 1
        tail = f" (and {more} more)" if more > 0 else ""
        super().__init__(first.code, f"{first.source.name}:{first.span.line}: {first.message}{tail}", first.help)
        self.findings = findings
