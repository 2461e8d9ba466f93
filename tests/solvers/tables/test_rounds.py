"""Rounds over shards: what is kept at a checkpoint, and moves that go on in faster code."""

from __future__ import annotations

from itertools import islice
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

pytest.importorskip("numpy")

import numpy

from zermelo.solvers.common.limits import Limits
from zermelo.solvers.tables import external_exploring
from zermelo.solvers.tables.expanding import Faulty
from zermelo.solvers.tables.external_exploring import MoveMaker
from zermelo.solvers.tables.rounds import ShardsHere
from zermelo.solvers.tables.shards import MapStep, Report, places_at


class Work:
    """A folder of unfinished work, in memory."""

    def __init__(self) -> None:
        self._log: list[Any] = []
        self.number, self.kept = 0, list[tuple[int, dict[str, int], list[str]]]()

    @property
    def log(self) -> list[Any]:
        return [*self._log]

    def keep(self, logged: list[Any], files: dict[str, int], discarded: list[str]) -> None:
        self._log += logged
        self.number += 1
        self.kept.append((len(logged), dict(files), sorted(discarded)))


class Desk:
    """Does jobs that say by themselves what they give, and counts them."""

    def __init__(self) -> None:
        self.done = 0

    def work(self, step: MapStep) -> Report:
        self.done += 1
        name = f"file{step.number}"
        results = {shard: step.job(shard) for shard in step.given}  # type: ignore[call-arg, arg-type]
        return Report(results, files={name: 10 + step.number}, discarded=[f"old{step.number}"])


def rounds(shards: ShardsHere, most: int) -> list[dict[int, Any]]:
    """Three rounds of one, two and three jobs, as far as the ``most``-th job."""
    found = []
    shards.count = 2
    for size in (1, 2, 3):
        for k in range(size):
            if len(found) == most:
                return found
            found.append(shards.map(lambda shard, k=k: 100 * k + shard))  # type: ignore[arg-type, misc]
        shards.checkpoint()
        shards.checkpoint()  # nothing is left to be kept
    return found


def test_a_checkpoint_keeps_what_has_been_done_since_the_one_before() -> None:
    """From every job on, the same comes out, and what a checkpoint has kept is not done again."""
    work = Work()
    whole = rounds(ShardsHere(work, Limits(), desk=Desk()), 6)  # type: ignore[arg-type]
    assert whole == [{0: 100 * k, 1: 100 * k + 1} for k in (0, 0, 1, 0, 1, 2)]
    assert work.kept == [
        (1, {"file0": 10}, ["old0"]),
        (2, {"file1": 11, "file2": 12}, ["old1", "old2"]),
        (3, {"file3": 13, "file4": 14, "file5": 15}, ["old3", "old4", "old5"]),
    ]
    for most, kept in enumerate((0, 1, 1, 3, 3, 3)):
        begun = Work()
        rounds(ShardsHere(begun, Limits(), desk=Desk()), most)  # type: ignore[arg-type]
        desk = Desk()
        assert rounds(ShardsHere(begun, Limits(), desk=desk), 6) == whole  # type: ignore[arg-type]
        assert desk.done == 6 - kept and begun.log == work.log


class Making:
    """An expander that makes moves of positions whose words are their places, so many at a time; in slow code it is
    outgrown before the third time, and the rules go wrong at one place."""

    def __init__(self, machine: Any, kernels: str, decisive: Any) -> None:
        self.kernels = kernels

    def moves(self, words: Any, actors: Any) -> Any:
        size = 2 if self.kernels == "slow" else 3
        for k, first in enumerate(range(0, len(words), size)):
            if self.kernels == "slow" and k == 2:
                raise external_exploring.Outgrown
            part = words[first : first + size]
            if 9 in part:
                raise Faulty(first + list(part).index(9), ValueError("wrong"))  # type: ignore[arg-type]
            yield SimpleNamespace(
                first=first, count=len(part), words=list(part), actors=list(actors[first:])[: len(part)]
            )


@pytest.mark.parametrize("size", [0, 1, 4, 5, 9])
def test_moves_go_on_in_faster_code_where_they_were(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    machine = SimpleNamespace(begin=lambda source: "slow", hurry=lambda source: "fast")
    monkeypatch.setattr(external_exploring, "key_source", lambda images, function: None)
    monkeypatch.setattr(external_exploring, "Expander", Making)
    maker = MoveMaker(None, None, None, True, (), machine)  # type: ignore[arg-type]
    places = numpy.arange(size)
    found = [(made.first, made.words, made.actors) for made in islice(maker.moves(places, -places), 10)]
    assert [place for first, words, _ in found for place in range(first, first + len(words))] == list(range(size))
    assert [word for _, words, _ in found for word in words] == list(range(size))
    assert [actor for _, _, actors in found for actor in actors] == [-k for k in range(size)]
    assert [len(words) for _, words, _ in found][:2] == [2, 2][: len(found)] or size < 4
    again = MoveMaker(None, None, None, True, (), machine)  # type: ignore[arg-type]
    with pytest.raises(Faulty) as raised:
        list(again.moves(numpy.arange(12), numpy.arange(12)))
    assert raised.value.place == 9


# ---------------------------------------------------------------- sorted files


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("kind", ["uint64", "S16"])
def test_where_the_first_keys_end(seed: int, kind: str) -> None:
    """Keys of one word, and of two, which are text whose last zeros numpy leaves out."""
    random = Random(seed)
    keys = sorted(random.sample(range(1 << 6), random.randrange(60)))
    columns: list[list[Any]] = [[] for _ in range(random.randrange(1, 6))]
    for key in keys:
        random.choice(columns).append(key << 57 if kind == "uint64" else (key << 121).to_bytes(16, "big"))
    for rank in range(len(keys) + 1):
        ends = places_at([numpy.array(column, kind) for column in columns], rank)
        below = [key for column, end in zip(columns, ends, strict=True) for key in column[:end]]
        assert sorted(below) == sorted(key for column in columns for key in column)[:rank]
