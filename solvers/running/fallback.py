"""The choice between lowered rules and a fallback: the one place that makes it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import frozen

from zermelo.grammar.displayed import Displayed
from zermelo.interpreter.machine import Machine
from zermelo.interpreter.native.running.failures import BeyondLimits
from zermelo.interpreter.native.running.machine import LoweredMachine
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.running.backend import Backend
from zermelo.solvers.running.lowered_backend import LoweredBackend
from zermelo.solvers.solution import Answer, Problem

if TYPE_CHECKING:
    from zermelo.solvers.common.trace import Trace

Result = TypeVar("Result")


def run_with_fallback(
    machine: Machine[Any], limits: Limits, work: Callable[[Backend[Any]], Result], trace: Trace[Any] | None = None
) -> Result:
    """What ``work`` returns on a backend: the lowered one if the machine has lowered rules and nothing is traced; else,
    or at a native limit, the exact one."""

    def exactly() -> Result:
        from zermelo.solvers.running.exact_backend import ExactBackend  # which most games never need

        return work(ExactBackend(machine, limits, trace))

    if trace is not None:
        return exactly()
    return lowered_or(machine, lambda lowered: work(LoweredBackend(lowered)), exactly)


def lowered_or(
    machine: Machine[Any], on_lowered: Callable[[LoweredMachine], Result], otherwise: Callable[[], Result]
) -> Result:
    """What ``on_lowered`` returns on a lowered machine; on another one, or at a native limit, what ``otherwise``
    returns."""
    if isinstance(machine, LoweredMachine):
        with suppress(BeyondLimits):
            return machine.with_room(lambda: on_lowered(machine))
    return otherwise()


@frozen(eq=False, repr=False)
class Hosted(Displayed):
    """A solver whose kernels run on any machine; ``on`` finds the answer on a backend."""

    on: Callable[[Backend[Any], Problem[Any]], Answer]

    def __call__(self, problem: Problem[Any]) -> Answer:
        """The answer, from the lowered backend or the exact one."""
        return run_with_fallback(
            problem.machine, problem.limits, lambda backend: self.on(backend, problem), problem.trace
        )


def with_fallback(host: Callable[[Backend[Any], Problem[Any]], Answer]) -> Hosted:
    """Makes a solver of a host."""
    return Hosted(host)
