"""Window searches: the host of :mod:`zermelo.solvers.kernels.window`.

A driver chooses windows and depths: iterative deepening, aspiration windows, MTD(f). What the kernel has on top of
alpha-beta, :class:`Selection` chooses.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable, Iterator, Sequence
from fractions import Fraction
from functools import partial
from math import inf
from threading import Event, Thread
from typing import TYPE_CHECKING, Any, Final, cast

from attrs import define, evolve, field, frozen

from zermelo.foundation.records import Displayed
from zermelo.interpreter.machine import END, Move, State, display_text
from zermelo.interpreter.native.running.views import RuleError, Stopped
from zermelo.interpreter.values import exact
from zermelo.solvers.common.limits import LimitReached, Milestone
from zermelo.solvers.common.numbers import GoesRound, Number
from zermelo.solvers.kernels import window as kernel
from zermelo.solvers.kernels.window import ALWAYS, NO_MOVE, Entry, Search, spread
from zermelo.solvers.running.backend import SCOUT, UNWATCHED, Backend, BeyondKernel, GameKernels, WindowNumbers
from zermelo.solvers.running.lowered_backend import Hosted, with_fallback
from zermelo.solvers.running.path_search import (
    QUIESCENCE_PLIES,
    SLICE,
    TO_THE_END,
    Slices,
    TableKernel,
    TableSearch,
    bounds_of,
    endgame_lists,
    looking_up,
)
from zermelo.solvers.search.deepening import TIES, Deepest, Iteration, deepest, horizon_text
from zermelo.solvers.solution import Answer, Certainty, Problem

if TYPE_CHECKING:
    from zermelo.interpreter.native.images import Images

KERNEL: Final = TableKernel(
    Search,
    kernel.start,
    kernel.window,
    ("nodes", "terminals", "cutoffs", "hits", "lookups", "estimates"),
    entry=Entry,
    spread=spread,
)

_MARGINS: Final = 400
"""The number of margins between the least and the most that the game can pay. A margin is a pawn in the bundled chess;
where estimates are coarser than that, every move that is better than all others is singular."""


@frozen(eq=False, repr=False)
class WindowResult(Displayed):
    """A value, or a bound of it, for the first player; the move that brings it; and whether it holds at any depth."""

    value: Number
    move: Move | None
    whole: bool


Drive = Callable[[Problem[Any], "Windows"], Answer]
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


def window_solver(drive: Drive, selection: Selection, deepens: bool = True) -> Hosted:
    """A solver that drives window searches. One that deepens needs a horizon, and always learns how to order moves; one
    that does not, only at first where the file orders them.

    It goes on with the table, the order of moves and the counts of an earlier search of the same problem where both
    have the same kernel and rules. That is sound: an entry holds bounds on the value of its position to its depth, or
    to the end, whatever window and driver it comes from; and where the path is watched the kernel is another one."""

    @with_fallback
    def solve(backend: Backend[State], problem: Problem[State]) -> Answer:
        seen = problem if deepens else evolve(problem, rollouts=False)
        low, high = bounds_of(seen) if deepens else problem.certain_bounds
        middle = 0 if inf in (-low, high) else exact(Fraction(low + high) / 2)
        window_numbers = backend.window_numbers(seen, middle)
        path = UNWATCHED if deepens else backend.watch(problem)
        remembers = not problem.facts.discounted
        is_shared = path is UNWATCHED and remembers and backend.displaces and backend.knows_the_past
        threads = problem.limits.threads if is_shared else 1
        team = 1 if deepens or problem.limits.nodes < inf else threads
        may_fold = is_shared and not deepens and problem.limits.nodes == inf and problem.endgames is None
        source = looking_up(
            KERNEL.source,
            problem.endgames,
            backend.naming(problem.endgames),
            TEAM=int(threads > 1),
            LATE=selection.late,
            PASSES=selection.passes,
            ADAPTIVE=selection.adaptive,
            EXTENDS=selection.extends,
            MARGIN=-window_numbers.at_most(-singular_margin(problem)),
            OVERTIME=QUIESCENCE_PLIES,
            ESTIMATES=int(problem.has_estimate or problem.limits.depth == inf),
            rank=backend.rank() if problem.facts.has_order else "0",
            lets_pass="passed(rules, state)" if selection.passes else "0",
            **window_numbers.holes,
            **path.holes,
            alike="pack(state, key)",
        )

        def run_driver(search: _Calls) -> Answer:
            windows = Windows(backend, problem, search, window_numbers, low, high, selection.words)
            search.search.learns = ALWAYS if deepens or not problem.facts.has_order else _ALONE
            search.search.scouts, search.search.is_in_order = selection.scouts, not deepens
            search.search.low, search.search.high = windows.within(low, high)
            return drive(problem, windows)

        def work(kernels: GameKernels, found: _TakesLong | None = None) -> Answer:
            is_guessed = problem.endgames is not None and problem.endgames.is_estimate
            number = window_numbers.at_most if is_guessed else partial(number_of, window_numbers)
            known = endgame_lists(problem.endgames, kernels, number)
            search = _Calls(
                KERNEL, backend, kernels, problem.limits, problem.progress, path, remembers, marks=0, endgames=known
            )
            search.team = team if kernels.is_compiled else 1
            search.may_fold = may_fold and found is None
            if found is not None:
                search.begin_with(found.counts)
            if kernels.is_compiled:
                problem.handover.leave(search, backend.rules, folded if found else source.identity)
            return run_driver(search)

        folded = f"{source.identity} up to symmetry"
        earlier = problem.handover.take(backend.rules, source.identity, *((folded,) if may_fold else ()))
        try:
            if earlier is not None:
                earlier.limits, earlier.progress = problem.limits, problem.progress
                return run_driver(earlier)
            return backend.run(source, work)
        except _TakesLong as error:
            found = error
        problem.handover.leave(None, None, "")  # two tables are never in memory together
        earlier = None
        found.__traceback__ = None
        symmetric = evolve(source, holes={**source.holes, "alike": "least_image(state, key)"})
        return backend.run(symmetric.with_rules(found.images.text), partial(work, found=found))

    return solve


def number_of(window_numbers: WindowNumbers, amount: Fraction) -> Any:
    """The number of an amount that is known. Raises :class:`~zermelo.solvers.running.backend.BeyondKernel` if there is
    none."""
    number = window_numbers.at_most(amount)
    if window_numbers.value(number) != amount:
        raise BeyondKernel
    return number


def singular_margin(problem: Problem[State]) -> Number:
    """By how much a singular move is better than all others; any difference will do where payoffs have no bounds."""
    low, high = problem.bounds
    return 0 if inf in (-low, high) else exact(Fraction(high - low) / _MARGINS)


class _TakesLong(Exception):
    """A search takes long, so that it pays to begin anew with a table of positions up to symmetry. ``images`` are those
    that have one value, ``counts`` what it has counted."""

    def __init__(self, images: Images, counts: dict[str, int]) -> None:
        super().__init__()
        self.images = images
        self.counts = counts


class _Calls(TableSearch[Search]):
    """The calls of the kernel. ``window`` is that of the first one, and how deep it searches. Where a search takes
    long, a ``team`` of so many threads shares the work; this one alone gives the answer, and meets the errors."""

    along = "calls"
    beside = ("killers",)
    spare = 1
    window: tuple[Any, Any, int]
    team = 1
    may_fold = False

    def __init__(self, *arguments: Any, **lengths: Any) -> None:
        super().__init__(*arguments, **lengths)
        self._others = _Team()
        self._lists = lengths
        self._counted = dict.fromkeys(self.kernel.counted, 0)

    @property
    def counts(self) -> dict[str, int]:
        """What has been counted by all threads, estimates and look-ups of known positions only if there are some."""
        counts = super().counts
        for what, count in counts.items():
            counts[what] = count + self._counted[what] + self._others.counted(what)
        return {what: count for what, count in counts.items() if count or what not in ("estimates", "lookups")}

    def begin_with(self, counts: dict[str, int]) -> None:
        """Count on from there."""
        self._counted.update(counts)

    def run(self, root: Any) -> None:
        try:
            super().run(root)
        finally:
            self._others.rest()
            self._counted = {what: self.counts.get(what, 0) - getattr(self.search, what) for what in self._counted}
            if self._others.mates:
                self._others = _Team()
                self.kernels.replace(self.search, marks=self.kernels.elements(int, 0))

    def start(self, root: Any) -> None:
        super().start(root)
        self._root, self._joined = root, self.search.nodes + _ALONE
        self._folded = self.counts["nodes"] + _LONG
        self._put_first(self.search)

    def _put_first(self, search: Search) -> None:
        first = search.calls[0]
        first.alpha, first.beta, first.left = self.window
        first.ply = 0
        search.plies, search.barred, search.trying = first.left, NO_MOVE, NO_MOVE

    def go_on(self, root: Any, steps: int) -> int:
        if self.may_fold:
            left = self._folded - self.counts["nodes"]
            if left <= 0:
                from zermelo.solvers.running.lowered_backend import images_of

                images, self.may_fold = images_of(self.backend.machine), False
                if images is not None:
                    raise _TakesLong(images, self.counts)
            else:
                steps = min(steps, left)
        answer = super().go_on(root, steps)
        if self.search.is_beyond:
            raise BeyondKernel
        return answer

    def _go_on(self, steps: int) -> int:
        if self.team > 1 and self.search.nodes >= self._joined and not self._others.mates:
            marks: Any = self.kernels.elements(int, _MARKS)
            self.kernels.replace(self.search, marks=marks)
            self._others = _Team([self._teammate() for _ in range(self.team - 1)])
            self._others.search(self.search.table)
        return self.kernels.go_on_with(kernel.window, self.search, steps)

    def _grow(self) -> None:
        self._others.rest()
        super()._grow()
        self._others.search(self.search.table)

    def _spread(self, chunks: Iterator[tuple[int, int]]) -> None:
        """All share the work: entries of one chunk never go where those of another one do."""
        try:
            self._others.spread(self.search.table, chunks)
            super()._spread(chunks)
        finally:
            deque(chunks, 0)  # nobody takes another one if one has failed
            self._others.rest()

    def _teammate(self) -> _Teammate:
        """Another thread's search of the same root, over the same table and marks."""
        mine, kernels = self.search, cast(Any, self.kernels).another()
        lists: Any = {**self._lists, "marks": mine.marks, "table": mine.table, "pasts": {"words": 0}}
        path = dict.fromkeys((self.along, *self.beside), len(mine.calls))
        search = kernels.new(Search, **path, watch=UNWATCHED.lengths(0), **lists)
        search.learns = mine.learns if mine.learns == ALWAYS else 0
        search.history[:] = list(mine.history)
        search.scouts, search.is_in_order = mine.scouts, mine.is_in_order
        search.low, search.high = mine.low, mine.high
        kernels.put(search.calls[0].state, self.backend.held(self._root))
        kernels.call(kernel.start, search)
        self._put_first(search)
        return _Teammate(kernels, search)

    def _moves_made(self) -> list[int]:
        moves = (*(call.move for call in self.kernels.waiting(self.search)), self.search.trying)
        return [move for move in moves if move != NO_MOVE]


# Positions up to symmetry. A symmetry of the rules that leaves the players as they are takes each play from a position
# to one from its image in which all get the same, so both have one value, and one entry of the table is good for both:
# it holds what is still to come. Its best move may be one of the image: it only says what is tried first. Names of
# images cost time, and a kernel that knows them has to be compiled, so only a long search begins anew with them.


_LONG: Final = 3 << 20
"""Nodes of a search before it does, some half a second: fewer than those with which a table becomes large."""


# A team of threads (:mod:`zermelo.solvers.kernels.window`), which work side by side until the search is over. They rest
# while the table grows: then they help to rehash it.


_ALONE: Final = 1 << 18
"""Nodes of a search before others join: most games end there, where threads would not pay. Where the file orders moves,
learning ends here, too, so that all of a team keep to one order."""

_MARKS: Final = 1 << 12


@define(eq=False, repr=False)
class _Teammate:
    """One more search, by kernels with a context of their own. It is ``over`` when it has found the value itself, or
    met something that the search which answers need not meet."""

    kernels: Any
    search: Search
    over: bool = False

    def work(self, steps: int) -> None:
        """Search for so many steps."""
        try:
            depth = self.kernels.go_on_with(kernel.window, self.search, steps)
        except (RuleError, Stopped):
            depth = -1
        if depth + 1 >= len(self.search.calls):
            self.kernels.grow(self.search, calls=2 * len(self.search.calls), killers=2 * len(self.search.calls))
        self.over = depth < 0


@define(eq=False, repr=False)
class _Team:
    """The others. What they do they do in threads of their own, until they are told to ``rest``."""

    mates: Sequence[_Teammate] = ()
    _threads: list[Thread] = field(factory=list)
    _is_enough: Event = field(factory=Event)

    def counted(self, what: str) -> int:
        """What all of them have counted."""
        return sum(getattr(mate.search, what) for mate in self.mates)

    def search(self, table: Any) -> None:
        """All of them go on with their searches, over this table."""

        def work(mate: _Teammate) -> None:
            slices = Slices(is_compiled=True)
            while not mate.over and not self._is_enough.is_set():
                mate.work(slices.next())

        self._begin(table, work)

    def spread(self, table: Any, chunks: Iterator[tuple[int, int]]) -> None:
        """All of them rehash chunks that nobody has taken yet."""

        def work(mate: _Teammate) -> None:
            for first, end in chunks:
                mate.kernels.call(spread, mate.search, first, end)

        self._begin(table, work)

    def _begin(self, table: Any, work: Callable[[_Teammate], None]) -> None:
        self._is_enough.clear()
        for mate in self.mates:
            mate.kernels.replace(mate.search, table=table)
        for mate in self.mates:
            self._threads.append(Thread(target=work, args=(mate,), daemon=True))
            self._threads[-1].start()

    def rest(self) -> None:
        """Wait until all have stopped. Where a rule takes long they stop in the middle."""
        self._is_enough.set()
        waits = SLICE
        while running := [thread for thread in self._threads if thread.is_alive()]:
            for thread in running:
                thread.join(waits)
            if any(thread.is_alive() for thread in running):
                for mate in self.mates:
                    mate.kernels.stop()
        self._threads.clear()
        for mate in self.mates:
            mate.kernels.go_on()


@define(eq=False, repr=False)
class Windows:
    """The search as drivers see it, with its table and move ordering, from one window to the next. ``low`` and ``high``
    bound every value. ``selection`` says in words where it looks less far or further than asked; then its values are
    heuristic unless they are whole. It is empty if it never does."""

    backend: Backend[Any]
    problem: Problem[Any]
    search: _Calls
    window_numbers: WindowNumbers
    low: Number
    high: Number
    selection: str

    @property
    def counts(self) -> dict[str, int]:
        """What has been counted so far, by name."""
        return self.search.counts

    def root(self, state: Any, alpha: Number, beta: Number, depth: Number) -> WindowResult:
        """Search a state. The window is cut to what the game can pay at all."""
        alpha, beta = max(alpha, self.low), min(beta, self.high)
        plies = TO_THE_END if depth == inf else int(depth)
        self.search.window = *self.within(alpha, beta), plies
        self.search.run(state)
        found = self.search.search
        move = None if found.best_move == NO_MOVE else self.backend.move(found.best_move)
        return WindowResult(self.window_numbers.value(found.value), move, whole=bool(found.is_whole))

    def within(self, alpha: Number, beta: Number) -> tuple[Any, Any]:
        """A window in the kernel's numbers, no narrower."""
        return self.window_numbers.at_most(alpha), -self.window_numbers.at_most(-beta)

    def settles(self, value: Number) -> bool:
        """Whether a value of the root that was found without meeting a horizon is certainly that of the game. All
        windows lie within ``low`` and ``high``, so what has been found is the value of the game in which nothing pays
        less or more than these. Cutting payoffs to bounds changes no order, so it commutes with max and min: the value
        proper is the same, or beyond the bound that has been found. An endless play could bring it there if nothing is
        known of such plays."""
        return self.problem.has_certain_bounds or self.low < value < self.high

    def line(self, found: WindowResult, depth: Number) -> tuple[Move, ...]:
        """The principal variation of what has been found at the problem's root, so many plies deep. The states behind
        the best moves are searched in turn, mostly by a look into the table. All have the value that has been found, so
        a window around it will do, unless a search that selects where to look sees it otherwise from there. The line
        ends where it comes back to a position, which it may where plays are not known to end."""
        line: list[Move] = []
        step = self.window_numbers.step
        machine, state, value = self.backend.machine, self.problem.root, found.value
        met: set[Hashable] = set()
        while found.move is not None and (position := machine.position(state)) not in met:
            met.add(position)
            line.append(found.move)
            depth -= 1
            state = machine.after(state, found.move)
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


# Iterative deepening.
#
# What it computes: the value of alpha-beta to depth 1, 2, 3, ... until no horizon is met, which makes it the value of
# the game, or until a limit is reached, which leaves the value of the last depth that was completed. Source: Slate and
# Atkin, "CHESS 4.5" (1977); Korf, "Depth-first iterative-deepening", Artificial Intelligence 27 (1985).
#
# Searching the shallow depths again costs little, since each is a fraction 1/b of the next; and it pays, since what was
# best at one depth is tried first at the next, so that more is cut off.
#
# Cost: O(b^m) at worst for depth m, like one search to depth m; memory for the table.


ENDLESS: Final = (
    "No horizon was met. But it is not proved that all plays end, and the rules do not say what an endless one pays, "
    "which may be more than any that ends: 'endless draw' or 'endless payoff ...' says it, and makes the value exact."
)
"""What the user has to know of a value at a bound of the payoffs, if these bound only plays that end."""


def search_open_windows(problem: Problem[State], search: Windows) -> Answer:
    """Search with an open window to one depth after the other."""
    return deepen(problem, search, lambda depth, _: search.root(problem.root, -inf, inf, depth))


def deepen(problem: Problem[State], search: Windows, iteration: Iteration[WindowResult]) -> Answer:
    """The answer of the last completed iteration; ``counts`` has its ``depth``. Each tells what it has found."""

    def told(depth: int, before: WindowResult | None) -> WindowResult:
        found = iteration(depth, before)
        best = "value" if found.move is None else display_text(found.move)
        problem.remark(Milestone(depth, "moves ahead", {best: problem.share(Fraction(found.value))[0]}))
        return found

    return build_answer(problem, search, deepest(problem, told))


def build_answer(problem: Problem[State], search: Windows, seen: Deepest[WindowResult]) -> Answer:
    """The answer of a search to the end of all plays, or to a depth."""
    found, counts = seen.found, seen.counts(search.counts)
    if found.whole and search.settles(found.value):
        notes, certainty = (TIES,), Certainty.EXACT
    elif found.whole:
        notes, certainty = (ENDLESS,), Certainty.DEPTH_LIMITED
    else:
        notes = (horizon_text(problem, seen.depth or 0, search.selection + seen.stopped),)
        certainty = Certainty.HEURISTIC if search.selection else Certainty.DEPTH_LIMITED
    return Answer(
        value=problem.share(Fraction(found.value)),
        best=() if found.move is None else (found.move,),
        line=search.line(found, inf if found.whole else seen.plies),
        counts=counts,
        certainty=certainty,
        notes=notes,
    )


iterative_deepening = window_solver(search_open_windows, Selection())
"""Solve by iterative deepening. Needs what alpha-beta needs; where it is cut off it needs an estimate, too."""


# Aspiration windows.
#
# What it computes: what iterative deepening computes. The value changes little from one depth
# to the next, so each search begins with a narrow window around the value before: a narrow window cuts off more. If the
# value turns out to lie outside, the search is repeated with the window open on that side. Source: Slate and Atkin,
# "CHESS 4.5" (1977); Baudet (1978).
#
# Invariant: the last search for a depth has its value inside the window, so by alpha-beta's invariant it is that value.
# Cost: mostly at most two searches for each depth, the second helped by the first's table entries. A third one, with
# the whole window, is made where an entry that was searched deeper takes the second beyond the other side.


def search_around_last_value(problem: Problem[State], search: Windows) -> Answer:
    """Search with a narrow window around the value before, to one depth after the other."""
    margin = half_width(search.low, search.high)

    def iteration(depth: int, before: WindowResult | None) -> WindowResult:
        if before is None:
            return search.root(problem.root, -inf, inf, depth)
        alpha, beta = before.value - margin, before.value + margin
        found = search.root(problem.root, alpha, beta, depth)
        if found.value <= alpha:
            found, alpha = search.root(problem.root, -inf, beta, depth), -inf
        elif found.value >= beta:
            found, beta = search.root(problem.root, alpha, inf, depth), inf
        return found if alpha < found.value < beta else search.root(problem.root, -inf, inf, depth)

    return deepen(problem, search, iteration)


def half_width(low: Number, high: Number) -> Number:
    """How far a window reaches to both sides: a sixteenth of what lies between the least and the greatest payoff."""
    return Fraction(1) if inf in (-low, high) else Fraction(high - low) / 16


aspiration = window_solver(search_around_last_value, Selection())
"""Solve by iterative deepening with aspiration windows. Needs what iterative deepening needs."""


# Enhanced alpha-beta: a transposition table, enhanced cut-offs, and move ordering.
#
# What it computes: what :mod:`zermelo.solvers.search.alphabeta` computes, by one search to the end of all plays
# (:mod:`zermelo.solvers.kernels.window`): with a transposition table, a look at all next positions before one of them
# is searched, the window cut to what the game can pay at all, and the moves in the order of the file's ``order moves
# by``, and where it leaves their order open, of what the search has learned about them.
#
# Cost: O(b^m) at worst like minimax; a small part of plain alpha-beta's in games where plays meet again or wins are
# near.


def search_once(problem: Problem[State], search: Windows) -> Answer:
    """Search once, to the end of all plays."""
    return build_answer(problem, search, Deepest(search.root(problem.root, -inf, inf, inf)))


enhanced_alphabeta = window_solver(search_once, Selection(), deepens=False)
"""Solve by enhanced alpha-beta. Needs what minimax needs."""


# Principal variation search with late-move reductions (:mod:`zermelo.solvers.kernels.window`).
#
# What it computes: nearly what principal variation search computes, in less time, so that a deeper
# search fits into it. A late move that would have been better only a ply further down is missed. So a value found this
# way is heuristic even as a value to its depth. It is exact where no horizon was met, since a search that has seen the
# ends of all plays has missed nothing.
#
# Cost: never much more than without, and often a small part of it, the smaller the deeper the search.


late_moves = window_solver(
    search_open_windows, Selection(scouts=True, late=4, words=", less far where it expected little")
)
"""Search by late-move reductions and iterative deepening. Needs what iterative deepening needs."""


# MTD(f).
#
# What it computes: what iterative deepening computes, with null windows alone. Each tells
# on which side of a bound the value lies, and its answer is the next bound, until the two sides meet. The table makes
# this cheap: each pass finds there what the last one has searched. The first guess f is the value of the depth before.
# Source: Plaat, Schaeffer, Pijls and de Bruin, "Best-first fixed-depth minimax algorithms", Artificial Intelligence 87
# (1996); that paper shows it to visit what SSS* visits.
#
# Invariant: low <= value <= high. Each pass raises low or lowers high, and a fail-soft answer lies on the value's side.
# Cost: few passes where the guess is good; without a table every pass would search everything again.


def search_null_windows(problem: Problem[State], search: Windows) -> Answer:
    """Search with null windows to one depth after the other."""
    maximizes = problem.machine.actor(problem.root) == 0

    def iteration(depth: int, before: WindowResult | None) -> WindowResult:
        guess: Number = min(max(0 if before is None else before.value, search.low), search.high)
        below = WindowResult(search.low, None, whole=True)
        above = WindowResult(search.high, None, whole=True)
        while below.value < above.value:
            beta = guess + SCOUT if guess == below.value else guess
            found = search.root(problem.root, beta - SCOUT, beta, depth)
            guess = found.value
            if guess > beta - SCOUT:
                below = found
            if guess < beta:
                above = found
        # A lower bound for one player, or an upper one for the other, shows that a move is as good as the value. The
        # replies behind it prove no more than that bound, which other replies may prove as well.
        proof, other = (below, above) if maximizes else (above, below)
        return evolve(proof, move=proof.move or other.move, whole=below.whole and above.whole)

    return deepen(problem, search, iteration)


mtdf = window_solver(search_null_windows, Selection())
"""Solve by MTD(f) and iterative deepening. Needs what iterative deepening needs."""


# Principal variation search with null-move pruning (:mod:`zermelo.solvers.kernels.window`).
#
# What it computes: nearly what principal variation search computes, in less time, so that a deeper
# search fits into it. Since it errs in a zugzwang, a value found this way is heuristic even as a value to its depth.
# :mod:`zermelo.interpreter.model.rewriting` says what a pass is, and which games have one. The result is exact
# where no horizon was met, which is so for every game without end that is searched deep enough: nothing has been left
# out then.
#
# Cost: where it cuts off, a position costs what it would cost three or four plies from its horizon.


_SELECTION = Selection(
    scouts=True,
    passes=4,  # with fewer plies the other player would have none to answer a pass in
    adaptive=7,
    words=", less far where a player could afford to pass",
)

null_move = window_solver(search_open_windows, _SELECTION)
"""Search by null-move pruning and iterative deepening. Needs what iterative deepening needs, and passes."""


# Principal variation search.
#
# What it computes: what iterative deepening computes. If moves are well ordered the first
# one is best, and of the others it need only be shown that they are no better. So they are *scouted*: searched with a
# window so narrow that all it can tell is better or not. Only a move that turns out to be better is searched again for
# its value. Source: Pearl's SCOUT, "Asymptotic properties of minimax trees and game-searching procedures" (1980);
# Marsland and Campbell, "Parallel search of strongly ordered game trees" (1982); as NegaScout: Reinefeld (1983).
#
# Invariant: a scout's answer <= alpha or >= beta is a bound as good as that of a full search; one in between is only a
# bound, so the move is searched again.
#
# Cost: never more leaves than alpha-beta when moves are well ordered and values differ; a move that is searched twice
# is helped by its table entries.


principal_variation = window_solver(search_open_windows, Selection(scouts=True))
"""Solve by principal variation search and iterative deepening. Needs what iterative deepening needs."""


# Principal variation search with singular extensions (:mod:`zermelo.solvers.kernels.window`).
#
# What it computes: what principal variation search computes, and more where it matters: behind a move
# that is better than all others by a margin it looks one ply further. So a value found this way is not the value to any
# one depth, and it is called a guess. It is exact where no horizon was met.
#
# Cost: a small part of the nodes where few moves are singular; where most are, as much as a search several plies
# deeper.


singular_extensions = window_solver(
    search_open_windows, Selection(scouts=True, extends=4, words=", further where one move stood out")
)
"""Search by singular extensions and iterative deepening. Needs what iterative deepening needs."""
