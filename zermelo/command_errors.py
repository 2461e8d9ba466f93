"""Errors of a command: what is printed, and the exit code."""

from __future__ import annotations

import os
import sys
from collections.abc import Collection
from typing import Final

from zermelo.grammar.diagnostics import ZermeloError, nearest
from zermelo.interrupts import FOUND, MISUSED
from zermelo.last_resort import Failure, failure
from zermelo.report import render
from zermelo.report.annotations import error_records
from zermelo.report.console import json_text, paint_for

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


def report_error(error: Exception, words: list[str]) -> int:
    """Print the error of a command line, ``words``, and return the exit code: as records on standard output if that is
    to be JSON, else as text on standard error."""
    if os.environ.get("ZERMELO_TRACEBACK") and (error.__cause__ is not None or not isinstance(error, ZermeloError)):
        from traceback import print_exc

        print_exc()
    found = error if isinstance(error, ZermeloError) else _fault(error, words)
    if any(word in ("--json", "json", "--format=json") for word in words):
        for record in error_records(found):
            print(json_text(record))
    else:
        print(render(found, paint_for(sys.stderr)), file=sys.stderr)
    return MISUSED if isinstance(found, Failure) or found.code in _MISUSES | _FAULTS else FOUND


def is_of_an_interrupt(error: BaseException | None) -> bool:
    """Whether an exception is a consequence of an interrupt, from work that it left unfinished."""
    met: set[int] = set()  # chains of exceptions can be circular
    while error is not None and id(error) not in met:
        if isinstance(error, KeyboardInterrupt):
            return True
        met.add(id(error))
        error = error.__cause__ or error.__context__
    return False


def no_command(words: list[str], commands: Collection[str]) -> ZermeloError:
    """The error of a command line that does not begin with a command."""
    if not words:
        return ZermeloError("bad-usage", "there is no command", "`zermelo --help` lists the commands")
    if words[0] == "--version":
        unknown = " ".join(word for word in words[1:] if word != "--verbose")
        return ZermeloError("bad-usage", f"unrecognized arguments: {unknown}", "beside it there is `--verbose` alone")
    match = nearest(words[0], commands)
    return ZermeloError(
        "bad-usage",
        f"there is no command '{words[0]}'" + (f"; did you mean '{match}'?" if match else ""),
        "`zermelo --help` lists the commands",
    )


def _fault(error: Exception, words: list[str]) -> Failure:
    """The failure for an unexpected exception."""
    from shlex import join

    return failure(error, join(["zermelo", *words]))
