"""What the workers of a Ray cluster do for commands is what one process does, whatever ends meanwhile."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import made_on_disk
import pytest
from attrs import frozen
from made_on_disk import kill_self

import zermelo
from zermelo.foundation.deadline import DeadlinePassed, time_limit
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.solvers.common import cluster as on_ray
from zermelo.solvers.common.cluster import OnCluster
from zermelo.solvers.common.limits import Limits, ignore_progress
from zermelo.solvers.search.random_plays import play_at_random

ray = pytest.importorskip("ray", reason="Ray is not installed: pip install 'zermelo[cluster]'")

WORKERS = 2

ADDRESS = "192.0.2.1:6379"
"""That of no cluster; whoever has joined one already stays there."""


class Patient:
    """The module ``time`` for Ray, which gives a node half a minute to start: here ten, on a busy machine."""

    def __getattr__(self, name: str) -> Any:
        return getattr(time, name)

    def monotonic(self) -> float:
        return time.monotonic() / 20


@pytest.fixture(scope="module", autouse=True)
def cluster() -> Iterator[None]:
    """A cluster of this process alone, which all commands of this module join."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(
            "PYTHONPATH", os.pathsep.join((str(Path(made_on_disk.__file__).parent), str(Path(__file__).parent)))
        )
        patch.setattr("ray._private.node.time", Patient())
        with on_ray.joined_cluster(WORKERS, None):
            yield


@pytest.fixture
def spread() -> OnCluster:
    return OnCluster(ray, WORKERS)


# ---------------------------------------------------------------- commands


@pytest.mark.parametrize(
    "words",
    [
        "match kuhn_poker --seat Alice=ismcts --seat Bob=best --plays 12",
        "match kuhn_poker --seat Alice=oos --seat Bob=kuhn.json --plays 4",
        "match tic_tac_toe --seat X=mcts --seat O=best --table ttt.table --plays 4 --after mark(b2)",
        "match goofspiel -p cards=3 -p open=true --seat One=best --seat Two=random --plays 4",
        "match tic_tac_toe --seat X=greedy --seat O=random --position cross.position --plays 4",
        "random pig --plays 2000",
        "random pig --plays 40 --seed 3 --machine reference",
        "random doubling.game --plays 300",
        "random tic_tac_toe --plays 0",
        "mutate kuhn_poker --sample 6 --positions 300 --time 1000",
    ],
)
def test_the_same_results(run: Callable[..., Any], words: str, files: Path) -> None:
    alone = run(*words.split(), "--json")
    assert alone.record and alone.code in (0, 1)
    assert run(*words.split(), "--json", "--cluster", ADDRESS) == alone


def test_the_same_rows(files: Path) -> None:
    """Whatever comes of them, and also beside rows that are there already."""
    grid, path = {"cards": "1..3", "open": [True, False]}, files / "rows.csv"
    alone = zermelo.sweep("goofspiel", grid, solver="positions", jobs=1)
    assert {row.error for row in alone} == {"", "needs-public"}
    zermelo.sweep("goofspiel", {"cards": 2}, solver="positions", file=path, jobs=1)
    assert zermelo.sweep("goofspiel", grid, solver="positions", file=path, cluster=ADDRESS) == alone


DOUBLING = """\
game "Doubling"
players Ann, Bob
var heap: 1..64 = 1
start at play
phase play:
    turn Ann:
        move stop: end payoff (heap, -heap)
        move double:
            heap := 2 * heap
            if heap == 64: end payoff (heap * 10000000000, -heap * 10000000000)
            go play
"""
"""In few plays machine code meets a number that is too large for it."""


@pytest.fixture
def files(run: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with what contestants need, which is the current one."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "doubling.game").write_text(DOUBLING)
    (tmp_path / "cross.position").write_text("setup:\n    board[b2] := X\nstart at play(O)\n")
    (tmp_path / "kuhn.json").write_text(run("solve", "kuhn_poker", "--json").out)
    run("table", "build", "tic_tac_toe", "-o", "ttt.table")
    return tmp_path


def test_few_of_those_plays_leave_the_kernel() -> None:
    ways = list[bool]()
    for first in range(0, 300, 10):
        machine = zermelo.loads(DOUBLING).searching
        played = play_at_random(machine, machine.initial(), 10, 0, ignore_progress, Limits(), 1, first)
        ways.append(played.by_kernel)
    assert 0 < sum(ways) < len(ways)


def test_the_number_of_workers_is_that_of_the_option(run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """By default, and at most, as many as it has room for."""
    monkeypatch.setattr(on_ray, "_room", lambda ray: WORKERS)
    asked, hired = list[int](), on_ray.hired
    monkeypatch.setattr(on_ray, "hired", lambda ray, number, *rest: asked.append(number) or hired(ray, number, *rest))
    for number in ("--threads", "1"), ():
        assert run("random", "nim", "--plays", "9", "--cluster", ADDRESS, *number).code == 0
    assert asked == [1, WORKERS]


def test_errors_of_the_rules_are_told(run: Callable[..., Any], game_file: Callable[[str], str]) -> None:
    name = game_file(DOUBLING.replace("if heap == 64", "if heap == 65"))
    alone, on_cluster = (run("random", name, "--plays", "3000", *more) for more in ((), ("--cluster", ADDRESS)))
    assert alone.code == on_cluster.code == 1
    assert "error[assigned-out-of-range]" in alone.err and "error[assigned-out-of-range]" in on_cluster.err


def test_there_is_no_cluster(tmp_path: Path) -> None:
    """Which is said before any work is done, in a process that has joined none."""
    words = ["match", "kuhn_poker", "--seat", "Alice=random", "--seat", "Bob=random", "--cluster", "127.0.0.1:9"]
    ran = subprocess.run([sys.executable, "-m", "zermelo", *words], capture_output=True, text=True, check=False)
    assert ran.returncode == 1 and "error[cluster-failed]: no cluster of Ray is at 127.0.0.1:9" in ran.stderr


def test_files_alone_need_no_cluster(run: Callable[..., Any]) -> None:
    refused = run("match", "kuhn_poker", "uniform", "--cluster", ADDRESS)
    assert refused.code == 2 and "--cluster needs --seat" in refused.err


# ---------------------------------------------------------------- workers that end


@frozen
class Deadly:
    """Work that ends its process the first ``times`` that it is done for one of the tasks. A file in the ``folder``
    tells of each."""

    folder: Path
    times: int
    tasks: frozenset[int]

    def __call__(self, task: int) -> int:
        past = len([path for path in self.folder.iterdir() if path.name.startswith(f"{task}.")])
        if task in self.tasks and past < self.times:
            (self.folder / f"{task}.{past}").touch()
            kill_self()
        return task * task


@pytest.mark.parametrize("seed", range(3))
def test_workers_that_are_killed(spread: OnCluster, seed: int, tmp_path: Path) -> None:
    deadly = frozenset(Random(seed).sample(range(200), 2))
    found = dict(spread.map(Deadly(tmp_path, 1, deadly), range(200)))
    assert found == {task: task * task for task in range(200)}
    assert len(list(tmp_path.iterdir())) == 2


def test_workers_that_end_whatever_is_done(spread: OnCluster, tmp_path: Path) -> None:
    with pytest.raises(ZermeloError) as raised:
        list(spread.map(Deadly(tmp_path, 1 << 10, frozenset({7})), range(20)))
    assert raised.value.code == "cluster-failed"
    assert len(list(tmp_path.iterdir())) == on_ray._LOSSES + 1


def test_the_deadline_is_that_of_who_waits(spread: OnCluster) -> None:
    with pytest.raises(DeadlinePassed), time_limit(0):
        list(spread.map(abs, range(10)))


def test_without_ray_the_extra_is_named(run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    refused = run("random", "nim", "--cluster", ADDRESS)
    assert refused.code == 1 and "error[library-missing]" in refused.err and "zermelo[cluster]" in refused.err
