"""How a game plays: whom it favours, how long it takes and how often it is decided, among players of several strengths.

A *sample* is a number of plays in which everybody is equally strong: random players, searches with so many simulations
for each move, or others who can sit in a match (:mod:`zermelo.playing.contestants`). What differs between the seats is
then due to the rules. Each play gives a result for each *measure*, and the sample a mean or a share with its confidence
interval (:mod:`zermelo.playing.intervals`); two games that are played alike, variants of the same rules, have intervals
of the difference. Best play is not sampled: what it brings is solved, where the game is small enough for that.

All that is random in a play depends on the seed and its number, so that samples are the same for any number of
processes, and those of two variants have the same random numbers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from math import inf
from typing import Final

from attrs import define, field, frozen

from zermelo.game import CHANCE, Game, State
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.machine import Move, Payoff, PlayError
from zermelo.interpreter.values import format_value
from zermelo.last_resort import wrap_internal_errors
from zermelo.machines import cores, name_of
from zermelo.playing.contestants import Contestant, contestant_of, play_in_order, play_out
from zermelo.playing.intervals import Bounds, difference_of_means, difference_of_shares, interval, share_interval
from zermelo.playing.seats import NODES
from zermelo.policies.exploiting import BEST
from zermelo.solvers.common.limits import LimitReached, Limits, Progress, ignore_progress, quarter_of_memory
from zermelo.solvers.common.spreading import InProcesses, Spread
from zermelo.solving import solve_knowing

PLAYS: Final = 100
"""How many plays there are of each strength unless a number is asked for."""

SIMULATIONS: Final = (100, 1000)
"""How many simulations the searches make for each move that play unless others are asked for."""

FEW: Final = 10
"""A move has to be offered so often before it is worth saying that nobody chose it."""

_SHOWN: Final = 100
"""If more different moves are offered, their rules are counted instead."""


@frozen
class Play:
    """What is told of a play: its ``line`` of moves and outcomes, what it paid, how many ``moves`` were made and how
    many there were to choose from on average (``choices``), in how many decisions there were several (``free``),
    whether the winner was behind halfway (None if nobody won or it is not known), and how often each move was offered
    and chosen."""

    line: tuple[Move, ...] = field(repr=False)
    payoff: Payoff
    moves: int
    choices: Fraction
    free: int
    is_turned: bool | None
    offered: Mapping[Move, int] = field(repr=False)
    chosen: Mapping[Move, int] = field(repr=False)

    @property
    def winner(self) -> int | None:
        """The number of the player who got more than everybody else; None if several got most."""
        most = max(self.payoff)
        return self.payoff.index(most) if self.payoff.count(most) == 1 else None

    @property
    def lead_of_first(self) -> Fraction:
        """How much more the first player got than the others on average."""
        first, *others = self.payoff
        return Fraction(first) - sum(map(Fraction, others), Fraction(0)) / len(others)


@frozen
class Measure:
    """Something that each play tells: a number or, if the measure ``is_share``, whether it is so; None where it has
    nothing to tell."""

    name: str
    of: Callable[[Play], Fraction | int | bool | None] = field(repr=False)
    is_share: bool = False

    def results(self, plays: Sequence[Play]) -> list[Fraction]:
        """What the plays tell."""
        told = (self.of(play) for play in plays)
        return [Fraction(result) for result in told if result is not None]


@frozen
class Estimate:
    """The mean of a measure, or a share between 0 and 1, with its confidence interval, None if there is none."""

    mean: Fraction
    bounds: Bounds | None


@frozen
class Sample:
    """Plays among players of one strength. ``value`` is what best play brings each player, in place of plays, and
    ``refusal`` says why there is neither."""

    strength: str
    plays: tuple[Play, ...] = field(default=(), repr=False)
    value: Payoff | None = None
    refusal: ZermeloError | None = field(default=None, eq=False)

    @property
    def different(self) -> int:
        """How many of the plays differ."""
        return len({play.line for play in self.plays})

    def estimate(self, measure: Measure) -> Estimate | None:
        """What the sample tells of a measure; None if it tells nothing. Plays that are all the same, by players who do
        nothing at random, are one, and have no interval."""
        results = measure.results(self.plays)
        if not results:
            return None
        mean = sum(results, Fraction(0)) / len(results)
        if self.different == 1:
            return Estimate(mean, None)
        if measure.is_share:
            return Estimate(mean, share_interval(int(sum(results)), len(results)))
        about = interval(results)
        return Estimate(mean, None if about is None else (float(mean) - about[1], float(mean) + about[1]))

    def difference(self, other: Sample, measure: Measure) -> Bounds | None:
        """The confidence interval of how much greater a measure is here than in another sample."""
        here, there = measure.results(self.plays), measure.results(other.plays)
        if not here or not there or 1 in {self.different, other.different}:
            return None
        if measure.is_share:
            return difference_of_shares(int(sum(here)), len(here), int(sum(there)), len(there))
        return difference_of_means(here, there)

    def never_chosen(self) -> list[tuple[str, int]]:
        """The moves that were offered often, and that nobody chose, with how often they were offered: in games with
        many different moves, the rules for which this holds."""
        offered, chosen = Counter[Move](), Counter[Move]()
        for play in self.plays:
            offered.update(play.offered)
            chosen.update(play.chosen)
        if len(offered) <= _SHOWN:
            rare = [(str(move), count) for move, count in offered.items() if not chosen[move]]
        else:
            names, used = Counter[str](), {move.name for move in chosen}
            for move, count in offered.items():
                names[move.name] += count
            rare = [(name, count) for name, count in names.items() if name not in used]
        return sorted((each for each in rare if each[1] >= FEW), key=lambda each: (-each[1], each[0]))


@frozen
class Balance:
    """How a game plays, or each of two: samples by strength, in the same order for both. ``stopped`` says what ended
    the playing early, if anything did."""

    games: tuple[Game, ...]
    samples: tuple[tuple[Sample, ...], ...]
    seed: int
    stopped: str = ""

    @property
    def names(self) -> tuple[str, ...]:
        """What tells the games apart: their titles, the parameters in which they differ, or their order."""
        titles = tuple(game.title for game in self.games)
        if len({*titles}) == len(titles):
            return titles
        first, second = (game.parameters for game in self.games)
        varied = [name for name in first if name in second and first[name] != second[name]]
        if not varied:
            return "first", "second"
        return tuple(", ".join(f"{name} = {format_value(each[name])}" for name in varied) for each in (first, second))

    @property
    def endings(self) -> tuple[Measure, ...]:
        """The shares of the plays that each player wins, and of draws; none with one player."""
        return tuple(_endings(self.games[0]))

    @property
    def measures(self) -> tuple[Measure, ...]:
        """All that is told, in the order of print."""
        return tuple(_measures(self.games[0]))


def _endings(game: Game) -> Iterator[Measure]:
    """Draws come between the two players, or behind several."""
    won = [Measure(f"{name} wins", partial(_is_won_by, k), is_share=True) for k, name in enumerate(game.titles)]
    drawn = Measure("draws", lambda play: play.winner is None, is_share=True)
    if len(won) > 1:
        yield from (won[0], drawn, won[1]) if len(won) == 2 else (*won, drawn)


def _is_won_by(number: int, play: Play) -> bool:
    return play.winner == number


def _amount_of(number: int, play: Play) -> Fraction | int:
    return play.payoff[number]


def _measures(game: Game) -> Iterator[Measure]:
    yield from _endings(game)
    if len(game.players) > 1:
        yield Measure(f"advantage of {game.titles[0]}", lambda play: play.lead_of_first)
    if len(game.players) != 2 or not game.facts.constant_sum.holds:
        for number, player in enumerate(game.titles):
            yield Measure(f"{player} gets", partial(_amount_of, number))
    yield Measure("moves", lambda play: play.moves)
    yield Measure("moves to choose from", lambda play: play.choices if play.moves else None)
    yield Measure("moves with a choice", lambda play: play.free)
    yield Measure("comebacks", lambda play: play.is_turned, is_share=True)


def usual_strengths(game: Game) -> tuple[str, ...]:
    """Whom to let play: random players, a search that fits what is known in the game, twice, and the best."""
    search = "mcts" if game.facts.perfect_information.holds else "ismcts"
    return ("random", *(f"{search}:{count}" for count in SIMULATIONS), BEST)


@wrap_internal_errors
def balance(
    game: Game,
    other: Game | None = None,
    *,
    strengths: Sequence[str] = (),
    plays: int = PLAYS,
    seed: int = 0,
    time: float = inf,
    memory: int | None = None,
    jobs: int | None = None,
    opening: int = 0,
    report: Progress = ignore_progress,
) -> Balance:
    """How a game plays among players of several ``strengths``, beside another one, if that is given.

    A strength is a contestant as in ``zermelo match``: ``random``, ``mcts:1000``, ``greedy:4``, a file of weights or
    strategies; ``best`` is not played but solved, if the game is small. Where a contestant cannot play the game, the
    sample says why. Of each play the first moves are made at random, as many as the ``opening`` says, so that the plays
    of players who do nothing at random differ. ``time``, in seconds, ends the playing early; what has been played is
    told. ``jobs`` plays are made at once, by default one for each core.

    Raises ``ZermeloError``: ``bad-usage`` if the games have not as many players, ``needs-end`` if plays are too long.

    >>> import zermelo
    >>> found = zermelo.balance(zermelo.load("tic_tac_toe"), strengths=["random", "best"], plays=40, jobs=1)
    >>> sampled, solved = found.samples[0]
    >>> len(sampled.plays), [str(amount) for amount in solved.value]
    (40, ['0', '0'])
    """
    games = (game,) if other is None else (game, other)
    if len({len(each.players) for each in games}) > 1:
        raise ZermeloError(
            "bad-usage", "the games have not as many players", "variants of one game can be held against each other"
        )
    limits = Limits(time, quarter_of_memory() if memory is None else memory)
    kinds = tuple(strengths) or usual_strengths(game)
    samplings = [[_Sampling.of(each, kind, seed, opening, limits) for each in games] for kind in kinds]
    done, stopped = 0, ""
    for sampling in (sampling for row in samplings for sampling in row):

        def played(count: int, before: int = done) -> None:
            report(before + count)

        try:
            with limits.enforce():
                sampling.make(plays, InProcesses(jobs or cores()), played)
        except KeyboardInterrupt:
            stopped = "by an interrupt"
        except LimitReached as reached:
            if reached.code != "out-of-time":
                raise
            stopped = limits.stopped_by_time
        if stopped:
            break
        done += plays
    columns = zip(*samplings, strict=True)
    return Balance(games, tuple(tuple(each.sample() for each in column) for column in columns), seed, stopped)


@define
class _Sampling:
    """A sample that is being made: the plays so far, by number."""

    begin: State
    strength: str
    contestant: Contestant | None
    seed: int
    opening: int
    limits: Limits
    plays: list[Play] = field(factory=list)
    value: Payoff | None = None
    refusal: ZermeloError | None = None

    @classmethod
    def of(cls, game: Game, strength: str, seed: int, opening: int, limits: Limits) -> _Sampling:
        """A sample without plays. Raises as :func:`zermelo.playing.contestants.contestant_of` does."""
        fast = game.on(name_of(game.searching))
        contestant = None if strength == BEST else contestant_of(strength, fast, limits.memory)
        return cls(fast.initial, strength, contestant, seed, opening, limits)

    def make(self, plays: int, spread: Spread, report: Progress) -> None:
        """Make so many plays, or solve the game for the best; a refusal is kept."""
        try:
            if self.contestant is None:
                self._solve()
            else:
                play_in_order(self.one, plays, self.plays, spread, report)
        except PlayError:
            raise
        except ZermeloError as error:
            if error.code == "out-of-time":
                raise
            self.refusal = error

    def one(self, number: int) -> Play:
        """The play of this number."""
        assert self.contestant is not None, "best play is solved"
        seats = [self.contestant] * len(self.begin.game.players)
        steps = list(play_out(self.begin, seats, f"{self.seed} {number}", opening=self.opening))
        decisions = [(state, move) for state, move in steps if move is not None and state.actor != CHANCE]
        offers = [state.moves for state, _ in decisions]
        free = [moves for moves in offers if len(moves) > 1]
        last, _ = steps[-1]
        assert last.payoff is not None, "a play without an end raises"
        return Play(
            last.play,
            last.payoff,
            len(decisions),
            Fraction(sum(map(len, offers)), max(1, len(offers))),
            len(free),
            _is_turned(decisions[len(decisions) // 2][0], last.payoff) if decisions else None,
            Counter(move for moves in free for move in moves),
            Counter(move for (_, move), moves in zip(decisions, offers, strict=True) if len(moves) > 1),
        )

    def _solve(self) -> None:
        game = self.begin.game

        def end_early(nodes: int) -> None:
            if nodes > NODES:
                raise LimitReached("out-of-nodes", f"within {NODES:,} nodes", {}, "a smaller game may need less")

        solution = solve_knowing(game.facts, game, progress=end_early, limits=Limits(memory=self.limits.memory))
        if not solution.exact or solution.value is None:
            raise ZermeloError("no-value", f"the solver {solution.solver} finds no exact value")
        self.value = solution.value

    def sample(self) -> Sample:
        """What has been found."""
        return Sample(self.strength, tuple(self.plays), self.value, self.refusal)


def _is_turned(halfway: State, payoff: Payoff) -> bool | None:
    """Whether the winner was behind halfway, by the file's estimate; None if nobody won, the file has none, or not
    everybody knew the position."""
    facts, most = halfway.game.facts, max(payoff)
    if not facts.has_estimate or not facts.perfect_information.holds or payoff.count(most) > 1:
        return None
    estimates = [halfway.estimate(player) or 0 for player in halfway.game.players]
    return estimates[payoff.index(most)] < max(estimates)
