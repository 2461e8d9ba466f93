"""What all adapters need: legal moves as masks, draws of chance, rewards, and the behaviour of those who have a
strategy."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from random import Random
from typing import TYPE_CHECKING, Any, Final

from attrs import evolve, frozen

from zermelo.game import CHANCE, Game, State
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.machine import Move, Payoff
from zermelo.policies.exploiting import ListedStrategies
from zermelo.policies.policy_table import state_text
from zermelo.policies.strategy_files import Given, content_of, listed_decisions, name_of_strategies, probabilities
from zermelo.results import UNASKED, GameResult, Provenance

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def legal_mask(state: State) -> NDArray[np.int8]:
    """1 for the numbers of the legal moves of the player to move, else 0; all 0 if chance is to draw, and at the
    end."""
    numbering = state.game.moves
    mask = no_move(state.game)
    mask[[numbering.index(move) for move in state.moves]] = 1
    return mask


def no_move(game: Game) -> NDArray[np.int8]:
    """The mask of those who have no legal move."""
    import numpy as np

    return np.zeros(len(game.moves), np.int8)


def numbered_move(game: Game, number: int) -> Move:
    """The move with this number. Raises ``ZermeloError`` (``illegal-move``) if there is none."""
    if not 0 <= number < len(game.moves):
        raise ZermeloError("illegal-move", f"{number} is no number of a move: these are 0 to {len(game.moves) - 1}")
    return game.moves[number]


def after_number(state: State, number: int) -> State:
    """The state after the move with this number. Raises ``ZermeloError`` (``illegal-move``)."""
    move = numbered_move(state.game, number)
    if move not in state.moves:
        raise ZermeloError("illegal-move", f"number {number} is {move}, which {state.actor} cannot play here")
    return state.after(move)


def after_chance(state: State, random: Random) -> State:
    """The next state in which a player is to decide, or the play has ended, after the draws of chance before it."""
    while state.actor == CHANCE:
        state = state.after(state.sample(random))
    return state


def brought(state: State) -> Payoff:
    """What the players have: the payoff at the end, before it what they have earned. A reward is what a step adds."""
    payoff = state.payoff
    return state.earned if payoff is None else payoff


def check_players_decide(game: Game, program: str) -> None:
    """Refuse a game in which nobody decides anything."""
    if not len(game.moves):
        raise ZermeloError("bad-usage", f"in '{game.title}' nobody decides anything, and {program} has players who do")


# Strategies of this program in others, and theirs here.


_PARTS: Final = 10**9
"""Probabilities of other programs, which are floats, are taken to be fractions over at most this."""

Mixed = Callable[[State], Sequence[Fraction]]
"""The probabilities of the legal moves of a state, in their order."""


def uniform(state: State) -> Sequence[Fraction]:
    """All moves with equal probability."""
    return [Fraction(1, len(state.moves))] * len(state.moves)


def mixed_moves(game: Game, strategies: Given) -> Mixed:
    """How strategies decide: ``uniform``, a solution, or a file, as :func:`zermelo.exploit` takes them.

    Raises ``ZermeloError``: ``unreadable-file``, ``bad-strategy``."""
    record = content_of(strategies, game)
    if record is None:
        return uniform
    name = name_of_strategies(strategies)
    if "policy" not in record:
        listed = ListedStrategies.of(name, game, record.get("strategies"))

        def by_knowledge(state: State) -> Sequence[Fraction]:
            assert state.actor is not None, "a player is to move"
            return listed(game.number(state.actor), state.information_state(state.actor), state.moves)

        return by_knowledge
    decisions = listed_decisions(name, record["policy"], game.players)

    def by_position(state: State) -> Sequence[Fraction]:
        moves = tuple(map(str, state.moves))
        if len(moves) == 1:
            return [Fraction(1)]
        here = state_text(game, game.machine, state.machine_state)
        told = decisions.get((str(state.actor), here))
        if told is None:
            raise ZermeloError("bad-strategy", f"{name} does not say what {state.actor} does at {here}")
        return probabilities(name, told.here, moves, told.moves)

    return by_position


@frozen(eq=False, repr=False)
class ForeignStrategies(GameResult):
    """Strategies that another program has found: what each player does by what they know, as the record of a solution
    has it. :func:`zermelo.exploit` and :func:`zermelo.match` take them."""

    _begin: State
    strategies: tuple[dict[str, Any], ...]
    provenance: Provenance

    @property
    def begin(self) -> State:
        return self._begin

    def record(self) -> dict[str, Any]:
        """The strategies, as ``zermelo solve --json`` writes them."""
        return {**self._head(), "title": self.game.title, "strategies": list(self.strategies)}

    def __repr__(self) -> str:
        decisions = sum(len(each["decisions"]) for each in self.strategies)
        return f"<strategies of '{self.game.title}' for {decisions:,} decisions by {self.provenance.solver}>"


def foreign_strategies(game: Game, program: str, chances: Callable[[State], Sequence[float]]) -> ForeignStrategies:
    """The strategies of another program, which gives the ``chances`` of the moves of a state. It is asked once in each
    information set; all histories of the game are visited."""
    decisions: dict[str, dict[object, dict[str, Any]]] = {player: {} for player in game.players}
    waiting = [game.initial]
    while waiting:
        state = waiting.pop()
        actor = state.actor
        if actor == CHANCE:
            waiting += [state.after(outcome) for outcome, _ in reversed(state.outcomes)]
            continue
        if actor is None:
            continue
        known = state.information_state(actor)
        if known not in decisions[actor]:
            written = (str(Fraction(chance).limit_denominator(_PARTS)) for chance in chances(state))
            moves = {str(move): {"probability": chance} for move, chance in zip(state.moves, written, strict=True)}
            decisions[actor][known] = {"known": list(map(str, known)), "moves": moves}
        waiting += [state.after(move) for move in reversed(state.moves)]
    listed = tuple({"player": player, "decisions": list(found.values())} for player, found in decisions.items())
    return ForeignStrategies(game.initial, listed, evolve(UNASKED, solver=program))
