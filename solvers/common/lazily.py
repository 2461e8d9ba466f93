"""Algorithms that are imported when they are first run: a process runs one of them, and starts the sooner."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any


def lazily(module: str, name: str) -> Callable[..., Any]:
    """The function ``name`` of a module of :mod:`solvers`, which is imported when it is called."""

    def function(*arguments: Any) -> Any:
        return getattr(import_module(f"zermelo.solvers.{module}"), name)(*arguments)

    return function
