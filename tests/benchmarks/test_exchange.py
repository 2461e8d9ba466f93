"""The simulation of what shards send each other counts what there is, and its page shows what it says."""

from __future__ import annotations

from pathlib import Path

import numpy
import pytest

import zermelo
from benchmarks import exchange
from zermelo.interpreter.machine import END

pytest.importorskip("pyarrow")

PAGE = Path(__file__).parents[2] / "docs" / "scaling.md"


def counted(name: str) -> tuple[int, int, int]:
    """The positions of a game that are no ends, the moves between these, and the rounds, by the reference machine."""
    machine = zermelo.load(name).reference
    frontier = {machine.position(machine.initial()): machine.initial()}
    known, edges, rounds = set(frontier), 0, 0
    while frontier:
        behind = [machine.after(state, move) for state in frontier.values() for move in machine.moves(state)]
        inner = [state for state in behind if machine.actor(state) != END]
        edges, rounds = edges + len(inner), rounds + bool(inner)
        frontier = {machine.position(state): state for state in inner if machine.position(state) not in known}
        known |= set(frontier)
    return len(known), edges, rounds


def test_all_edges_are_sent() -> None:
    found = exchange.simulate("tic_tac_toe", {}, shards=7)
    assert (found.positions, found.edges, found.rounds) == counted("tic_tac_toe")
    assert found.explored == found.positions
    assert found.rounds < found.messages <= 49 * found.rounds
    assert found.edges / found.messages <= found.largest <= found.edges
    assert 1 <= found.unevenness < 1.2 and 1 <= found.waiting < 1.5


def test_one_shard_sends_to_itself() -> None:
    found = exchange.simulate("tic_tac_toe", {}, shards=1)
    assert (found.messages, found.unevenness, found.waiting) == (found.rounds, 1, 1)


def test_the_first_rounds_of_a_game() -> None:
    found = exchange.simulate("dobutsu_shogi", {}, shards=10, least=1000)
    assert found.positions >= 1000 > found.explored


@pytest.mark.parametrize("told", exchange.KEYS)
def test_keys_are_spread(told: str) -> None:
    """By chance the fullest of 20 shards with 1,000 keys each has some 60 more, and hardly ever 150."""
    keys = exchange.KEYS[told](20_000)
    assert len(numpy.unique(keys, axis=0)) == 20_000
    assert exchange.unevenness_of(keys, 20) < 1.15


def test_prices() -> None:
    """Ten billion positions with two moves each: 72 bytes on disk and 58 on the way for each."""
    found = exchange.price(1e10, 2, 100, exchange.Costs(), exchange.Machine())
    assert (found["on disk while it is made"], found["sent"], found["machines"]) == ("720 GB", "580 GB", "1")
    assert (found["shards"], found["messages a round, between shards"]) == ("1,000", "1.0e+06")
    assert (found["bytes a message, between shards"], found["hours of all networks"]) == ("5.8 kB", "0")


def test_the_page_shows_what_tables_cost() -> None:
    shown = PAGE.read_text(encoding="utf-8")
    assert "\n".join(exchange.price_table()) in shown
    assert "\n".join(exchange.keys_table(1_000_000, exchange.SHARDS)) in shown
