"""Begin a game of your own: a copy of the template, which is a small sound game with comments on everything.

The file is NAME.game, and the title of the game is NAME with blanks for underscores. A file that exists is left alone.
--sheet prints the whole language on one page, for people and for programs that write games.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path
from shlex import quote

import zermelo.gamedefs as gamedefs
from zermelo.commands.options import add_format
from zermelo.files import write_file
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.grammar.words import SHEET
from zermelo.report.console import print_facts, print_json

EXAMPLES = """\
examples:
  zermelo new my_game
  zermelo new lectures/week_3.game
  zermelo new --sheet > sheet.md
"""


def configure(parser: ArgumentParser) -> None:
    parser.add_argument("name", metavar="NAME", nargs="?", help="the name of the game, or a path")
    parser.add_argument("--sheet", action="store_true", help="print the language on one page, and make no file")
    add_format(parser)


def run(options: Namespace) -> int:
    if options.sheet:
        page = SHEET.read_text(encoding="utf-8")
        print_json({"sheet": page}) if options.format == "json" else print(page, end="")
        return 0
    if options.name is None:
        raise ZermeloError("bad-usage", "a new game needs a NAME", "zermelo new my_game")
    if not Path(options.name).name.strip("."):
        raise ZermeloError("bad-usage", f"'{options.name}' names no file", "letters, digits and _ can")
    path = Path(options.name if options.name.endswith(".game") else f"{options.name}.game")
    if path.exists():
        raise ZermeloError("unwritable-file", f"{path} exists already, and is left as it is", "choose another name")
    write_file(path, _new_game_text(path).encode())
    if options.format == "json":
        print_json({"file": str(path)})
        return 0
    file = quote(str(path))
    print_facts(
        [
            ("written", f"{path}: a small sound game to change, with comments"),
            ("next", f"`zermelo check {file}` after every change, `zermelo solve {file}`, `zermelo play {file}`"),
        ]
    )
    return 0


def _new_game_text(path: Path) -> str:
    """The template under the title of the new game. Raises ``ZermeloError`` (``bad-usage``)."""
    title = path.stem.replace("_", " ").strip()
    if not title or '"' in title or not title.isprintable():
        raise ZermeloError("bad-usage", f"'{path.stem}' cannot be the title of a game", "letters, digits and _ can")
    words, _ = gamedefs.lid("template")
    text = gamedefs.path("template").read_text(encoding="utf-8")
    begun = "\n".join(
        f'game "{title[0].upper()}{title[1:]}"' if line.startswith(f'game "{words}"') else line
        for line in text.split("\n")
    )
    return begun.replace("FILE", quote(path.name))
