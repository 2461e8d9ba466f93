"""Libraries that not everybody needs: a missing one is named with the extra that brings it."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from grammar.diagnostics import ZermeloError


def imported(module: str, extra: str, purpose: str) -> Any:
    """A module of an optional library; raises ``ZermeloError`` (``extra-missing``) where it is not installed.
    ``purpose`` completes "it is needed for"."""
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        raise ZermeloError(
            "extra-missing",
            f"the library {module.partition('.')[0]} is needed for {purpose}, and it is not installed",
            f"pip install 'zermelo[{extra}]'",
        ) from error
