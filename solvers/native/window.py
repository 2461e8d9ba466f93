"""Window searches on their kernel: what :class:`zermelo.solvers.search.window_search.WindowSearch` is to the drivers,
compiled.

Payoffs are whole numbers here, so a window is widened to the next whole numbers. That leaves its meaning: what lies in
between was not asked for, but it is right.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from fractions import Fraction
from math import ceil, floor, inf, lcm
from typing import Final

from attrs import define, frozen

from zermelo.interpreter.machine import END, Move
from zermelo.interpreter.native.dialect.kernel_source import Hole
from zermelo.interpreter.native.running.kernels import Kernels
from zermelo.interpreter.native.running.machine import LoweredMachine, LoweredState
from zermelo.solvers.common.going_round import GoesRound
from zermelo.solvers.common.limits import LimitReached
from zermelo.solvers.common.numbers import Number
from zermelo.solvers.kernels import window as kernel
from zermelo.solvers.kernels.ranges import ESTIMATE, INFINITE, MOST
from zermelo.solvers.kernels.window_records import NO_MOVE, TO_THE_END, Entry, Search
from zermelo.solvers.kernels.window_table import spread
from zermelo.solvers.running.beyond import BeyondKernel
from zermelo.solvers.running.growing_table import TableKernel, TableSearch
from zermelo.solvers.running.horizon import QUIESCENCE_PLIES
from zermelo.solvers.running.loops import UNWATCHED, watch
from zermelo.solvers.running.lowered_backend import LoweredBackend
from zermelo.solvers.search.horizon import horizon_of, no_horizon
from zermelo.solvers.search.null_move import ADAPTIVE_DEPTH
from zermelo.solvers.search.singular_extensions import margin
from zermelo.solvers.search.window_search import Drive, WindowResult
from zermelo.solvers.solution import Answer, Problem

KERNEL: Final = TableKernel(
    Search,
    kernel.start,
    kernel.window,
    ("nodes", "terminals", "cutoffs", "hits", "estimates"),
    entry=Entry,
    spread=spread,
)

_MOST: Final = MOST["window"]

_MOVE_BITS: Final = 39
"""What a table entry has room for."""

_MOST_HISTORY: Final = 1 << 18


@frozen
class Selection:
    """What a search looks at less far or further than asked, and that in ``words``: moves from number ``late`` on,
    positions that are searched ``passes`` plies deep or more, where a pass is tried, and ``extends`` plies deep or
    more, where moves are tested. 0 stands for none."""

    words: str = ""
    late: int = 0
    passes: int = 0
    extends: int = 0


_ALL: Final = Selection()


def windowed(
    drive: Drive[LoweredState], scouts: bool = False, deepens: bool = True, selection: Selection = _ALL
) -> Callable[[LoweredMachine, Problem[LoweredState]], Answer]:
    """A solver that drives window searches, on the kernel. One that deepens needs a horizon, and always learns how to
    order moves; one that does not, only where the file leaves their order open."""

    def solve(machine: LoweredMachine, problem: Problem[LoweredState]) -> Answer:
        bounds = (horizon_of(problem) if deepens else no_horizon(problem)).bounds
        if (deepens and problem.rollouts) or not _can_follow(machine, problem):
            raise BeyondKernel
        path = UNWATCHED if deepens else watch(machine, problem)
        learns = deepens or not problem.facts.has_order
        holes = _numbers(machine, problem, bounds, selection) | _hints(machine, problem, bounds, selection)
        remembers = not machine.program.model.history and not problem.facts.discounted

        def work(kernels: Kernels) -> Answer:
            search = _Calls(KERNEL, LoweredBackend(machine), kernels, problem.limits, problem.progress, path, remembers)
            return drive(problem, _NativeWindow(machine, problem, search, *bounds, selection.words))

        return machine.run(KERNEL.source(**holes, SCOUTS=int(scouts), LEARNS=int(learns), **path.holes), work)

    return solve


def _can_follow(machine: LoweredMachine, problem: Problem[LoweredState]) -> bool:
    """Whether the hints that the file gives are in the program, estimates are values of the kernel and moves fit into
    39 bits."""
    facts, program = problem.facts, machine.program
    hints = {"estimate": facts.has_estimate, "unsettled": facts.has_unsettled, "order_key": facts.has_order}
    are_there = all(program.has(function) for function, is_given in hints.items() if is_given)
    over = program.estimate_denominator
    are_small = over is None or ESTIMATE * (_unit(machine) // over) <= _MOST
    return are_there and are_small and program.moves.bits <= _MOVE_BITS


def _unit(machine: LoweredMachine) -> int:
    """Values are whole numbers over this: what payoffs, estimates, and the middle between two payoffs are over."""
    return lcm(2 * machine.program.denominator, machine.program.estimate_denominator or 1)


def _numbers(
    machine: LoweredMachine, problem: Problem[LoweredState], bounds: tuple[Number, Number], selection: Selection
) -> dict[str, Hole]:
    """The constants that fill the kernel's holes."""
    program, unit = machine.program, _unit(machine)
    scale = unit // program.denominator
    histories = len(machine.player_names) << program.moves.bits
    return {
        "LATE": selection.late, "PASSES": selection.passes, "ADAPTIVE": ADAPTIVE_DEPTH, "EXTENDS": selection.extends,
        "MARGIN": min(ceil(margin(problem) * unit), INFINITE >> 1), "OVERTIME": QUIESCENCE_PLIES,
        "REMAKES": int(bool(program.model.history)),
        "HISTORY": min(_MOST_HISTORY, histories), "MOVE_BITS": program.moves.bits,
        "LOW": _at_most(bounds[0], unit), "HIGH": _at_least(bounds[1], unit), "SCALE": scale, "LARGEST": _MOST // scale,
    }  # fmt: skip


def _hints(
    machine: LoweredMachine, problem: Problem[LoweredState], bounds: tuple[Number, Number], selection: Selection
) -> dict[str, Hole]:
    """The expressions that fill them: what the file says of positions."""
    unit, over, facts = _unit(machine), machine.program.estimate_denominator, problem.facts
    low, high = _at_most(bounds[0], unit), _at_least(bounds[1], unit)
    middle = 0 if INFINITE in (-low, high) else (low + high) // 2
    return {
        "worth": f"estimate(rules, state, 0) * {unit // over}" if facts.has_estimate and over else str(middle),
        "is_unsettled": "unsettled(rules, state)" if facts.has_unsettled else "0",
        "rank": "order_key(rules, state)" if facts.has_order else "0",
        "lets_pass": "passed(rules, state)" if selection.passes else "0",
    }


def _at_most(bound: Number, unit: int) -> int:
    """A lower bound as a value; none at all for one below all values. Raises :class:`BeyondKernel` above them."""
    if bound < -Fraction(_MOST, unit):
        return -INFINITE
    if bound > Fraction(_MOST, unit):
        raise BeyondKernel
    return floor(bound * unit)


def _at_least(bound: Number, unit: int) -> int:
    """The same for an upper bound."""
    return -_at_most(-bound, unit)


class _Calls(TableSearch[Search]):
    """The calls of the kernel. ``window`` is that of the first one, and how deep it searches."""

    along = "calls"
    beside = ("killers",)
    window: tuple[int, int, int]

    def start(self, root: LoweredState) -> None:
        super().start(root)
        first, search = self.search.calls[0], self.search
        first.alpha, first.beta, first.left = self.window
        first.ply, first.barred = 0, NO_MOVE
        search.plies, search.trying = first.left, NO_MOVE

    def go_on(self, root: LoweredState, steps: int) -> int:
        answer = super().go_on(root, steps)
        if self.search.is_beyond:
            raise BeyondKernel
        return answer

    def _go_on(self, steps: int) -> int:
        return self.kernels.go_on_with(kernel.window, self.search, steps)

    def _made(self) -> list[int]:
        moves = (*(call.move for call in self.kernels.waiting(self.search)), self.search.trying)
        return [move for move in moves if move != NO_MOVE]


@define(eq=False)
class _NativeWindow:
    """A search, with what it remembers from one window to the next. ``low`` and ``high`` bound every value."""

    machine: LoweredMachine
    problem: Problem[LoweredState]
    search: _Calls
    low: Number
    high: Number
    selection: str

    @property
    def counts(self) -> dict[str, int]:
        counts = self.search.counts
        return counts if counts["estimates"] else {what: count for what, count in counts.items() if what != "estimates"}

    def root(self, state: LoweredState, alpha: Number, beta: Number, depth: Number) -> WindowResult:
        """Search a state. The window is cut to what the game can pay at all."""
        unit = _unit(self.machine)
        alpha, beta = max(alpha, self.low), min(beta, self.high)
        plies = TO_THE_END if depth == inf else int(depth)
        self.search.window = (_at_most(alpha, unit), _at_least(beta, unit), plies)
        self.search.run(state)
        found = self.search.search
        line = None if found.best_move < 0 else ((self.machine.program.moves.decode(found.best_move),), None)
        return WindowResult(Fraction(found.value, unit), line, whole=bool(found.is_whole))

    def line(self, found: WindowResult, depth: Number) -> tuple[Move, ...]:
        """The principal variation: the states behind the best moves are searched in turn, mostly by a look into the
        table. All have the value that has been found, so a window around it will do, unless a search that selects where
        to look sees it otherwise from there. The line ends where it comes back to a position, which it may where plays
        are not known to end."""
        line: list[Move] = []
        state, value = self.problem.root, found.value
        step = Fraction(1, _unit(self.machine))
        met: set[Hashable] = set()
        while found.line is not None and (position := self.machine.position(state)) not in met:
            met.add(position)
            line += found.line[0]
            depth -= 1
            state = self.machine.after(state, line[-1])
            if self.machine.actor(state) == END or depth <= 0:
                break
            try:
                found = self.root(state, value - step, value + step, depth)
                if found.value != value:
                    found = self.root(state, -inf, inf, depth)
                    value = found.value
            except (LimitReached, GoesRound):
                break
        return tuple(line)
