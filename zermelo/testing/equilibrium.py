"""Whether choices are an equilibrium of a one-shot game.

A profile of choices, one for each player, is a Nash equilibrium if no player gains by a unilateral deviation (Nash
1950). In a game in which everybody chooses once and sees nothing of the others' choices, that is checked by trying
every choice of every player: one walk through the game for each.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from attrs import define, field, frozen

from zermelo.game import Game, State
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.machine import CHANCE as CHANCE_ACTS
from zermelo.interpreter.machine import END, InformationState, Move, Payoff, shown


@frozen
class Deviation:
    """``player`` gets ``gained`` instead of ``payoff`` by changing to ``move`` alone."""

    player: str
    move: Move
    payoff: Fraction
    gained: Fraction

    def __str__(self) -> str:
        return f"{self.player} does better with {shown(self.move)}: {self.gained} instead of {self.payoff}"


def profitable_deviation(game: Game, choices: Sequence[str]) -> Deviation | None:
    """A deviation from ``choices``, one for each player, by which somebody gains; None if they are an equilibrium.

    Raises ``ZermeloError``: ``illegal-move`` for a choice that does not exist, ``no-solver`` if a player chooses more
    than once or sees something before choosing.
    """
    walker = _Walker(game, list(choices))
    payoff = walker.payoff(game.initial, {})
    met = tuple(walker.offered.items())  # a player who never gets to choose has no deviation
    for player, moves in met:
        for move in moves:
            found = walker.payoff(game.initial, {player: move})[player]
            if found > payoff[player]:
                return Deviation(game.players[player], move, payoff[player], found)
    return None


@define(eq=False)
class _Walker:
    """Follows the choices through the game. ``known`` and ``offered`` are the information state and the moves of each
    player when they choose: the same in every walk."""

    game: Game
    choices: list[str]
    known: dict[int, InformationState] = field(factory=dict)
    offered: dict[int, tuple[Move, ...]] = field(factory=dict)

    def payoff(self, state: State, instead: dict[int, Move]) -> Payoff:
        """The expected payoffs if the players of ``instead`` make those moves and the others their choices."""
        machine = self.game.machine
        actor = machine.actor(state.machine_state)
        if actor == END:
            return machine.payoff(state.machine_state)
        if actor == CHANCE_ACTS:
            means = [Fraction(0)] * len(self.game.players)
            for outcome, probability in state.outcomes:
                after = self.payoff(state.after(outcome), instead)
                means = [mean + probability * amount for mean, amount in zip(means, after, strict=True)]
            return tuple(means)
        self._meet(actor, state)
        return self.payoff(state.after(instead.get(actor, self.choices[actor])), instead)

    def _meet(self, player: int, state: State) -> None:
        perceived = state.information_state(self.game.players[player])
        if self.known.setdefault(player, perceived) != perceived:
            raise ZermeloError(
                "no-solver",
                f"an equilibrium is checked only if everybody chooses once and unseen, but {self.game.players[player]} "
                "chooses in several situations",
            )
        self.offered.setdefault(player, state.moves)
