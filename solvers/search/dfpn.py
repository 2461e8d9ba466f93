"""Df-pn: :mod:`zermelo.solvers.kernels.dfpn` has the algorithm."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from fractions import Fraction
from math import inf
from typing import Any, Final

from attrs import define, field, frozen

from zermelo.interpreter.checks.game_facts import Loop
from zermelo.interpreter.machine import END, Move, State
from zermelo.interpreter.values import exact
from zermelo.solvers.common.limits import LimitReached
from zermelo.solvers.common.numbers import INFINITE, GoesRound, Number
from zermelo.solvers.kernels import dfpn as kernel
from zermelo.solvers.kernels.dfpn import GROUP, NEVER, NO_MOVE, Entry, Search
from zermelo.solvers.running.backend import Backend, BeyondKernel, GameKernels
from zermelo.solvers.running.lowered_backend import with_fallback
from zermelo.solvers.running.path_search import GROWTH, CallSearch, PathKernel, spacious_table_size, table_size
from zermelo.solvers.solution import Answer, Problem

# The value of a game, by yes-or-no questions.
#
# What it computes: the value of a game of two players and constant sum, from proofs that the first player gets at least
# a certain amount, or that they do not. So a solver of win-loss questions, such as df-pn, can find any value: it lies
# between two bounds, and each question about an amount between them moves one of them, until the two meet.
# Source: bisection; that proof-number search answers such questions is from Allis, van der Meulen and van den Herik,
# "Proof-number search", Artificial Intelligence 66 (1994).
#
# An answer says more than was asked. In a proof that the first player gets at least v, each leaf is worth v or more,
# and the player gets no less than the least leaf; likewise in a refutation. So the bounds are payoffs that the game
# really pays. A game with k different payoffs needs at most k questions; one is enough if the game is only won or lost.
#
# Cost: one search for each question; each search uses what the table of the one before has proved.


ONE_BEST_MOVE = "A proof shows one best move only: others may be as good, and minimax lists them all."


@frozen
class Question:
    """Can the first player get ``amount``, or more than that where it is asked ``strictly``?"""

    amount: Number
    strictly: bool = False

    def is_met(self, payoff: Number) -> bool:
        """Whether a payoff answers the question with yes."""
        return payoff > self.amount if self.strictly else payoff >= self.amount


@frozen
class Proved:
    """``low <= value <= high`` holds for the first player; ``move`` secures the answer if it favours the mover."""

    low: Number
    high: Number
    move: Move | None


def solve(problem: Problem[State], prover: Prover) -> Answer:
    """The value, by as many questions as it takes. ``counts`` has their number.

    Raises :class:`~zermelo.solvers.common.limits.LimitReached` with what has been proved by then."""
    machine, root = problem.machine, problem.root
    low, high = problem.certain_bounds
    questions = 0
    if machine.actor(root) == END:
        low = high = exact(machine.payoff(root)[0])
    while low < high:
        questions += 1
        try:
            found = prover.prove(root, _next_question(low, high))
        except LimitReached as reached:
            said = _bounds_text(machine.player_names[0], low, high)
            raise LimitReached(reached.code, reached.limit, prover.counts, reached.help or "", said) from reached
        low, high = max(low, found.low), min(high, found.high)
    counts = {**prover.counts, "questions": questions}
    line = _principal_variation(problem, prover, low)
    return Answer(
        value=problem.share(Fraction(low)),
        best=line[:1],
        line=line,
        counts=counts,
        notes=(ONE_BEST_MOVE,) if line else (),
    )


def _next_question(low: Number, high: Number) -> Question:
    """A question about the middle between the bounds, or about the only finite one; about 0 if there is none."""
    if low == -inf:
        return Question(0 if high == inf else high)
    return Question(low, strictly=True) if high == inf else Question(exact(Fraction(low + high) / 2))


def _bounds_text(player: str, low: Number, high: Number) -> str:
    """Bounds, in words."""
    parts = [f"at least {low}"] * (low > -inf) + [f"at most {high}"] * (high < inf)
    return f"{player} gets {' and '.join(parts)}" if parts else ""


def _principal_variation(problem: Problem[State], prover: Prover, value: Number) -> tuple[Move, ...]:
    """Best play from the root, whose value is known, as far as the limits allow. The prover's table already has most of
    what is needed about the states behind the root. Where the player to move gets the least that they can, all moves
    are best. The line ends where it comes back to a position, since a proof does not tell which of two moves is nearer
    to the end."""
    machine, state = problem.machine, problem.root
    low, high = problem.certain_bounds
    line: list[Move] = []
    met: set[Hashable] = set()
    while (actor := machine.actor(state)) != END and (position := machine.position(state)) not in met:
        met.add(position)
        move: Move | None = machine.moves(state)[0]
        if value != (low if actor == 0 else high):
            try:
                move = prover.prove(state, Question(value, strictly=actor == 1)).move
            except (LimitReached, GoesRound):
                break
        assert move is not None, "the answer is for who moves"
        line.append(move)
        state = machine.after(state, move)
    return tuple(line)


KERNEL: Final = PathKernel(Search, kernel.start, kernel.dfpn, ("nodes", "terminals", "hits"))


_LIMITS: Final = ("proof_limit", "disproof_limit")
"""The kernel's limits on the proof number of the first player and the disproof number of the second."""

_NO_LIMITS: Final = dict.fromkeys(_LIMITS, NEVER)


@with_fallback
def dfpn(backend: Backend[State], problem: Problem[State]) -> Answer:
    """Solve by df-pn. Needs what alpha-beta needs, but plays may go round. ``counts`` also has ``hits``, the states
    that the table knew something about, and ``questions``.

    States are told apart by their plays where what follows depends on how long it took to get there, as discounted
    payoffs do, and where the key of a position leaves out the history that the rules read. There a play that goes round
    ends the search, since the tree of such plays has no end; if only the key is the reason, the exact backend, whose
    keys include the history, searches instead."""
    path = backend.watch(problem)
    is_history = problem.facts.discounted or not backend.knows_the_past

    def work(kernels: GameKernels) -> Answer:
        width = kernels.words_of(Search, "table")
        size = min(table_size(problem.limits, width, kernels), spacious_table_size(width, kernels))
        table: list[Any] = kernels.elements(Entry, max(GROUP, size), everywhere=True)
        search = _Calls(KERNEL, backend, kernels, problem.limits, problem.progress, path, table=table)
        try:
            return solve(problem, Prover(search, is_history))
        except GoesRound:
            if problem.facts.discounted or backend.knows_the_past:
                raise
            raise BeyondKernel from None

    return backend.run(KERNEL.source(IS_HISTORY=int(is_history), **path.holes), work)


class _Calls(CallSearch[Search]):
    """A search whose calls look at the states behind all moves before they try one, and which ends only if it remembers
    what it has found. Once it has made a node for each entry of its table, a larger table takes its place, while there
    is memory. Most of the old entries then stand where nobody finds them, and their results are computed again."""

    def go_on(self, root: Any, steps: int) -> int:
        if self.backend.forgets(self.kernels):
            raise self.limits.out_of_memory(self.counts)
        size = len(self.search.table)
        larger = min(GROWTH * size, table_size(self.limits, self.kernels.words_of(Search, "table"), self.kernels))
        if larger <= size:
            return super().go_on(root, steps)
        if self.search.nodes >= size:
            table: Any = self.kernels.elements(Entry, larger, everywhere=True)
            self.kernels.grow(self.search, table=table)
            size = larger
        return super().go_on(root, int(min(steps, size - self.search.nodes)))

    def _moves_made(self) -> list[int]:
        seen = self.search.seen
        return super()._moves_made() + [seen] * (seen != NO_MOVE)


@define(eq=False)
class Prover:
    """A search that answers questions, with what it remembers from one to the next: the numbers of the questions, the
    numbers of the roots by their plays, and the first play found that goes round."""

    proofs: _Calls
    is_history: bool
    _questions: dict[tuple[Question, int], int] = field(factory=dict)
    _roots: dict[tuple[Move, ...], int] = field(factory=dict)
    _round: Loop | None = None

    @property
    def counts(self) -> dict[str, int]:
        """What has been counted so far, by name."""
        return self.proofs.counts

    def prove(self, state: Any, question: Question) -> Proved:
        """The answer for a state in which somebody moves: the bounds are on one side of the question. Raises
        :class:`~zermelo.solvers.common.limits.LimitReached`."""
        if self._round is None:
            try:
                self._search(state, question, 0)
            except GoesRound as found:
                if self.is_history:
                    raise
                self._round, self.proofs.search.goes_round = found.loop, True
        if self._round is not None:
            self._search_from_both_sides(state, question, self._round)
        return self._proved_bounds(state)

    def _search_from_both_sides(self, state: Any, question: Question, loop: Loop) -> None:
        """Let the players strive for a proof in turn, up to the first proof. The one who seems nearer to it strives
        until they seem a quarter further away than the other. Raises :class:`GoesRound` where both fail."""
        mover = self.proofs.backend.machine.actor(state)
        needed = {mover: 1, 1 - mover: 1}
        while (least := min(needed.values())) < NEVER:
            striver = next(player for player in needed if needed[player] == least)
            limit = min(NEVER, needed[1 - striver] * 5 // 4 + 1)
            self._search(state, question, striver, {_LIMITS[striver]: limit})
            if self._is_answered:
                return
            needed[striver] = self._proof_number_of(striver)
        raise GoesRound(loop, "and neither player can force an end that settles the value whatever that play is worth")

    def _search(self, state: Any, question: Question, striver: int, limits: Mapping[str, int] = _NO_LIMITS) -> None:
        """Search until a number of the root comes up to its limit."""
        backend, search = self.proofs.backend, self.proofs.search
        search.need = backend.least(question.amount, question.strictly)
        search.striver = striver
        search.question = self._questions.setdefault((question, striver), len(self._questions))
        number = self._roots.setdefault(backend.machine.play(state), -1 - len(self._roots))
        self.proofs.first = {**_NO_LIMITS, **limits, "number": number}
        self.proofs.run(state)

    def _proof_number_of(self, player: int) -> int:
        """How far a player is from a proof: the proof number of the first, the disproof number of the second."""
        known = self.proofs.search.value
        needed: int = known.proof if player == 0 else known.disproof
        return needed

    @property
    def _is_answered(self) -> bool:
        """Whether bounds answer the last question."""
        search = self.proofs.search
        return bool(search.value.low >= search.need or search.value.high < search.need)

    def _proved_bounds(self, state: Any) -> Proved:
        """What the last search has proved, with the move that proves it."""
        machine, search = self.proofs.backend.machine, self.proofs.search
        is_won = self._proof_number_of(machine.actor(state)) == 0
        won = machine.moves(state)[search.outlook.best] if is_won else None
        return Proved(self._bound(search.value.low), self._bound(search.value.high), won)

    def _bound(self, number: int) -> Number:
        """A bound in units of payoff."""
        infinite = self.proofs.backend.infinite
        if number in (infinite, -infinite):
            return INFINITE if number > 0 else -INFINITE
        return self.proofs.backend.value(number)
