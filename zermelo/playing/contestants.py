"""Who takes part in a sampled match: players whose moves depend on what they know and a seed, and on no clock.

They choose as those of :mod:`zermelo.playing.seats` do, with the same work for every move however long it takes, so
that a match can be played again. A contestant who cannot choose in a game refuses it: a move at random in their name
would tell nothing about them.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from functools import partial
from itertools import accumulate
from math import lcm
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, Final, TypeAlias, TypeVar

from attrs import define, field, frozen

from zermelo.decisions import (
    CLAIRVOYANT_DEALS,
    DEALS_IN_PLAY,
    MOVES,
    average_deals,
    round_start,
    sample_online,
    simulate,
)
from zermelo.foundation.deadline import check_deadline
from zermelo.game import CHANCE, Game, State
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.machine import Machine, Move, Observation, Payoff
from zermelo.interpreter.native.running.machine import LoweredMachine
from zermelo.interpreter.native.running.views import BeyondLimits
from zermelo.playing.intervals import interval
from zermelo.policies.exploiting import BEST, ListedStrategies, behaviour_of
from zermelo.policies.policy_table import state_text
from zermelo.policies.strategy_files import (
    UNIFORM,
    file_writing_advice,
    listed_decisions,
    probabilities,
    read_record,
    refuse,
)
from zermelo.solvers.beliefs.consistent_plays import Behaviour, uniform_behaviour
from zermelo.solvers.choosing.choice import solve
from zermelo.solvers.choosing.registry import Need
from zermelo.solvers.common.limits import Limits, Progress, Sampling, ignore_progress
from zermelo.solvers.common.spreading import Spread
from zermelo.solvers.forms.policy import Advice
from zermelo.solvers.search.monte_carlo_tree_search import SIMULATIONS
from zermelo.solvers.solution import Endgames, Problem, Request
from zermelo.solving import on_machine, search, solve_knowing

if TYPE_CHECKING:
    from os import PathLike

    from zermelo.solvers.search.fixed_depth import FixedDepth
    from zermelo.tables import Table

Contestant: TypeAlias = Callable[[State, Random], Move]
"""Gives their move in a state in which it is their turn; whatever is random in it comes from the generator."""

_SEEDS: Final = 1 << 30

MCTS: Final = "mcts"
ISMCTS: Final = "ismcts"


def contestant_of(kind: str, game: Game, memory: int, table: Table | None = None) -> Contestant:
    """The contestant of this kind, one of :data:`KINDS`, or who follows the strategies of the file of this name, with
    so much memory for each search. A ``table`` helps who is one of :data:`HELPED`.

    ``greedy`` or a file of weights may be followed by a colon and how many moves they look ahead, ``mcts`` and
    ``ismcts`` by how many simulations they make for each move.

    Raises ``ZermeloError``: ``unreadable-file``, ``bad-strategy``, ``bad-usage`` where nobody looks ahead, and for
    ``best`` what :func:`zermelo.solve` raises, or ``no-policy``, and what :meth:`zermelo.Table.endgames` raises."""
    name, depth = split_number(kind)
    if name == MCTS:
        return _simulating_contestant(game, memory, depth, table)
    if name == ISMCTS:
        return _searching(partial(_ismcts_move, simulations=depth or SIMULATIONS))(game, memory)
    if table is not None and kind in HELPED:
        return _with_table(table, game, memory)
    if kind in KINDS:
        return KINDS[kind](game, memory)
    if kind == UNIFORM:
        return _behaviour_contestant(game, uniform_behaviour)
    if name == GREEDY:
        return LookingAhead(game, depth or 1, memory)
    from zermelo.learning import (  # which only files need
        check_weights,
        holds_weights,
        read_weights,
        records_of,
        weighed,
    )

    if holds_weights(Path(name)):
        known = read_weights(Path(name))
        check_weights(name, known, game)
        return LookingAhead(weighed(game, known), depth or 1, memory, records_of(game, known))
    if depth is None:
        return _file_contestant(name, game)
    raise ZermeloError(
        "bad-usage",
        f"'{kind}' says how far {name} looks ahead, and only who plays by an estimate does",
        f"{GREEDY}:{depth} does, or a file of weights, as in learnt.json:{depth}; {MCTS}:{depth} makes so many "
        "simulations",
    )


GREEDY: Final = "greedy"
"""Who makes the move behind which the file's estimate is best, or plays as if looking further ahead by it."""

_MOST_AHEAD: Final = 1000
"""Far more moves than can be looked ahead."""


_MOST_SIMULATED: Final = 100_000_000
"""Far more simulations than anybody waits for."""


def split_number(kind: str) -> tuple[str, int | None]:
    """A kind of contestant, or the name of a file, and the number after a colon, if there is one: how many simulations
    those make who simulate, and how many moves all others look ahead. Raises ``ZermeloError`` (``bad-usage``)."""
    name, colon, digits = kind.rpartition(":")
    if not (colon and name and digits.isascii() and digits.isdigit()):
        if colon and name in (MCTS, ISMCTS):
            said = f"'{kind}' does not say how many simulations {name} makes"
            raise ZermeloError("bad-usage", said, f"{name}:1000 makes 1,000 for each move")
        return kind, None
    number = int(digits[:10])
    if name in (MCTS, ISMCTS):
        if not 1 <= number <= _MOST_SIMULATED:
            said = f"'{kind}' makes {digits} simulations, and may make from 1 to {_MOST_SIMULATED:,}"
            raise ZermeloError("bad-usage", said)
    elif not 1 <= number <= _MOST_AHEAD:
        raise ZermeloError("bad-usage", f"'{kind}' looks {digits} moves ahead, and may look from 1 to {_MOST_AHEAD:,}")
    return name, number


def _random_contestant(game: Game, memory: int) -> Contestant:
    return _behaviour_contestant(game, uniform_behaviour)


def _best_contestant(game: Game, memory: int) -> Contestant:
    """A player who makes a best move for the rest of a game, if nothing is hidden; who mixes moves by an optimal policy
    of the rest, in a game of public rounds; and who otherwise follows an equilibrium found for the whole game."""
    if game.facts.perfect_information.holds:
        return _solving_contestant(game, memory)
    if game.facts.public_between_rounds.holds and game.facts.has_several_rounds:
        return _rounds_contestant(game, memory)
    return _behaviour_contestant(game, behaviour_of(BEST, game, Limits(memory=memory), ignore_progress))


def _with_table(table: Table, game: Game, memory: int) -> Contestant:
    """A player who makes a best move of a table where it has the position, and else searches, up to its positions."""
    endgames = table.endgames_of_use(game, memory)
    left = memory - (endgames.bytes if endgames is not None else 0)
    other = _best_contestant(game, memory) if endgames is None else _solving_contestant(game, left, endgames)

    def choose(state: State, random: Random) -> Move:
        return table.best_move(state) or other(state, random)

    return choose


def _simulating_contestant(game: Game, memory: int, simulations: int | None, table: Table | None) -> Contestant:
    """A player by Monte Carlo tree search, of so many simulations, which end at the positions of a table with their
    values."""
    endgames = None if table is None else table.endgames(game, Limits(memory=memory))
    taken = 0 if endgames is None else endgames.bytes
    return _searching(partial(_mcts_move, simulations=simulations, endgames=endgames))(game, memory - taken)


def _solving_contestant(game: Game, memory: int, endgames: Endgames | None = None) -> Contestant:
    found: dict[tuple[Move, ...], Move] = {}

    def choose(state: State, random: Random) -> Move:
        if state.play not in found:
            limits = Limits(memory=memory)
            solution = solve_knowing(game.facts, game, state, limits=limits, hurries=True, endgames=endgames)
            if not solution.exact:
                raise ZermeloError("no-policy", f"the solver {solution.solver} finds no exact value of what is left")
            found[state.play] = solution.best[0]
        return found[state.play]

    return choose


def _rounds_contestant(game: Game, memory: int) -> Contestant:
    found: dict[tuple[tuple[Move, ...], int], Advice[Any]] = {}

    def choose(state: State, random: Random) -> Move:
        begun, player = round_start(state), game.number(state.actor or "")
        if (begun.play, player) not in found:
            solution = solve_knowing(game.facts, game, begun, limits=Limits(memory=memory))
            if solution.policy is None:
                raise ZermeloError("no-policy", f"the solver {solution.solver} does not say how to mix")
            found[begun.play, player] = next(advice for advice in solution.policy if advice.player == player)
        advice = found[begun.play, player]
        return _draw_move(advice.moves, advice.chances, random)

    return choose


def _searching(choose: Callable[[State, int, Limits], Move]) -> Callable[[Game, int], Contestant]:
    """Contestants who search for each move, by a seed of its own."""
    return lambda game, memory: lambda state, random: choose(state, random.randrange(_SEEDS), Limits(memory=memory))


def _mcts_move(
    state: State, seed: int, limits: Limits, simulations: int | None = None, endgames: Endgames | None = None
) -> Move:
    """By Monte Carlo tree search."""

    def work(machine: Any) -> Move:
        root = on_machine(state, machine)
        request = Request(MCTS, limits, seed=seed, sampling=Sampling(simulations), endgames=endgames)
        return solve(machine, state.game.facts, request, root).best[0]

    return search(state.game, work)


def _deals_move(state: State, seed: int, limits: Limits) -> Move:
    """By averages over deals, each solved with open cards."""
    return average_deals(state, "pimc", CLAIRVOYANT_DEALS, MOVES, seed, limits, ignore_progress).best[0]


def _ismcts_move(state: State, seed: int, limits: Limits, simulations: int) -> Move:
    """By information-set Monte Carlo tree search."""
    return simulate(state, simulations=simulations, deals=DEALS_IN_PLAY, seed=seed, limits=limits).best[0]


def _sampling_contestant(game: Game, memory: int) -> Contestant:
    """Online outcome sampling. It learns with the same seed in all plays; only which move is drawn is random."""
    found: dict[tuple[str, tuple[Observation, ...]], tuple[Fraction, ...]] = {}

    def choose(state: State, random: Random) -> Move:
        actor = state.actor or ""
        known = actor, tuple(state.information_state(actor))
        if known not in found:
            found[known] = sample_online(state, limits=Limits(memory=memory)).chances
        return _draw_move(state.moves, found[known], random)

    return choose


KINDS: Final[Mapping[str, Callable[[Game, int], Contestant]]] = {
    "random": _random_contestant,
    BEST: _best_contestant,
    GREEDY: lambda game, memory: LookingAhead(game, 1, memory),
    MCTS: lambda game, memory: _simulating_contestant(game, memory, None, None),
    "pimc": _searching(_deals_move),
    ISMCTS: _searching(partial(_ismcts_move, simulations=SIMULATIONS)),
    "oos": _sampling_contestant,
}
"""The kinds of contestants that need no file."""

HELPED: Final = (BEST, MCTS)
"""The kinds of contestants whom a table helps."""


def helping_table(table: Table | str | PathLike[str] | None, kinds: Collection[str], game: Game) -> Table | None:
    """The table that is given, if any, for those of these kinds whom it helps. Raises ``ZermeloError`` (``bad-usage``)
    if there are none, and as :func:`zermelo.tables.table_given` does."""
    if table is None:
        return None
    from zermelo.tables import table_given  # which few need

    if not any(split_number(kind)[0] in HELPED for kind in kinds):
        raise ZermeloError("bad-usage", "--table helps nobody here", f"it is for a seat {' or '.join(HELPED)}")
    return table_given(table, game)


def _file_contestant(name: str, game: Game) -> Contestant:
    record = read_record(name, game)
    if not record.get("policy"):
        return _behaviour_contestant(game, ListedStrategies.of(name, game, record.get("strategies")))
    if not Need.PUBLIC.is_met(game.facts):
        refuse(name, "it has a policy, but players do not know the position in this game", file_writing_advice(game))
    told = listed_decisions(name, record["policy"], game.players)

    def choose(state: State, random: Random) -> Move:
        actor, words = state.actor or "", state_text(game, game.machine, _listed_state(state).machine_state)
        decision = told.get((actor, words))
        if decision is None:
            refuse(name, f"it does not say what {actor} does at {words}", file_writing_advice(game))
        return _draw_move(
            state.moves, probabilities(name, decision.here, tuple(map(str, state.moves)), decision.moves), random
        )

    return choose


_SEARCHED: Final = (Need.TWO_PLAYERS, Need.CONSTANT_SUM, Need.PERFECT_INFORMATION)
"""The games in which one position after another is searched by the same kernels, if they have an estimate."""


@define(eq=False)
class LookingAhead:
    """A player who looks so many moves ahead, ``depth``, and makes the first of the moves that are best by the estimate
    of a game there, or by what is known better, the ``endgames``. A pickle has what it begins with alone."""

    game: Game
    depth: int
    memory: int
    endgames: Endgames | None = None
    _search: FixedDepth | None = field(default=None, init=False)
    _latest: tuple[tuple[Move, ...], Any] | None = field(default=None, init=False)

    def __reduce__(self) -> tuple[Any, ...]:
        return LookingAhead, (self.game, self.depth, self.memory, self.endgames)

    def __call__(self, state: State, random: Random) -> Move:
        """The move. Raises ``ZermeloError``: ``needs-estimate``, what searches raise, and codes that begin with
        ``needs-`` if no search to a depth fits the game."""
        with suppress(BeyondLimits):
            if (searching := self._searching()) is not None:
                return search(self.game, lambda machine: searching.best(self._state_on(machine, state.play)))
        same = State(self.game, state.machine_state)
        known = self.endgames
        return solve_knowing(self.game.facts, self.game, same, limits=self._limits, endgames=known).best[0]

    @property
    def _limits(self) -> Limits:
        return Limits(memory=self.memory, depth=self.depth)

    def _searching(self) -> FixedDepth | None:
        """Who searches one position after another; None if that is not for this game."""
        from zermelo.solvers.search.fixed_depth import FixedDepth  # which most contestants do not need

        machine, facts = self.game.searching, self.game.facts
        fits = facts.has_estimate and all(need.is_met(facts) for need in _SEARCHED)
        if self._search is None and fits and isinstance(machine, LoweredMachine):
            known = Problem(machine, facts, machine.initial(), limits=self._limits, endgames=self.endgames)
            self._search = FixedDepth(known, machine)
        return self._search

    def _state_on(self, machine: Machine[Any], play: tuple[Move, ...]) -> Any:
        """The state after a play, made from the one that was asked for last if that is on the way."""
        before, state = self._latest or ((), None)
        if state is None or play[: len(before)] != before:
            before, state = (), machine.initial()
        for move in play[len(before) :]:
            state = machine.after(state, move)
        self._latest = play, state
        return state


def _listed_state(state: State) -> State:
    """The state by which a policy names this decision: if others have already chosen at this moment, the one after the
    first choice that each of them had, since the player does not know their choices."""
    here = round_start(state)
    while here.actor != state.actor:
        here = here.after(here.moves[0])
    return here


def _behaviour_contestant(game: Game, behaviour: Behaviour) -> Contestant:
    """A player who chooses with the probabilities of a behaviour."""

    def choose(state: State, random: Random) -> Move:
        actor = state.actor or ""
        chances = behaviour(game.number(actor), state.information_state(actor), state.moves)
        return _draw_move(state.moves, chances, random)

    return choose


def _draw_move(moves: tuple[Move, ...], chances: Sequence[Fraction], random: Random) -> Move:
    """One of the moves, with exactly these probabilities."""
    parts = lcm(*(chance.denominator for chance in chances))
    point = random.randrange(parts)
    passed = list(accumulate(int(chance * parts) for chance in chances))
    return moves[bisect_right(passed, point)]


# Matches that are played: contestants against each other, in all seats, spread among processes.
#
# A round has as many plays as the game has players. From play to play the contestants move up by one seat, so that in a
# round everyone takes every seat once. All plays of a round have the same chance: the k-th draw of each takes its
# random numbers from one seed. Where all draws come before the first move, all plays of a round have the same deal, and
# who was lucky in one seat sat in the others, too; so the result of a contestant, the mean over a round, varies less.
# Rounds are independent, and all that is random in one depends on the seed and its number, so the result is the same
# for any number of processes, and that of the first n rounds does not depend on how many follow.


LONGEST: Final = 5_000
"""The most moves and draws of a play; one that is longer is taken to have no end."""

_EXACT: Final = "`zermelo match GAME FILE FILE` reckons with plays that never end, without playing them"

Round = tuple[Payoff, ...]
"""The payoffs of the players in each play of a round."""


@frozen
class Score:
    """What a contestant got: the mean in each seat, the mean of all, and half the width of its confidence interval,
    None if there is none."""

    seats: tuple[Fraction, ...]
    mean: Fraction
    margin: float | None

    @property
    def interval(self) -> tuple[float, float] | None:
        """The interval of confidence of the mean."""
        if self.margin is None:
            return None
        return float(self.mean) - self.margin, float(self.mean) + self.margin


@define
class SampledMatch:
    """A match of as many contestants as there are players; contestant c begins in seat c. In each round so many moves,
    the ``opening``, are made at random, the same in all its plays. ``rounds`` are the first ones that have been
    played."""

    begin: State
    contestants: Sequence[Contestant]
    seed: int
    rounds: list[Round] = field(factory=list)
    opening: int = field(default=0, kw_only=True)

    def play(self, rounds: int, spread: Spread, report: Progress) -> None:
        """Play so many rounds, spread among others. If this is interrupted, the ``rounds`` before the first one that is
        missing are kept.

        Raises ``ZermeloError``: ``needs-end``, and what contestants raise."""
        players = len(self.contestants)
        play_in_order(self._round, rounds, self.rounds, spread, lambda count: report(count * players))

    def scores(self) -> list[Score]:
        """The scores of the contestants, after at least one round."""
        count, players = len(self.rounds), len(self.contestants)
        found = []
        for contestant in range(players):
            got = [[played[k][(contestant + k) % players] for k in range(players)] for played in self.rounds]
            seats = tuple(
                sum((Fraction(each[(seat - contestant) % players]) for each in got), Fraction(0)) / count
                for seat in range(players)
            )
            means = [Fraction(sum(each, Fraction(0)), players) for each in got]
            about = interval(means)
            found.append(Score(seats, sum(means, Fraction(0)) / count, None if about is None else about[1]))
        return found

    def _round(self, number: int) -> Round:
        """The plays of a round."""
        players = len(self.contestants)
        return tuple(self._payoff(number, moved_by) for moved_by in range(players))

    def _payoff(self, number: int, moved_by: int) -> Payoff:
        """The payoffs of a play in which contestant c sits in seat c + ``moved_by``."""
        players = len(self.contestants)
        seats = [self.contestants[seat - moved_by] for seat in range(players)]
        *_, (last, _) = play_out(self.begin, seats, f"{self.seed} {number}", str(moved_by), self.opening)
        assert last.payoff is not None, "a play that is given up raises"
        return last.payoff


Played = TypeVar("Played")


def play_in_order(
    one: Callable[[int], Played], count: int, played: list[Played], spread: Spread, report: Progress
) -> None:
    """Add the results of numbers below ``count`` to those that have been ``played``, in their order, however they are
    spread. If this is interrupted, those before the first one that is missing are kept. Raises what ``one`` does."""
    waiting, numbers = dict[int, Played](), range(count)
    for finished, (number, result) in enumerate(spread.map(one, numbers), 1):
        waiting[number] = result
        while len(played) in waiting:
            played.append(waiting.pop(len(played)))
        report(finished)
        check_deadline()


def play_out(
    begin: State, seats: Sequence[Contestant], seed: str, own: str = "0", opening: int = 0
) -> Iterator[tuple[State, Move | None]]:
    """The states of a play by contestants in their seats, each with the move or outcome that followed; None at the end.
    Draws of chance and the ``opening``, so many moves at random, depend on the ``seed`` alone, and what players do at
    random on their ``own``, too. Moves that nobody can choose are made without asking.

    Raises ``ZermeloError``: ``needs-end``, and what contestants raise."""
    state, players, draws, opened = begin, begin.game.players, 0, 0
    randoms = [Random(f"{seed} {own} {seat}") for seat in range(len(players))]
    for _ in range(LONGEST + 1):
        if state.payoff is not None:
            yield state, None
            return
        actor = state.actor
        if actor == CHANCE:
            move = state.sample(Random(f"{seed} chance {draws}"))
            draws += 1
        elif opened < opening:
            move = Random(f"{seed} opening {opened}").choice(state.moves)
            opened += 1
        elif len(state.moves) == 1:
            (move,) = state.moves
        else:
            seat = players.index(actor or "")
            move = seats[seat](state, randoms[seat])
        yield state, move
        state = state.after(move)
    raise ZermeloError("needs-end", f"a play of the match has more than {LONGEST:,} moves and draws", _EXACT)
