"""Workers of a Ray cluster: actors, each a process of its own on a node of the cluster, that do what they are asked.

This is the only file that knows Ray. Tables are made by workers that own shards
(:mod:`zermelo.solvers.tables.cluster`); tasks that need no exchange are given to whoever is free (:class:`OnCluster`).

A worker may end at any moment. Then another takes its place, and what it had not finished is done again, unless workers
end at that again and again.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stdout
from functools import cache
from hashlib import sha256
from math import inf
from pathlib import Path
from socket import create_connection
from tempfile import mkdtemp
from threading import current_thread
from time import perf_counter, sleep
from typing import Any, Final, TextIO, TypeVar, cast

from attrs import define, field, frozen

from zermelo.foundation.deadline import check_deadline, lift_deadline
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.solvers.common.libraries import import_library, silence_streams, summarize_error
from zermelo.solvers.common.spreading import ForeignError, Spread

Task = TypeVar("Task")
Result = TypeVar("Result")

_QUIET: Final = {"RAY_USAGE_STATS_ENABLED": "0", "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0"}
"""What Ray is told by its environment: not to tell anybody how it is used, and not to warn of changes to come."""

_STORE: Final = 100 << 20
"""The bytes of the object store of a cluster on this computer. Hardly anything goes through it."""

_TICK: Final = 0.2
"""Seconds between two looks at the limits."""

_START: Final = 120.0
"""Seconds within which workers should have started."""

_KNOCK: Final = 10.0
"""Seconds within which a cluster should answer."""

_LOSSES: Final = 3
"""So many times workers may be lost at the same part of the work."""

_AT_START: Final = -1
"""The number of what comes before all parts."""

_PARTS_EACH: Final = 16
"""So many times a worker is given tasks, at least, if there are so many."""

_MOST_TASKS: Final = 64
"""The most tasks that a worker is given at a time."""


def failed(why: str, help: str = "") -> ZermeloError:
    """The error of a cluster that cannot be used."""
    return ZermeloError("cluster-failed", why, help)


@cache
def program_digest() -> str:
    """A digest of the program, which is the same on all nodes."""
    digest, home = sha256(), Path(__file__).parents[2]
    for folder, folders, names in os.walk(home, followlinks=True):
        folders.sort()
        for name in sorted(names):
            if name.endswith((".py", ".lark")):
                path = Path(folder, name)
                digest.update(f"{path.relative_to(home)}\n".encode() + path.read_bytes())
    return digest.hexdigest()


# Those who work.


class LostWorkers(Exception):
    """Workers of these ``numbers`` have ended in the middle of what they were asked, in a way that the message says."""

    def __init__(self, numbers: Sequence[int], why: str) -> None:
        super().__init__(why)
        self.numbers = numbers


@frozen
class Greeting:
    """Where a worker is: the ``node``, and a digest of its ``program``."""

    node: str
    program: str

    @classmethod
    def of_this_process(cls) -> Greeting:
        """That of the actor in this process."""
        import ray

        return cls(ray.get_runtime_context().get_node_id(), program_digest())


@frozen
class _Ended:
    """In place of an answer: the worker has ended before it gave one, in a way that ``why`` says."""

    why: str


@define(eq=False)
class Crew:
    """The ``workers`` that a cluster has given; ``hire`` makes the one of a number. ``pause`` is called now and then
    while they work."""

    ray: Any
    hire: Callable[[int], Any]
    workers: list[Any]
    pause: Callable[[], None]
    _losses: Counter[int] = field(factory=Counter)

    def greetings(self) -> dict[int, Greeting]:
        """Where the workers are, when all have started. Raises as :meth:`ask` does, and ``ZermeloError``
        (``cluster-failed``) if one has another program."""
        found = self.ask({number: worker.greet.remote() for number, worker in enumerate(self.workers)}, _START)
        if any(greeting.program != program_digest() for greeting in found.values()):
            raise failed("a node of the cluster has another version of Zermelo", "all have to have the same")
        return found

    def ask(self, asked: Mapping[int, Any], within: float = inf) -> dict[int, Any]:
        """The answers of workers, when all have come to an end. Raises their error, or :class:`LostWorkers`."""
        waiting, answers = {answer: number for number, answer in asked.items()}, dict[int, Any]()
        end = perf_counter() + within
        while waiting:
            come = self.come(waiting)
            if not come and perf_counter() > end:
                raise failed(f"the cluster has not started all workers within {within:.0f} s", "it may have no room")
            answers |= {waiting.pop(asked_for): answer for asked_for, answer in come}
        lost = {number: answer.why for number, answer in answers.items() if isinstance(answer, _Ended)}
        if lost:
            raise LostWorkers(sorted(lost), next(iter(lost.values())))
        for answer in answers.values():
            if isinstance(answer, ForeignError):
                raise answer.error
        return answers

    def come(self, asked: Collection[Any]) -> list[tuple[Any, Any]]:
        """What has come of all that is ``asked``, after a moment at most."""
        errors, found = self.ray.exceptions, list[tuple[Any, Any]]()
        done, _ = self.ray.wait(list(asked), timeout=_TICK)
        self.pause()
        for each in done:
            try:
                found.append((each, self.ray.get(each)))
            except errors.RayTaskError:
                raise
            except errors.RayError as error:
                found.append((each, _Ended(summarize_error(error))))
        return found

    def replace(self, lost: LostWorkers, what: int) -> None:
        """Let others take the place of those that have ended at some part of the work, of this number. Raises
        ``ZermeloError`` (``cluster-failed``) if that does not help."""
        self._losses[what] += 1
        if self._losses[what] > _LOSSES:
            raise failed(
                f"workers end again and again at the same work, the last one so: {lost}",
                "--memory is for each worker, and fewer of them take less; Zermelo has to be installed on all nodes",
            )
        for number in lost.numbers:
            self.workers[number] = self.hire(number)


@contextmanager
def hired(
    ray: Any, number: int, kind: type[Any], given: Callable[[int], tuple[Any, ...]], pause: Callable[[], None]
) -> Iterator[Crew]:
    """So many workers of a kind, for the time of the block. The one of each number is made of what is ``given``."""
    actor = ray.remote(num_cpus=1, scheduling_strategy="SPREAD")(kind)

    def hire(each: int) -> Any:
        return actor.remote(*given(each))

    crew = Crew(ray, hire, list(map(hire, range(number))), pause)
    try:
        yield crew
    finally:
        if ray.is_initialized():  # else they have ended with the cluster, or with having joined it
            for worker in crew.workers:
                ray.kill(worker)


# Tasks that need no exchange.


class TaskWorker:
    """Does tasks, as an actor of Ray. ``pickled`` is the work."""

    def __init__(self, pickled: bytes) -> None:
        self._pickled = pickled
        self._work: Callable[[Any], Any] | None = None

    def greet(self) -> Greeting:
        return Greeting.of_this_process()

    def do(self, tasks: Sequence[Any]) -> list[Any] | ForeignError:
        import ray

        lift_deadline()
        try:
            if self._work is None:
                self._work = ray.cloudpickle.loads(self._pickled)
            return [self._work(task) for task in tasks]
        except ZermeloError as error:
            return ForeignError(error)


@frozen(eq=False)
class OnCluster(Spread):
    """So many workers of a cluster. Work is sent to them as a pickle, which reads the rules again there."""

    ray: Any
    number: int

    def map(self, work: Callable[[Task], Result], tasks: Sequence[Task]) -> Iterator[tuple[int, Result]]:
        pickled, number = self.ray.put(self.ray.cloudpickle.dumps(work)), max(1, min(self.number, len(tasks)))
        with hired(self.ray, number, TaskWorker, lambda _: (pickled,), check_deadline) as crew:
            _greet(crew)
            yield from self._map(crew, tasks)

    def _map(self, crew: Crew, tasks: Sequence[Any]) -> Iterator[tuple[int, Any]]:
        count = len(tasks)
        size = min(_MOST_TASKS, max(1, count // (_PARTS_EACH * len(crew.workers))))
        parts = (range(first, min(first + size, count)) for first in range(0, count, size))
        again, running, idle = list[range](), dict[Any, tuple[int, range]](), set(range(len(crew.workers)))
        while True:
            while idle and (part := again.pop() if again else next(parts, None)) is not None:
                number = idle.pop()
                running[crew.workers[number].do.remote([tasks[k] for k in part])] = number, part
            if not running:
                return
            for asked, answer in crew.come(running):
                number, part = running.pop(asked)
                idle.add(number)
                if isinstance(answer, ForeignError):
                    raise answer.error
                if isinstance(answer, _Ended):
                    again.append(part)
                    crew.replace(LostWorkers([number], answer.why), part.start)
                else:
                    yield from zip(part, answer, strict=True)


def _greet(crew: Crew) -> None:
    """Wait until all workers have started."""
    while True:
        try:
            crew.greetings()
            return
        except LostWorkers as lost:
            crew.replace(lost, _AT_START)


@contextmanager
def spread_on_cluster(workers: int | None, address: str) -> Iterator[OnCluster]:
    """So many workers of the cluster at an address, or as many as it has room for, for the time of the block. Raises as
    :func:`joined_cluster` does."""
    with joined_cluster(workers, address) as (ray, number):
        yield OnCluster(ray, number)


# Joining a cluster.


@contextmanager
def joined_cluster(workers: int | None, address: str | None) -> Iterator[tuple[Any, int]]:
    """The module of Ray, which has joined the cluster at an address or begun one on this computer, for the time of the
    block, and how many workers it is to have: as many as it has room for, if None. In a program that has joined one
    already, it is that one. Raises ``ZermeloError``: ``library-missing``, ``cluster-failed``."""
    for name, value in _QUIET.items():
        os.environ.setdefault(name, value)
    ray = import_library("ray", "several processes", "cluster", having="init")
    if ray.is_initialized():
        yield ray, workers or _room(ray)
        return
    scratch = mkdtemp(prefix="zermelo-")
    try:
        _join(ray, workers, address, scratch)
        room = _room(ray)
        if workers is not None and workers > room:
            raise failed(f"the cluster has room for {room} workers", "fewer --workers find room")
        with redirect_stdout(cast(TextIO, _WithoutRay(sys.stdout))):
            yield ray, workers or room
    finally:
        with silence_streams():
            ray.shutdown()
        shutil.rmtree(scratch, ignore_errors=True)


@frozen
class _WithoutRay:
    """A stream without what threads of Ray write: they tell of workers that end where the answer of a command is."""

    stream: Any

    def write(self, text: str) -> int:
        if current_thread().name.startswith("ray_"):
            return len(text)
        return int(self.stream.write(text))

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)


def _join(ray: Any, workers: int | None, address: str | None, scratch: str) -> None:
    """Join a cluster, or begin one that keeps its files in a folder for ``scratch``."""
    given: dict[str, Any] = {"address": address}
    if address is None:
        given = {"address": "local", "num_cpus": workers, "include_dashboard": False, "_temp_dir": scratch}
        given["object_store_memory"] = _STORE
    try:
        _knock(address or "")
        with silence_streams():
            ray.init(**given, log_to_driver=False, logging_level="ERROR", configure_logging=False)
    except (OSError, ValueError, RuntimeError) as error:
        where = "can be begun on this computer" if address is None else f"is at {address}"
        raise failed(
            f"no cluster of Ray {where}: {summarize_error(error)}", "`ray status` shows what runs on a cluster"
        ) from error


def _knock(address: str) -> None:
    """Raise ``OSError`` if nobody answers at the port of an address, for which Ray would wait long."""
    host, colon, port = address.rpartition(":")
    if colon and port.isdecimal():
        create_connection((host, int(port)), _KNOCK).close()


def _room(ray: Any) -> int:
    """For how many workers a cluster has room, in a while, as others may just have ended. Raises ``ZermeloError``
    (``cluster-failed``) if there is none."""
    end = perf_counter() + _KNOCK
    while not (room := int(ray.available_resources().get("CPU", 0))):
        if perf_counter() > end:
            raise failed("the cluster has no room for a worker", "`ray status` shows what runs on a cluster")
        sleep(_TICK)
    return room
