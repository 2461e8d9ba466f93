"""The reference machine, which defines the meaning of a file.

Exact and immutable: numbers are integers and fractions, states never change, every check is on. It can explain why a
move is illegal. Results are cached in the state.
"""

from __future__ import annotations

from collections.abc import Hashable
from fractions import Fraction
from random import Random

from zermelo.grammar.diagnostics import Finding, ZermeloError
from zermelo.interpreter.evaluation.context import Closure, Frame, future_of
from zermelo.interpreter.evaluation.expressions import Compiler
from zermelo.interpreter.evaluation.statements import Arguments, CompiledRule, StatementCompiler
from zermelo.interpreter.machine import CHANCE, END, NULL_MOVE, InformationState, Move, Payoff, SampleSpace, Seen
from zermelo.interpreter.model import Estimate, Event, Loose, Model
from zermelo.interpreter.model.rewriting import may_pass
from zermelo.interpreter.reference.chance import (
    DRAW_LISTING_LIMIT,
    DealtOutcomes,
    ListedOutcomes,
    Lottery,
    Weighted,
    probabilities,
)
from zermelo.interpreter.reference.decisions import CompiledChance, CompiledPhase, Legal
from zermelo.interpreter.reference.perception import Consistency, Perceiver
from zermelo.interpreter.reference.preferring import Preference
from zermelo.interpreter.reference.run import ReferenceState, Runner
from zermelo.interpreter.reference.why_not import WhyNot, read_value, split_move
from zermelo.interpreter.values import EvaluationError, Value, in_order
from zermelo.interpreter.weighted_choice import weighted_choice


class ReferenceMachine:
    """Runs a model; implements :class:`zermelo.interpreter.machine.Machine`.

    Errors of the rules raise :class:`zermelo.interpreter.machine.PlayError`.
    """

    def __init__(self, model: Model) -> None:
        self.model = model
        self._compiler = Compiler()
        self._runner = Runner(model, StatementCompiler(model, self._compiler))
        self._preference = Preference(self._runner, self._compiler, self.position)
        self._perception = Perceiver(self._runner, self._compiler)
        self._consistency = Consistency(self._runner, self._compiler, self._perception)
        self._why_not = WhyNot(self._runner, self._compiler, self._preference.left_out)
        self._lotteries: dict[CompiledPhase, Lottery] = {}
        self._loose: dict[Loose | Estimate, Closure] = {}
        self._initial: ReferenceState | None = None
        self._kept = _kept(model)
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
            state.moves = self._preference.kept(state, self._runner.legal(state))
            state.memo = None
        return state.moves

    def outcomes(self, state: ReferenceState) -> tuple[tuple[Move, Fraction], ...]:
        return probabilities(self._listed(state)) if state.actor == CHANCE else ()

    def draw(self, state: ReferenceState, random: Random) -> Move:
        if state.outcomes is None:
            dealt = self._dealt(state)
            if dealt is not None and dealt.count > DRAW_LISTING_LIMIT:
                return dealt.draw(random)
            try:
                drawn = self._lottery(state).draw_unlisted(self._runner.context(state), list(state.frame), random)
            except EvaluationError as error:
                raise self._runner.explained(error, state, None) from error
            if drawn is not None:
                return drawn
        outcomes = self._listed(state)
        return outcomes[weighted_choice([weight for _, weight in outcomes], random)][0]

    def sample_space(self, state: ReferenceState) -> SampleSpace:
        return self._dealt(state) or ListedOutcomes(self.outcomes(state))

    def consistent_outcomes(self, state: ReferenceState, player: int, known: InformationState) -> SampleSpace:
        space = self.sample_space(state)
        later = known[len(self.information_state(state, player)) :]
        try:
            return self._consistency.outcomes(state, player, later, space)
        except EvaluationError as error:
            raise self._runner.explained(error, state, None) from error

    def _dealt(self, state: ReferenceState) -> DealtOutcomes | None:
        """The outcomes of a chance state, if they are dealt."""
        if state.space is None:
            lottery = self._lottery(state)
            try:
                state.space = lottery.dealt(self._runner.context(state), list(state.frame))
            except EvaluationError as error:
                raise self._runner.explained(error, state, None) from error
        return state.space

    def _listed(self, state: ReferenceState) -> Weighted:
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
        made = self._made(state, move)
        if made is None:
            finding = self._explain(state, str(move))
            raise ZermeloError(finding.code, finding.message, finding.help)
        return self._runner.after(state, move, *made)

    def passed(self, state: ReferenceState) -> ReferenceState | None:
        if state.actor < 0 or state.move == NULL_MOVE or state.phase.name not in self._passing:
            return None
        return self._runner.passed(state)

    def _made(self, state: ReferenceState, move: Move) -> tuple[CompiledRule, Arguments] | None:
        """The rule and the arguments of a move or outcome; None for an illegal one."""
        return self._outcome(state, move) if state.actor == CHANCE else self._legal(state).get(move)

    def _outcome(self, state: ReferenceState, move: Move) -> tuple[CompiledRule, Arguments] | None:
        """The rule and the arguments of an outcome, without listing all; None for an impossible one."""
        decision = state.phase.decision
        assert isinstance(decision, CompiledChance)
        context, frame = self._runner.context(state), list(state.frame)
        try:
            for rule in decision.rules:
                bound = rule.name == move.name and rule.bind(context, frame, move.arguments)
                if bound and rule.weigh(context, frame) > 0:
                    return rule, tuple([frame[slot] for slot in rule.slots])
        except EvaluationError as error:
            raise self._runner.explained(error, state, None) from error
        return None

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
        return self._runner.endless()

    # ------------------------------------------------------------- positions and hints

    def position(self, state: ReferenceState) -> Hashable:
        values = state.values if self._kept is None else tuple([state.values[place] for place in self._kept])
        if state.end is not None:
            return state.end, values
        here = state.phase.name, state.arguments, values, state.chosen
        names = tuple([in_order(state.frame[slot]) for slot in state.phase.remembered])
        if state.snapshot is not None:
            return *here, names, future_of(self.model, state.snapshot)
        return (*here, names) if names else here

    def play(self, state: ReferenceState) -> tuple[Move, ...]:
        return state.play()

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
        estimate = self.model.estimate
        assert estimate is not None, "the file has an estimate"
        return Fraction(self.evaluate(state, estimate, self.model.players[player]))

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
        """The entries that a player sees now and that have a value, in order."""
        return self._perception.view(state, player)

    def entries(self, state: ReferenceState) -> tuple[Seen, ...]:
        """All entries that have a value, in order."""
        return self._perception.entries(state)

    # ------------------------------------------------------------- written moves

    def find_move(self, state: ReferenceState, text: str) -> Move:
        """The legal move or outcome with this text, in which spaces do not count. Raises ``ZermeloError``
        (``illegal-move``, ``game-over``) if there is none."""
        found = self._written(state, text)
        if found is None:
            finding = self._explain(state, text)
            raise ZermeloError(finding.code, finding.message, finding.help)
        return found

    def why_not(self, state: ReferenceState, text: str) -> Finding | None:
        """Why the move with this text is illegal; None for a legal one."""
        return self._explain(state, text) if self._written(state, text) is None else None

    def _written(self, state: ReferenceState, text: str) -> Move | None:
        """The legal move with this text."""
        decision = state.phase.decision
        if state.actor == END or decision is None:
            return None
        name, written = split_move(text)
        for rule in decision.rules:
            parameters = rule.model.parameters
            if rule.name == name and len(parameters) == len(written):
                try:
                    values = [
                        read_value(parameter.type, part) for parameter, part in zip(parameters, written, strict=True)
                    ]
                except ValueError:
                    continue
                move = rule.move(tuple(values))
                if self._made(state, move) is not None:
                    return move
        return None

    def _explain(self, state: ReferenceState, text: str) -> Finding:
        try:
            return self._why_not.explain(state, text, self._legal(state))
        except EvaluationError as error:
            raise self._runner.explained(error, state, None) from error


def _kept(model: Model) -> list[int] | None:
    """The places of the variables that are not constant; None if that is all of them."""
    if not any(variable.is_constant for variable in model.variables):
        return None
    variable_places = (
        range(variable.offset, variable.offset + variable.entries)
        for variable in model.variables
        if not variable.is_constant
    )
    return [place for places in variable_places for place in places]
