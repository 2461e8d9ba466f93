"""Find errors in game files.

Exit code 0: there are no findings. 1: there are findings. 2: a file cannot be read, or the command line is wrong.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace

from zermelo.commands.options import add_format
from zermelo.console import json_text
from zermelo.grammar.diagnostics import Findings, InvalidGame
from zermelo.interpreter.check import check
from zermelo.loading import read_source
from zermelo.report import render
from zermelo.report.paint import paint_for
from zermelo.report.records import finding_record

EXAMPLES = """\
examples:
  zermelo check my_game.game
  zermelo check gamedefs/*.game
  generate_game | zermelo check -
  zermelo check my_game.game --format json     one finding on each line
"""


def configure(parser: ArgumentParser) -> None:
    parser.add_argument("files", metavar="FILE", nargs="+", help="a path, a bundled game, or - for standard input")
    add_format(parser)


def run(options: Namespace) -> int:
    checked = [_check(file) for file in options.files]
    paint = paint_for(sys.stdout)
    for findings in checked:
        if options.format == "json":
            for finding in findings:
                print(json_text(finding_record(finding)))
        elif findings:
            print(render(findings, paint), end="\n\n" if findings is not checked[-1] else "\n")
        else:
            print(f"{findings.source.name}: {paint('good', 'no findings')}")
    return 1 if any(checked) else 0


def _check(file: str) -> Findings:
    try:
        source = read_source(file)
    except InvalidGame as refused:
        return refused.findings
    return check(source)[1]
