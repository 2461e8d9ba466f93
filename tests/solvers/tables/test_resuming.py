"""A build of a table on disk that is ended at any moment goes on later, and makes the same table."""

from __future__ import annotations

import itertools
import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from random import Random
from typing import Any, NoReturn

import numpy
import pytest
from made_on_disk import SMALL, contents, kill_self, on_disk, small_files
from random_cases import seeds
from written_games import COIN

import zermelo
from zermelo.game import Game
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.tables import rounds, shards
from zermelo.solvers.tables import unfinished as leaving
from zermelo.solvers.tables.unfinished import Unfinished, unfinished_folder
from zermelo.tables import Table

pytest.importorskip("pyarrow")

GAMES: dict[str, Callable[[], Game]] = {
    "connect four": lambda: zermelo.load("connect_four", rows=3, columns=3, run=3),
    "rook ending": lambda: zermelo.load("rook_ending", size=3),
    "coin": lambda: zermelo.loads(COIN),
    "nim": lambda: zermelo.load("nim"),
}


class Killed(BaseException):
    """The process has been killed."""


# ---------------------------------------------------------------- a process that ends in the middle of a change


def raise_killed() -> NoReturn:
    raise Killed


@contextmanager
def ending_at(moment: int, end: Callable[[], NoReturn] = raise_killed) -> Iterator[list[str]]:
    """A block that ends at so many changes of files, with the last one half done; the names of all changes."""
    changes: list[str] = []

    def is_the_end(name: str) -> bool:
        changes.append(name)
        return len(changes) == moment

    def append(path: Path, records: Any) -> int:
        if is_the_end("append"):
            data = numpy.ascontiguousarray(records).view("uint8")
            plain_append(path, data[: len(data) // 2])
            end()
        return plain_append(path, records)

    def change(records: Any, places: Any, others: Any) -> None:
        if isinstance(records, numpy.memmap) and is_the_end("change"):
            plain_put(records, places[: len(places) // 2], others[: len(places) // 2])
            end()
        plain_put(records, places, others)

    def whole(name: str, does: Callable[..., Any]) -> Callable[..., Any]:
        def do(*given: Any, **named: Any) -> Any:
            if is_the_end(name):
                end()
            return does(*given, **named)

        return do

    plain_append, plain_put = shards.append, shards.put
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(shards, "append", append)
        patch.setattr(shards, "put", change)
        for name in ("truncate", "link", "fsync"):
            patch.setattr(os, name, whole(name, getattr(os, name)))
        for name in ("unlink", "replace", "write_text"):
            patch.setattr(Path, name, whole(name, getattr(Path, name)))
        yield changes


def attempts(game: Game, folder: Path, random: Random, most: int) -> int:
    """Build a table on disk, ended again and again at one of ``most`` changes, until it is there; how often."""
    for count in range(10_000):
        with ending_at(random.randrange(1, most)):
            try:
                Table.build(game, folder, memory=SMALL, resume=True)
            except Killed:
                continue
        return count
    raise AssertionError("it does not come to an end")


@pytest.mark.random
@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("seed", seeds(5))
def test_ended_in_the_middle_of_any_change(name: str, seed: int, tmp_path: Path) -> None:
    game = GAMES[name]()
    with small_files(rows=40):
        Table.build(game, tmp_path / "memory")
        with on_disk(2, 3, few=10 * seed):  # in more shards, or in fewer
            assert attempts(game, tmp_path / "table", Random(seed), 60) > 0
    assert contents(tmp_path / "table") == contents(tmp_path / "memory")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["memory", "table"]


def is_built_by_a_child(game: Game, folder: Path, moment: int) -> bool:
    """Build a table in a process of its own, which is killed at a change of files; whether it was done before."""
    child = os.fork()
    if child == 0:
        with ending_at(moment, kill_self):
            Table.build(game, folder, memory=SMALL, resume=True)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) in (0, -signal.SIGKILL)
    return status == 0


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes cannot be forked here")
@pytest.mark.parametrize("name", ["rook ending", "nim", "connect four"])
@pytest.mark.parametrize("seed", range(3))
def test_killed_at_many_moments(name: str, seed: int, tmp_path: Path) -> None:
    game, random, killed = GAMES[name]().on("python"), Random(seed), 0
    with small_files(rows=40):
        with on_disk(3):
            while not is_built_by_a_child(game, tmp_path / "table", random.randrange(1, 30)):
                killed += 1
        Table.build(game, tmp_path / "memory")
    assert killed > 5
    assert contents(tmp_path / "table") == contents(tmp_path / "memory")


def test_what_has_been_changed_twice_comes_back(tmp_path: Path) -> None:
    def change(shard: shards.Shard, given: Any) -> None:
        if given is not None:
            shard.write("numbers", numpy.arange(5))
            return
        for number in (10, 20):
            shard.change("numbers", numpy.array([1, 3]), numpy.array([number, number + 1]))

    work = leaving.Unfinished.begin(tmp_path / "work", {})
    rows = rounds.ShardsHere(work, Limits(), desk=shards.Desk(work.folder, 0, Limits()))
    rows.map(change, {0: "first"})
    rows.checkpoint()
    rows.map(change)
    assert rows.files[0].read("numbers", "int64").tolist() == [0, 20, 2, 21, 4]
    work.come_back()
    assert rows.files[0].read("numbers", "int64").tolist() == [0, 1, 2, 3, 4]


# ---------------------------------------------------------------- what is gone on with, and what is not


@pytest.fixture
def unfinished(tmp_path: Path) -> Path:
    """A folder whose table has been left unfinished."""
    with on_disk(3), ending_at(40), pytest.raises(Killed):
        Table.build(zermelo.load("nim"), tmp_path / "table", memory=SMALL)
    assert [path.name for path in tmp_path.iterdir()] == ["table.unfinished"]
    return tmp_path / "table"


def refused(game: Game, folder: Path, **named: Any) -> str:
    """The code with which a build is refused. What is there is left as it is."""
    before = contents(unfinished_folder(folder))
    with on_disk(3), pytest.raises(ZermeloError) as raised:
        Table.build(game, folder, memory=SMALL, **named)
    after = contents(unfinished_folder(folder))
    assert {name: before[name] for name in before if name != "lock"} == {
        name: after[name] for name in after if name != "lock"
    }
    return raised.value.code


def test_without_resume_nothing_is_touched(unfinished: Path) -> None:
    assert refused(zermelo.load("nim"), unfinished) == "unfinished-table"


@pytest.mark.parametrize(
    ("game", "named"),
    [
        (lambda: zermelo.load("nim", heaps=2), {}),
        (lambda: zermelo.load("tic_tac_toe"), {}),
        (lambda: zermelo.load("nim").initial.after("take(1, 1)"), {}),
        (lambda: zermelo.load("nim"), {"up_to_symmetry": False}),
    ],
)
def test_something_else_does_not_go_on(game: Callable[[], Any], named: dict[str, Any], unfinished: Path) -> None:
    assert refused(game(), unfinished, resume=True, **named) == "other-table"


@pytest.mark.parametrize("name", ["checkpoint.json", "build.json"])
def test_what_is_damaged_does_not_go_on(name: str, unfinished: Path) -> None:
    path = unfinished_folder(unfinished) / name
    path.write_bytes(b"?" + path.read_bytes()[1:])
    assert refused(zermelo.load("nim"), unfinished, resume=True) == "damaged-table"


def test_a_damaged_log_does_not_go_on(unfinished: Path) -> None:
    path = unfinished_folder(unfinished) / "log.jsonl"
    path.write_bytes(b"?" + path.read_bytes()[1:])
    with on_disk(3), pytest.raises(ZermeloError) as raised:
        Table.build(zermelo.load("nim"), unfinished, memory=SMALL, resume=True)
    assert raised.value.code == "damaged-table"
    assert path.exists()


def test_a_file_that_is_too_short_does_not_go_on(unfinished: Path) -> None:
    folder = unfinished_folder(unfinished)
    files = json.loads((folder / "checkpoint.json").read_text())["files"]
    name = next(name for name, length in files.items() if name.endswith(".keys") and length)
    os.truncate(folder / name, files[name] - 1)
    assert refused(zermelo.load("nim"), unfinished, resume=True) == "damaged-table"


@pytest.mark.skipif(os.name != "posix", reason="there are no locks here")
def test_while_others_are_at_work_nobody_else_is(unfinished: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leaving, "_PATIENCE", 0.0)
    with leaving.lock_of(unfinished_folder(unfinished)):
        assert refused(zermelo.load("nim"), unfinished, resume=True) == "unfinished-table"


def test_resume_begins_where_nothing_is_left(tmp_path: Path) -> None:
    Table.build(zermelo.load("nim"), tmp_path / "table", resume=True)
    Table.build(zermelo.load("nim"), tmp_path / "memory")
    assert contents(tmp_path / "table") == contents(tmp_path / "memory")


FAULTY = """
game "Faulty"
players Ann, Bob
var left: 0..9 = 9
start at choose

phase choose:
    turn Ann:
        move take:
            left := left - 1
            go answer
        move stop: end payoff (1, -1)

phase answer:
    turn Bob:
        move take:
            left := left - 1
            go choose
        move stop: end payoff (-1, 1)
"""
"""The rules fail in the end."""


def test_an_error_of_the_rules_leaves_nothing(tmp_path: Path) -> None:
    game = zermelo.loads(FAULTY)
    with on_disk(3), ending_at(30), pytest.raises(Killed):
        Table.build(game, tmp_path / "table", memory=SMALL)
    assert Unfinished.is_in(unfinished_folder(tmp_path / "table"))
    with pytest.raises(ZermeloError) as raised:
        Table.build(game, tmp_path / "table", memory=SMALL, resume=True)
    assert raised.value.code == "assigned-out-of-range"
    assert not list(tmp_path.iterdir())


def test_the_end_after_an_error_of_the_rules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The process ends when it has been found, before it is told."""
    monkeypatch.setattr(Unfinished, "remove", lambda work: work.close())
    for _ in range(2):
        with pytest.raises(ZermeloError) as raised:
            Table.build(zermelo.loads(FAULTY), tmp_path / "table", resume=True)
        assert raised.value.code == "assigned-out-of-range"


def test_what_is_of_somebody_else_is_left_alone(tmp_path: Path) -> None:
    notes = unfinished_folder(tmp_path / "table") / "notes.txt"
    notes.parent.mkdir()
    notes.write_text("mine")
    with pytest.raises(ZermeloError, match=r"table\.unfinished: there is something already") as raised:
        Table.build(zermelo.load("nim"), tmp_path / "table", resume=True)
    assert raised.value.code == "unwritable-file"
    assert notes.read_text() == "mine"


def test_killed_when_all_is_done(tmp_path: Path) -> None:
    """In the middle of deleting what is no longer needed, at any file."""
    game, folder, was_killed = zermelo.load("nim"), tmp_path / "table", True
    Table.build(game, tmp_path / "memory")
    for moment in itertools.count(1):
        with on_disk(3):
            was_killed = is_killed_when_removing(game, folder, moment)
            Table.build(game, folder, resume=True)
        assert contents(folder) == contents(tmp_path / "memory")
        assert sorted(path.name for path in tmp_path.iterdir()) == ["memory", "table"]
        shutil.rmtree(folder)
        if not was_killed:
            break
    assert moment > 5


def is_killed_when_removing(game: Game, folder: Path, moment: int) -> bool:
    """Build a table by a process that is killed at so many files that it removes in the end; whether it was."""
    remove, unlink, removed = Unfinished.remove, os.unlink, list[Any]()

    def unlink_or_end(path: Any, **named: Any) -> None:
        removed.append(path)
        if len(removed) == moment:
            raise Killed
        unlink(path, **named)

    def remove_or_end(work: Unfinished) -> None:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(os, "unlink", unlink_or_end)
            remove(work)

    with pytest.MonkeyPatch.context() as patch, suppress(Killed):
        patch.setattr(Unfinished, "remove", remove_or_end)
        Table.build(game, folder, resume=True)
        return False
    return True


def test_another_table_is_not_taken_for_the_one_asked_for(tmp_path: Path) -> None:
    game = zermelo.load("nim")
    Table.build(game, tmp_path / "table")
    for asked, named in (
        (zermelo.load("nim", heaps=2), {}),
        (game.initial.after("take(1, 1)"), {}),
        (game, {"up_to_symmetry": False}),
        (game, {"plies": 2}),
    ):
        with pytest.raises(ZermeloError) as raised:
            Table.build(asked, tmp_path / "table", resume=True, **named)
        assert raised.value.code == "unwritable-file"
    assert len(Table.build(game, tmp_path / "table", resume=True)) == len(Table.open(tmp_path / "table"))


@pytest.mark.parametrize("name", ["/", "a" * 250])
def test_a_folder_that_can_have_no_other_beside_it(name: str, tmp_path: Path) -> None:
    for resume in (False, True):
        with pytest.raises(ZermeloError) as raised:
            Table.build(zermelo.load("nim"), tmp_path / name, resume=resume)
        assert raised.value.code == "unwritable-file"


# ---------------------------------------------------------------- the command

INTERRUPTED = """
import os, signal, sys
from zermelo.cli import main
from zermelo.solvers.tables import rounds

keep, kept = rounds.Shards.checkpoint, []

def interrupt(self):
    keep(self)
    kept.append(self)
    if len(kept) == 3:
        os.kill(os.getpid(), signal.SIGINT)

rounds.Shards.checkpoint = interrupt
sys.exit(main(sys.argv[1:]))
"""


def test_an_interrupt_tells_how_to_go_on(tmp_path: Path) -> None:
    command = ["table", "build", "nim", "-o", str(tmp_path / "nim.table"), "--resume"]
    ran = subprocess.run([sys.executable, "-c", INTERRUPTED, *command], capture_output=True, text=True, check=False)
    assert ran.returncode == 130
    assert "nim.table.unfinished: --resume goes on with it." in ran.stderr
    ran = subprocess.run([sys.executable, "-m", "zermelo", *command], capture_output=True, text=True, check=False)
    assert ran.returncode == 0
    assert [path.name for path in tmp_path.iterdir()] == ["nim.table"]
