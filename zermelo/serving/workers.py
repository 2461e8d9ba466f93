"""Processes that work on questions, so that a game never runs in the process of the server.

A process works on one question at a time. It is interrupted if nobody waits for the answer any more. One that has not
answered in its time, or does not heed an interrupt, is killed; a new one takes its place, forked from a process that
has everything imported. Questions wait in the order in which they came, and one that is taken back while it waits has
cost nothing: so a text that has been superseded while somebody types is hardly looked at.

Solving and looking have processes of their own (:class:`Workers` twice), so that findings do not wait for searches.
A question that would have to wait is tried for a moment by others, so that a small one does not wait for long ones.
"""

from __future__ import annotations

import asyncio
import os
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from multiprocessing import get_all_start_methods, get_context
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from threading import Lock
from typing import Any, Final

from attrs import define, field

from zermelo.foundation.memory import resident_bytes
from zermelo.serving.processes import BESIDE, PROGRESS, TAKEN_BACK
from zermelo.serving.questions import (
    Refusal,
    lost_process_refusal,
    too_long_refusal,
    too_many_waiting_refusal,
    too_much_memory_refusal,
)

_STARTING: Final = Lock()
"""Held while a process is started: the standard library does not say that two threads may do that at once."""

_WAITING: Final = 200
"""How many questions may wait."""

_MERCY: Final = 3.0
"""Seconds that a process has to say in words that its time is up."""

_GRACE: Final = 1.0
"""Seconds in which a process has to stop work that nobody waits for any more."""

_LOOK: Final = 0.2
"""Seconds between two looks at the memory of a process."""

_MOMENT: Final = 1.0
"""Seconds for which a question that would have to wait is tried by others."""

_INSIDE: Final = "zermelo.serving.worker"

Answer = tuple[int, bytes]
"""A status of HTTP, and JSON."""

Hear = Callable[[str], None]


def context() -> Any:
    """How processes begin: forked from one that has everything imported, where the system can."""
    if "forkserver" not in get_all_start_methods():
        return get_context("spawn")
    found = get_context("forkserver")
    found.set_forkserver_preload([_INSIDE])
    return found


def _work(line: Connection, *limits: Any) -> None:
    """What a process begins with; the server itself imports none of it."""
    from zermelo.serving.worker import work

    work(line, *limits)


@define(eq=False)
class Worker:
    """A process, and the line to it. ``ended`` says why the server has ended it."""

    process: BaseProcess
    line: Connection
    ended: Refusal | None = None

    def end(self, why: Refusal) -> None:
        self.ended = self.ended or why
        self.process.kill()

    def interrupt(self) -> None:
        """Tell the process that nobody waits for its answer; the question after it is not yet sent."""
        if TAKEN_BACK is not None and self.process.pid is not None:
            with suppress(ProcessLookupError):
                os.kill(self.process.pid, TAKEN_BACK)

    def bury(self) -> None:
        """Wait for the end of the process, which has been told to end, or is about to."""
        self.process.join(_MERCY)
        self.process.kill()
        self.process.join()
        self.line.close()


@define(eq=False)
class Workers:
    """``count`` processes, with limits for each question: ``seconds``, and ``memory`` in bytes. ``niceness`` is how far
    they stand back for others. While all of them work, ``others`` try a question for a moment before it waits."""

    context: Any
    count: int
    seconds: float
    memory: int
    niceness: int = 0
    others: Workers | None = None
    _idle: list[Worker] = field(factory=list)  # the one that has worked last comes last: it knows the latest texts
    _all: set[Worker] = field(factory=set)
    _waiting: deque[asyncio.Future[Worker]] = field(factory=deque)
    _threads: ThreadPoolExecutor = field(init=False)
    _tasks: set[asyncio.Task[Any]] = field(factory=set)  # the event loop alone would not keep them alive
    _is_open: bool = True

    @_threads.default
    def _some_threads(self) -> ThreadPoolExecutor:
        return ThreadPoolExecutor(self.count + 1, "workers")

    def open(self) -> None:
        """Let the processes begin."""
        for _ in range(self.count):
            self._begin(self._hire())

    async def close(self) -> None:
        """End all processes, whatever they do."""
        self._is_open = False
        for worker in self._all:
            worker.process.kill()
        for turn in self._waiting:
            turn.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._threads.shutdown()

    async def answer(self, name: str, data: bytes, hear: Hear | None = None) -> Answer:
        """The answer to a question; ``hear`` gets words about progress. If the caller is cancelled the question is
        taken back."""
        if self.others is not None and not self._idle:
            with suppress(TimeoutError):
                return await self.others._attempt(name, data, hear, _MOMENT)
        return await self._attempt(name, data, hear)

    async def _attempt(self, name: str, data: bytes, hear: Hear | None, most: float | None = None) -> Answer:
        """The answer of one of these processes. Raises ``TimeoutError`` after ``most`` seconds of work."""
        worker = await self._wait_for_worker(hear)
        if isinstance(worker, Refusal):
            return worker.status, worker.content
        work = self._begin(self._work(worker, name, data, hear))
        try:
            async with asyncio.timeout(most):
                return await asyncio.shield(work)
        except (asyncio.CancelledError, TimeoutError):
            if work.done():  # the answer has come at the same moment, and the process may have the next question
                raise
            worker.interrupt()
            asyncio.get_running_loop().call_later(_GRACE, self._forsake, worker, work)
            raise

    def _forsake(self, worker: Worker, work: asyncio.Task[Answer]) -> None:
        """Ends a process that goes on with what nobody waits for."""
        if not work.done():
            worker.end(lost_process_refusal(None))

    async def _wait_for_worker(self, hear: Hear | None) -> Worker | Refusal:
        """A process that has nothing to do; waits for one."""
        while self._idle:
            worker = self._idle.pop()
            if worker.process.is_alive():
                return worker
            self._begin(self._replace(worker))  # somebody else has ended it
        if len(self._waiting) >= _WAITING:
            return too_many_waiting_refusal(len(self._waiting))
        turn: asyncio.Future[Worker] = asyncio.get_running_loop().create_future()
        self._waiting.append(turn)
        self._tell_ahead(hear)
        try:
            return await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self._give(turn.result())
            with suppress(ValueError):
                self._waiting.remove(turn)
            raise

    def _tell_ahead(self, hear: Hear | None) -> None:
        if hear is not None and len(self._all) == self.count:
            ahead = len(self._waiting) - 1
            before = f", and {ahead} {'wait' if ahead > 1 else 'waits'} before you" if ahead else ""
            hear(f"waiting: all processes are at work{before}")

    def _give(self, worker: Worker) -> None:
        """A process has nothing to do any more: the next question is for it."""
        while self._waiting:
            turn = self._waiting.popleft()
            if not turn.done():
                turn.set_result(worker)
                return
        self._idle.append(worker)

    async def _work(self, worker: Worker, name: str, data: bytes, hear: Hear | None) -> Answer:
        loop = asyncio.get_running_loop()
        over = loop.call_later(self.seconds + _MERCY, worker.end, too_long_refusal(self.seconds))

        def forward(words: str) -> None:
            if hear is not None:
                loop.call_soon_threadsafe(hear, words)

        watch = self._begin(self._watch(worker))
        try:
            said = await loop.run_in_executor(self._threads, _exchange, worker.line, name, data, forward)
        finally:
            over.cancel()
            watch.cancel()
        if said is None:
            await loop.run_in_executor(self._threads, worker.bury)
            self._begin(self._replace(worker))
            refusal = worker.ended or lost_process_refusal(worker.process.exitcode)
            return refusal.status, refusal.content
        answer, is_last = said
        if is_last or worker.ended is not None:
            self._begin(self._replace(worker))
        else:
            self._give(worker)
        return answer

    async def _watch(self, worker: Worker) -> None:
        """Ends a process that comes to use too much memory. Solvers count the memory that they take themselves; this is
        for memory that nobody counts."""
        while worker.ended is None:
            await asyncio.sleep(_LOOK)
            if resident_bytes(worker.process.pid or 0) > self.memory + BESIDE:
                worker.end(too_much_memory_refusal(self.memory))

    async def _replace(self, worker: Worker) -> None:
        self._all.discard(worker)
        worker.process.kill()
        await asyncio.get_running_loop().run_in_executor(self._threads, worker.bury)
        await self._hire()

    async def _hire(self) -> None:
        """A new process."""
        if not self._is_open:
            return
        worker = await asyncio.get_running_loop().run_in_executor(self._threads, self._start_worker)
        if self._is_open:
            self._all.add(worker)
            self._give(worker)
        else:
            worker.process.kill()

    def _start_worker(self) -> Worker:
        ours, theirs = self.context.Pipe()
        limits = self.seconds, self.memory, self.niceness
        process = self.context.Process(target=_work, args=(theirs, *limits), daemon=True)
        with _STARTING:
            process.start()
        theirs.close()
        return Worker(process, ours)

    def _begin(self, work: Any) -> asyncio.Task[Any]:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task


def _exchange(line: Connection, name: str, data: bytes, hear: Hear) -> tuple[Answer, bool] | None:
    """Asks a process, and waits for its answer, and whether that is its last; None if it ends without one."""
    with suppress(EOFError, OSError):
        line.send_bytes(name.encode() + b"\n" + data)
        while True:
            head, _, content = line.recv_bytes().partition(b"\n")
            status, is_last = map(int, head.split())
            if status != PROGRESS:
                return (status, content), bool(is_last)
            hear(content.decode())
    return None
