"""Optional libraries: errors name the extra that installs a missing one."""

from __future__ import annotations

from importlib import import_module
from typing import Any, Final

from zermelo.grammar.diagnostics import ZermeloError

_BROKEN: Final = (ImportError, OSError, AttributeError, LookupError, RuntimeError, SyntaxError, TypeError, ValueError)
"""The exceptions of importing a library that is installed incompletely or with incompatible others."""


def imported(module: str, extra: str, purpose: str, having: str = "") -> Any:
    """A module of an optional library; raises ``ZermeloError`` (``extra-missing``) if it is not installed, is a version
    without the name ``having``, or cannot be loaded. ``purpose`` completes "it is needed for"."""
    name = module.partition(".")[0]
    try:
        found = import_module(module)
    except ModuleNotFoundError as error:
        raise _missing(f"the library {name} is needed for {purpose}, and it is not installed", extra) from error
    except _BROKEN as error:
        raise unusable(name, extra, purpose, f"it cannot be loaded: {in_a_line(error)}") from error
    if having and not hasattr(found, having):
        raise _missing(f"a newer version of the library {name} is needed for {purpose}", extra)
    return found


def unusable(name: str, extra: str, purpose: str, why: str) -> ZermeloError:
    """The error (``extra-missing``) for a library that is installed and does not work."""
    said = f"the library {name} is needed for {purpose}, and the one that is installed cannot be used ({why})"
    return ZermeloError("extra-missing", said, f"pip install --upgrade 'zermelo[{extra}]'")


def in_a_line(error: BaseException) -> str:
    """The type of an exception and the beginning of its message."""
    said = str(error).partition("\n")[0][:200]
    return f"{type(error).__name__}: {said}" if said else type(error).__name__


def _missing(said: str, extra: str) -> ZermeloError:
    return ZermeloError("extra-missing", said, f"pip install 'zermelo[{extra}]'")
