"""Behaviour strategies: what a player does in each of his information sets, with which probability.

Beside each move stands what it loses: how much less it brings than the best move there, while the others follow their
strategies, weighted by the probability that chance and they lead there. A move that loses nothing and is not made is
one to which the player is *indifferent*; in an equilibrium, no move that is made loses anything.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from attrs import frozen

from interpreter.machine import InformationState, Move
from solvers.best_response import gradient
from solvers.sequence_form import Plan, strategy_of

if TYPE_CHECKING:
    from solvers.extensive_form import ExtensiveForm
    from solvers.sequence_form import SequenceForm


@frozen
class Decision:
    """What a player does where he knows just this. ``reached`` is the probability that his own moves lead there;
    ``losses`` stand beside the ``moves``, and so do their ``probabilities``."""

    known: InformationState
    moves: tuple[Move, ...]
    probabilities: tuple[Fraction, ...]
    losses: tuple[Fraction, ...]
    reached: Fraction

    @property
    def support(self) -> tuple[Move, ...]:
        """The moves that are made."""
        return tuple(move for move, chance in zip(self.moves, self.probabilities, strict=True) if chance)

    @property
    def indifferent(self) -> tuple[Move, ...]:
        """The moves that are not made, though they would bring as much as the best."""
        rows = zip(self.moves, self.probabilities, self.losses, strict=True)
        return tuple(move for move, chance, loss in rows if not chance and not loss)


@frozen
class Strategy:
    """A player's decisions, those that come first in a play before those behind them."""

    player: str
    decisions: tuple[Decision, ...]


def strategies(
    tree: ExtensiveForm, form: SequenceForm, plans: Sequence[Plan], behaviours: Sequence[Plan] | None = None
) -> tuple[Strategy, ...]:
    """The strategies that realization plans stand for. ``behaviours`` say what is done even where the plans do not
    lead, a probability for each sequence; without them all moves are alike there."""
    if behaviours is None:
        behaviours = [strategy_of(own, plan) for own, plan in zip(form.players, plans, strict=True)]
    return tuple(
        Strategy(name, tuple(_decisions(tree, form, player, plans, behaviours[player])))
        for player, name in enumerate(tree.player_names)
    )


def _decisions(
    tree: ExtensiveForm, form: SequenceForm, player: int, plans: Sequence[Plan], behaviour: Plan
) -> Iterator[Decision]:
    own, plan = form.players[player], plans[player]
    values, scale = gradient(form, player, plans)
    for i in reversed(range(len(own.parents))):
        values[own.parents[i]] += max(values[own.firsts[i] : own.firsts[i + 1]])
    for i, parent in enumerate(own.parents):
        options = range(own.firsts[i], own.firsts[i + 1])
        best = max(values[sequence] for sequence in options)
        yield Decision(
            tree.information_sets.known(own.sets[i]),
            tuple(tree.information_sets.moves_of(own.sets[i])),
            tuple(behaviour[sequence] for sequence in options),
            tuple(Fraction(best - values[sequence], scale) for sequence in options),
            plan[parent],
        )
