"""Best moves in one position after another, each searched to the same depth: what a player does who looks so far ahead.

Alpha-beta, or expectiminimax where chance draws, by kernels that are made once and begin anew at each position: nothing
that one search has found is known to the next, so a move depends on the position alone, whatever has been searched
before. Of several best moves it is the first.
"""

from __future__ import annotations

from typing import Any

from attrs import define, field

from zermelo.interpreter.machine import Move
from zermelo.interpreter.native.running.kernels import Kernels, Outgrown
from zermelo.interpreter.native.running.machine import LoweredMachine, LoweredState
from zermelo.solvers.running.lowered_backend import LoweredBackend
from zermelo.solvers.running.path_search import CallSearch, CallTableSearch, Lookahead, Sight, sight
from zermelo.solvers.search import alphabeta, expectiminimax
from zermelo.solvers.solution import Problem


@define(eq=False)
class FixedDepth:
    """Searches positions of the game of a ``problem`` as deep as its limits say: of two players, with a constant sum,
    perfect information, and an estimate."""

    problem: Problem[LoweredState]
    machine: LoweredMachine
    _sees: Sight | None = field(default=None, init=False)
    _paths: CallSearch[Any] | None = field(default=None, init=False)

    def best(self, state: LoweredState) -> Move:
        """The first best move of a state in which a player is to move. Raises ``ZermeloError`` as searches do, and
        :class:`~zermelo.interpreter.native.running.views.BeyondLimits`."""
        return self.machine.with_room(lambda: self._best(state))

    def _best(self, state: LoweredState) -> Move:
        if self._paths is None or self._paths.backend.rules is not self.machine.program:
            self._begin(is_trial=True)
        try:
            self._search(state)
        except Outgrown:
            self._begin(is_trial=False)
            self._search(state)
        assert self._paths is not None, "it has been made"
        found = self._paths.search
        worths = (self._worth(found.values[k]) for k in range(found.tried))
        place = next(k for k, worth in enumerate(worths) if worth == self._worth(found.value))
        return self.machine.moves(state)[place]

    def _search(self, state: LoweredState) -> None:
        assert self._paths is not None, "it has been made"
        with self.problem.limits.enforce():
            Lookahead(self._paths).to(state, self.problem.limits.depth)

    def _worth(self, number: Any) -> Any:
        """A number of the kernel as a value."""
        assert self._sees is not None, "it has been made"
        return self._sees.fraction(number) if self._draws else number

    @property
    def _draws(self) -> bool:
        """Whether chance may draw."""
        return self.problem.facts.chance.holds is not False

    def _begin(self, is_trial: bool) -> None:
        """Make the kernels, in Python at first if it is a trial and the machine may choose."""
        problem, machine, backend = self.problem, self.machine, LoweredBackend(self.machine)
        sees = self._sees = sight(backend, problem)
        kernel: Any = expectiminimax.KERNEL if self._draws else alphabeta.KERNEL
        source = sees.source(kernel)
        kernels: Kernels = machine.begin(source) if is_trial else machine.hurry(source)
        common = (kernel, backend, kernels, problem.limits, problem.progress, sees.path)
        if self._draws:
            self._paths = CallSearch(*common, endgames=sees.known(kernels))
        else:
            window = {"alpha": -backend.infinite, "beta": backend.infinite}
            self._paths = CallTableSearch(*common, remembers=False, first=window, endgames=sees.known(kernels))
