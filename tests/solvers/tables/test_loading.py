"""Searches that end at the positions of a table: values are those without it, and it takes fewer nodes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import pytest
from all_machines import native_machine, needs_llvm, python_machine
from random_cases import seeds
from random_games.circling import write_circling
from random_games.small import write_small
from solving import solve

import zermelo
from zermelo.game import Game, State
from zermelo.grammar.diagnostics import InvalidGame, ZermeloError
from zermelo.interpreter.checks.game_facts import has_one_value
from zermelo.interpreter.machine import PlayError
from zermelo.solvers.choosing.registry import SOLVERS, may_fit
from zermelo.solvers.common.limits import Limits, Sampling
from zermelo.solvers.solution import Certainty
from zermelo.solving import on_machine
from zermelo.tables import Table

pytest.importorskip("pyarrow")

LOOKING_UP = [name for name, solver in SOLVERS.items() if solver.looks_up and not solver.guesses]

LIMITS = Limits(depth=12, nodes=200_000)


def fitting(game: Game) -> list[str]:
    """The solvers that look positions up and may fit a game, if they are cut off."""
    return [name for name in LOOKING_UP if may_fit(SOLVERS[name], game.facts, is_cut_off=SOLVERS[name].deepens)]


def solved(state: State, name: str, limits: Limits, endgames: Any = None) -> Any:
    game = state.game
    return solve(
        game.searching,
        game.facts,
        name,
        root=on_machine(state, game.searching),
        limits=limits if SOLVERS[name].deepens else Limits(),
        endgames=endgames,
    )


def wander(state: State, random: Random, steps: int) -> State:
    """A state some random moves on, in which the play goes on."""
    for _ in range(steps):
        following = state.after(random.choice(state.moves or [move for move, _ in state.outcomes]))
        if following.is_over:
            break
        state = following
    return state


def compare(root: State, table: Table) -> int:
    """How often positions were looked up by all solvers of the root whose values were compared."""
    endgames, lookups = table.endgames(root.game), 0
    for name in fitting(root.game):
        try:
            plain = solved(root, name, LIMITS)
        except (ZermeloError, PlayError):
            continue
        helped = solved(root, name, LIMITS, endgames)
        if plain.exact:
            assert helped.exact
            assert helped.value == plain.value or helped.value in (plain.alternatives or ()), name
            assert plain.alternatives == () or helped.alternatives is None or not helped.counts.get("lookups")
        if helped.exact and root.game.facts.terminates.holds and has_one_value(root.game.facts):
            assert helped.value == zermelo.solve(root, "positions").value, name
        lookups += helped.counts.get("lookups", 0)
    return lookups


@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("tic_tac_toe", {}),
        ("nim", {"heaps": 2}),
        ("kalah", {"pits": 2, "seeds": 2}),
        ("othello", {"size": 4}),
        ("domineering", {"columns": 4, "rows": 3}),
        ("uniform_tree", {}),
        ("coin_flip_tree", {}),
        ("n_person_nim", {}),
        ("three_player_tree", {}),
    ],
)
def test_values_of_bundled_games(name: str, parameters: dict[str, int], tmp_path: Path) -> None:
    game = zermelo.load(name, **parameters)
    random, lookups = Random(name), 0
    for number in range(2):
        there = wander(game.initial, random, 4)
        table = Table.build(there, tmp_path / str(number), up_to_symmetry=None if number else False)
        lookups += compare(wander(game.initial, random, 2), table) + compare(game.initial, table)
    assert lookups > 0


def write_contest(random: Random) -> str:
    """A game of two players who earn and lose on their way to the end, with an estimate that is often wrong."""
    low, high = sorted(random.sample(range(5), 2))
    moves = ""
    for name in ("push", "pull", "jump"):
        steps, gain = random.randrange(1, 3), random.choice(("x - 2", "n", "0"))
        moves += (
            f"        move {name}(n in {{{low}, {high}}}) if left >= {steps} and x != {random.randrange(7)}:\n"
            f"            {random.choice(('x', 'y'))} := (x * {random.randrange(1, 5)} + y + n) % 7\n"
            f"            earn A: {gain}\n            earn B: -({gain})\n            left -= {steps}\n"
            f"            go play({random.choice(('p', 'other p', 'other p'))})\n"
        )
    return (
        'game "Contest"\nplayers A, B\nclaim perfect_information, terminates\n'
        f"var x: 0..6 = {random.randrange(7)}\nvar y: 0..6 = {random.randrange(7)}\n"
        f"var left: 0..7 = {random.randrange(5, 8)}\n"
        f"estimate for p: if p == A then x - {random.randrange(5)} else {random.randrange(5)} - x\n"
        "start at play(A)\nphase play(p: Player):\n"
        f"    if left == 0: end payoff A: x - {random.randrange(7)}\n"
        f"    turn p:\n{moves}    otherwise: end win other p\n"
    )


def random_game(seed: int) -> Iterator[Game]:
    random = Random(seed)
    with suppress(InvalidGame):
        if seed % 4:
            yield zermelo.loads(write_contest(random))
        else:
            yield zermelo.loads(write_circling(random, "against", False, False) if seed % 8 else write_small(random))


@pytest.mark.random
@pytest.mark.parametrize("seed", seeds(24))
def test_values_of_random_games(seed: int, tmp_path: Path) -> None:
    for game in random_game(seed):
        if not fitting(game) or game.initial.is_over:
            continue
        with suppress(ZermeloError, PlayError):  # some have no table, or no end
            table = Table.build(wander(game.initial, Random(seed), seed % 3), tmp_path / "table")
            compare(game.initial, table)


CHANCE = """
game "Chance"
players Ann, Bob
param shares: 2..1000003 = 3
param size: 9..18 = 9
var left: 0..size = size
start at choose(Ann)

phase choose(p: Player):
    turn p:
        move small if left % 3 != 0:
            left -= 1
            earn p: 1 / 2
            earn other p: -1 / 2
            go next(other p)
        move large if left > 2: go roll(p)

phase roll(p: Player):
    chance:
        outcome two prob 1 / shares:
            left -= 2
            go next(other p)
        outcome three prob (shares - 1) / shares:
            left -= 3
            go next(other p)

phase next(p: Player):
    if left == 0: end win other p
    go choose(p)
"""


@pytest.mark.parametrize("name", ["expectiminimax", "star1", "star2", "maxn"])
def test_with_chance(name: str, tmp_path: Path) -> None:
    """What comes after some moves is known, with values in fractions. Star needs bounds, so nothing is earned."""
    game = zermelo.loads(CHANCE if not name.startswith("star") else re.sub(".* earn .*\n", "", CHANCE))
    for number, moves in enumerate((["large", "two", "small"], ["large", "three"])):
        there = game.initial
        for move in moves:
            there = there.after(move)
        table = Table.build(there, tmp_path / f"{number}")
        assert any(name.endswith("denominator") for name in table.files.columns)
        plain, helped = zermelo.solve(game, name), zermelo.solve(game, name, endgames=table.endgames(game))
        assert helped.exact and helped.value == plain.value == zermelo.solve(game, "positions").value
        assert helped.counts["lookups"] > 0 and helped.counts["nodes"] < plain.counts["nodes"]
        assert helped.best[0] in plain.best
    whole = Table.build(game, tmp_path / "whole").endgames(game)
    seen = zermelo.solve(game, name, depth=1, endgames=whole)
    assert seen.exact and seen.value == plain.value and seen.counts["lookups"] == 1


def test_fractions_that_are_too_long(tmp_path: Path) -> None:
    game = zermelo.loads(CHANCE, shares=1_000_003, size=18)
    table = Table.build(game, tmp_path / "table")
    with pytest.raises(ZermeloError) as error:
        zermelo.solve(game, "expectiminimax", endgames=table.endgames(game))
    assert error.value.code == "no-table"


@needs_llvm
def test_machine_code_finds_what_python_finds(tmp_path: Path) -> None:
    game = zermelo.load("connect_four", rows=4, columns=4)
    table = Table.build(game.initial.after("drop(2)").after("drop(2)"), tmp_path / "table")
    endgames = table.endgames(game)
    found = []
    for machine in (native_machine(game.model), python_machine(game.model)):
        without = solve(machine, game.facts, "enhanced_alphabeta")
        helped = solve(machine, game.facts, "enhanced_alphabeta", endgames=endgames)
        assert helped.exact and helped.value == without.value
        assert helped.counts["nodes"] < without.counts["nodes"] / 2
        assert helped.counts["lookups"] > 0
        found.append(helped.counts)
    assert found[0] == found[1]


def test_a_horizon_is_no_horizon_where_values_are_known(tmp_path: Path) -> None:
    """From random positions of a solved game one ply is enough, with a best move, whatever the file's estimate says."""
    game = zermelo.load("connect_four", rows=4, columns=4)
    table = Table.build(game, tmp_path / "table")
    endgames, random = table.endgames(game), Random(5)
    for _ in range(30):
        state = wander(game.initial, random, random.randrange(12))
        known = table.get(state)
        for name in LOOKING_UP:
            if SOLVERS[name].deepens:
                found = solved(state, name, Limits(depth=1), endgames)
                assert known is not None and found.value == known.value
                assert found.certainty is Certainty.EXACT
                assert table[state.after(found.best[0])].value == known.value
                assert found.counts["nodes"] <= 2 + 3 * len(state.moves)


@pytest.mark.parametrize(
    ("name", "parameters"), [("connect_four", {"rows": 4, "columns": 4}), ("bear_off_race", {}), ("nim", {"heaps": 2})]
)
def test_simulations_end_where_values_are_known(name: str, parameters: dict[str, int], tmp_path: Path) -> None:
    """Each move brings what is looked up, again and again: the mean of that is its value, exactly."""
    game, random = zermelo.load(name, **parameters), Random(2)
    table = Table.build(game, tmp_path / "table")
    endgames = table.endgames(game)
    for _ in range(10):
        state = wander(game.initial, random, random.randrange(1, 6))
        if not state.moves:
            continue
        found = zermelo.solve(state, "mcts", simulations=100, endgames=endgames)
        worths, best = table.worths(state)
        values = {worth.move: worth.payoff for worth in worths}
        assert found.value == values[found.best[0]] == table[state].value
        assert found.counts["depth"] == 1 and found.counts["lookups"] <= 100
        assert found.counts["lookups"] == 100 or found.counts["terminals"] > 0
        assert found.best[0] in best or values[found.best[0]] == values[best[0]]
        assert not found.exact


@needs_llvm
def test_simulations_come_to_what_is_known(tmp_path: Path) -> None:
    """After the first moves; the same on both machines."""
    game = zermelo.load("connect_four", rows=4, columns=4)
    endgames = Table.build(game.initial.after("drop(2)").after("drop(2)"), tmp_path / "table").endgames(game)
    machines = (native_machine(game.model), python_machine(game.model))
    sampling = Sampling(300)
    found = [solve(each, game.facts, "mcts", endgames=endgames, sampling=sampling) for each in machines]
    assert found[0].counts == found[1].counts and found[0].value == found[1].value
    assert 0 < found[0].counts["lookups"] < 300


MANY_BITS = """
game "Many bits"
players A, B
claim zero_sum, perfect_information, terminates
var x[1..13]: 0..31 = 31
var left: 0..3 = 3
start at play(A)
phase play(p: Player):
    if left == 0:
        if x[13] > x[12]: end win A
        if x[13] < x[12]: end win B
        end draw
    turn p:
        move put(k in {1, 12, 13}, n in {0, 16, 31}):
            x[k] := n
            left -= 1
            go play(other p)
"""


def test_keys_of_all_bits_are_in_order(tmp_path: Path) -> None:
    """Those with the highest bit of a word, too."""
    game = zermelo.loads(MANY_BITS)
    table = Table.build(game, tmp_path / "table")
    endgames = table.endgames(game)
    width = len(endgames.halves) // len(table)
    assert width >= 4
    keys = [tuple(endgames.halves[place : place + width]) for place in range(0, len(endgames.halves), width)]
    assert keys == sorted(set(keys))
    assert min(key[0] for key in keys) < 0 <= max(key[0] for key in keys)
    found = solved(game.initial, "iterative_deepening", Limits(depth=1), endgames)
    assert found.exact and found.value == zermelo.solve(game, "minimax").value


UNDEFINED = """
game "Undefined"
players A, B
claim zero_sum, perfect_information
start at begin
phase begin:
    turn A:
        move win: end win A
        move ask: go answer
phase answer:
    turn B:
        move win: end win B
        move go_round: go around(A)
phase around(p: Player):
    turn p:
        move stay: go around(other p)
        move give_up: end win other p
"""


def test_values_that_are_not_defined_are_not_known(tmp_path: Path) -> None:
    game = zermelo.loads(UNDEFINED)
    table = Table.build(game, tmp_path / "table")
    undefined = sum(1 for row in table.dataset().to_table().to_pylist() if row["value_A"] is None)
    assert 0 < undefined < len(table)
    assert len(table.endgames(game).outcomes) == len(table) - undefined


def test_what_takes_too_much_memory_is_not_loaded(tic_tac_toe: Table) -> None:
    with pytest.raises(ZermeloError) as refused:
        tic_tac_toe.endgames(tic_tac_toe.game, Limits(memory=1000))
    assert refused.value.code == "out-of-memory"
    limits = Limits(memory=1 << 30)
    endgames = tic_tac_toe.endgames(tic_tac_toe.game, limits)
    assert limits.free == (1 << 30) - endgames.bytes
