"""Tables of random games, made in memory, and on disk with a megabyte of it: every value is the independent referee's,
and verifying finds nothing wrong, at once or in little memory."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import pytest
from made_on_disk import SMALL, contents, on_disk
from random_cases import seeds
from random_games.circling import write_circling
from random_games.small import write_of_three, write_small
from referee.exploring import explored
from referee.fixed_points import plain_distances
from referee.histories import Endless, TooLarge, histories
from referee.positions import EarnsForEver, count_policies, endless_number, numbers
from referee.values import reachable

import zermelo
from zermelo.game import Game, State
from zermelo.grammar.diagnostics import InvalidGame, ZermeloError
from zermelo.interpreter.machine import END
from zermelo.solvers.positions.graph.graph import PAYS
from zermelo.solvers.tables.dataset import MANIFEST
from zermelo.tables import Table

pytest.importorskip("pyarrow")

MANY = 300
"""The most policies that the referee tries."""

REFUSED = {"needs-endless", "earns-for-ever", "no-table", "needs-public", "needs-one-number", "needs-end"}
"""Why a game has no table."""


LITTLE = 2_000
"""So many bytes of memory that a table is verified in several spans, if it has a few hundred rows."""


def built(game: Game, folder: Path, up_to_symmetry: bool | None = None) -> Table | None:
    """The table of a game, verified; None if it is refused. Made on disk it is the same, or refused."""
    try:
        table = Table.build(game, folder / "memory", up_to_symmetry=up_to_symmetry)
    except ZermeloError as error:
        assert error.code in REFUSED, error
        return None
    table.verify()
    table.verify(memory=LITTLE)
    on_disk = built_on_disk(game, folder / "disk", up_to_symmetry)
    if on_disk is not None:
        assert rows(on_disk) == rows(table)
        on_disk.verify()
    return table


def rows(table: Table) -> list[bytes]:
    """The files with the rows. Beside them it may say who hurries where nobody has anything to gain."""
    return [content for name, content in sorted(contents(table.files.folder).items()) if name != MANIFEST]


def built_on_disk(game: Game, folder: Path, up_to_symmetry: bool | None) -> Table | None:
    """The table of a game that has one, made on disk in three shards with a megabyte of memory; None if it is
    refused."""
    with on_disk(3):
        try:
            return Table.build(game, folder, up_to_symmetry=up_to_symmetry, memory=SMALL)
        except ZermeloError as error:
            assert error.code == "no-table", error
            return None


def later(table: Table, state: Any) -> Any:
    """What the table says that the players get from a state of the reference machine on, and the distance."""
    entry, machine = table[State(table.game, state)], table.game.reference
    if entry.value is None:
        return None, entry.distance
    earned = machine.earned(state)
    return (
        tuple((amount - before) / state.factor for amount, before in zip(entry.value, earned, strict=True)),
        entry.distance,
    )


def circling(seed: int) -> Iterator[tuple[Game, tuple[int, ...]]]:
    """A game whose plays go round, with what the players want."""
    random = Random(seed)
    aim, has_chance = random.choice(("alone", "against", "against", "common")), seed % 3 == 0
    left_out = random.choice(((), ("discount",), ("discount", "earn "), ("discount", "earn ", "endless")))
    lines = write_circling(random, aim, has_chance, False).split("\n")
    with suppress(InvalidGame):
        game = zermelo.loads("\n".join(line for line in lines if not line.strip().startswith(left_out or "-")))
        yield game, ((1, -1) if aim == "against" else (1,) * len(game.players))


@pytest.mark.random
@pytest.mark.parametrize("seed", seeds(60))
def test_plays_that_go_round(seed: int, tmp_path: Path) -> None:
    for game, wants in circling(seed):
        graph, states = explored(game.reference)
        if count_policies(graph) > MANY or game.reference.actor(states[0]) == END:
            continue
        table = built(game, tmp_path, up_to_symmetry=False)
        paid = [*graph.amounts, *([graph.endless] if graph.endless is not None else [])]
        if all(len(set(payoff)) == 1 for payoff in paid):  # nothing sets them against each other
            wants = (1,) * len(wants)
        try:
            right = numbers(graph, wants)
        except EarnsForEver:
            continue
        if table is None:
            assert right[0] is None
            continue
        inner = [p for p, kind in enumerate(graph.kinds) if kind > PAYS]
        found = [later(table, states[p]) for p in inner]
        assert [None if payoff is None else payoff[0] for payoff, _ in found] == [right[p] for p in inner]
        middle = endless_number(graph)
        if graph.weights is None and graph.discount == 1 and middle is not None and graph.rewards is None:
            known = [Fraction(0) if number is None else number for number in right]
            distances = plain_distances(graph, wants, known, middle)
            assert [distance for _, distance in found] == [distances[p] for p in inner]


@pytest.mark.random
@pytest.mark.parametrize("seed", seeds(60))
def test_plays_that_end(seed: int, tmp_path: Path) -> None:
    """With chance, three players, payoffs of any size: what is reported is what some best play brings."""
    with suppress(InvalidGame, TooLarge, Endless, zermelo.PlayError):
        random = Random(seed)
        game = zermelo.loads(write_of_three(random) if seed % 3 == 0 else write_small(random))
        root = histories(game.reference)
        if game.facts.perfect_information.holds is False or root.actor == END:
            return
        memo: dict[Any, Any] = {}
        reachable(root, memo)
        table = built(game, tmp_path)
        if table is not None:
            for here in root.all():
                if here.actor != END:
                    assert table[State(game, here.state)].value in memo[here]
