"""Searches along a path, by kernels that run in slices: their drivers, tables, horizons and best lines."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from math import inf, lcm
from threading import Event
from time import perf_counter
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Concatenate, Final, Generic, Protocol, TypeVar

from attrs import define, field, frozen

from zermelo.foundation.deadline import DeadlinePassed
from zermelo.foundation.memory import SAMPLE_SIZE
from zermelo.foundation.records import Displayed
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.checks.game_facts import Loop
from zermelo.interpreter.machine import Machine, Move, State
from zermelo.interpreter.native.dialect.kernel_source import Hole, Kernel, kernel
from zermelo.interpreter.native.dialect.words import Visit
from zermelo.interpreter.native.running.kernels import Kernels
from zermelo.interpreter.native.running.views import RuleError, Stopped
from zermelo.solvers.common.limits import LimitReached, Limits, Progress
from zermelo.solvers.common.numbers import GoesRound, Number
from zermelo.solvers.kernels import fractions as fractions_kernel
from zermelo.solvers.kernels.answers import BEYOND, COMES_BACK, UNVALUED
from zermelo.solvers.kernels.past import Pasts, spread_pasts
from zermelo.solvers.running.backend import UNWATCHED, Backend, BeyondKernel, GameKernels, Watch, exchange_of
from zermelo.solvers.solution import Endgames, Problem

if TYPE_CHECKING:
    from concurrent.futures import Future

# Time slices of kernels.


_SLICE_SECONDS = 0.05
_PYTHON_SLICE_SECONDS = 0.004
_FIRST_SLICE = 64
_LAST_SLICE = 1 << 32
_FASTER = 2.0
"""By how much a slice may be longer than the one before, in steps."""


@define(eq=False, repr=False)
class Slices:
    """The number of steps in a slice, adapted so that machine code returns twenty times a second, and Python soon after
    its trial is over."""

    is_compiled: bool
    steps: int = _FIRST_SLICE
    begin: float = field(factory=perf_counter)

    def next(self) -> int:
        """The steps of the next slice, which begins now."""
        now = perf_counter()
        seconds, self.begin = now - self.begin, now
        wanted = _SLICE_SECONDS if self.is_compiled else _PYTHON_SLICE_SECONDS
        steps = int(self.steps * min(_FASTER, wanted / max(seconds, 1e-6)))
        self.steps = min(max(_FIRST_SLICE, steps), _LAST_SLICE)
        return self.steps


# Work on kernels shared among threads.
#
# Machine code runs without Python's lock, so threads run kernels in parallel. A result that must not depend on their
# number must not depend on which thread does which part of the work.


_TICK = 0.05
"""Seconds between two checks of the threads."""

SLICE: Final = 0.1
"""Seconds to wait for slices to end; longer ones are interrupted."""

Work = Callable[[Kernels], Iterator[None]]
"""What one thread does, on kernels of its own: it yields between slices, where it can be stopped."""


def run_in_threads(kernels: Kernels, threads: int, work: Work, is_over: Callable[[], bool]) -> None:
    """Do work in so many threads, or in the calling one if kernels are not compiled.

    ``is_over`` is called in the present thread, every now and then, to show progress; when it returns true, or when
    something goes wrong, all stop at the end of their slices, or in the middle where a rule takes long. The first error
    is raised when they have."""
    if threads == 1 or not kernels.is_compiled:
        try:
            for _ in work(kernels):
                if is_over():
                    return
        except DeadlinePassed:
            if not is_over():
                raise
        return
    from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait

    stopped = Event()
    twins = [kernels.another() for _ in range(threads)]

    def do(mine: Kernels) -> None:
        for _ in work(mine):
            if stopped.is_set():
                return

    with ThreadPoolExecutor(threads) as pool:
        tasks = [pool.submit(do, twin) for twin in twins]
        try:
            while True:
                done, running = wait(tasks, _TICK, FIRST_EXCEPTION)
                if not running or is_over() or any(task.exception() for task in done):
                    break
        finally:
            stopped.set()
            _stop_threads(tasks, twins)
    for task in tasks:
        with suppress(Stopped):
            task.result()


def _stop_threads(tasks: Sequence[Future[None]], twins: Sequence[Kernels]) -> None:
    """Stop the threads that still run, and leave kernels as they were."""
    from concurrent.futures import wait

    waits = SLICE
    while wait(tasks, waits).not_done:
        for twin in twins:
            twin.stop()
        waits = _TICK
    for twin in twins:
        twin.go_on()


# Searches along a path, by kernels that run in slices.
#
# A kernel of this kind has a record of the search, with the ``path`` from the root to the present position, and two
# functions. ``start`` puts the search at its root, the first state of the path; ``go_on`` makes so many moves and
# returns its depth, or what :mod:`zermelo.solvers.kernels.answers` says. When the path fills its list, it returns, and
# goes on with a longer one.


_DEPTH: Final = 64
"""The length of a path at first: a copy of large frames costs time."""

_UNMEASURED: Final = SAMPLE_SIZE + 1
"""The same where it is not known how much an element takes: when the path becomes longer, enough of it has been used to
be measured."""

_GROWTH: Final = 4


class PathRecord(Protocol):
    """The fields common to all kernels' records."""

    @property
    def depth(self) -> int: ...
    @property
    def nodes(self) -> int: ...


S = TypeVar("S", bound=PathRecord)


@frozen(eq=False, repr=False)
class PathKernel(Displayed, Generic[S]):
    """A kernel of this kind, and the names of the fields that it counts in."""

    record: type[S]
    start: Callable[[S], None]
    go_on: Callable[Concatenate[S, ...], Any]
    counted: tuple[str, ...] = ("nodes", "terminals")

    def source(self, **holes: Hole) -> Kernel:
        """The kernel that the machine runs."""
        return kernel(self.start, self.go_on, **holes)


class PathSearch(Generic[S]):
    """A search by a kernel, whose record is ``search``. ``watch`` is for kernels that watch their path; ``lengths`` are
    those of the other lists of the record."""

    along = "path"
    """The list of the path."""

    beside: tuple[str, ...] = ()
    """Others that are as long."""

    spare = 2
    """The elements that a kernel needs beyond its depth to go on. So the depth decides when the list grows, not the end
    of a slice."""

    def __init__(
        self,
        kernel: PathKernel[S],
        backend: Backend[Any],
        kernels: GameKernels,
        limits: Limits,
        progress: Progress,
        watch: Watch | None = None,
        **lengths: Any,
    ) -> None:
        self.kernel = kernel
        self.backend = backend
        self.kernels = kernels
        self.limits = limits
        self.progress = progress
        self.watch = watch
        depth = _DEPTH if kernels.bytes_each(kernel.record, self.along) else _UNMEASURED
        self.check_memory(depth, dict.fromkeys(kernel.counted, 0))
        whole = {"watch": watch.lengths(depth)} if watch is not None else {}
        path = dict.fromkeys((self.along, *self.beside), depth)
        self.search = kernels.new(kernel.record, **path, **whole, **lengths)

    def run(self, root: Any) -> None:
        """Search the tree below a state.

        Raises ``ZermeloError``: ``out-of-time``, ``out-of-memory``, ``needs-end``, ``needs-estimate``, or an error of
        the rules with the play to it; and :class:`BeyondKernel`."""
        self.start(root)
        self.limits.check(self.counts)
        slices = Slices(self.kernels.is_compiled)
        while (answer := self.go_on(root, int(min(slices.next(), self._nodes_left)))) >= 0:
            self.limits.check(self.counts)
        if answer == COMES_BACK:
            raise GoesRound(self.loop(root))

    @property
    def _nodes_left(self) -> float:
        return max(1.0, self.limits.nodes - self.search.nodes)

    def start(self, root: Any) -> None:
        """Put the search at its root."""
        self.kernels.put(self._along[0].state, self.backend.held(root))
        self._explain_errors(root, lambda: self.kernels.call(self.kernel.start, self.search))

    def go_on(self, root: Any, steps: int) -> int:
        """Search for so many steps. The result is negative at the end of the search."""
        answer = self._explain_errors(root, lambda: self._go_on(steps))
        if answer == BEYOND:
            raise BeyondKernel
        if answer + self.spare >= len(self._along):
            self._lengthen()
        self.progress(self.search.nodes)
        return answer

    def _go_on(self, steps: int) -> int:
        go_on: Callable[[S, int], object] = self.kernel.go_on
        return self.kernels.call(go_on, self.search, steps)

    @property
    def _along(self) -> Any:
        return getattr(self.search, self.along)

    @property
    def counts(self) -> dict[str, int]:
        """The counts, by name."""
        return {what: getattr(self.search, what) for what in self.kernel.counted}

    def loop(self, root: Any) -> Loop:
        """The play along the path, which returns to a position."""
        machine, states = self.backend.machine, [root]
        for number in self._moves_made():
            states.append(machine.after(states[-1], self.backend.move(number)))
        play, last = machine.play(states[-1]), machine.position(states[-1])
        begin = len(play) - len(states) + 1 + [machine.position(state) for state in states].index(last)
        return Loop(play[:begin], play[begin:])

    def _explain_errors(self, root: Any, call: Callable[[], int]) -> int:
        """The result of a call. Raises the error of the rules that it meets, with the play from the root; and
        ``ZermeloError`` (``needs-estimate``) where the search is cut off and nothing says what a position is worth."""
        try:
            return call()
        except RuleError as error:
            if error.site == BEYOND:
                raise BeyondKernel from error
            if error.site == UNVALUED:
                raise ZermeloError(
                    "needs-estimate",
                    "the search is cut off where the play goes on, and the file has no 'estimate' that says what a "
                    "position is worth",
                    "an 'estimate' in the file says it; `zermelo solve --estimate rollouts` takes the mean of random "
                    "plays",
                ) from None
            self.backend.explain(root, self._moves_made(), error)

    def check_memory(self, depth: int, counts: Mapping[str, int]) -> None:
        """Raise ``out-of-memory`` where there is no room for a path of a length."""
        each = sum(self.kernels.bytes_each(self.kernel.record, name) for name in (self.along, *self.beside))
        if self.watch is not None and self.watch.is_on:
            each += self.kernels.bytes_each(self.kernel.record, "watch.marks")
        if depth * each > self.limits.free:
            raise self.limits.out_of_memory(dict(counts))

    def _lengthen(self) -> None:
        """Make room for a longer path."""
        depth = _GROWTH * len(self._along)
        self.check_memory(depth, self.counts)
        marks = {"watch": {"marks": depth}} if self.watch is not None and self.watch.is_on else {}
        self.kernels.grow(self.search, **dict.fromkeys((self.along, *self.beside), depth), **marks)

    def _moves_made(self) -> list[int]:
        """The moves along the path, up to the one that went wrong."""
        plies = [self._along[depth] for depth in range(self.search.depth + 1)]
        return [ply.legal[ply.tried - 1] for ply in plies if ply.tried]


# Searches by search functions, which kernels run in slices.
#
# Such a kernel has ``start``, which says that nothing has been searched, and a search function, which has the state as
# a parameter ``state``, and calls the move that it tries ``move``, or the list of its moves ``legal`` and its number
# ``k``.


_NOTHING: Final[Mapping[str, Any]] = MappingProxyType({})


class CallSearch(PathSearch[S]):
    """A search whose kernel's ``go_on`` is a search function. ``first`` are the other parameters of the first call."""

    along = "calls"
    spare = 1

    def __init__(
        self,
        kernel: PathKernel[S],
        backend: Backend[Any],
        kernels: GameKernels,
        limits: Limits,
        progress: Progress,
        watch: Watch | None = None,
        first: Mapping[str, Any] = _NOTHING,
        **lengths: Any,
    ) -> None:
        super().__init__(kernel, backend, kernels, limits, progress, watch, **lengths)
        self.first = first

    def start(self, root: Any) -> None:
        super().start(root)
        for name, number in self.first.items():
            setattr(self._along[0], name, number)

    def _go_on(self, steps: int) -> int:
        function: Callable[Concatenate[S, ...], Visit[Any]] = self.kernel.go_on
        return self.kernels.go_on_with(function, self.search, steps)

    def _moves_made(self) -> list[int]:
        calls = self.kernels.waiting(self.search)
        return [call.legal[call.k] if hasattr(call, "legal") else call.move for call in calls]


# A depth-first search whose table grows with it.
#
# A table that takes all the memory from the first node on is slow for small games: every probe goes to memory that has
# not been touched yet, and words of histories are there at once. So it begins small, and whenever the search has made a
# node for every :data:`ROOM` entries a table ``GROWTH`` times as large takes its place. So hardly any entry is
# replaced, until the table has :data:`LARGE` bytes. A larger one costs more, since memory has to be made and touched,
# than entries that are replaced do: it has to be full first. Touching a gigabyte for the first time may take seconds,
# so from then on addresses are taken for the whole table at once, and it grows where it stands.
#
# Where each position has a place of its own, a table takes memory as places are used: it has its full size at once.
#
# Invariant: the table grows after numbers of nodes that do not depend on the clock, nor on whether kernels have been
# compiled, which does, so that every run visits the same nodes.
#
# Cost: entries are rehashed a few times in all. That may take seconds, so the limits are checked on the way. Where one
# ends the search, some entries are left where they stood before. They do no harm if a later search goes on with the
# table: an entry holds its whole key, so nobody finds it where it does not belong.


ROOM: Final = 16
"""Entries for each node, while there is memory."""

GROWTH: Final = 8

LARGE: Final = 1 << 28
"""The bytes beyond which a table grows only when a node has been made for each of its entries."""

_MOMENTS: Final = 4
"""For each entry of a table there is room for so many entries of histories (:mod:`zermelo.solvers.kernels.past`)."""

_FIRST: Final = 1 << 12

_CHUNK: Final = 1 << 20
"""Entries that are rehashed between two checks of the limits."""


class TableRecord(Protocol):
    """What a kernel with a table works on."""

    @property
    def table(self) -> Sequence[object]: ...
    @property
    def pasts(self) -> Pasts: ...
    @property
    def depth(self) -> int: ...
    @property
    def nodes(self) -> int: ...


T = TypeVar("T", bound=TableRecord)


@frozen(kw_only=True, eq=False, repr=False)
class TableKernel(PathKernel[T]):
    """A kernel with a table of records ``entry``, which counts as none if it has fewer than two, and with ``pasts`` of
    its entries. When the table has grown, ``spread`` moves the entries of a range (end exclusive) to where they belong
    now."""

    entry: type
    spread: Callable[[T, int, int], None]

    def source(self, **holes: Hole) -> Kernel:
        return kernel(self.start, self.go_on, self.spread, spread_pasts, **holes)


class TableSearch(PathSearch[T]):
    """A search by such a kernel; one that must not store positions has a table without entries."""

    kernel: TableKernel[T]

    def __init__(
        self,
        kernel: TableKernel[T],
        backend: Backend[Any],
        kernels: GameKernels,
        limits: Limits,
        progress: Progress,
        watch: Watch,
        remembers: bool,
        **lengths: Any,
    ) -> None:
        self._beside = past_words(backend)
        self._width = kernels.words_of(kernel.record, "table") + self._beside
        most = table_size(limits, self._width, kernels) if remembers else 0
        first = min(_FIRST, most) if backend.displaces else most
        first = first if first > 1 else 0
        table: list[Any] = kernels.elements(kernel.entry, first, everywhere=True)
        self._whole: list[Any] | None = None
        pasts = {"words": first * self._beside}
        super().__init__(kernel, backend, kernels, limits, progress, watch, table=table, pasts=pasts, **lengths)

    def go_on(self, root: Any, steps: int) -> int:
        """Search for so many steps, or until the table has to grow."""
        room = self._room()
        while room <= 0:
            self._grow()
            room = self._room()
        return super().go_on(root, int(min(steps, room)))

    def _room(self) -> float:
        """How many nodes may be made before the table has to grow."""
        size = len(self.search.table)
        if size == 0 or size >= table_size(self.limits, self._width, self.kernels):
            return float("inf")
        is_large = size >= spacious_table_size(self._width, self.kernels)
        return (size if is_large else size // ROOM) - self.counts["nodes"]

    def _grow(self) -> None:
        size, enough = len(self.search.table), spacious_table_size(self._width, self.kernels)
        most = table_size(self.limits, self._width, self.kernels)
        larger = min(GROWTH * size, most)
        if size < enough:
            larger = min(larger, enough)
            self.kernels.grow(self.search, table=self.kernels.elements(self.kernel.entry, larger, everywhere=True))
        elif self._whole is None:
            self._whole = self.kernels.elements(self.kernel.entry, most, everywhere=True)
            self.kernels.grow(self.search, table=self.kernels.beginning(self._whole, larger))
        else:
            self.kernels.replace(self.search, table=self.kernels.beginning(self._whole, larger))
        if self._beside:
            self.kernels.grow(self.search, pasts={"words": larger * self._beside})
            self.kernels.call(spread_pasts, self.search.pasts, size * self._beside)
        self._spread(iter([(first, min(first + _CHUNK, size)) for first in range(0, size, _CHUNK)]))

    def _spread(self, chunks: Iterator[tuple[int, int]]) -> None:
        """Rehash the entries that stood in a smaller table, from one place of it to another."""
        for first, end in chunks:
            self.limits.check(self.counts)
            self.kernels.call(self.kernel.spread, self.search, first, end)


class CallTableSearch(TableSearch[T], CallSearch[T]):
    """The same by a search function."""


def spacious_table_size(width: int, kernels: GameKernels) -> int:
    """The most entries of a table that is not large yet, each of ``width`` words: a power of 2."""
    return 1 << max(1, LARGE // kernels.row_bytes(width)).bit_length() - 1


def past_words(backend: Backend[Any]) -> int:
    """The words of pasts for each entry of a table: a power of 2, or 0."""
    return 1 << (_MOMENTS * backend.moment).bit_length() - 1 if backend.moment else 0


def table_size(limits: Limits, width: int, kernels: GameKernels) -> int:
    """The entries of a table that may take all the memory, each of ``width`` numbers: a power of 2."""
    return 1 << max(1, limits.free // kernels.row_bytes(width)).bit_length() - 1


# The principal variation.


def best_line(
    machine: Machine[State],
    root: State,
    best: tuple[Move, ...],
    best_behind: Callable[[State, int], tuple[Move, ...]],
    plies: Number = inf,
) -> tuple[Move, ...]:
    """Best play from a root with these best moves, to the end of the play, the first draw of chance or the horizon: the
    first best move, then that of the state behind it, and so on. ``best_behind`` searches a state so many moves behind
    the root anew and gives its best moves, none where it is cut off, which it may be ``plies`` behind the root or
    later. The line ends where that search comes to a limit, and where a position comes again: if values are looked up,
    best play may go round.

    Cost: a subtree is searched again at every move above it that has alternatives; subtrees soon become small."""
    line: list[Move] = []
    state, met = root, set[Hashable]()
    while best and (position := machine.position(state)) not in met:
        met.add(position)
        line.append(best[0])
        state = machine.after(state, line[-1])
        legal = machine.moves(state)
        if len(legal) <= 1 and len(line) < plies:
            best = legal
            continue
        try:
            best = best_behind(state, len(line)) if legal else ()
        except (LimitReached, DeadlinePassed, GoesRound):
            break
    return tuple(line)


# Positions whose values are known: :mod:`zermelo.solvers.kernels.endgames` looks them up.


def looking_up(of: Callable[..., Kernel], known: Endgames | None, naming: Hole, **holes: Hole) -> Kernel:
    """The source ``of`` a kernel, by its holes, that looks known positions up, under names that are written so."""
    exchange = "0" if known is None else exchange_of(known.images)
    has_guesses = known is not None and known.is_estimate
    source = of(
        ENDGAMES=int(known is not None), ESTIMATED=int(has_guesses), name=naming, is_exchanged=exchange, **holes
    )
    return source if known is None or known.images is None else source.with_rules(known.images.text)


def endgame_lists(known: Endgames | None, kernels: GameKernels, number: Callable[[Fraction], Number]) -> dict[str, Any]:
    """The lists of known positions in the record of a kernel, or their lengths; an amount is this ``number`` there."""
    if known is None:
        return {"halves": 0, "outcomes": 0, "values": 0}
    numbers = [number(amount) for payoff in known.payoffs for amount in payoff]
    values: list[Any] = kernels.elements(int, len(numbers))
    values[:] = numbers
    return {**{name: kernels.as_halves(getattr(known, name)) for name in ("halves", "outcomes")}, "values": values}


# Searches to a depth, and the value of a position at the horizon.
#
# Kernels compute in whole parts of a unit, in which both payoffs and estimates are whole. In a search without limits,
# that is the unit of payoffs, and no horizon is met.


QUIESCENCE_PLIES: Final = 32
"""The most plies beyond its depth that a search goes while a position is unsettled."""

TO_THE_END: Final = 1 << 30
"""More plies than any play has."""


class LimitedSearch(PathRecord, Protocol):
    """The record of a kernel that looks so many ``plies`` ahead, and counts positions at the horizon."""

    plies: int

    @property
    def estimates(self) -> int: ...


L = TypeVar("L", bound=LimitedSearch)


def bounds_of(problem: Problem[State]) -> tuple[Number, Number]:
    """Bounds on the values of a search to a depth: on payoffs and estimates."""
    low, high = problem.bounds
    if problem.rollouts or not problem.facts.has_estimate:
        return low, high
    least, most = problem.facts.estimates or (-inf, inf)
    return min(least, low), max(most, high)


@frozen(eq=False, repr=False)
class Sight(Displayed):
    """The unit of a problem's values, as the number of its parts in 1; how the path is watched, which it is in a search
    to the end alone; what fills the holes of ``kernels/horizon.py``, and of what watches the path; and the positions
    whose values are known, with what fills the hole of ``kernels/endgames.py``."""

    unit: int
    path: Watch
    holes: dict[str, Hole]
    endgames: Endgames | None
    naming: Hole

    def value(self, over: int, under: int = 1) -> Fraction:
        """So many parts."""
        return Fraction(over, under * self.unit)

    def fraction(self, parts: fractions_kernel.Fraction) -> Fraction:
        """A fraction of a kernel as a value."""
        return self.value(parts.over, parts.under)

    def source(self, kernel: PathKernel[Any], **holes: Hole) -> Kernel:
        """The source of a kernel that looks known positions up."""
        return looking_up(kernel.source, self.endgames, self.naming, **self.holes, **holes)

    def known(self, kernels: GameKernels) -> dict[str, Any]:
        """The lists of the known positions in the record of a kernel."""
        return endgame_lists(self.endgames, kernels, lambda amount: int(amount * self.unit))


def sight(backend: Backend[State], problem: Problem[State], parts: int = 1) -> Sight:
    """How far kernels see, in a unit that has so many parts, or a multiple of them, where a backend has a unit.

    Raises :class:`~zermelo.solvers.running.backend.BeyondKernel` as ``Backend.hints`` and ``Backend.watch`` do."""
    known = problem.endgames
    amounts = [] if known is None else [amount for payoff in known.payoffs for amount in payoff]
    unit, hints = backend.hints(problem, lcm(parts, *(amount.denominator for amount in amounts)))
    path = UNWATCHED if problem.limits.has_horizon else backend.watch(problem)
    estimates = int(problem.has_estimate or not problem.limits.has_horizon)
    horizon = {"HORIZON": int(problem.limits.has_horizon), "OVERTIME": QUIESCENCE_PLIES}
    holes: dict[str, Hole] = {**horizon, "ESTIMATES": estimates, **hints, **path.holes}
    return Sight(unit, path, holes, known, backend.naming(known))


@frozen(eq=False, repr=False)
class Lookahead(Displayed, Generic[L]):
    """A kernel's search of a problem to one depth after the other, which goes on counting from search to search."""

    search: PathSearch[L]

    def to(self, root: State, depth: Number) -> bool:
        """Search so many plies deep; returns whether no horizon was met. Raises what :meth:`PathSearch.run` raises."""
        search = self.search.search
        before = search.estimates
        search.plies = TO_THE_END if depth == inf else int(depth)
        self.search.run(root)
        return search.estimates == before

    @property
    def counts(self) -> dict[str, int]:
        """What has been counted, estimates and look-ups of known positions only if there are some."""
        return {
            what: count for what, count in self.search.counts.items() if count or what not in ("estimates", "lookups")
        }
