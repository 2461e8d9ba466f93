"""Tables made by the workers of a Ray cluster are those made in memory, byte for byte, whatever ends meanwhile."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from random import Random
from typing import Any

import made_on_disk
import pytest
from attrs import evolve
from made_on_disk import SMALL, Dying, contents, on_disk
from random_cases import seeds
from random_games.circling import write_circling
from random_games.small import write_of_three, write_small
from written_games import COIN, TIES

import zermelo
from zermelo.game import Game, State
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.machine import END
from zermelo.solvers.tables import external_building
from zermelo.solvers.tables.shards import MapStep, Report
from zermelo.tables import Table

pytest.importorskip("pyarrow")
pytest.importorskip("ray", reason="Ray is not installed: pip install 'zermelo[cluster]'")

from zermelo.solvers.common import cluster as of_workers
from zermelo.solvers.tables import cluster as on_ray

WORKERS = 2


@pytest.fixture(scope="module", autouse=True)
def cluster() -> Iterator[None]:
    """A cluster of this process alone, which all builds of this module join."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(Path(made_on_disk.__file__).parent))  # where workers find jobs of tests
        with of_workers.joined_cluster(WORKERS, None):
            yield


@pytest.fixture(autouse=True)
def few_shards(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(external_building, "SHARDS", (5,))


def outcome(game: Game | list[State], folder: Path, **named: Any) -> str | dict[str, bytes]:
    """The files of a table, or why there is none."""
    try:
        Table.build(game, folder, memory=SMALL, **named)
    except ZermeloError as error:
        return error.code
    return contents(folder)


@pytest.mark.parametrize("text", [COIN, TIES])
def test_small_games(text: str, tmp_path: Path) -> None:
    game = zermelo.loads(text)
    in_memory = outcome(game, tmp_path / "memory")
    assert isinstance(in_memory, dict)
    assert outcome(game, tmp_path / "cluster", workers=WORKERS) == in_memory
    assert sorted(path.name for path in tmp_path.iterdir()) == ["cluster", "memory"]


@pytest.mark.random
@pytest.mark.parametrize("seed", seeds(20))
def test_random_games(seed: int, tmp_path: Path) -> None:
    random = Random(seed)
    aim = random.choice(("alone", "against", "common"))
    text = write_circling(random, aim, seed % 4 == 0, False)
    if seed % 2:
        text = write_small(random) if seed % 4 == 1 else write_of_three(random)
    with suppress(ZermeloError):  # of rules that are wrong, or too large for the machine, of which nothing is compiled
        game = zermelo.loads(text).on("python")
        is_public = game.facts.perfect_information.holds is not False
        if is_public and game.reference.actor(game.reference.initial()) != END:
            here = outcome(game, tmp_path / "here", resume=True)
            assert outcome(game, tmp_path / "cluster", workers=WORKERS) == here


# ---------------------------------------------------------------- workers that are killed


@contextmanager
def killing(every: int, random: Random) -> Iterator[list[MapStep]]:
    """A block in which a worker is killed in one of so many steps; these steps."""
    killed: list[MapStep] = []
    do, count = on_ray.ShardsOnCluster.do, [0]

    def do_or_die(self: on_ray.ShardsOnCluster, step: MapStep) -> Report:
        count[0] += 1
        if count[0] % every == 0:
            killed.append(step)
            shard = random.choice(sorted(step.given))
            step = evolve(step, job=Dying(step.job, shard, random.choice(("before", "within", "after"))))
        return do(self, step)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(on_ray.ShardsOnCluster, "do", do_or_die)
        yield killed


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize(("name", "given"), [("rook_ending", {"size": 3}), ("connect_four", {"rows": 4, "columns": 3})])
def test_workers_that_are_killed(name: str, given: dict[str, Any], seed: int, tmp_path: Path) -> None:
    game = zermelo.load(name, **given)
    in_memory = outcome(game, tmp_path / "memory")
    with killing(3 + seed, Random(seed)) as killed:
        assert outcome(game, tmp_path / "cluster", workers=WORKERS) == in_memory
    assert len(killed) >= 5  # 30 in all of these tests


def test_several_beginnings_go_on(tmp_path: Path) -> None:
    """Whenever a worker is killed the build ends, and another one goes on: in more shards than it was begun with."""
    start = zermelo.load("connect_four", rows=4, columns=3).initial
    begins = [start.after("drop(1)"), start.after("drop(2)").after("drop(2)")]
    Table.build(begins, tmp_path / "memory")
    ended = 0
    with on_disk(2, 7, few=20), killing(9, Random(1)) as killed, pytest.MonkeyPatch.context() as patch:
        patch.setattr(of_workers, "_LOSSES", 0)
        while outcome(begins, tmp_path / "cluster", workers=WORKERS, resume=True) == "cluster-failed":
            ended += 1
    assert ended == len(killed) > 1
    assert contents(tmp_path / "cluster") == contents(tmp_path / "memory")


def test_workers_that_end_whatever_is_done(tmp_path: Path) -> None:
    game = zermelo.load("connect_four", rows=4, columns=3)
    in_memory = outcome(game, tmp_path / "memory")
    with killing(4, Random(1)), pytest.MonkeyPatch.context() as patch:
        patch.setattr(of_workers, "_LOSSES", 0)
        with pytest.raises(ZermeloError) as raised:
            Table.build(game, tmp_path / "cluster", memory=SMALL, workers=WORKERS)
    assert raised.value.code == "cluster-failed"
    assert "--resume" in raised.value.help
    assert outcome(game, tmp_path / "cluster", workers=WORKERS) == "unfinished-table"
    assert outcome(game, tmp_path / "cluster", workers=1, resume=True) == in_memory


# ---------------------------------------------------------------- the driver, with a cluster of its own

DRIVER = """
import sys
from made_on_disk import Dying, kill_self
from attrs import evolve
from zermelo.cli import main
from zermelo.solvers.tables import cluster, external_building

do, count, step_of_worker, step_of_driver = cluster.ShardsOnCluster.do, [0], int(sys.argv[1]), int(sys.argv[2])

def do_or_die(self, step):
    count[0] += 1
    if count[0] == step_of_worker:
        step = evolve(step, job=Dying(step.job, min(step.given), "within"))
    elif count[0] == step_of_driver:
        for worker in self.crew.workers:
            worker.work.remote(step.of(range(self.count)))
        kill_self()
    return do(self, step)

cluster.ShardsOnCluster.do = do_or_die
external_building.SHARDS = (5,)
sys.exit(main(sys.argv[3:]))
"""


def driven(folder: Path, *given: str) -> subprocess.CompletedProcess[str]:
    """Build a table in a process of its own."""
    command = ["table", "build", "nim", "-o", str(folder), "--workers", "2", "--resume", "--json"]
    helpers = {**os.environ, "PYTHONPATH": str(Path(made_on_disk.__file__).parent)}
    return subprocess.run(
        [sys.executable, "-c", DRIVER, *given, *command], capture_output=True, text=True, check=False, env=helpers
    )


def test_a_driver_that_is_killed(tmp_path: Path) -> None:
    """In the end nothing but the answer is told, though a worker has been killed, too."""
    assert driven(tmp_path / "cluster", "0", "5").returncode == -signal.SIGKILL
    assert "cluster" not in [path.name for path in tmp_path.iterdir()]
    ran = driven(tmp_path / "cluster", "3", "0")
    assert (ran.returncode, ran.stderr) == (0, "")
    assert json.loads(ran.stdout)["positions"] == len(Table.open(tmp_path / "cluster"))
    assert outcome(zermelo.load("nim"), tmp_path / "memory") == contents(tmp_path / "cluster")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["cluster", "memory"]


# ---------------------------------------------------------------- refusals


def test_without_ray_the_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(ZermeloError) as raised:
        Table.build(zermelo.load("nim"), tmp_path / "table", workers=WORKERS)
    assert raised.value.code == "library-missing"
    assert "zermelo[cluster]" in raised.value.help
    assert list(tmp_path.iterdir()) == []


def test_a_node_that_does_not_see_the_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(on_ray, "str", lambda folder: f"{folder}.elsewhere", raising=False)
    with pytest.raises(ZermeloError) as raised:
        Table.build(zermelo.load("nim"), tmp_path / "table", workers=WORKERS)
    assert raised.value.code == "cluster-failed"
    assert "does not see the folder" in raised.value.message
