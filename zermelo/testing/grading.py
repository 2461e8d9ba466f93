"""Many files held against a model solution, as an examiner does with what a class has handed in.

Each file is judged by itself, in a process of its own: what is wrong with its text, where it first differs from the
model (:mod:`zermelo.solvers.validation.difference`), what it is worth, and which of its own lines hold. Whatever
happens to one, a file that cannot be read, a limit, the end of its process, stands in its own grade and touches no
other.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from enum import Enum
from functools import partial
from pathlib import Path
from threading import Event
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final

from attrs import evolve, field, frozen

from zermelo.game import Game, State
from zermelo.grammar.diagnostics import InvalidGame, ZermeloError
from zermelo.loading import Parameter, build, check_source, read_source
from zermelo.machines import cores
from zermelo.numbers import count_in_words, known_by_player
from zermelo.report.annotations import JunitCase, Record, error_records, finding_record, junit
from zermelo.report.console import unwatched
from zermelo.results import UNASKED, GameRows, Provenance
from zermelo.solvers.common.libraries import SearchFailed, results_until
from zermelo.solvers.common.limits import LimitReached, Limits
from zermelo.solvers.common.spreading import InThreads
from zermelo.solvers.validation.situations import Difference
from zermelo.solving import solve_knowing
from zermelo.testing.differing import compare_games, difference_record, said_of
from zermelo.testing.expectations import Result, Status, run_expectations
from zermelo.testing.suites import SLACK, case_of

if TYPE_CHECKING:
    from zermelo.report.console import Watch

ENDING: Final = ".game"
"""How the names of files end that are graded."""

SECONDS: Final = 60.0
"""The time for each file unless another is asked for: a class has a file that takes for ever."""

_GRACE: Final = 5.0
"""The seconds that a process has to end in good order when its time is up. One that takes longer is ended."""

_JUNIT: Final = ".xml"


class Verdict(Enum):
    """What becomes of a file."""

    RIGHT = "right"
    """It is proved to be the model's game, and none of its lines fails."""
    WRONG = "wrong"
    """It is another game, or one of its lines fails."""
    BROKEN = "broken"
    """It is no game: it cannot be read, or has errors."""
    OPEN = "open"
    """A limit came before the end of the comparison."""


@frozen
class GradedFile:
    """What is found of a file of this ``name``.

    ``findings`` are those of ``zermelo check``, as records for JSON, or what keeps it from being read. If it
    ``is_game``, ``difference`` is where it differs from the model, None if no play shows one; it is the ``same`` if
    that is proved. If that is not known, since a limit ``stopped`` the work, all plays up to this ``length`` have been
    compared. ``value`` is what each player gets, as in :class:`zermelo.sweeping.SweepRow`; ``refusal`` is a code in its
    place. ``results`` are those of its claims, expectations and tests."""

    name: str
    findings: tuple[Record, ...] = ()
    is_game: bool = False
    same: bool | None = None
    difference: Difference | None = None
    length: int = 0
    value: Mapping[str, str | None] | None = None
    certainty: str = ""
    refusal: str = ""
    results: tuple[Result, ...] = ()
    stopped: str = ""
    seconds: float = field(default=0.0, eq=False)

    @property
    def verdict(self) -> Verdict:
        """What becomes of it."""
        if not self.is_game:
            return Verdict.OPEN if self.stopped else Verdict.BROKEN
        if self.difference is not None or self.count(Status.FAILED):
            return Verdict.WRONG
        return Verdict.RIGHT if self.same and not self.stopped else Verdict.OPEN

    @property
    def errors(self) -> tuple[Record, ...]:
        """The findings that are errors."""
        return tuple(each for each in self.findings if each["severity"] == "error")

    def count(self, status: Status) -> int:
        """How many of its lines have passed, failed, or remained open."""
        return sum(result.status is status for result in self.results)

    @property
    def value_text(self) -> str:
        """What each player gets, in a line; empty if there is no value."""
        return ", ".join(f"{player} {amount}" for player, amount in (self.value or {}).items() if amount is not None)

    @property
    def said(self) -> str:
        """What is wrong with it, in a sentence; empty if nothing is known to be."""
        if self.difference is not None:
            return said_of(self.difference)
        if self.errors and not self.is_game:
            return str(self.errors[0]["message"])
        return next((f"{each.title}: {each.reason}" for each in self.results if each.status is Status.FAILED), "")

    def row(self) -> dict[str, Any]:
        """A row of a table, without what each line says."""
        difference = self.difference
        model, there = ("", "") if difference is None else difference.said
        return {
            "file": self.name,
            "verdict": self.verdict.value,
            "errors": len(self.errors),
            "warnings": len(self.findings) - len(self.errors),
            "said": self.said,
            "after": "" if difference is None else ", ".join(map(str, difference.plays[1])),
            "in the model": model,
            "in the file": there,
            "value": self.value_text,
            "certainty": self.certainty or self.refusal,
            **{status.value: self.count(status) for status in Status},
            "stopped": self.stopped,
            "seconds": round(self.seconds, 3),
        }

    def record(self) -> Record:
        """As JSON."""
        return {
            "file": self.name,
            "verdict": self.verdict.value,
            "findings": list(self.findings),
            "same": self.same,
            "difference": None if self.difference is None else difference_record(self.difference),
            "length": self.length if self.is_game and self.same is None else None,
            "value": None if self.value is None else dict(self.value),
            "certainty": self.certainty or None,
            "refusal": self.refusal or None,
            "results": [result.record() for result in self.results],
            "stopped": self.stopped or None,
            "seconds": round(self.seconds, 3),
        }

    def cases(self) -> list[JunitCase]:
        """As a suite of JUnit: whether it can be read, whether it plays as the model does, and each of its lines."""
        if not self.is_game:
            messages = "\n".join(f"{each.get('line', '-')}: {each['message']}" for each in self.errors)
            line = self.errors[0].get("line", 1) if self.errors else 1
            told = messages or f"it was stopped {self.stopped}"
            return [JunitCase("is a game", "error", told, line, self.seconds)]
        lines = list(map(case_of, self.results))
        taken = max(0.0, self.seconds - sum(case.seconds for case in lines))
        alike = JunitCase("plays as the model does", "passed", seconds=taken)
        if self.difference is not None:
            model, there = self.difference.said
            after = ", ".join(map(str, self.difference.plays[1])) or "no move"
            told = f"{said_of(self.difference)} After {after}: {there}; in the model: {model}"
            alike = evolve(alike, outcome="failure", message=told)
        elif not self.same:
            alike = evolve(alike, outcome="skipped", message=f"it was stopped {self.stopped}")
        return [JunitCase("is a game", "passed"), alike, *lines]


@frozen(repr=False)
class Grades(GameRows):
    """The grades of files, from :func:`zermelo.grade`, in the order of their names. ``others`` are the names of files
    in the folder that are not games, and have not been looked at. If an interrupt ``stopped`` the work, which is empty
    else, ``missing`` are the names of those that have no grade."""

    model: Game = field(eq=False)
    files: tuple[GradedFile, ...]
    others: tuple[str, ...]
    missing: tuple[str, ...] = ()
    stopped: str = ""
    provenance: Provenance = UNASKED

    @property
    def begin(self) -> State:
        """The initial state of the model."""
        return self.model.initial

    def count(self, verdict: Verdict) -> int:
        """How many files there are of a verdict."""
        return sum(each.verdict is verdict for each in self.files)

    def __repr__(self) -> str:
        right = f"{self.count(Verdict.RIGHT)} right"
        return f"<{count_in_words(len(self.files), 'file')} held against '{self.model.title}': {right}>"

    def rows(self) -> list[dict[str, Any]]:
        """A row for each file."""
        return [each.row() for each in self.files]

    def record(self) -> dict[str, Any]:
        """As JSON."""
        return {
            **self._head(),
            "files": [each.record() for each in self.files],
            "not_graded": list(self.others),
            "stopped": self.stopped or None,
            "missing": list(self.missing),
        }

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the grades to a file: as JUnit XML if its name ends in .xml, as Parquet if in .parquet, else as CSV.
        Raises ``ZermeloError``: ``unwritable-file``, ``library-missing``."""
        from zermelo.files import write_file
        from zermelo.row_files import write_rows

        path, rows = Path(path), self.rows()
        if path.suffix.lower() == _JUNIT:
            write_file(path, junit((each.name, each.cases()) for each in self.files).encode())
            return
        whole = dict.fromkeys(("errors", "warnings", *(status.value for status in Status)), "int64")
        write_rows(path, rows, list(rows[0]), {**whole, "seconds": "double"})


def check_savable(path: Path) -> None:
    """Raise ``ZermeloError`` (``unwritable-file``, ``library-missing``) if grades can be seen not to be writable to a
    file, before long work."""
    from zermelo.files import check_writable
    from zermelo.row_files import check_rows_writable

    check_writable(path) if path.suffix.lower() == _JUNIT else check_rows_writable(path)


# The files of a folder.


def files_in(folder: Path) -> tuple[list[str], list[str]]:
    """The files of games in a folder and below, and the others, each in alphabetical order. Links to folders, which may
    lead round in circles, are not followed, but are among the others; hidden files and folders are left out. A folder
    that cannot be listed is among the files, and found to be unreadable as they are.

    Raises ``ZermeloError`` (``unreadable-file``) if it is no folder, or has no game."""
    if not folder.is_dir():
        help = "`zermelo diff` compares two files" if folder.exists() else ""
        raise ZermeloError("unreadable-file", f"{folder} is not a folder", help)
    found, others = list[str](), list[str]()
    for place, inside, names in os.walk(folder, onerror=lambda error: found.append(str(error.filename))):
        inside[:] = [name for name in inside if not name.startswith(".")]
        links = [name for name in inside if os.path.islink(os.path.join(place, name))]
        for name in (*names, *links):
            if not name.startswith("."):
                is_game = name.endswith(ENDING) and name not in links
                (found if is_game else others).append(str(Path(place, name)))
    if not found:
        raise ZermeloError("unreadable-file", f"there is no game file in {folder}", f"their names end in {ENDING}")
    return sorted(found), sorted(others)


# Grading.


@frozen
class _Grading:
    """Grades files, each within so much ``time`` and ``memory``, and as long as this is not ``given_up``."""

    model: Game
    parameters: Mapping[str, Parameter]
    time: float
    memory: int
    given_up: Event = field(factory=Event)

    def __call__(self, name: str) -> GradedFile:
        """The grade of a file: what its process has found by the end of its time, if it has not ended by then."""
        begin, grade = perf_counter(), GradedFile(name, stopped=self._limits.stopped_by_time)
        try:
            search = partial(self._grades, name)
            for each in results_until(self.time + _GRACE, self.memory + SLACK, search, self.given_up):
                grade = each
        except SearchFailed as error:
            grade = evolve(grade, stopped=f"by a fault: {error}")
        return evolve(grade, seconds=perf_counter() - begin)

    @property
    def _limits(self) -> Limits:
        """The limits, from now on. What one step leaves behind is not all free for the next, so each has a third."""
        return Limits(self.time, max(1, self.memory // 3))

    def _grades(self, name: str) -> Iterator[GradedFile]:
        """The grade, which grows: half of the time is for the comparison, half of the rest for the value."""
        limits = self._limits
        grade = GradedFile(name, stopped=limits.stopped_by_time)
        try:
            with limits.enforce():
                findings, game = self._read(name)
        except LimitReached:
            yield grade
            return
        except ZermeloError as error:
            findings, game = tuple(error_records(error)), None
        if game is None:
            yield evolve(grade, findings=findings, stopped="")
            return
        grade = evolve(grade, findings=findings, is_game=True)
        yield grade
        share = limits.half
        found = compare_games(self.model, game, {}, None, None, share, unwatched)
        grade = evolve(grade, same=found.same, difference=found.difference, length=found.length)
        yield grade
        grade = _with_value(grade, game, limits.half)
        yield grade
        results, stopped = list[Result](), "" if found.difference is not None else found.stopped
        if stopped == share.stopped_by_time:
            stopped = limits.stopped_by_time
        try:
            with limits.enforce():
                results.extend(run_expectations(game, None, limits))
        except LimitReached:
            stopped = limits.stopped_by_time
        except ZermeloError as error:  # of the rules, which the comparison has met, too
            grade = evolve(grade, findings=(*findings, *error_records(error)))
        yield evolve(grade, results=tuple(results), stopped=stopped)

    def _read(self, name: str) -> tuple[tuple[Record, ...], Game | None]:
        """The findings of a file, and its game; None if the findings are in the way. Raises ``ZermeloError``."""
        source = read_source(name)
        findings = tuple(map(finding_record, check_source(source, self.parameters)))
        try:
            return findings, build(name, source, self.parameters).on(self.model.choice)
        except InvalidGame:
            return findings, None


def _with_value(grade: GradedFile, game: Game, limits: Limits) -> GradedFile:
    """A grade with the value of the game, or with what stands in its way."""
    try:
        with limits.enforce():
            solution = solve_knowing(game.facts, game, limits=limits)
    except ZermeloError as error:
        return evolve(grade, refusal=error.code)
    value = known_by_player(game.players, solution.value, solution.error)
    return evolve(grade, value=value, certainty=solution.certainty.value)


def grade_files(
    model: Game,
    folder: Path,
    parameters: Mapping[str, Parameter],
    jobs: int | None,
    time: float,
    memory: int,
    watch: Watch,
) -> Grades:
    """The grades of the files in a folder. Raises ``ZermeloError`` as :func:`zermelo.grade` does."""
    names, others = files_in(folder)
    with Limits(time, memory).enforce():
        model.facts, model.searching  # noqa: B018  # once, and not again in each process
    spread = InThreads(jobs or cores())
    work = _Grading(model, parameters, time, memory // min(spread.count, len(names)), spread.given_up)
    found, stopped = dict[int, GradedFile](), ""
    with watch("grading", "files", len(names)) as report:
        try:
            for number, each in spread.map(work, names):
                found[number] = each
                report(len(found))
        except KeyboardInterrupt:
            if not found:
                raise
            stopped = "by an interrupt"
    graded = tuple(grade for _, grade in sorted(found.items()))
    missing = tuple(name for number, name in enumerate(names) if number not in found)
    return Grades(model, graded, tuple(others), missing, stopped)
