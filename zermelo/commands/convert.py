"""Write a game in the format of another program, or a game of another program as one of the language.

The first line of the file tells its format: a game, or a tree (.efg) or table (.nfg) of Gambit. These are read by every
other command, too: `zermelo solve FILE.efg`. By default they become a game, and a game becomes an .efg.

  game      a tree or a table of the language; labels that are no names become display names. Of a game: its tree
  efg       the tree of all plays, of any game that ends and fits: for Gambit, OpenSpiel and others
  nfg       the table of pure strategies, of a small game: for Gambit
  liteefg   the tree for LiteEFG, with decimals in place of fractions

All numbers but these decimals are exact. Whatever is lost on the way, such as labels of nodes, is a finding, printed
beside the result. A file in which a player forgets something is refused: games of the language have perfect recall.

Exit code 0: the game is written. 1: it cannot be read or written or, with --strict, something would be lost.
2: a file cannot be read or written, or the command line is wrong.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path

from zermelo.commands.game_options import add_limits, within
from zermelo.commands.options import add_format, add_parameters
from zermelo.converting import FORMATS, ConvertedGame
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.loading import load_any
from zermelo.questions import convert
from zermelo.report import render
from zermelo.report.console import paint_for, print_json

EXAMPLES = """\
examples:
  zermelo convert signaling.efg
  zermelo convert signaling.efg -o signaling.game --strict
  zermelo convert kuhn_poker -o kuhn_poker.efg
  zermelo convert liars_dice -p dice=1 -p sides=2 --to nfg
  zermelo convert coin_game --to game
  zermelo convert - --to game < bimatrix.nfg
"""


def configure(parser: ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="a path, the name of a bundled game, or - for standard input")
    parser.add_argument("-o", "--output", metavar="OUT", type=Path, help="write to a file (default: standard output)")
    parser.add_argument(
        "--to",
        choices=FORMATS,
        help="the format (default: as the name of OUT ends, else game for a file of Gambit, and efg for a game)",
    )
    parser.add_argument("--strict", action="store_true", help="write nothing if anything would be lost")
    add_parameters(parser)
    add_limits(parser)
    add_format(parser)


def run(options: Namespace) -> int:
    if options.output is not None and _is_same_file(options.file, options.output):
        message = f"{options.output} is the file that is read"
        raise ZermeloError("bad-usage", message, "write to another file: what a format has no place for would be lost")
    game = load_any(options.file, dict(options.parameters)) if options.parameters else options.file
    made = convert(game, _format(options), **within(options))
    is_refused = options.strict and bool(made.findings)
    if options.format == "json":
        print_json(made.record())
    elif made.findings:
        print(render(made.findings, paint_for(sys.stderr)), file=sys.stderr)
    if not is_refused:
        _write(made, options)
    return 1 if is_refused else 0


def _is_same_file(file: str, output: Path) -> bool:
    return output.exists() and Path(file).exists() and output.samefile(file)


def _format(options: Namespace) -> str | None:
    """The format that is asked for, if any."""
    if options.to is None and options.output is not None:
        ending: str = options.output.suffix.lower()[1:]
        return ending if ending in FORMATS else None
    to: str | None = options.to
    return to


def _write(made: ConvertedGame, options: Namespace) -> None:
    if options.output is not None:
        made.save(options.output)
    elif options.format == "text":
        print(made.text, end="")
