"""Algorithms imported when they are first run: a process runs few of them, and starts faster."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any


def lazily(module: str, name: str) -> Callable[..., Any]:
    """The function ``name`` of a module of :mod:`solvers`, imported at the first call."""

    def function(*arguments: Any) -> Any:
        return getattr(import_module(f"zermelo.solvers.{module}"), name)(*arguments)

    return function
