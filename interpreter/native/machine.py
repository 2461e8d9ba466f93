"""The machine over a lowered program.

It answers what the interface asks from packed states. What the lowering leaves out, who perceives what and how a rule
went wrong, it asks the reference machine, to which it repeats the play.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from contextlib import suppress
from fractions import Fraction
from random import Random
from typing import TypeVar

from attrs import define

from grammar.diagnostics import ZermeloError
from interpreter.machine import CHANCE, END, InformationState, Move, Payoff
from interpreter.model import Model
from interpreter.native.executor import Amount, Executor, GrowingExecutor, Packed, PythonExecutor, RuleError
from interpreter.native.kernels import CompiledKernels, Kernels, Outgrown, PythonKernels, Trial
from interpreter.native.program import Program, lower
from interpreter.reference.machine import ReferenceMachine
from interpreter.reference.rejection import choose
from interpreter.reference.state import State as ReferenceState

Result = TypeVar("Result")


class Disagreement(Exception):
    """The two machines differ: a fault of the lowering, never of a game."""


@define(eq=False)
class State:
    """A state of a lowered program. ``legal`` and ``reference`` are remembered, not meant."""

    before: State | None
    move: Move | None
    packed: Packed
    actor: int
    legal: dict[Move, int] | None = None
    weights: list[int] | None = None
    reference: ReferenceState | None = None


class LoweredMachine:
    """Runs a program on an executor; implements :class:`interpreter.machine.Machine`."""

    def __init__(
        self,
        program: Program,
        executor: Executor,
        reference: ReferenceMachine | None = None,
        begins_in_python: bool = False,
    ) -> None:
        self.program = program
        self.executor = executor
        self.begins_in_python = begins_in_python
        self._reference = ReferenceMachine(program.model) if reference is None else reference
        self._initial: State | None = None

    @property
    def player_names(self) -> tuple[str, ...]:
        return tuple(player.name for player in self.program.model.players)

    # ------------------------------------------------------------- playing

    def initial(self) -> State:
        if self._initial is None:
            try:
                packed = self.executor.begin()
            except RuleError as error:
                self._reference.initial()
                raise self._disagreement(error) from error
            self._initial = State(None, None, packed, self.executor.actor(packed))
        return self._initial

    def actor(self, state: State) -> int:
        return state.actor

    def moves(self, state: State) -> tuple[Move, ...]:
        return tuple(self._legal(state)) if state.actor >= 0 else ()

    def outcomes(self, state: State) -> tuple[tuple[Move, Fraction], ...]:
        if state.actor != CHANCE:
            return ()
        legal, weights = self._legal(state), state.weights
        assert weights is not None
        total = sum(weights)
        return tuple((move, Fraction(weight, total)) for move, weight in zip(legal, weights, strict=True))

    def draw(self, state: State, random: Random) -> Move:
        moves = tuple(self._legal(state))
        assert state.weights is not None, "only chance draws"
        return moves[choose(state.weights, random)]

    def after(self, state: State, move: Move) -> State:
        if state.actor == END:
            raise ZermeloError("game-over", f"the play has ended; {move} comes too late")
        number = self._legal(state).get(move)
        if number is None:
            self._reference.after(self._repeated(state), move)
            raise Disagreement(f"{move} is legal on the reference machine alone")
        try:
            packed = self.executor.apply(state.packed, number)
        except RuleError as error:
            self._reference.after(self._repeated(state), move)
            raise self._disagreement(error) from error
        return State(state, move, packed, self.executor.actor(packed))

    def _legal(self, state: State) -> dict[Move, int]:
        """What can be done in a state, in order, with its numbers."""
        if state.legal is None:
            decode = self.program.moves.decode
            try:
                if state.actor == CHANCE:
                    outcomes = self.executor.outcomes(state.packed)
                    state.weights = [weight for _, weight in outcomes]
                    state.legal = {decode(number): number for number, _ in outcomes}
                else:
                    state.legal = {decode(number): number for number in self.executor.moves(state.packed)}
            except RuleError as error:
                there = self._repeated(state)
                self._reference.moves(there)
                self._reference.outcomes(there)
                raise self._disagreement(error) from error
        return state.legal

    # ------------------------------------------------------------- what it brings

    def payoff(self, state: State) -> Payoff:
        if state.actor != END:
            raise ZermeloError("game-over", "the play has not ended yet, so it has no payoff")
        return self._amounts("payoff", state)

    def earned(self, state: State) -> Payoff:
        return self._amounts("earned", state)

    def _amounts(self, question: Amount, state: State) -> Payoff:
        denominator, players = self.program.denominator, range(len(self.program.model.players))
        return tuple(Fraction(self.executor.amount(question, state.packed, k), denominator) for k in players)

    # ------------------------------------------------------------- what it is

    def position(self, state: State) -> Hashable:
        key = self.executor.key(state.packed)
        if state.actor == END:
            return key, self._amounts("ended", state)
        if not self.program.model.history:
            return key
        return key, self.program.history.future(self.program.model, self.executor.history(state.packed))

    def play(self, state: State) -> tuple[Move, ...]:
        moves = []
        at: State | None = state
        while at is not None and at.move is not None:
            moves.append(at.move)
            at = at.before
        return tuple(reversed(moves))

    def information_state(self, state: State, player: int) -> InformationState:
        return self._reference.information_state(self._repeated(state), player)

    def _repeated(self, state: State) -> ReferenceState:
        """The same state on the reference machine."""
        waiting = []
        at = state
        while at.reference is None and at.before is not None:
            waiting.append(at)
            at = at.before
        there = self._reference.initial() if at.reference is None else at.reference
        at.reference = there
        for later in reversed(waiting):
            assert later.move is not None
            there = later.reference = self._reference.after(there, later.move)
        return there

    # ------------------------------------------------------------- hints

    def estimate(self, state: State, player: int) -> Fraction:
        return self._reference.estimate(self._repeated(state), player)

    def is_unsettled(self, state: State) -> bool:
        return self._reference.is_unsettled(self._repeated(state))

    def rank(self, state: State) -> Fraction:
        return self._reference.rank(self._repeated(state))

    # ------------------------------------------------------------- kernels

    @property
    def is_compiled(self) -> bool:
        """Whether kernels run as machine code."""
        return not isinstance(self.executor, PythonExecutor)

    def run_kernels(self, text: str, exports: tuple[str, ...], work: Callable[[Kernels], Result]) -> Result:
        """What ``work`` makes of the functions of a kernel text. Where it is not settled that compiling pays, they run
        as Python first, and when that takes long ``work`` begins anew with compiled ones."""
        if self.is_compiled and self.begins_in_python:
            with suppress(Outgrown):
                return work(PythonKernels(self.program, text, Trial(self.program, text, exports).is_over))
        return work(self.kernels(text, exports))

    def kernels(self, text: str, exports: tuple[str, ...]) -> Kernels:
        """The functions of a kernel text, together with the rules of this game. ``exports`` will be called."""
        if self.is_compiled:
            return CompiledKernels(self.program, text, exports)
        return PythonKernels(self.program, text)

    def explain(self, state: State, made: list[int], error: RuleError) -> None:
        """Raise the error of the rules that a kernel met after the moves ``made`` from a state."""
        there = self._repeated(state)
        for number in made:
            there = self._reference.after(there, self.program.moves.decode(number))
        self._reference.moves(there)
        self._reference.outcomes(there)
        raise self._disagreement(error) from error

    def _disagreement(self, error: RuleError) -> Exception:
        """What a place that goes wrong here alone means: a limit of this machine, or a fault of the lowering."""
        code, span = self.program.sites[error.site - 1]
        if code == "overflow":
            return ZermeloError(
                "machine-unavailable",
                f"line {span.line} goes beyond what this machine can hold (1,024 moves, plays of 4,096 decisions)",
                "the reference machine has no such limits: --machine reference",
            )
        return Disagreement(f"{code} at line {span.line} comes up in lowered code alone")


def python_machine(model: Model, reference: ReferenceMachine | None = None) -> LoweredMachine:
    """The machine that runs the lowered model as Python; raises :class:`~.unsupported.Unsupported`."""
    program = lower(model)
    return LoweredMachine(program, PythonExecutor(program), reference)


def native_machine(model: Model, reference: ReferenceMachine | None = None) -> LoweredMachine:
    """The machine that runs the lowered model as machine code; raises :class:`~.unsupported.Unsupported`."""
    from interpreter.native.llvm.executor import CompiledExecutor

    program = lower(model)
    return LoweredMachine(program, GrowingExecutor(program, CompiledExecutor), reference)
