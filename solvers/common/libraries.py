"""Libraries that are imported when they are needed, and searches in a process of their own."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final, TypeVar

from zermelo.foundation.memory import address_space_bytes
from zermelo.grammar.diagnostics import ZermeloError

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.process import BaseProcess
    from threading import Event

# Libraries that are imported when they are needed: an error says how to install one that is missing.
#
# Those for exact solutions are installed with Zermelo, which is broken without them (``broken-installation``); an
# *extra* installs others, which few need (``library-missing``). Python in a browser has none of them
# (``machine-unavailable``).


_BROKEN: Final = (ImportError, OSError, AttributeError, LookupError, RuntimeError, SyntaxError, TypeError, ValueError)
"""The exceptions of importing a library that is installed incompletely or with incompatible others."""


def import_library(module: str, purpose: str, extra: str = "", having: str = "") -> Any:
    """A module of a library. ``purpose`` completes "it is needed for"; ``extra`` is the one that installs the library,
    if Zermelo alone does not.

    Raises ``ZermeloError`` (``library-missing``, ``broken-installation`` or, in a browser, ``machine-unavailable``) if
    it is not installed, is a version without the name ``having``, or cannot be loaded."""
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
    if sys.platform == "emscripten":
        where = f"`pip install {_distribution_name('zermelo', extra)}` brings what it needs to your machine"
        return ZermeloError("machine-unavailable", f"{said}: Python in a browser runs no machine code", where)
    return ZermeloError(_error_code(extra), said, f"pip install {_distribution_name(name, extra)}")


def _error_code(extra: str) -> str:
    return "library-missing" if extra else "broken-installation"


def _distribution_name(name: str, extra: str) -> str:
    """What to install: the extra, or the library itself, as it is named where it is published."""
    if extra:
        return f"'zermelo[{extra}]'"
    return "python-flint" if name == "flint" else name


# Searches in a process of their own, which can be stopped even if they do not cooperate.


Found = TypeVar("Found")

_LONGEST: Final = 3600.0
"""Seconds of waiting at a time: the system limits them."""


class SearchFailed(Exception):
    """The search failed, or ended its process; the message says how, in a line."""


def results_until(
    seconds: float, memory: int, search: Callable[[], Iterator[Found]], given_up: Event | None = None
) -> Iterator[Found]:
    """The results of a search until it ends, the time is up, or it is ``given_up``; then its process is ended. It may
    take ``memory`` bytes more than this process has. If processes cannot be forked (Windows, macOS) it runs here, to
    its end.

    Raises :class:`SearchFailed`, after the results so far: the search is another program's, and its exceptions, or a
    crash of its process, end the search alone. No list says which exceptions those are, so all are caught; the
    user reads that the other program failed, and how."""
    from multiprocessing import get_all_start_methods, get_context  # which takes milliseconds

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
        while _wait_for_result(here, end, given_up):
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


def end_with_parent() -> None:
    """Let this process, a forked one, end as soon as the one that waits for it does, even if that is killed and can
    say nothing. Only Linux does that."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_SET_DEATH_SIGNAL, signal.SIGKILL)


_MOMENT: Final = 0.1
"""The seconds after which it is noticed that a search is given up."""

_SET_DEATH_SIGNAL: Final = 1
"""``PR_SET_PDEATHSIG`` of ``<sys/prctl.h>``."""


def _wait_for_result(here: Connection, end: float, given_up: Event | None) -> bool:
    """Wait until there is something to receive; False if the time is up, or nobody waits for it any more."""
    longest = _LONGEST if given_up is None else _MOMENT
    while not here.poll(max(0.0, min(end - perf_counter(), longest))):
        if perf_counter() >= end or (given_up is not None and given_up.is_set()):
            return False
    return True


def _send_results(there: Connection, memory: int, search: Callable[[], Iterator[Any]]) -> None:
    """Send each result as a pair of a 1-tuple and None; at the end a pair of None and the failure, None if there is
    none. Error output is discarded."""
    end_with_parent()
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
    if taken := address_space_bytes():
        import resource

        _, most = resource.getrlimit(resource.RLIMIT_AS)
        wanted = taken + memory
        resource.setrlimit(resource.RLIMIT_AS, (wanted if most == resource.RLIM_INFINITY else min(wanted, most), most))
