"""List the bundled games, each with a few words about it.

Every command takes the name of one, as it takes a path; WORD leaves only those that have it in their line.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

import zermelo.gamedefs as gamedefs
from zermelo.commands.options import add_format
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.report.console import print_json, print_remark, print_table

EXAMPLES = """\
examples:
  zermelo games
  zermelo games poker
  zermelo games "a tree from a lecture"
"""


def configure(parser: ArgumentParser) -> None:
    parser.add_argument("word", metavar="WORD", nargs="?", default="", help="only those with this word in their line")
    add_format(parser)


def run(options: Namespace) -> int:
    rows = [(name, *gamedefs.lid(name)) for name in gamedefs.names()]
    found = [row for row in rows if options.word.casefold() in " ".join(row).casefold()]
    if not found:
        raise ZermeloError("unknown-game", f"no bundled game has '{options.word}' in its line", "`zermelo games`")
    if options.format == "json":
        print_json([{"name": name, "title": title, "about": about} for name, title, about in found])
        return 0
    print_table(("name", "about"), [(name, about) for name, _, about in found])
    print()
    print_remark(f"`zermelo show {found[0][0]}` says more about one; `zermelo new NAME` begins one of your own.")
    return 0
