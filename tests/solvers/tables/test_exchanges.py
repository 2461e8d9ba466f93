"""Tables that keep one of two positions that are alike but for the players' places: they say what those of all
positions say, however they are made, and searches look them up."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from all_machines import native_machine, needs_llvm
from made_on_disk import SMALL, contents, on_disk
from random_cases import seeds

import zermelo
from zermelo.game import Game, State
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.checks.proving import facts
from zermelo.interpreter.machine import END
from zermelo.solvers.positions.undecided import answer_undecided
from zermelo.solvers.solution import Problem
from zermelo.tables import Table

pytest.importorskip("pyarrow")


def write_alike(random: Random) -> str:
    """A game of two players who may do the same and get the same for it, whose plays may go round."""
    size, total = random.randrange(3, 7), random.choice((0, 0, 1, 5))
    low, high = sorted(random.sample(range(1, 5), 2))

    def end(indent: str) -> str:
        amount = random.randrange(-2, 5)
        if total == 0 and random.random() < 0.5:
            return f"{indent}end win {random.choice(('p', 'other p'))}\n"
        return f"{indent}end payoff {{p: {amount}, other p: {total - amount}}}\n"

    condition = random.choice(
        ("at[p] == at[other p]", f"at[p] > at[other p] + {random.randrange(3)}", f"light and at[p] < {size // 2}")
    )
    move = random.choice((f"(at[p] * {random.randrange(1, 3)} + n) % {size}", f"(at[p] + at[other p] + n) % {size}"))
    return (
        'game "Alike"\nplayers Ann, Bob\nclaim perfect_information\n'
        f"var at[Player]: 0..{size - 1} = {random.randrange(size)}\nvar light: Bool = false\n"
        f"endless payoff ({total}/2, {total}/2)\n"
        f"start at play({random.choice(('Ann', 'Bob'))})\nphase play(p: Player):\n    turn p:\n"
        f"        move step(n in {{{low}, {high}}}) if at[p] + n != {random.randrange(size)}:\n"
        f"            at[p] := {move}\n"
        f"            if {condition}:\n{end('                ')}"
        f"            if at[p] == {random.randrange(size)}: go play(p)\n            go play(other p)\n"
        f"        move turn if at[p] != {random.randrange(size)}:\n"
        f"            light := not light\n            if light and at[other p] == {random.randrange(size)}:\n"
        f"{end('                ')}            go play(other p)\n"
        f"    otherwise:\n{end('        ')}"
    )


def states_of(game: Game) -> list[State]:
    """A state of every position, ends left out."""
    found: dict[object, State] = {}
    waiting = [game.initial]
    while waiting:
        state = waiting.pop(0)
        position = game.machine.position(state.machine_state)
        if not state.is_over and position not in found:
            found[position] = state
            waiting += [state.after(move) for move in state.moves]
    return list(found.values())


def check(game: Game, folder: Path) -> tuple[int, int]:
    """Compare a table of a game with one of all of its positions; how many positions both have."""
    small, whole = Table.build(game, folder / "small"), Table.build(game, folder / "whole", up_to_symmetry=False)
    with on_disk(3):
        there = Table.build(game, folder / "disk", memory=SMALL)
    assert contents(there.files.folder) == contents(small.files.folder)
    small.verify()
    small.verify(memory=2_000)
    endgames, lookups = small.endgames(game), 0
    states = states_of(game)
    for number, state in enumerate(states[:: 1 + len(states) // 50]):
        assert small[state] == whole[state]
        assert small.worths(state) == whole.worths(state)
        if number % 20 == 0:
            found = zermelo.solve(state, "alphabeta", depth=1, endgames=endgames)
            assert found.value == whole[state].value
            lookups += found.counts.get("lookups", 0)
    assert lookups > 0 or len(states) < 20
    assert [root["value"] for root in small.files.manifest["roots"]] == [
        root["value"] for root in whole.files.manifest["roots"]
    ]
    return len(small), len(whole)


@pytest.mark.random
@pytest.mark.parametrize("seed", seeds(40))
def test_players_who_are_alike(seed: int, tmp_path: Path) -> None:
    game = zermelo.loads(write_alike(Random(seed)))
    if game.reference.actor(game.reference.initial()) != END:
        check(game, tmp_path)


def test_half_of_the_positions_are_kept(tmp_path: Path) -> None:
    assert check(zermelo.load("three_mens_morris"), tmp_path) == (498, 4974)


def test_a_book_of_them(tmp_path: Path) -> None:
    game = zermelo.load("three_mens_morris")
    book, whole = (
        Table.build(game, tmp_path / name, plies=3, up_to_symmetry=alike) for name, alike in (("a", None), ("b", False))
    )
    assert len(book) < len(whole) / 6
    book.verify()
    state = game.initial
    for _ in range(3):
        assert book[state] == whole[state]
        state = state.after(state.moves[-1])


@pytest.mark.random
@pytest.mark.parametrize("seed", seeds(40))
def test_without_missed_wins(seed: int, tmp_path: Path) -> None:
    game = zermelo.loads(write_alike(Random(seed)))
    if game.reference.actor(game.reference.initial()) != END:
        check_without_missed_wins(game, tmp_path)


def check_without_missed_wins(game: Game, folder: Path) -> tuple[int, int]:
    """Compare a table without missed wins with one of all positions; how many positions both have."""
    whole, small = Table.build(game, folder / "whole"), Table.build(game, folder / "small", missed_wins=False)
    small.verify()
    small.verify(memory=2_000)
    waiting, met, most = [game.initial], set[object](), max(game.facts.bounds[0])
    while waiting:
        state = waiting.pop(0)
        position = game.machine.position(state.machine_state)
        if position in met:
            continue
        met.add(position)
        assert len(met) % 4 or small[state] == whole[state]
        behind = [state.after(move) for move in state.moves]
        sides = {player: number for number, player in enumerate(game.players)}
        if not any(there.is_over and there.payoff[sides[state.actor]] == most for there in behind):
            assert len(met) % 16 or small.worths(state) == whole.worths(state)
            waiting += [there for there in behind if not there.is_over]
    assert len(small) <= len(met)
    return len(small), len(whole)


def test_missed_wins_are_left_out(tmp_path: Path) -> None:
    game = zermelo.load("three_mens_morris")
    few, all_ = check_without_missed_wins(game, tmp_path)
    assert few < all_
    assert Table.open(tmp_path / "small")[game.initial].value == (1, -1)


def test_what_only_a_missed_win_leads_to_is_not_there(tmp_path: Path) -> None:
    game = zermelo.load("connect_four", rows=3, columns=3, run=3)
    table = Table.build(game, tmp_path / "table", missed_wins=False)
    with pytest.raises(ZermeloError, match="nobody misses a win") as raised:
        table[next(state for state in states_of(game) if table.get(state) is None)]
    assert raised.value.code == "not-in-table"


def test_where_nobody_knows_what_wins_at_once_nothing_is_left_out(tmp_path: Path) -> None:
    with pytest.raises(ZermeloError, match="which moves win at once") as raised:
        Table.build(zermelo.load("pig", target=5), tmp_path / "table", missed_wins=False)
    assert raised.value.code == "no-table"


# The solver of positions in which nobody can win at once keeps those that a table without missed wins does not say to
# be won in a move, but for two things.


LIONS = 'setup:\n    board := layout\n        "{}"\n        "..."\n        "..."\n        "{}"\n'

STUCK = """\
game "Burnt squares"
players Ann, Bob
endless draw
type Square = grid(3, 3)
var at[Player]: Square = a1
var burnt[Square]: Bool = false
setup:
    at[Bob] := c3
start at play(Ann)
phase play(p: Player):
    turn p:
        move step(to in neighbours(at[p], orthogonal)) if not burnt[to] and to != at[other p]:
            burnt[at[p]] := true
            at[p] := to
            go play(other p)
    otherwise:
        end win other p
"""


@needs_llvm
@pytest.mark.parametrize(
    ("first", "last", "kept"),
    [
        pytest.param("l..", "..L", 18, id="from the image that is kept"),
        pytest.param("..l", "L..", 19, id="from another one, which is kept beside it"),
    ],
)
def test_lions_that_cannot_win_at_once(first: str, last: str, kept: int, tmp_path: Path) -> None:
    assert undecided(zermelo.load_position("dobutsu_shogi", LIONS.format(first, last)), tmp_path) == (18, kept)


@needs_llvm
def test_a_win_by_leaving_no_move_is_seen_by_the_table_alone(tmp_path: Path) -> None:
    assert undecided(zermelo.loads(STUCK), tmp_path) == (10, 17)


def undecided(game: Game, folder: Path) -> tuple[int, int]:
    """How many positions a table without missed wins does not say to be won in a move, and how many the solver of
    undecided positions keeps. Both say the same of the beginning."""
    table, machine = Table.build(game, folder / "table", missed_wins=False), native_machine(game.model)
    found = answer_undecided(Problem(machine, facts(game.model), machine.initial()))
    assert found is not None and found.policy is not None
    entry = table[game.initial]
    assert (found.value, found.distance, len(found.best)) == (entry.value, entry.distance, entry.best_moves)
    with pytest.raises(ZermeloError, match=r"only the \d+ positions in which nobody can win at once") as refused:
        list(found.policy)
    rows = table.dataset().to_table().to_pylist()
    won = sum(row["moves_to_the_end"] == 1 and row[f"value_{row['to_move']}"] == 1 for row in rows)
    return len(table) - won, int(refused.value.args[0].partition("only the ")[2].split()[0])
