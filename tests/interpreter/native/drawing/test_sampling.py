"""Drawn moves: exactly the legal ones, all equally likely, and the same on both executors.

That a draw is uniform follows from two facts, which are tested at every position of some plays: the first candidate
drawn from the pool can be each legal move, exactly once, or one that is rejected; and after a rejection the same holds
of a pool smaller by one. So after any rejections all legal moves are equally likely to be next.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from importlib.resources import files
from random import Random
from typing import Any

import pytest
from all_machines import native_machine, needs_llvm, python_machine

from zermelo.grammar.diagnostics import Source
from zermelo.interpreter.check import check
from zermelo.interpreter.machine import CHANCE, END
from zermelo.interpreter.native.dialect.kernel_source import kernel
from zermelo.interpreter.native.dialect.language import execute
from zermelo.interpreter.native.running.executor import PythonExecutor, unpack_state
from zermelo.interpreter.native.running.machine import LoweredMachine
from zermelo.solvers.kernels.plays import Series, go_on

POOLS = """\
game "Pools"

players A, B

type Cell = grid(3, 2)
type Pair = (one: Cell, two: Cell)

var board[Cell]: Player? = none
var clock: 0..9 = 0

define lonely(c: Cell) = board[c] is none and no d in neighbours(c, orthogonal): board[d] == A

start at play(A)

phase play(p: Player):
    turn p:
        move put(c in Cell) if lonely(c) ensuring clock < 6 or c != a1:
            board[c] := p
            clock := min(9, clock + 1)
            go play(other p)
        move swap(c in Cell, d in neighbours(c)) if board[c] == A and c.x <= d.x
                ensuring some e in Cell: board[e] == A and e.y == 2:
            let held = board[c]
            board[c] := board[d]
            board[d] := held
            clock := min(9, clock + 1)
            go toss(p)
        move rest if clock < 5 ensuring board[a1] is none or board[b2] is none:
            clock := clock + 1
            go play(other p)
        move leave if clock == 9:
            end draw
    otherwise:
        end draw

phase toss(p: Player):
    chance:
        outcome stays weight 1 + clock:
            go play(other p)
        outcome falls(c in Cell) if board[c] == B weight c.x:
            board[c] := none
            go play(other p)
"""

GAMES = (
    "tic_tac_toe",
    "connect_four",
    "othello",
    "go",
    "checkers",
    "chess",
    "backgammon",
    "kuhn_poker",
    "pig",
    "rock_paper_scissors",
)


def machine_of(name: str, make: Callable[..., LoweredMachine] = python_machine, **parameters: Any) -> LoweredMachine:
    text = POOLS if name == "pools" else files("zermelo.gamedefs").joinpath(f"{name}.game").read_text()
    model, findings = check(Source(f"{name}.game", text), parameters)
    assert model is not None, findings
    return make(model)


class Aside(Exception):
    """A draw needed more numbers than it was given."""


class Drawer:
    """Draws with given numbers instead of random ones."""

    def __init__(self, machine: LoweredMachine) -> None:
        self.machine = machine
        self.functions = execute(machine.program.text)
        self.functions["drawn"] = self._drawn
        self.given: list[int] = []
        self.bounds: list[int] = []

    def _drawn(self, registers: list[int], bound: int) -> int:
        self.bounds.append(bound)
        if len(self.bounds) > len(self.given):
            raise Aside
        return self.given[len(self.bounds) - 1]

    def draw(self, state: Any, given: list[int]) -> int | None:
        """The move number drawn with these numbers; None if there are too few."""
        program = self.machine.program
        self.given, self.bounds = given, []
        room = [0] * program.most_moves
        executor = self.machine.executor
        assert isinstance(executor, PythonExecutor)
        held = executor._unpack(state.packed)  # writes the history to the context
        try:
            return int(self.functions["sample"](executor._context, held, room, [0] * program.most_moves, [0]))
        except Aside:
            return None

    def firsts(self, state: Any, before: list[int]) -> tuple[Counter[int], list[int]]:
        """The results of the next number after ``before`` have been rejected: the moves, and the numbers that are
        rejected."""
        assert self.draw(state, before) is None, "a draw that comes to an end asks for no more"
        found: Counter[int] = Counter()
        fallen = []
        for number in range(self.bounds[-1]):
            move = self.draw(state, [*before, number])
            if move is None or move < 0:
                fallen.append(number)
            else:
                found[move] += 1
        return found, fallen


def hold_draws_against_lists(machine: LoweredMachine, plays: int, seed: int) -> int:
    """Test every position of some plays; the number of those with a rejection."""
    random, drawer, fallen_ones = Random(seed), Drawer(machine), 0
    for _ in range(plays):
        state = machine.initial()
        for _ in range(30):
            actor = machine.actor(state)
            if actor == END:
                break
            if actor == CHANCE:
                outcomes = machine.executor.outcomes(state.packed)
                total = sum(weight for _, weight in outcomes)
                found, fallen = drawer.firsts(state, [])
                size = sum(found.values())
                assert not fallen
                assert {m: Fraction(n, size) for m, n in found.items()} == {m: Fraction(w, total) for m, w in outcomes}
                state = machine.after(state, random.choice(machine.outcomes(state))[0])
                continue
            legal = Counter(machine.executor.moves(state.packed))
            before: list[int] = []
            while True:
                found, fallen = drawer.firsts(state, before)
                assert found == legal
                if not fallen or len(before) == 3:
                    break
                fallen_ones += 1
                before.append(random.choice(fallen))
            state = machine.after(state, random.choice(machine.moves(state)))
    return fallen_ones


@pytest.mark.parametrize("name", [*GAMES, "pools"])
def test_every_legal_move_is_equally_likely(name: str) -> None:
    parameters = {"othello": {"size": 4}, "go": {"size": 3}}.get(name, {})
    plays = {"pools": 12, "chess": 1, "checkers": 1, "backgammon": 1}.get(name, 2)
    fallen = hold_draws_against_lists(machine_of(name, **parameters), plays, seed=4)
    assert fallen > 0 or name not in ("connect_four", "othello", "go", "pools")


def played(machine: LoweredMachine, seed: int, plays: int) -> tuple[list[int], list[int]]:
    """The results of some random plays of the kernel."""
    kernels = machine.load(kernel(go_on))
    series = kernels.new(Series)
    series.seed, series.limit = seed, 60
    kernels.put(series.root, machine.initial().packed)
    kernels.call(go_on, series, plays, 1 << 20)
    return [series.number, series.moves, series.given_up, series.longest, series.random[0]], list(series.payoffs)


@needs_llvm
@pytest.mark.parametrize("name", [*(name for name in GAMES if name != "chess"), "pools"])
def test_the_same_seed_gives_the_same_plays_on_both_executors(name: str) -> None:
    here = played(machine_of(name), seed=7, plays=3)
    assert here == played(machine_of(name, native_machine), seed=7, plays=3)
    assert here[0][0] == 3
    assert here != played(machine_of(name), seed=8, plays=3)


def test_draws_cover_all_moves_and_are_not_lopsided() -> None:
    machine = machine_of("tic_tac_toe")
    program = machine.program
    functions = execute(program.text)
    state, registers = machine.initial(), [5]
    room = [0] * program.most_moves
    found = Counter(
        functions["sample"]([0], unpack_state(state.packed, program.layout), room, list(room), registers)
        for _ in range(3000)
    )
    assert set(found) == set(machine.executor.moves(state.packed))
    assert min(found.values()) > 250 and max(found.values()) < 420
