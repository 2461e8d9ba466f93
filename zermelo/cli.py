"""The command line: understands the words, runs a command, and makes of what goes wrong a message and an exit code."""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections.abc import Sequence
from contextlib import suppress
from errno import EBADF
from importlib import import_module
from typing import TYPE_CHECKING, Final, NoReturn

from zermelo.console import json_text
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.suggestions import nearest
from zermelo.interrupts import INTERRUPTED, SAID
from zermelo.last_resort import Failure, failure
from zermelo.report import render
from zermelo.report.paint import paint_for
from zermelo.report.records import error_records
from zermelo.version import __version__

if TYPE_CHECKING:
    from _typeshed import SupportsWrite

COMMANDS: Final = {
    "check": "find what is wrong with game files",
    "explain": "explain the code of a finding, with examples",
    "show": "summarise a game: players, who sees what, phases, what is proved",
    "solve": "find the value of a game and the best moves",
    "equilibria": "look at a small game as a table: equilibria, dominance, maximin",
    "compare": "run every solver that fits a game, side by side",
    "exploit": "find the best answer to saved strategies",
    "match": "let saved strategies play each other, exactly",
    "play": "play in the terminal",
    "moves": "list what can be done in a position, and what each player sees",
    "plays": "count the plays of a given length",
    "random": "play at random, and average",
    "test": "run what a game file expects of itself",
    "cache": "show what is kept from run to run, or remove it",
}
"""The commands, each a module of :mod:`zermelo.commands`, with what they do."""

OVERVIEW: Final = f"""\
usage: zermelo COMMAND ...

Write a game as text, get its exact value.

commands:
{chr(10).join(f"  {name:<11}{purpose}" for name, purpose in COMMANDS.items())}

GAME is a path, or the name of a bundled game; `zermelo COMMAND --help` has the options of a command.

examples:
  zermelo solve tic_tac_toe
  zermelo play connect_four -p rows=4 -p columns=5 --seat Yellow=random
  zermelo check my_game.game
  zermelo explain missing-colon

`zermelo --version` prints the version."""

FOUND: Final = 1
MISUSED: Final = 2
PIPE_CLOSED: Final = 141

_MISUSES: Final = {
    "bad-strategy",
    "bad-usage",
    "unknown-game",
    "unknown-code",
    "unknown-parameter",
    "unknown-player",
    "unknown-solver",
    "unknown-weight",
    "unreadable-file",
    "unwritable-file",
    "weight-not-a-number",
}
"""Codes of mistakes in the command line, not in a game."""

_FAULTS: Final = {"values-disagree"}
"""Codes of faults of this program that it has found itself."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command, and return the exit code: 0 where all is well; 1 for findings, failed expectations and refusals; 2
    where the command line cannot be followed, what it prints cannot be written, or the program has a fault; 130 if
    interrupted. ``arguments`` are those of the process by default."""
    words = sys.argv[1:] if arguments is None else list(arguments)
    try:
        _open_streams()
        try:
            code = _run_or_report(words)
        except SystemExit:  # behind --help, which has yet to be printed
            code = 0
        sys.stdout.flush()
        return code
    except KeyboardInterrupt:
        with suppress(OSError):
            print(SAID, file=sys.stderr, flush=True)
        _drop_output()
        return INTERRUPTED
    except BrokenPipeError:
        _drop_output()
        return PIPE_CLOSED
    except OSError as error:
        _drop_output()
        with suppress(OSError):
            print(f"The output cannot be written: {error.strerror}.", file=sys.stderr, flush=True)
        _drop_output()  # the words themselves may be what cannot be written
        return MISUSED


def _open_streams() -> None:
    """Take care that there is something to read from and to print to, and that whatever is typed can be read and
    whatever is printed can be: bytes that are no character and characters that the terminal cannot show become question
    marks, and a number may have as many digits as it has.

    Raises ``OSError`` where the standard output has been closed.
    """
    if sys.stdin is None:
        sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: SIM115  # open as long as the process is
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    if sys.stdout is None:
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
        raise OSError(EBADF, "it is closed")
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    sys.set_int_max_str_digits(0)


def _run_or_report(words: list[str]) -> int:
    """Run a command; where it goes wrong, print why, and return what that means."""
    try:
        return _run(words)
    except Exception as error:  # the last resort: see zermelo.last_resort
        if _is_of_an_interrupt(error):
            raise KeyboardInterrupt from error
        if isinstance(error, OSError):
            raise  # the output: whoever reads a file says himself that he cannot
        found = error if isinstance(error, ZermeloError) else _fault(error, words)
    _report(found, as_json=any(word in ("--json", "json", "--format=json") for word in words))
    return MISUSED if isinstance(found, Failure) or found.code in _MISUSES | _FAULTS else FOUND


def _is_of_an_interrupt(error: BaseException | None) -> bool:
    """Whether an exception came up as an interrupt was followed: from what it has left half done."""
    met: set[int] = set()  # chains of exceptions can lead back to where they were
    while error is not None and id(error) not in met:
        if isinstance(error, KeyboardInterrupt):
            return True
        met.add(id(error))
        error = error.__cause__ or error.__context__
    return False


def _fault(error: Exception, words: list[str]) -> Failure:
    """What nobody expected, in words."""
    if os.environ.get("ZERMELO_TRACEBACK"):
        from traceback import print_exc

        print_exc()
    from shlex import join

    return failure(error, join(["zermelo", *words]))


def _run(words: list[str]) -> int:
    match words:
        case [name, *rest] if name in COMMANDS:
            return _run_command(name, rest)
        case ["--help" | "-h", *_]:
            print(OVERVIEW)
            return 0
        case ["--version", *_]:
            print(f"zermelo {__version__}")
            return 0
        case []:
            raise ZermeloError("bad-usage", "there is no command", "`zermelo --help` lists the commands")
    match = nearest(words[0], COMMANDS)
    raise ZermeloError(
        "bad-usage",
        f"there is no command '{words[0]}'" + (f"; did you mean '{match}'?" if match else ""),
        "`zermelo --help` lists the commands",
    )


def _run_command(name: str, words: list[str]) -> int:
    command = import_module(f"zermelo.commands.{name}")
    parser = _Parser(
        prog=f"zermelo {name}",
        description=command.__doc__,
        epilog=command.EXAMPLES,
        formatter_class=RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    command.configure(parser)
    code: int = command.run(parser.parse_intermixed_args(words))
    return code


class _Parser(ArgumentParser):
    def _print_message(self, message: str, file: SupportsWrite[str] | None = None) -> None:
        """Print the help; that of Python says nothing where it cannot be written."""
        print(message, end="", file=file)

    def error(self, message: str) -> NoReturn:
        usage = " ".join(self.format_usage().split())
        raise ZermeloError("bad-usage", message, f"{usage}\n`{self.prog} --help` has examples")


def _report(error: ZermeloError, as_json: bool) -> None:
    """An error: as records on standard output, where a program looks for them, or as text on standard error."""
    if as_json:
        for record in error_records(error):
            print(json_text(record))
    else:
        print(render(error, paint_for(sys.stderr)), file=sys.stderr)


def _drop_output() -> None:
    """Nobody reads what is still buffered; let it go without a complaint at exit."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()
            continue
        with suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
