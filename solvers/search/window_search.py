"""Window searches: the host of :mod:`zermelo.solvers.kernels.window`.

A driver chooses windows and depths: :mod:`zermelo.solvers.search.iterative_deepening`,
:mod:`zermelo.solvers.search.aspiration`, :mod:`zermelo.solvers.search.mtdf`. What the kernel has on top of alpha-beta,
:class:`Selection` chooses.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from fractions import Fraction
from math import inf
from typing import Any, Final, Protocol, TypeVar

from attrs import define, evolve, frozen

from zermelo.grammar.displayed import Displayed
from zermelo.interpreter.machine import END, Move, State
from zermelo.interpreter.values import exact
from zermelo.solvers.common.going_round import GoesRound
from zermelo.solvers.common.limits import LimitReached
from zermelo.solvers.common.numbers import Number
from zermelo.solvers.kernels import window as kernel
from zermelo.solvers.kernels.window_records import NO_MOVE, Entry, Search
from zermelo.solvers.kernels.window_table import spread
from zermelo.solvers.running.backend import Backend, GameKernels
from zermelo.solvers.running.beyond import BeyondKernel
from zermelo.solvers.running.fallback import Hosted, with_fallback
from zermelo.solvers.running.growing_table import TableKernel, TableSearch
from zermelo.solvers.running.horizon import QUIESCENCE_PLIES, TO_THE_END, bounds_of
from zermelo.solvers.running.loops import UNWATCHED
from zermelo.solvers.running.reckoning import Reckoning
from zermelo.solvers.solution import Answer, Problem

KERNEL: Final = TableKernel(
    Search,
    kernel.start,
    kernel.window,
    ("nodes", "terminals", "cutoffs", "hits", "estimates"),
    entry=Entry,
    spread=spread,
)

_MARGINS: Final = 400
"""So many margins lie between the least and the most that the game can pay. That is a pawn in the bundled chess; where
estimates are coarser than that, every move that is better than all others is singular."""


Line = tuple[tuple[Move, ...], "Line"] | None
"""Best play from a state: the moves that are best there, and the line behind the first of them."""


def best_moves(line: Line) -> tuple[Move, ...]:
    """The moves that are best where a line begins."""
    return line[0] if line is not None else ()


@frozen(eq=False, repr=False)
class WindowResult(Displayed):
    """A value, or a bound of it, for the first player; the line it comes by; whether it holds whatever the depth."""

    value: Number
    line: Line
    whole: bool


Searched = TypeVar("Searched", contravariant=True)


class Windows(Protocol[Searched]):
    """The search as drivers see it. ``low`` and ``high`` bound every value. ``selection`` says in words where it looks
    less far or further than asked; then its values are heuristic unless they are whole. It is empty if it never
    does."""

    @property
    def low(self) -> Number: ...
    @property
    def high(self) -> Number: ...
    @property
    def selection(self) -> str: ...

    @property
    def counts(self) -> dict[str, int]:
        """What has been counted so far, by name."""

    def root(self, state: Searched, alpha: Number, beta: Number, depth: Number) -> WindowResult:
        """Search a state. The window is cut to what the game can pay at all."""

    def settles(self, value: Number) -> bool:
        """Whether a value of the root that was found without meeting a horizon is certainly that of the game."""

    def line(self, found: WindowResult, depth: Number) -> tuple[Move, ...]:
        """The principal variation of what has been found at the problem's root, so many plies deep."""


Drive = Callable[[Problem[State], Windows[State]], Answer]
"""An algorithm that is made of window searches."""


@frozen(kw_only=True, eq=False, repr=False)
class Selection(Displayed):
    """What a search has beyond alpha-beta, a table, and an order of moves: ``scouts`` for all moves but the first;
    moves from number ``late`` on are searched less deep at first; in positions that are searched ``passes`` plies deep
    or more a pass is tried, which costs one ply more from ``adaptive`` plies on; in those that are searched ``extends``
    plies deep or more moves are tested. 0 stands for none. ``words`` say where it looks less far or further."""

    words: str = ""
    scouts: bool = False
    late: int = 0
    passes: int = 0
    adaptive: int = 0
    extends: int = 0


def windowed(drive: Drive[Any], selection: Selection, deepens: bool = True) -> Hosted:
    """A solver that drives window searches. One that deepens needs a horizon, and always learns how to order moves; one
    that does not, only where the file leaves their order open.

    It goes on with the table, the order of moves and the counts of an earlier search of the same problem where both
    have the same kernel and rules. That is sound: an entry holds bounds on the value of its position to its depth, or
    to the end, whatever window and driver it comes from; and where the path is watched the kernel is another one."""

    @with_fallback
    def solve(backend: Backend[State], problem: Problem[State]) -> Answer:
        seen = problem if deepens else evolve(problem, rollouts=False)
        low, high = bounds_of(seen) if deepens else problem.certain_bounds
        middle = 0 if inf in (-low, high) else exact(Fraction(low + high) / 2)
        reckoning = backend.reckoning(seen, middle)
        path = UNWATCHED if deepens else backend.watch(problem)
        source = KERNEL.source(
            LATE=selection.late,
            PASSES=selection.passes,
            ADAPTIVE=selection.adaptive,
            EXTENDS=selection.extends,
            MARGIN=-reckoning.at_most(-margin(problem)),
            OVERTIME=QUIESCENCE_PLIES,
            ESTIMATES=int(problem.has_estimate or problem.limits.depth == inf),
            rank=backend.rank() if problem.facts.has_order else "0",
            lets_pass="passed(rules, state)" if selection.passes else "0",
            **reckoning.holes,
            **path.holes,
        )
        remembers = not problem.facts.discounted

        def driven(search: _Calls) -> Answer:
            windows = _Windows(backend, problem, search, reckoning, low, high, selection.words)
            search.search.learns = deepens or not problem.facts.has_order
            search.search.scouts = selection.scouts
            search.search.low, search.search.high = windows.within(low, high)
            return drive(problem, windows)

        def work(kernels: GameKernels) -> Answer:
            search = _Calls(KERNEL, backend, kernels, problem.limits, problem.progress, path, remembers)
            if kernels.is_compiled:
                problem.handover.leave(search, backend.rules, source.identity)
            return driven(search)

        earlier = problem.handover.take(backend.rules, source.identity)
        if earlier is not None:
            earlier.limits, earlier.progress = problem.limits, problem.progress
            return driven(earlier)
        return backend.run(source, work)

    return solve


def margin(problem: Problem[State]) -> Number:
    """By how much a singular move is better than all others; any difference will do where payoffs have no bounds."""
    low, high = problem.bounds
    return 0 if inf in (-low, high) else exact(Fraction(high - low) / _MARGINS)


class _Calls(TableSearch[Search]):
    """The calls of the kernel. ``window`` is that of the first one, and how deep it searches."""

    along = "calls"
    beside = ("killers",)
    spare = 1
    window: tuple[Any, Any, int]

    @property
    def counts(self) -> dict[str, int]:
        """What has been counted, estimates only if there are some."""
        return {what: count for what, count in super().counts.items() if count or what != "estimates"}

    def start(self, root: Any) -> None:
        super().start(root)
        first, search = self.search.calls[0], self.search
        first.alpha, first.beta, first.left = self.window
        first.ply = 0
        search.plies, search.barred, search.trying = first.left, NO_MOVE, NO_MOVE

    def go_on(self, root: Any, steps: int) -> int:
        answer = super().go_on(root, steps)
        if self.search.is_beyond:
            raise BeyondKernel
        return answer

    def _go_on(self, steps: int) -> int:
        return self.kernels.go_on_with(kernel.window, self.search, steps)

    def _made(self) -> list[int]:
        moves = (*(call.move for call in self.kernels.waiting(self.search)), self.search.trying)
        return [move for move in moves if move != NO_MOVE]


@define(eq=False, repr=False)
class _Windows:
    """A search, with its table and move ordering, from one window to the next."""

    backend: Backend[Any]
    problem: Problem[Any]
    search: _Calls
    reckoning: Reckoning
    low: Number
    high: Number
    selection: str

    @property
    def counts(self) -> dict[str, int]:
        return self.search.counts

    def root(self, state: Any, alpha: Number, beta: Number, depth: Number) -> WindowResult:
        alpha, beta = max(alpha, self.low), min(beta, self.high)
        plies = TO_THE_END if depth == inf else int(depth)
        self.search.window = *self.within(alpha, beta), plies
        self.search.run(state)
        found = self.search.search
        line = None if found.best_move == NO_MOVE else ((self.backend.move(found.best_move),), None)
        return WindowResult(self.reckoning.value(found.value), line, whole=bool(found.is_whole))

    def within(self, alpha: Number, beta: Number) -> tuple[Any, Any]:
        """A window in the kernel's numbers, no narrower."""
        return self.reckoning.at_most(alpha), -self.reckoning.at_most(-beta)

    def settles(self, value: Number) -> bool:
        """Whether a value found without meeting a horizon is that of the game. All windows lie within ``low`` and
        ``high``, so what has been found is the value of the game in which nothing pays less or more than these. Cutting
        payoffs to bounds changes no order, so it commutes with max and min: the value proper is the same, or beyond the
        bound that has been found. An endless play could bring it there if nothing is known of those."""
        return self.problem.has_certain_bounds or self.low < value < self.high

    def line(self, found: WindowResult, depth: Number) -> tuple[Move, ...]:
        """The states behind the best moves are searched in turn, mostly by a look into the table. All have the value
        that has been found, so a window around it will do, unless a search that selects where to look sees it otherwise
        from there. The line ends where it comes back to a position, which it may where plays are not known to end."""
        line: list[Move] = []
        step = self.reckoning.step
        machine, state, value = self.backend.machine, self.problem.root, found.value
        met: set[Hashable] = set()
        while found.line is not None and (position := machine.position(state)) not in met:
            met.add(position)
            line += found.line[0]
            depth -= 1
            state = machine.after(state, line[-1])
            if machine.actor(state) == END or depth <= 0:
                break
            try:
                found = self.root(state, value - step, value + step, depth)
                if found.value != value:
                    found = self.root(state, -inf, inf, depth)
                    value = found.value
            except (LimitReached, GoesRound):
                break
        return tuple(line)
