"""The reference machine with counters: how often each part of the rules is used.

The rules are compiled twice, with a counter around every statement, condition, define and action. A state is listed and
its moves are made on the first: so a count is the number of times that a place was evaluated in plays of the game. What
is only tried out has counters of its own: effects that ``ensuring`` looks at, moves that ``preferring`` compares, and
the question whether a decision offers anything at all. Values of defines are kept apart for both, so that none hides
from the other that it was needed. Without counters are the criteria of ``preferring``, and who sees a variable.

A state belongs to the machine that made it. Cost: some two to three times that of the reference machine.
"""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Final

from attrs import define, evolve, field

from zermelo.interpreter import model
from zermelo.interpreter.analysis.parts import Key, failed, held, ran
from zermelo.interpreter.evaluation.context import Closure, CompiledDefine, Context, Frame, place_of_entry
from zermelo.interpreter.evaluation.expressions import Compiler, remembering
from zermelo.interpreter.evaluation.statements import Arguments, CompiledBlock, CompiledRule, Leave, StatementCompiler
from zermelo.interpreter.machine import CHANCE, END, Move
from zermelo.interpreter.model.cardinality import values_of_type
from zermelo.interpreter.reference.decisions import CompiledDecision, CompiledPhase, CompiledTogether, CompiledTurn
from zermelo.interpreter.reference.machine import ReferenceMachine
from zermelo.interpreter.reference.run import ReferenceState, Runner
from zermelo.interpreter.values import EvaluationError, Value

MOST_VALUES: Final = 100
"""Variables with more values are not watched: hardly any takes them all."""

Listed = dict[Move, tuple[CompiledRule, Arguments]]


@define(eq=False)
class Counts:
    """How often each place was used, and the values that each watched variable has had."""

    used: Counter[Key] = field(factory=Counter)
    values: dict[model.Variable, set[Value]] = field(factory=dict)


class _CountingCompiler(Compiler):
    """Compiles expressions with counters around conditions and defines."""

    def __init__(self, used: Counter[Key]) -> None:
        super().__init__()
        self._used = used

    def condition(self, expr: model.Expr) -> Closure:
        closure, used, yes, no = super().condition(expr), self._used, held(expr), failed(expr)

        def counted(context: Context, frame: Frame) -> Value:
            holds = closure(context, frame)
            used[yes if holds else no] += 1
            return holds

        return counted

    def define(self, define: model.Define) -> CompiledDefine:
        if define not in self._defines:
            key, used = ran(define), self._used
            apart = evolve(define)  # values are kept by define: these are not those without counters
            remembered = remembering(apart, self.expression(define.body))

            def counted(context: Context, arguments: tuple[Value, ...]) -> Value:
                used[key] += 1
                return remembered(context, arguments)

            self._defines[define] = counted
        return self._defines[define]


class _CountingStatements(StatementCompiler):
    """Compiles statements with counters, and notes the values that are assigned."""

    def __init__(self, game: model.Model, counts: Counts) -> None:
        super().__init__(game, _CountingCompiler(counts.used))
        self._counts = counts
        self._plain = Compiler()

    def step(self, statement: model.Statement) -> CompiledBlock:
        run, used, keys = super().step(statement), self._counts.used, [ran(statement)]
        match statement:
            case model.Go(phase=name):
                keys.append(ran(self.model.phases[name]))
            case model.Do(action=action):
                keys.append(ran(action))
            case model.Assign(variable=variable) | model.Fill(variable=variable) if variable in self._counts.values:
                run = self._noting(statement, run)

        def counted(context: Context, frame: Frame) -> Leave | None:
            for key in keys:
                used[key] += 1
            return run(context, frame)

        return counted

    def _noting(self, statement: model.Assign | model.Fill, run: CompiledBlock) -> CompiledBlock:
        """The same, with a note of the value."""
        variable, seen = statement.variable, self._counts.values[statement.variable]
        if isinstance(statement, model.Fill):

            def filled(context: Context, frame: Frame) -> None:
                run(context, frame)
                seen.add(context.values[variable.offset])

            return filled
        place_of = place_of_entry(self._plain, variable, statement.indices)

        def assigned(context: Context, frame: Frame) -> None:
            place = place_of(context, frame)  # before the assignment, which may change an index
            run(context, frame)
            seen.add(context.values[place])

        return assigned


class CountingMachine:
    """Plays a model with counters. Errors of the rules raise ``PlayError``."""

    def __init__(self, game: model.Model) -> None:
        self.model = game
        self.counts = Counts(
            values={variable: _first(variable) for variable in game.variables if _is_watched(variable)}
        )
        self.tried = Counts(values={variable: set() for variable in self.counts.values})
        self._plain = ReferenceMachine(game)
        self._runner = Runner(game, _CountingStatements(game, self.counts))
        self._listed: dict[str, list[CompiledRule]] = {}
        self._trials: dict[model.Rule, CompiledBlock] = {}
        trials = _CountingStatements(game, self.tried)
        for phase in self._runner.phases.values():
            if phase.decision is not None:
                self._keep_apart(phase, phase.decision, _compiled(phase.model, trials))

    def _keep_apart(self, phase: CompiledPhase, listed: CompiledDecision, tried: CompiledDecision) -> None:
        """Let a phase ask rules of their own whether it offers anything."""
        self._listed[phase.name] = listed.rules
        for rule in tried.rules:
            self._trials[rule.model] = rule.body
        match listed, tried:
            case CompiledTurn(), CompiledTurn():
                tried.player = listed.player
            case CompiledTogether(), CompiledTogether():
                tried.players, tried.then = listed.players, listed.then
        phase.decision = tried

    # ------------------------------------------------------------- playing

    def initial(self) -> ReferenceState:
        """The state in which a play begins; counts the statements up to it."""
        return self._runner.initial()

    def listed(self, state: ReferenceState) -> Listed:
        """The moves or outcomes of a state; counts what is asked for that. Raises ``ZermeloError``
        (``too-many-outcomes``)."""
        if state.actor == END:
            return {}
        if state.actor == CHANCE:
            self._plain.outcomes(state)  # refuses more than can be listed
        self._decides(state)
        context, frame, found = Context(state.values, {}, state.snapshot), list(state.frame), Listed()
        self._choose_for(state, frame)
        try:
            for rule in self._listed[state.phase.name]:
                for arguments in rule.bindings(context, frame):
                    if self._ensures(rule, context, frame) and rule.weigh(context, frame) > 0:
                        found[rule.move(arguments)] = rule, arguments
        except EvaluationError as error:
            raise self._runner.explained(error, state, None) from error
        decision = state.phase.model.decision
        if isinstance(decision, model.Turn) and decision.is_narrowed:
            return {move: found[move] for move in self._plain.moves(state)}
        return found

    def drawn(self, state: ReferenceState, random: Random) -> tuple[Move, CompiledRule, Arguments]:
        """An outcome of chance, without a list of all; counts what is asked about it."""
        self._decides(state)
        move = self._plain.draw(state, random)
        context, frame = Context(state.values, {}, state.snapshot), list(state.frame)
        try:
            for rule in self._listed[state.phase.name]:
                is_bound = rule.name == move.name and rule.bind(context, frame, move.arguments)
                if is_bound and rule.weigh(context, frame) > 0:
                    return move, rule, tuple([frame[slot] for slot in rule.slots])
        except EvaluationError as error:
            raise self._runner.explained(error, state, None) from error
        raise AssertionError("an outcome that has been drawn is possible")

    def after(self, state: ReferenceState, move: Move, rule: CompiledRule, arguments: Arguments) -> ReferenceState:
        """The state after a move; counts its effects."""
        self.counts.used[ran(rule.model)] += 1
        return self._runner.after(state, move, rule, arguments)

    def position(self, state: ReferenceState) -> object:
        """What the rest of the play depends on."""
        return self._plain.position(state)

    def _decides(self, state: ReferenceState) -> None:
        decision = state.phase.model.decision
        assert decision is not None, "somebody is to act"
        self.counts.used[ran(decision)] += 1

    def _choose_for(self, state: ReferenceState, frame: Frame) -> None:
        """Enter who chooses, in a ``together``."""
        decision = state.phase.model.decision
        if isinstance(decision, model.Together):
            frame[decision.slot] = state.waiting[0]

    def _ensures(self, rule: CompiledRule, context: Context, frame: Frame) -> bool:
        """Whether ``ensuring`` holds after the effects, which are only tried out."""
        if rule.ensuring is None:
            return True
        trial, trial_frame = context.trial(), frame.copy()
        self._trials[rule.model](trial, trial_frame)
        return bool(rule.ensuring(trial, trial_frame))


def _compiled(phase: model.Phase, statements: StatementCompiler) -> CompiledDecision:
    decision = CompiledPhase(phase, statements).decision
    assert decision is not None, "the phase has a decision"
    return decision


def _first(variable: model.Variable) -> set[Value]:
    """The values that the file gives a variable at the beginning."""
    return {variable.initial} if variable.has_initial else set()


def _is_watched(variable: model.Variable) -> bool:
    """Whether the values of a variable can be listed, and are few."""
    count = values_of_type(variable.type)
    return not variable.is_constant and count is not None and count <= MOST_VALUES
