"""Options of every command, and arguments that are numbers."""

from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Sequence

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


def add_format(parser: ArgumentParser) -> None:
    """``--format`` and ``--json``."""
    parser.add_argument(
        "--format", choices=("text", "json"), default="text", help="how to print the result (default: text)"
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


def some(text: str) -> int:
    """An argument that is a number of things, one at least."""
    if whole_number(text) < 1:
        raise ArgumentTypeError("it must be at least 1")
    return int(text)


def parameter(text: str) -> tuple[str, str]:
    """An argument that sets a parameter: its name and the text of its value."""
    name, equals, value = text.partition("=")
    if not (name.strip() and equals and value.strip()):
        raise ArgumentTypeError(f"'{text}' is not of the form NAME=VALUE")
    return name.strip(), value.strip()
