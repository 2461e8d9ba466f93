"""Explain the code of a finding, with a wrong and a right example.

Without a code, all codes are listed.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace

from zermelo.commands.options import add_format
from zermelo.grammar.diagnostics import CODES, Example, explanation
from zermelo.report.console import is_lively, print_json, print_table

EXAMPLES = """\
examples:
  zermelo explain missing-colon
  zermelo explain                              list all codes
"""


def configure(parser: ArgumentParser) -> None:
    parser.add_argument("code", metavar="CODE", nargs="?", help="the code in brackets after 'error' or 'warning'")
    add_format(parser)


def run(options: Namespace) -> int:
    if options.code is None:
        _list_codes(options.format)
    elif options.format == "json":
        page = explanation(options.code)
        print_json(
            {
                "code": page.code,
                "severity": CODES[page.code].severity.value,
                "title": page.title,
                "text": page.text,
                "wrong": [_record(example) for example in page.wrong],
                "right": [_record(example) for example in page.right],
            }
        )
    else:
        _print_page(explanation(options.code).page)
    return 0


def _list_codes(format: str) -> None:
    codes = CODES.values()
    if format == "json":
        print_json([{"code": code.name, "severity": code.severity.value, "title": code.title} for code in codes])
    else:
        print_table(("code", "severity", "meaning"), [(code.name, code.severity.value, code.title) for code in codes])


def _print_page(page: str) -> None:
    if is_lively(sys.stdout):
        from rich.console import Console
        from rich.markdown import Markdown

        Console().print(Markdown(page, code_theme="ansi_dark"))
    else:
        print(page.rstrip())


def _record(example: Example) -> dict[str, str]:
    return {"kind": example.kind, "text": example.text}
