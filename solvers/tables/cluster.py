"""Shards on a Ray cluster: the jobs of a step are done by workers, actors of Ray, each of which owns some shards.

This is the only file that knows Ray. Steps and reports, which are small, go through Ray; positions and mail are files
in the folder that all workers share. Mail could go through Ray's object store as arrays, but would have to be written
to the disk as well, before a round is final; and on one computer a file that has just been written is in shared memory,
too, that of the system.

A worker may end at any moment. Then the others come to the end of their jobs, what has been done since the checkpoint
is undone, a new worker takes the place of the one that is gone, and the algorithm begins again (:mod:`.rounds`).
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, redirect_stdout
from functools import cache
from hashlib import sha256
from math import inf
from pathlib import Path
from socket import create_connection
from tempfile import mkdtemp
from threading import current_thread
from time import perf_counter
from typing import Any, Final, TextIO, TypeVar, cast

from attrs import define, field, frozen

from zermelo.grammar.diagnostics import ZermeloError
from zermelo.solvers.common.libraries import import_library, silence_streams, summarize_error
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.tables.rounds import LostWorkers, Shards
from zermelo.solvers.tables.shards import Desk, MapStep, Report
from zermelo.solvers.tables.unfinished import Unfinished, lock_of, token_in

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
"""So many times in a row workers may be lost before a round is finished."""


def failed(why: str, help: str = "") -> ZermeloError:
    """The error of a cluster that cannot be used."""
    return ZermeloError("cluster-failed", why, help)


@cache
def program_digest() -> str:
    """A digest of the program that makes tables."""
    digest = sha256()
    for path in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()


# A worker.


@frozen
class JobError:
    """The error that a job has raised."""

    code: str
    message: str
    help: str


@frozen
class Greeting:
    """Where a worker is: the ``node``, a digest of its program, and the ``token`` that it reads in the folder."""

    node: str
    program: str
    token: str


class ShardWorker:
    """Does jobs, as an actor of Ray. It holds the lock of the folder as long as it lives."""

    def __init__(self, folder: str, count: int, number: int, memory: int) -> None:
        self.desk = Desk(Path(folder), count, number, Limits(memory=memory))
        self._lock: Any = None

    def greet(self) -> Greeting:
        import ray

        folder = self.desk.folder
        if self._lock is None and folder.is_dir():
            self._lock = lock_of(folder)
        token = "" if self._lock is None else token_in(folder)
        return Greeting(ray.get_runtime_context().get_node_id(), program_digest(), token)

    def provide(self, tool: Any, compiles: bool) -> None:
        self.desk.tool = tool
        if compiles:
            tool.compile()

    def work(self, step: MapStep) -> Report | JobError:
        try:
            return self.desk.work(step)
        except ZermeloError as error:
            return JobError(error.code, error.message, error.help)
        except OSError as error:
            return JobError("unwritable-file", f"cannot write {self.desk.folder}: {error.strerror or error}", "")
        except MemoryError:
            return JobError("out-of-memory", "there is not enough memory for a worker", "fewer workers take less")


# The shards.


@define(eq=False)
class ShardsOnCluster(Shards):
    """Shards of which each belongs to one of the ``workers``, actors that Ray starts."""

    ray: Any = field(kw_only=True)
    hire: Callable[[int], Any] = field(kw_only=True)
    workers: list[Any] = field(kw_only=True)
    _losses: int = 0
    _lost_at: int = -1

    def run(self, work: Callable[[], Result]) -> Result:
        while True:
            try:
                return work()
            except LostWorkers as lost:
                self._replace(lost)

    def _replace(self, lost: LostWorkers) -> None:
        """Come back to the checkpoint, with new workers. Raises ``ZermeloError`` (``cluster-failed``) if that has not
        helped."""
        self._losses = self._losses + 1 if self.work.number == self._lost_at else 1
        self._lost_at = self.work.number
        if self._losses > _LOSSES:
            raise failed(
                f"workers end again and again before a round is finished, the last one so: {lost}",
                "--memory is for each worker, and fewer --workers take less; Zermelo has to be installed on all nodes",
            )
        self.work.come_back()
        for number in lost.numbers:
            self.workers[number] = self.hire(number)
        self.begin_again()

    def provide(self, tool: Any) -> None:
        greetings = self._ask({number: worker.greet.remote() for number, worker in enumerate(self.workers)}, _START)
        firsts = dict[str, int]()
        for number, greeting in sorted(greetings.items()):
            self._check(greeting)
            firsts.setdefault(greeting.node, number)
        reference = self.ray.put(tool)
        for chosen, compiles in ((firsts.values(), True), (greetings, False)):
            self._ask({number: self.workers[number].provide.remote(reference, compiles) for number in chosen})

    def _check(self, greeting: Greeting) -> None:
        if greeting.program != program_digest():
            raise failed("a node of the cluster has another version of Zermelo", "all have to have the same")
        if greeting.token != self.work.token:
            raise failed(
                f"a node of the cluster does not see the folder {self.work.folder}",
                "-o needs a folder on a disk that all nodes share, under the same name",
            )

    def do(self, step: MapStep) -> Report:
        asked = {}
        for number, worker in enumerate(self.workers):
            part = step.of(range(number, self.count, len(self.workers)))
            if part.given:
                asked[number] = worker.work.remote(part)
        whole = Report()
        for report in self._ask(asked).values():
            whole.add(report)
        return whole

    def _ask(self, asked: Mapping[int, Any], within: float = inf) -> dict[int, Any]:
        """What workers answer, when all have come to an end. Raises their error, or :class:`LostWorkers`."""
        waiting, answers, lost, why = {answer: number for number, answer in asked.items()}, dict[int, Any](), [], ""
        end, errors = perf_counter() + within, self.ray.exceptions
        while waiting:
            done, _ = self.ray.wait(list(waiting), timeout=_TICK)
            self.limits.check({"nodes": 0})
            if not done and perf_counter() > end:
                raise failed(f"the cluster has not started all workers within {within:.0f} s", "it may have no room")
            for answer in done:
                number = waiting.pop(answer)
                try:
                    answers[number] = self.ray.get(answer)
                except errors.RayTaskError:
                    raise
                except errors.RayError as error:
                    lost.append(number)
                    why = summarize_error(error)
        if lost:
            raise LostWorkers(lost, why)
        for found in answers.values():
            if isinstance(found, JobError):
                raise ZermeloError(found.code, found.message, found.help)
        return answers


@contextmanager
def on_cluster(
    work: Unfinished, count: int, limits: Limits, workers: int | None, address: str | None
) -> Iterator[ShardsOnCluster]:
    """Shards on a cluster, for the time of the block. Raises as :func:`joined_cluster` does."""
    with joined_cluster(workers, address) as (ray, number):
        actor = ray.remote(num_cpus=1, scheduling_strategy="SPREAD")(ShardWorker)

        def hire(number: int) -> Any:
            return actor.remote(str(work.folder), count, number, limits.memory)

        hired = [hire(each) for each in range(number)]
        shards = ShardsOnCluster(work, count, limits, ray=ray, hire=hire, workers=hired)
        try:
            yield shards
        finally:
            for worker in shards.workers:
                ray.kill(worker)


@contextmanager
def joined_cluster(workers: int | None, address: str | None) -> Iterator[tuple[Any, int]]:
    """The module of Ray, which has joined the cluster at an address or begun one on this computer, for the time of the
    block, and how many workers it is to have: as many as it has room for, if None. In a program that has joined one
    already, it is that one. Raises ``ZermeloError``: ``library-missing``, ``cluster-failed``."""
    for name, value in _QUIET.items():
        os.environ.setdefault(name, value)
    ray = import_library("ray", "tables made by several processes", "cluster", having="init")
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
    """For how many workers a cluster has room."""
    return int(ray.available_resources().get("CPU", 0))
