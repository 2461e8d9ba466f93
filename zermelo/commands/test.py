"""Test a game file: its claims, its 'expect' lines and its 'test' blocks.

A failure, or a line that cannot be tested, is shown with its place in the file; the exit code is then 1. A claim that
is neither proved nor refuted is open, which is not a failure. Expectations hold for the default parameters, unless they
name others after 'with'.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections import Counter

from zermelo.commands.options import add_format, add_machine
from zermelo.console import print_json, progress
from zermelo.expectations import Result, Status, run_expectations
from zermelo.game import Game
from zermelo.loading import load_any
from zermelo.plain_results import header
from zermelo.report.excerpt import Mark, blank, excerpt, gutter_width
from zermelo.report.paint import Paint, paint_for

EXAMPLES = """\
examples:
  zermelo test my_game.game
  zermelo test tic_tac_toe --json
"""

_ROLES = {Status.PASSED: "good", Status.FAILED: "error", Status.NOT_RUN: "error", Status.OPEN: "warning"}


def configure(parser: ArgumentParser) -> None:
    parser.add_argument("game", metavar="GAME", help="a path, or the name of a bundled game; - is standard input")
    add_machine(parser)
    add_format(parser)


def run(options: Namespace) -> int:
    game = load_any(options.game, {}).on(options.machine)
    with progress("running", "positions") as report:
        results = list(run_expectations(game, report))
    if options.format == "json":
        print_json({**header(game), "results": [_record(game, result) for result in results]})
    else:
        _print(game, results, paint_for(sys.stdout))
    return 1 if any(result.is_bad for result in results) else 0


def _line(game: Game, result: Result, paint: Paint) -> str:
    source, status = game.model.source, result.status
    where = f"{result.test}: " if result.test else ""
    line = f"{paint(_ROLES[status], f'{status.value:<9}')}{where}{result.said}"
    if status is Status.PASSED:
        return line
    if status is Status.OPEN:
        return f"{line} ({result.reason})"
    width = gutter_width(source, [result.span])
    rows = excerpt(source, [Mark(result.span, result.reason)], width, paint)
    place = f"{'':>{width}}{paint('gutter', '-->')} {source.name}:{result.span.line}:{result.span.column}"
    return "\n".join([line, place, blank(width, paint), *rows])


def _print(game: Game, results: list[Result], paint: Paint) -> None:
    if not results:
        print("There is nothing to test: the file has no claim, no 'expect' and no 'test'.")
        return
    for result in results:
        print(_line(game, result, paint))
    counts = Counter(result.status for result in results)
    parts = [paint(_ROLES[status], f"{counts[status]} {status.value}") for status in Status if counts[status]]
    print(f"\n{', '.join(parts)}.")


def _record(game: Game, result: Result) -> dict[str, object]:
    return {
        "said": result.said,
        "test": result.test,
        "status": result.status.value,
        "reason": result.reason,
        "line": result.span.line,
        "column": result.span.column,
        "seconds": result.seconds,
    }
