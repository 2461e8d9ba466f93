"""Kernels over lowered rules, in whole numbers of 64 bits; and the choice between these and a fallback."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from contextlib import suppress
from fractions import Fraction
from math import ceil, floor, lcm
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn, TypeVar

from attrs import frozen

from zermelo.foundation.records import Displayed
from zermelo.interpreter.machine import InformationState, Machine, Move
from zermelo.interpreter.native.dialect.kernel_source import Hole, Kernel
from zermelo.interpreter.native.dialect.lowered_text import Unsupported
from zermelo.interpreter.native.running.kernels import Kernels, PlainKernels
from zermelo.interpreter.native.running.machine import LoweredMachine, LoweredState
from zermelo.interpreter.native.running.views import BeyondLimits, Packed, RuleError
from zermelo.interpreter.native.state_encoding.state_layout import NothingHidden, NotLowered
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.common.numbers import Number
from zermelo.solvers.kernels.observations import Knowledge
from zermelo.solvers.kernels.ranges import ESTIMATE, INFINITE, SUMS
from zermelo.solvers.running.backend import (
    AS_IT_IS,
    NO_HINTS,
    UNWATCHED,
    WATCHED,
    Backend,
    BeyondKernel,
    TraceView,
    Watch,
    WholeParts,
    check_range,
    whole_parts,
)
from zermelo.solvers.solution import Answer, Endgames, Problem

if TYPE_CHECKING:
    from zermelo.interpreter.native.images import Images
    from zermelo.solvers.common.trace import Trace

# Kernels over lowered rules, compiled or as plain Python: payoffs are whole numbers of 64 bits.


Result = TypeVar("Result")


@frozen(eq=False, repr=False)
class LoweredBackend(Displayed):
    """Implements :class:`~zermelo.solvers.running.backend.Backend`."""

    machine: LoweredMachine

    displaces: ClassVar[bool] = True

    @property
    def unit(self) -> int:
        return self.machine.program.denominator

    @property
    def infinite(self) -> Number:
        return INFINITE

    @property
    def knows_the_past(self) -> bool:
        return not self.machine.program.model.history

    @property
    def moment(self) -> int:
        return self.machine.program.history.words

    @property
    def rules(self) -> object:
        return self.machine.program

    def run(self, kernel: Kernel, work: Callable[[Kernels], Result], shown: TraceView = AS_IT_IS) -> Result:
        return self.machine.run(kernel, work)

    def held(self, state: LoweredState) -> Packed:
        if state.packed is None:
            raise BeyondLimits("the play is too large for machine code")
        return state.packed

    def move(self, number: int) -> Move:
        return self.machine.program.moves.decode(number)

    def number_of(self, state: LoweredState, move: Move) -> int:
        number = self.machine.number_of(state, move)
        if number is None:
            raise BeyondLimits("a move of the play is too large for machine code")
        return number

    def value(self, number: int) -> Fraction:
        return Fraction(number, self.unit)

    def least(self, amount: Number, is_strict: bool) -> int:
        parts = amount * self.unit
        least = floor(parts) + 1 if is_strict else ceil(parts)
        check_range("dfpn", least)
        return least

    def watch(self, problem: Problem[LoweredState]) -> Watch:
        program = self.machine.program
        never = problem.facts.terminates.holds or program.history.always_grows(program.model)
        return UNWATCHED if never else WATCHED

    def hints(self, problem: Problem[LoweredState], parts: int) -> tuple[int, dict[str, Hole]]:
        """Where nothing limits a search no horizon is met. Rollouts, and hints that are not in the program, are beyond
        kernels here."""
        program, facts = self.machine.program, problem.facts
        unit, guess, unsettled = lcm(self.unit, parts), "0", "0"
        if problem.limits.has_horizon:
            over = program.estimate_denominator if problem.has_estimate else 1
            if problem.rollouts or over is None or (facts.has_unsettled and not program.has("unsettled")):
                raise BeyondKernel(NO_HINTS)
            unit = lcm(unit, over)
            if problem.has_estimate:
                guess = f"product(rules, estimate(rules, state, player), {unit // over})"
            unsettled = "unsettled(rules, state)" if facts.has_unsettled else "0"
        check_range("fractions", unit)
        return unit, {"PAYOFFS": unit // self.unit, "guess": guess, "is_unsettled": unsettled}

    def window_numbers(self, problem: Problem[LoweredState], middle: Number) -> WholeParts:
        return whole_parts(self.machine.program, problem, middle)

    def naming(self, endgames: Endgames | None) -> Hole:
        return "pack(state, key)" if endgames is None or endgames.images is None else "least_image(state, key)"

    def gains(
        self, bounds: Sequence[tuple[Fraction, Fraction]], plays: int, by_estimate: bool
    ) -> tuple[int, dict[str, Hole]]:
        over = self.machine.program.estimate_denominator if by_estimate else 1
        if over is None:
            raise BeyondKernel(NO_HINTS)
        unit = 2 * lcm(self.unit, over, *(bound.denominator for pair in bounds for bound in pair))
        check_range("monte_carlo_tree_search", *(bound * unit for pair in bounds for bound in pair))
        if plays * max(high - low for low, high in bounds) * unit > SUMS:
            raise BeyondKernel
        worth = "0"
        if by_estimate:
            check_range("monte_carlo_tree_search", ESTIMATE * (unit // over))
            worth = f"estimate(rules, state, player) * {unit // over}"
        return unit, {"SCALE": unit // self.unit, "worth": worth}

    def feature_denominators(self, count: int) -> Sequence[int]:
        found = self.machine.program.feature_denominators
        if len(found) != count:
            raise BeyondKernel(NO_HINTS)
        return found

    def learning(self, recalls: bool = False) -> dict[str, Hole]:
        """Where rules read the history of the play, kernels hold that of one play only, and not of several deals."""
        program = self.machine.program
        perception = program.perception
        if program.model.history or isinstance(perception, NothingHidden | NotLowered):
            raise BeyondLimits("machine code does not record what players see here")
        players, words = len(program.model.players), perception.words
        holes: dict[str, Hole] = {"learn": "note_step(knowledge, last, state, move, before, now)"}
        if recalls:
            holes["recall"] = "recall_step(knowledge, last, state, move, before, now)"
        return {**holes, "STEP_WORDS": players * words, "STEP_STATES": players * (words // 2)}

    def knowing(
        self, kernels: PlainKernels, knowledge: Knowledge, numbers: array[int]
    ) -> Callable[[int], InformationState]:
        previous, starts = (
            kernels.flat(column, knowledge.count + 1) for column in (knowledge.previous, knowledge.starts)
        )
        words = kernels.flat(knowledge.words, knowledge.used)
        from zermelo.solvers.running.known_states import KnownStates  # which nothing needs where all is seen

        return KnownStates(self.machine.program, numbers, previous, starts, words)

    def number(self, value: Fraction) -> int | Fraction:
        check_range("fractions", value)
        return int(value)

    def rank(self) -> Hole:
        if not self.machine.program.has("order_key"):
            raise BeyondKernel(NO_HINTS)
        return "order_key(rules, state)"

    def forgets(self, kernels: Kernels) -> bool:
        return False

    def length(self, most: int) -> int:
        return most

    def explain(self, root: LoweredState, made: Sequence[int], error: RuleError) -> NoReturn:
        self.machine.explain(root, made, error)


# The choice between lowered rules and a fallback: the one place that makes it.


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
    return run_lowered_or_else(machine, lambda lowered: work(LoweredBackend(lowered)), exactly)


def run_lowered_or_else(
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


def images_of(machine: object, with_exchanges: bool = False) -> Images | None:
    """The images under the symmetries that leave the players as they are, or under all, if there are any."""
    if not isinstance(machine, LoweredMachine):
        return None
    from zermelo.interpreter.native.images import images
    from zermelo.interpreter.symmetries.group import player_fixing_subgroup, symmetries

    found = symmetries(machine.program.model)
    if not with_exchanges:
        found = player_fixing_subgroup(machine.program.model, found)
    try:
        return images(machine.program, found) if len(found) > 1 else None
    except Unsupported:
        return None
