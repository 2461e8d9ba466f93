"""Write game files in the one layout: spaces, line breaks and the columns of comments; the words stay as they are.

A folder stands for all game files in it and below. A file is replaced only if its text changes, and as a whole; one
with mistakes in its grammar is left alone. Standard input is written to standard output.

--upgrade also writes the newest forms of the language where an older one says the same, as x += 1 for x := x + 1, and
the number of the language on the first line of a game. The game stays the same.

Exit code 0: all files are as they should be now. 1: a file has mistakes or, with --check or --diff, would change.
2: a file cannot be read or written.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from pathlib import Path

from attrs import frozen

from zermelo.commands.options import add_format
from zermelo.files import expand_folders, unified_difference, write_file
from zermelo.grammar.diagnostics import InvalidGame, Source
from zermelo.grammar.formatter import format_text
from zermelo.loading import STANDARD_INPUT, read_file
from zermelo.report import render
from zermelo.report.annotations import error_records
from zermelo.report.console import paint_for, print_json

EXAMPLES = """\
examples:
  zermelo fmt my_game.game
  zermelo fmt lectures/ --check          in a test of all files
  zermelo fmt my_game.game --diff        show what would change
  zermelo fmt old.game --upgrade         in the newest language
  zermelo fmt - < draft > my_game.game
"""


@frozen
class _Formatted:
    """A file before and after; ``error`` if it has mistakes."""

    file: str
    source: Source
    after: str
    error: InvalidGame | None = None

    @property
    def is_changed(self) -> bool:
        return self.error is None and self.after != self.source.text


def configure(parser: ArgumentParser) -> None:
    parser.add_argument("files", metavar="FILE", nargs="+", help="a game file, a folder, or - for standard input")
    parser.add_argument("--check", action="store_true", help="write nothing; exit with 1 if a file would change")
    parser.add_argument("--diff", action="store_true", help="write nothing; print what would change")
    parser.add_argument("--upgrade", action="store_true", help="also write the newest forms of the language")
    add_format(parser)


def run(options: Namespace) -> int:
    is_dry = options.check or options.diff
    results = []
    for result in _results(options.files, options.upgrade):
        results.append(result)
        if result.file == STANDARD_INPUT and not is_dry and result.error is None:
            print(result.after, end="")
        elif result.is_changed and not is_dry:
            write_file(Path(result.file), result.after.encode())
        if options.format == "text":
            _print(result, options)
    if options.format == "json":
        print_json({"files": [_record(result) for result in results]})
    elif options.files != [STANDARD_INPUT]:
        _print_summary(results, is_dry)
    return 1 if any(result.error or (is_dry and result.is_changed) for result in results) else 0


def _results(files: list[str], is_upgraded: bool) -> Iterator[_Formatted]:
    for file in expand_folders(files):
        source = Source(file, "")
        try:
            source = read_file("<stdin>", None) if file == STANDARD_INPUT else read_file(file, Path(file))
            yield _Formatted(file, source, format_text(_upgraded(source) if is_upgraded else source))
        except InvalidGame as error:
            yield _Formatted(file, source, source.text, error)


def _upgraded(source: Source) -> Source:
    from zermelo.grammar.upgrade import upgrade  # which is seldom needed

    return upgrade(source)


def _print(result: _Formatted, options: Namespace) -> None:
    if result.error is not None:
        print(render(result.error, paint_for(sys.stderr)), end="\n\n", file=sys.stderr)
    elif result.is_changed and options.diff:
        print(unified_difference(result.source, result.after, paint_for(sys.stdout)), end="")
    elif result.is_changed and result.file != STANDARD_INPUT:
        what = "the newest forms" if options.upgrade else "the one layout"
        print(f"{result.file}: {'would be' if options.check else 'is now'} in {what}")


def _print_summary(results: list[_Formatted], is_dry: bool) -> None:
    changed = sum(result.is_changed for result in results)
    wrong = sum(result.error is not None for result in results)
    words = [
        f"{changed} would change" if is_dry else f"{changed} changed",
        f"{len(results) - changed - wrong} as before",
        f"{wrong} with mistakes" if wrong else "",
    ]
    print(f"{', '.join(filter(None, words))}.")


def _record(result: _Formatted) -> dict[str, object]:
    return {
        "file": result.file,
        "changed": result.is_changed,
        "text": result.after if result.is_changed else None,
        "findings": [] if result.error is None else error_records(result.error),
    }
