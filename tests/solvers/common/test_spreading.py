"""Tasks that are spread among threads and processes come to what they come to one after another."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from multiprocessing import active_children, get_all_start_methods
from sys import executable, platform
from threading import Event
from time import sleep

import pytest

from zermelo.foundation.deadline import DeadlinePassed, time_limit
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.solvers.common import cluster
from zermelo.solvers.common.spreading import InProcesses, InThreads, Spread

FORKS = pytest.mark.skipif("fork" not in get_all_start_methods(), reason="processes cannot be copied here")

KINDS = [InThreads(1), InThreads(3), InProcesses(1), pytest.param(InProcesses(3), marks=FORKS)]


@pytest.mark.parametrize("spread", KINDS)
@pytest.mark.parametrize("count", [0, 1, 2, 10])
def test_what_comes_of_tasks(spread: Spread, count: int) -> None:
    tasks = [f"task {number}" for number in range(count)]
    assert dict(spread.map(len, tasks)) == {number: len(task) for number, task in enumerate(tasks)}
    assert list(spread.in_order(str.upper, tasks)) == [task.upper() for task in tasks]


def test_tasks_that_end_in_another_order() -> None:
    """The first one waits for the others."""
    others = Event()
    found = InThreads(3).map(lambda number: number == 0 and others.wait(), range(3))
    assert {next(found)[0], next(found)[0]} == {1, 2}
    others.set()
    assert [number for number, _ in found] == [0]
    last = Event()
    works = (last.wait, str, last.set)
    assert list(InThreads(3).in_order(lambda work: (work(), work)[1], works)) == list(works)


def refuse(number: int) -> int:
    if number == 3:
        raise ZermeloError("needs-end", "the third one", "none")
    return number


@pytest.mark.parametrize("spread", KINDS)
def test_an_error_of_a_task_is_raised(spread: Spread) -> None:
    with pytest.raises(ZermeloError) as raised:
        list(spread.map(refuse, range(10)))
    assert (raised.value.code, raised.value.message, raised.value.help) == ("needs-end", "the third one", "none")
    assert not active_children()


@FORKS
def test_a_process_that_ends_early() -> None:
    with pytest.raises(ZermeloError) as raised:
        list(InProcesses(2).map(os._exit, range(4)))
    assert raised.value.code == "out-of-memory"
    assert not active_children()


@FORKS
@pytest.mark.parametrize("seconds", [0.01, 60.0])
def test_whoever_waits_ends_the_processes(seconds: float) -> None:
    """By their deadline, or because they want no more."""

    def first(work: Callable[[int], object]) -> None:
        with time_limit(seconds), closing(InProcesses(2).map(work, range(2))) as found:
            next(found)

    if seconds < 1:
        with pytest.raises(DeadlinePassed):
            first(lambda _: sleep(60))
    else:
        first(lambda number: sleep(60 * number))
    assert not active_children()


@pytest.mark.parametrize("workers", [None, 2])
def test_on_a_cluster_as_many_work_as_have_room(monkeypatch: pytest.MonkeyPatch, workers: int | None) -> None:
    @contextmanager
    def joined(number: int | None, address: str) -> Iterator[tuple[object, int]]:
        assert address == "here:1"
        yield "ray", number or 5

    monkeypatch.setattr(cluster, "joined_cluster", joined)
    with cluster.spread_on_cluster(workers, "here:1") as spread:
        assert (spread.ray, spread.number) == ("ray", workers or 5)


WAITING = """\
import os
from time import sleep
from zermelo.solvers.common.spreading import InProcesses

def work(task):
    os.write(1, b"%d\\n" % os.getpid())
    sleep(600)

list(InProcesses(2).map(work, [0, 1]))
"""


@pytest.mark.skipif(platform != "linux", reason="only Linux ends a process with the one that waits for it")
def test_processes_end_with_the_one_that_waits_for_them_however_that_ends() -> None:
    """The pipe is closed when the last of them has ended; if they went on, reading would wait for ten minutes."""
    waiting = subprocess.Popen([executable, "-c", WAITING], stdout=subprocess.PIPE)
    assert waiting.stdout is not None
    pids = [int(waiting.stdout.readline()) for _ in range(2)]
    waiting.send_signal(signal.SIGKILL)
    assert len({*pids}) == 2 and waiting.stdout.read() == b""
    assert waiting.wait() == -signal.SIGKILL
    waiting.stdout.close()
