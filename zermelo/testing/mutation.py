"""Which slips in a file would its own claims, expectations and tests notice?

Every mutant of the file (:mod:`zermelo.grammar.mutants`) is judged in three steps. Is it still a game? Then, is it
another one? It is compared with the original, play by play (:mod:`zermelo.solvers.validation.difference`); what is
proved to be the same game cannot be noticed by anybody, and does not count. And does a line of the file that holds of
the original fail of the mutant, or can no longer be tested, or do its positions show something that those of the
original do not (``check --deep``)? If not, the mutant has *survived*: nothing pins down what it changes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import Enum
from fractions import Fraction
from functools import partial
from math import inf
from random import Random
from typing import TYPE_CHECKING, Any, Final

from attrs import field, frozen

from zermelo.game import Game
from zermelo.grammar.diagnostics import InvalidGame, Source, ZermeloError
from zermelo.grammar.mutants import Mutant, mutants
from zermelo.grammar.parse import parse
from zermelo.interpreter.machine import Move, PlayError
from zermelo.loading import TEXT, build
from zermelo.machines import cores, spread_of
from zermelo.numbers import record_header
from zermelo.report.annotations import Record, finding_record
from zermelo.results import UNASKED, GameRows, Provenance
from zermelo.solvers.common.libraries import SearchFailed, results_until
from zermelo.solvers.common.limits import LimitReached, Limits, Progress, ignore_progress
from zermelo.solvers.common.spreading import InThreads, Spread
from zermelo.solvers.validation.about_coverage import USED, Coverage, cover, coverage_replies
from zermelo.solvers.validation.difference import compare
from zermelo.solvers.validation.questions import replies
from zermelo.solvers.validation.shortest_plays import MOST_EXACTLY, Extent, Reply, Searched, search
from zermelo.solvers.validation.situations import Difference
from zermelo.solvers.validation.witnesses import relevant_witnesses
from zermelo.testing.expectations import beginnings, run_expectations

if TYPE_CHECKING:
    from zermelo.report.console import Watch

# Validating a game by what its plays show: ``zermelo check --deep``.


@frozen(eq=False)
class Validation:
    """What the plays of a game show: how much was searched, the answer to each question, and how often each part of the
    rules was used, None if that was not counted."""

    extent: Extent
    replies: tuple[Reply, ...]
    coverage: Coverage | None

    @property
    def found(self) -> list[Record]:
        """The findings, each with its play and its certainty, ready for JSON."""
        return [
            {
                **finding_record(answer.finding),
                "play": None if answer.play is None else _texts(answer.play),
                "certainty": answer.how,
            }
            for answer in self.replies
            if answer.finding is not None
        ]

    @property
    def record(self) -> Record:
        """All but the findings, ready for JSON."""
        return {
            "searched": {
                "positions": self.extent.positions,
                "all": self.extent.is_whole,
                "random_plays": self.extent.plays,
                "stopped": self.extent.stopped or None,
            },
            "answers": [
                {
                    "question": answer.question,
                    "answer": answer.answer,
                    "how": answer.how,
                    "code": answer.finding.code if answer.finding else None,
                    "play": None if answer.play is None else _texts(answer.play),
                }
                for answer in self.replies
            ],
        }


def validate(
    game: Game, most: int | None, limits: Limits, progress: Progress, with_coverage: bool = False
) -> Validation:
    """Search the first ``most`` positions of a game and ask what they show. Questions for which the limits leave no
    time or memory are not asked. The uses of each part of the rules are counted if there are few positions, or if
    ``with_coverage``."""
    machine, searched = game.searching, Searched(Extent(0, is_whole=False, stopped="time ran out"), None)
    found, coverage = list[Reply](), None
    try:
        with limits.enforce():
            searched = search(machine, game.facts, most, limits, progress, relevant_witnesses(game.model))
            found.extend(replies(machine, game.model, game.facts, searched, limits))
            if searched.fault is None:
                is_small = searched.extent.is_whole and searched.extent.positions <= MOST_EXACTLY
                if with_coverage or is_small:
                    coverage = cover(game.model, most, limits, progress)
                    found.extend(coverage_replies(coverage))
                else:
                    found.append(Reply(USED, "not asked", "--coverage asks"))
    except LimitReached as stop:
        found.append(Reply("What else do the positions show?", "not asked", stop.limit))
    return Validation(searched.extent, tuple(found), coverage)


def _texts(play: tuple[Move, ...]) -> list[str]:
    """The moves of a play as the language writes them."""
    return list(map(str, play))


PAIRS: Final = 20_000
"""How many pairs of positions are compared for each mutant."""

SECONDS: Final = 20.0
"""How long each mutant may take."""

_TOO_LONG: Final = "it takes too long"


VALIDATED: Final = 20_000
"""How many positions of each mutant ``check --deep`` searches."""


class Fate(Enum):
    """What becomes of a mutant."""

    REJECTED = "no game"
    SAME = "same game"
    CAUGHT = "caught"
    SURVIVED = "survived"
    OPEN = "open"  # no difference was found within the limits, or the lines took too long


@frozen
class Judged:
    """A mutant and its fate. ``why``: the code of the finding or the line that notices it, ``check --deep`` and a code,
    or what has been left open. ``difference`` from the original, if one has been found."""

    mutant: Mutant
    fate: Fate
    why: str = ""
    difference: Difference | None = None


def sample_mutants(source: Source, count: int | None, seed: int) -> list[Mutant]:
    """The mutants of a file, or so many of them at random, in their order; raises ``InvalidGame``."""
    tree, findings = parse(source)
    if tree is None:
        raise InvalidGame(findings)
    every = list(mutants(source, tree))
    if count is None or count >= len(every):
        return every
    return [every[k] for k in sorted(Random(seed).sample(range(len(every)), count))]


@frozen
class Pinned:
    """What is known of the original: its ``lines`` that are tested and do not fail, and its ``flaws``, what its
    positions show."""

    lines: frozenset[str]
    flaws: frozenset[str]


def pinned_facts(game: Game, limits: Limits) -> Pinned:
    """What is known of a game, as far as ``limits`` leave time to find it."""
    lines = frozenset(result.said for result in run_expectations(game, None, limits) if not result.is_bad)
    return Pinned(lines, frozenset(flaws(game, limits)))


def flaws(game: Game, limits: Limits) -> dict[str, str]:
    """The findings of ``check --deep`` on a game, each with its code."""
    shown = validate(game, VALIDATED, limits, ignore_progress).replies
    return {reply.finding.message: reply.finding.code for reply in shown if reply.finding is not None}


@frozen(repr=False)
class MutationScore(GameRows):
    """What became of the mutants of a file, from :func:`zermelo.mutate`: ``judged``, in the order of the text."""

    game: Game = field(eq=False)
    judged: tuple[Judged, ...]
    seed: int
    provenance: Provenance = UNASKED

    def count(self, fate: Fate) -> int:
        """How many have this fate."""
        return sum(each.fate is fate for each in self.judged)

    @property
    def survivors(self) -> tuple[Judged, ...]:
        """Those that nothing noticed."""
        return tuple(each for each in self.judged if each.fate is Fate.SURVIVED)

    @property
    def score(self) -> Fraction | None:
        """The share of mutants that are other games and were noticed; None if there are none."""
        caught, survived = self.count(Fate.CAUGHT), self.count(Fate.SURVIVED)
        return Fraction(caught, caught + survived) if caught + survived else None

    def __repr__(self) -> str:
        return f"<{len(self.judged)} mutants of '{self.game.name}': {len(self.survivors)} survived>"

    @property
    def columns(self) -> tuple[str, ...]:
        return "slip", "line", "column", "old", "new", "fate", "why", "after", "aspect"

    def rows(self) -> list[dict[str, Any]]:
        """A row for each mutant: the slip, where it is, what it changes, and what became of it."""
        return [_mutant_record(self.game.model.source, each) for each in self.judged]

    def record(self) -> dict[str, Any]:
        return {**record_header(self.game), "provenance": self.provenance.record(), "mutants": self.rows()}


def _mutant_record(source: Source, judged: Judged) -> dict[str, Any]:
    mutant, difference = judged.mutant, judged.difference
    return {
        "slip": mutant.slip.value,
        "line": mutant.span.line,
        "column": mutant.span.column,
        "old": source.excerpt(mutant.span),
        "new": mutant.new,
        "fate": judged.fate.value,
        "why": judged.why or None,
        "after": None if difference is None else _texts(difference.plays[0]),
        "aspect": None if difference is None else difference.aspect.value,
    }


def judge_mutants(
    game: Game,
    sample: int | None,
    seed: int,
    positions: int,
    threads: int | None,
    cluster: str | None,
    time: float,
    memory: int,
    watch: Watch,
) -> MutationScore:
    """The fates of the mutants of a file. Raises ``ZermeloError`` as :func:`zermelo.mutate` does."""
    if game.parameters != build(game.name, game.model.source, {}).parameters:
        raise ZermeloError(
            "bad-usage",
            "mutants are made of a file, and this game has other parameters",
            "load the game without parameters, or change them in the file",
        )
    chosen = sample_mutants(game.model.source, sample, seed)
    shares = (threads or cores()) if cluster is None else 1
    known = pinned_facts(game, Limits(inf, memory))
    judged: list[Judged] = []
    with watch("judging", "mutants", None) as report, spread_of(cluster, threads, InThreads) as spread:
        for each in judge_all(game, chosen, known, Limits(time, memory // shares), positions, spread):
            judged.append(each)
            report(len(judged))
    return MutationScore(game, tuple(judged), seed)


def judge_all(
    game: Game, chosen: Sequence[Mutant], known: Pinned, limits: Limits, pairs: float, spread: Spread
) -> Iterator[Judged]:
    """The fates of mutants, in their order, each in a process of its own. ``limits`` are for each of them."""
    return spread.in_order(partial(_judge_in_process, game, known, limits, pairs), chosen)


def _judge_in_process(game: Game, known: Pinned, limits: Limits, pairs: float, mutant: Mutant) -> Judged:
    search = partial(_judgements, game, mutant, known, limits, pairs)
    try:
        found = next(results_until(limits.seconds, limits.memory, search), None)
    except SearchFailed as error:
        return Judged(mutant, Fate.OPEN, str(error))
    return found or Judged(mutant, Fate.OPEN, _TOO_LONG)


def _judgements(game: Game, mutant: Mutant, known: Pinned, limits: Limits, pairs: float) -> Iterator[Judged]:
    # Each of the three steps may take so much memory, and what it leaves behind is not all free for the next.
    yield judge(game, mutant, known, Limits(limits.seconds, limits.memory // 4), pairs)


def judge(game: Game, mutant: Mutant, known: Pinned, limits: Limits, pairs: float) -> Judged:
    """The fate of a mutant of a game of which so much is ``known``; ``pairs`` of positions are compared. Half of the
    time is for the comparison, and half of the rest for the lines of the file."""
    try:
        with limits.enforce():
            changed = build(TEXT, Source(TEXT, mutant.text(game.model.source)), {}).on(game.choice)
    except InvalidGame as error:
        return Judged(mutant, Fate.REJECTED, error.code)
    except LimitReached:
        return Judged(mutant, Fate.OPEN, _TOO_LONG)
    knows_all = game.facts.perfect_information.holds and changed.facts.perfect_information.holds
    found = compare(
        game.searching,
        changed.searching,
        {},
        not knows_all,
        limits.half,
        pairs,
        beginnings=beginnings(game),
        is_any_enough=True,
    )
    if found.difference is None and not found.stopped:
        return Judged(mutant, Fate.SAME)
    is_over = False
    for notices, share in ((_failing_line, limits.half), (_new_flaw, limits)):
        try:
            with share.enforce():
                why = notices(changed, known, share)
        except PlayError as error:
            why = error.code
        except LimitReached:
            is_over = True
            continue
        if why:
            return Judged(mutant, Fate.CAUGHT, why, found.difference)
    if found.difference is not None:
        return Judged(mutant, Fate.OPEN if is_over else Fate.SURVIVED, _TOO_LONG if is_over else "", found.difference)
    return Judged(mutant, Fate.OPEN, _TOO_LONG if is_over else f"no difference up to {found.length} moves")


def _failing_line(changed: Game, known: Pinned, limits: Limits) -> str:
    """A line that held of the original and does not hold of the mutant."""
    results = run_expectations(changed, None, limits)
    return next((result.said for result in results if result.is_bad and result.said in known.lines), "")


def _new_flaw(changed: Game, known: Pinned, limits: Limits) -> str:
    """What the positions of the mutant show, and those of the original do not."""
    shown = flaws(changed, limits).items()
    return next((f"check --deep: {code}" for message, code in shown if message not in known.flaws), "")
