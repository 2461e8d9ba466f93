"""Perception: information states, computed from a play.

A player's information state is the sequence of their observations, their own moves included. Two states in which they
are to decide belong to one information set exactly if these sequences are equal. Files do not list information sets;
they follow from the visibility of variables and moves. The sequence only grows, and contains the player's own decisions
and moves: so recall is perfect by construction (Kuhn 1953).

*When* something is perceived needs care. It must not depend on steps that the player cannot see, which would be a
hidden clock. So players perceive nothing at chance states or between effects, but only when some player is to decide,
and at the end. Everything since the last decision of anybody, a *step*, is then perceived as observations of four
kinds, in this order:

1. the moves, each a :class:`PerceivedMove`;
2. the messages to the player, in order, each a :class:`~zermelo.interpreter.machine.Told`;
3. the values that are new to the player, if any, as one set, a :class:`Sighting`;
4. an :class:`Asked`, if the player is to decide.

There are no marks between steps, and no empty observations. So a step without observations leaves the information state
as it was, and a player knows of other decisions only by their observations. Whether two values changed at once or in
turn is perceived (one sighting or two); whether a message or a move belongs to this step or the next is not.

- A value is new if it differs from that at the last decision, or if the player did not see the entry then. Before the
  first decision the variables are compared with their values after ``setup``, which the rules tell everybody.
- Players perceive their own moves in full, nothing of the secret moves of others, and of other moves all but the secret
  arguments. Outcomes of chance are perceived only by their effects and by messages.
- The choices of a ``together`` are made in turn here, but this is hidden. All who choose perceive at its beginning that
  they are to decide; each perceives their own choice when they make it; those of the others come in the order of the
  players after the last choice, with all that follows from them.

A ``tree:`` has neither variables nor messages. If a label joins nodes, all moves are secret, and players perceive their
own moves and the phase in which they are to decide: the label, or the name of an unlabelled node (the node itself is a
secret argument). So the labels decide: two nodes are in one information set exactly if they have the same label and
the same own past; a label whose nodes have different own pasts is refused (``forgetful-label``).

Information states are cached in the states of players, so that a walk down a tree adds the observations of one step for
each decision. Games of perfect information never compute them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

from zermelo.interpreter.analysis import held_arguments
from zermelo.interpreter.evaluation.context import UNSET, Audiences, Closure, Compiles, VariableValues, place_of_entry
from zermelo.interpreter.machine import (
    CHANCE,
    HIDDEN,
    Asked,
    InformationState,
    Move,
    Observation,
    PerceivedMove,
    SampleSpace,
    Seen,
    Sighting,
)
from zermelo.interpreter.reference.decisions import CompiledPhase, CompiledTogether, CompiledTurn
from zermelo.interpreter.reference.run import ReferenceState, Runner
from zermelo.interpreter.values import EvaluationError, Member, Value

# The outcomes of chance that are consistent with what a player has perceived later.
#
# Where an entry of a variable is proved to hold an argument of the outcome
# (:mod:`zermelo.interpreter.analysis`), a player who always sees the entry perceives its value at the next
# decision, if it differs from the last one; that is the first value of the entry that they perceive after the outcome.
# So the argument is known, and an outcome with another one is not consistent. If they perceive no value of the entry at
# all, no outcome of the rule is consistent. An argument that may leave the entry as it was tells nothing.
#
# This leaves out only outcomes that are not consistent: all those that are remain, with their exact probabilities.
# Those that remain need not all be consistent, since players may perceive more than such arguments.


_Held = list[tuple[int, Closure]]
"""Numbers of arguments, with the places of the entries that hold them."""


class Perceiver:
    """The players' perception of the plays of a model."""

    def __init__(self, runner: Runner, compiler: Compiles) -> None:
        self._runner = runner
        self._players = runner.model.players
        self._compiler = compiler
        self._sight = Audiences(runner.model, compiler)
        self._held: dict[CompiledPhase, dict[str, _Held]] = {}

    def view(self, state: ReferenceState, player: int) -> tuple[Seen, ...]:
        """The entries that a player sees now and that have a value, in order."""
        try:
            visible = self._sight.visible(self._players[player], state.values)
        except EvaluationError as error:
            raise self._runner.explained(error, state, None) from error
        return tuple(
            self._sight.seen(place, state.values[place])
            for place in sorted(visible)
            if state.values[place] is not UNSET
        )

    def entries(self, state: ReferenceState) -> tuple[Seen, ...]:
        """All entries that have a value, in order."""
        return self._with_value(state.values)

    def entries_at_first(self) -> tuple[Seen, ...]:
        """All entries that have a value after ``setup``, in order."""
        return self._with_value(self._values_after_setup)

    def _with_value(self, values: VariableValues) -> tuple[Seen, ...]:
        return tuple(self._sight.seen(place, value) for place, value in enumerate(values) if value is not UNSET)

    def _values_before(self, state: ReferenceState) -> VariableValues:
        """The values that players compare with those at the first decision or end after a chance state: those of the
        last decision or, before the first one, those after ``setup``."""
        return next((here.values for here in state.back() if here.actor != CHANCE), self._values_after_setup)

    @cached_property
    def _values_after_setup(self) -> VariableValues:
        return self._runner.values_after_setup()

    def information_state(self, state: ReferenceState, player: int) -> InformationState:
        """The observations of a player up to ``state``; at a chance state, up to the last decision."""
        pending: list[ReferenceState] = []
        known: InformationState = ()
        for here in state.back():
            if here.actor != CHANCE:
                if player in here.perceived:
                    known = here.perceived[player]
                    break
                pending.append(here)
        for here in reversed(pending):
            try:
                known = (*known, *self._new_observations(here, self._players[player]))
            except EvaluationError as error:
                raise self._runner.explained(error, here, None) from error
            here.perceived[player] = known
        return known

    def _new_observations(self, state: ReferenceState, player: Member) -> Iterator[Observation]:
        """The observations of a player between the last decision and ``state``."""
        passed = [state]
        while (last := passed[-1].before) is not None and last.actor == CHANCE:
            passed.append(last)
        if last is not None:
            moves = self._perceived_moves(last, passed[-1].move, player)
            if isinstance(last.phase.decision, CompiledTogether):
                if last.actor == player.index:
                    yield from (made for made in moves if made.player == player.name)
                if state.chosen:
                    return
                yield from (made for made in moves if made.player != player.name)
            else:
                yield from moves
        yield from (told for here in reversed(passed) for hearers, told in here.told if player in hearers)
        if values := self._new_values(last, state, player):
            yield Sighting(values)
        if self._is_asked(state, player):
            yield self._decision_observation(state)

    def _perceived_moves(self, state: ReferenceState, move: Move | None, player: Member) -> tuple[PerceivedMove, ...]:
        """The observations of the move at a decision; in a ``together``, those of all choices up to this move."""
        assert move is not None, "only the first state has no move before it"
        made = (*state.chosen, (self._players[state.actor], move))
        perceived = (self._perceive_move(state, mover, move, player) for mover, move in made)
        return tuple(found for found in perceived if found is not None)

    def _perceive_move(self, state: ReferenceState, mover: Member, move: Move, player: Member) -> PerceivedMove | None:
        """The observation by ``player`` of a move at ``state`` by ``mover``; None if it is hidden."""
        if mover is player:
            return PerceivedMove(mover.name, move.name, move.arguments)
        decision = state.phase.decision
        assert isinstance(decision, CompiledTurn | CompiledTogether)
        rule = next(rule.model for rule in decision.rules if rule.name == move.name)
        if rule.secret:
            return None
        shown = tuple(
            HIDDEN if parameter.secret else value
            for parameter, value in zip(rule.parameters, move.arguments, strict=True)
        )
        return PerceivedMove(mover.name, move.name, shown)

    def _new_values(self, last: ReferenceState | None, state: ReferenceState, player: Member) -> frozenset[Seen]:
        """The values that are new to the player since the last decision."""
        if last is not None:
            places = self._sight.new(player, last.values, state.values)
        else:
            places = self._sight.changed(player, self._values_after_setup, state.values)
        return frozenset(self._sight.seen(place, state.values[place]) for place in places)

    def _is_asked(self, state: ReferenceState, player: Member) -> bool:
        return state.end is None and (state.actor == player.index or player in state.waiting)

    def _decision_observation(self, state: ReferenceState) -> Asked:
        parameters = state.phase.model.parameters
        shown = tuple(
            HIDDEN if parameter.secret else value for parameter, value in zip(parameters, state.arguments, strict=True)
        )
        return Asked(state.phase.name, shown)

    # ---------------------- outcomes of chance that are consistent with what a player has perceived later

    def consistent_outcomes(
        self, state: ReferenceState, player: int, later: Sequence[Observation], space: SampleSpace
    ) -> SampleSpace:
        """The outcomes of ``space`` at a chance state after which ``player`` may perceive ``later``; all of them if
        the rest cannot be counted."""
        known = {}
        for name, held in self._arguments_held_after(state.phase).items():
            arguments = self._known_arguments(state, player, later, space, name, held)
            if arguments is not None:
                known[name] = arguments
        event = space.given(known)
        return space if event is None else event

    def _known_arguments(
        self,
        state: ReferenceState,
        player: int,
        later: Sequence[Observation],
        space: SampleSpace,
        name: str,
        held: _Held,
    ) -> dict[int, Value] | None:
        """The arguments of a rule that are known, by number; None if no outcome of the rule is consistent."""
        arguments = {}
        before = self._values_before(state)
        context, frame = self._runner.context(state), list(state.frame)
        for argument, place_of in held:
            place = place_of(context, frame)
            if place is None or place not in self._sight.always[self._players[player]]:
                continue
            unchanged = space.given({name: {argument: before[place]}})
            if unchanged is None or unchanged.count:
                continue
            perceived = _first_sighting(later, self._sight.seen(place, None))
            if perceived is None:
                return None
            arguments[argument] = perceived.value
        return arguments

    def _arguments_held_after(self, phase: CompiledPhase) -> dict[str, _Held]:
        """The arguments that entries hold after an outcome of each rule of a phase."""
        if phase not in self._held:
            assert phase.decision is not None, "chance is to draw"
            self._held[phase] = {
                rule.name: [
                    (held.argument, place_of_entry(self._compiler, held.variable, held.indices))
                    for held in held_arguments(self._runner.model, phase.model, rule.model)
                ]
                for rule in phase.decision.rules
            }
        return self._held[phase]


def _first_sighting(later: Sequence[Observation], entry: Seen) -> Seen | None:
    """The first value of an entry that is perceived."""
    for observation in later:
        if isinstance(observation, Sighting):
            for seen in observation.values:
                if seen.variable == entry.variable and seen.indices == entry.indices:
                    return seen
    return None
