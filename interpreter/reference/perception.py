"""Who sees what: information states, computed from a play.

A player's information state is the list of what he has perceived, in order, his own moves included. Two states in
which he is to decide belong to one information set exactly when these lists are equal. Nobody writes information sets
down; they follow from who sees which variable and move. Since the list only ever grows, nobody forgets: recall is
perfect by construction (Kuhn 1953).

*When* something is perceived is the point to get right. What a player learns must not depend on steps that he cannot
see, or he would hold a hidden clock. So nothing is perceived at chance states or between effects, but only when some
player is to decide (and at the end of the play). All that happened since the last decision is then seen as one whole,
an :class:`Observation`: first the move that was made there, then what he was told, in order, then the new values of
variables that he sees, as a set, and that he is to decide, if he is. An empty observation leaves no trace.

- A value is new where it differs from that at the last decision, or where he did not see the entry then. Before the
  first decision the variables are compared with what ``setup`` made of them, which the rules tell everybody.
- His own moves he perceives in full. Of a secret move of another he perceives nothing, of other moves all but the
  secret arguments. Outcomes of chance he perceives only through what they change or what he is told.
- A ``together`` is made of choices in turn here, but nobody may notice that. All who choose perceive at its beginning
  that they are to decide; each perceives his own choice when he makes it, as an observation of its own; and the
  others' choices come, in the order of the players, once the last one has chosen, with all that follows from them.

Information states are kept at the states of players, so walking down a tree adds one observation for each decision.
Games of perfect information never ask, and pay nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from interpreter.errors import EvaluationError
from interpreter.machine import CHANCE, Asked, InformationState, Move, Observation, PerceivedMove, Seen
from interpreter.reference.context import UNSET, Compiles, Values
from interpreter.reference.decisions import Together, Turn
from interpreter.reference.run import Runner
from interpreter.reference.sight import Sight
from interpreter.reference.state import State
from interpreter.values import Member

_NOTHING: Final = Observation()


class Perception:
    """What players perceive of the plays of one model."""

    def __init__(self, runner: Runner, compiler: Compiles) -> None:
        self._runner = runner
        self._players = runner.model.players
        self._sight = Sight(runner.model, compiler)
        self._setup: Values | None = None

    def view(self, state: State, player: int) -> tuple[Seen, ...]:
        """Every entry that the player sees now and that has a value, in order."""
        try:
            visible = self._sight.visible(self._players[player], state.values)
        except EvaluationError as error:
            raise self._runner.explained(error, state, None) from error
        return tuple(
            self._sight.seen(place, state.values[place])
            for place in sorted(visible)
            if state.values[place] is not UNSET
        )

    def entries(self, state: State) -> tuple[Seen, ...]:
        """Every entry that has a value, whoever sees it, in order."""
        return tuple(self._sight.seen(place, value) for place, value in enumerate(state.values) if value is not UNSET)

    def information_state(self, state: State, player: int) -> InformationState:
        """What the player has perceived up to ``state``; at a chance state, up to the last decision."""
        pending: list[State] = []
        known: InformationState = ()
        for here in state.back():
            if here.actor != CHANCE:
                if player in here.perceived:
                    known = here.perceived[player]
                    break
                pending.append(here)
        for here in reversed(pending):
            try:
                known = (*known, *self._observed(here, self._players[player]))
            except EvaluationError as error:
                raise self._runner.explained(error, here, None) from error
            here.perceived[player] = known
        return known

    def _observed(self, state: State, player: Member) -> Iterator[Observation]:
        """What the player perceives on coming to ``state`` from the decision before it."""
        passed = [state]
        while (last := passed[-1].before) is not None and last.actor == CHANCE:
            passed.append(last)
        moves: tuple[PerceivedMove, ...] = ()
        if last is not None:
            moves = self._moves(last, passed[-1].move, player)
            if isinstance(last.phase.decision, Together):
                if last.actor == player.index:
                    yield Observation(tuple(made for made in moves if made.player == player.name))
                if state.chosen:
                    return
                moves = tuple(made for made in moves if made.player != player.name)
        told = tuple(told for here in reversed(passed) for hearers, told in here.told if player in hearers)
        observation = Observation(moves, told, self._seen(last, state, player), self._asked(state, player))
        if observation != _NOTHING:
            yield observation

    def _moves(self, state: State, move: Move | None, player: Member) -> tuple[PerceivedMove, ...]:
        """What the player perceives of the move made at a decision; for a ``together``, of all choices up to it."""
        assert move is not None, "only the first state has no move before it"
        made = (*state.chosen, (self._players[state.actor], move))
        perceived = (self._perceived(state, mover, move, player) for mover, move in made)
        return tuple(found for found in perceived if found is not None)

    def _perceived(self, state: State, mover: Member, move: Move, player: Member) -> PerceivedMove | None:
        """What the player perceives of a move made at ``state`` by ``mover``; None: nothing."""
        if mover is player:
            return PerceivedMove(mover.name, move.name, move.arguments)
        decision = state.phase.decision
        assert isinstance(decision, Turn | Together)
        rule = next(rule.model for rule in decision.rules if rule.name == move.name)
        if rule.secret:
            return None
        shown = tuple(
            None if parameter.secret else value
            for parameter, value in zip(rule.parameters, move.arguments, strict=True)
        )
        return PerceivedMove(mover.name, move.name, shown)

    def _seen(self, last: State | None, state: State, player: Member) -> frozenset[Seen]:
        """The values that the player sees and did not see at the last decision."""
        if last is not None:
            places = self._sight.new(player, last.values, state.values)
        else:
            if self._setup is None:
                self._setup = self._runner.values_after_setup()
            places = self._sight.changed(player, self._setup, state.values)
        return frozenset(self._sight.seen(place, state.values[place]) for place in places)

    def _asked(self, state: State, player: Member) -> Asked | None:
        """That the player is to decide, if he is."""
        if state.end is not None or (state.actor != player.index and player not in state.waiting):
            return None
        parameters = state.phase.model.parameters
        shown = tuple(
            None if parameter.secret else value for parameter, value in zip(parameters, state.arguments, strict=True)
        )
        return Asked(state.phase.name, shown)
