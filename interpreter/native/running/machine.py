"""The machine over a lowered program, with its states and the reference machine beside it."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import suppress
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

from attrs import define, field

from zermelo.grammar.diagnostics import Finding, ZermeloError
from zermelo.interpreter.machine import (
    CHANCE,
    END,
    NULL_MOVE,
    InformationState,
    Machine,
    Move,
    Payoff,
    Seen,
    State,
    TellingMachine,
)
from zermelo.interpreter.model import Model
from zermelo.interpreter.native.dialect.kernel_source import Kernel
from zermelo.interpreter.native.program import Program
from zermelo.interpreter.native.running.kernels import (
    CompiledKernels,
    Executor,
    Kernels,
    Outgrown,
    PythonKernels,
    Trial,
)
from zermelo.interpreter.native.running.views import (
    Amount,
    BeyondLimits,
    Disagreement,
    Packed,
    RuleError,
    unpack_state,
    with_other_mover,
)
from zermelo.interpreter.native.state_encoding.state_layout import PHASE, NothingHidden, NotLowered
from zermelo.interpreter.values import Value, weighted_choice

if TYPE_CHECKING:
    from random import Random

    from zermelo.interpreter.machine import SampleSpace
    from zermelo.interpreter.model import Event, Loose
    from zermelo.interpreter.native.state_encoding.observations import Perception
    from zermelo.interpreter.reference.machine import ReferenceMachine

# Errors in the expressions of a file that are evaluated in positions: hints for searches, and witnesses.


def check_hints(machine: Machine[State], model: Model, state: State) -> None:
    """Evaluate the hints and the witnesses of a file in a state. Raises their error
    (:class:`~zermelo.interpreter.machine.PlayError`), if there is one."""
    if model.estimate is not None:
        for player in range(len(model.players)):
            machine.estimate(state, player)
            machine.features(state, player)
    if model.unsettled is not None:
        machine.is_unsettled(state)
    if model.order_moves is not None:
        machine.rank(state)
    for number in range(len(model.witnesses)):
        machine.is_witnessed(state, number)


# States of lowered programs.


@define(eq=False, repr=False)
class LoweredState:
    """A state of a lowered program; without ``packed`` it exists on the reference machine only. ``legal`` and the later
    fields are caches; ``is_overfull``: there are more legal moves than can be listed here."""

    before: LoweredState | None
    move: Move | None
    packed: Packed | None
    actor: int
    is_overfull: bool = False
    legal: dict[Move, int] | None = None
    weights: list[int] | None = None
    reference: Any = None
    perceived: dict[int, InformationState] = field(factory=dict)


# The reference machine beside a lowered one: the same states, found by playing their moves again.


class Twin:
    """The reference machine of the same game, made when it is first needed."""

    def __init__(self, make: Callable[[], TellingMachine[Any]]) -> None:
        self._make = make

    @cached_property
    def machine(self) -> TellingMachine[Any]:
        return self._make()

    def state(self, state: LoweredState) -> Any:
        """The same state on the reference machine. It is cached, so that each later state takes one step."""
        waiting = []
        at = state
        while at.reference is None and at.before is not None:
            waiting.append(at)
            at = at.before
        there = self.machine.initial() if at.reference is None else at.reference
        at.reference = there
        for later in reversed(waiting):
            assert later.move is not None
            is_pass = later.move == NULL_MOVE
            behind = self.machine.after_pass(there) if is_pass else self.machine.after(there, later.move)
            assert behind is not None, "null moves are possible on both machines or on none"
            there = later.reference = behind
        return there


# The machine over a lowered program.
#
# It implements the interface on packed states. For everything that the lowering does not cover, above all the errors of
# rules, it replays the play on the reference machine.
#
# Machine code has limits on the moves of a decision, the decisions of a play, and the bits of numbers. Plays that
# exceed them fall back to the reference machine, invisibly. If a decision has more moves than a list holds, the rules
# are lowered again with longer lists; if that is not enough, the reference machine lists the moves, and each can still
# be made here. A state that cannot be represented remains on the reference machine, with all later ones. Its position
# never equals that of a state represented here, though both may have the same future. This is safe: such positions are
# searched twice, and different positions are never confused. Kernels have no fallback; they raise
# :class:`BeyondLimits`.


Result = TypeVar("Result")


class LoweredMachine:
    """Runs a program on an executor; implements :class:`zermelo.interpreter.machine.Machine`. ``fallback`` makes the
    reference machine of the same game on demand. ``beyond`` names in words the limit that kernels reached last; it is
    empty if they reached none."""

    def __init__(
        self,
        program: Program,
        fallback: Callable[[], TellingMachine[Any]],
        executor: Executor | None = None,
        begins_in_python: bool = False,
    ) -> None:
        self.program = program
        self.executor = Executor(program) if executor is None else executor
        self.begins_in_python = begins_in_python
        self.beyond = ""
        self._twin = Twin(fallback)
        self._initial: LoweredState | None = None

    @property
    def player_names(self) -> tuple[str, ...]:
        return tuple(player.name for player in self.program.model.players)

    @property
    def discount(self) -> Fraction:
        return Fraction(self.program.model.discount)

    def endless(self) -> Payoff | None:
        return self._twin.machine.endless()

    # ------------------------------------------------------------- playing

    def initial(self) -> LoweredState:
        if self._initial is None:
            try:
                packed = self.executor.begin()
            except RuleError as error:
                there = self._twin.machine.initial()
                if not self._is_limit(error):
                    raise self._disagreement(error) from error
                actor = self._twin.machine.actor(there)
                self._initial = LoweredState(None, None, None, actor, is_overfull=True, legal={}, reference=there)
            else:
                self._initial = LoweredState(None, None, packed, self.executor.actor(packed))
        return self._initial

    def actor(self, state: LoweredState) -> int:
        return state.actor

    def moves(self, state: LoweredState) -> tuple[Move, ...]:
        if state.actor < 0:
            return ()
        legal = self._legal(state)
        return self._twin.machine.moves(self._twin.state(state)) if state.is_overfull else tuple(legal)

    def outcomes(self, state: LoweredState) -> tuple[tuple[Move, Fraction], ...]:
        if state.actor != CHANCE:
            return ()
        legal, weights = self._legal(state), state.weights
        if weights is None:
            return self._twin.machine.outcomes(self._twin.state(state))
        total = sum(weights)
        return tuple((move, Fraction(weight, total)) for move, weight in zip(legal, weights, strict=True))

    def draw(self, state: LoweredState, random: Random) -> Move:
        legal = self._legal(state)
        if state.weights is None:
            return self._twin.machine.draw(self._twin.state(state), random)
        return tuple(legal)[weighted_choice(state.weights, random)]

    def sample_space(self, state: LoweredState) -> SampleSpace:
        return self._twin.machine.sample_space(self._twin.state(state))

    def consistent_outcomes(self, state: LoweredState, player: int, known: InformationState) -> SampleSpace:
        return self._twin.machine.consistent_outcomes(self._twin.state(state), player, known)

    def after(self, state: LoweredState, move: Move) -> LoweredState:
        if state.actor == END:
            raise ZermeloError("game-over", f"the play has ended; {move} comes too late")
        number = self.number_of(state, move)
        if state.packed is None or number is None:
            return self._fall_back(state, move)
        try:
            packed = self.executor.apply(state.packed, number)
        except RuleError as error:
            beyond = self._fall_back(state, move)
            if not self._is_limit(error):
                raise self._disagreement(error) from error
            return beyond
        return LoweredState(state, move, packed, self.executor.actor(packed))

    def after_pass(self, state: LoweredState) -> LoweredState | None:
        if state.actor < 0 or state.move == NULL_MOVE:
            return None
        if state.packed is None:
            beyond = self._twin.machine.after_pass(self._twin.state(state))
            return None if beyond is None else self._reference_only_state(state, NULL_MOVE, beyond)
        packed = with_other_mover(state.packed, self.program.layout)
        if packed is None:
            return None
        try:
            has_moves = bool(self.executor.moves(packed))
        except RuleError as error:
            has_moves = self._is_limit(error)
        return LoweredState(state, NULL_MOVE, packed, self.executor.actor(packed)) if has_moves else None

    def number_of(self, state: LoweredState, move: Move) -> int | None:
        """The number of a legal move or outcome; None if it has none here."""
        legal = self._legal(state)
        if not state.is_overfull:
            number = legal.get(move)
            if number is None:
                self._twin.machine.after(self._twin.state(state), move)
                raise Disagreement(f"{move} is legal on the reference machine alone")
            return number
        if state.packed is None:
            return None
        self._twin.machine.after(self._twin.state(state), move)
        phase = self.program.layout.phases[unpack_state(state.packed, self.program.layout)[PHASE]]
        return self.program.moves.encode(phase.name, move)

    def _fall_back(self, state: LoweredState, move: Move) -> LoweredState:
        """The state after a move, found by falling back to the reference machine."""
        return self._reference_only_state(state, move, self._twin.machine.after(self._twin.state(state), move))

    def _reference_only_state(self, before: LoweredState, move: Move, there: Any) -> LoweredState:
        """The state for a state ``there`` of the reference machine."""
        return LoweredState(
            before, move, None, self._twin.machine.actor(there), is_overfull=True, legal={}, reference=there
        )

    def _legal(self, state: LoweredState) -> dict[Move, int]:
        """The moves or outcomes of a state, in order, with their numbers; empty if there are too many."""
        if state.legal is None:
            assert state.packed is not None, "states without packed have their moves"
            decode = self.program.moves.decode
            try:
                if state.actor == CHANCE:
                    outcomes = self.executor.outcomes(state.packed)
                    state.weights = [weight for _, weight in outcomes]
                    state.legal = {decode(number): number for number, _ in outcomes}
                else:
                    state.legal = {decode(number): number for number in self.executor.moves(state.packed)}
            except RuleError as error:
                if self._make_room(error):
                    return self._legal(state)
                if not self._is_limit(error):
                    there = self._twin.state(state)
                    self._twin.machine.moves(there)
                    self._twin.machine.outcomes(there)
                    raise self._disagreement(error) from error
                state.is_overfull, state.legal = True, {}
        return state.legal

    # ------------------------------------------------------------- payoffs

    def payoff(self, state: LoweredState) -> Payoff:
        if state.actor != END:
            raise ZermeloError("game-over", "the play has not ended yet, so it has no payoff")
        if state.packed is None:
            return self._twin.machine.payoff(self._twin.state(state))
        return self._amounts("payoff", state.packed)

    def earned(self, state: LoweredState) -> Payoff:
        if state.packed is None:
            return self._twin.machine.earned(self._twin.state(state))
        return self._amounts("earned", state.packed)

    def _amounts(self, question: Amount, packed: Packed) -> Payoff:
        denominator, players = self.program.denominator, range(len(self.program.model.players))
        return tuple(Fraction(self.executor.amount(question, packed, k), denominator) for k in players)

    # ------------------------------------------------------------- queries

    def position(self, state: LoweredState) -> Hashable:
        if state.packed is None:
            return "beyond", self._twin.machine.position(self._twin.state(state))
        key = self.executor.key(state.packed)
        if state.actor == END:
            return key, self._amounts("ended", state.packed)
        if not self.program.model.history:
            return key
        return key, self.program.history.future(self.program.model, self.executor.history(state.packed))

    def play(self, state: LoweredState) -> tuple[Move, ...]:
        moves = []
        at: LoweredState | None = state
        while at is not None and at.move is not None:
            moves.append(at.move)
            at = at.before
        return tuple(reversed(moves))

    def earlier(self, state: LoweredState) -> Iterator[LoweredState]:
        at = state.before
        while at is not None:
            yield at
            at = at.before

    def is_within_round(self, state: LoweredState) -> bool:
        if state.packed is None:
            return self._twin.machine.is_within_round(self._twin.state(state))
        layout = self.program.layout
        if layout.choices is None:
            return False
        return any(unpack_state(state.packed, layout)[layout.choices :][: len(self.player_names)])

    def information_state(self, state: LoweredState, player: int) -> InformationState:
        perception = self.program.perception
        if isinstance(perception, NothingHidden | NotLowered):
            return self._twin.machine.information_state(self._twin.state(state), player)
        from zermelo.interpreter.native.state_encoding.observations import Perceived

        pending: list[LoweredState] = []
        at: LoweredState | None = state
        while at is not None and (at.actor == CHANCE or player not in at.perceived):
            if at.actor != CHANCE:
                pending.append(at)
            at = at.before
        known: InformationState = Perceived(perception, ()) if at is None else at.perceived[player]
        for here in reversed(pending):
            known = here.perceived[player] = self._extended_information_state(perception, known, here, player)
        return known

    def _extended_information_state(
        self, perception: Perception, known: InformationState, state: LoweredState, player: int
    ) -> InformationState:
        """A player's information state at a decision or the end, given the previous one, ``known``."""
        from zermelo.interpreter.native.state_encoding.observations import Perceived, encode_information_state

        move, last = state.move, state.before
        while last is not None and last.actor == CHANCE:
            move, last = last.move, last.before
        if isinstance(known, Perceived) and state.packed is not None:
            number = -1 if last is None or move is None else self.number_of(last, move)
            there = None if last is None else last.packed
            assert number is not None, "a packed state follows a packed one"
            try:
                return known.then(self.executor.observed(there, state.packed, number, player))
            except RuleError as error:
                if not self._is_limit(error):
                    self._twin.machine.information_state(self._twin.state(state), player)
                    raise self._disagreement(error) from error
        return encode_information_state(
            perception, self._twin.machine.information_state(self._twin.state(state), player)
        )

    def view(self, state: LoweredState, player: int) -> tuple[Seen, ...]:
        return self._twin.machine.view(self._twin.state(state), player)

    def entries(self, state: LoweredState) -> tuple[Seen, ...]:
        return self._twin.machine.entries(self._twin.state(state))

    def values_at_first(self) -> tuple[Seen, ...]:
        return self._twin.machine.values_at_first()

    def phase(self, state: LoweredState) -> tuple[str, tuple[Value, ...]] | None:
        return self._twin.machine.phase(self._twin.state(state))

    def choosers(self, state: LoweredState) -> tuple[int, ...]:
        return self._twin.machine.choosers(self._twin.state(state))

    def evaluate(self, state: LoweredState, loose: Loose, *arguments: Value) -> Value:
        return self._twin.machine.evaluate(self._twin.state(state), loose, *arguments)

    def is_such(self, state: LoweredState, event: Event) -> bool:
        return self._twin.machine.is_such(self._twin.state(state), event)

    def find_move(self, state: LoweredState, text: str) -> Move:
        return self._twin.machine.find_move(self._twin.state(state), text)

    def why_not(self, state: LoweredState, text: str) -> Finding | None:
        return self._twin.machine.why_not(self._twin.state(state), text)

    # ------------------------------------------------------------- hints

    def estimate(self, state: LoweredState, player: int) -> Fraction:
        return self._twin.machine.estimate(self._twin.state(state), player)

    def features(self, state: LoweredState, player: int) -> tuple[Fraction, ...]:
        return self._twin.machine.features(self._twin.state(state), player)

    def viewer(self, state: LoweredState) -> int:
        return self._twin.machine.viewer(self._twin.state(state))

    def is_unsettled(self, state: LoweredState) -> bool:
        return self._twin.machine.is_unsettled(self._twin.state(state))

    def rank(self, state: LoweredState) -> Fraction:
        return self._twin.machine.rank(self._twin.state(state))

    def is_witnessed(self, state: LoweredState, number: int) -> bool:
        return self._twin.machine.is_witnessed(self._twin.state(state), number)

    # ------------------------------------------------------------- kernels

    @property
    def is_compiled(self) -> bool:
        """Whether kernels run as machine code."""
        return self.executor.compiles_after is not None

    def run(self, kernel: Kernel, work: Callable[[Kernels], Result]) -> Result:
        """The result of ``work`` with the functions of a kernel. Where they run in Python first and that takes long,
        ``work`` starts again with machine code."""
        with suppress(Outgrown):
            return work(self.begin(kernel))
        return work(self.hurry(kernel))

    def begin(self, kernel: Kernel) -> Kernels:
        """The functions of a kernel, for work of any size. Unless compilation surely pays, or machine code is in the
        code cache, they run in Python first; when that takes long, calls raise :class:`Outgrown`."""
        if not (self.is_compiled and self.begins_in_python):
            return self.load(kernel)
        from zermelo.interpreter.native.llvm.engine import is_cached

        whole = kernel.with_rules(self.program.text)
        if is_cached(whole, self.program.layout.width):
            return self.hurry(kernel)
        return PythonKernels(self.program, kernel, Trial(len(whole.identity)).is_over)

    def hurry(self, kernel: Kernel) -> Kernels:
        """The functions of a kernel as machine code that is compiled quickly; better code takes over later."""
        return CompiledKernels(self.program, kernel, is_hurried=True)

    def load(self, kernel: Kernel) -> Kernels:
        """The functions of a kernel, together with the rules of this game."""
        if self.is_compiled:
            return CompiledKernels(self.program, kernel)
        return PythonKernels(self.program, kernel)

    def with_room(self, work: Callable[[], Result]) -> Result:
        """The result of ``work`` with kernels, repeated with longer lists if a decision has more moves than they hold.
        Raises :class:`BeyondLimits`."""
        before = self.program
        try:
            try:
                return work()
            except BeyondLimits:
                if self.program is before:
                    raise
            return work()
        except BeyondLimits as limit:
            self.beyond = limit.why
            raise

    def explain(self, state: LoweredState, made: Sequence[int], error: RuleError) -> NoReturn:
        """Raise the error of the rules that a kernel met after the moves ``made`` from a state, or
        :class:`BeyondLimits`."""
        self.refuse_limit(error)
        there = self._twin.state(state)
        for number in made:
            there = self._twin.machine.after(there, self.program.moves.decode(number))
        self._twin.machine.moves(there)
        self._twin.machine.outcomes(there)
        check_hints(self._twin.machine, self.program.model, there)
        raise self._disagreement(error) from error

    def refuse_limit(self, error: RuleError) -> None:
        """Raise :class:`BeyondLimits` if what a kernel met is a limit of machine code, and no error of the rules."""
        if self._make_room(error) or self._is_limit(error):
            kind, span = self.program.sites[error.site - 1]
            crowded = "a decision has more moves than machine code can list"
            full = f"a number or a history is too large for machine code in line {span.line}"
            raise BeyondLimits(crowded if kind == "crowded" else full) from error

    def _is_limit(self, error: RuleError) -> bool:
        """Whether a fault is a limit of this machine, not an error of the rules."""
        return self.program.sites[error.site - 1][0] in ("overflow", "crowded")

    def _make_room(self, error: RuleError) -> bool:
        """Lower the rules with longer lists of moves, if the fault was a full list."""
        if self.program.sites[error.site - 1][0] != "crowded":
            return False
        from zermelo.interpreter.native.model_lowering import lower
        from zermelo.interpreter.native.state_encoding.move_codes import MORE_ROOM

        self.program = lower(self.program.model, MORE_ROOM)
        self.executor = Executor(self.program, self.executor.compiles_after)
        return True

    def _disagreement(self, error: RuleError) -> Disagreement:
        """The exception for a fault that occurs here alone: a fault of the lowering."""
        code, span = self.program.sites[error.site - 1]
        return Disagreement(f"{code} at line {span.line} comes up in lowered code alone")


def machine_over(program: Program, executor: Executor | None = None, begins_in_python: bool = False) -> LoweredMachine:
    """The machine that runs a program on an executor, by default as Python; the reference machine, made on demand, is
    its fallback."""

    def fallback() -> ReferenceMachine:
        from zermelo.interpreter.reference.machine import ReferenceMachine

        return ReferenceMachine(program.model)

    return LoweredMachine(program, fallback, executor, begins_in_python)
