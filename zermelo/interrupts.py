"""Ctrl-C in the process of the command line, from its first line to its last: a line in words and an exit status.

While a command runs, an interrupt is a ``KeyboardInterrupt``, so that files that are half written are removed, and
processes that work for it are ended. Before and behind that nothing has to be ended, and Python would print in which of
its imports it was: there the process is left at once. So it is at a second interrupt, which may come while the first is
being followed.

What is imported here is in every Python that runs: an interrupt that comes before all this is in place is a traceback.
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

INTERRUPTED: Final = 130
"""The exit status of an interrupted command."""

SAID: Final = "\nInterrupted: there is no result."
"""What an interrupted command says on standard error."""

_MOMENT: Final = 0.001
"""Seconds in which what runs in the wrong place for an interrupt, a destructor, has come to its end."""


def leave(*_: object) -> NoReturn:
    """End the process as an interrupt ends it, without regard to what it is doing."""
    try:  # noqa: SIM105  # contextlib has not been imported yet
        os.write(2, f"{SAID}\n".encode())
    except OSError:  # nobody can be told
        pass
    os._exit(INTERRUPTED)


def leave_at_once() -> None:
    """From now on an interrupt ends the process. Where interrupts are ignored they stay so."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, leave)


def leave_in_good_order() -> None:
    """From now on an interrupt is a ``KeyboardInterrupt``, and the next one ends the process."""
    if signal.getsignal(signal.SIGINT) is leave:
        sys.unraisablehook = _unraisable
        signal.signal(signal.SIGINT, _raise)


def _raise(*_: object) -> NoReturn:
    signal.signal(signal.SIGINT, leave)
    raise KeyboardInterrupt


def _unraisable(what: sys.UnraisableHookArgs) -> None:
    """An interrupt that came where no exception can be passed on, in a destructor or as a weak reference ended, comes
    again when that is over; Python would print it and go on."""
    if isinstance(what.exc_value, KeyboardInterrupt):
        signal.signal(signal.SIGINT, _raise)
        _thread.start_new_thread(_come_again, ())
    else:
        sys.__unraisablehook__(what)


def _come_again() -> None:
    sleep(_MOMENT)
    _thread.interrupt_main()
