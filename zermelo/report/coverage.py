"""The coverage of a file: counts beside its lines, and the same as JSON and in the format of lcov.

A line is counted if something of it can be used in a play: a phase, a decision, a move, a statement, a case of a
``match``, a define. Its count is that of its most used part; the count of a case says how often the case was
taken. A condition has two branches, for true and for false; a condition that the rules alone settle has none.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from attrs import field, frozen

from zermelo.grammar.diagnostics import Source
from zermelo.interpreter.analysis import Condition, RulePart
from zermelo.interpreter.model import Variable
from zermelo.interpreter.types import OptionalType, strip_none
from zermelo.interpreter.values import format_value
from zermelo.report.annotations import Record
from zermelo.report.console import PLAIN, Paint, columns_of
from zermelo.report.text import Mark, excerpt
from zermelo.solvers.validation.about_coverage import Coverage

LEGEND: Final = "! no play uses the line    ~ a condition has only been true, or only false"


_FUNCTIONS: Final = ("phase", "action", "define")


@frozen(eq=False)
class Branching:
    """A condition, and how often it held and failed."""

    condition: Condition
    held: int
    failed: int

    @property
    def taken(self) -> int:
        """How many of its two branches were taken."""
        return (self.held > 0) + (self.failed > 0)

    @property
    def remark(self) -> str:
        """What is missing, in words; empty if nothing is, or if it was never asked."""
        if self.taken != 1:
            return ""
        if self.condition.asks == "case":
            return (
                f"always taken: {_times_text(self.held)}"
                if self.held
                else f"never taken: asked {_times_text(self.failed)}"
            )
        return (
            f"always true: {_times_text(self.held)}" if self.held else f"never true: {_times_text(self.failed)} false"
        )


@frozen(eq=False)
class CoveredFile:
    """A file with the counts of its ``lines`` by their number, its conditions in the order of the file, and its phases,
    actions and defines."""

    source: Source
    coverage: Coverage
    lines: dict[int, int] = field(init=False)
    branchings: tuple[Branching, ...] = field(init=False)
    functions: tuple[tuple[RulePart, int], ...] = field(init=False)

    @lines.default
    def _count_lines(self) -> dict[int, int]:
        used = self.coverage.used
        counts: dict[int, int] = {}
        for part in self._parts():
            places = [(case.span.line, case.held) for case in part.conditions if case.asks == "case"]
            if part.kind != "match":  # the test of a case, whose line counts how often the case is taken
                places.append((part.span.line, part.key))
            for line, key in places:
                counts[line] = max(used[key], counts.get(line, 0))
        return dict(sorted(counts.items()))

    @branchings.default
    def _list_conditions(self) -> tuple[Branching, ...]:
        used = self.coverage.used
        found = {
            (condition.span.start, condition.span.end): Branching(
                condition, used[condition.held], used[condition.failed]
            )
            for part in self._parts()
            for condition in part.conditions
            if not condition.is_settled
        }
        return tuple(found[place] for place in sorted(found))

    @functions.default
    def _list_functions(self) -> tuple[tuple[RulePart, int], ...]:
        found = {part.span.start: part for part in self._parts() if part.kind in _FUNCTIONS}
        return tuple((found[start], self.coverage.used[found[start].key]) for start in sorted(found))

    def _parts(self) -> Iterator[RulePart]:
        for whole in self.coverage.parts:
            yield from whole.walk()

    # ------------------------------------------------------------- for people

    @property
    def summary(self) -> list[tuple[str, str]]:
        """The shares that were used, in words."""
        used = sum(count > 0 for count in self.lines.values())
        taken = sum(each.taken for each in self.branchings)
        rows = [
            ("lines", _share_text(used, len(self.lines))),
            ("branches", _share_text(taken, 2 * len(self.branchings))),
        ]
        values = list(self._values())
        if values:
            seen = sum(len(variable_values) - len(missing) for _, variable_values, missing in values)
            rows.append(("values", _share_text(seen, sum(len(variable_values) for _, variable_values, _ in values))))
        return [("counted", self.coverage.extent.said), *rows]

    def listing(self, paint: Paint = PLAIN) -> str:
        """The lines of the file with their counts, and marks where something is unused."""
        source = self.source
        width = len(str(len(source.lines)))
        room = max(5, *(len(f"{count:,}") for count in self.lines.values())) if self.lines else 5
        rows = [paint("strong", f"{'count':>{room + 2}} {'':>{width}} | {source.name}")]
        last = len(source.lines) - (not source.lines[-1])
        for number in range(1, last + 1):
            count = self.lines.get(number)
            marks = [
                Mark(each.condition.span, each.remark, "^", "warning")
                for each in self.branchings
                if each.condition.span.line == number and each.remark
            ]
            sign, role = ("!", "error") if count == 0 else ("~", "warning") if marks else (" ", "faint")
            counted = "" if count is None else f"{count:,}"
            text = excerpt(source, marks, width, paint) if marks else [_plain_line(source, number, width, paint)]
            rows.append(f"{paint(role, f'{sign} {counted:>{room}}')} {text[0]}")
            rows += [f"{'':>{room + 2}} {row}" for row in text[1:]]
        return "\n".join(rows)

    # ------------------------------------------------------------- for programs

    @property
    def record(self) -> Record:
        """The counts, ready for JSON."""
        return {
            "positions": self.coverage.extent.positions,
            "all": self.coverage.extent.is_whole,
            "random_plays": self.coverage.extent.plays,
            "stopped": self.coverage.extent.stopped or None,
            "lines": [{"line": line, "count": count} for line, count in self.lines.items()],
            "conditions": [
                {
                    "line": each.condition.span.line,
                    "column": each.condition.span.column,
                    "text": " ".join(self.source.excerpt(each.condition.span).split()),
                    "held": each.held,
                    "failed": each.failed,
                }
                for each in self.branchings
            ],
            "values": [
                {"variable": variable.name, "of": len(values), "missing": missing}
                for variable, values, missing in self._values()
            ],
        }

    def lcov(self) -> str:
        """A record of lcov's tracefile (https://manpages.debian.org/geninfo): phases, actions and defines are its
        functions, and a condition is a block of two branches, that it holds and that it fails."""
        rows = ["TN:", f"SF:{self.source.name}"]
        rows += [f"FN:{part.span.line},{part.name}" for part, _ in self.functions]
        rows += [f"FNDA:{count},{part.name}" for part, count in self.functions]
        rows += [f"FNF:{len(self.functions)}", f"FNH:{sum(count > 0 for _, count in self.functions)}"]
        for number, each in enumerate(self.branchings):
            is_asked = each.taken > 0
            for branch, taken in enumerate((each.held, each.failed)):
                rows.append(f"BRDA:{each.condition.span.line},{number},{branch},{taken if is_asked else '-'}")
        rows += [f"BRF:{2 * len(self.branchings)}", f"BRH:{sum(each.taken for each in self.branchings)}"]
        rows += [f"DA:{line},{count}" for line, count in self.lines.items()]
        rows += [f"LF:{len(self.lines)}", f"LH:{sum(count > 0 for count in self.lines.values())}"]
        return "\n".join([*rows, "end_of_record", ""])

    def _values(self) -> Iterator[tuple[Variable, list[str], list[str]]]:
        """The variables whose values were noted, with all their values and those that did not occur."""
        for variable, seen in self.coverage.values.items():
            values = list(strip_none(variable.type).generate())
            if isinstance(variable.type, OptionalType):
                values.append(None)
            missing = [value for value in values if value not in seen]
            yield variable, [format_value(value) for value in values], [format_value(value) for value in missing]


def _plain_line(source: Source, number: int, width: int, paint: Paint) -> str:
    text, _ = columns_of(source.line(number)).cut(())
    return f"{paint('gutter', f'{number:>{width}} |')} {paint.code(text)}".rstrip()


def _share_text(part: int, whole: int) -> str:
    return f"{part:,} of {whole:,}" + (f" ({100 * part // whole} %)" if whole else "")


def _times_text(count: int) -> str:
    return "once" if count == 1 else f"{count:,} times"
