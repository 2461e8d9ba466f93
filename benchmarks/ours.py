"""This project's side: games from their texts, made machine code together with the kernels of the solvers.

What is timed is the kernel, as the solvers call it. Compiling is not: it is measured on its own (``startup``).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import zermelo
from benchmarks.measure import Unavailable
from zermelo.interpreter.checks.fact import Facts
from zermelo.interpreter.native.running.kernels import Array, Kernels
from zermelo.interpreter.native.running.machine import LoweredMachine
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.forms.extensive_form import ExtensiveForm
from zermelo.solvers.kernels import kernel_text
from zermelo.solvers.native.dispatch import build_tree
from zermelo.solvers.native.monte_carlo_tree_search import EXPORTS, TreeSearch, text_of
from zermelo.solvers.solution import Problem, ignore_progress

_DEPTH: Final = 256
_WITHOUT_END: Final = 1 << 40
_SLICE: Final = 20_000

TABLE: Final = 1 << 22
"""Entries of the transposition table."""


def machine_of(name: str, **parameters: int) -> LoweredMachine:
    """A bundled game on the native machine; raises :class:`Unavailable`."""
    from zermelo.interpreter.native.dialect.unsupported import Unsupported
    from zermelo.interpreter.native.llvm.engine import is_available
    from zermelo.interpreter.native.running.machine import native_executor

    if not is_available():
        raise Unavailable("LLVM is not installed")
    game = zermelo.load(name, **parameters)
    try:
        program = game.prepared.program
    except Unsupported as error:
        raise Unavailable(f"not supported yet: {error.construct}") from error
    return LoweredMachine(program, native_executor(program))


def tree_of(name: str) -> ExtensiveForm:
    """The extensive form of a bundled game."""
    machine, facts = machine_of(name), zermelo.load(name).facts
    return build_tree(machine, facts, machine.initial(), Limits(memory=1 << 30), ignore_progress)


class _Path:
    """Kernels of a game with the arrays of a search from its beginning: the stack of states, their moves, and
    ``columns`` of one number for each state."""

    def __init__(self, machine: LoweredMachine, name: str, columns: int, *needed: str) -> None:
        self.kernels: Kernels = machine.kernels(kernel_text(*needed, name), (f"{name}_begin", name))
        self.width = machine.program.most_moves
        self.stack = self.kernels.states(_DEPTH)
        self.moves = self.kernels.rows(_DEPTH, self.width)
        self.columns: list[Array] = [self.kernels.numbers(_DEPTH) for _ in range(columns)]
        self.registers = self.kernels.numbers(8)
        start = machine.initial().packed
        assert start is not None, "benchmarks stay within the limits of kernels"
        self.kernels.put(self.stack, 0, start)

    def call(self, name: str, *arguments: Array) -> int:
        return self.kernels.call(name, self.stack, self.moves, *arguments)


def minimax(machine: LoweredMachine) -> Callable[[], int]:
    """A search of the whole tree, which returns the number of nodes."""
    path = _Path(machine, "minimax", 4, "no_loops")
    values, buckets = path.kernels.numbers(path.width), path.kernels.numbers(1)

    def search() -> int:
        path.call("minimax_begin", *path.columns, values, buckets, path.registers, _DEPTH)
        path.call("minimax", *path.columns, values, buckets, path.registers, _DEPTH, _WITHOUT_END)
        return int(path.registers[1])

    return search


def alphabeta(machine: LoweredMachine, entries: int = 1) -> Callable[[], int]:
    """Alpha-beta with a table of so many entries, empty at the start of every search (1: no table). The search returns
    the number of nodes."""
    path = _Path(machine, "alphabeta", 9, "no_loops", "slots")
    width, buckets = machine.program.layout.key_words + 3, path.kernels.numbers(1)

    def search() -> int:
        table = path.kernels.rows(entries, width)
        path.call("alphabeta_begin", *path.columns, table, buckets, path.registers, _DEPTH, entries)
        path.call("alphabeta", *path.columns, table, buckets, path.registers, _DEPTH, entries, _WITHOUT_END)
        return int(path.registers[1])

    return search


def perft(machine: LoweredMachine, length: int) -> Callable[[], int]:
    """A count of the plays of a length."""
    path = _Path(machine, "walk", 3, "slots")
    weights = path.kernels.numbers(path.width)
    table = path.kernels.rows(1, machine.program.layout.key_words + 2)

    def count() -> int:
        path.call("walk_begin", *path.columns, weights, table, path.registers, _DEPTH, length, 1)
        path.call("walk", *path.columns, weights, table, path.registers, _DEPTH, length, 1, _WITHOUT_END)
        return int(path.registers[1])

    return count


def random_plays(machine: LoweredMachine, seed: int = 1, budget: int = _SLICE) -> Callable[[], tuple[int, int]]:
    """Random plays, some thousands of moves of them at a call, which returns the numbers of moves and of plays."""
    kernels = machine.kernels(kernel_text("plays"), ("play",))
    width = machine.program.most_moves
    state, moves, weights = kernels.state(), kernels.numbers(width), kernels.numbers(width)
    registers, totals = kernels.numbers(8), kernels.numbers(len(machine.player_names))
    registers[4] = seed

    def play() -> tuple[int, int]:
        plays, made = registers[1], registers[2]
        kernels.call("play", state, moves, weights, registers, totals, 100_000, _WITHOUT_END, budget)
        return registers[2] - made, registers[1] - plays

    return play


def monte_carlo_tree_search(machine: LoweredMachine, facts: Facts, simulations: int) -> Callable[[], int]:
    """A search from the beginning with random plays, which returns the number of simulations."""
    problem = Problem(machine, facts, machine.initial(), rollouts=True)
    kernels = machine.kernels(text_of(machine, problem), EXPORTS)

    def search() -> int:
        tree = TreeSearch(machine, kernels, problem, simulations)
        tree.simulate(_WITHOUT_END)
        return tree.found().counts["simulations"]

    return search
