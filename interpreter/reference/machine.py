"""The reference machine, which defines the meaning of a file.

Exact and immutable: numbers are integers and fractions, states never change, every check is on. It can explain why a
move is illegal. Results are cached in the state.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator
from fractions import Fraction
from itertools import islice
from random import Random
from typing import Final

from attrs import define, evolve, field

from zermelo.grammar.diagnostics import Finding, ZermeloError
from zermelo.grammar.names import read_as
from zermelo.interpreter import model
from zermelo.interpreter.analysis import Key, failed_key, held_key, ran_key
from zermelo.interpreter.evaluation.context import (
    UNSET,
    Closure,
    CompiledDefine,
    Context,
    Frame,
    future_of,
    place_of_entry,
)
from zermelo.interpreter.evaluation.expressions import Compiler, memoize
from zermelo.interpreter.evaluation.statements import Arguments, CompiledBlock, CompiledRule, Leave, StatementCompiler
from zermelo.interpreter.machine import CHANCE, END, NULL_MOVE, InformationState, Move, Payoff, SampleSpace, Seen
from zermelo.interpreter.model import Estimate, Event, Loose, Model, Network
from zermelo.interpreter.model.cardinality import values_of_type
from zermelo.interpreter.model.rewriting import may_pass
from zermelo.interpreter.reference.chance import (
    DRAW_LISTING_LIMIT,
    DealtOutcomes,
    ListedOutcomes,
    Lottery,
    Weighted,
    probabilities,
)
from zermelo.interpreter.reference.decisions import (
    CompiledChance,
    CompiledDecision,
    CompiledPhase,
    CompiledTogether,
    CompiledTurn,
    Legal,
)
from zermelo.interpreter.reference.perception import Perceiver
from zermelo.interpreter.reference.preferring import Preference
from zermelo.interpreter.reference.run import ReferenceState, Runner
from zermelo.interpreter.reference.why_not import WhyNot, read_value, split_move, written_arguments
from zermelo.interpreter.values import EvaluationError, Value, ordered_key, weighted_choice


class ReferenceMachine:
    """Runs a model; implements :class:`zermelo.interpreter.machine.Machine`.

    Errors of the rules raise :class:`zermelo.interpreter.machine.PlayError`. A ``compiler`` of another kind may watch
    the evaluation of expressions.
    """

    def __init__(self, model: Model, compiler: Compiler | None = None) -> None:
        self.model = model
        self._compiler = compiler or Compiler()
        self._runner = Runner(model, StatementCompiler(model, self._compiler))
        self._preference = Preference(self._runner, self._compiler, self.position)
        self._perception = Perceiver(self._runner, self._compiler)
        self._why_not = WhyNot(self._runner, self._compiler, self._preference.left_out)
        self._lotteries: dict[CompiledPhase, Lottery] = {}
        self._loose: dict[Loose | Estimate, Closure] = {}
        self._initial: ReferenceState | None = None
        self._kept = _changing_places(model)
        self._passing = {phase.name for phase in model.phases.values() if may_pass(model, phase)}

    @property
    def player_names(self) -> tuple[str, ...]:
        return tuple(player.name for player in self.model.players)

    @property
    def discount(self) -> Fraction:
        return Fraction(self.model.discount)

    # ------------------------------------------------------------- playing

    def initial(self) -> ReferenceState:
        if self._initial is None:
            self._initial = self._runner.initial()
        return self._initial

    def actor(self, state: ReferenceState) -> int:
        return state.actor

    def moves(self, state: ReferenceState) -> tuple[Move, ...]:
        return tuple(self._legal(state))

    def _legal(self, state: ReferenceState) -> Legal:
        """The legal moves of the player to act, with their rules; none for chance and at the end."""
        if state.actor < 0:
            return {}
        if state.moves is None:
            state.moves = self._preference.preferred(state, self._runner.legal(state))
            state.memo = None
        return state.moves

    def outcomes(self, state: ReferenceState) -> tuple[tuple[Move, Fraction], ...]:
        return probabilities(self._weighted_outcomes(state)) if state.actor == CHANCE else ()

    def draw(self, state: ReferenceState, random: Random) -> Move:
        if state.outcomes is None:
            dealt = self._dealt_outcomes(state)
            if dealt is not None and dealt.count > DRAW_LISTING_LIMIT:
                return dealt.draw(random)
            try:
                drawn = self._lottery(state).draw_unlisted(self._runner.context(state), list(state.frame), random)
            except EvaluationError as error:
                raise self._runner.explained(error, state, None) from error
            if drawn is not None:
                return drawn
        outcomes = self._weighted_outcomes(state)
        return outcomes[weighted_choice([weight for _, weight in outcomes], random)][0]

    def sample_space(self, state: ReferenceState) -> SampleSpace:
        return self._dealt_outcomes(state) or ListedOutcomes(self.outcomes(state))

    def consistent_outcomes(self, state: ReferenceState, player: int, known: InformationState) -> SampleSpace:
        space = self.sample_space(state)
        later = known[len(self.information_state(state, player)) :]
        try:
            return self._perception.consistent_outcomes(state, player, later, space)
        except EvaluationError as error:
            raise self._runner.explained(error, state, None) from error

    def _dealt_outcomes(self, state: ReferenceState) -> DealtOutcomes | None:
        """The outcomes of a chance state, if they are dealt."""
        if state.space is None:
            lottery = self._lottery(state)
            try:
                state.space = lottery.dealt(self._runner.context(state), list(state.frame))
            except EvaluationError as error:
                raise self._runner.explained(error, state, None) from error
        return state.space

    def _weighted_outcomes(self, state: ReferenceState) -> Weighted:
        """All outcomes of a chance state."""
        if state.outcomes is None:
            try:
                state.outcomes = self._lottery(state).listed(self._runner.context(state), list(state.frame))
            except EvaluationError as error:
                raise self._runner.explained(error, state, None) from error
        return state.outcomes

    def _lottery(self, state: ReferenceState) -> Lottery:
        decision = state.phase.decision
        if not isinstance(decision, CompiledChance) or state.actor == END:
            raise ZermeloError("illegal-move", "nothing can be drawn here: it is not chance's turn")
        if state.phase not in self._lotteries:
            self._lotteries[state.phase] = Lottery(decision, self._compiler)
        return self._lotteries[state.phase]

    def after(self, state: ReferenceState, move: Move) -> ReferenceState:
        if state.actor == END:
            raise ZermeloError("game-over", f"the play has ended; {move} comes too late")
        made = self._find_binding(state, move)
        if made is None:
            finding = self._explain(state, str(move))
            raise ZermeloError(finding.code, finding.message, finding.help)
        return self._runner.after(state, move, *made)

    def after_pass(self, state: ReferenceState) -> ReferenceState | None:
        if state.actor < 0 or state.move == NULL_MOVE or state.phase.name not in self._passing:
            return None
        return self._runner.after_pass(state)

    def _find_binding(self, state: ReferenceState, move: Move) -> tuple[CompiledRule, Arguments] | None:
        """The rule and the arguments of a move or outcome; None for an illegal one."""
        if state.actor != CHANCE:
            return self._legal(state).get(move)
        decision = state.phase.decision
        assert isinstance(decision, CompiledChance)
        return _find_outcome(move, decision.rules, state, self._runner.context(state), self._runner)

    # ------------------------------------------------------------- payoffs

    def payoff(self, state: ReferenceState) -> Payoff:
        """The payoff of each player; raises ``ZermeloError`` (``game-over``) before the end.

        With a discount of d, payments of the first decision of a player (in its effects, and up to the next decision)
        count in full, those of the second d times, and so on; chance does not count as a decision, nor do the single
        choices of a ``together``.
        """
        if state.end is None:
            raise ZermeloError("game-over", "the play has not ended yet, so it has no payoff")
        if state.factor == 1 and not any(state.earned):
            return state.end
        return tuple(earned + state.factor * amount for earned, amount in zip(state.earned, state.end, strict=True))

    def earned(self, state: ReferenceState) -> Payoff:
        return state.earned

    def endless(self) -> Payoff | None:
        return None if self.model.endless is None else self._runner.fixed(self.model.endless)

    # ------------------------------------------------------------- positions and hints

    def position(self, state: ReferenceState) -> Hashable:
        values = state.values if self._kept is None else tuple([state.values[place] for place in self._kept])
        if state.end is not None:
            return state.end, values
        here = state.phase.name, state.arguments, values, state.chosen
        names = tuple([ordered_key(state.frame[slot]) for slot in state.phase.remembered])
        if state.snapshot is not None:
            return *here, names, future_of(self.model, state.snapshot)
        return (*here, names) if names else here

    def play(self, state: ReferenceState) -> tuple[Move, ...]:
        return state.play()

    def earlier(self, state: ReferenceState) -> Iterator[ReferenceState]:
        return islice(state.back(), 1, None)

    def evaluate(self, state: ReferenceState, loose: Loose | Estimate, *arguments: Value) -> Value:
        """The value of a loose expression of the model, with ``arguments`` in its first slots."""
        if loose not in self._loose:
            self._loose[loose] = self._compiler.expression(loose.value)
        frame: Frame = [*arguments, *[None] * (loose.frame_size - len(arguments))]
        try:
            return self._loose[loose](self._runner.context(state), frame)
        except EvaluationError as error:
            raise self._runner.explained(error, state, None) from error

    def estimate(self, state: ReferenceState, player: int) -> Fraction:
        if self.model.network is not None:
            from zermelo.interpreter.model.networks import network_value  # which few games have

            network = self.model.network
            return network_value(network, self._units(state, network), player == self.viewer(state))
        estimate = self.model.estimate
        assert estimate is not None, "the file has an estimate"
        return Fraction(self.evaluate(state, estimate, self.model.players[player]))

    def features(self, state: ReferenceState, player: int) -> tuple[Fraction, ...]:
        if self.model.network is not None:
            return tuple(map(Fraction, self._units(state, self.model.network)))
        features = () if self.model.estimate is None else self.model.estimate.features
        return tuple(Fraction(self.evaluate(state, each, self.model.players[player])) for each in features)

    def _units(self, state: ReferenceState, network: Network) -> list[int]:
        """What the units of a network say of a state, as the player who looks at it sees it."""
        from zermelo.interpreter.model.networks import count_of

        offsets = {variable.name: variable.offset for variable in self.model.variables}
        counts = []
        for unit in network.units:
            if unit.kind in ("one", "phase"):
                counts.append(int(unit.kind == "one" or unit.phase == state.phase.name))
            elif unit.variable:
                value = state.values[offsets[unit.variable] + unit.place]
                counts.append(0 if value is UNSET else count_of(unit, value))
            else:
                counts.append(count_of(unit, state.arguments[unit.place]) if unit.phase == state.phase.name else 0)
        if self.viewer(state) == 0:
            return counts
        assert network.perspective is not None, "otherwise the first player looks at all positions"
        said = dict(zip(network.perspective.mirror, counts, strict=True))
        return [said[k] for k in range(len(counts))]

    def viewer(self, state: ReferenceState) -> int:
        network = self.model.network
        if network is None or network.perspective is None or state.phase.name not in network.perspective.viewers:
            return 0
        return self.model.players.index(state.arguments[network.perspective.viewers[state.phase.name]])

    def is_unsettled(self, state: ReferenceState) -> bool:
        assert self.model.unsettled is not None, "the file says what is unsettled"
        return bool(self.evaluate(state, self.model.unsettled))

    def rank(self, state: ReferenceState) -> Fraction:
        assert self.model.order_moves is not None, "the file orders moves"
        return Fraction(self.evaluate(state, self.model.order_moves))

    def is_witnessed(self, state: ReferenceState, number: int) -> bool:
        return self.is_such(state, self.model.witnesses[number].event)

    def is_such(self, state: ReferenceState, event: Event) -> bool:
        match event.place:
            case "phase" if state.end is not None or state.phase.name != event.phase:
                return False
            case "end" if state.end is None or (event.paid is not None and state.end != self._runner.fixed(event.paid)):
                return False
        if event.condition is None:
            return True
        return bool(self.evaluate(state, event.condition, *(state.arguments if event.place == "phase" else ())))

    # ------------------------------------------------------------- perception

    def is_within_round(self, state: ReferenceState) -> bool:
        return bool(state.chosen)

    def information_state(self, state: ReferenceState, player: int) -> InformationState:
        return self._perception.information_state(state, player)

    def view(self, state: ReferenceState, player: int) -> tuple[Seen, ...]:
        return self._perception.view(state, player)

    def entries(self, state: ReferenceState) -> tuple[Seen, ...]:
        return self._perception.entries(state)

    def values_at_first(self) -> tuple[Seen, ...]:
        return self._perception.entries_at_first()

    def phase(self, state: ReferenceState) -> tuple[str, tuple[Value, ...]] | None:
        return None if state.end is not None else (state.phase.name, state.arguments)

    def choosers(self, state: ReferenceState) -> tuple[int, ...]:
        if state.actor < 0:
            return ()
        return tuple(player.index for player in state.waiting) or (state.actor,)

    # ------------------------------------------------------------- written moves

    def find_move(self, state: ReferenceState, text: str) -> Move:
        """The legal move or outcome with this text, in which spaces do not count. Raises ``ZermeloError``
        (``illegal-move``, ``game-over``) if there is none."""
        found = self._move_with_text(state, text)
        if found is None:
            finding = self._explain(state, text)
            raise ZermeloError(finding.code, finding.message, finding.help)
        return found

    def why_not(self, state: ReferenceState, text: str) -> Finding | None:
        return self._explain(state, text) if self._move_with_text(state, text) is None else None

    def _move_with_text(self, state: ReferenceState, text: str) -> Move | None:
        """The legal move with this text."""
        decision = state.phase.decision
        if state.actor == END or decision is None:
            return None
        name, written = split_move(text)
        for rule in decision.rules:
            parameters = rule.model.parameters
            whole = written_arguments(written, parameters) if read_as(rule.name, name) else None
            if whole is not None:
                try:
                    values = [
                        read_value(parameter.type, part) for parameter, part in zip(parameters, whole, strict=True)
                    ]
                except ValueError:
                    continue
                move = rule.move(tuple(values))
                if self._find_binding(state, move) is not None:
                    return move
        return None

    def _explain(self, state: ReferenceState, text: str) -> Finding:
        try:
            return self._why_not.explain(state, text, self._legal(state))
        except EvaluationError as error:
            raise self._runner.explained(error, state, None) from error


def _find_outcome(
    outcome: Move, rules: list[CompiledRule], state: ReferenceState, context: Context, runner: Runner
) -> tuple[CompiledRule, Arguments] | None:
    """The rule and the arguments of an outcome, without listing all; None for an impossible one."""
    frame = list(state.frame)
    try:
        for rule in rules:
            bound = rule.name == outcome.name and rule.bind(context, frame, outcome.arguments)
            if bound and rule.weigh(context, frame) > 0:
                return rule, tuple([frame[slot] for slot in rule.slots])
    except EvaluationError as error:
        raise runner.explained(error, state, None) from error
    return None


def _changing_places(model: Model) -> list[int] | None:
    """The places of the variables that are not constant; None if that is all of them."""
    if not any(variable.is_constant for variable in model.variables):
        return None
    variable_places = (
        range(variable.offset, variable.offset + variable.entries)
        for variable in model.variables
        if not variable.is_constant
    )
    return [place for places in variable_places for place in places]


# The reference machine with counters: how often each part of the rules is used.
#
# The rules are compiled twice, with a counter around every statement, condition, define and action. A state is listed
# and its moves are made on the first: so a count is the number of times that a place was evaluated in plays of the
# game. What is only tried out has counters of its own: effects that ``ensuring`` looks at, and the question whether a
# decision offers anything at all. The two copies cache values of defines separately, so that a value cached for one
# does not hide from the counters that the other needs it. The moves that ``preferring`` compares, its criteria, and the
# audiences of variables have no counters.
#
# A state belongs to the machine that made it. Cost: some two to three times that of the reference machine.


MOST_VALUES: Final = 100
"""Variables with more values are not watched: hardly any takes them all."""

Listed = dict[Move, tuple[CompiledRule, Arguments]]


@define(eq=False, repr=False)
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
        closure, used, yes, no = super().condition(expr), self._used, held_key(expr), failed_key(expr)

        def test_and_count(context: Context, frame: Frame) -> Value:
            holds = closure(context, frame)
            used[yes if holds else no] += 1
            return holds

        return test_and_count

    def define(self, define: model.Define) -> CompiledDefine:
        if define not in self._defines:
            key, used = ran_key(define), self._used
            apart = evolve(define)  # values are cached by define: a copy separates these from those without counters
            remembered = memoize(apart, self.expression(define.body))

            def count_and_call(context: Context, arguments: tuple[Value, ...]) -> Value:
                used[key] += 1
                return remembered(context, arguments)

            self._defines[define] = count_and_call
        return self._defines[define]


class _CountingStatements(StatementCompiler):
    """Compiles statements with counters, and notes the values that are assigned."""

    def __init__(self, game: model.Model, counts: Counts) -> None:
        super().__init__(game, _CountingCompiler(counts.used))
        self._counts = counts
        self._plain = Compiler()

    def step(self, statement: model.Statement) -> CompiledBlock:
        run, used, keys = super().step(statement), self._counts.used, [ran_key(statement)]
        match statement:
            case model.Go(phase=name):
                keys.append(ran_key(self.model.phases[name]))
            case model.Do(action=action):
                keys.append(ran_key(action))
            case model.Assign(variable=variable) | model.Fill(variable=variable) if variable in self._counts.values:
                run = self._note_values(statement, run)

        def count_and_run(context: Context, frame: Frame) -> Leave | None:
            for key in keys:
                used[key] += 1
            return run(context, frame)

        return count_and_run

    def _note_values(self, statement: model.Assign | model.Fill, run: CompiledBlock) -> CompiledBlock:
        """The same, with a note of the value."""
        variable, seen = statement.variable, self._counts.values[statement.variable]
        if isinstance(statement, model.Fill):

            def fill_and_note(context: Context, frame: Frame) -> None:
                run(context, frame)
                seen.add(context.values[variable.offset])

            return fill_and_note
        place_of = place_of_entry(self._plain, variable, statement.indices)

        def assign_and_note(context: Context, frame: Frame) -> None:
            place = place_of(context, frame)  # before the assignment, which may change an index
            run(context, frame)
            seen.add(context.values[place])

        return assign_and_note


class CountingMachine:
    """Plays a model with counters. Errors of the rules raise ``PlayError``."""

    def __init__(self, game: model.Model) -> None:
        self.model = game
        self.counts = Counts(
            values={
                variable: {variable.initial} if variable.has_initial else set()
                for variable in game.variables
                if _is_watched(variable)
            }
        )
        self.tried = Counts(values={variable: set() for variable in self.counts.values})
        self._plain = ReferenceMachine(game)
        self._runner = Runner(game, _CountingStatements(game, self.counts))
        self._listed: dict[str, list[CompiledRule]] = {}
        self._trials: dict[model.Rule, CompiledBlock] = {}
        trials = _CountingStatements(game, self.tried)
        for phase in self._runner.phases.values():
            if phase.decision is not None:
                self._separate_trials(phase, phase.decision, _compile_decision_of_phase(phase.model, trials))

    def _separate_trials(self, phase: CompiledPhase, listed: CompiledDecision, tried: CompiledDecision) -> None:
        """Give a phase a copy of its decision for trials, which tells whether it offers anything."""
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
        """The moves or outcomes of a state; counts the parts that are evaluated for this. Raises ``ZermeloError``
        (``too-many-outcomes``)."""
        if state.actor == END:
            return {}
        if state.actor == CHANCE:
            self._plain.outcomes(state)  # refuses more than can be listed
        self._count_decision(state)
        context, frame, found = Context(state.values, {}, state.snapshot), list(state.frame), Listed()
        self._enter_chooser(state, frame)
        try:
            for rule in self._listed[state.phase.name]:
                for arguments in rule.bindings(context, frame):
                    # Effects that are only tried out have counters of their own.
                    is_ensured = rule.ensures(context, frame, self._trials[rule.model])
                    if is_ensured and rule.weigh(context, frame) > 0:
                        found[rule.move(arguments)] = rule, arguments
        except EvaluationError as error:
            raise self._runner.explained(error, state, None) from error
        decision = state.phase.model.decision
        if isinstance(decision, model.Turn) and decision.is_narrowed:
            return {move: found[move] for move in self._plain.moves(state)}
        return found

    def drawn(self, state: ReferenceState, random: Random) -> tuple[Move, CompiledRule, Arguments]:
        """An outcome of chance, drawn without a list of all; counts the parts that are evaluated for this one."""
        self._count_decision(state)
        move = self._plain.draw(state, random)
        context = Context(state.values, {}, state.snapshot)
        found = _find_outcome(move, self._listed[state.phase.name], state, context, self._runner)
        assert found is not None, "an outcome that has been drawn is possible"
        return move, *found

    def after(self, state: ReferenceState, move: Move, rule: CompiledRule, arguments: Arguments) -> ReferenceState:
        """The state after a move; counts its effects."""
        self.counts.used[ran_key(rule.model)] += 1
        return self._runner.after(state, move, rule, arguments)

    def position(self, state: ReferenceState) -> object:
        return self._plain.position(state)

    def _count_decision(self, state: ReferenceState) -> None:
        decision = state.phase.model.decision
        assert decision is not None, "somebody is to act"
        self.counts.used[ran_key(decision)] += 1

    def _enter_chooser(self, state: ReferenceState, frame: Frame) -> None:
        """Put the player who chooses into the frame, if the decision is a ``together``."""
        decision = state.phase.model.decision
        if isinstance(decision, model.Together):
            frame[decision.slot] = state.waiting[0]


def _compile_decision_of_phase(phase: model.Phase, statements: StatementCompiler) -> CompiledDecision:
    decision = CompiledPhase(phase, statements).decision
    assert decision is not None, "the phase has a decision"
    return decision


def _is_watched(variable: model.Variable) -> bool:
    """Whether the values of a variable can be listed, and are few."""
    count = values_of_type(variable.type)
    return not variable.is_constant and count is not None and count <= MOST_VALUES
