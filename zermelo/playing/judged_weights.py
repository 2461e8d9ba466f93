"""How good learnt weights are, for users: against exact values where all positions can be solved, else in matches."""

from __future__ import annotations

from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from attrs import asdict, field, frozen

from zermelo.game import State
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.judging import RANDOM, Judgement, WorthByTheWay, judge, mean_of, random_weights, weights_of
from zermelo.learning import check_learnable, check_weights, read_weights, records_of, weighed
from zermelo.machines import cores
from zermelo.playing.contestants import Contestant, LookingAhead, SampledMatch, Score, contestant_of
from zermelo.playing.intervals import LEVEL
from zermelo.results import UNASKED, GameRows, Provenance
from zermelo.solvers.common.limits import Limits, Progress
from zermelo.solvers.common.spreading import InProcesses
from zermelo.solvers.learning.weights import Weights
from zermelo.tables import table_given

if TYPE_CHECKING:
    from collections.abc import Mapping

    from zermelo.report.console import Watch
    from zermelo.tables import Table

PLAYS: Final = 200
"""How many plays each match has, unless a number is asked for."""

_TOO_LARGE: Final = ("out-of-memory", "out-of-time", "no-solver", "needs-endless", "no-value")
"""The refusals to find the values of all positions after which matches are played."""


@frozen(repr=False)
class JudgedWeights(GameRows):
    """How good the estimate with the weights of this ``name`` is by exact values, from :func:`zermelo.judge`: a
    judgement of the ``learnt`` weights, of the file's ``own`` if it has some, and the mean of some at ``random``."""

    begin: State = field(eq=False)
    name: str
    judgements: Mapping[str, Judgement]
    provenance: Provenance = UNASKED

    def __repr__(self) -> str:
        learnt = self.judgements["learnt"].everywhere
        return f"<weights of '{self.game.name}': rms error {learnt.root_mean_square:.4f}>"

    def rows(self) -> list[dict[str, Any]]:
        """A row for each of them: errors and greedy moves in all positions and in those that come up in plays, and what
        is lost in a play."""
        return [
            {
                "weights": who,
                "rms error": each.everywhere.root_mean_square,
                "best moves": each.everywhere.best_share,
                "loss": each.everywhere.loss,
                "rms in play": each.in_play.root_mean_square,
                "best in play": each.in_play.best_share,
                "loss in play": each.in_play.loss,
                "loss a game": each.loss_of_play,
            }
            for who, each in self.judgements.items()
        ]

    def record(self) -> dict[str, Any]:
        return {**self._head(), "weights": {who: asdict(each) for who, each in self.judgements.items()}}


@frozen
class MatchOfWeights:
    """A match of so many ``plays`` of who plays by the learnt weights ``against`` another, and its ``score``."""

    against: str
    plays: int
    score: Score


@frozen(repr=False)
class WeightsInMatches(GameRows):
    """How good the estimate with the weights of this ``name`` is in ``matches``, from :func:`zermelo.judge`: against
    who plays by the file's own weights (``greedy``), by some at random, and at random."""

    begin: State = field(eq=False)
    name: str
    matches: tuple[MatchOfWeights, ...]
    seed: int
    provenance: Provenance = UNASKED

    def __repr__(self) -> str:
        means = ", ".join(f"{float(each.score.mean):.3g} against {each.against}" for each in self.matches)
        return f"<weights of '{self.game.name}': {means}>"

    def rows(self) -> list[dict[str, Any]]:
        """A row for each match: the mean payoff over both seats, and the ends of its interval of confidence, None if
        there is none."""
        return [
            {
                "against": each.against,
                "plays": each.plays,
                "mean": each.score.mean,
                "low": None if (between := each.score.interval) is None else between[0],
                "high": None if between is None else between[1],
            }
            for each in self.matches
        ]

    def record(self) -> dict[str, Any]:
        told = [
            {
                "against": each.against,
                "plays": each.plays,
                "mean": str(each.score.mean),
                "interval": None if each.score.interval is None else list(each.score.interval),
            }
            for each in self.matches
        ]
        return {**self._head(), "seed": self.seed, "level": float(LEVEL), "matches": told}


def judge_weights(
    begin: State,
    weights: Weights | str | PathLike[str],
    plays: int | None,
    seed: int,
    depth: int,
    opening: int,
    jobs: int | None,
    table: Table | str | PathLike[str] | None,
    limits: Limits,
    watch: Watch,
) -> JudgedWeights | WeightsInMatches:
    """How good weights are from a state on. Raises ``ZermeloError`` as :func:`zermelo.judge` does."""
    if table is not None and plays is not None:
        raise ZermeloError("bad-usage", "--table has exact values, and --plays judges by matches", "leave one out")
    name = "these weights" if isinstance(weights, Weights) else fspath(weights)
    known = weights if isinstance(weights, Weights) else read_weights(Path(name))
    with limits.enforce():
        check_learnable(begin, known.settings, limits)
        check_weights(name, known, begin.game)
        looked_up = None if table is None else table_given(table, begin.game)
    if known.records is not None and table is not None:
        raise ZermeloError(
            "bad-usage",
            "--table has exact values for estimates of all positions, and by rote only some are learnt",
            "without --table they are judged by matches",
        )
    if plays is None and known.records is None:
        try:
            return JudgedWeights(begin, name, _judged(begin, known, limits, watch, looked_up, depth))
        except WorthByTheWay:
            pass
        except ZermeloError as error:
            if error.code not in _TOO_LARGE or limits.is_over or table is not None:
                raise
    rounds = -(-(plays or PLAYS) // 2)
    matches = _matches(begin, known, rounds, seed, depth, opening, InProcesses(jobs or cores()), limits, watch)
    return WeightsInMatches(begin, name, matches, seed)


def _judged(
    begin: State, known: Weights, limits: Limits, watch: Watch, table: Table | None, depth: int
) -> dict[str, Judgement]:
    """Judgements of the learnt weights, the file's own if it has some, and random ones."""
    drawn = [random_weights(known, seed) for seed in range(RANDOM)]
    own = [weights_of(begin.game)] if begin.game.weights else []
    with watch("judging", "positions", None) as report, limits.enforce():
        learnt, *others = judge(begin, [known, *drawn, *own], limits, report, table, depth)
    found = {"learnt": learnt, "own": others[-1]} if own else {"learnt": learnt}
    return {**found, "random": mean_of(others[:RANDOM])}


def _matches(
    begin: State,
    known: Weights,
    rounds: int,
    seed: int,
    depth: int,
    opening: int,
    spread: InProcesses,
    limits: Limits,
    watch: Watch,
) -> tuple[MatchOfWeights, ...]:
    """Matches against who plays by the file's own weights, by random ones, and at random."""
    game, memory = begin.game, limits.memory
    learnt = LookingAhead(weighed(game, known), depth, memory, records_of(game, known))
    others: dict[str, Contestant] = {"greedy": LookingAhead(game, depth, memory)} if game.facts.has_estimate else {}
    others["random weights"] = LookingAhead(weighed(game, random_weights(known, seed)), depth, memory)
    others["random"] = contestant_of("random", game, memory)
    found = list[MatchOfWeights]()
    with watch("playing", "plays", 2 * rounds * len(others)) as report, limits.enforce():
        for number, (name, other) in enumerate(others.items()):
            match = SampledMatch(begin, [learnt, other], seed, opening=opening)
            match.play(rounds, spread, _later(report, 2 * rounds * number))
            found.append(MatchOfWeights(name, 2 * len(match.rounds), match.scores()[0]))
    return tuple(found)


def _later(report: Progress, before: int) -> Progress:
    """Progress that has come so far before."""
    return lambda count: report(before + count)
