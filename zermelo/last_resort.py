"""The last resort: what no rule, file or request should lead to comes out in words all the same.

Whatever users can do wrong is found where it can be explained, and has a code of its own. What gets past all that is a
fault of this program, or the machine has no memory left. At the door, which is the command line and the functions and
methods of the package, and nowhere else, such an exception becomes a :class:`Failure`: an error with a code, which says
what to report. The exception stays its cause, so a program that uses the package can look at it; the command line shows
it where the environment variable ``ZERMELO_TRACEBACK`` is set.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import wraps
from typing import Final, ParamSpec, TypeVar

from zermelo.grammar.diagnostics import ZermeloError
from zermelo.version import __version__

P = ParamSpec("P")
R = TypeVar("R")

FAULTS: Final = (
    ArithmeticError,
    AssertionError,
    LookupError,
    MemoryError,
    RecursionError,
    UnicodeError,
)
"""What a caller of the package cannot bring about by calling it in a wrong way, as he can a ``TypeError``."""


class Failure(ZermeloError):
    """The program could not do what it should: it has a fault (``internal-error``), or there is no memory left
    (``out-of-memory``)."""


def failure(error: BaseException, doing: str) -> Failure:
    """An exception that nobody expected, in words; ``doing`` is the command line or the function."""
    if isinstance(error, MemoryError):
        return Failure(
            "out-of-memory",
            "there is not as much memory as this takes",
            "a smaller game may fit; --memory bounds what searches keep",
        )
    version = ".".join(map(str, sys.version_info[:3]))
    return Failure(
        "internal-error",
        f"this is a fault of Zermelo, not of yours: {_kind(error)}",
        f"please report it, with the game, to the authors of Zermelo:\n"
        f"Zermelo {__version__}, Python {version} on {sys.platform}\n{doing}\n"
        "With ZERMELO_TRACEBACK=1 in the environment, the command line shows where it happened.",
    )


def _kind(error: BaseException) -> str:
    """The kind of an exception, and where it came up."""
    place, where = error.__traceback__, ""
    while place is not None:
        frame = place.tb_frame
        where = f" in {frame.f_globals.get('__name__', '?')}, line {place.tb_lineno}"
        place = place.tb_next
    return f"{type(error).__name__}{where}"


def at_the_door(function: Callable[P, R]) -> Callable[P, R]:
    """A function of the package that raises a :class:`Failure` where it would have raised one of :data:`FAULTS`."""

    @wraps(function)
    def guarded(*arguments: P.args, **named: P.kwargs) -> R:
        try:
            return function(*arguments, **named)
        except FAULTS as error:
            raise failure(error, f"zermelo: {function.__qualname__}") from error

    return guarded
