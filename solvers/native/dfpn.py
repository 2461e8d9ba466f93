"""Df-pn on its kernel."""

from __future__ import annotations

from fractions import Fraction
from math import ceil, floor, inf
from typing import Final

from attrs import define, field

from zermelo.interpreter.machine import Move
from zermelo.interpreter.native.running.kernels import Kernels
from zermelo.interpreter.native.running.machine import LoweredMachine, LoweredState
from zermelo.solvers.kernels import kernel_text
from zermelo.solvers.kernels.ranges import INFINITE
from zermelo.solvers.native.alphabeta import table_size
from zermelo.solvers.native.beyond import BeyondKernel, check_range
from zermelo.solvers.native.depth_first import DepthFirst
from zermelo.solvers.native.loops import watch
from zermelo.solvers.search.questions import Proved, Question
from zermelo.solvers.search.questions import solve as solve_by_questions
from zermelo.solvers.search.search import Number
from zermelo.solvers.solution import Answer, Problem

_GROUP: Final = 8
"""Entries that stand together in the table."""

_COUNT, _NEEDS, _LOW, _HIGH, _NUMBER = 0, (7, 8), 9, 10, 6
"""Columns: how many moves have been looked at, what the two players need behind each, the bounds, and the number in
histories."""


def dfpn(machine: LoweredMachine, problem: Problem[LoweredState]) -> Answer:
    """As :func:`zermelo.solvers.search.dfpn.dfpn`, with the same counts while the table has room and no rule looks at
    the history of the play. Its table has no place for how long a play was, on which discounted payoffs depend."""
    program = machine.program
    if problem.facts.discounted:
        raise BeyondKernel
    path = watch(machine, problem)
    text = f"IS_HISTORY = {int(bool(program.model.history))}\n\n{path.text}{kernel_text('dfpn')}"

    def work(kernels: Kernels) -> Answer:
        width = program.layout.key_words + 8
        size = max(_GROUP, table_size(problem.limits, width, kernels))
        columns = (*(0,) * 7, *(program.most_moves,) * 4, path.width)
        others, counted = [kernels.rows(size, width), path.buckets(kernels)], ("nodes", "terminals", "hits")
        search = DepthFirst(
            "dfpn", machine, kernels, columns, problem.limits, problem.progress, others, [size, 0, 0], counted
        )
        return solve_by_questions(problem, _NativeProofs(machine, search))

    return machine.run_kernels(text, ("dfpn_begin", "dfpn"), work)


@define(eq=False)
class _NativeProofs:
    """A search, with what it remembers from one question to the next."""

    machine: LoweredMachine
    search: DepthFirst
    _numbers: dict[tuple[Move, ...], int] = field(factory=dict)  # of states in histories, by their plays

    @property
    def counts(self) -> dict[str, int]:
        return self.search.counts

    def prove(self, state: LoweredState, question: Question) -> Proved:
        """Payoffs are whole numbers here, and so is the least of those that answer with yes."""
        program, search = self.machine.program, self.search
        amount = question.amount * program.denominator
        need = floor(amount) + 1 if question.strictly else ceil(amount)
        check_range("dfpn", need)
        play = self.machine.play(state)
        search.sizes = [search.sizes[0], need, self._numbers.get(play, 0)]
        search.search(state)
        self._numbers[play] = search.path[_NUMBER][0]
        actor, count, width = self.machine.actor(state), search.path[_COUNT][0], program.most_moves
        needs = search.kernels.row(search.path[_NEEDS[actor]], 0, width)[:count]
        legal = self.machine.moves(state)
        won = legal[needs.index(0)] if 0 in needs else None
        low, high = (search.kernels.row(search.path[column], 0, width)[0] for column in (_LOW, _HIGH))
        return Proved(self._amount(low), self._amount(high), won)

    def _amount(self, number: int) -> Number:
        """A bound in units of payoff."""
        if abs(number) == INFINITE:
            return inf if number > 0 else -inf
        return Fraction(number, self.machine.program.denominator)
