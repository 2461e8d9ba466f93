"""Searches in a process of their own, which can be stopped even if they do not cooperate."""

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

from zermelo.solvers.common.libraries import summarize_error

Found = TypeVar("Found")

_LONGEST: Final = 3600.0
"""Seconds of waiting at a time: the system limits them."""


class SearchFailed(Exception):
    """The search failed, or ended its process; the message says how, in a line."""


def results_until(seconds: float, memory: int, search: Callable[[], Iterator[Found]]) -> Iterator[Found]:
    """The results of a search until it ends or the time is up; then its process is ended. It may take ``memory`` bytes
    more than this process has. If processes cannot be forked (Windows, macOS) it runs here, to its end.

    Raises :class:`SearchFailed`, after the results so far: the search is another program's, and its exceptions, or a
    crash of its process, end the search alone. No list says which exceptions those are, so all are caught; the
    user reads that the other program failed, and how."""
    if "fork" not in get_all_start_methods() or sys.platform == "darwin":
        try:
            yield from search()
        except Exception as error:  # whatever another program raises
            raise SearchFailed(summarize_error(error)) from error
        return
    context, end = get_context("fork"), perf_counter() + seconds
    here, there = context.Pipe(duplex=False)
    process = context.Process(target=_send_results, args=(there, memory, search))
    try:
        start_ignoring_interrupts(process)
        there.close()
        while _wait_for_result(here, end):
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


def start_ignoring_interrupts(process: BaseProcess) -> None:
    """Start a forked process that ignores interrupts: the process that waits for it handles them, and ends it. Signals
    are blocked until it has started, so that it can be ended."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        process.start()
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _wait_for_result(here: Connection, end: float) -> bool:
    """Wait until there is something to receive; False if the time is up."""
    while not here.poll(max(0.0, min(end - perf_counter(), _LONGEST))):
        if perf_counter() >= end:
            return False
    return True


def _send_results(there: Connection, memory: int, search: Callable[[], Iterator[Any]]) -> None:
    """Send each result as a pair of a 1-tuple and None; at the end a pair of None and the failure, None if there is
    none. Error output is discarded."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    _limit_memory(memory)
    wrong = None
    try:
        for found in search():
            there.send(((found,), None))
    except Exception as error:  # whatever another program raises: it is raised again in the process that waits
        wrong = summarize_error(error)
    there.send((None, wrong))


def _limit_memory(memory: int) -> None:
    """Limit this process to ``memory`` bytes more than it has now, if the system supports that."""
    taken = Path("/proc/self/statm")
    if taken.exists():
        import resource

        whole = int(taken.read_text().split()[0]) * resource.getpagesize()
        _, most = resource.getrlimit(resource.RLIMIT_AS)
        wanted = whole + memory
        resource.setrlimit(resource.RLIMIT_AS, (wanted if most == resource.RLIM_INFINITY else min(wanted, most), most))
