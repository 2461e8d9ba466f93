"""Find errors in game files.

A file is checked for its default parameters, and where a parameter has its first or last value: a finding that comes up
only there says so. With -p it is checked for that value alone. A folder stands for all game files in it and below.
Then the first positions are visited, as far as a moment's work allows: an error there is shown with a shortest play.

--fix repairs what leaves no doubt what was meant: a missing colon, a word or sign of another language, = in the place
of == or :=. Other suggestions, such as a name that is like another one, are printed and left to you. A file is replaced
as a whole; --diff prints the changes instead.

With --deep the game is played through instead: all positions that plays can reach, or the first ones and random plays
where they are too many. Each answer says how certain it is: proved, if all positions have been seen, or within how many
it holds. Findings are shown with a shortest play, for `zermelo moves --after`.

--coverage counts how often plays use each line and each side of a condition: every move once in each of the first
positions, and random plays where they are too many. It prints the file with these counts; --coverage-file writes them,
for genhtml and other programs that read the format of lcov, or as JSON.

Exit code 0: there are no errors. 1: there are errors or, with --strict, warnings. 2: a file cannot be read, or the
command line is wrong.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from contextlib import nullcontext
from math import inf
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

from attrs import frozen

from zermelo.commands.options import add_parameters, add_report_format, positive_number, seconds, size
from zermelo.files import apply_fixes, expand_folders, unified_difference, write_file
from zermelo.grammar.diagnostics import Finding, Findings, InvalidGame, Severity, Source, ZermeloError
from zermelo.loading import STANDARD_INPUT, check_source, find, in_the_language, read_file
from zermelo.report.annotations import JunitCase, Outcome, annotation, concise_line, finding_record, junit, sarif
from zermelo.report.console import Paint, json_text, paint_for, print_facts, print_json, print_table, progress
from zermelo.report.text import render_with_plays
from zermelo.version import __version__

if TYPE_CHECKING:
    from zermelo.report.coverage import CoveredFile
    from zermelo.solvers.common.limits import Limits
    from zermelo.testing.mutation import Validation

EXAMPLES = """\
examples:
  zermelo check my_game.game
  zermelo check lectures/ --strict
  zermelo check my_game.game -p size=3
  zermelo check my_game.game --fix
  zermelo check my_game.game --deep --positions 1000000 --time 60
  zermelo check my_game.game --deep --coverage
  zermelo check lectures/ --deep --coverage-file lectures.lcov
  generate_game | zermelo check -
  zermelo check my_game.game --format json     one finding on each line
  zermelo check . --format sarif > findings.sarif
"""

_COVERAGE_ENDINGS = (".lcov", ".info", ".json")

_FORMATS = ("full", "concise", "json", "github", "sarif", "junit")


def configure(parser: ArgumentParser) -> None:
    parser.add_argument(
        "files", metavar="FILE", nargs="+", help="a path, a folder, a bundled game, or - for standard input"
    )
    add_parameters(parser)
    parser.add_argument("--strict", action="store_true", help="exit with 1 if there are warnings, too")
    parser.add_argument("--fix", action="store_true", help="repair what leaves no doubt, and check what is left")
    parser.add_argument("--diff", action="store_true", help="with --fix: print the changes, and write nothing")
    parser.add_argument("--deep", action="store_true", help="search the positions of the game for what they show, too")
    parser.add_argument(
        "--positions",
        metavar="N",
        type=positive_number,
        help="with --deep: search at most so many positions of each game (default: 200,000, or 1,000 where only the "
        "reference machine can)",
    )
    parser.add_argument("--time", metavar="SECONDS", type=seconds, help="with --deep: stop after this time")
    parser.add_argument(
        "--memory", metavar="SIZE", type=size, help="with --deep: the memory for positions (default: a quarter of all)"
    )
    parser.add_argument(
        "--coverage", action="store_true", help="with --deep: print the file with the number of uses of each line"
    )
    parser.add_argument(
        "--coverage-file",
        metavar="FILE",
        type=Path,
        help="with --deep: write these numbers to a file that ends in .lcov, .info or .json",
    )
    parser.set_defaults(begin=perf_counter())
    add_report_format(parser, _FORMATS)


@frozen(eq=False, repr=False)
class _Checked:
    """What has been found in a file, by reading it and, with --deep, by searching its positions."""

    source: Source
    findings: Sequence[Finding]
    validation: Validation | None

    @classmethod
    def read(cls, findings: Findings) -> _Checked:
        return cls(findings.source, tuple(findings), None)

    @property
    def found(self) -> list[Finding]:
        shown = () if self.validation is None else self.validation.replies
        return [*self.findings, *(answer.finding for answer in shown if answer.finding is not None)]


def run(options: Namespace) -> int:
    if not options.deep and (options.positions, options.time, options.memory) != (None, None, None):
        message = "--positions, --time and --memory are for --deep"
        raise ZermeloError("bad-usage", message, "add --deep, or leave them out")
    if not options.deep and (options.coverage or options.coverage_file is not None):
        raise ZermeloError(
            "bad-usage", "--coverage and --coverage-file are for --deep", "add --deep, or leave them out"
        )
    if options.coverage_file is not None and options.coverage_file.suffix.lower() not in _COVERAGE_ENDINGS:
        message = f"{options.coverage_file} does not say which format it should have"
        raise ZermeloError("bad-usage", message, "--coverage-file takes a name that ends in .lcov, .info or .json")
    if options.diff and not options.fix:
        raise ZermeloError("bad-usage", "--diff goes with --fix", "`zermelo fmt --diff` shows changes of layout")
    if options.diff:
        return _show_fixes(options)
    checked, stop = _check_files(expand_folders(options.files), options)
    if options.coverage_file is not None:
        _write_coverage(checked, options.coverage_file)
    match options.format:
        case "full":
            _print(checked, paint_for(sys.stdout), options.coverage)
        case "json":
            for each in checked:
                _print_records(each, options.coverage)
        case "sarif":
            print_json(sarif((finding for each in checked for finding in each.found), __version__))
        case "junit":
            print(junit((each.source.name, _cases(each, options.strict)) for each in checked))
        case name:
            written = concise_line if name == "concise" else annotation
            print("".join(f"{written(finding)}\n" for each in checked for finding in each.found), end="")
    if stop is not None:
        raise stop
    return 1 if any(_is_bad(each.found, options.strict) for each in checked) else 0


def _is_bad(found: Sequence[Finding], is_strict: bool) -> bool:
    return any(is_strict or finding.severity is Severity.ERROR for finding in found)


def _check_files(files: Sequence[str], options: Namespace) -> tuple[list[_Checked], ZermeloError | None]:
    """The findings in the files; if time ran out, those in the files before, and the error that says so."""
    checked: list[_Checked] = []
    is_shown = len(files) > 1 and not options.deep  # a deep check shows its own progress
    with progress("checking", "files", len(files)) if is_shown else nullcontext() as report:
        for file in files:
            try:
                checked.append(_check_deep(file, options) if options.deep else _Checked.read(_findings(file, options)))
            except ZermeloError as stop:
                if stop.code != "out-of-time" or not checked:
                    raise
                return checked, stop
            if report is not None:
                report(len(checked))
    return checked, None


def _check_deep(file: str, options: Namespace) -> _Checked:
    from zermelo.testing.checking import check_deeply

    limits = _limits(options)
    try:
        with limits.enforce():
            source = in_the_language(_source(file, options))[0]
    except InvalidGame as refused:
        return _Checked.read(refused.findings)
    is_counted = options.coverage or options.coverage_file is not None
    parameters = dict(options.parameters)
    found = check_deeply(file, source, parameters, options.positions, is_counted, limits, progress)
    return _Checked(source, found.findings, found.validation)


def _findings(file: str, options: Namespace) -> Findings:
    """What reading a file finds, after its fixes."""
    try:
        return check_source(_source(file, options), dict(options.parameters))
    except InvalidGame as refused:
        return refused.findings


def _source(file: str, options: Namespace) -> Source:
    """The text of a file, after its fixes. Raises ``InvalidGame`` if it is no text."""
    source = read_file(*find(file))
    return _fix(file, source) if options.fix else source


def _fix(file: str, source: Source) -> Source:
    """The source with its safe fixes, which are written to its file."""
    mended, count = apply_fixes(source)
    if count and (file == STANDARD_INPUT or not Path(file).is_file()):
        raise ZermeloError("bad-usage", "only files can be fixed", "--fix --diff prints what would change")
    if count:
        write_file(Path(file), mended.text.encode())
        print(f"{source.name}: {count} fixed", file=sys.stderr)
    return mended


def _show_fixes(options: Namespace) -> int:
    total = 0
    for file in expand_folders(options.files):
        source = read_file(*find(file))
        mended, count = apply_fixes(source)
        print(unified_difference(source, mended.text, paint_for(sys.stdout)), end="")
        total += count
    return 1 if total else 0


# Few checks are deep, and reading a file needs nothing of solvers: what only these need is imported here.


def _limits(options: Namespace) -> Limits:
    from zermelo.solvers.common.limits import Limits, quarter_of_memory

    time = inf if options.time is None else options.time
    return Limits(time, options.memory or quarter_of_memory(), options.begin)


def _print(checked: Sequence[_Checked], paint: Paint, with_coverage: bool) -> None:
    for each in checked:
        plays = {} if each.validation is None else {answer.finding: answer.play for answer in each.validation.replies}
        pairs = [(finding, plays.get(finding)) for finding in each.found]
        if pairs:
            print(render_with_plays(pairs, paint))
        else:
            print(f"{each.source.name}: {paint('good', 'no findings')}")
        if each.validation is not None:
            _print_answers(each.validation)
        if with_coverage and (covered := _covered_file(each)) is not None:
            _print_coverage(covered, paint)
        if each is not checked[-1] and (pairs or each.validation is not None):
            print()


def _print_answers(validation: Validation) -> None:
    print()
    print_facts([("searched", validation.extent.said)])
    print()
    rows = [(answer.question, answer.answer, answer.how) for answer in validation.replies]
    print_table(("question", "answer", "certainty"), rows)


def _print_coverage(covered: CoveredFile, paint: Paint) -> None:
    from zermelo.report.coverage import LEGEND

    print()
    print(covered.listing(paint))
    print()
    print(paint("faint", LEGEND))
    print()
    print_facts(covered.summary)


def _covered_file(checked: _Checked) -> CoveredFile | None:
    """The counts of a file; None if there are none."""
    from zermelo.report.coverage import CoveredFile

    coverage = None if checked.validation is None else checked.validation.coverage
    return None if coverage is None else CoveredFile(checked.source, coverage)


def _write_coverage(checked: Sequence[_Checked], path: Path) -> None:
    """The counts of all files that have some, in the format of the file's ending."""
    covered = [each for each in map(_covered_file, checked) if each is not None]
    if path.suffix.lower() == ".json":
        records = [{"file": each.source.name, **each.record} for each in covered]
        write_file(path, f"{json_text(records, indent=2)}\n".encode())
    else:
        write_file(path, "".join(each.lcov() for each in covered).encode())


def _print_records(checked: _Checked, with_coverage: bool) -> None:
    """One finding on each line; then, with --deep, a line for the file."""
    for finding in checked.findings:
        print(json_text(finding_record(finding)))
    if checked.validation is not None:
        for record in checked.validation.found:
            print(json_text(record))
        covered = _covered_file(checked) if with_coverage else None
        counts = {} if covered is None else {"coverage": covered.record}
        print(json_text({"file": checked.source.name, **checked.validation.record, **counts}))


def _cases(checked: _Checked, is_strict: bool) -> list[JunitCase]:
    """A case for each finding, or one for a file without any; a warning is skipped unless it counts."""

    def case(found: Finding) -> JunitCase:
        outcome: Outcome = "failure" if _is_bad([found], is_strict) else "skipped"
        name = f"{found.code} at {found.span.line}:{found.span.column}"
        return JunitCase(name, outcome, found.message, found.span.line)

    return [case(found) for found in checked.found] or [JunitCase("no findings", "passed")]
