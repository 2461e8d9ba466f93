"""Rounds over shards: the interface by which algorithms on disk are written, and its implementation in this process.

- :meth:`Shards.map` does a job on shards, and gives what it returns for each.
- :meth:`Shards.exchange` lets the shards have the mail that jobs have posted.
- :meth:`Shards.checkpoint` makes the round final.

What is between these calls runs in one process, the *driver*, and holds nothing but small numbers, all of which follow
from what ``map`` and ``exchange`` have given. So nothing of it has to be written down: what jobs return is logged, and
to go on from a checkpoint the same code runs again from its beginning, and is given what is in the log instead of doing
those jobs again, until it comes to the first that is not there. (Workflow engines call that *replaying*.) Thus code
that can be interrupted anywhere reads as if it never were.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from attrs import define, field

from zermelo.solvers.common.limits import Limits
from zermelo.solvers.tables.shards import Desk, Job, MapStep, Parcel, Report, ShardFiles
from zermelo.solvers.tables.unfinished import Unfinished

Result = TypeVar("Result")


@define(eq=False)
class Shards(ABC):
    """Shards in a folder of unfinished work. An algorithm sets their ``count`` at its beginning, and changes it only
    where it has cleared all."""

    work: Unfinished
    limits: Limits
    count: int = field(default=1, init=False)
    _log: list[Any] = field(init=False)
    _saved: int = field(init=False)
    _steps: int = 0
    _posted: dict[int, list[Parcel]] = field(factory=dict)
    _mail: dict[int, list[Parcel]] = field(factory=dict)
    _files: dict[str, int] = field(factory=dict)
    _discarded: list[str] = field(factory=list)

    def __attrs_post_init__(self) -> None:
        self.begin_again()

    def begin_again(self) -> None:
        """Let the algorithm begin again, from the checkpoint at which the folder is."""
        self._log = self.work.log
        self._saved, self._steps = len(self._log), 0
        self._posted, self._mail, self._files, self._discarded = {}, {}, {}, []

    @property
    def numbers(self) -> range:
        return range(self.count)

    @property
    def files(self) -> list[ShardFiles]:
        """The files of all shards."""
        return [ShardFiles(self.work.folder, number) for number in self.numbers]

    def run(self, work: Callable[[], Result]) -> Result:
        """The result of an algorithm, which begins again from the checkpoint where workers are lost."""
        return work()

    @abstractmethod
    def provide(self, tool: Any) -> None:
        """Let jobs have a tool."""

    @abstractmethod
    def do(self, step: MapStep) -> Report:
        """Do the jobs of a step."""

    def map(self, job: Job, given: Mapping[int, Any] | None = None) -> dict[int, Any]:
        """What a job returns for each shard that is ``given`` something; all shards are given None by default. What has
        been exchanged before is read by this job or by none."""
        if self._steps == len(self._log):
            whole = dict.fromkeys(self.numbers) if given is None else given
            report = self.do(MapStep(self.count, self._steps, self.work.number, job, whole, self._mail))
            self._files |= report.files
            mail = {name for parcels in self._mail.values() for name, _, _ in parcels}
            self._discarded += [*report.discarded, *sorted(mail)]
            found = [sorted(report.results.items()), sorted(report.posted.items())]
            self._log.append(json.loads(json.dumps(found)))  # as it is read from the log
        results, posted = self._log[self._steps]
        self._steps += 1
        self._mail = {}
        for shard, parcels in posted:
            self._posted.setdefault(shard, []).extend(parcels)
        return dict(results)

    def exchange(self) -> list[int]:
        """Let the shards have the mail that has been posted to them; those that have some."""
        self._mail, self._posted = self._posted, {}
        return sorted(self._mail)

    def checkpoint(self) -> None:
        """Make final what has been done. Raises ``OSError``."""
        if self._steps > self._saved:
            self.work.keep(self._log[self._saved :], self._files, self._discarded)
            self._saved, self._files, self._discarded = self._steps, {}, []

    def clear(self) -> None:
        """Delete the files of all shards, and make that final."""
        self._posted, self._mail = {}, {}
        if self._steps > self._saved:
            files = {**self.work.files, **self._files}
            self._discarded = list(files)
            self.checkpoint()


@define(eq=False)
class ShardsHere(Shards):
    """Shards on which jobs are done one after another, in this process."""

    desk: Desk = field(kw_only=True)

    def provide(self, tool: Any) -> None:
        self.desk.tool = tool

    def do(self, step: MapStep) -> Report:
        return self.desk.work(step)
