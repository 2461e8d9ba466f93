"""Df-pn on its kernel."""

from __future__ import annotations

from fractions import Fraction
from math import ceil, floor, inf
from typing import Final

from attrs import define, field

from zermelo.interpreter.machine import Move
from zermelo.interpreter.native.running.kernels import Kernels
from zermelo.interpreter.native.running.machine import LoweredMachine, LoweredState
from zermelo.solvers.common.numbers import Number
from zermelo.solvers.kernels import dfpn as kernel
from zermelo.solvers.kernels.ranges import INFINITE
from zermelo.solvers.running.beyond import BeyondKernel, check_range
from zermelo.solvers.running.call_search import CallSearch
from zermelo.solvers.running.growing_table import table_size
from zermelo.solvers.running.loops import watch
from zermelo.solvers.running.lowered_backend import LoweredBackend
from zermelo.solvers.running.path_search import PathKernel
from zermelo.solvers.search.questions import Proved, Question
from zermelo.solvers.search.questions import solve as solve_by_questions
from zermelo.solvers.solution import Answer, Problem

KERNEL: Final = PathKernel(kernel.Search, kernel.start, kernel.dfpn, ("nodes", "terminals", "hits"))

THRESHOLDS: Final = {"proof_limit": kernel.NEVER, "disproof_limit": kernel.NEVER}


def dfpn(machine: LoweredMachine, problem: Problem[LoweredState]) -> Answer:
    """As :func:`zermelo.solvers.search.dfpn.dfpn`, with the same counts while the table has room and no rule looks at
    the history of the play. Its table has no place for how long a play was, on which discounted payoffs depend."""
    if problem.facts.discounted:
        raise BeyondKernel
    path = watch(machine, problem)

    def work(kernels: Kernels) -> Answer:
        size = table_size(problem.limits, kernels.words_of(kernel.Search, "table"), kernels)
        size = max(kernel.GROUP, size)
        search = _Calls(
            KERNEL, LoweredBackend(machine), kernels, problem.limits, problem.progress, path, THRESHOLDS, table=size
        )
        return solve_by_questions(problem, _NativeProofs(machine, search))

    is_history = bool(machine.program.model.history)
    return machine.run(KERNEL.source(IS_HISTORY=int(is_history), **path.holes), work)


class _Calls(CallSearch[kernel.Search]):
    """A search, of which every call looks behind all moves of a state."""

    def _made(self) -> list[int]:
        seen = self.search.seen
        return super()._made() + [seen] * (seen != kernel.NO_MOVE)


@define(eq=False)
class _NativeProofs:
    """A search, with what it remembers from one question to the next."""

    machine: LoweredMachine
    proofs: _Calls
    _roots: dict[tuple[Move, ...], int] = field(factory=dict)  # their numbers in histories, by their plays

    @property
    def counts(self) -> dict[str, int]:
        return self.proofs.counts

    def prove(self, state: LoweredState, question: Question) -> Proved:
        """Payoffs are whole numbers here, and so is the least of those that answer with yes."""
        search, amount = self.proofs.search, question.amount * self.machine.program.denominator
        need = floor(amount) + 1 if question.strictly else ceil(amount)
        check_range("dfpn", need)
        search.need = need
        number = self._roots.setdefault(self.machine.play(state), -1 - len(self._roots))
        self.proofs.first = {**THRESHOLDS, "number": number}
        self.proofs.run(state)
        outlook = search.outlook
        needed = outlook.known.proof if self.machine.actor(state) == 0 else outlook.known.disproof
        won = self.machine.moves(state)[outlook.best] if needed == 0 else None
        return Proved(self._amount(outlook.known.low), self._amount(outlook.known.high), won)

    def _amount(self, number: int) -> Number:
        """A bound in units of payoff."""
        if abs(number) == INFINITE:
            return inf if number > 0 else -inf
        return Fraction(number, self.machine.program.denominator)
