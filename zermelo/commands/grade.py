"""Hold the files of a folder against a model solution: findings, the first difference, value, claims, for each.

All .game files in the folder and below are graded, each in a process of its own and within --time, so that whatever is
wrong with one stops no other. A file is right if it is proved to be the model's game, as `zermelo diff` proves it, and
none of its own claims, expectations and tests fails; wrong if it is another game, or one of these lines fails; broken
if it is no game; and open if a limit came first. Below the table stands for each that is not right what is known of it.

-o writes the grades to a file: .csv or .parquet, a row for each file, or .xml, JUnit for continuous integration; it may
be repeated. The exit code is 0 if all files are right, and 1 otherwise. Ctrl-C ends the grading, and prints the grades
that are done.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import Final

from zermelo.commands.game_options import add_jobs, add_machine, add_memory
from zermelo.commands.options import add_format, add_parameters, seconds
from zermelo.interrupts import FOUND, INTERRUPTED
from zermelo.loading import load_any
from zermelo.numbers import count_in_words, with_parameters
from zermelo.questions import grade
from zermelo.report.console import (
    Paint,
    clean,
    paint_for,
    print_heading,
    print_json,
    print_remark,
    print_table,
    progress,
)
from zermelo.solvers.common.limits import quarter_of_memory
from zermelo.testing.differing import rows_of, said_of
from zermelo.testing.expectations import Status
from zermelo.testing.grading import ENDING, SECONDS, GradedFile, Grades, Verdict, check_savable

EXAMPLES = """\
examples:
  zermelo grade nim handed_in/
  zermelo grade model.game handed_in/ -p size=3 --time 20 -o grades.csv
  zermelo grade model.game handed_in/ -o grades.xml
  zermelo grade model.game handed_in/ --json
"""

_ROLES: Final = {Verdict.RIGHT: "good", Verdict.WRONG: "error", Verdict.BROKEN: "error", Verdict.OPEN: "warning"}

_NAMED: Final = 3
"""So many errors of a file, and so many files that are not graded, are named."""


def configure(parser: ArgumentParser) -> None:
    parser.add_argument("model", metavar="MODEL", help="the solution: a path, or the name of a bundled game")
    parser.add_argument("folder", metavar="FOLDER", type=Path, help="the folder with the files that are graded")
    add_parameters(parser)
    parser.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        type=Path,
        action="append",
        default=[],
        help="write the grades to a file: .csv, .parquet, or .xml for JUnit; may be repeated",
    )
    parser.add_argument(
        "--time",
        metavar="SECONDS",
        type=seconds,
        help=f"how long each file may take (default: {SECONDS:g})",
    )
    add_memory(parser)
    add_machine(parser)
    add_jobs(parser)
    add_format(parser)


def run(options: Namespace) -> int:
    for path in options.output:
        check_savable(path)
    given = dict(options.parameters)
    found = grade(
        load_any(options.model, given).on(options.machine),
        options.folder,
        parameters=given or None,
        jobs=options.jobs,
        time=options.time,
        memory=None if options.memory == quarter_of_memory() else options.memory,
        watch=progress,
    )
    for path in options.output:
        found.save(path)
    if options.format == "json":
        print_json(found.record())
    else:
        _print(found)
    if found.stopped:
        return INTERRUPTED
    return 0 if found.count(Verdict.RIGHT) == len(found.files) else FOUND


def _print(found: Grades) -> None:
    model = with_parameters(found.model.name, found.model)
    paint = paint_for(sys.stdout)
    print_table(("file", "verdict", "findings", "lines", "value", "time"), list(map(_cells, found.files)))
    for each in found.files:
        if each.verdict is not Verdict.RIGHT:
            print()
            _print_file(each, model, paint)
    print()
    counts = [f"{found.count(verdict)} {verdict.value}" for verdict in Verdict if found.count(verdict)]
    print_remark(f"{count_in_words(len(found.files), 'file')}: {', '.join(counts)}.")
    if found.stopped:
        print_remark(f"It was stopped {found.stopped}. Not graded: {_some(found.missing)}.")
    if found.others:
        print_remark(f"Not graded, since their names do not end in {ENDING}: {_some(found.others)}.")


def _cells(each: GradedFile) -> tuple[str, ...]:
    lines = f"{each.count(Status.PASSED)} of {len(each.results)} hold" if each.results else ""
    findings = count_in_words(len(each.findings), "finding") if each.findings else ""
    return each.name, each.verdict.value, findings, lines, each.value_text or each.refusal, f"{each.seconds:.2f} s"


def _print_file(each: GradedFile, model: str, paint: Paint) -> None:
    """What is known of a file: its errors, where it differs, the lines that fail, and what stopped it."""
    print_heading(each.name, f"  {each.verdict.value}", role=_ROLES[each.verdict])
    for error in each.errors[:_NAMED]:
        place = f"{error['line']}:{error['column']}: " if "line" in error else ""
        print_remark(clean(f"{place}error[{error['code']}] {error['message']}"))
    if each.difference is not None:
        print_remark(said_of(each.difference))
        print_table(("", model, each.name), rows_of(each.difference))
    for result in each.results:
        if result.status is Status.FAILED:
            reason = f" ({result.reason})" if result.reason else ""
            print_remark(clean(f"{result.span.line}:{result.span.column}: failed: {result.title}{reason}"))
    if each.stopped:
        is_compared = each.is_game and each.same is None
        alike = f" All plays of at most {each.length} moves and outcomes are the same." if is_compared else ""
        print_remark(f"It was stopped {each.stopped}.{alike}")


def _some(names: tuple[str, ...]) -> str:
    """The first names, and how many others there are."""
    more = len(names) - _NAMED
    return ", ".join(names[:_NAMED]) + (f" and {count_in_words(more, 'other')}" if more > 0 else "")
