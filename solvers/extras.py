"""Libraries that not everybody needs: a missing one is named with the extra that brings it."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from grammar.diagnostics import ZermeloError


def imported(module: str, extra: str, purpose: str, having: str = "") -> Any:
    """A module of an optional library; raises ``ZermeloError`` (``extra-missing``) where it is not installed, or only
    in a version that does not have the name ``having``. ``purpose`` completes "it is needed for"."""
    name = module.partition(".")[0]
    try:
        found = import_module(module)
    except ModuleNotFoundError as error:
        raise _missing(f"the library {name} is needed for {purpose}, and it is not installed", extra) from error
    if having and not hasattr(found, having):
        raise _missing(f"a newer version of the library {name} is needed for {purpose}", extra)
    return found


def _missing(said: str, extra: str) -> ZermeloError:
    return ZermeloError("extra-missing", said, f"pip install 'zermelo[{extra}]'")
