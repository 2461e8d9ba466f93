"""The parser of a command's arguments, and the options of every command."""

from __future__ import annotations

import re
from argparse import ArgumentParser, ArgumentTypeError, RawDescriptionHelpFormatter
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final, NoReturn

from zermelo.grammar.diagnostics import ZermeloError, nearest
from zermelo.report.console import terminal_width

if TYPE_CHECKING:
    from _typeshed import SupportsWrite

_UNKNOWN: Final = "unrecognized arguments: "
_SETTING: Final = r"[^\s=]+=\S+"

DECIMAL: Final = r"\d+(\.\d*)?|\.\d+"


def parser_of(name: str, description: str | None, examples: str) -> ArgumentParser:
    """A parser for the command ``name``, without arguments, whose help shows these texts."""
    return _Parser(
        prog=f"zermelo {name}",
        description=description,
        epilog=examples,
        formatter_class=_Help,
        allow_abbrev=False,
    )


class _Help(RawDescriptionHelpFormatter):
    """Paragraphs, and entries that begin in the third column with a word and a gap, are as wide as the terminal; what
    stands below a line with a colon is to be copied, and left as it is."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=terminal_width() - 2)

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        return "\n\n".join(self._filled(part, width) for part in text.strip().split("\n\n"))

    def _filled(self, part: str, width: int) -> str:
        from textwrap import fill

        if part.partition("\n")[0].endswith(":"):
            return part
        lines = []
        for entry in re.split(r"\n(?=  \S)", part):
            gap = re.match(r"  \S.*?  +", entry)
            head = gap[0] if gap else ""
            rest = " ".join(entry[len(head) :].split())
            lines.append(fill(rest, width, initial_indent=head, subsequent_indent=" " * len(head)))
        return "\n".join(lines)


class _Parser(ArgumentParser):
    def _print_message(self, message: str, file: SupportsWrite[str] | None = None) -> None:
        """Print the help; unlike argparse, fail if it cannot be written."""
        print(message, end="", file=file)

    def error(self, message: str) -> NoReturn:
        meant = self._meant(message)
        if meant:
            message += f"; did you mean '{meant}'?"
        raise ZermeloError("bad-usage", message, f"`{self.prog} --help` lists its arguments and has examples")

    def _meant(self, message: str) -> str | None:
        """What was probably meant by the first argument that the command does not have: an option, or ``-p`` before a
        parameter."""
        unknown = message.removeprefix(_UNKNOWN).split(" ")[0]
        if unknown == message.split(" ")[0]:
            return None
        if unknown.startswith("-"):
            return nearest(unknown, [option for option in self._option_string_actions if option.startswith("--")])
        return f"-p {unknown}" if "-p" in self._option_string_actions and re.fullmatch(_SETTING, unknown) else None


# Options of every command, and arguments that are numbers.


MOST = 10**18
"""The largest number that an option takes: kernels count in 64 bits."""


def add_parameters(parser: ArgumentParser) -> None:
    """``-p``."""
    parser.add_argument(
        "-p",
        dest="parameters",
        metavar="NAME=VALUE",
        type=parameter,
        action="append",
        default=[],
        help="set a parameter of the game; may be repeated",
    )


def add_format(parser: ArgumentParser, has_rows: bool = False) -> None:
    """``--format`` and ``--json``; a result that ``has_rows`` is also printed as CSV."""
    parser.add_argument(
        "--format",
        choices=("text", "json", "csv") if has_rows else ("text", "json"),
        default="text",
        help=f"how to print the result{'; csv: its rows, as in Python' if has_rows else ''} (default: text)",
    )
    parser.add_argument("--json", dest="format", action="store_const", const="json", help="short for --format json")


def add_strategies(parser: ArgumentParser, nargs: str | None = None) -> None:
    """The files of strategies; one by default."""
    parser.add_argument(
        "strategies",
        metavar="FILE",
        nargs=nargs,
        help="the output of `zermelo solve --json`, a .json of `zermelo solve --positions`, or: uniform",
    )


def add_report_format(parser: ArgumentParser, formats: Sequence[str]) -> None:
    """``--format``, of a report: the first one by default, and ``--json``."""
    parser.add_argument(
        "--format",
        choices=formats,
        default=formats[0],
        help=f"how to print what is found (default: {formats[0]}): for people, in a line each, for a program, for "
        "GitHub Actions, or for other tools",
    )
    parser.add_argument("--json", dest="format", action="store_const", const="json", help="short for --format json")


def whole_number(text: str) -> int:
    """An argument that is a number of things."""
    if not text.isdecimal():
        raise ArgumentTypeError(f"'{text}' is not a whole number from 0")
    if len(text) > len(str(MOST)) or int(text) > MOST:
        raise ArgumentTypeError(f"it must be at most {MOST:,}")
    return int(text)


def positive_number(text: str) -> int:
    """An argument that is a number of things, one at least."""
    if whole_number(text) < 1:
        raise ArgumentTypeError("it must be at least 1")
    return int(text)


def number_up_to(most: int, read: Callable[[str], int] = positive_number) -> Callable[[str], int]:
    """A function that reads an argument as ``read`` does, up to ``most``."""

    def read_up_to_most(text: str) -> int:
        if (number := read(text)) > most:
            raise ArgumentTypeError(f"it must be at most {most:,}")
        return number

    return read_up_to_most


def seconds(text: str) -> float:
    """An argument that is a number of seconds."""
    if re.fullmatch(DECIMAL, text) is None:
        raise ArgumentTypeError(f"'{text}' is not a number of seconds")
    return float(text)


def size(text: str) -> int:
    """An argument that is a size of memory, in bytes."""
    match = re.fullmatch(r"(\d+)([KMG])B?", text.upper())
    if match is None or not int(match[1]):
        raise ArgumentTypeError(f"'{text}' is not a size, such as 64M or 2G")
    size = whole_number(match[1]) << {"K": 10, "M": 20, "G": 30}[match[2]]
    if size > MOST:
        raise ArgumentTypeError(f"'{text}' is more memory than any computer has")
    return size


def parameter(text: str) -> tuple[str, str]:
    """An argument that sets a parameter: its name and the text of its value."""
    name, equals, value = text.partition("=")
    if not (name.strip() and equals and value.strip()):
        raise ArgumentTypeError(f"'{text}' is not of the form NAME=VALUE")
    return name.strip(), value.strip()
