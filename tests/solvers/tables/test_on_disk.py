"""Tables made on disk are those made in memory, byte for byte, or refused in words."""

from __future__ import annotations

import os
from contextlib import nullcontext, suppress
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from made_on_disk import SMALL, contents, on_disk, small_files
from random_cases import seeds
from random_games.circling import write_circling
from random_games.small import write_of_three, write_small
from written_games import COIN, TIES

import zermelo
from zermelo.game import Game
from zermelo.grammar.diagnostics import InvalidGame, ZermeloError
from zermelo.interpreter.machine import END
from zermelo.solvers.tables import external_building, shards
from zermelo.tables import Table

pytest.importorskip("pyarrow")


def outcome(game: Game, folder: Path, up_to_symmetry: bool | None, memory: int = SMALL) -> str | dict[str, bytes]:
    """The files of a table, or why there is none."""
    try:
        Table.build(game, folder, up_to_symmetry=up_to_symmetry, memory=memory)
    except ZermeloError as error:
        return error.code
    return contents(folder)


def is_alike(game: Game, folder: Path, random: Random) -> bool:
    """Build a table both ways; whether there was one on disk."""
    up_to_symmetry = random.choice((None, False))
    with small_files(rows=random.choice((1, 3, 1000))):
        in_memory = outcome(game, folder / "memory", up_to_symmetry)
        with on_disk(*random.choice(((1,), (3,), (7,), (2, 5))), few=random.randrange(20)):
            found = outcome(game, folder / "disk", up_to_symmetry)
    if isinstance(found, dict) or in_memory != "no-table":
        assert found == in_memory or found == "no-table", (found, in_memory)
    return isinstance(found, dict)


def without(words: tuple[str, ...], text: str) -> str:
    """A game without the lines that begin with some words."""
    return "\n".join(line for line in text.split("\n") if not line.strip().startswith(words))


@pytest.mark.random
@pytest.mark.parametrize("seed", seeds(60))
def test_plays_that_go_round(seed: int, tmp_path: Path) -> None:
    random = Random(seed)
    aim, has_chance = random.choice(("alone", "against", "against", "common")), seed % 4 == 0
    left_out = ("discount", *random.choice(((), ("earn ",), ("earn ",), ("earn ", "endless"))))
    with suppress(InvalidGame):
        game = zermelo.loads(without(left_out, write_circling(random, aim, has_chance, False)))
        if game.reference.actor(game.reference.initial()) != END:
            is_alike(game, tmp_path, random)


@pytest.mark.random
@pytest.mark.parametrize("seed", seeds(60))
def test_plays_that_end(seed: int, tmp_path: Path) -> None:
    with suppress(InvalidGame, zermelo.PlayError):
        game = zermelo.loads(write_small(Random(seed)))
        if game.facts.perfect_information.holds is not False:
            is_alike(game, tmp_path, Random(seed))


@pytest.mark.random
@pytest.mark.parametrize("seed", seeds(60))
def test_three_players(seed: int, tmp_path: Path) -> None:
    with suppress(InvalidGame, zermelo.PlayError):
        game = zermelo.loads(write_of_three(Random(seed)))
        if game.facts.simultaneous.holds is False and game.reference.actor(game.reference.initial()) != END:
            is_alike(game, tmp_path, Random(seed))


UNKNOWN = """
game "Unknown"
players Ann, Bob
start at choose

phase choose:
    turn Ann:
        move win: end payoff (1, -1)
        move enter: go bob

phase bob:
    turn Bob:
        move on: go ann
        move stop: end payoff (1, -1)

phase ann:
    turn Ann:
        move on: go bob
        move stop: end payoff (-1, 1)
"""


@pytest.mark.parametrize("count", [1, 3])
def test_values_that_depend_on_what_endless_plays_pay(count: int, tmp_path: Path) -> None:
    in_memory = outcome(zermelo.loads(UNKNOWN), tmp_path / "memory", None)
    with on_disk(count):
        assert outcome(zermelo.loads(UNKNOWN), tmp_path / "disk", None) == in_memory
    table = Table.open(tmp_path / "disk")
    table.verify()
    state = table.game.initial
    assert table[state].value == (1, -1)
    assert table[state.after("enter")].value is None


LATE = """
game "Late"
players Ann, Bob
start at choose

phase choose:
    turn Ann:
        move long: go one
        move late: go late

phase one:
    turn Bob:
        move on: go two

phase two:
    turn Ann:
        move on: end payoff (0, 0)

phase late:
    turn Bob:
        move even: end payoff (0, 0)
        move worse: go three

phase three:
    turn Ann:
        move on: go four

phase four:
    turn Bob:
        move on: go five

phase five:
    turn Ann:
        move on: end payoff (1, -1)
"""
"""The shorter way to the middle is told after the longer one."""

NEAR = """
game "Near"
players Ann, Bob
endless draw
start at choose

phase choose:
    turn Ann:
        move far: go one
        move near: go near
        move stay: go back

phase near:
    turn Ann:
        move win: end payoff (1, -1)
        move stay: go back

phase back:
    turn Bob:
        move on: go choose

phase one:
    turn Bob:
        move on: go two

phase two:
    turn Ann:
        move on: end payoff (1, -1)
"""
"""In a circle a nearer end is behind another position of it."""

EARNED = """
game "Earned"
players Ann, Bob
start at play

phase play:
    turn Ann:
        move take:
            earn Ann: 2
            earn Bob: -2
            go answer
        move leave: go answer

phase answer:
    turn Bob:
        move stop: end payoff (0, 0)
        move take:
            earn Ann: -1
            earn Bob: 1
            go last

phase last:
    turn Ann:
        move on: end payoff (-1, 1)
"""


THREE = """
game "Three"
players Ann, Bob, Cy
start at play

phase play:
    turn Ann:
        move up: end payoff (1, 0, 2)
        move down: end payoff (0, 1, 2)
"""

UNEVEN = """
game "Uneven"
players Ann, Bob
start at play

phase play:
    turn Ann:
        move take:
            earn Ann: 1
            go answer
        move leave: go answer

phase answer:
    turn Bob:
        move up: end payoff (1, -1)
        move down: end payoff (-1, 1)
"""

EVEN = """
game "Even"
players Ann, Bob
start at play

phase play:
    turn Ann:
        move divide: end payoff (1, 1)
        move offer: go answer

phase answer:
    turn Bob:
        move keep: end payoff (0, 2)
        move throw: go pay

phase pay:
    turn Ann:
        move all: end payoff (2, 0)
"""
"""The sum is constant, and not 0: so where later payoffs count less, more than one number counts."""

LESS = "\ndiscount 2/3\n"


@pytest.mark.parametrize(
    "text", [LATE, NEAR, COIN, EARNED, TIES, THREE, UNEVEN, COIN + LESS, TIES + LESS, EVEN, EVEN + LESS]
)
@pytest.mark.parametrize("count", [1, 3])
def test_small_games(text: str, count: int, tmp_path: Path) -> None:
    in_memory = outcome(zermelo.loads(text), tmp_path / "memory", None)
    with on_disk(count):
        assert outcome(zermelo.loads(text), tmp_path / "disk", None) == in_memory
    assert isinstance(in_memory, dict)


# ---------------------------------------------------------------- what does not fit into memory


@pytest.mark.parametrize(("few", "used"), [(300, 2), (30, 5), (0, 5)])
def test_more_positions_are_divided_among_more_shards(
    few: int, used: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Some 250 in each of two, and the rows are the same."""
    rows, counts = external_building.WriteRows._rows, list[int]()
    monkeypatch.setattr(
        external_building.WriteRows, "_rows", lambda job, shard: counts.append(shard.count) or rows(job, shard)
    )
    game = zermelo.load("connect_four", rows=3, columns=3, run=3)
    in_memory = outcome(game, tmp_path / "memory", False)
    with on_disk(2, 5, few=few):
        assert outcome(game, tmp_path / "disk", False) == in_memory
    assert counts == [used] * used


def test_what_does_not_fit_into_memory_is_made_on_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game, made = zermelo.load("connect_four", rows=4, columns=3), []
    in_memory = outcome(game, tmp_path / "memory", None, memory=1 << 28)
    make = external_building.content_on_disk
    monkeypatch.setattr(external_building, "content_on_disk", lambda *given: (made.append(given), make(*given))[1])
    assert outcome(game, tmp_path / "disk", None, memory=1 << 17) == in_memory
    assert len(made) == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == ["disk", "memory"]


def test_a_part_that_does_not_fit_into_memory_either(tmp_path: Path) -> None:
    with on_disk(1), pytest.raises(ZermeloError) as raised:
        Table.build(zermelo.load("connect_four", rows=4, columns=3), tmp_path / "table", memory=1 << 16)
    assert raised.value.code == "out-of-memory"
    assert "--resume" in raised.value.help
    assert [path.name for path in tmp_path.iterdir()] == ["table.unfinished"]


# ---------------------------------------------------------------- what goes wrong

FAILING = """
game "Failing"
players Ann, Bob
var left: 0..6 = 6
start at play

phase play:
    turn Ann:
        move one:
            left -= 1
            go reply
        move two:
            left -= 2
            go reply

phase reply:
    turn Bob:
        move wait: go play
        move give: end payoff (1, -1)
"""


def test_rules_that_fail_are_explained_by_a_shortest_play(tmp_path: Path) -> None:
    def told() -> tuple[str, int]:
        with pytest.raises(ZermeloError) as raised:
            Table.build(zermelo.loads(FAILING), tmp_path / "table", memory=SMALL)
        return raised.value.code, raised.value.message.count("wait")

    in_memory = told()
    with on_disk(3):
        assert told() == in_memory == ("assigned-out-of-range", 3)


def test_where_a_file_can_have_one_name_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any) -> None:
        raise PermissionError("this file system has no links")

    monkeypatch.setattr(os, "link", refuse)
    game = zermelo.load("nim")
    with small_files():
        in_memory = outcome(game, tmp_path / "memory", None)
        with on_disk(3):
            assert outcome(game, tmp_path / "disk", None) == in_memory
    assert len(in_memory) > 3


def test_a_full_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shards.shutil, "disk_usage", lambda _: SimpleNamespace(free=1 << 20))
    with on_disk(3), pytest.raises(ZermeloError) as raised:
        Table.build(zermelo.load("nim"), tmp_path / "table", memory=SMALL)
    assert raised.value.code == "unwritable-file"
    assert "is full" in raised.value.message
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("error", [KeyboardInterrupt, OSError(28, "No space left on device")])
def test_what_is_finished_is_kept(error: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    appended, append = [0], shards.append

    def fail(*given: Any) -> int:
        appended[0] += 1
        if appended[0] == 20:
            raise error
        return append(*given)

    monkeypatch.setattr(shards, "append", fail)
    game = zermelo.load("nim")
    in_memory = outcome(game, tmp_path / "memory", None)
    with on_disk(3):
        with pytest.raises((KeyboardInterrupt, ZermeloError)) as raised:
            Table.build(game, tmp_path / "table", memory=SMALL)
        assert getattr(raised.value, "code", "unwritable-file") == "unwritable-file"
        assert "--resume" in getattr(raised.value, "help", "--resume")
        assert {path.name for path in tmp_path.iterdir()} == {"memory", "table.unfinished"}
        with pytest.raises(ZermeloError) as raised_again:
            Table.build(game, tmp_path / "table", memory=SMALL)
        assert raised_again.value.code == "unfinished-table"
        Table.build(game, tmp_path / "table", memory=SMALL, resume=True)
    assert {path.name for path in tmp_path.iterdir()} == {"memory", "table"}
    assert contents(tmp_path / "table") == in_memory


# ---------------------------------------------------------------- refusals

ROUND = """
game "Round"
players Ann, Bob
endless draw
start at play

phase play:
    turn Ann:
        move on: go {there}
        move stop: end payoff (1, -1)

phase pay:
    turn Bob:
        move back:
            earn Ann: 1
            earn Bob: -1
            go left
        move stop: end payoff (0, 0)

phase left:
    turn Ann:
        move on: go play
        move stop: end payoff (2, -2)

phase toss:
    chance:
        outcome heads: go play
        outcome tails: end payoff (-1, 1)
"""

MIRRORED = """
game "Mirrored"
players Ann, Bob, Cy
type Cell = grid(3, 2)
var marks[Cell]: Player? = none
start at play(Ann)

phase play(p: Player):
    if no c in Cell: marks[c] is none:
        end payoff {q: count line in lines(Cell, 2): all c in line: marks[c] == q for q in Player}
    turn p:
        move mark(c in Cell) if marks[c] is none:
            marks[c] := p
            go play(next p)
"""

LONG = """
game "Long"
players Ann
var times: 0..9 = 0
start at toss

phase toss:
    chance:
        outcome heads prob 1 / 100003:
            if times == 9: end payoff {Ann: 1}
            times += 1
            go toss
        outcome tails prob 100002 / 100003: end payoff {Ann: 1 / 99991}
"""


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (
            ROUND.replace("end payoff (2, -2)", "end payoff (2, 3)").replace("{there}", "pay"),
            "what one player gets does not",
        ),
        (ROUND.replace("{there}", "toss"), "chance is at work, and plays can come back to a position"),
        (ROUND.replace("{there}", "pay"), "something is earned on the way, and plays can come back to a position"),
        (
            ROUND.replace("endless draw", "discount 1/2").replace("{there}", "toss"),
            "later payoffs count less, and plays can come",
        ),
        (LONG, "its values are too long for 64 bits"),
    ],
)
def test_what_is_refused(text: str, why: str, tmp_path: Path) -> None:
    with on_disk(3), pytest.raises(ZermeloError) as raised:
        Table.build(zermelo.loads(text), tmp_path / "table", memory=SMALL)
    assert raised.value.code == "no-table"
    assert why in raised.value.message
    assert "in memory it can" in raised.value.help
    assert list(tmp_path.iterdir()) == []


def test_symmetries_that_are_asked_for_and_are_not_there(tmp_path: Path) -> None:
    game = zermelo.loads(COIN)
    for resume in (False, True):
        with pytest.raises(ZermeloError, match="no symmetry of the rules is known") as raised:
            Table.build(game, tmp_path / "table", up_to_symmetry=True, resume=resume)
        assert raised.value.code == "no-table"


def test_symmetries_where_more_than_one_number_counts(tmp_path: Path) -> None:
    """Ties could be broken in another way among images."""
    game = zermelo.loads(MIRRORED)
    for count in (None, 3):
        with on_disk(count) if count else nullcontext(), pytest.raises(ZermeloError, match="how ties are broken"):
            Table.build(game, tmp_path / "table", up_to_symmetry=True)
    in_memory = outcome(game, tmp_path / "memory", None)
    with on_disk(3):
        assert outcome(game, tmp_path / "disk", None) == in_memory
    assert Table.open(tmp_path / "disk").files.manifest["key"]["symmetries"] == 1


def test_a_game_whose_table_is_made_in_memory_alone(tmp_path: Path) -> None:
    with pytest.raises(ZermeloError, match="cannot be made on disk: chance is at work") as raised:
        Table.build(zermelo.load("pig"), tmp_path / "table", resume=True)
    assert "in memory it can, without --resume" in raised.value.help
    assert not list(tmp_path.iterdir())
