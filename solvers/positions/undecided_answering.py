"""An answer by undecided positions (:mod:`zermelo.solvers.positions.undecided`): for a contest without chance of which
these fit into memory, and all positions do not.

Of a position in which somebody can win at once nothing is kept. What moves bring is found by looking at what is behind
them; what to do at every decision is not listed.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any, Final, NoReturn

from attrs import frozen

from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.native.running.failures import BeyondLimits
from zermelo.interpreter.native.running.machine import LoweredMachine
from zermelo.solvers.forms.advice import Advice, Worth
from zermelo.solvers.positions.undecided.premises import may_leave_out
from zermelo.solvers.positions.undecided.undecided import RootFindings, solve_undecided
from zermelo.solvers.solution import Answer, Problem

_KEPT_ALONE: Final = (
    "Only positions in which nobody can win at once have been kept{}, since all positions do not fit into memory: what "
    "to do in each of them is not listed."
)
_UP_TO_SYMMETRY: Final = ", and one of those that are alike but for a symmetry of the rules"


def undecided_answer(problem: Problem[Any]) -> Answer | None:
    """The answer by undecided positions; None if the others cannot be left out, or if that does not fit into memory
    either.

    Raises ``ZermeloError`` (``out-of-time``)."""
    machine = problem.machine
    if not isinstance(machine, LoweredMachine) or not may_leave_out(problem):
        return None
    try:
        with problem.limits.kept():
            found = machine.with_room(lambda: solve_undecided(machine, problem))
    except BeyondLimits:
        return None
    except ZermeloError as refusal:
        if refusal.code != "out-of-memory":
            raise
        return None
    return Answer(
        value=problem.share(found.rating.number),
        best=found.best,
        line=found.line,
        counts={"nodes": found.positions, "terminals": found.terminals, "edges": found.edges},
        alternatives=(),
        notes=(_KEPT_ALONE.format(_UP_TO_SYMMETRY if found.symmetries > 1 else ""),),
        policy=UndecidedPolicy(problem, found),
        distance=found.rating.moves,
        lasting=found.lasting,
    )


@frozen(eq=False)
class UndecidedPolicy:
    """What to do at the root. Implements :class:`~zermelo.solvers.forms.advice.Advisor`, but for the decisions behind
    the root, for which it refuses."""

    problem: Problem[Any]
    found: RootFindings

    def __iter__(self) -> Iterator[Advice[Any]]:
        self._refuse()

    def _refuse(self) -> NoReturn:
        raise ZermeloError(
            "out-of-memory",
            "not all positions fit into memory, so what to do in each of them is not listed; only the "
            f"{self.found.positions:,} positions in which nobody can win at once have been kept",
            f"{self.problem.limits.more_memory}; without --policy and --positions the value is found, and `zermelo "
            "moves --after MOVES --values` shows what each move brings",
        )

    def first(self) -> tuple[Worth, ...]:
        """What the moves at the root bring."""
        return tuple(
            Worth(
                move, self.problem.share(behind.number), Fraction(0), None if behind.moves is None else behind.moves + 1
            )
            for move, behind in self.found.moves
        )
