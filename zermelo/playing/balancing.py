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
from typing import TYPE_CHECKING, Any, Final

from attrs import define, field, frozen

from zermelo.game import CHANCE, Game, State
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.machine import Move, Payoff, PlayError
from zermelo.interpreter.values import format_value
from zermelo.machines import cores, name_of
from zermelo.numbers import by_player, record_header
from zermelo.playing.contestants import Contestant, contestant_of, play_in_order, play_out
from zermelo.playing.intervals import LEVEL, Bounds, difference_of_means, difference_of_shares, interval, share_interval
from zermelo.playing.seats import NODES
from zermelo.policies.exploiting import BEST
from zermelo.results import UNASKED, GameRows, Provenance
from zermelo.solvers.common.limits import LimitReached, Limits, Progress
from zermelo.solvers.common.spreading import InProcesses, Spread
from zermelo.solving import on_machine, solve_knowing

if TYPE_CHECKING:
    from zermelo.report.console import Watch

PLAYS: Final = 100
"""How many plays there are of each strength unless a number is asked for."""

SIMULATIONS: Final = (100, 1000)
"""How many simulations the searches make for each move that play unless others are asked for."""

FEW: Final = 10
"""A move has to be offered so often before it is worth saying that nobody chose it."""

_SHOWN: Final = 100
"""If more different moves are offered, their rules are counted instead."""


@frozen
class PlayRecord:
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
    of: Callable[[PlayRecord], Fraction | int | bool | None] = field(repr=False)
    is_share: bool = False

    def results(self, plays: Sequence[PlayRecord]) -> list[Fraction]:
        """What the plays tell."""
        told = (self.of(play) for play in plays)
        return [Fraction(result) for result in told if result is not None]


@frozen
class Measurement:
    """The mean of a measure, or a share between 0 and 1, with its confidence interval, None if there is none."""

    mean: Fraction
    bounds: Bounds | None


@frozen
class Sample:
    """Plays among players of one strength. ``value`` is what best play brings each player, in place of plays, and
    ``refusal`` says why there is neither."""

    strength: str
    plays: tuple[PlayRecord, ...] = field(default=(), repr=False)
    value: Payoff | None = None
    refusal: ZermeloError | None = field(default=None, eq=False)

    @property
    def different(self) -> int:
        """How many of the plays differ."""
        return len({play.line for play in self.plays})

    def estimate(self, measure: Measure) -> Measurement | None:
        """What the sample tells of a measure; None if it tells nothing. Plays that are all the same, by players who do
        nothing at random, are one, and have no interval."""
        results = measure.results(self.plays)
        if not results:
            return None
        mean = sum(results, Fraction(0)) / len(results)
        if self.different == 1:
            return Measurement(mean, None)
        if measure.is_share:
            return Measurement(mean, share_interval(int(sum(results)), len(results)))
        about = interval(results)
        return Measurement(mean, None if about is None else (float(mean) - about[1], float(mean) + about[1]))

    def difference(self, other: Sample, measure: Measure) -> Bounds | None:
        """The confidence interval of how much greater a measure is here than in another sample."""
        here, there = measure.results(self.plays), measure.results(other.plays)
        if not here or not there or 1 in {self.different, other.different}:
            return None
        if measure.is_share:
            return difference_of_shares(int(sum(here)), len(here), int(sum(there)), len(there))
        return difference_of_means(here, there)

    def record(self, game: Game, measures: Sequence[Measure]) -> dict[str, Any]:
        """As JSON."""
        told = ((measure.name, self.estimate(measure)) for measure in measures)
        return {
            "strength": self.strength,
            "plays": len(self.plays),
            "different_plays": self.different,
            "value": None if self.value is None else by_player(game, self.value),
            "refusal": None if self.refusal is None else self.refusal.code,
            "measures": {
                name: {"mean": str(each.mean), "interval": each.bounds} for name, each in told if each is not None
            },
            "never_chosen": [{"move": name, "offered": count} for name, count in self.never_chosen()],
        }

    def never_chosen(self) -> list[tuple[str, int]]:
        """The moves that were offered often, and that nobody chose, with how often they were offered in different
        plays: in games with many different moves, the rules for which this holds."""
        offered, chosen = Counter[Move](), Counter[Move]()
        for play in {play.line: play for play in self.plays}.values():
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


@frozen(repr=False)
class Balance(GameRows):
    """How a game plays, or each of two, from :func:`zermelo.balance`: ``samples`` by strength, in the same order for
    both, of plays that ``begins`` tells. ``stopped`` says what ended the playing early, and is empty if nothing did;
    ``is_interrupted``, that it was an interrupt."""

    begins: tuple[State, ...] = field(eq=False)
    samples: tuple[tuple[Sample, ...], ...]
    seed: int
    stopped: str = ""
    is_interrupted: bool = False
    provenance: Provenance = UNASKED

    @property
    def begin(self) -> State:
        """The state from which the game is played, or the first of the two."""
        return self.begins[0]

    @property
    def games(self) -> tuple[Game, ...]:
        """The game, or both."""
        return tuple(begin.game for begin in self.begins)

    def __repr__(self) -> str:
        strengths = ", ".join(sample.strength for sample in self.samples[0])
        return f"<balance of {' and '.join(repr(game.name) for game in self.games)}: {strengths}>"

    @property
    def columns(self) -> tuple[str, ...]:
        return "game", "strength", "plays", "measure", "mean", "low", "high"

    def rows(self) -> list[dict[str, Any]]:
        """A row for each measure of each sample: its mean and the ends of its interval of confidence, None if there is
        none."""
        return [
            {
                "game": name,
                "strength": sample.strength,
                "plays": len(sample.plays),
                "measure": measure.name,
                "mean": estimate.mean,
                "low": None if estimate.bounds is None else estimate.bounds[0],
                "high": None if estimate.bounds is None else estimate.bounds[1],
            }
            for name, samples in zip(self.names, self.samples, strict=True)
            for sample in samples
            for measure in self.measures
            if (estimate := sample.estimate(measure)) is not None
        ]

    def record(self) -> dict[str, Any]:
        """As JSON: means are exact numbers as text, and intervals decimals."""
        games = [
            {**record_header(game), "samples": [sample.record(game, self.measures) for sample in samples]}
            for game, samples in zip(self.games, self.samples, strict=True)
        ]
        told = {"seed": self.seed, "level": float(LEVEL), "stopped": self.stopped or None, "games": games}
        if len(games) == 1:
            return {**self._head(), **told}
        differences = [
            {
                "strength": first.strength,
                "measures": {each.name: second.difference(first, each) for each in self.measures},
            }
            for first, second in zip(*self.samples, strict=True)
        ]
        return {**self._head(), **told, "differences": differences}

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


def _is_won_by(number: int, play: PlayRecord) -> bool:
    return play.winner == number


def _amount_of(number: int, play: PlayRecord) -> Fraction | int:
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


def find_balance(
    begins: Sequence[State],
    strengths: Sequence[str],
    plays: int,
    seed: int,
    opening: int,
    jobs: int | None,
    limits: Limits,
    watch: Watch,
) -> Balance:
    """How a game plays from a state on, beside another one, if there are two. Raises ``ZermeloError`` as
    :func:`zermelo.balance` does."""
    if len({len(each.game.players) for each in begins}) > 1:
        raise ZermeloError(
            "bad-usage", "the games have not as many players", "variants of one game can be held against each other"
        )
    kinds = tuple(strengths) or usual_strengths(begins[0].game)
    samplings = [[_Sampling.of(each, kind, seed, opening, limits) for each in begins] for kind in kinds]
    done, stopped, is_interrupted = 0, "", False
    with watch("playing", "plays", plays * len(kinds) * len(begins)) as report:
        for sampling in (sampling for row in samplings for sampling in row):

            def played(count: int, before: int = done) -> None:
                report(before + count)

            try:
                with limits.enforce():
                    sampling.make(plays, InProcesses(jobs or cores()), played)
            except KeyboardInterrupt:
                stopped, is_interrupted = "by an interrupt", True
            except LimitReached as reached:
                if reached.code != "out-of-time":
                    raise
                stopped = limits.stopped_by_time
            if stopped:
                break
            done += plays
    columns = zip(*samplings, strict=True)
    samples = tuple(tuple(each.sample() for each in column) for column in columns)
    return Balance(tuple(begins), samples, seed, stopped, is_interrupted)


@define
class _Sampling:
    """A sample that is being made: the plays so far, by number."""

    begin: State
    strength: str
    contestant: Contestant | None
    seed: int
    opening: int
    limits: Limits
    plays: list[PlayRecord] = field(factory=list)
    value: Payoff | None = None
    refusal: ZermeloError | None = None

    @classmethod
    def of(cls, begin: State, strength: str, seed: int, opening: int, limits: Limits) -> _Sampling:
        """A sample without plays. Raises as :func:`zermelo.playing.contestants.contestant_of` does."""
        fast = begin.game.on(name_of(begin.game.searching))
        contestant = None if strength == BEST else contestant_of(strength, fast, limits.memory)
        return cls(State(fast, on_machine(begin, fast.machine)), strength, contestant, seed, opening, limits)

    def make(self, plays: int, spread: Spread, report: Progress) -> None:
        """Make so many plays, or solve the game for the best; a refusal is kept, in place of plays."""
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
            self.plays.clear()
            self.refusal = error

    def one(self, number: int) -> PlayRecord:
        """The play of this number."""
        assert self.contestant is not None, "best play is solved"
        seats = [self.contestant] * len(self.begin.game.players)
        steps = list(play_out(self.begin, seats, f"{self.seed} {number}", opening=self.opening))
        decisions = [(state, move) for state, move in steps if move is not None and state.actor != CHANCE]
        offers = [state.moves for state, _ in decisions]
        free = [moves for moves in offers if len(moves) > 1]
        last, _ = steps[-1]
        assert last.payoff is not None, "a play without an end raises"
        return PlayRecord(
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

        solution = solve_knowing(
            game.facts, game, self.begin, progress=end_early, limits=Limits(memory=self.limits.memory)
        )
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
