"""Searches in a process of their own: what cannot be asked to stop can be stopped all the same."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator
from multiprocessing import get_all_start_methods, get_context
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from time import perf_counter
from typing import Any, Final, TypeVar

from zermelo.solvers.common.extras import in_a_line

Found = TypeVar("Found")

_LONGEST: Final = 3600.0
"""Seconds of waiting at a time: the system does not wait for ever."""


class SearchFailed(Exception):
    """The search went wrong, or ended its process; the message says how, in a line."""


def until(seconds: float, memory: int, search: Callable[[], Iterator[Found]]) -> Iterator[Found]:
    """What a search yields until it ends or the time is up; then its process is ended. It may take so many bytes of
    ``memory`` more than this process has. Where processes cannot be forked (Windows, macOS) it runs here, to its end.

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
    process = context.Process(target=_send, args=(there, memory, search))
    try:
        start_deaf(process)
        there.close()
        while _has_come(here, end):
            found, wrong = here.recv()
            if wrong is not None:
                raise SearchFailed(wrong)
            if found is None:
                return
            yield found[0]
    except EOFError as error:
        raise SearchFailed("its process ended") from error
    finally:
        if process.pid is not None:
            process.kill()
            process.join()
        here.close()


def start_deaf(process: BaseProcess) -> None:
    """Start a forked process that hears no interrupt: who waits for it does, and ends it. What comes meanwhile is held
    back until it is there to be ended."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        process.start()
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _has_come(here: Connection, end: float) -> bool:
    """Wait until there is something to receive, or, and then it is false, the time is up."""
    while not here.poll(max(0.0, min(end - perf_counter(), _LONGEST))):
        if perf_counter() >= end:
            return False
    return True


def _send(there: Connection, memory: int, search: Callable[[], Iterator[Any]]) -> None:
    """Send what is found, one by one, each as a pair of a tuple of it and None; then None and what went wrong, None
    where nothing did. Nobody reads what is complained of here."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    _allow(memory)
    wrong = None
    try:
        for found in search():
            there.send(((found,), None))
    except Exception as error:  # of another program; it is told where somebody waits for it
        wrong = in_a_line(error)
    there.send((None, wrong))


def _allow(memory: int) -> None:
    """Let this process have so many bytes more than by now; where the system does not tell, as many as it likes."""
    taken = Path("/proc/self/statm")
    if taken.exists():
        import resource

        whole = int(taken.read_text().split()[0]) * resource.getpagesize()
        _, most = resource.getrlimit(resource.RLIMIT_AS)
        wanted = whole + memory
        resource.setrlimit(resource.RLIMIT_AS, (wanted if most == resource.RLIM_INFINITY else min(wanted, most), most))
