"""Findings and errors as text for a person."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby, pairwise

from attrs import evolve, frozen

from zermelo.foundation.records import ByValue
from zermelo.grammar.diagnostics import Finding, Fix, InvalidGame, Severity, Source, Span, ZermeloError
from zermelo.interpreter.machine import Move, PlayError, display_text
from zermelo.report.console import LINE_WIDTH, PLAIN, Columns, Paint, clean, columns_of

# Lines of a source with marks under them, as rustc and Elm show them.
#
# ::
#
#      3 | players Alice, Bob
#        |         ----- declared here
#     ...
#      7 |     turn Aliec:
#        |          ^^^^^ did you mean 'Alice'?
#
# The text of the rightmost mark of a line is beside it; the texts of the others hang below. The first mark may cover
# several lines, which then have a rail on their left; other marks of several lines show where they begin.


WHOLE = 5
"""A mark of more lines than this shows its first ones and its last."""


@frozen(eq=False, repr=False)
class Mark(ByValue):
    """Points at ``span``; ``sign`` is the character of its underline, and ``role`` its colour."""

    span: Span
    text: str = ""
    sign: str = "^"
    role: str = "error"


@frozen(eq=False, repr=False)
class _Place(ByValue):
    """A mark on one line, in columns of the terminal from 0; ``end`` is exclusive and beyond ``start``."""

    start: int
    end: int
    mark: Mark


def gutter_width(source: Source, spans: Iterable[Span]) -> int:
    """The width of the line numbers."""
    return max(len(str(_trim_span(source, span).end_line)) for span in spans)


def excerpt_of_mark(source: Source, mark: Mark, paint: Paint = PLAIN) -> str:
    """The place of a mark, and the lines that it points at."""
    width = gutter_width(source, [mark.span])
    place = f"{'':>{width}}{paint('gutter', '-->')} {source.name}:{mark.span.line}:{mark.span.column}"
    return "\n".join([place, blank(width, paint), *excerpt(source, [mark], width, paint)])


def excerpt(source: Source, marks: Sequence[Mark], width: int, paint: Paint) -> list[str]:
    """The lines that the marks point at; ``marks[0]`` is the main one, ``width`` is that of the line numbers."""
    main = evolve(marks[0], span=_trim_span(source, marks[0].span))
    rail = range(main.span.line, main.span.end_line + 1) if main.span.end_line > main.span.line else range(0)
    pointed = [_first_line(source, mark) for mark in (marks[1:] if rail else (main, *marks[1:]))]
    sheet = _Sheet(source, width, paint, main, rail, pointed)
    numbers = sorted({*sheet.rail_shown, *(mark.span.line for mark in pointed)})
    rows = sheet.line(numbers[0])
    for before, number in pairwise(numbers):
        if number == before + 2:
            rows += sheet.line(number - 1)
        elif number > before + 2:
            rows.append(paint("gutter", "..."))
        rows += sheet.line(number)
    return rows


def blank(width: int, paint: Paint) -> str:
    """An empty row of the gutter."""
    return _row(width, "", "", paint)


def _row(width: int, number: str, text: str, paint: Paint) -> str:
    return f"{paint('gutter', f'{number:>{width}} |')} {text}".rstrip()


@frozen(eq=False, repr=False)
class _Sheet(ByValue):
    """The data shared by the lines of an excerpt. ``rail`` are the lines of a main mark of several lines, else empty;
    ``pointed`` are the marks on a single line."""

    source: Source
    width: int
    paint: Paint
    main: Mark
    rail: range
    pointed: Sequence[Mark]

    @property
    def rail_shown(self) -> tuple[int, ...]:
        return tuple(self.rail) if len(self.rail) <= WHOLE else (*self.rail[: WHOLE - 2], self.rail[-1])

    def line(self, number: int) -> list[str]:
        """A line and the rows under it."""
        line = columns_of(self.source.line(number))
        places = [_place(line, mark) for mark in self.pointed if mark.span.line == number]
        text, left = line.cut(place.start for place in places)
        rows = [_row(self.width, str(number), self.beside(number) + self.paint.code(text), self.paint)]
        if self.rail and number == self.rail[-1]:
            end = max(1, min(line.start(self.main.span.end_column) - left, LINE_WIDTH))
            foot = f"|{'_' * end}{self.main.sign} {self.main.text}".rstrip()
            rows.append(_row(self.width, "", self.paint(self.main.role, foot), self.paint))
        for row in _below([_shift_place(place, left) for place in places], self.paint):
            rows.append(_row(self.width, "", self.below(number) + row, self.paint))
        return rows

    def beside(self, number: int) -> str:
        """The rail on the left of a line."""
        if number not in self.rail:
            return "  " if self.rail else ""
        return self.paint(self.main.role, "/ " if number == self.rail[0] else "| ")

    def below(self, number: int) -> str:
        """The rail on the left of the rows under a line."""
        return self.paint(self.main.role, "| ") if number in self.rail[:-1] else "  " if self.rail else ""


def _trim_span(source: Source, span: Span) -> Span:
    """The span without trailing line ends and blanks."""
    while span.end_line > span.line and not source.line(span.end_line)[: span.end_column - 1].strip():
        last = span.end_line - 1
        span = evolve(span, end_line=last, end_column=len(source.line(last)) + 1)
    return span


def _first_line(source: Source, mark: Mark) -> Mark:
    span = mark.span
    if span.end_line == span.line:
        return mark
    return evolve(mark, span=evolve(span, end_line=span.line, end_column=len(source.line(span.line)) + 1))


def _place(line: Columns, mark: Mark) -> _Place:
    start = line.start(mark.span.column)
    return _Place(start, max(line.start(mark.span.end_column), start + 1), mark)


def _shift_place(place: _Place, left: int) -> _Place:
    """The place on a line without its first ``left`` columns, moved to the edge if it was cut off."""
    start = min(place.start - left, LINE_WIDTH)
    return _Place(start, max(min(place.end - left, LINE_WIDTH), start + 1), place.mark)


def _below(places: Sequence[_Place], paint: Paint) -> list[str]:
    """The rows under a line: the underlines with the text of the last mark, then the texts of the others."""
    if not places:
        return []
    places = sorted(places, key=lambda place: place.start)
    last = places[-1]
    is_beside = all(place.end <= last.end for place in places)
    hanging = [place for place in places if place.mark.text and not (is_beside and place is last)]
    row = _underlines(places, paint)
    if is_beside and last.mark.text:
        row += " " + paint(last.mark.role, last.mark.text)
    rows = [row]
    if hanging:
        rows.append(_bars(hanging, paint))
    while hanging:
        place = hanging.pop()
        left = [other for other in hanging if other.start < place.start]
        gap = place.start - max((other.start + 1 for other in left), default=0)
        rows.append(_bars(left, paint) + " " * gap + paint(place.mark.role, place.mark.text))
    return rows


def _underlines(places: Sequence[_Place], paint: Paint) -> str:
    owners: dict[int, Mark] = {}
    for place in sorted(places, key=lambda place: place.mark.sign == "^"):  # the main mark lies on top
        owners |= dict.fromkeys(range(place.start, place.end), place.mark)
    row = ""
    for owner, run in groupby(range(max(owners) + 1), owners.get):
        length = len(list(run))
        row += " " * length if owner is None else paint(owner.role, owner.sign * length)
    return row


def _bars(places: Sequence[_Place], paint: Paint) -> str:
    row, column = "", 0
    for place in places:
        if place.start >= column:
            row += " " * (place.start - column) + paint(place.mark.role, "|")
            column = place.start + 1
    return row


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
        moves = ", ".join(map(display_text, play)) or "at the beginning"
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
    """The same for findings of which some came up during play, with the plays that led to them."""
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
