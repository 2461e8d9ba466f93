"""Findings and errors for a person or a program: one renderer for each output format."""

from __future__ import annotations

from collections.abc import Iterable

from zermelo.grammar.diagnostics import Finding, ZermeloError
from zermelo.report.console import PLAIN, Paint


def render(wrong: Finding | Iterable[Finding] | ZermeloError, paint: Paint = PLAIN) -> str:
    """A finding, all findings of a file, or an error, as the command line prints it; by default without colours.

    >>> import zermelo
    >>> print(zermelo.render(zermelo.check('game "Nobody"')))  # doctest: +ELLIPSIS
    error[missing-declaration]: ...
    """
    from zermelo.report.text import render_error, render_finding, render_findings

    if isinstance(wrong, Finding):
        return render_finding(wrong, paint)
    return render_error(wrong, paint) if isinstance(wrong, ZermeloError) else render_findings(wrong, paint)
