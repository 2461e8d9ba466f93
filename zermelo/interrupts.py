"""Ctrl-C in the process of the command line, from its first line to its last: a message and an exit status. The other
exit statuses are here, too.

While a command runs, an interrupt is a ``KeyboardInterrupt``, so that unfinished files are removed and child processes
ended. Before and after that there is nothing to clean up, and Python would print a traceback of its imports: there the
process exits at once. So does a second interrupt, which may come while the first is being handled.

This module imports only modules that every Python process has loaded: an interrupt before it is in place is a
traceback.
"""

from __future__ import annotations

import _signal as signal  # type: ignore[import-not-found]  # what signal adds to it are names, which take milliseconds
import _thread
import os
import sys
from time import sleep

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final, NoReturn

FOUND: Final = 1
"""The exit status where there are findings, an expectation failed, or the game is refused."""

MISUSED: Final = 2
"""The exit status where the command line is wrong, the output cannot be written, or the program has a fault."""

INTERRUPTED: Final = 130
"""The exit status of an interrupted command."""

PIPE_CLOSED: Final = 141
"""The exit status where whatever reads the output has ended."""

SAID: Final = "\nInterrupted: there is no result."
"""The message of an interrupted command, on standard error."""

_MOMENT: Final = 0.001
"""Seconds after which a destructor, in which no interrupt can be raised, has finished."""


def end_interrupted(*_: object) -> NoReturn:
    """End the process at once, with the message and the exit status of an interrupt."""
    try:  # noqa: SIM105  # contextlib has not been imported yet
        os.write(2, f"{SAID}\n".encode())
    except OSError:  # standard error is closed
        pass
    os._exit(INTERRUPTED)


def leave_at_once() -> None:
    """From now on an interrupt ends the process, unless interrupts are ignored."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, end_interrupted)


def leave_in_good_order() -> None:
    """From now on an interrupt is a ``KeyboardInterrupt``, and the next one ends the process."""
    if signal.getsignal(signal.SIGINT) is end_interrupted:
        sys.unraisablehook = _unraisable
        signal.signal(signal.SIGINT, _raise)


def _raise(*_: object) -> NoReturn:
    signal.signal(signal.SIGINT, end_interrupted)
    raise KeyboardInterrupt


def _unraisable(what: sys.UnraisableHookArgs) -> None:
    """Repeat an interrupt that was raised where no exception propagates, in a destructor or the callback of a weak
    reference; Python would print it and go on."""
    if isinstance(what.exc_value, KeyboardInterrupt):
        signal.signal(signal.SIGINT, _raise)
        _thread.start_new_thread(_come_again, ())
    else:
        sys.__unraisablehook__(what)


def _come_again() -> None:
    sleep(_MOMENT)
    _thread.interrupt_main()
