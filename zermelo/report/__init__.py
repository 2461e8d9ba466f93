"""Findings and errors, as a person or a program wants to read them: one renderer for each output format."""

from __future__ import annotations

from grammar.diagnostics import Finding, Findings, ZermeloError


def render(wrong: Finding | Findings | ZermeloError) -> str:
    """A finding, all findings of a file, or an error, as the command line prints it, without colours.

    >>> import zermelo
    >>> print(zermelo.render(zermelo.check('game "Nobody"')))  # doctest: +ELLIPSIS
    error[missing-declaration]: ...
    """
    from zermelo.report.text import render_error, render_finding, render_findings

    if isinstance(wrong, Finding):
        return render_finding(wrong)
    return render_error(wrong) if isinstance(wrong, ZermeloError) else render_findings(wrong)
