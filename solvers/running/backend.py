"""What searches see of a machine on which kernels run: a lowered one, or any machine at all.

A solver asks its backend for what the holes of its kernel depend on, and then for the functions of the kernel. Which of
the two backends there is (:mod:`~zermelo.solvers.running.lowered_backend`,
:mod:`~zermelo.solvers.running.exact_backend`) is nothing to it.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any, Final, NoReturn, Protocol, TypeVar

from attrs import frozen

from zermelo.foundation.records import ByValue
from zermelo.interpreter.machine import InformationState, Machine, Move, State
from zermelo.interpreter.native.dialect.kernel_source import Hole, Kernel
from zermelo.interpreter.native.dialect.words import State as Words
from zermelo.interpreter.native.running.executor import RuleError
from zermelo.interpreter.native.running.kernels import PlainKernels
from zermelo.interpreter.native.running.machine import LoweredMachine, LoweredState
from zermelo.solvers.common.numbers import INFINITE, Number
from zermelo.solvers.common.trace import Bound, WhichMoves
from zermelo.solvers.kernels.observations import Knowledge
from zermelo.solvers.running.numbers import Reckoning
from zermelo.solvers.solution import Problem

# Cycle detection in games whose plays are not proved to end (:mod:`zermelo.solvers.kernels.repetition`).
#
# A kernel that searches to the end of all plays watches its path, and refuses the same games at the same node on both
# backends.


_BUCKETS: Final = 4096


@frozen(eq=False, repr=False)
class Watch(ByValue):
    """Whether the path is to be watched."""

    is_on: bool

    @property
    def holes(self) -> dict[str, int]:
        """What fills the holes of ``kernels/repetition.py``."""
        return {"WATCHES": int(self.is_on)}

    def lengths(self, depth: int) -> dict[str, int]:
        """The lengths of the lists of a kernel's watch, for a path of a length."""
        return {"marks": depth, "buckets": _BUCKETS} if self.is_on else {"marks": 0, "buckets": 0}


UNWATCHED: Final = Watch(False)
WATCHED: Final = Watch(True)


def watch(machine: LoweredMachine, problem: Problem[LoweredState]) -> Watch:
    """How the path of a search to the end is to be watched."""
    program = machine.program
    never = problem.facts.terminates.holds or program.history.always_grows(program.model)
    return UNWATCHED if never else WATCHED


Result = TypeVar("Result")

Arguments = Mapping[str, Any]
"""Those of a call of a search function behind the state, by name."""


def _as_it_is(search: object, result: Any, arguments: object) -> Any:
    return result


def _alpha_and_beta(arguments: Arguments) -> tuple[Bound, Bound]:
    return arguments.get("alpha", -INFINITE), arguments.get("beta", INFINITE)


def _all_moves(arguments: object) -> WhichMoves:
    return WhichMoves.ALL


@frozen(eq=False, repr=False)
class TraceView(ByValue):
    """What a trace shows of a call of a search function. ``value`` makes a number, a tuple of numbers or bounds of the
    search, of what the call has returned, and of its arguments; of these alone ``window`` makes alpha and beta, and
    ``part`` which of a player's moves it is to try."""

    value: Callable[[Any, Any, Arguments], Any] = _as_it_is
    window: Callable[[Arguments], tuple[Bound, Bound]] = _alpha_and_beta
    part: Callable[[Arguments], WhichMoves] = _all_moves


AS_IT_IS: Final = TraceView()
"""Where all are numbers, and parameters are called ``alpha`` and ``beta``."""


class GameKernels(PlainKernels, Protocol):
    """The functions of a kernel together with the rules of a game."""

    def put(self, there: Words, state: Any) -> None:
        """Copy a state, as :meth:`Backend.held` gives it, into a record or a list."""

    def row_bytes(self, length: int) -> int:
        """What an entry of a table takes that is used, with so many numbers."""


class Backend(Protocol[State]):
    """A machine, and how kernels run on it. In kernels payoffs are whole parts of a ``unit``, given as the number of
    its parts in 1, or exact numbers, whose unit is 1."""

    @property
    def machine(self) -> Machine[State]: ...
    @property
    def unit(self) -> int: ...

    @property
    def infinite(self) -> Number:
        """What stands for no bound at all."""

    @property
    def knows_the_past(self) -> bool:
        """Whether the key of a position tells what the rules look at in the history of the play."""

    @property
    def moment(self) -> int:
        """The words of an entry of the history, where keys do not tell it; else 0."""

    @property
    def displaces(self) -> bool:
        """Whether an entry of a table may give way to another position's. Else each position has a place of its own, a
        place takes memory from its first use on, and the size of a table says nothing."""

    @property
    def rules(self) -> object:
        """The rules that kernels run over: another object where kernels made before are not for this backend."""

    def run(self, kernel: Kernel, work: Callable[[GameKernels], Result], shown: TraceView = AS_IT_IS) -> Result:
        """What ``work`` makes of the functions of a kernel; it may begin anew with others. A trace has of each result
        what is ``shown``."""

    def held(self, state: State) -> Any:
        """A state as kernels hold it. Raises :class:`~zermelo.interpreter.native.running.executor.BeyondLimits`."""

    def move(self, number: Any) -> Move:
        """A move that a kernel has listed."""

    def number_of(self, state: State, move: Move) -> Any:
        """A legal move or outcome of a state as kernels list it. Raises
        :class:`~zermelo.interpreter.native.running.executor.BeyondLimits`."""

    def value(self, number: Any) -> Fraction:
        """A payoff that a kernel has found."""

    def least(self, amount: Number, is_strict: bool) -> Any:
        """With what kernels compare a payoff to tell whether it is at least an amount, or more where that is strict.
        Raises :class:`~zermelo.solvers.running.numbers.BeyondKernel`."""

    def watch(self, problem: Problem[State]) -> Watch:
        """How the path of a search to the end is to be watched."""

    def hints(self, problem: Problem[State], parts: int) -> tuple[int, dict[str, Hole]]:
        """The unit of a search that may be cut off, with so many parts or a multiple of them, and what fills the holes
        of ``kernels/horizon.py`` that follow from it and from the file's hints. Raises
        :class:`~zermelo.solvers.running.numbers.BeyondKernel`."""

    def reckoning(self, problem: Problem[State], middle: Number) -> Reckoning:
        """The numbers of window searches, in which a position of which nothing is known is worth the ``middle``. Raises
        :class:`~zermelo.solvers.running.numbers.BeyondKernel`."""

    def gains(
        self, bounds: Sequence[tuple[Fraction, Fraction]], plays: int, by_estimate: bool
    ) -> tuple[int, dict[str, Hole]]:
        """The unit of a search that adds up what so many plays bring beyond the least of these bounds of payoffs, in
        which the middle between two is whole; and what fills the holes ``SCALE`` and ``worth`` of
        ``kernels/monte_carlo_tree_search.py``. Raises :class:`~zermelo.solvers.running.numbers.BeyondKernel`."""

    def learning(self) -> dict[str, Hole]:
        """What fills the hole ``learn`` of ``kernels/information_set_search.py`` and others, and what a step can bring
        at most. Raises :class:`~zermelo.interpreter.native.running.executor.BeyondLimits`."""

    def recalling(self) -> dict[str, Hole]:
        """What fills the holes of :meth:`learning`, and the hole ``recall`` of ``kernels/sampling_from_rules.py``."""

    def knowing(
        self, kernels: PlainKernels, knowledge: Knowledge, numbers: array[int]
    ) -> Callable[[int], InformationState]:
        """What the information states of these numbers are, by their places in the list, after kernels have learned
        so; later kernels change nothing about it."""

    def number(self, value: Fraction) -> int | Fraction:
        """A number that kernels compute with, in parts of a unit. Raises
        :class:`~zermelo.solvers.running.numbers.BeyondKernel`."""

    def rank(self) -> Hole:
        """What fills a hole that ranks the position behind a move by the file's order. Raises
        :class:`~zermelo.solvers.running.numbers.BeyondKernel`."""

    def forgets(self, kernels: Any) -> bool:
        """Whether so few positions fit into the tables of these kernels that a search may forget them as fast as it
        finds them, for ever."""

    def length(self, most: int) -> int:
        """The length of a list that native kernels make ``most`` long, and others as long as they must."""

    def explain(self, root: State, made: Sequence[Any], error: RuleError) -> NoReturn:
        """Raise the error of the rules that a kernel met after the moves ``made``, as it listed them."""
