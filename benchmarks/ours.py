"""This project's side: games compiled together with the kernels of the solvers.

The kernels are timed as called by the solvers. Compilation is measured separately (``startup``).
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, TypeVar

import zermelo
from benchmarks.measure import Unavailable
from zermelo.interpreter.checks.game_facts import Facts
from zermelo.interpreter.native.dialect.kernel_source import Hole
from zermelo.interpreter.native.running.machine import LoweredMachine, machine_over
from zermelo.interpreter.native.running.views import Packed
from zermelo.solvers.common.limits import Limits, ignore_progress
from zermelo.solvers.forms.extensive_form import ExtensiveForm
from zermelo.solvers.kernels import alphabeta as alphabeta_kernel
from zermelo.solvers.kernels import minimax as minimax_kernel
from zermelo.solvers.kernels import plays
from zermelo.solvers.kernels.ranges import INFINITE
from zermelo.solvers.running.backend import UNWATCHED
from zermelo.solvers.running.lowered_backend import LoweredBackend
from zermelo.solvers.running.path_search import TO_THE_END, PathRecord, endgame_lists, looking_up
from zermelo.solvers.search.alphabeta import KERNEL as ALPHABETA
from zermelo.solvers.search.alphabeta import MINIMAX as MINIMAX
from zermelo.solvers.search.counting import KERNEL as WALK
from zermelo.solvers.search.monte_carlo_tree_search import TreeSearch, payoff_bounds, source
from zermelo.solvers.search.random_plays import source as source_of_plays
from zermelo.solvers.solution import Problem
from zermelo.solvers.tree_building.building import build_tree

S = TypeVar("S", bound=PathRecord)

_DEPTH: Final = 256
_WITHOUT_END: Final = 1 << 40
_SLICE: Final = 20_000
_WHOLE: Final[dict[str, Hole]] = {
    **UNWATCHED.holes, "HORIZON": 0, "OVERTIME": 0, "ESTIMATES": 1, "PAYOFFS": 1, "guess": "0", "is_unsettled": "0"
}  # fmt: skip
"""What fills the holes of a search to the end of all plays, which meets no horizon."""
_NO_PASTS: Final = {"words": 0}
"""Tables without histories, which the rules of these games do not look at."""

TABLE: Final = 1 << 22
"""Entries of the transposition table."""


def machine_of(name: str, **parameters: int) -> LoweredMachine:
    """A bundled game, or one beside this file, on the native machine; raises :class:`Unavailable`."""
    from zermelo.interpreter.native.dialect.lowered_text import Unsupported
    from zermelo.interpreter.native.llvm.engine import is_available
    from zermelo.interpreter.native.running.kernels import WORTH_COMPILING, Executor

    if not is_available():
        raise Unavailable("LLVM is not installed")
    beside = Path(__file__).with_name(f"{name}.game")
    game = zermelo.load(beside if beside.exists() else name, **parameters)
    try:
        program = game.prepared.program
    except Unsupported as error:
        raise Unavailable(f"not supported yet: {error.construct}") from error
    return machine_over(program, Executor(program, WORTH_COMPILING))


def tree_of(name: str) -> ExtensiveForm:
    """The extensive form of a bundled game."""
    machine, facts = machine_of(name), zermelo.load(name).facts
    return build_tree(machine, facts, machine.initial(), Limits(memory=1 << 30), ignore_progress)


def minimax(machine: LoweredMachine) -> Callable[[], int]:
    """A search of the whole tree, which returns the number of nodes."""
    kernels = machine.load(looking_up(MINIMAX.source, None, "pack(state, key)", **_WHOLE))
    known = endgame_lists(None, kernels, int)
    search = kernels.new(MINIMAX.record, calls=_DEPTH, watch=UNWATCHED.lengths(_DEPTH), endgames=known)
    search.plies = TO_THE_END

    def run() -> int:
        kernels.put(search.calls[0].state, _start(machine))
        kernels.call(MINIMAX.start, search)
        search.nodes = 0
        kernels.go_on_with(minimax_kernel.minimax, search, _WITHOUT_END)
        return search.nodes

    return run


def alphabeta(machine: LoweredMachine, entries: int = 0) -> Callable[[], int]:
    """Alpha-beta with a table of ``entries``, empty at the start of every search (0: no table). The search returns the
    number of nodes."""
    kernels = machine.load(looking_up(ALPHABETA.source, None, "pack(state, key)", **_WHOLE))

    def search() -> int:
        table: list[Any] = kernels.elements(ALPHABETA.entry, entries, everywhere=True)
        made = kernels.new(
            ALPHABETA.record,
            calls=_DEPTH,
            watch=UNWATCHED.lengths(_DEPTH),
            table=table,
            pasts=_NO_PASTS,
            endgames=endgame_lists(None, kernels, int),
        )
        kernels.put(made.calls[0].state, _start(machine))
        made.plies = TO_THE_END
        made.calls[0].alpha, made.calls[0].beta = -INFINITE, INFINITE
        kernels.call(ALPHABETA.start, made)
        kernels.go_on_with(alphabeta_kernel.alphabeta, made, _WITHOUT_END)
        return made.nodes

    return search


def perft(machine: LoweredMachine, length: int) -> Callable[[], int]:
    """A count of the plays of the given length."""
    kernels = machine.load(WALK.source())
    walk = kernels.new(WALK.record, path=_DEPTH, table=0)
    walk.length = length

    def run() -> int:
        kernels.put(walk.path[0].state, _start(machine))
        kernels.call(WALK.start, walk)
        kernels.call(WALK.go_on, walk, _WITHOUT_END)
        return walk.plays

    return run


def _start(machine: LoweredMachine) -> Packed:
    """The initial state."""
    start = machine.initial().packed
    assert start is not None, "benchmarks stay within the limits of kernels"
    return start


def random_plays(machine: LoweredMachine, seed: int = 1, budget: int = _SLICE) -> Callable[[], tuple[int, int]]:
    """Random plays, some thousands of moves at a call, which returns the numbers of moves and of plays."""
    kernels = machine.load(source_of_plays())
    series = kernels.new(plays.Series)
    series.seed, series.limit = seed, 100_000
    kernels.put(series.root, _start(machine))

    def play() -> tuple[int, int]:
        made, moves = series.number, series.moves
        kernels.call(plays.go_on, series, _WITHOUT_END, budget)
        return series.moves - moves, series.number - made

    return play


def monte_carlo_tree_search(machine: LoweredMachine, facts: Facts, simulations: int) -> Callable[[], int]:
    """A search from the beginning with random plays, which returns the number of simulations."""
    problem = Problem(machine, facts, machine.initial(), rollouts=True)
    backend = LoweredBackend(machine)
    unit, holes = backend.gains(payoff_bounds(problem), simulations, by_estimate=False)
    kernels = machine.load(source(False, holes, None, backend.naming(None)))

    def search() -> int:
        tree = TreeSearch(backend, kernels, problem, simulations, unit)
        while tree.search.simulations < simulations:
            tree.simulate(_WITHOUT_END)
        return int(tree.search.simulations)

    return search
