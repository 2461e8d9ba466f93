"""What searches see of a machine on which kernels run: a lowered one, or any machine at all.

A solver asks its backend for what the holes of its kernel depend on, and then for the functions of the kernel. It need
not know which of the two backends it has (:mod:`~zermelo.solvers.running.lowered_backend`,
:mod:`~zermelo.solvers.running.exact_backend`).
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from math import floor, inf, lcm
from random import Random
from typing import TYPE_CHECKING, Any, Final, Generic, NoReturn, Protocol, TypeVar

from attrs import define, field, frozen

from zermelo.foundation.deadline import check_deadline
from zermelo.foundation.records import ByValue, Displayed
from zermelo.interpreter.machine import CHANCE, END, InformationState, Machine, Move, Payoff, State
from zermelo.interpreter.native.dialect.kernel_source import Hole, Kernel
from zermelo.interpreter.native.dialect.words import State as Words
from zermelo.interpreter.native.dialect.words import mix
from zermelo.interpreter.native.program import Program
from zermelo.interpreter.native.running.kernels import PlainKernels
from zermelo.interpreter.native.running.views import BeyondLimits, RuleError
from zermelo.interpreter.values import exact
from zermelo.solvers.common import numbers
from zermelo.solvers.common.numbers import INFINITE, Number
from zermelo.solvers.kernels.observations import Knowledge
from zermelo.solvers.kernels.ranges import ESTIMATE, MOST
from zermelo.solvers.kernels.ranges import INFINITE as NO_BOUND
from zermelo.solvers.solution import Endgames, Problem

if TYPE_CHECKING:
    from zermelo.interpreter.native.images import Images
    from zermelo.solvers.common.trace import Bound, WhichMoves

# Estimates of positions by random plays from there to the end (*rollouts*).


ROLLOUTS: Final = 32
"""Random plays for one estimate."""


@define(eq=False, repr=False)
class Rollouts(Generic[State]):
    """Random plays, which are the same for the same state of ``random`` and order of positions."""

    machine: Machine[State]
    random: Random
    _latest: tuple[State, tuple[int | Fraction, ...]] | None = field(default=None, init=False)

    def means(self, state: State) -> tuple[int | Fraction, ...]:
        """The mean payoff of every player. There are new plays only for another state than the one asked for last."""
        if self._latest is None or self._latest[0] is not state:
            plays = [self._payoff(state) for _ in range(ROLLOUTS)]
            means = tuple(exact(sum(paid, Fraction(0)) / ROLLOUTS) for paid in zip(*plays, strict=True))
            self._latest = state, means
        return self._latest[1]

    def _payoff(self, state: State) -> Payoff:
        check_deadline()
        machine, random = self.machine, self.random
        while (actor := machine.actor(state)) != END:
            move = machine.draw(state, random) if actor == CHANCE else random.choice(machine.moves(state))
            state = machine.after(state, move)
        return machine.payoff(state)


# Images of positions, under symmetries that may exchange two players.


def exchange_of(images: Images | None) -> Hole:
    """Whether the two players have changed places in an image, in the dialect."""
    return "renamed_player(image, 0)" if images is not None and images.exchange else "0"


# What kernels cannot hold.


NO_HINTS: Final = "random plays, or hints of the file, are not for machine code here"


class BeyondKernel(BeyondLimits):
    """A search has come to a number, a set or a history for which its kernel has no room; the exact backend has."""


def check_range(kernel: str, *values: Number) -> None:
    """Raise :class:`BeyondKernel` if a value is out of range for a kernel
    (:mod:`zermelo.solvers.kernels.ranges`)."""
    most = MOST[kernel]
    if any(not -most <= value <= most for value in values):
        raise BeyondKernel


# The numbers of window searches: whole parts of a unit over lowered rules, or exact numbers.
#
# In whole parts, a window is rounded outwards. Results stay correct: a wider window only tells more.


_MOST: Final = MOST["window"]

_MOVE_BITS: Final = 39
"""The bits of a move for which an entry of the table has room."""

_MOST_HISTORY: Final = 1 << 18

SCOUT: Final = Fraction(1, 1000)
"""The width of a null window of exact numbers. Any width is right; one below the difference of any two values cuts off
most."""


class WindowNumbers(Protocol):
    """The numbers of a window search. ``step`` is the width of a null window; ``holes`` are those of the window kernel
    that depend on the machine and on the file's hints."""

    @property
    def step(self) -> Fraction: ...
    @property
    def holes(self) -> Mapping[str, Hole]: ...

    def at_most(self, bound: Number) -> Any:
        """The greatest number up to a bound. Raises :class:`BeyondKernel` where there is none."""

    def value(self, number: Any) -> Fraction:
        """What a number stands for."""


@frozen(eq=False, repr=False)
class WholeParts(Displayed):
    """Whole parts, of which there are ``unit`` in 1."""

    unit: int
    holes: Mapping[str, Hole]

    @property
    def step(self) -> Fraction:
        return Fraction(1, self.unit)

    def at_most(self, bound: Number) -> int:
        if bound < -Fraction(_MOST, self.unit):
            return -NO_BOUND
        if bound > Fraction(_MOST, self.unit):
            raise BeyondKernel
        return floor(bound * self.unit)

    def value(self, number: int) -> Fraction:
        return Fraction(number, self.unit)


@frozen(eq=False, repr=False)
class ExactNumbers(Displayed):
    """Numbers of any size."""

    holes: Mapping[str, Hole]
    step: Fraction = SCOUT

    def at_most(self, bound: Number) -> Number:
        return -numbers.INFINITE if bound == -inf else numbers.INFINITE if bound == inf else bound

    def value(self, number: Number) -> Fraction:
        return Fraction(number)


def whole_parts(program: Program, problem: Problem[Any], middle: Number) -> WholeParts:
    """The numbers of lowered rules, in which payoffs, estimates and the ``middle`` between two payoffs are whole; a
    position about which nothing is known is worth the ``middle``. Raises :class:`BeyondKernel` for rollouts, for hints
    that are not in the program, and for moves and estimates that are too large."""
    facts, over = problem.facts, program.estimate_denominator
    hints = {"estimate": facts.has_estimate, "unsettled": facts.has_unsettled}
    unit = _with_parts_of(problem.endgames, lcm(2 * program.denominator, over or 1), over or 1)
    scale = unit // program.denominator
    if program.moves.chosen_bits > _MOVE_BITS or (over is not None and ESTIMATE * (unit // over) > _MOST):
        raise BeyondKernel
    if problem.rollouts or not all(program.has(hint) for hint, is_given in hints.items() if is_given):
        raise BeyondKernel(NO_HINTS)
    estimate = f"estimate(rules, state, 0) * {unit // (over or 1)}"
    unknown = floor(middle * unit) if -_MOST <= middle * unit <= _MOST else 0
    holes: dict[str, Hole] = {
        "STEP": 1, "SCALE": scale, "LARGEST": _MOST // scale, "MOVE_BITS": program.moves.chosen_bits,
        "HISTORY": min(_MOST_HISTORY, len(program.model.players) << program.moves.chosen_bits),
        "REMAKES": int(bool(program.model.history)),
        "worth": estimate if facts.has_estimate else str(unknown),
        "is_unsettled": "unsettled(rules, state)" if facts.has_unsettled else "0",
    }  # fmt: skip
    return WholeParts(unit, holes)


def _with_parts_of(known: Endgames | None, unit: int, over: int) -> int:
    """A unit in which what is known as an estimate is whole, too, if estimates are not too large in it."""
    if known is None or not known.is_estimate:
        return unit
    finer = lcm(unit, *(amount.denominator for payoff in known.payoffs for amount in payoff))
    return finer if ESTIMATE * (finer // over) <= _MOST else unit


def exact_numbers(machine: Machine[Any], problem: Problem[Any], middle: Number) -> ExactNumbers:
    """The numbers of any machine; a position about which nothing is known is worth the ``middle``."""
    facts, rollouts = problem.facts, Rollouts(machine, Random(problem.seed))

    def unknown(rules: object, state: list[Any]) -> Number:
        return rollouts.means(state[0])[0] if problem.rollouts else middle

    return ExactNumbers({
        "STEP": SCOUT, "SCALE": 1, "LARGEST": inf, "MOVE_BITS": 0, "HISTORY": 0, "REMAKES": 0,
        "worth": "estimate(rules, state, 0)" if facts.has_estimate and not problem.rollouts else unknown,
        "is_unsettled": "unsettled(rules, state)" if facts.has_unsettled else "0",
    })  # fmt: skip


# Random numbers, the same as in kernels.


_STATE: Final = (1 << 53) - 1


@define(eq=False, repr=False)
class Draws:
    """The generator of random numbers that kernels have: ``drawn`` of
    :mod:`zermelo.interpreter.native.rules.sampling`. The same ``state`` gives the same numbers here and there."""

    state: int

    def below(self, count: int) -> int:
        """A number from 0 to ``count - 1``."""
        self.state = (self.state + 668265263) & _STATE
        bits = mix(mix(self.state, 2654435769), 40503) >> 20
        return (bits * count) >> 43 if count < 1 << 20 else bits % count


def seeded_draws(seed: int) -> Draws:
    """The generator of a seed."""
    return Draws(mix(mix(seed, 40503), 668265263) & _STATE)


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


Result = TypeVar("Result")

Arguments = Mapping[str, Any]
"""The arguments of a call of a search function after the state, by name."""


def _result_itself(search: object, result: Any, arguments: object) -> Any:
    return result


def _alpha_and_beta(arguments: Arguments) -> tuple[Bound, Bound]:
    return arguments.get("alpha", -INFINITE), arguments.get("beta", INFINITE)


def _all_moves(arguments: object) -> WhichMoves:
    from zermelo.solvers.common.trace import WhichMoves  # a trace is rare

    return WhichMoves.ALL


@frozen(eq=False, repr=False)
class TraceView(ByValue):
    """What a trace shows of a call of a search function. ``value`` makes a number, a tuple of numbers or bounds of the
    search, of what the call has returned, and of its arguments; of these alone ``window`` makes alpha and beta, and
    ``part`` which of a player's moves it is to try."""

    value: Callable[[Any, Any, Arguments], Any] = _result_itself
    window: Callable[[Arguments], tuple[Bound, Bound]] = _alpha_and_beta
    part: Callable[[Arguments], WhichMoves] = _all_moves


AS_IT_IS: Final = TraceView()
"""For search functions that return numbers and call their window ``alpha`` and ``beta``."""


Lists = Mapping[str, Sequence[float]]
"""What the lists of a record hold, by their names."""


def lengths_of(lists: Lists) -> dict[str, int]:
    """How long the lists of a record are to be."""
    return {name: len(entries) for name, entries in lists.items()}


def fill_lists(record: object, lists: Lists) -> None:
    """Put numbers into the lists of a record, which have the same lengths."""
    for name, entries in lists.items():
        getattr(record, name)[:] = entries if isinstance(entries, array) else list(entries)


class GameKernels(PlainKernels, Protocol):
    """The functions of a kernel together with the rules of a game."""

    def put(self, there: Words, state: Any) -> None:
        """Copy a state, as :meth:`Backend.held` gives it, into a record or a list."""

    def row_bytes(self, length: int) -> int:
        """The bytes that a used entry of a table takes, with so many numbers."""


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
        """What ``work`` returns, given the functions of a kernel; it may begin anew with others. ``shown`` says what a
        trace has of each result."""

    def held(self, state: State) -> Any:
        """A state as kernels hold it. Raises :class:`~zermelo.interpreter.native.running.views.BeyondLimits`."""

    def move(self, number: Any) -> Move:
        """A move that a kernel has listed."""

    def number_of(self, state: State, move: Move) -> Any:
        """A legal move or outcome of a state as kernels list it. Raises
        :class:`~zermelo.interpreter.native.running.views.BeyondLimits`."""

    def value(self, number: Any) -> Fraction:
        """A payoff that a kernel has found."""

    def least(self, amount: Number, is_strict: bool) -> Any:
        """The number with which kernels compare a payoff to tell whether it is at least an amount, or more than it if
        ``is_strict``. Raises :class:`BeyondKernel`."""

    def watch(self, problem: Problem[State]) -> Watch:
        """How the path of a search to the end is to be watched."""

    def hints(self, problem: Problem[State], parts: int) -> tuple[int, dict[str, Hole]]:
        """The unit of a search that may be cut off, with so many parts or a multiple of them, and what fills the holes
        of ``kernels/horizon.py`` that follow from it and from the file's hints. Raises
        :class:`BeyondKernel`."""

    def window_numbers(self, problem: Problem[State], middle: Number) -> WindowNumbers:
        """The numbers of window searches; a position about which nothing is known is worth the ``middle``. Raises
        :class:`BeyondKernel`."""

    def naming(self, endgames: Endgames | None) -> Hole:
        """What fills the hole ``name`` of ``kernels/window.py``. Raises ``ZermeloError`` (``no-table``) if there are
        known positions and keys are not packed."""

    def gains(
        self, bounds: Sequence[tuple[Fraction, Fraction]], plays: int, by_estimate: bool
    ) -> tuple[int, dict[str, Hole]]:
        """The unit of a search that adds up what so many plays bring beyond the least of these bounds on payoffs, where
        the middle between two payoffs is whole in this unit; and what fills the holes ``SCALE`` and ``worth`` of
        ``kernels/monte_carlo_tree_search.py``. Raises :class:`BeyondKernel`."""

    def feature_denominators(self, count: int) -> Sequence[int]:
        """The denominators of the ``count`` features of the file's estimate, as kernels are given them. Raises
        :class:`BeyondKernel`."""

    def learning(self, recalls: bool = False) -> dict[str, Hole]:
        """What fills the hole ``learn`` of ``kernels/observations.py``, and on request ``recall`` of
        ``kernels/sampling_from_rules.py``, and what a step can bring at most. Raises
        :class:`~zermelo.interpreter.native.running.views.BeyondLimits`."""

    def knowing(
        self, kernels: PlainKernels, knowledge: Knowledge, numbers: array[int]
    ) -> Callable[[int], InformationState]:
        """The information states with these numbers, by their places in the list, as these kernels have learned them;
        later kernels do not change them."""

    def number(self, value: Fraction) -> int | Fraction:
        """A number that kernels compute with, in parts of a unit. Raises
        :class:`BeyondKernel`."""

    def rank(self) -> Hole:
        """What fills a hole that ranks the position behind a move by the file's order. Raises
        :class:`BeyondKernel`."""

    def forgets(self, kernels: Any) -> bool:
        """Whether so few positions fit into the tables of these kernels that a search may forget them as fast as it
        finds them, for ever."""

    def length(self, most: int) -> int:
        """The length of a list that native kernels make ``most`` long, and others as long as they must."""

    def explain(self, root: State, made: Sequence[Any], error: RuleError) -> NoReturn:
        """Raise the error of the rules that a kernel met after the moves ``made``, as it listed them."""
