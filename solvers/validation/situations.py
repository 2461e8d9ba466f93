"""Two games side by side: their words, their states at one moment, who can tell plays apart, and many plays in step."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from enum import Enum
from fractions import Fraction
from itertools import cycle
from typing import Any, Final, Generic, TypeVar

from attrs import define, field, frozen

from zermelo.grammar.names import WORD
from zermelo.interpreter.checks.game_facts import unless_too_many
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
from zermelo.interpreter.native.dialect import kernel_source
from zermelo.interpreter.native.running.kernels import Kernels
from zermelo.interpreter.native.running.machine import LoweredMachine
from zermelo.interpreter.native.running.views import BeyondLimits
from zermelo.solvers.common.limits import Limits, Progress
from zermelo.solvers.kernels import traces as kernel
from zermelo.solvers.running.lowered_backend import LoweredBackend
from zermelo.solvers.running.path_search import Slices

# The words of one game in those of another.
#
# Two files may describe the same game in different words: ``take(2)`` in one, ``remove(2)`` in the other. A renaming
# maps players, moves and members of the first game to the words of the second. It is given, or grows while the games
# are compared: a word for a move that only the first game knows, and one that only the second knows, are taken for the
# same if they are offered with the same arguments at the same moment, and no other word is. A wrong guess can only make
# equal games seem different; games that are found to be equal are equal under the renaming that is shown.


_WORD = re.compile(WORD)


@define(eq=False)
class Renaming:
    """``words`` maps the first game's words to the second's. ``settled`` are the second's words that have been
    compared, so that no other words can mean them any more."""

    words: dict[str, str] = field(factory=dict)
    settled: set[str] = field(factory=set)
    _agreed: set[str] = field(factory=set)
    _known: dict[str, str] = field(factory=dict)

    def __call__(self, text: str) -> str:
        """A text of the first game in the words of the second."""
        found = self._known.get(text)
        if found is None:
            found = _WORD.sub(lambda match: self.words.get(match[0], match[0]), text) if self.words else text
            self._known[text] = found
        return found

    def add(self, word: str, other: str) -> None:
        """Rename a word."""
        self.words[word] = other
        self._known.clear()

    def players(self, first: Sequence[str], second: Sequence[str]) -> tuple[int, ...] | None:
        """The number in the second game of each player of the first: by name, and those that are left in their order.
        None if the games have other numbers of players, or two players get the same name."""
        names = [self(name) for name in first]
        left = iter([name for name in second if name not in names])
        for name, renamed in zip(first, names, strict=True):
            if renamed not in second and (other := next(left, None)) is not None:
                self.add(name, other)
        names = [self(name) for name in first]
        if sorted(names) != sorted(second):
            return None
        return tuple(second.index(name) for name in names)

    def learn(self, first: Iterable[str], second: Iterable[str]) -> bool:
        """Rename moves that are offered at one moment, written in the second game's words as far as these are known,
        where only one word fits; return whether any was renamed."""
        ours, theirs = _arguments_by_name(first), _arguments_by_name(second)
        meant = {*self.words.values(), *self.settled}
        new = {name for name in ours.keys() - theirs.keys() if name not in meant}
        free = {name for name in theirs.keys() - ours.keys() if name not in meant}
        found = False
        for name in sorted(new):
            fitting = [other for other in free if theirs[other] == ours[name]]
            rivals = [other for other in new if ours[other] == ours[name]]
            if len(fitting) == 1 and len(rivals) == 1:
                self.add(name, fitting[0])
                found = True
        return found

    def agree(self, moves: Iterable[str]) -> None:
        """Note that the games offer the same moves, in the second's words."""
        for move in moves:
            if move not in self._agreed:
                self._agreed.add(move)
                self.settled.update(_WORD.findall(move))


def _arguments_by_name(moves: Iterable[str]) -> Mapping[str, frozenset[str]]:
    """The arguments with which each move is offered, as written."""
    found: dict[str, set[str]] = {}
    for move in moves:
        name, _, arguments = move.partition("(")
        found.setdefault(name, set()).add(arguments)
    return {name: frozenset(arguments) for name, arguments in found.items()}


# What is compared of two games at one moment: a state of each, reached by the same moves.


A = TypeVar("A")
B = TypeVar("B")

Play = tuple[Move, ...]


class Aspect(Enum):
    """The aspect in which two games differ."""

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
    """How the games differ, and after which play, in each game's words. ``said`` is what holds in each game there.
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
                return self._chance_situation(state, earned)
            return Situation(self.order[actor], self._by_text(machine.moves(state)), amounts=earned)
        except PlayError as error:
            return Situation(error=error.code)

    def _chance_situation(self, state: State, earned: Payoff) -> Situation:
        outcomes = unless_too_many(lambda: self.machine.outcomes(state))
        if outcomes is None:
            return Situation(CHANCE, deals=self.machine.sample_space(state), amounts=earned)
        probabilities = dict(outcomes)
        offers = self._by_text(probabilities)
        chances = {text: probabilities[outcome] for text, outcome in offers.items()}
        return Situation(CHANCE, offers, chances, amounts=earned)

    def _by_text(self, moves: Iterable[Move]) -> Mapping[str, Move]:
        """Moves by their texts. If two moves have got the same text, one gets a text that the other game lacks."""
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


def situations_side_by_side(
    first: Side[A], here: A | PlayError, second: Side[B], there: B | PlayError, renaming: Renaming
) -> tuple[Situation, Situation]:
    """The situations of two states, after learning the words for moves of the first game that are new."""
    ours, theirs = first.situation(here), second.situation(there)
    if ours.offers.keys() != theirs.offers.keys() and renaming.learn(ours.offers, theirs.offers):
        ours = first.situation(here)
    return ours, theirs


def find_difference(
    ours: Situation, theirs: Situation, players: Sequence[str]
) -> tuple[Aspect, tuple[str, str]] | None:
    """The aspect in which two situations differ, and what holds in each; None if they do not."""
    if ours.error != theirs.error:
        return Aspect.ERROR, (ours.error or "no error", theirs.error or "no error")
    if ours.actor != theirs.actor:
        return Aspect.ACTOR, (_describe_actor(ours.actor, players), _describe_actor(theirs.actor, players))
    if (many := _describe_outcome_count(ours)) != (other := _describe_outcome_count(theirs)):
        return Aspect.CHANCE, (many, other)
    if ours.offers.keys() != theirs.offers.keys():
        return Aspect.MOVES, (
            _offered_only_here(ours.offers, theirs.offers),
            _offered_only_here(theirs.offers, ours.offers),
        )
    if ours.chances != theirs.chances:
        changed = [text for text, chance in ours.chances.items() if theirs.chances[text] != chance]
        return Aspect.CHANCE, (_describe_chances(ours.chances, changed), _describe_chances(theirs.chances, changed))
    if ours.amounts != theirs.amounts:
        kind = Aspect.PAYOFFS if ours.actor == END else Aspect.EARNINGS
        return kind, (describe_payoff(players, ours.amounts), describe_payoff(players, theirs.amounts))
    return None


def _describe_actor(actor: int, players: Sequence[str]) -> str:
    if actor == END:
        return "the play ends"
    return "chance draws" if actor == CHANCE else f"{players[actor]} is to move"


def _offered_only_here(offers: Collection[str], others: Collection[str]) -> str:
    """The moves that are offered here and not there, in words."""
    return ", ".join(text for text in offers if text not in others) or "nothing more"


def _describe_outcome_count(situation: Situation) -> str:
    """The number of outcomes, in words, where they are too many to list."""
    return "few outcomes" if situation.deals is None else f"{situation.deals.count:,} outcomes"


def _describe_chances(chances: Mapping[str, Fraction], outcomes: Iterable[str]) -> str:
    return ", ".join(f"{outcome} with {chances[outcome]}" for outcome in outcomes)


def endless_difference(plays: tuple[Play, Play], first: Side[Any], second: Side[Any]) -> Difference:
    """The difference in what endless plays pay, on plays that may go on for ever."""
    players = second.machine.player_names
    return Difference(
        Aspect.ENDLESS, plays, (describe_payoff(players, first.endless()), describe_payoff(players, second.endless()))
    )


def describe_payoff(players: Sequence[str], amounts: Payoff | None) -> str:
    if amounts is None:
        return "nothing is said"
    return ", ".join(f"{player} {amount}" for player, amount in zip(players, amounts, strict=True))


# Whether players who are to decide tell the same plays apart in two games.
#
# Two files may describe the same observations differently, so information states are compared through the plays that
# they join: a pair of them, one of each game, is what a player knows after a play; if another play leads to one of the
# two and not to the other, then in one game the player knows which of the two plays it is, and in the other not.


@define(eq=False)
class ToldApart(Generic[A, B]):
    """``told`` has, for a game, a player and what they know at a decision, the pair of states where this came first."""

    first: Side[A]
    second: Side[B]
    told: dict[tuple[int, int, InformationState], tuple[A, B]] = field(factory=dict)

    def difference(self, first: A, second: B, player: int) -> Difference | None:
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

    @property
    def players(self) -> Sequence[str]:
        """The names of the players in the second game."""
        return self.second.machine.player_names


# Random plays of two games in step, by kernels: many more than the interface of machines allows.
#
# Each game's kernel makes the same numbered plays on its own, and leaves a digest of each
# (:mod:`zermelo.solvers.kernels.traces`). Where two digests differ, bisection finds after how many moves they do, and
# later plays have to be shorter. Digests are no proof: the moves of the shortest such play are handed out, and the
# games are compared along them position by position.


LONGEST: Final = 1_000
"""The most moves of a play."""

_MOVES: Final = 100
"""The most moves of all plays together, per play that is asked for."""

_AT_ONCE: Final = 64
_UNLIMITED: Final = 1 << 40


Beginning = tuple[str, ...]
"""Moves with which a play begins, as written in either game."""

Root = tuple[Beginning, A, B]
"""A beginning, and the states of both games after it."""


@define(eq=False)
class TracedPlays(Generic[A, B]):
    """Plays begin in each of the ``roots`` in turn. ``played`` are the plays so far."""

    first: Side[A]
    second: Side[B]
    roots: Sequence[Root[A, B]]
    played: int = 0

    def suspect(self, plays: int, limits: Limits, progress: Progress, kept: float) -> Beginning:
        """The moves, as a game writes them, of the shortest of so many random plays that seems to tell the games apart;
        none if no play does, or kernels cannot tell. So many seconds are ``kept`` for others."""
        first, second = self.first.machine, self.second.machine
        if not isinstance(first, LoweredMachine) or not isinstance(second, LoweredMachine):
            return ()
        if first.program.denominator != second.program.denominator or self.first.order != self.second.order:
            return ()  # amounts in other units, or in another order
        source = kernel_source.kernel(kernel.go_on)

        def in_first(ours: Kernels) -> Beginning:
            def in_second(theirs: Kernels) -> Beginning:
                self.played = 0  # kernels that change to machine code begin anew
                return self._search(_Tracer(first, ours), _Tracer(second, theirs), plays, limits, progress, kept)

            return second.run(source, in_second)

        with suppress(BeyondLimits):
            return first.run(source, in_first)
        return ()

    def _search(
        self, first: _Tracer, second: _Tracer, plays: int, limits: Limits, progress: Progress, kept: float
    ) -> Beginning:
        found: Beginning = ()
        longest, left = LONGEST, _MOVES * plays
        slices = Slices(first.kernels.is_compiled)
        roots = cycle(self.roots)
        while self.roots and self.played < plays and left > 0 and limits.left >= kept and not limits.is_over:
            progress(self.played)
            before, ours, theirs = next(roots)
            if (limit := longest - len(before)) < 0:
                self.played += 1  # no play from here is short enough
                continue
            first.begin(ours)
            second.begin(theirs)
            here = first.trace(self.played, min(plays, self.played + _AT_ONCE), limit, slices.next())
            left -= first.tracing.moves
            there = second.trace(self.played, self.played + len(here), limit, _UNLIMITED)
            number = next((k for k, (one, other) in enumerate(zip(here, there, strict=True)) if one != other), None)
            if number is None:
                self.played += len(here)
                continue
            length = _moves_to_difference(first, second, self.played + number, limit)
            found, longest = (*before, *map(str, first.play(length))), len(before) + length - 1
            self.played += number + 1
        return found


def _moves_to_difference(first: _Tracer, second: _Tracer, number: int, limit: int) -> int:
    """The number of moves after which the traces of a play, which differ at the limit, first do. The first game's
    kernel has made the play up to there."""
    low, high = 0, limit
    while low < high:
        middle = (low + high) // 2
        same = first.one(number, middle) == second.one(number, middle)
        low, high = (middle + 1, high) if same else (low, middle)
    first.one(number, low)
    return low


@define(eq=False)
class _Tracer:
    """The kernel of one game."""

    machine: LoweredMachine
    kernels: Kernels
    tracing: kernel.Tracing = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.tracing = self.kernels.new(kernel.Tracing, made=LONGEST, digests=_AT_ONCE)

    def begin(self, root: Any) -> None:
        """Let plays begin in a state of the machine."""
        self.kernels.put(self.tracing.root, LoweredBackend(self.machine).held(root))

    def trace(self, number: int, end: int, limit: int, budget: int) -> list[int]:
        """The digests of plays from a number on, each of at most ``limit`` moves, until ``budget`` moves are made."""
        self.tracing.number, self.tracing.limit = number, limit
        count = self.kernels.call(kernel.go_on, self.tracing, end, budget)
        return list(self.tracing.digests[:count])

    def one(self, number: int, limit: int) -> int:
        """The digest of the first moves of a play."""
        return self.trace(number, number + 1, limit, 1)[0]

    def play(self, length: int) -> Sequence[Move]:
        """The first moves of the play that was traced last."""
        decode = self.machine.program.moves.decode
        return [decode(self.tracing.made[k]) for k in range(length)]
