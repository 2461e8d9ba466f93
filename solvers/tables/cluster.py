"""Shards on a cluster: the jobs of a step are done by workers, each of which owns some shards.

Steps and reports, which are small, go through the cluster; positions and mail are files in the folder that all workers
share. Mail could go through Ray's object store as arrays, but would have to be written to the disk as well, before a
round is final; and on one computer a file that has just been written is in shared memory, too, that of the system.

A worker may end at any moment. Then the others come to the end of their jobs, what has been done since the checkpoint
is undone, a new worker takes the place of the one that is gone, and the algorithm begins again (:mod:`.rounds`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from attrs import define, field, frozen

from zermelo.grammar.diagnostics import ZermeloError
from zermelo.solvers.common.cluster import Crew, Greeting, LostWorkers, failed, hired, joined_cluster
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.common.spreading import ForeignError
from zermelo.solvers.tables.rounds import Shards
from zermelo.solvers.tables.shards import Desk, MapStep, Report
from zermelo.solvers.tables.unfinished import Unfinished, lock_of, token_in

Result = TypeVar("Result")


@frozen
class ShardGreeting(Greeting):
    """Where a worker is, and the ``token`` that it reads in the folder."""

    token: str


class ShardWorker:
    """Does jobs, as an actor of Ray. It holds the lock of the folder as long as it lives."""

    def __init__(self, folder: str, number: int, memory: int) -> None:
        self.desk = Desk(Path(folder), number, Limits(memory=memory))
        self._lock: Any = None

    def greet(self) -> ShardGreeting:
        folder, here = self.desk.folder, Greeting.of_this_process()
        if self._lock is None and folder.is_dir():
            self._lock = lock_of(folder)
        return ShardGreeting(here.node, here.program, "" if self._lock is None else token_in(folder))

    def provide(self, tool: Any, compiles: bool) -> None:
        self.desk.tool = tool
        if compiles:
            tool.compile()

    def work(self, step: MapStep) -> Report | ForeignError:
        try:
            return self.desk.work(step)
        except ZermeloError as error:
            return ForeignError(error)
        except OSError as error:
            said = f"cannot write {self.desk.folder}: {error.strerror or error}"
            return ForeignError(ZermeloError("unwritable-file", said))
        except MemoryError:
            said = "there is not enough memory for a worker"
            return ForeignError(ZermeloError("out-of-memory", said, "fewer workers take less"))


@define(eq=False)
class ShardsOnCluster(Shards):
    """Shards of which each belongs to one worker of a ``crew``."""

    crew: Crew = field(kw_only=True)

    def run(self, work: Callable[[], Result]) -> Result:
        while True:
            try:
                return work()
            except LostWorkers as lost:
                self.work.come_back()
                self.crew.replace(lost, self.work.number)
                self.begin_again()

    def provide(self, tool: Any) -> None:
        crew, firsts = self.crew, dict[str, int]()
        greetings = crew.greetings()
        for number, greeting in sorted(greetings.items()):
            if not isinstance(greeting, ShardGreeting) or greeting.token != self.work.token:
                raise failed(
                    f"a node of the cluster does not see the folder {self.work.folder}",
                    "-o needs a folder on a disk that all nodes share, under the same name",
                )
            firsts.setdefault(greeting.node, number)
        reference = crew.ray.put(tool)
        for chosen, compiles in ((firsts.values(), True), (greetings, False)):
            crew.ask({number: crew.workers[number].provide.remote(reference, compiles) for number in chosen})

    def do(self, step: MapStep) -> Report:
        asked, workers = {}, self.crew.workers
        for number, worker in enumerate(workers):
            part = step.of(range(number, self.count, len(workers)))
            if part.given:
                asked[number] = worker.work.remote(part)
        whole = Report()
        for report in self.crew.ask(asked).values():
            whole.add(report)
        return whole


@contextmanager
def on_cluster(work: Unfinished, limits: Limits, workers: int | None, address: str | None) -> Iterator[ShardsOnCluster]:
    """Shards on a cluster, for the time of the block. Raises as :func:`joined_cluster` does."""

    def given(number: int) -> tuple[Any, ...]:
        return str(work.folder), number, limits.memory

    def pause() -> None:
        limits.check({"nodes": 0})

    with joined_cluster(workers, address) as (ray, number), hired(ray, number, ShardWorker, given, pause) as crew:
        yield ShardsOnCluster(work, limits, crew=crew)
