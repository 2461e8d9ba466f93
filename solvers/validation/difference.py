"""The shortest play on which two games differ, or a proof that there is none.

The games are played side by side, breadth first. A pair of states, one of each game, is reached by a play of both in
which every move is the same, in the words of a renaming. The games differ there if others are to act, if other moves
are offered, if chance has other probabilities, if other amounts have been earned or are paid, or if the rules of one of
them fail. So the first difference that is found is one at the end of a shortest play.

A pair of positions is looked at once. A position is all on which the rest of a play depends, but for what has been
earned; and this is the same in both games on all plays so far, and shrinks by the same discount: so two plays to one
pair have the same futures, and a walk that ends without a difference proves that there is none on any play.

*Who perceives what* is compared through information sets, not words: two files may describe the same observations
differently. The games differ if a player to decide tells two plays apart in one game and not in the other. For this,
plays may only be joined where all players have observed the same, in both games; where everybody always knows the
position, perception decides nothing, and is not compared.

The walk takes time and memory with the pairs. Stopped by a limit, it has compared all plays up to a length.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from enum import Enum
from fractions import Fraction
from typing import Final, Generic, TypeVar

from attrs import define, field, frozen

from zermelo.grammar.deadline import look
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.machine import CHANCE, END, InformationState, Machine, Move, Payoff, PlayError, State
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.common.progress import Progress, ignore_progress
from zermelo.solvers.validation.renaming import Renaming

A = TypeVar("A")
B = TypeVar("B")

Play = tuple[Move, ...]

_SHOWN: Final = 256
"""Pairs between two looks at the limits."""


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
class Compared:
    """``pairs`` of positions have been compared. If there is no ``difference``, and the walk was ``stopped`` (in
    words), then there is none on any play of at most ``length`` moves; if it was not, on no play at all."""

    difference: Difference | None
    pairs: int
    length: int
    stopped: str
    words: Mapping[str, str]


def compare(
    first: Machine[A],
    second: Machine[B],
    words: Mapping[str, str],
    compares_perception: bool,
    limits: Limits,
    most: float,
    progress: Progress = ignore_progress,
) -> Compared:
    """Compare two games, with ``words`` of the first that are others in the second, on at most so many pairs of
    positions."""
    renaming = Renaming(dict(words))
    order = renaming.players(first.player_names, second.player_names)
    if order is None:
        said = ", ".join(first.player_names), ", ".join(second.player_names)
        return Compared(Difference(Aspect.PLAYERS, ((), ()), said), 0, 0, "", renaming.words)
    if first.discount != second.discount:
        said = str(first.discount), str(second.discount)
        return Compared(Difference(Aspect.DISCOUNT, ((), ()), said), 0, 0, "", renaming.words)
    sides = _Side(first, order, renaming), _Side(second, tuple(range(len(order))), str)
    walk = _Walk(*sides, renaming, compares_perception, limits, most)
    difference, stopped = walk.through(progress)
    return Compared(difference, walk.compared, max(0, walk.length), stopped, renaming.words)


@frozen
class _Situation:
    """What is compared of a state. ``actor``: a player's number in the second game, chance, or the end; ``offers``: the
    moves by their texts in the second game's words, and the probabilities of outcomes; ``amounts``: what has been
    earned or, at the end, is paid, in the order of the second game's players; ``error``: the code of an error of the
    rules, instead of all that."""

    actor: int = END
    offers: Mapping[str, Move] = field(factory=dict)
    chances: Mapping[str, Fraction] = field(factory=dict)
    amounts: Payoff = ()
    error: str = ""


@define(eq=False)
class _Side(Generic[State]):
    """One of the games. ``order[i]`` is the number in the second game of the player i of this one, and ``rename``
    translates its texts."""

    machine: Machine[State]
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

    def situation(self, state: State | PlayError) -> _Situation:
        if isinstance(state, PlayError):
            return _Situation(error=state.code)
        machine = self.machine
        try:
            actor = machine.actor(state)
            if actor == END:
                return _Situation(amounts=self.in_order(machine.payoff(state)))
            earned = self.in_order(machine.earned(state))
            if actor == CHANCE:
                probabilities = dict(machine.outcomes(state))
                offers = self._by_text(probabilities)
                chances = {text: probabilities[outcome] for text, outcome in offers.items()}
                return _Situation(CHANCE, offers, chances, earned)
            return _Situation(self.order[actor], self._by_text(machine.moves(state)), {}, earned)
        except PlayError as error:
            return _Situation(error=error.code)

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


Pair = tuple[A | PlayError, B | PlayError]


@define(eq=False)
class _Walk(Generic[A, B]):
    """``numbers`` of the pairs met so far; ``waiting`` are those not compared yet, with their numbers and the moves
    before them. ``told`` are the pairs by which a player, in a game, has come to know something, at their decisions.
    ``successors`` are kept only where it matters whether a play may go on for ever."""

    first: _Side[A]
    second: _Side[B]
    renaming: Renaming
    compares_perception: bool
    limits: Limits
    most: float
    length: int = -1
    numbers: dict[Hashable, int] = field(factory=dict)
    waiting: deque[tuple[Pair[A, B], int, int]] = field(factory=deque)
    told: dict[tuple[int, int, InformationState], tuple[A, B]] = field(factory=dict)
    keeps_successors: bool = field(init=False)
    successors: dict[int, list[tuple[int, Move, Move]]] = field(factory=dict)
    compared: int = 0

    def __attrs_post_init__(self) -> None:
        self.keeps_successors = self.first.endless() != self.second.endless()

    def through(self, progress: Progress) -> tuple[Difference | None, str]:
        """The first difference, and what stopped the walk before its end, in words."""
        room = self.limits.room()
        self._meet((self.first.initial(), self.second.initial()), 0)
        while self.waiting:
            if self.compared % _SHOWN == 0:
                progress(self.compared)
                if self.limits.is_over:
                    return None, self.limits.stopped_by_time
            if self.compared >= self.most:
                return None, f"after {self.compared:,} pairs of positions"
            if not (len(self.numbers) < room.most or room.grows(self.numbers)):
                return None, self.limits.stopped_by_memory
            look()
            pair, number, length = self.waiting.popleft()
            self.length = length - 1
            self.compared += 1
            try:
                difference = self._compare(pair, number, length)
            except ZermeloError as refusal:
                if refusal.code != "too-many-outcomes":
                    raise
                return None, "where chance has too many outcomes to list"
            if difference is not None:
                return difference, ""
        return self._endless_difference(), ""

    def _compare(self, pair: Pair[A, B], number: int, length: int) -> Difference | None:
        """In what a pair differs; if in nothing, the pairs after it are met."""
        first, second = pair
        ours, theirs = self.first.situation(first), self.second.situation(second)
        if ours.offers.keys() != theirs.offers.keys() and self.renaming.learn(ours.offers, theirs.offers):
            ours = self.first.situation(first)
        if (found := _differing(ours, theirs, self.players)) is not None:
            kind, said = found
            return Difference(kind, (self.first.play(first), self.second.play(second)), said)
        after = self.successors[number] = []
        if isinstance(first, PlayError) or isinstance(second, PlayError):
            return None
        if self.compares_perception and ours.actor >= 0:
            told = self._told_apart(first, second, ours.actor)
            if told is not None:
                return told
        self.renaming.agree(ours.offers)
        for text, move in ours.offers.items():
            same = theirs.offers[text]
            there = self._meet((self.first.after(first, move), self.second.after(second, same)), length + 1)
            if self.keeps_successors:
                after.append((there, move, same))
        return None

    def _meet(self, pair: Pair[A, B], length: int) -> int:
        """The number of a pair, which waits if it is new."""
        new = len(self.numbers)
        number = self.numbers.setdefault(self._key(pair), new)
        if number == new:
            self.waiting.append((pair, number, length))
        return number

    def _key(self, pair: Pair[A, B]) -> Hashable:
        """Equal for pairs with the same futures."""
        first, second = pair
        if isinstance(first, PlayError) or isinstance(second, PlayError):
            return "an error of the rules", len(self.numbers)
        positions = self.first.machine.position(first), self.second.machine.position(second)
        if not self.compares_perception:
            return positions
        return positions, self.first.known(first), self.second.known(second)

    def _told_apart(self, first: A, second: B, player: int) -> Difference | None:
        """The difference if the player who decides here knows in only one of the games which of two plays this is."""
        ours, theirs = self.first.knows(first, player), self.second.knows(second, player)
        before = self.told.setdefault((0, player, ours), (first, second))
        if self.second.knows(before[1], player) == theirs:
            before = self.told.setdefault((1, player, theirs), (first, second))
            if self.first.knows(before[0], player) == ours:
                return None
            said = "tells the two plays apart", "does not"
        else:
            said = "does not tell the two plays apart", "does"
        return Difference(
            Aspect.PERCEPTION,
            (self.first.play(before[0]), self.second.play(before[1])),
            said,
            (self.first.play(first), self.second.play(second)),
            self.players[player],
        )

    def _endless_difference(self) -> Difference | None:
        """The difference in what a play pays that never ends, if there is such a play: a way round among the pairs.
        Pairs from which all plays end are taken away, from the ends back, and what is left goes round."""
        if not self.keeps_successors:
            return None
        before: dict[int, list[int]] = {}
        for number, after in self.successors.items():
            for there, _, _ in after:
                before.setdefault(there, []).append(number)
        open_moves = {number: len(after) for number, after in self.successors.items()}
        ending = [number for number, moves in open_moves.items() if not moves]
        while ending:
            for number in before.get(ending.pop(), ()):
                open_moves[number] -= 1
                if not open_moves[number]:
                    ending.append(number)
        if not open_moves[0]:
            return None
        number = 0
        passed: set[int] = set()
        plays: tuple[list[Move], list[Move]] = [], []
        while number not in passed:
            passed.add(number)
            number, *moves = next(step for step in self.successors[number] if open_moves[step[0]])
            for play, move in zip(plays, moves, strict=True):
                play.append(move)
        said = _paid(self.players, self.first.endless()), _paid(self.players, self.second.endless())
        return Difference(Aspect.ENDLESS, (tuple(plays[0]), tuple(plays[1])), said)

    @property
    def players(self) -> Sequence[str]:
        """The names of the players in the second game."""
        return self.second.machine.player_names


def _differing(ours: _Situation, theirs: _Situation, players: Sequence[str]) -> tuple[Aspect, tuple[str, str]] | None:
    """In what two situations differ, and what holds in each."""
    if ours.error != theirs.error:
        return Aspect.ERROR, (ours.error or "no error", theirs.error or "no error")
    if ours.actor != theirs.actor:
        return Aspect.ACTOR, (_acting(ours.actor, players), _acting(theirs.actor, players))
    if ours.offers.keys() != theirs.offers.keys():
        return Aspect.MOVES, (_only(ours.offers, theirs.offers), _only(theirs.offers, ours.offers))
    if ours.chances != theirs.chances:
        changed = [text for text, chance in ours.chances.items() if theirs.chances[text] != chance]
        return Aspect.CHANCE, (_drawn(ours.chances, changed), _drawn(theirs.chances, changed))
    if ours.amounts != theirs.amounts:
        kind = Aspect.PAYOFFS if ours.actor == END else Aspect.EARNINGS
        return kind, (_paid(players, ours.amounts), _paid(players, theirs.amounts))
    return None


def _acting(actor: int, players: Sequence[str]) -> str:
    if actor == END:
        return "the play ends"
    return "chance draws" if actor == CHANCE else f"{players[actor]} is to move"


def _only(offers: Collection[str], others: Collection[str]) -> str:
    """What is offered here and not there."""
    return ", ".join(text for text in offers if text not in others) or "nothing more"


def _drawn(chances: Mapping[str, Fraction], outcomes: Iterable[str]) -> str:
    return ", ".join(f"{outcome} with {chances[outcome]}" for outcome in outcomes)


def _paid(players: Sequence[str], amounts: Payoff | None) -> str:
    if amounts is None:
        return "nothing is said"
    return ", ".join(f"{player} {amount}" for player, amount in zip(players, amounts, strict=True))
