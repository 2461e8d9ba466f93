"""Df-pn: :mod:`zermelo.solvers.kernels.dfpn` has the algorithm."""

from __future__ import annotations

from typing import Any, Final, Generic

from attrs import define, field

from zermelo.interpreter.machine import Move, State
from zermelo.solvers.common.numbers import INFINITE, Number
from zermelo.solvers.kernels import dfpn as kernel
from zermelo.solvers.running.backend import Backend, GameKernels
from zermelo.solvers.running.call_search import CallSearch
from zermelo.solvers.running.fallback import with_fallback
from zermelo.solvers.running.growing_table import table_size
from zermelo.solvers.running.path_search import PathKernel
from zermelo.solvers.search.questions import Proved, Question
from zermelo.solvers.search.questions import solve as solve_by_questions
from zermelo.solvers.solution import Answer, Problem

KERNEL: Final = PathKernel(kernel.Search, kernel.start, kernel.dfpn, ("nodes", "terminals", "hits"))

_THRESHOLDS: Final = {"proof_limit": kernel.NEVER, "disproof_limit": kernel.NEVER}


@with_fallback
def dfpn(backend: Backend[State], problem: Problem[State]) -> Answer:
    """Solve by df-pn. Needs what alpha-beta needs. ``counts`` also has ``hits``, states of which the table knew
    something, and ``questions``.

    States are told apart by their plays where what is to come depends on how long it took to get here, as payoffs with
    a discount do, and where the key of a position leaves out the history that the rules use."""
    path = backend.watch(problem)
    is_history = problem.facts.discounted or not backend.knows_the_past

    def work(kernels: GameKernels) -> Answer:
        size = table_size(problem.limits, kernels.words_of(kernel.Search, "table"), kernels)
        table: list[Any] = kernels.elements(kernel.Entry, max(kernel.GROUP, size), everywhere=True)
        search = _Calls(KERNEL, backend, kernels, problem.limits, problem.progress, path, table=table)
        return solve_by_questions(problem, _Prover(search))

    return backend.run(KERNEL.source(IS_HISTORY=int(is_history), **path.holes), work)


class _Calls(CallSearch[kernel.Search]):
    """A search whose calls look behind the moves of a state before they try one, and that ends only if it remembers
    what it has found."""

    def go_on(self, root: Any, steps: int) -> int:
        if self.backend.forgets(self.kernels):
            raise self.limits.out_of_memory(self.counts)
        return super().go_on(root, steps)

    def _made(self) -> list[int]:
        seen = self.search.seen
        return super()._made() + [seen] * (seen != kernel.NO_MOVE)


@define(eq=False)
class _Prover(Generic[State]):
    """A search, with what it remembers from one question to the next."""

    proofs: _Calls
    _roots: dict[tuple[Move, ...], int] = field(factory=dict)  # their numbers in histories, by their plays

    @property
    def counts(self) -> dict[str, int]:
        return self.proofs.counts

    def prove(self, state: State, question: Question) -> Proved:
        backend, search = self.proofs.backend, self.proofs.search
        machine = backend.machine
        search.need = backend.least(question.amount, question.strictly)
        number = self._roots.setdefault(machine.play(state), -1 - len(self._roots))
        self.proofs.first = {**_THRESHOLDS, "number": number}
        self.proofs.run(state)
        known = search.value
        needed = known.proof if machine.actor(state) == 0 else known.disproof
        won = machine.moves(state)[search.outlook.best] if needed == 0 else None
        return Proved(self._bound(known.low), self._bound(known.high), won)

    def _bound(self, number: int) -> Number:
        """A bound in units of payoff."""
        infinite = self.proofs.backend.infinite
        if number in (infinite, -infinite):
            return INFINITE if number > 0 else -INFINITE
        return self.proofs.backend.value(number)
