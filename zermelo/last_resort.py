"""The last resort: unexpected exceptions become errors in words, too.

Errors of users are found where they can be explained, and have codes of their own. Any other exception is a fault in
this program, or the system has no memory left. At the border of the package, the command line and the public functions
and methods, and nowhere else, it becomes a :class:`Failure`: an error with a code, which says what to report. Its cause
is the original exception; the command line shows that if the environment variable ``ZERMELO_TRACEBACK`` is set.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import wraps
from typing import Final, ParamSpec, TypeVar

from zermelo.arguments import check_arguments
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
"""Exceptions that, unlike a ``TypeError``, no wrong call of the package causes."""


_MISTAKES: Final = (AttributeError, TypeError, ValueError)
"""Exceptions that a wrong call of the package may cause."""


class Failure(ZermeloError):
    """The program failed: it has a fault (``internal-error``), or there is no memory left (``out-of-memory``)."""


def failure(error: BaseException, doing: str) -> Failure:
    """The failure for an unexpected exception; ``doing`` is the command line or the function."""
    if isinstance(error, MemoryError):
        return Failure(
            "out-of-memory",
            "there is not enough memory for this",
            "a smaller game may fit; --memory limits what searches store",
        )
    version = ".".join(map(str, sys.version_info[:3]))
    return Failure(
        "internal-error",
        f"this is a fault in Zermelo, not yours: {_kind(error)}",
        f"please report it, with the game, to the authors of Zermelo:\n"
        f"Zermelo {__version__}, Python {version} on {sys.platform}\n{doing}\n"
        "With ZERMELO_TRACEBACK=1 in the environment, the command line shows where it happened.",
    )


def _kind(error: BaseException) -> str:
    """The class of an exception, and where it was raised."""
    place, where = error.__traceback__, ""
    while place is not None:
        frame = place.tb_frame
        where = f" in {frame.f_globals.get('__name__', '?')}, line {place.tb_lineno}"
        place = place.tb_next
    return f"{type(error).__name__}{where}"


def wrap_internal_errors(function: Callable[P, R]) -> Callable[P, R]:
    """A public function, wrapped to raise an error that names an argument of the wrong kind, if one is to blame, and
    else a :class:`Failure` instead of one of :data:`FAULTS`."""

    @wraps(function)
    def call(*arguments: P.args, **named: P.kwargs) -> R:
        try:
            return function(*arguments, **named)
        except (*FAULTS, *_MISTAKES) as error:
            check_arguments(function, arguments, named)
            if isinstance(error, FAULTS):
                raise failure(error, f"zermelo: {function.__qualname__}") from error
            raise

    return call
