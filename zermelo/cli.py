"""The command line: parses the arguments, runs a command, and turns errors into messages and exit codes."""

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
    "check": "find errors in game files",
    "explain": "explain the code of a finding, with examples",
    "show": "summarise a game: players, who sees what, phases, proved properties",
    "solve": "find the value of a game and the best moves",
    "equilibria": "analyse a small game as a table: equilibria, dominance, maximin",
    "compare": "run every solver that fits a game, side by side",
    "exploit": "find best responses to saved strategies",
    "match": "compute exactly how saved strategies do against each other",
    "play": "play in the terminal",
    "moves": "list the legal moves of a position, and what each player sees",
    "plays": "count the plays of a given length",
    "random": "play at random, and average the payoffs",
    "test": "test the claims and expectations of a game file",
    "cache": "show or clear the cache",
}
"""The commands, each a module of :mod:`zermelo.commands`, and their summaries."""

OVERVIEW: Final = f"""\
usage: zermelo COMMAND ...

Write a game as text, get its exact value.

commands:
{chr(10).join(f"  {name:<12}{purpose}" for name, purpose in COMMANDS.items())}

GAME is a path, or the name of a bundled game; `zermelo COMMAND --help` lists the options of a command.

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
"""Codes of faults in this program that it has detected itself."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command, and return the exit code: 0 for success; 1 for findings, failed expectations and refusals; 2 for a
    wrong command line, output that cannot be written, or a fault in the program; 130 if interrupted. ``arguments`` are
    those of the process by default."""
    words = sys.argv[1:] if arguments is None else list(arguments)
    try:
        _open_streams()
        try:
            code = _run_or_report(words)
        except SystemExit:  # after --help, whose text is still buffered
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
        _drop_output()  # the buffered text may be what cannot be written
        return MISUSED


def _open_streams() -> None:
    """Make sure that all standard streams are open and that any input and output can be converted: invalid bytes and
    characters that the terminal cannot show become question marks, and numbers may have any number of digits. Those
    that are opened here stay open as long as the process runs: no ``with`` closes them (SIM115).

    Raises ``OSError`` if the standard output has been closed.
    """
    if sys.stdin is None:
        sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: SIM115
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
    """Run a command, report its error, if any, and return the exit code."""
    try:
        return _run(words)
    except Exception as error:  # the last resort: see zermelo.last_resort
        if _is_of_an_interrupt(error):
            raise KeyboardInterrupt from error
        if isinstance(error, OSError):
            raise  # it concerns the output: errors of reading files are reported where they are read
        found = error if isinstance(error, ZermeloError) else _fault(error, words)
    _report(found, as_json=any(word in ("--json", "json", "--format=json") for word in words))
    return MISUSED if isinstance(found, Failure) or found.code in _MISUSES | _FAULTS else FOUND


def _is_of_an_interrupt(error: BaseException | None) -> bool:
    """Whether an exception is a consequence of an interrupt, from work that it left unfinished."""
    met: set[int] = set()  # chains of exceptions can be circular
    while error is not None and id(error) not in met:
        if isinstance(error, KeyboardInterrupt):
            return True
        met.add(id(error))
        error = error.__cause__ or error.__context__
    return False


def _fault(error: Exception, words: list[str]) -> Failure:
    """The failure for an unexpected exception."""
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
        """Print the help; unlike argparse, fail if it cannot be written."""
        print(message, end="", file=file)

    def error(self, message: str) -> NoReturn:
        raise ZermeloError("bad-usage", message, f"`{self.prog} --help` lists its arguments and has examples")


def _report(error: ZermeloError, as_json: bool) -> None:
    """Print an error: as records on standard output, or as text on standard error."""
    if as_json:
        for record in error_records(error):
            print(json_text(record))
    else:
        print(render(error, paint_for(sys.stderr)), file=sys.stderr)


def _drop_output() -> None:
    """Discard buffered output that nobody reads, so that flushing at exit does not fail."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()
            continue
        with suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
