"""Alpha-beta on its kernel, with and without a transposition table."""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from attrs import evolve

from zermelo.interpreter.machine import Move
from zermelo.interpreter.native.running.kernels import Kernels
from zermelo.interpreter.native.running.machine import LoweredMachine, LoweredState
from zermelo.solvers.kernels import alphabeta as kernel
from zermelo.solvers.kernels.ranges import INFINITE
from zermelo.solvers.running.call_search import CallSearch
from zermelo.solvers.running.growing_table import table_size
from zermelo.solvers.running.line import best_line
from zermelo.solvers.running.loops import watch
from zermelo.solvers.running.path_search import PathKernel
from zermelo.solvers.search.alphabeta import TIES
from zermelo.solvers.solution import Answer, Problem

KERNEL: Final = PathKernel(kernel.Search, kernel.start, kernel.alphabeta, ("nodes", "terminals", "cutoffs"))
WITH_TABLE: Final = evolve(KERNEL, counted=(*KERNEL.counted, "hits"))

WINDOW: Final = {"alpha": -INFINITE, "beta": INFINITE}


def alphabeta(machine: LoweredMachine, problem: Problem[LoweredState]) -> Answer:
    """As :func:`zermelo.solvers.search.alphabeta.alphabeta`, with the same counts."""
    return _alphabeta(machine, problem, has_table=False)


def alphabeta_table(machine: LoweredMachine, problem: Problem[LoweredState]) -> Answer:
    """As :func:`zermelo.solvers.search.alphabeta_table.alphabeta_table`, with a table of bounded size. It is left out
    where the value of a position is not its own: where the rules look at the history of the play, pay on the way, or
    pay less for what comes later."""
    return _alphabeta(machine, problem, has_table=True)


def _alphabeta(machine: LoweredMachine, problem: Problem[LoweredState], has_table: bool) -> Answer:
    program = machine.program
    is_settled = not program.model.history and program.layout.earnings is None and not problem.facts.discounted
    is_used = has_table and is_settled
    used, path = WITH_TABLE if has_table else KERNEL, watch(machine, problem)

    def solve(kernels: Kernels) -> Answer:
        size = table_size(problem.limits, kernels.words_of(kernel.Search, "table"), kernels) if is_used else 0
        alphabeta = CallSearch(used, machine, kernels, problem.limits, problem.progress, path, first=WINDOW, table=size)
        search = alphabeta.search

        def best(state: LoweredState, _: int = 0) -> tuple[Move, ...]:
            alphabeta.run(state)
            values = zip(machine.moves(state), search.values, strict=False)
            return tuple(move for move, value in values if value == search.value)

        moves = best(problem.root)
        first, counts = search.value, alphabeta.counts
        line = best_line(machine, problem.root, moves, best)
        return Answer(
            value=problem.share(Fraction(first, program.denominator)),
            best=line[:1],
            line=line,
            counts=counts,
            notes=(TIES,) if len(moves) > 1 else (),
        )

    return machine.run(used.source(**path.holes), solve)
