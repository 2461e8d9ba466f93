"""Testing a game by the lines of its file, and many files at once, each in a process of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from math import inf
from time import perf_counter
from typing import Any, Final

from attrs import evolve, field, frozen

from zermelo.game import Game, State
from zermelo.grammar.diagnostics import Source, ZermeloError
from zermelo.loading import load_any
from zermelo.numbers import record_header
from zermelo.report import render
from zermelo.report.annotations import JunitCase, Outcome, error_records
from zermelo.report.console import Paint, Watch
from zermelo.results import UNASKED, GameRows, Provenance
from zermelo.solvers.common.libraries import SearchFailed, results_until
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.common.spreading import InThreads
from zermelo.testing.expectations import Result, Status, run_expectations

SLACK: Final = 2**30
"""The bytes that a process may take beyond the limits of its searches: Python, LLVM and libraries."""


_OUTCOMES: Final[Mapping[Status, Outcome]] = {
    Status.PASSED: "passed",
    Status.FAILED: "failure",
    Status.SKIPPED: "skipped",
    Status.OPEN: "skipped",
}


@frozen(repr=False)
class TestedGame(GameRows):
    """What became of the claims, expectations and tests of a game's file, from :func:`zermelo.test`, in ``results``:
    one for each line, in the order in which they are tested."""

    game: Game = field(eq=False)
    results: tuple[Result, ...]
    provenance: Provenance = UNASKED

    @property
    def begin(self) -> State:
        """The initial state."""
        return self.game.initial

    def count(self, status: Status) -> int:
        """How many lines have passed, failed, been skipped, or remained open."""
        return sum(result.status is status for result in self.results)

    def __repr__(self) -> str:
        counts = ", ".join(f"{self.count(status)} {status.value}" for status in Status if self.count(status))
        return f"<test of '{self.game.name}': {counts or 'nothing to test'}>"

    @property
    def columns(self) -> tuple[str, ...]:
        return "said", "test", "status", "reason", "play", "line", "column", "seconds"

    def rows(self) -> list[dict[str, Any]]:
        """A row for each line."""
        return [result.record() for result in self.results]

    def record(self) -> dict[str, Any]:
        return {**record_header(self.game), "provenance": self.provenance.record(), "results": self.rows()}


def run_lines(game: Game, limits: Limits, watch: Watch) -> TestedGame:
    """Test the lines of a game's file, each within the limits anew."""
    with watch("running", "positions", None) as report:
        return TestedGame(game, tuple(run_expectations(game, report, limits)))


@frozen
class Tested:
    """The results for a file. If it cannot be tested, ``errors`` are the records of what is wrong with it, and ``said``
    is that in words."""

    name: str
    source: Source
    heading: dict[str, Any]
    results: tuple[Result, ...] = ()
    errors: tuple[dict[str, Any], ...] = ()
    said: str = ""

    def count(self, status: Status) -> int:
        return sum(result.status is status for result in self.results)

    def is_bad(self, is_strict: bool) -> bool:
        """Whether something failed or, if it ``is_strict``, was skipped."""
        return bool(self.said or self.count(Status.FAILED) or (is_strict and self.count(Status.SKIPPED)))


def case_of(result: Result) -> JunitCase:
    """A result as a case of JUnit."""
    return JunitCase(result.title, _OUTCOMES[result.status], result.reason, result.span.line, result.seconds)


Test = Callable[[Game, Limits], TestedGame]
"""How a game is tested within limits."""


def run_suites(
    names: Sequence[str], test: Test, machine: str, limits: Limits, jobs: int, paint: Paint
) -> Iterator[Tested]:
    """The results for the files, in their order, from ``jobs`` processes. They share the memory of the limits unless it
    is the default: any other memory would ask for a visit of as many positions as it allows."""
    is_default = limits.memory == Limits().memory
    spread = InThreads(jobs)
    share = limits if is_default else evolve(limits, memory=max(1, limits.memory // min(jobs, len(names))))

    def test_in_process(name: str) -> Tested:
        search = partial(_test_file, name, test, machine, share, paint)
        try:
            found = next(results_until(inf, share.memory + SLACK, search, spread.given_up), None)
        except SearchFailed as error:
            return _failed_suite(name, str(error))
        return found or _failed_suite(name, "its process ended")

    return spread.in_order(test_in_process, names)


def _failed_suite(name: str, why: str) -> Tested:
    return Tested(name, Source(name, ""), {"game": name}, said=f"error: {name} could not be tested: {why}")


def tested(name: str, found: TestedGame) -> Tested:
    """The results for a file that could be tested."""
    heading = {key: value for key, value in found.record().items() if key != "results"}
    return Tested(name, found.game.model.source, heading, found.results)


def _test_file(name: str, test: Test, machine: str, limits: Limits, paint: Paint) -> Iterator[Tested]:
    try:
        with evolve(limits, begin=perf_counter()).enforce():
            game = load_any(name, {}).on(machine)
        yield tested(name, test(game, limits))
    except ZermeloError as error:
        records = tuple(error_records(error))
        yield Tested(name, Source(name, ""), {"game": name}, (), records, render(error, paint))
