"""What is compared of two games at one moment: a state of each, reached by the same moves."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from enum import Enum
from fractions import Fraction
from typing import Any, Generic, TypeVar

from attrs import define, field, frozen

from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.machine import (
    CHANCE,
    END,
    InformationState,
    Move,
    Payoff,
    PlayError,
    SampleSpace,
    State,
    TellingMachine,
)
from zermelo.solvers.validation.renaming import Renaming

A = TypeVar("A")
B = TypeVar("B")

Play = tuple[Move, ...]


class Aspect(Enum):
    """In what two games differ."""

    PLAYERS = "players"
    DISCOUNT = "discount"
    ACTOR = "actor"
    MOVES = "moves"
    CHANCE = "chance"
    EARNINGS = "earnings"
    PAYOFFS = "payoffs"
    ENDLESS = "endless"
    PERCEPTION = "perception"
    ERROR = "error"


@frozen
class Difference:
    """In what the games differ, and after which play, in each game's words. ``said`` is what holds in each game there.
    For perception ``others`` is a second play, in each game's words, and ``player`` the one who tells the two apart in
    only one game."""

    aspect: Aspect
    plays: tuple[Play, Play]
    said: tuple[str, str]
    others: tuple[Play, Play] = ((), ())
    player: str = ""


@frozen
class Situation:
    """What is compared of a state. ``actor``: a player's number in the second game, chance, or the end; ``offers``: the
    moves by their texts in the second game's words, and the probabilities of outcomes; ``deals``: the outcomes, if they
    are too many to list; ``amounts``: what has been earned or, at the end, is paid, in the order of the second game's
    players; ``error``: the code of an error of the rules, instead of all that."""

    actor: int = END
    offers: Mapping[str, Move] = field(factory=dict)
    chances: Mapping[str, Fraction] = field(factory=dict)
    deals: SampleSpace | None = None
    amounts: Payoff = ()
    error: str = ""


@define(eq=False)
class Side(Generic[State]):
    """One of the games. ``order[i]`` is the number in the second game of the player i of this one, and ``rename``
    translates its texts."""

    machine: TellingMachine[State]
    order: tuple[int, ...]
    rename: Callable[[str], str]

    def initial(self) -> State | PlayError:
        try:
            return self.machine.initial()
        except PlayError as error:
            return error

    def after(self, state: State, move: Move) -> State | PlayError:
        try:
            return self.machine.after(state, move)
        except PlayError as error:
            return error

    def situation(self, state: State | PlayError) -> Situation:
        if isinstance(state, PlayError):
            return Situation(error=state.code)
        machine = self.machine
        try:
            actor = machine.actor(state)
            if actor == END:
                return Situation(amounts=self.in_order(machine.payoff(state)))
            earned = self.in_order(machine.earned(state))
            if actor == CHANCE:
                return self._drawing(state, earned)
            return Situation(self.order[actor], self._by_text(machine.moves(state)), amounts=earned)
        except PlayError as error:
            return Situation(error=error.code)

    def _drawing(self, state: State, earned: Payoff) -> Situation:
        try:
            probabilities = dict(self.machine.outcomes(state))
        except ZermeloError as refusal:
            if refusal.code != "too-many-outcomes":
                raise
            return Situation(CHANCE, deals=self.machine.sample_space(state), amounts=earned)
        offers = self._by_text(probabilities)
        chances = {text: probabilities[outcome] for text, outcome in offers.items()}
        return Situation(CHANCE, offers, chances, amounts=earned)

    def _by_text(self, moves: Iterable[Move]) -> Mapping[str, Move]:
        """Moves by their texts. If two have become one, there is another move here than in the other game."""
        found: dict[str, Move] = {}
        for move in moves:
            text = self.rename(str(move))
            found[f"{move}, renamed as another," if text in found else text] = move
        return found

    def play(self, state: State | PlayError) -> Play:
        return state.play if isinstance(state, PlayError) else self.machine.play(state)

    def in_order(self, amounts: Payoff) -> Payoff:
        """Amounts in the order of the second game's players."""
        found = [Fraction(0)] * len(amounts)
        for player, amount in enumerate(amounts):
            found[self.order[player]] = amount
        return tuple(found)

    def endless(self) -> Payoff | None:
        paid = self.machine.endless()
        return None if paid is None else self.in_order(paid)

    def known(self, state: State) -> tuple[InformationState, ...]:
        """The information states of all players."""
        return tuple(self.machine.information_state(state, player) for player in range(len(self.order)))

    def knows(self, state: State, player: int) -> InformationState:
        """The information state of a player of the second game."""
        return self.machine.information_state(state, self.order.index(player))


def side_by_side(
    first: Side[A], here: A | PlayError, second: Side[B], there: B | PlayError, renaming: Renaming
) -> tuple[Situation, Situation]:
    """Two states, and the words in which the first game's moves are those of the second, learned where they are new."""
    ours, theirs = first.situation(here), second.situation(there)
    if ours.offers.keys() != theirs.offers.keys() and renaming.learn(ours.offers, theirs.offers):
        ours = first.situation(here)
    return ours, theirs


def differing(ours: Situation, theirs: Situation, players: Sequence[str]) -> tuple[Aspect, tuple[str, str]] | None:
    """In what two situations differ, and what holds in each."""
    if ours.error != theirs.error:
        return Aspect.ERROR, (ours.error or "no error", theirs.error or "no error")
    if ours.actor != theirs.actor:
        return Aspect.ACTOR, (_acting(ours.actor, players), _acting(theirs.actor, players))
    if (many := _many(ours)) != (other := _many(theirs)):
        return Aspect.CHANCE, (many, other)
    if ours.offers.keys() != theirs.offers.keys():
        return Aspect.MOVES, (_only(ours.offers, theirs.offers), _only(theirs.offers, ours.offers))
    if ours.chances != theirs.chances:
        changed = [text for text, chance in ours.chances.items() if theirs.chances[text] != chance]
        return Aspect.CHANCE, (_drawn(ours.chances, changed), _drawn(theirs.chances, changed))
    if ours.amounts != theirs.amounts:
        kind = Aspect.PAYOFFS if ours.actor == END else Aspect.EARNINGS
        return kind, (paid(players, ours.amounts), paid(players, theirs.amounts))
    return None


def _acting(actor: int, players: Sequence[str]) -> str:
    if actor == END:
        return "the play ends"
    return "chance draws" if actor == CHANCE else f"{players[actor]} is to move"


def _only(offers: Collection[str], others: Collection[str]) -> str:
    """What is offered here and not there."""
    return ", ".join(text for text in offers if text not in others) or "nothing more"


def _many(situation: Situation) -> str:
    """How many outcomes there are, where they are too many to list."""
    return "few outcomes" if situation.deals is None else f"{situation.deals.count:,} outcomes"


def _drawn(chances: Mapping[str, Fraction], outcomes: Iterable[str]) -> str:
    return ", ".join(f"{outcome} with {chances[outcome]}" for outcome in outcomes)


def endless(plays: tuple[Play, Play], first: Side[Any], second: Side[Any]) -> Difference:
    """The difference in what is paid if plays go on for ever as they have begun."""
    players = second.machine.player_names
    return Difference(Aspect.ENDLESS, plays, (paid(players, first.endless()), paid(players, second.endless())))


def paid(players: Sequence[str], amounts: Payoff | None) -> str:
    if amounts is None:
        return "nothing is said"
    return ", ".join(f"{player} {amount}" for player, amount in zip(players, amounts, strict=True))
