"""Searches in a process of their own: what cannot be asked to stop can be stopped all the same."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator
from multiprocessing import get_all_start_methods, get_context
from multiprocessing.connection import Connection
from time import perf_counter
from typing import Any, TypeVar

from zermelo.solvers.common.extras import in_a_line

Found = TypeVar("Found")


class SearchFailed(Exception):
    """The search went wrong, or ended its process; the message says how, in a line."""


def until(seconds: float, search: Callable[[], Iterator[Found]]) -> Iterator[Found]:
    """What a search yields until it ends or the time is up; then its process is ended. Where processes cannot be forked
    (Windows, macOS) it runs here, to its end.

    Raises :class:`SearchFailed`, behind what was found before: the search is another program's, and whatever it raises,
    or does to its process, is the end of the search alone."""
    if "fork" not in get_all_start_methods() or sys.platform == "darwin":
        try:
            yield from search()
        except Exception as error:  # of another program
            raise SearchFailed(in_a_line(error)) from error
        return
    context, end = get_context("fork"), perf_counter() + seconds
    here, there = context.Pipe(duplex=False)
    process = context.Process(target=_send, args=(there, search))
    process.start()
    there.close()
    try:
        while here.poll(max(0.0, end - perf_counter())):
            found, wrong = here.recv()
            if wrong is not None:
                raise SearchFailed(wrong)
            if found is None:
                return
            yield found[0]
    except EOFError as error:
        raise SearchFailed("its process ended") from error
    finally:
        process.kill()
        process.join()
        here.close()


def _send(there: Connection, search: Callable[[], Iterator[Any]]) -> None:
    """Send what is found, one by one, each as a pair of a tuple of it and None; then None and what went wrong, None
    where nothing did. An interrupt is for the process that waits, and nobody reads what is complained of here."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    wrong = None
    try:
        for found in search():
            there.send(((found,), None))
    except Exception as error:  # of another program; it is told where somebody waits for it
        wrong = in_a_line(error)
    there.send((None, wrong))
