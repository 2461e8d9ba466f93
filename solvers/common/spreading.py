"""Spreading work that needs no exchange: tasks that do not know of each other are done at once, by processes of this
computer, or by the workers of a cluster (:mod:`.cluster`).

What comes of a task depends on the task alone: whatever is drawn at random in it has a seed of its own, so who does it,
and how many do, is of no importance.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor
from concurrent.futures import wait as wait_for_threads
from multiprocessing import get_all_start_methods, get_context
from multiprocessing.connection import Connection, wait
from sys import platform
from threading import Event
from typing import Any, Final, TypeVar

from attrs import field, frozen

from zermelo.foundation.deadline import check_deadline, lift_deadline
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.solvers.common.libraries import end_with_parent, start_ignoring_interrupts

Task = TypeVar("Task")
Result = TypeVar("Result")

MOMENT: Final = 0.2
"""The seconds of waiting after which the deadline is checked."""


class Spread(ABC):
    """Those who do tasks."""

    @abstractmethod
    def map(self, work: Callable[[Task], Result], tasks: Sequence[Task]) -> Iterator[tuple[int, Result]]:
        """What comes of each task, with the number of the task, as they are done. The deadline is that of who waits:
        when it has passed, or the iterator is closed, what is being done is given up. Raises what ``work`` raises,
        which may be ``ZermeloError`` alone, and ``ZermeloError`` if those who work end early."""

    def in_order(self, work: Callable[[Task], Result], tasks: Sequence[Task]) -> Iterator[Result]:
        """What comes of each task, in the order of the tasks."""
        waiting, number = dict[int, Result](), 0
        for found, result in self.map(work, tasks):
            waiting[found] = result
            while number in waiting:
                yield waiting.pop(number)
                number += 1


@frozen
class ForeignError:
    """A ``ZermeloError`` of another process, which is a result there."""

    error: ZermeloError


@frozen
class InThreads(Spread):
    """So many threads of this process, for work that waits for a process of its own, as long as the work is not
    ``given_up``, as it is by an interrupt: the others come to an end then."""

    count: int
    given_up: Event = field(factory=Event, eq=False, repr=False)

    def map(self, work: Callable[[Task], Result], tasks: Sequence[Task]) -> Iterator[tuple[int, Result]]:
        pool = ThreadPoolExecutor(self.count)
        self.given_up.clear()
        try:
            running = {pool.submit(work, task): number for number, task in enumerate(tasks)}
            while running:
                check_deadline()
                done, _ = wait_for_threads(running, MOMENT, FIRST_COMPLETED)
                for each in done:
                    yield running.pop(each), each.result()
        finally:
            self.given_up.set()
            pool.shutdown(cancel_futures=True)


@frozen
class InProcesses(Spread):
    """So many processes of this computer, copies of this one: they have all that it has. Each takes the next task when
    it is done with one. Where processes cannot be copied (Windows, macOS), this one alone."""

    count: int

    def map(self, work: Callable[[Task], Result], tasks: Sequence[Task]) -> Iterator[tuple[int, Result]]:
        if "fork" not in get_all_start_methods() or platform == "darwin":
            yield from ((number, work(task)) for number, task in enumerate(tasks))
            return
        context = get_context("fork")
        running, open_ends, begun = [], [], context.Value("q", 0)
        try:
            for _ in range(min(self.count, len(tasks))):
                here, there = context.Pipe(duplex=False)
                open_ends.append(here)
                process = context.Process(target=_send, args=(there, work, tasks, begun))
                start_ignoring_interrupts(process)
                running.append(process)
                there.close()
            left = len(tasks)
            while left:
                check_deadline()
                for ready in wait(open_ends, MOMENT):
                    assert isinstance(ready, Connection), "only these are waited for"
                    try:
                        received = ready.recv()
                    except EOFError:  # it has sent all, or has been ended by the system
                        open_ends.remove(ready)
                        ready.close()
                        continue
                    if isinstance(received, ForeignError):
                        raise received.error
                    left -= 1
                    yield received
                if left and not open_ends:
                    raise ZermeloError("out-of-memory", "a process has ended early", "--jobs 1 needs the least memory")
        finally:
            for process in running:
                process.kill()
                process.join()


def _send(there: Connection, work: Callable[[Any], Any], tasks: Sequence[Any], begun: Any) -> None:
    """The work of a process: tasks, or the first error. So many have been ``begun`` by all."""
    end_with_parent()
    lift_deadline()
    try:
        while (number := _next_number(begun)) < len(tasks):
            there.send((number, work(tasks[number])))
    except ZermeloError as error:
        there.send(ForeignError(error))


def _next_number(begun: Any) -> int:
    with begun.get_lock():
        begun.value += 1
        return int(begun.value) - 1
