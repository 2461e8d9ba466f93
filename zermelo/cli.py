"""The command line: runs a command, and turns errors into messages and exit codes.

The list of commands needs nothing else of the package; a command is imported when it is run, and what reports an error
when there is one.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from errno import EBADF
from importlib import import_module
from typing import Final

from zermelo.interrupts import INTERRUPTED, MISUSED, PIPE_CLOSED, SAID
from zermelo.version import __version__

COMMANDS: Final = {
    "games": "list the bundled games",
    "new": "begin a game of your own, from a template with comments",
    "check": "find errors in game files",
    "fmt": "write game files in the one layout",
    "convert": "write a game for Gambit and others, or one of theirs for Zermelo",
    "mutate": "find slips that no claim, expectation or test of a file notices",
    "explain": "explain the code of a finding, with examples",
    "show": "summarise a game: players, who sees what, proved properties",
    "solve": "find the value of a game and the best moves",
    "sweep": "solve a game under many combinations of its parameters",
    "equilibria": "analyse a small game as a table: equilibria, dominance, maximin",
    "correlated": "find what a mediator can arrange who tells each move when due",
    "learn": "learn what positions are worth from games against itself",
    "judge": "say how good learnt weights are, by exact values or matches",
    "table": "keep all positions with their values in a folder, and look them up",
    "balance": "say how a game plays: whom it favours, how long it takes",
    "compare": "run every solver that fits a game, side by side",
    "exploit": "find best responses to saved strategies",
    "force": "find what a player can force, whatever the truth is",
    "match": "compute exactly how saved strategies do against each other",
    "play": "play in the terminal",
    "draw": "draw a game as a picture: its tree, a position, payoffs, charts",
    "report": "make a page of a game to hand out: rules, tree, value, strategies",
    "moves": "list the legal moves of a position, and what each player sees",
    "plays": "count the plays of a given length",
    "random": "play at random, and average the payoffs",
    "diff": "compare two games: a play on which they differ, or a proof",
    "grade": "hold the files of a folder against a model solution",
    "test": "test the claims and expectations of a game file",
    "serve": "open a page to write games on: findings, play, trees, solving",
    "lsp": "serve an editor: findings, names, completion",
    "cache": "show or clear the cache",
}
"""The commands, each a module of :mod:`zermelo.commands`, and their summaries."""

OVERVIEW: Final = f"""\
usage: zermelo COMMAND ...

Write a game as text, get its exact value.

commands:
{chr(10).join(f"  {name:<12}{purpose}" for name, purpose in COMMANDS.items())}

GAME is a path, or the name of a bundled game; `zermelo COMMAND --help` lists
the options of a command.

examples:
  zermelo solve tic_tac_toe
  zermelo play connect_four -p rows=4 -p columns=5 --seat Yellow=random
  zermelo check my_game.game
  zermelo explain missing-colon

`zermelo --version` prints the version; `--verbose` adds those of libraries."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command, and return the exit code: 0 for success; 1 for findings, failed expectations and refusals; 2 for a
    wrong command line, output that cannot be written, or a fault in the program; 130 if interrupted. ``arguments`` are
    those of the process by default."""
    words = sys.argv[1:] if arguments is None else list(arguments)
    try:
        _open_streams()
        try:
            code = _run_or_report(words)
        except SystemExit as end:  # after --help, whose text is still buffered, or as Ray ends on SIGTERM
            code = end.code if isinstance(end.code, int) else 0
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
            print(f"The output cannot be written: {error.strerror or error}.", file=sys.stderr, flush=True)
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
        from zermelo.command_errors import is_of_an_interrupt, report_error

        if is_of_an_interrupt(error):
            raise KeyboardInterrupt from error
        if isinstance(error, OSError):
            raise  # it concerns the output: errors of reading files are reported where they are read
        return report_error(error, words)


def _run(words: list[str]) -> int:
    match words:
        case [name, *rest] if name in COMMANDS:
            return _run_command(name, rest)
        case ["--help" | "-h", *_]:
            print(OVERVIEW)
            return 0
        case ["--version", *rest] if set(rest) <= {"--verbose"}:
            print(f"zermelo {__version__}")
            if rest:
                from zermelo.report.console import print_facts
                from zermelo.version import environment

                print_facts(list(environment().items()))
            return 0
    from zermelo.command_errors import no_command

    raise no_command(words, COMMANDS)


def _run_command(name: str, words: list[str]) -> int:
    from zermelo.commands.options import parser_of

    command = import_module(f"zermelo.commands.{name}")
    parser = parser_of(name, command.__doc__, command.EXAMPLES)
    command.configure(parser)
    code: int = command.run(parser.parse_intermixed_args(words))
    return code


def _drop_output() -> None:
    """Discard buffered output that nobody reads, so that flushing at exit does not fail."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()
            continue
        with suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
