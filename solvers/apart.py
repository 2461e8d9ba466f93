"""Searches in a process of their own: what cannot be asked to stop can be stopped all the same."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from multiprocessing import get_all_start_methods, get_context
from multiprocessing.connection import Connection
from time import perf_counter
from typing import Any, TypeVar

Found = TypeVar("Found")


def until(seconds: float, search: Callable[[], Iterator[Found]]) -> Iterator[Found]:
    """What a search yields until it ends or the time is up; then its process is ended. Where processes cannot be forked
    (Windows, macOS) it runs here, to its end. What goes wrong in the process is the end of it, too."""
    if "fork" not in get_all_start_methods() or sys.platform == "darwin":
        yield from search()
        return
    context, end = get_context("fork"), perf_counter() + seconds
    here, there = context.Pipe(duplex=False)
    process = context.Process(target=_send, args=(there, search))
    process.start()
    there.close()
    try:
        while here.poll(max(0.0, end - perf_counter())):
            yield here.recv()
    except EOFError:
        return
    finally:
        process.kill()
        process.join()


def _send(there: Connection, search: Callable[[], Iterator[Any]]) -> None:
    for found in search():
        there.send(found)
