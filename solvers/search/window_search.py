"""Alpha-beta over a window, to a depth: what the search algorithms behind the lectures have in common.

What it computes: for a state, a window (alpha, beta) and a number of plies what :mod:`zermelo.solvers.search.alphabeta`
computes, with

- a transposition table with exact keys (:mod:`zermelo.solvers.search.transposition`);
- *enhanced transposition cut-offs*: before a move is searched, all next positions are looked up, and one that the end
  of the play or the table shows to be good enough cuts off at once. Source: Plaat, Schaeffer, Pijls and de Bruin,
  "Exploiting graph properties of game trees", AAAI 1996. It costs a look at every next position, so it is left out in
  the last ply;
- an order of moves (:mod:`zermelo.solvers.search.move_ordering`): the sooner a good move is tried, the more is cut off;
- a horizon (:mod:`zermelo.solvers.search.horizon`) at which the search is cut off and a position is worth what is
estimated.

Drivers choose windows and depths: :mod:`zermelo.solvers.search.iterative_deepening`,
:mod:`zermelo.solvers.search.aspiration`, :mod:`zermelo.solvers.search.mtdf`;
:mod:`zermelo.solvers.search.principal_variation` changes how the later moves are searched.

Invariant (fail-soft): the value v found for the window (alpha, beta) is the value to that depth if alpha < v < beta, an
upper bound of it if v <= alpha, a lower bound if v >= beta. ``whole`` tells that no horizon was met, so that v holds
for the game itself.

Cost: as for alpha-beta; memory one entry for each position searched. ``nodes`` are the states made by a move.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from math import inf
from typing import Protocol, TypeVar

from attrs import define, evolve, frozen

from zermelo.interpreter.machine import END, Move, State
from zermelo.interpreter.values import exact
from zermelo.solvers.common.going_round import GoesRound
from zermelo.solvers.common.limits import LimitReached
from zermelo.solvers.common.numbers import Number, plus
from zermelo.solvers.search.horizon import Horizon
from zermelo.solvers.search.move_ordering import MoveOrder
from zermelo.solvers.search.search import Line, Search, Visit, best_moves, principal_variation
from zermelo.solvers.search.transposition import UNKNOWN, TableEntry, TranspositionTable
from zermelo.solvers.solution import Answer, Problem


@frozen
class WindowResult:
    """A value, or a bound of it, for the first player; the line it comes by; whether it holds whatever the depth."""

    value: Number
    line: Line
    whole: bool


@frozen
class Plan:
    """How the moves of a state are to be searched: the ``first`` one, which was best when it was searched before, the
    one that is searched one ply deeper than the others (``extended``), and the one that is left out (``barred``)."""

    first: Move | None = None
    extended: Move | None = None
    barred: Move | None = None

    def below(self, move: Move, depth: Number) -> Number:
        """The depth that is left behind a move."""
        return depth if move == self.extended else depth - 1


@define(eq=False)
class _Node:
    """A state whose moves are being searched: the window that is left, and the best of the moves so far."""

    actor: int
    alpha: Number
    beta: Number
    best: WindowResult

    @property
    def is_cut(self) -> bool:
        """Whether no other move can matter."""
        return self.alpha >= self.beta

    def take(self, move: Move, found: WindowResult) -> None:
        """Keep a move if it is the best so far, and narrow the window to what the player can secure."""
        self.best = better(self.actor, self.best, move, found)
        self.alpha, self.beta = narrowed(self.actor, self.alpha, self.beta, self.best.value)


Searched = TypeVar("Searched", contravariant=True)


class Windows(Protocol[Searched]):
    """What drivers search windows with. ``low`` and ``high`` bound every value. ``selection`` says in words where it
    looks less far or further than asked; then its values are guesses unless they are whole. It is empty for one that
    does not."""

    low: Number
    high: Number
    selection: str

    @property
    def counts(self) -> dict[str, int]:
        """What has been counted so far, by name."""

    def root(self, state: Searched, alpha: Number, beta: Number, depth: Number) -> WindowResult:
        """Search a state. The window is cut to what the game can pay at all."""

    def line(self, found: WindowResult, depth: Number) -> tuple[Move, ...]:
        """The principal variation of what has been found at the problem's root, so many plies deep."""


Drive = Callable[[Problem[State], Windows[State]], Answer]
"""An algorithm that is made of window searches."""


class WindowSearch(Search[State]):
    """A search, with what it remembers from one window and depth to the next."""

    selection = ""

    def __init__(self, problem: Problem[State], horizon: Horizon[State], learns: bool = True) -> None:
        super().__init__(problem)
        self.start = problem.root
        self.horizon = horizon
        self.order = MoveOrder(problem.machine, problem.facts.has_order, learns)
        self.table: TranspositionTable | None = (
            None if problem.facts.discounted else TranspositionTable(problem.limits.room())
        )
        self.low, self.high = horizon.bounds
        self.cutoffs = self.hits = 0

    @property
    def counts(self) -> dict[str, int]:
        counts = {**super().counts, "cutoffs": self.cutoffs, "hits": self.hits}
        return {**counts, "estimates": self.horizon.met} if self.horizon.met else counts

    def root(self, state: State, alpha: Number, beta: Number, depth: Number) -> WindowResult:
        self.count()
        return self.run(self.value(state, max(alpha, self.low), min(beta, self.high), depth, 0))

    def line(self, found: WindowResult, depth: Number) -> tuple[Move, ...]:
        """Where only the first move of it has been shown to be best (:mod:`zermelo.solvers.search.mtdf`), the states
        behind are searched in turn, with a window around the value, which all of them have; mostly the table knows
        them."""
        line = list(principal_variation(found.line))
        state, value = self.start, found.value
        met: set[Hashable] = set()
        while len(line) == len(met) + 1 and (position := self.machine.position(state)) not in met:
            met.add(position)
            state = self.machine.after(state, line[-1])
            if self.machine.actor(state) == END or depth <= len(line):
                break
            try:
                line += best_moves(self.root(state, plus(value, -1), plus(value, 1), depth - len(line)).line)[:1]
            except (LimitReached, GoesRound):
                break
        return tuple(line)

    def value(self, state: State, alpha: Number, beta: Number, depth: Number, ply: int) -> Visit[WindowResult]:
        """Search a state ``ply`` moves below the root, ``depth`` plies deep."""
        actor = self.machine.actor(state)
        if actor != END and depth <= 0 and self.horizon.is_met(state, -depth):
            return WindowResult(self.horizon.worth(state), None, whole=False)
        entry = self.known(state, depth)
        found = decided(entry, alpha, beta)
        if found is not None:
            self.settle(actor)
            return found
        if depth == inf:
            self.enter(state)
        before = best_moves(entry.line)
        plan = Plan(before[0] if before else None)
        return (yield from self.search(state, actor, alpha, beta, depth, ply, plan))

    def search(
        self, state: State, actor: int, alpha: Number, beta: Number, depth: Number, ply: int, plan: Plan
    ) -> Visit[WindowResult]:
        """Search the moves of a state. What is found without a barred one is not remembered."""
        node = _Node(actor, alpha, beta, WindowResult(-inf if actor == 0 else inf, None, whole=True))
        moves: list[tuple[Move, State | None]]
        moves = [(move, None) for move in self.machine.moves(state) if move != plan.barred]
        moves = self.order.sorted(moves, actor, ply, plan.first)
        if depth > 1:
            moves = self.order.sorted(self.look(state, node, moves, depth, plan), actor, ply, plan.first)
        for number, (move, made) in enumerate(moves):
            if node.is_cut:
                break
            child = self.make(state, move) if made is None else made
            below = plan.below(move, depth)
            node.take(move, (yield self.child(child, actor, node.alpha, node.beta, below, ply + 1, number)))
        if node.is_cut:
            self.cutoffs += 1
            self.order.cut(actor, ply, depth, best_moves(node.best.line)[0])
        if plan.barred is None:
            self.remember(state, (alpha, beta), depth, node.best)
        return node.best

    def look(
        self, state: State, node: _Node, moves: list[tuple[Move, State | None]], depth: Number, plan: Plan
    ) -> list[tuple[Move, State | None]]:
        """Look at the states behind the moves, first for those that end the play, which costs least, then for those
        that the table knows. Those that are left have to be searched."""
        going_on: list[tuple[Move, State]] = []
        for move, _ in moves:
            child = self.make(state, move)
            if self.machine.actor(child) != END:
                going_on.append((move, child))
                continue
            self.terminals += 1
            payoff = exact(self.machine.payoff(child)[0])
            node.take(move, WindowResult(payoff, None, whole=True))
            if node.is_cut:
                return []
        left: list[tuple[Move, State | None]] = []
        for move, child in going_on:
            found = decided(self.known(child, plan.below(move, depth)), node.alpha, node.beta)
            if found is None:
                left.append((move, child))
                continue
            self.hits += 1
            node.take(move, found)
            if node.is_cut:
                return []
        return left

    def child(
        self, state: State, actor: int, alpha: Number, beta: Number, depth: Number, ply: int, number: int
    ) -> Visit[WindowResult]:
        """Search the state behind one of ``actor``'s moves, the ``number``-th to be searched."""
        return self.value(state, alpha, beta, depth, ply)

    def make(self, state: State, move: Move) -> State:
        """The state after a move, counted."""
        self.count()
        return self.machine.after(state, move)

    def settle(self, actor: int) -> None:
        """Count a state that needed no search: its play has ended, or the table knew enough."""
        if actor == END:
            self.terminals += 1
        else:
            self.hits += 1

    # ------------------------------------------------------------- the table

    def known(self, state: State, depth: Number) -> TableEntry:
        """What the end of a play or the table tells of a state, for the whole play: what has been earned included."""
        if self.machine.actor(state) == END:
            payoff = exact(self.machine.payoff(state)[0])
            return TableEntry(payoff, payoff, inf, None)
        if self.table is None:
            return UNKNOWN
        entry = self.table.find(self.machine.position(state), depth)
        earned = exact(self.machine.earned(state)[0])
        return evolve(entry, low=plus(entry.low, earned), high=plus(entry.high, earned))

    def remember(self, state: State, window: tuple[Number, Number], depth: Number, found: WindowResult) -> None:
        if self.table is None:
            return
        earned = exact(self.machine.earned(state)[0])
        low = plus(found.value if found.value > window[0] else self.low, -earned)
        high = plus(found.value if found.value < window[1] else self.high, -earned)
        depth = inf if found.whole else depth
        self.table.keep(self.machine.position(state), TableEntry(low, high, depth, found.line))


def decided(entry: TableEntry, alpha: Number, beta: Number) -> WindowResult | None:
    """What an entry tells for a window, if that is enough."""
    if entry.low >= beta or entry.low == entry.high:
        return WindowResult(entry.low, entry.line, whole=entry.depth == inf)
    if entry.high <= alpha:
        return WindowResult(entry.high, entry.line, whole=entry.depth == inf)
    return None


def better(actor: int, best: WindowResult, move: Move, found: WindowResult) -> WindowResult:
    """The best of the moves so far, and one more."""
    whole = best.whole and found.whole
    if found.value > best.value if actor == 0 else found.value < best.value:
        return WindowResult(found.value, ((move,), found.line), whole)
    return evolve(best, whole=whole)


def narrowed(actor: int, alpha: Number, beta: Number, best: Number) -> tuple[Number, Number]:
    """The window when ``actor`` can secure ``best``."""
    return (max(alpha, best), beta) if actor == 0 else (alpha, min(beta, best))
