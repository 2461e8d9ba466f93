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
from zermelo.interpreter.native.running.kernels import Kernels
from zermelo.interpreter.native.running.machine import LoweredMachine, LoweredState
from zermelo.solvers.common.limits import LimitReached
from zermelo.solvers.kernels import kernel_text
from zermelo.solvers.kernels.ranges import ESTIMATE, INFINITE, MOST
from zermelo.solvers.native.beyond import BeyondKernel
from zermelo.solvers.native.depth_first import DepthFirst
from zermelo.solvers.native.growing_table import TableSearch, first_size
from zermelo.solvers.native.loops import UNWATCHED, Watch, watch
from zermelo.solvers.search.horizon import horizon_of, no_horizon
from zermelo.solvers.search.null_move import ADAPTIVE_DEPTH
from zermelo.solvers.search.search import GoesRound, Number
from zermelo.solvers.search.singular_extensions import margin
from zermelo.solvers.search.window_search import Drive, WindowResult
from zermelo.solvers.solution import Answer, Problem

_TO_THE_END: Final = 1 << 30
_MOST: Final = MOST["window"]

_MOVE_BITS: Final = 39
"""What a table entry has room for."""

_NUMBERS: Final = 13
"""Columns of numbers, which come first."""

_PLAN: Final = 5
"""What is kept of how the moves of a state are to be searched."""

_MOST_HISTORY: Final = 1 << 18

_VALUE, _BEST, _IS_CUT = 6, 7, 9
"""Columns: the value, the best move, and whether a horizon was met."""


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
        text = path.text + _text(machine, problem, bounds, scouts, deepens or not problem.facts.has_order, selection)

        def work(kernels: Kernels) -> Answer:
            search = _search(machine, kernels, problem, path)
            return drive(problem, _NativeWindow(machine, problem, search, *bounds, selection.words))

        return machine.run_kernels(text, ("window_begin", "window", "window_grow"), work)

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


def _text(
    machine: LoweredMachine,
    problem: Problem[LoweredState],
    bounds: tuple[Number, Number],
    scouts: bool,
    learns: bool,
    selection: Selection,
) -> str:
    program, unit = machine.program, _unit(machine)
    low, high = _at_most(bounds[0], unit), _at_least(bounds[1], unit)
    scale = unit // program.denominator
    constants = {
        "LOOKS": 1, "BREADTH": program.most_moves + 1, "SCOUTS": int(scouts), "LEARNS": int(learns),
        "LATE": selection.late, "PASSES": selection.passes, "ADAPTIVE": ADAPTIVE_DEPTH, "EXTENDS": selection.extends,
        "MARGIN": min(ceil(margin(problem) * unit), INFINITE >> 1),
        "REMAKES": int(bool(program.model.history)),
        "HISTORY": _history(machine), "MOVE_BITS": program.moves.bits, "LOW": low, "HIGH": high,
        "SCALE": scale, "LARGEST": _MOST // scale,
    }  # fmt: skip
    head = "\n".join(f"{name} = {value}" for name, value in constants.items())
    middle = 0 if INFINITE in (-low, high) else (low + high) // 2
    over = program.estimate_denominator
    guess = f"estimate(C, S, 0) * {unit // over}" if problem.facts.has_estimate and over else str(middle)
    hooks = {
        "worth": guess,
        "is_unsettled": "unsettled(C, S)" if problem.facts.has_unsettled else "0",
        "rank": "order_key(C, S)" if problem.facts.has_order else "0",
        "lets_pass": "passed(C, S)" if selection.passes else "0",
    }
    functions = [f"def {name}(C: ints[CONTEXT], S: state) -> int:\n    return {text}\n" for name, text in hooks.items()]
    return "\n\n".join((head, *functions, kernel_text("window", "window_table", "inquiries")))


def _history(machine: LoweredMachine) -> int:
    """How many pairs of a player and a move have a history of their own; where they are more, some share one."""
    return min(_MOST_HISTORY, len(machine.player_names) << machine.program.moves.bits)


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


def _search(machine: LoweredMachine, kernels: Kernels, problem: Problem[LoweredState], path: Watch) -> TableSearch:
    program = machine.program
    width = program.layout.key_words + 3
    has_table = not program.model.history and not problem.facts.discounted
    size = first_size(problem.limits, width, kernels) if has_table else 1
    columns = (*(0,) * _NUMBERS, program.most_moves, program.most_moves, 2, _PLAN, path.width)
    others = [kernels.table(size, width), kernels.numbers(_history(machine)), path.buckets(kernels)]
    return TableSearch(
        "window", machine, kernels, columns, problem.limits, problem.progress, others, [size, 0, 0, 0],
        ("nodes", "terminals", "cutoffs", "hits", "estimates"), program.most_moves + 1, width=width,
    )  # fmt: skip


@define(eq=False)
class _NativeWindow:
    """A search, with what it remembers from one window to the next. ``low`` and ``high`` bound every value."""

    machine: LoweredMachine
    problem: Problem[LoweredState]
    search: DepthFirst
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
        self.search.sizes = [
            self.search.sizes[0],
            _at_most(alpha, unit),
            _at_least(beta, unit),
            _TO_THE_END if depth == inf else int(depth),
        ]
        self.search.search(state)
        value, best, is_cut = (self.search.path[column][0] for column in (_VALUE, _BEST, _IS_CUT))
        line = None if best < 0 else ((self.machine.program.moves.decode(best),), None)
        return WindowResult(Fraction(value, unit), line, whole=not is_cut)

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
