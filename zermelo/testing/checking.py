"""What is found in a file: by reading it, and by searching its positions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from attrs import field, frozen

from zermelo.grammar.diagnostics import Finding, Severity, Source
from zermelo.interpreter.check import check_at_extremes
from zermelo.loading import Parameter, build, check_source
from zermelo.numbers import count_in_words
from zermelo.report.annotations import FINDING, finding_record
from zermelo.results import UNASKED, GameRows, Provenance
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.validation.first_positions import drop_suspicion
from zermelo.testing.mutation import Validation, validate

if TYPE_CHECKING:
    from zermelo.report.console import Watch
    from zermelo.solvers.validation.shortest_plays import Reply


def _figures(validation: Validation | None) -> Any:
    """By which validations are compared."""
    return None if validation is None else (validation.record, validation.found)


@frozen(repr=False)
class CheckedFile(GameRows):
    """What :func:`zermelo.check` finds: the ``findings`` of reading the text, in its order; and a ``validation``, what
    the positions show, None unless that was asked for. It goes through, and counts, the findings of both."""

    source: Source = field(eq=False)
    findings: tuple[Finding, ...]
    validation: Validation | None = field(eq=_figures)
    provenance: Provenance = UNASKED

    @property
    def found(self) -> tuple[Finding, ...]:
        """All findings."""
        return (*self.findings, *(answer.finding for answer in self.answers if answer.finding is not None))

    def __iter__(self) -> Iterator[Finding]:
        return iter(self.found)

    def __len__(self) -> int:
        return len(self.found)

    @property
    def errors(self) -> tuple[Finding, ...]:
        """The findings that keep the file from being a game."""
        return tuple(finding for finding in self if finding.severity is Severity.ERROR)

    @property
    def answers(self) -> tuple[Reply, ...]:
        """What the positions say to each question; empty unless that was asked for."""
        return () if self.validation is None else self.validation.replies

    def __repr__(self) -> str:
        return f"<'{self.source.name}': {count_in_words(len(self), 'finding') if self.found else 'no findings'}>"

    @property
    def columns(self) -> tuple[str, ...]:
        return FINDING

    def rows(self) -> list[dict[str, Any]]:
        """A row for each finding."""
        return [finding_record(finding) for finding in self]

    def record(self) -> dict[str, Any]:
        """What ``zermelo check --json`` prints in several lines."""
        searched = {} if self.validation is None else self.validation.record
        return {
            "file": self.source.name,
            "provenance": self.provenance.record(),
            "findings": self.rows(),
            **searched,
        }


def check_file(source: Source, parameters: Mapping[str, Parameter]) -> CheckedFile:
    """What reading a source finds. Raises ``ZermeloError`` (``unknown-parameter``)."""
    return CheckedFile(source, tuple(check_source(source, parameters)), None)


def check_deeply(
    name: str,
    source: Source,
    parameters: Mapping[str, Parameter],
    positions: int | None,
    coverage: bool,
    limits: Limits,
    watch: Watch,
) -> CheckedFile:
    """What reading a source finds, and, if there are no errors, what the positions of its game show, too. Raises
    ``ZermeloError``: ``unknown-parameter``, ``out-of-time``."""
    with watch(f"searching {source.name}", "positions", None) as report:
        with limits.enforce():
            findings = check_at_extremes(source, parameters)[1]
            if findings.errors:
                return CheckedFile(source, tuple(findings), None)
            game = build(name, source, parameters)
        validation = validate(game, positions, limits, report, coverage)
    for answer in validation.replies:
        if answer.finding is not None:
            drop_suspicion(findings, answer.finding)
    return CheckedFile(source, tuple(findings), validation)
