"""Test game files: their claims, their 'reachable', 'never' and 'expect' lines and their 'test' blocks.

A folder stands for all game files in it and below; several files are tested at once, each in a process of its own. In
their lines . is a line that passed, F one that failed, s one that was skipped, and o one that stays open.

A failure is shown with its place in the file; the exit code is then 1. A line that cannot be run is skipped, with the
reason, and counts as a failure with --strict. A claim, a 'reachable' or a 'never' that is neither proved nor refuted is
open. Where the rules do not decide a claim, and for 'reachable' and 'never', the first positions are visited; with
--time or --memory as many as these allow. --time is for each line anew, and for the reading of a file. All hold for the
default parameters, but for lines that name others after 'with'.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from pathlib import Path

from zermelo.commands.game_options import add_jobs, add_limits, add_machine, limits_of
from zermelo.commands.options import add_report_format
from zermelo.files import expand_folders
from zermelo.game import Game
from zermelo.grammar.diagnostics import Source
from zermelo.loading import load_any
from zermelo.questions import test
from zermelo.report.annotations import JunitCase, Level, junit, workflow_command
from zermelo.report.console import Paint, Watch, json_text, paint_for, print_json, progress, unwatched
from zermelo.report.text import Mark, excerpt_of_mark
from zermelo.solvers.common.limits import Limits, quarter_of_memory
from zermelo.testing.expectations import Result, Status
from zermelo.testing.suites import Tested, TestedGame, case_of, run_suites, tested

EXAMPLES = """\
examples:
  zermelo test my_game.game
  zermelo test lectures/ exercises/ -j 4
  zermelo test tic_tac_toe --json
  zermelo test my_game.game --memory 2G
  zermelo test lectures/ --format junit > results.xml
"""

_FORMATS = ("full", "concise", "json", "github", "junit")
_ROLES = {Status.PASSED: "good", Status.FAILED: "error", Status.SKIPPED: "warning", Status.OPEN: "warning"}
_LETTERS = {Status.PASSED: ".", Status.FAILED: "F", Status.SKIPPED: "s", Status.OPEN: "o"}


def configure(parser: ArgumentParser) -> None:
    parser.add_argument(
        "games", metavar="GAME", nargs="+", help="a path, a folder, the name of a bundled game, or - for standard input"
    )
    add_machine(parser)
    add_jobs(parser)
    parser.add_argument("--strict", action="store_true", help="exit with 1 if a line is skipped, too")
    add_limits(parser, is_for_all=False)
    add_report_format(parser, _FORMATS)


def run(options: Namespace) -> int:
    names = expand_folders(options.games)
    is_single = names == options.games and len(names) == 1
    suites = [_test_file(names[0], options)] if is_single else _test_files(names, options)
    match options.format:
        case "json" if is_single:
            print_json(_record(suites[0]))
        case "json":
            for suite in suites:
                print(json_text(_record(suite)))
        case "junit":
            print(junit((suite.name, _cases(suite)) for suite in suites))
        case "github":
            _print_annotations(suites)
        case "concise":
            _print_concisely(suites)
        case _ if is_single:
            _print(suites[0], paint_for(sys.stdout))
    return 1 if any(suite.is_bad(options.strict) for suite in suites) else 0


def _test_file(name: str, options: Namespace) -> Tested:
    """The results for a file, in this process; raises ``ZermeloError`` if it cannot be tested."""
    limits = limits_of(options)
    with limits.enforce():
        game = load_any(name, {}).on(options.machine)
    return tested(name, _test(game, limits, progress))


def _test(game: Game, limits: Limits, watch: Watch = unwatched) -> TestedGame:
    memory = None if limits.memory == quarter_of_memory() else limits.memory
    return test(game, time=limits.seconds, memory=memory, watch=watch)


def _test_files(names: Sequence[str], options: Namespace) -> list[Tested]:
    """The results for files; a line for each as it comes, then what is bad."""
    paint = paint_for(sys.stdout)
    suites: list[Tested] = []
    is_full = options.format == "full"
    width = max(len(name) for name in names)
    for suite in run_suites(names, _test, options.machine, limits_of(options), options.jobs, paint):
        suites.append(suite)
        if is_full:
            letters = "".join(paint(_ROLES[each.status], _LETTERS[each.status]) for each in suite.results)
            print(f"{suite.name:<{width}}  {paint('error', 'E') if suite.said else letters or '(nothing to test)'}")
            sys.stdout.flush()
    if is_full:
        for suite in suites:
            bad = [each for each in suite.results if each.is_bad]
            texts = [_line(suite.source, result, paint) for result in bad] + [suite.said] * bool(suite.said)
            print("".join(f"\n{text}\n" for text in texts), end="")
        files = f"{len(suites)} files" if len(suites) > 1 else "1 file"
        print(f"\n{files}: {_counts(suites, paint)}.")
    return suites


def _line(source: Source, result: Result, paint: Paint) -> str:
    status = result.status
    line = f"{paint(_ROLES[status], f'{status.value:<9}')}{result.title}"
    if status is Status.PASSED:
        return line if result.play is None else f"{line} ({result.reason})"
    if status is Status.OPEN:
        return f"{line} ({result.reason})"
    return f"{line}\n{excerpt_of_mark(source, Mark(result.span, result.reason), paint)}"


def _print(suite: Tested, paint: Paint) -> None:
    if not suite.results:
        print("There is nothing to test: the file has no claim, no 'reachable', 'never' or 'expect', and no 'test'.")
        return
    for result in suite.results:
        print(_line(suite.source, result, paint))
    print(f"\n{_counts([suite], paint)}.")


def _counts(suites: Sequence[Tested], paint: Paint) -> str:
    counts = {status: sum(suite.count(status) for suite in suites) for status in Status}
    parts = [paint(_ROLES[status], f"{counts[status]} {status.value}") for status in Status if counts[status]]
    wrong = sum(bool(suite.said) for suite in suites)
    if wrong:
        parts.append(paint("error", f"{wrong} with errors"))
    return ", ".join(parts) or "nothing to test"


def _print_concisely(suites: Sequence[Tested]) -> None:
    for suite in suites:
        for result in suite.results:
            place = f"{suite.source.name}:{result.span.line}:{result.span.column}"
            reason = f" ({result.reason})" if result.reason else ""
            print(f"{place}: {result.status.value}: {result.title}{reason}")
        for error in suite.errors:
            print(f"{suite.name}:{error.get('line', 1)}: error[{error['code']}] {error['message']}")


def _print_annotations(suites: Sequence[Tested]) -> None:
    for suite in suites:
        for result in suite.results:
            if result.is_bad:
                level: Level = "error" if result.status is Status.FAILED else "warning"
                print(workflow_command(level, suite.source, result.span, result.title, result.reason))
        if suite.said:
            print(f"::error file={Path(suite.name).as_posix()}::{suite.said.splitlines()[0]}")


def _cases(suite: Tested) -> list[JunitCase]:
    cases = [case_of(result) for result in suite.results]
    return cases if not suite.said else [*cases, JunitCase("can be tested", "error", suite.said)]


def _record(suite: Tested) -> dict[str, object]:
    results = [result.record() for result in suite.results]
    return {**suite.heading, "results": results, **({"errors": suite.errors} if suite.said else {})}
