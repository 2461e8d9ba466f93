"""A mistake that ends the reading of one declaration, on its way to becoming a finding."""

from __future__ import annotations

from attrs import define

from zermelo.grammar.diagnostics import Findings, Fix, Label
from zermelo.grammar.source import Span


@define(eq=False, repr=False)
class Mistake(Exception):
    """The arguments of :meth:`zermelo.grammar.diagnostics.Findings.report`, raised where the reading cannot go on."""

    code: str
    span: Span
    message: str
    remark: str = ""
    labels: tuple[Label, ...] = ()
    help: str = ""
    fix: Fix | None = None

    def report(self, findings: Findings) -> None:
        findings.report(
            self.code,
            self.span,
            self.message,
            remark=self.remark,
            labels=self.labels,
            help=self.help,
            fix=self.fix,
        )
