"""Findings and errors as text for a person."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from zermelo.grammar.codes import Severity
from zermelo.grammar.diagnostics import Finding, Fix, InvalidGame, ZermeloError
from zermelo.grammar.source import Source, Span
from zermelo.interpreter.machine import Move, PlayError, shown
from zermelo.report.columns import clean
from zermelo.report.excerpt import Mark, blank, excerpt, gutter_width
from zermelo.report.paint import PLAIN, Paint


def render_finding(finding: Finding, paint: Paint = PLAIN, play: Sequence[Move] | None = None) -> str:
    """One finding, without a line end; ``play`` led to it, if it came up during play."""
    role = finding.severity.value
    rows = [_header(role, finding.code, finding.message, paint)]
    source, span = finding.source, finding.span
    width = gutter_width(source, (span, *(label.span for label in finding.labels)))
    if not source.text:
        rows.append(f"{'':>{width}}{paint('gutter', '-->')} {clean(source.name)}")
    else:
        rows.append(f"{'':>{width}}{paint('gutter', '-->')} {clean(source.name)}:{span.line}:{span.column}")
        marks = [Mark(span, finding.remark, "^", role)]
        marks += [Mark(label.span, label.text, "-", "note") for label in finding.labels]
        rows += [blank(width, paint), *excerpt(source, marks, width, paint), blank(width, paint)]
    if play is not None:
        moves = ", ".join(map(shown, play)) or "at the beginning"
        rows.append(_note(width, "play", moves, paint))
    if finding.help:
        rows.append(_note(width, "help", finding.help, paint))
    if finding.fix is not None:
        rows += _fix(source, finding.fix, width, paint)
    while rows[-1] == blank(width, paint):
        rows.pop()
    return "\n".join(rows)


def render_error(error: ZermeloError, paint: Paint = PLAIN) -> str:
    """An error, without a line end; for a game file all its findings."""
    if isinstance(error, InvalidGame):
        return render_findings(error.findings, paint)
    if isinstance(error, PlayError):
        return render_finding(error.finding, paint, error.play)
    rows = [_header("error", error.code, error.message, paint)]
    if error.help:
        rows.append(_note(1, "help", error.help, paint))
    return "\n".join(rows)


def render_findings(findings: Iterable[Finding], paint: Paint = PLAIN) -> str:
    """All findings of one source and a line that counts them; empty if there are none."""
    return render_with_plays([(finding, None) for finding in findings], paint)


def render_with_plays(pairs: Sequence[tuple[Finding, Sequence[Move] | None]], paint: Paint = PLAIN) -> str:
    """The same of findings some of which came up during play, with the plays that led to them."""
    found = [finding for finding, _ in pairs]
    if not found:
        return ""
    codes = dict.fromkeys(finding.code for finding in found)
    counted = f"{summary(found)} in {clean(found[0].source.name)}"
    more = f"`zermelo explain {next(iter(codes))}` says more" + (" about this code." if len(codes) == 1 else ".")
    shown = (render_finding(finding, paint, play) for finding, play in pairs)
    return "\n\n".join([*shown, f"{paint('strong', counted)}. {more}"])


def summary(findings: Sequence[Finding]) -> str:
    """The numbers of findings: ``2 errors and 1 warning``."""
    errors = sum(finding.severity is Severity.ERROR for finding in findings)
    counts = [(errors, "error"), (len(findings) - errors, "warning")]
    return " and ".join(f"{count} {what}{'s' if count > 1 else ''}" for count, what in counts if count) or "no findings"


def _header(role: str, code: str, message: str, paint: Paint) -> str:
    return f"{paint(role, f'{role}[{code}]')}{paint('strong', f': {clean(message)}')}"


def _note(width: int, word: str, text: str, paint: Paint) -> str:
    """A note below the excerpt; its further lines are aligned with the first."""
    lines = clean(text).split("\n")
    rest = "".join(f"\n{'':>{width + 5 + len(word)}}{line}" for line in lines[1:])
    return f"{'':>{width}} {paint('gutter', '=')} {paint('strong', word)}: {lines[0]}{rest}"


def _fix(source: Source, fix: Fix, width: int, paint: Paint) -> list[str]:
    """The changed lines, with the new text marked."""
    rows = [_note(width, "fix", fix.title or "change this", paint)]
    span, new = fix.span, fix.replacement
    changed = Source(source.name, source.text[: span.start] + new + source.text[span.end :])
    lines = new.split("\n")
    last_column = len(lines[-1]) + (span.column if len(lines) == 1 else 1)
    written = Span(span.start, span.start + len(new), span.line, span.column, span.line + len(lines) - 1, last_column)
    if not changed.line(span.line).strip():
        return rows
    sign = "+" if span.start == span.end else "~"
    shown = excerpt(changed, [Mark(written, "", sign, "good")], width, paint)
    return [*rows, blank(width, paint), *(shown if new else shown[:1])]
