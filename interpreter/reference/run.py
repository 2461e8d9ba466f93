"""Runs: from a move, through its effects and all phases without a decision, to the next state at rest."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Final

from attrs import define, field

from zermelo.foundation.deadline import check_deadline
from zermelo.grammar.diagnostics import Finding, Label
from zermelo.interpreter.evaluation.context import Context, Frame, Snapshot, with_snapshot
from zermelo.interpreter.evaluation.statements import (
    Arguments,
    CompiledRule,
    Ended,
    Entering,
    Leave,
    StatementCompiler,
    compile_setup,
    fixed_payoff,
)
from zermelo.interpreter.machine import (
    CHANCE,
    END,
    MOST_PHASES,
    NULL_MOVE,
    InformationState,
    Move,
    Payoff,
    PlayError,
    Told,
)
from zermelo.interpreter.model import FixedOutcome, Model
from zermelo.interpreter.reference.chance import DealtOutcomes, Weighted
from zermelo.interpreter.reference.decisions import (
    CompiledChance,
    CompiledDecision,
    CompiledPhase,
    CompiledTogether,
    CompiledTurn,
    Legal,
)
from zermelo.interpreter.values import EvaluationError, Member, Value

# States of the reference machine.


@define(eq=False, repr=False)
class ReferenceState:
    """A state at rest: somebody is to act, or the play has ended. Immutable, apart from caches.

    ``before`` and ``move`` are the previous state and the move that led here. ``frame`` holds the names of ``phase``
    after its entry statements. In a ``together``, ``waiting`` are those still to choose, the actor first, and
    ``chosen`` the choices so far. ``told`` are the messages since ``before``, with their hearers.

    ``earned`` are the discounted earnings, and ``factor`` the discount for payments of the next move. ``end`` is the
    payoff at the end, not discounted.

    ``memo`` and the fields after it are caches.
    """

    before: ReferenceState | None
    move: Move | None
    actor: int
    phase: CompiledPhase
    arguments: Arguments
    values: tuple[Value, ...]
    frame: tuple[Value, ...]
    snapshot: Snapshot | None
    told: tuple[tuple[frozenset[Member], Told], ...]
    earned: Payoff
    factor: Fraction
    end: Payoff | None = None
    waiting: tuple[Member, ...] = ()
    chosen: tuple[tuple[Member, Move], ...] = ()

    memo: dict[object, Value] | None = None
    moves: Legal | None = None
    outcomes: Weighted | None = None
    space: DealtOutcomes | None = None
    perceived: dict[int, InformationState] = field(factory=dict)

    def back(self) -> Iterator[ReferenceState]:
        """This state and all before it, newest first."""
        state: ReferenceState | None = self
        while state is not None:
            yield state
            state = state.before

    def play(self) -> tuple[Move, ...]:
        """The moves and outcomes that led here."""
        return tuple(state.move for state in self.back() if state.move is not None)[::-1]


_PATIENCE: Final = 100
"""The number of phases without a decision after which a run is checked for cycles."""


class Runner:
    """Runs the rules of a model. Errors of the rules are raised as :class:`PlayError`."""

    def __init__(self, model: Model, statements: StatementCompiler) -> None:
        self.model = model
        self.phases = {name: CompiledPhase(phase, statements) for name, phase in model.phases.items()}
        self._statements = statements
        self._set_up = compile_setup(statements)
        self._start = statements.block((model.start,))
        self._nothing = (Fraction(0),) * len(model.players)
        self._discount = Fraction(model.discount)
        self._keeps_history = bool(model.history)

    # ------------------------------------------------------------ beginnings

    def values_after_setup(self) -> tuple[Value, ...]:
        context, _ = self._set_up()
        return tuple(context.values)

    def initial(self) -> ReferenceState:
        try:
            context, frame = self._set_up()
            leave = self._start(context, frame)
            assert leave is not None, "start is a go"
            return self._settle(context, leave, None, None, self._nothing, Fraction(1), Fraction(1))
        except EvaluationError as error:
            raise self.explained(error, None, None) from error

    def fixed(self, outcome: FixedOutcome) -> Payoff:
        """The payoff of an outcome that is the same in every position."""
        try:
            return fixed_payoff(self._statements.compiler, outcome, self.model.players)
        except EvaluationError as error:
            raise self.explained(error, None, None) from error

    # ------------------------------------------------------------ at rest

    def context(self, state: ReferenceState) -> Context:
        """The state as guards see it."""
        if state.memo is None:
            state.memo = {}
        return Context(state.values, state.memo, state.snapshot)

    def legal(self, state: ReferenceState) -> Legal:
        """All moves that the rules allow the player to act, before preferences narrow them."""
        decision = state.phase.decision
        try:
            if isinstance(decision, CompiledTurn):
                return decision.legal(self.context(state), list(state.frame))
            if isinstance(decision, CompiledTogether):
                return decision.legal(self.context(state), list(state.frame), state.waiting[0])
            return {}
        except EvaluationError as error:
            raise self.explained(error, state, None) from error

    # ------------------------------------------------------------ moves

    def effects(self, state: ReferenceState, rule: CompiledRule, arguments: Arguments) -> tuple[Context, Leave]:
        """The context after the effects of a legal move or outcome, and how they leave the phase."""
        try:
            memo = state.memo if not self._keeps_history else None
            context: Context = Context(list(state.values), memo, state.snapshot)
            context.is_deciding = True
            frame: Frame = list(state.frame)
            rule.put(frame, arguments)
            leave = rule.body(context, frame)
            assert leave is not None, "the checker knows that every path leaves"
            return context, leave
        except EvaluationError as error:
            raise self.explained(error, state, rule.move(arguments), rule) from error

    def arrive(self, state: ReferenceState, move: Move, context: Context, leave: Leave) -> ReferenceState:
        """The state at rest after a move, from the context after its effects."""
        is_players = state.actor >= 0 and self._discount != 1
        later = state.factor * self._discount if is_players else state.factor
        try:
            return self._settle(context, leave, state, move, state.earned, state.factor, later)
        except EvaluationError as error:
            raise self.explained(error, state, move) from error

    def after(self, state: ReferenceState, move: Move, rule: CompiledRule, arguments: Arguments) -> ReferenceState:
        """The state at rest after a legal move or outcome."""
        decision = state.phase.decision
        if isinstance(decision, CompiledTogether):
            return self._after_choice(state, move, decision)
        context, leave = self.effects(state, rule, arguments)
        return self.arrive(state, move, context, leave)

    def _after_choice(self, state: ReferenceState, move: Move, decision: CompiledTogether) -> ReferenceState:
        """The state after a choice of a ``together``; after the last one, ``then`` runs."""
        chosen = (*state.chosen, (state.waiting[0], move))
        if len(state.waiting) > 1:
            return ReferenceState(
                state, move, state.waiting[1].index, state.phase, state.arguments, state.values, state.frame,
                state.snapshot, (), state.earned, state.factor, None, state.waiting[1:], chosen,
            )  # fmt: skip
        context: Context = Context(list(state.values), None, state.snapshot)
        context.is_deciding = True
        context.choices = dict(chosen)
        try:
            leave = decision.then(context, list(state.frame))
        except EvaluationError as error:
            raise self.explained(error, state, move) from error
        assert leave is not None, "the checker knows that every path leaves"
        return self.arrive(state, move, context, leave)

    def after_pass(self, state: ReferenceState) -> ReferenceState | None:
        """The state after a null move; None if the other player has no move, or if a rule has an error in this state:
        it was not written for it."""
        decision = state.phase.decision
        assert isinstance(decision, CompiledTurn), "the machine has checked that the phase admits a null move"
        other = next(player for player in self.model.players if player.index != state.actor)
        context, frame = Context(state.values, {}, state.snapshot), state.phase.frame((other,))
        try:
            if not decision.legal(context, frame):
                return None
        except EvaluationError:
            return None
        return ReferenceState(
            state, NULL_MOVE, other.index, state.phase, (other,), state.values, tuple(frame), state.snapshot, (),
            state.earned, state.factor, memo=context.memo,
        )  # fmt: skip

    # ------------------------------------------------------------ settling

    def _settle(
        self,
        context: Context,
        leave: Leave,
        before: ReferenceState | None,
        move: Move | None,
        earned: Payoff,
        factor: Fraction,
        later: Fraction,
    ) -> ReferenceState:
        """Enter phases until a decision offers a move or the play ends.

        Earnings of this run are multiplied by ``factor``, those of later runs by ``later``.
        """
        context.is_deciding = False
        phase: CompiledPhase | None = None if before is None else before.phase
        frame: Frame = []
        arguments: Arguments = ()
        passed: set[object] = set()
        count = 0
        while isinstance(leave, Entering):
            phase, arguments = self.phases[leave.phase], leave.arguments
            decision = phase.decision
            count += 1
            if count > 1:
                check_deadline()
            if count > _PATIENCE:
                self._refuse_endless_run(passed, count, leave, context)
            if self._keeps_history and decision is not None:
                values = tuple(context.values)
                context.snapshot = with_snapshot(self.model, context.snapshot, phase.name, arguments, values)
            if self._keeps_history:
                context.memo = {}
            frame = phase.frame(arguments)
            if phase.entry is not None:
                context.offers = None if decision is None else decision.offers
                way_out = phase.entry(context, frame)
                if way_out is not None:
                    leave = way_out
                    continue
            assert decision is not None, "the checker knows that a phase without a decision is left"
            actor, waiting = _who_acts(decision, context, frame)
            if actor is not None:
                break
            leave = self._leave_by_otherwise(phase, context, frame)
        else:
            actor, waiting = END, ()
        assert phase is not None, "start is a go"
        if context.earned:
            earned = self._add_earnings(earned, context.earned, factor)
        return ReferenceState(
            before, move, actor, phase, arguments, tuple(context.values), tuple(frame), context.snapshot,
            tuple(context.told), earned, factor if actor == END else later,
            leave.payoff if isinstance(leave, Ended) else None, waiting, (), context.memo,
        )  # fmt: skip

    def _leave_by_otherwise(self, phase: CompiledPhase, context: Context, frame: Frame) -> Leave:
        """Leave a phase whose decision offers no move."""
        if phase.otherwise is None:
            raise EvaluationError(
                "deadlock",
                f"phase {phase.name} offers nothing, and it has no 'otherwise'",
                phase.model.span,
                "say with 'otherwise:' what happens then",
            )
        leave = phase.otherwise(context, frame)
        assert leave is not None, "the checker knows that every path leaves"
        return leave

    def _refuse_endless_run(self, passed: set[object], count: int, leave: Entering, context: Context) -> None:
        """Raise an error if a run has entered too many phases, or repeats a phase with the same variables forever."""
        if count > MOST_PHASES:
            raise EvaluationError(
                "endless-go",
                f"phase {leave.phase} is entered after {MOST_PHASES:,} others without a decision",
                leave.span,
                "write a loop without decisions with 'for', or with sums and sets",
            )
        if self._keeps_history:
            return  # equal variables may have different histories
        here = (leave.phase, leave.arguments, tuple(context.values))
        if here in passed:
            raise EvaluationError(
                "endless-go", f"phase {leave.phase} is entered again and again without a decision", leave.span
            )
        passed.add(here)

    def _add_earnings(self, earned: Payoff, more: list[tuple[Member, Fraction]], factor: Fraction) -> Payoff:
        amounts = list(earned)
        for player, amount in more:
            amounts[player.index] += factor * amount
        return tuple(amounts)

    # ------------------------------------------------------------ errors

    def explained(
        self, error: EvaluationError, state: ReferenceState | None, move: Move | None, rule: CompiledRule | None = None
    ) -> PlayError:
        """An error of the rules with the play that led to it."""
        play = (() if state is None else state.play()) + (() if move is None else (move,))
        labels = () if rule is None else (Label(rule.model.span, f"here by {move}"),)
        source = self.model.source
        return PlayError(Finding(error.code, error.message, source, error.span, labels=labels, help=error.help), play)


def _who_acts(decision: CompiledDecision, context: Context, frame: Frame) -> tuple[int | None, tuple[Member, ...]]:
    """The actor, and for a ``together`` all who are to choose; None if the decision offers no move."""
    if isinstance(decision, CompiledTurn):
        if not decision.offers(context, frame):
            return None, ()
        actor: int = decision.player(context, frame).index
        return actor, ()
    if isinstance(decision, CompiledChance):
        return (CHANCE if decision.offers(context, frame) else None), ()
    waiting = decision.choosers(context, frame)
    return (waiting[0].index if waiting else None), waiting
