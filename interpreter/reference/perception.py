"""Who sees what: information states, computed from a play.

A player's information state is the sequence of what he has perceived, his own moves included. Two states in which he is
to decide belong to one information set exactly when these sequences are equal. Nobody writes information sets down;
they follow from who sees which variable and move. Since the sequence only ever grows, and holds every decision and
every move of his own, nobody forgets: recall is perfect by construction (Kuhn 1953).

*When* something is perceived is the point to get right. What a player learns must not depend on steps that he cannot
see, or he would hold a hidden clock. So nothing is perceived at chance states or between effects, but only when some
player is to decide (and at the end of the play). What happened since the last decision of anybody, a *step*, is then
perceived as observations of four kinds, in this order:

1. the moves that were made, each a :class:`PerceivedMove`;
2. what the player was told, in order, each a :class:`Told`;
3. the values that are new to him, if there are any, as one set, a :class:`Sighting`;
4. that he is to decide, if he is, an :class:`Asked`.

Observations follow each other, and that is all: no mark parts one step from the next, and none of them is empty. So a
step of which a player perceives nothing leaves his information state as it was, and how many decisions others have made
he knows only from what he has perceived of them. That two values changed at once or one after the other he does
perceive: one sighting or two. That something was told, or a move made, in the same step or in the next he does not.

- A value is new where it differs from that at the last decision, or where he did not see the entry then. Before the
  first decision the variables are compared with what ``setup`` made of them, which the rules tell everybody.
- His own moves he perceives in full. Of a secret move of another he perceives nothing, of other moves all but the
  secret arguments. Outcomes of chance he perceives only through what they change or what he is told.
- A ``together`` is made of choices in turn here, but nobody may notice that. All who choose perceive at its beginning
  that they are to decide; each perceives his own choice when he makes it; and the others' choices come, in the order of
  the players, once the last one has chosen, with all that follows from them.

A ``tree:`` has no variables and tells nothing. Where some label joins nodes, its moves are secret, and a player
perceives his own moves and in which phase he is to decide, which is the label, or a name of the node's own (the node
itself is a secret argument). So the labels alone decide: two nodes are one information set exactly when they have one
label and the same own past; and a label whose nodes have different own pasts is refused (``forgetful-label``).

Information states are kept at the states of players, so walking down a tree adds the observations of one step for each
decision. Games of perfect information never ask, and pay nothing.
"""

from __future__ import annotations

from collections.abc import Iterator

from zermelo.interpreter.errors import EvaluationError
from zermelo.interpreter.evaluation.audiences import Audiences
from zermelo.interpreter.evaluation.context import UNSET, Compiles, VariableValues
from zermelo.interpreter.machine import (
    CHANCE,
    Asked,
    InformationState,
    Move,
    Observation,
    PerceivedMove,
    Seen,
    Sighting,
)
from zermelo.interpreter.reference.decisions import CompiledTogether, CompiledTurn
from zermelo.interpreter.reference.run import Runner
from zermelo.interpreter.reference.state import ReferenceState
from zermelo.interpreter.values import Member


class Perceiver:
    """What players perceive of the plays of one model."""

    def __init__(self, runner: Runner, compiler: Compiles) -> None:
        self._runner = runner
        self._players = runner.model.players
        self._sight = Audiences(runner.model, compiler)
        self._setup: VariableValues | None = None

    def view(self, state: ReferenceState, player: int) -> tuple[Seen, ...]:
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

    def entries(self, state: ReferenceState) -> tuple[Seen, ...]:
        """Every entry that has a value, whoever sees it, in order."""
        return tuple(self._sight.seen(place, value) for place, value in enumerate(state.values) if value is not UNSET)

    def information_state(self, state: ReferenceState, player: int) -> InformationState:
        """What the player has perceived up to ``state``; at a chance state, up to the last decision."""
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
                known = (*known, *self._observed(here, self._players[player]))
            except EvaluationError as error:
                raise self._runner.explained(error, here, None) from error
            here.perceived[player] = known
        return known

    def _observed(self, state: ReferenceState, player: Member) -> Iterator[Observation]:
        """What the player perceives on coming to ``state`` from the decision before it."""
        passed = [state]
        while (last := passed[-1].before) is not None and last.actor == CHANCE:
            passed.append(last)
        if last is not None:
            moves = self._moves(last, passed[-1].move, player)
            if isinstance(last.phase.decision, CompiledTogether):
                if last.actor == player.index:
                    yield from (made for made in moves if made.player == player.name)
                if state.chosen:
                    return
                yield from (made for made in moves if made.player != player.name)
            else:
                yield from moves
        yield from (told for here in reversed(passed) for hearers, told in here.told if player in hearers)
        if values := self._seen(last, state, player):
            yield Sighting(values)
        if self._is_asked(state, player):
            yield self._asked(state)

    def _moves(self, state: ReferenceState, move: Move | None, player: Member) -> tuple[PerceivedMove, ...]:
        """What the player perceives of the move made at a decision; for a ``together``, of all choices up to it."""
        assert move is not None, "only the first state has no move before it"
        made = (*state.chosen, (self._players[state.actor], move))
        perceived = (self._perceived(state, mover, move, player) for mover, move in made)
        return tuple(found for found in perceived if found is not None)

    def _perceived(self, state: ReferenceState, mover: Member, move: Move, player: Member) -> PerceivedMove | None:
        """What the player perceives of a move made at ``state`` by ``mover``; None: nothing."""
        if mover is player:
            return PerceivedMove(mover.name, move.name, move.arguments)
        decision = state.phase.decision
        assert isinstance(decision, CompiledTurn | CompiledTogether)
        rule = next(rule.model for rule in decision.rules if rule.name == move.name)
        if rule.secret:
            return None
        shown = tuple(
            None if parameter.secret else value
            for parameter, value in zip(rule.parameters, move.arguments, strict=True)
        )
        return PerceivedMove(mover.name, move.name, shown)

    def _seen(self, last: ReferenceState | None, state: ReferenceState, player: Member) -> frozenset[Seen]:
        """The values that the player sees and did not see at the last decision."""
        if last is not None:
            places = self._sight.new(player, last.values, state.values)
        else:
            if self._setup is None:
                self._setup = self._runner.values_after_setup()
            places = self._sight.changed(player, self._setup, state.values)
        return frozenset(self._sight.seen(place, state.values[place]) for place in places)

    def _is_asked(self, state: ReferenceState, player: Member) -> bool:
        """Whether the player is to decide."""
        return state.end is None and (state.actor == player.index or player in state.waiting)

    def _asked(self, state: ReferenceState) -> Asked:
        """What a player perceives who is to decide."""
        parameters = state.phase.model.parameters
        shown = tuple(
            None if parameter.secret else value for parameter, value in zip(parameters, state.arguments, strict=True)
        )
        return Asked(state.phase.name, shown)
