"""Players without a keyboard: seats that play at random, that search at every move, and that follow strategies."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from math import inf
from os.path import exists
from random import Random
from typing import TYPE_CHECKING, Final, Protocol, TypeAlias

from attrs import define, field

from zermelo.decisions import (
    CLAIRVOYANT_DEALS,
    DEALS_IN_PLAY,
    MOVES,
    average_deals,
    move_values,
    round_start,
    sample_online,
    simulate,
)
from zermelo.game import Game, State
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.machine import Move, Observation, PlayError
from zermelo.interpreter.native.running.machine import LoweredMachine
from zermelo.numbers import count_in_words, rounded_up_text
from zermelo.report.console import progress
from zermelo.solvers.common.limits import EXPLOITABILITY, Goal, LimitReached, Limits, Progress, Sampling
from zermelo.solvers.forms.policy import ConditionalPlan
from zermelo.solvers.forms.strategy import Decision
from zermelo.solvers.search.monte_carlo_tree_search import SIMULATIONS
from zermelo.solvers.solution import Endgames, Solution
from zermelo.solving import solve_knowing

if TYPE_CHECKING:
    from zermelo.tables import Table

# Searches for one decision, by players at a table: a move, and a remark about how it was found.


Search: TypeAlias = Callable[[State, Random, int], tuple[Move, str]]
"""Takes a state, a generator of random numbers and the memory that may be used, in bytes; gives a move and a remark.
Raises ``ZermeloError`` where it does not fit the game."""

NODES: Final = 300_000
NODES_EXACTLY: Final = 10_000
"""The most nodes of a search for the best move: the second number in games whose rules are interpreted or look at the
history of the play, the first one in all others. Limits of nodes, unlike those of seconds, lead to the same move on
every machine, however busy it is."""


def most_nodes(state: State) -> int:
    """The most nodes of a search for the best move."""
    game = state.game
    return NODES if isinstance(game.searching, LoweredMachine) and not game.facts.has_history else NODES_EXACTLY


@contextmanager
def thinking_progress(state: State, most: int) -> Iterator[Progress]:
    """Shows the progress of a search by the player to move, and ends it after ``most`` nodes, by raising
    :class:`LimitReached` (``out-of-nodes``)."""
    with progress(f"{state.actor_title} is thinking", "nodes") as show:

        def report(nodes: int) -> None:
            if nodes > most:
                raise LimitReached("out-of-nodes", f"within {most:,} nodes", {}, "a smaller game may need less")
            show(nodes)

        yield report


def most_visited(
    state: State, random: Random, memory: int, simulations: int | None = None, endgames: Endgames | None = None
) -> tuple[Move, str]:
    """The move most visited by Monte Carlo tree search of so many simulations, which end at ``endgames``."""
    game, limits, sampling = state.game, Limits(memory=memory), Sampling(simulations)
    with progress(f"{state.actor_title} is thinking", "nodes") as report:
        found = solve_knowing(game.facts, game, state, "mcts", report, limits, sampling=sampling, endgames=endgames)
    return found.best[0], f"{state.actor_title} has made {count_in_words(found.counts['simulations'], 'simulation')}."


def best_by_estimate(state: State, random: Random, memory: int) -> tuple[Move, str]:
    """The move behind which the estimate is best."""
    from zermelo.playing.contestants import LookingAhead

    return LookingAhead(state.game, 1, memory)(state, random), ""


def best_with_open_cards(state: State, random: Random, memory: int) -> tuple[Move, str]:
    """The move that is best on average over deals that fit what the player has perceived, each solved with open
    cards."""
    with thinking_progress(state, most_nodes(state)) as report:
        found = average_deals(state, "pimc", CLAIRVOYANT_DEALS, MOVES, _seed(random), Limits(memory=memory), report)
    assert found.deals is not None
    return found.best[0], f"{state.actor_title} has solved {count_in_words(found.deals.count, 'deal')} with open cards."


def most_simulated(state: State, random: Random, memory: int, simulations: int | None = None) -> tuple[Move, str]:
    """The move most simulated by information-set Monte Carlo tree search, which looks at deals that fit what the player
    has perceived."""
    with progress(f"{state.actor_title} is thinking", "simulations") as report:
        limits, seed, most = Limits(memory=memory), _seed(random), simulations or SIMULATIONS
        found = simulate(state, simulations=most, deals=DEALS_IN_PLAY, seed=seed, limits=limits, progress=report)
    return found.best[0], f"{state.actor_title} has made {count_in_words(found.counts['simulations'], 'simulation')}."


def online_search(seed: int) -> Search:
    """A move drawn from the strategy that online outcome sampling learns for what the player has perceived. The whole
    play has one seed: what was learned before their earlier decisions is learned again before later ones."""

    def search(state: State, random: Random, memory: int) -> tuple[Move, str]:
        with progress(f"{state.actor_title} is thinking", "nodes") as report:
            found = sample_online(state, seed=seed, limits=Limits(memory=memory), progress=report)
        (worth,) = random.choices(found.worths, list(map(float, found.chances)))
        return worth.move, f"{state.actor_title} has made {count_in_words(found.counts['iterations'], 'iteration')}."

    return search


def _seed(random: Random) -> int:
    return random.randrange(1 << 30)


class Seat(Protocol):
    """A player without a keyboard."""

    def choose(self, state: State) -> tuple[Move, str]:
        """A legal move, and a remark for spectators, which may be empty."""


@define(eq=False)
class RandomSeat:
    """Chooses among the legal moves with equal probability."""

    random: Random

    def choose(self, state: State) -> tuple[Move, str]:
        return self.random.choice(state.moves), ""


@define(eq=False)
class SearchingSeat:
    """Plays what a search finds. If the search does not fit the game, plays at random, and says so."""

    fallback: RandomSeat
    search: Search
    memory: int = field(factory=lambda: Limits().memory, kw_only=True)

    def choose(self, state: State) -> tuple[Move, str]:
        try:
            return self.search(state, self.fallback.random, self.memory)
        except PlayError:
            raise
        except ZermeloError as error:
            move, _ = self.fallback.choose(state)
            return move, f"{state.actor_title} plays at random: {error.message}."


@define(eq=False)
class FollowingSeat:
    """Follows strategies that say how to choose, such as those of a file (:mod:`zermelo.playing.contestants`)."""

    random: Random
    contestant: Callable[[State, Random], Move]

    def choose(self, state: State) -> tuple[Move, str]:
        if len(state.moves) == 1:  # strategies need not list it
            return state.moves[0], ""
        return self.contestant(state, self.random), ""


# A player without a keyboard who makes the best move that a search of so many nodes for each move can find.


_HISTORIES: Final = 20_000
"""The most nodes of a game with secrets that is solved exactly, which may take far longer than to visit them."""

_ITERATIONS: Final = 1_000
"""The most iterations of regret minimization."""


@define(eq=False)
class BestSeat:
    """Solves the rest of the game; in public rounds, from the start of the round on. If something stays hidden, it
    solves the whole game once and follows that strategy: an exact one or, where the game is too large for it, one by
    counterfactual regret minimization. A ``table`` answers where it has the position, which is said if it is a book,
    and searches go no further at its ``endgames``. If a search takes too many nodes and the file has an estimate, it
    plays the best move found so far and says how far it looked. Without an estimate or a fitting solver it falls back
    to Monte Carlo tree search or, if something is hidden, to random moves, and says so."""

    fallback: RandomSeat
    strategy: dict[tuple[Observation, ...], Decision] | None = field(default=None, init=False)
    plan: ConditionalPlan | None = field(default=None, init=False)
    refusal: ZermeloError | None = field(default=None, init=False)  # why there is no strategy
    memory: int = field(factory=lambda: Limits().memory, kw_only=True)
    table: Table | None = field(default=None, kw_only=True)
    endgames: Endgames | None = field(default=None, kw_only=True)

    def choose(self, state: State) -> tuple[Move, str]:
        facts = state.game.facts
        known = None if self.table is None else self.table.best_move(state)
        if known is not None:
            is_opening = self.table is not None and self.table.book is not None
            return known, f"{state.actor_title} plays by the book." if is_opening else ""
        try:
            if facts.perfect_information.holds:
                return self._best_move(state)
            advised = (
                self._round_move(state) if facts.public_between_rounds.holds and facts.has_several_rounds else None
            )
            return (advised, "") if advised is not None else self._strategy_move(state)
        except PlayError:
            raise
        except LimitReached as reached:
            reason = f"no best move has been found {reached.limit}"
        except ZermeloError as error:
            reason = error.message
        if facts.perfect_information.holds:
            move, remark = SearchingSeat(self.fallback, most_visited, memory=self.memory).choose(state)
            return move, f"{remark} It is a guess: {reason}."
        move, _ = self.fallback.choose(state)
        return move, f"{state.actor_title} plays at random: {reason}."

    def _solve(
        self,
        state: State,
        root: State | None,
        most: int,
        solver: str | None = None,
        goal: Goal | None = None,
        nodes: float = inf,
    ) -> Solution:
        limits = Limits(memory=self.memory, nodes=nodes)
        with thinking_progress(state, most) as report:
            return solve_knowing(
                state.game.facts, state.game, root, solver, report, limits, goal, hurries=True, endgames=self.endgames
            )

    def _best_move(self, state: State) -> tuple[Move, str]:
        most = most_nodes(state)  # among them those for finding what wins soonest, or loses latest
        try:
            solution = self._solve(state, state, most)
        except LimitReached:
            if not state.game.facts.has_estimate:
                raise
            solution = self._solve(state, state, 2 * most, nodes=most)  # so that it ends with a result
        seen = (
            ""
            if solution.exact
            else f"{state.actor_title} has looked {count_in_words(solution.counts['depth'], 'move')} ahead."
        )
        return solution.best[0], seen

    def _round_move(self, state: State) -> Move | None:
        """A move in a round, by the policy for the position at its start; None if there is no policy."""
        policy = self._solve(state, round_start(state), most_nodes(state)).policy
        player = state.game.players.index(state.actor or "")
        if policy is None:
            return None
        advice = next(advice for advice in policy if advice.player == player)
        (drawn,) = self.fallback.random.choices(advice.moves, list(map(float, advice.chances)))
        return drawn

    def _strategy_move(self, state: State) -> tuple[Move, str]:
        assert state.actor is not None, "a seat is asked while the play goes on"
        remark = ""
        if self.strategy is None and self.plan is None:
            found = self._solve_whole(state)
            self.plan = found.plan
            own = next((strategy for strategy in found.strategies if strategy.player == state.actor), None)
            self.strategy = None if own is None else {tuple(decision.known): decision for decision in own.decisions}
            if found.exploitability is not None:
                gain = rounded_up_text(found.exploitability) if found.exploitability else "0"
                remark = (
                    f"{state.actor_title} follows strategies from which the players gain {gain} on average, at most."
                )
        if self.strategy is None:
            assert self.plan is not None, "a solution has strategies or a plan where something is hidden"
            return self._plan_move(self.plan, state), remark
        decision = self.strategy[tuple(state.information_state(state.actor))]
        (move,) = self.fallback.random.choices(decision.moves, list(map(float, decision.probabilities)))
        return move, remark

    def _plan_move(self, plan: ConditionalPlan, state: State) -> Move:
        """The move of a plan, or a best one where it does not lead here."""
        step = plan.step_at(tuple(state.information_state(state.actor or "")))
        if step is not None:
            return step.move
        with thinking_progress(state, most_nodes(state)) as report:
            return move_values(state, None, Limits(memory=self.memory), report).best[0]

    def _solve_whole(self, state: State) -> Solution:
        """A solution of the whole game; it is sought once, and a refusal is remembered."""
        if self.refusal is not None:
            raise self.refusal
        try:
            return self._solve(state, None, min(_HISTORIES, most_nodes(state)))
        except PlayError:
            raise
        except ZermeloError as error:
            self.refusal = error
        try:
            found = self._solve(state, None, most_nodes(state), "cfr_plus", Goal(EXPLOITABILITY, _ITERATIONS))
        except PlayError:
            raise
        except ZermeloError:
            raise self.refusal from None
        self.refusal = None
        return found


# Who sits at a table: the kinds of seats by their names.


PERSON: Final = "human"

KINDS: Mapping[str, Callable[[Random, int], Seat | None]] = {
    PERSON: lambda random, memory: None,
    "random": lambda random, memory: RandomSeat(random),
    "best": lambda random, memory: BestSeat(RandomSeat(random), memory=memory),
    "greedy": lambda random, memory: _searching_seat(best_by_estimate, random, memory),
    "mcts": lambda random, memory: _searching_seat(most_visited, random, memory),
    "pimc": lambda random, memory: _searching_seat(best_with_open_cards, random, memory),
    "ismcts": lambda random, memory: _searching_seat(most_simulated, random, memory),
    "oos": lambda random, memory: _searching_seat(online_search(_seed(random)), random, memory),
}
"""The kinds of seats, with so much memory for each search; None for people."""


SIMULATING: Final[Mapping[str, Callable[..., tuple[Move, str]]]] = {"mcts": most_visited, "ismcts": most_simulated}
"""The searches whose kinds may say how many simulations they make for each move, as in ``mcts:1000``."""


def is_kind(kind: str) -> bool:
    """Whether somebody of this kind can have a seat: one of :data:`KINDS` or a file, perhaps with a number after a
    colon. Raises ``ZermeloError`` (``bad-usage``) for a number that is too large."""
    if kind in KINDS or exists(kind):
        return True
    name, number = _split_number(kind)
    return number is not None and (name in KINDS or exists(name))


def seat_of(kind: str, random: Random, memory: int) -> Seat | None:
    """The seat of one of :data:`KINDS`, or of somebody who makes so many simulations for each move; None for people,
    and for what is no such kind. Raises ``ZermeloError`` (``bad-usage``) for a number that is too large."""
    if kind in KINDS:
        return KINDS[kind](random, memory)
    name, number = _split_number(kind)
    if number is None or name not in SIMULATING:
        return None
    return _searching_seat(partial(SIMULATING[name], simulations=number), random, memory)


def _split_number(kind: str) -> tuple[str, int | None]:
    from zermelo.playing.contestants import split_number  # which most seats do not need

    return split_number(kind)


def seats_of(
    game: Game, kinds: Iterable[tuple[str, str]], random: Random, memory: int, table: Table | None = None
) -> dict[str, Seat]:
    """The seats of the players that are no people, from a kind, or the name of a file of strategies, for each player.
    A ``table`` is for those that are ``best`` or ``mcts``.

    Raises ``ZermeloError``: ``unknown-player``, ``unreadable-file``, ``bad-strategy``, ``bad-usage``, and what
    :meth:`zermelo.Table.endgames` raises."""
    endgames = None if table is None else table.endgames_of_use(game, memory)
    memory -= 0 if endgames is None else endgames.bytes
    seats: dict[str, Seat] = {}
    for player, kind in kinds:
        name = game.players[game.number(player)]
        if kind == PERSON:
            continue
        seat = seat_of(kind, random, memory) or _following_seat(kind, game, random, memory)
        if isinstance(seat, BestSeat):
            seat.table, seat.endgames = table, endgames
        elif isinstance(seat, SearchingSeat) and table is not None:
            simulating, simulations = _split_number(kind)
            if simulating == "mcts":
                known = endgames or table.endgames(game, Limits(memory=memory))
                seat.search = partial(most_visited, simulations=simulations, endgames=known)
        seats[name] = seat
    return seats


def _searching_seat(search: Search, random: Random, memory: int) -> SearchingSeat:
    return SearchingSeat(RandomSeat(random), search, memory=memory)


def _following_seat(name: str, game: Game, random: Random, memory: int) -> FollowingSeat:
    from zermelo.playing.contestants import contestant_of

    return FollowingSeat(random, contestant_of(name, game, memory))
