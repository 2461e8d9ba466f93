"""Libraries that are imported when they are needed: an error says how to install one that is missing.

Those for exact solutions are installed with Zermelo, which is broken without them (``broken-installation``); an *extra*
installs others, which few need (``library-missing``).
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from typing import Any, Final

from zermelo.grammar.diagnostics import ZermeloError

_BROKEN: Final = (ImportError, OSError, AttributeError, LookupError, RuntimeError, SyntaxError, TypeError, ValueError)
"""The exceptions of importing a library that is installed incompletely or with incompatible others."""


def import_library(module: str, purpose: str, extra: str = "", having: str = "") -> Any:
    """A module of a library; raises ``ZermeloError`` (``library-missing`` or ``broken-installation``) if it is not
    installed, is a version without the name ``having``, or cannot be loaded. ``purpose`` completes "it is needed for";
    ``extra`` is the one that installs the library, if Zermelo alone does not."""
    name = module.partition(".")[0]
    try:
        found = import_module(module)
    except ModuleNotFoundError as error:
        raise _missing_library(
            f"the library {name} is needed for {purpose}, and it is not installed", name, extra
        ) from error
    except _BROKEN as error:
        raise broken_library(name, purpose, extra, f"it cannot be loaded: {summarize_error(error)}") from error
    if having and not hasattr(found, having):
        raise _missing_library(f"a newer version of the library {name} is needed for {purpose}", name, extra)
    return found


@contextmanager
def silence_streams() -> Iterator[None]:
    """A block in which all that a library writes to the streams of the process is lost. A banner would be read as part
    of the answer; and a library in C writes past ``sys.stdout``."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(AttributeError, OSError, ValueError):  # it is closed, or the process has none
            stream.flush()
    kept = {number: os.dup(number) for number in list(filter(_is_open, (1, 2)))}
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        for number in kept:
            os.dup2(nowhere, number)
        yield
    finally:
        _flush_c_streams()
        for number, stream_there in kept.items():
            os.dup2(stream_there, number)
            os.close(stream_there)
        os.close(nowhere)


def _is_open(number: int) -> bool:
    try:
        os.fstat(number)
    except OSError:
        return False
    return True


def _flush_c_streams() -> None:
    """Write what the streams of C hold back, which is much if they lead to a pipe."""
    if os.name == "posix":
        import ctypes

        ctypes.CDLL(None).fflush(None)


def broken_library(name: str, purpose: str, extra: str, why: str) -> ZermeloError:
    """The error for a library that is installed and does not work."""
    said = f"the library {name} is needed for {purpose}, and the one that is installed cannot be used ({why})"
    return ZermeloError(_error_code(extra), said, f"pip install --upgrade {_distribution_name(name, extra)}")


def summarize_error(error: BaseException) -> str:
    """The type of an exception and the beginning of its message."""
    said = str(error).partition("\n")[0][:200]
    return f"{type(error).__name__}: {said}" if said else type(error).__name__


def _missing_library(said: str, name: str, extra: str) -> ZermeloError:
    return ZermeloError(_error_code(extra), said, f"pip install {_distribution_name(name, extra)}")


def _error_code(extra: str) -> str:
    return "library-missing" if extra else "broken-installation"


def _distribution_name(name: str, extra: str) -> str:
    """What to install: the extra, or the library itself, as it is named where it is published."""
    if extra:
        return f"'zermelo[{extra}]'"
    return "python-flint" if name == "flint" else name
