"""Sweeps: a game solved under many combinations of its parameters.

A *grid* gives some parameters several values, and stands for all combinations of them. Each combination is solved by
itself, as :func:`zermelo.solve` does, and becomes a row, whatever comes of it. Rows may be kept in a file, which has
what they depend on beside them: the text of the rules, as a digest, and the options. So a sweep that was ended goes on,
and a row never comes to stand beside those of other rules.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from fractions import Fraction
from hashlib import sha256
from itertools import product
from math import inf, prod
from pathlib import Path
from re import Match
from re import compile as pattern
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final

from attrs import field, frozen

from zermelo.arguments import check_amounts, check_counts, check_first
from zermelo.game import Game
from zermelo.grammar.diagnostics import InvalidGame, Source, ZermeloError, require_known
from zermelo.grammar.names import normal
from zermelo.interpreter.values import Value, format_value
from zermelo.last_resort import wrap_internal_errors
from zermelo.loading import Parameter, build, read_source
from zermelo.machines import check_choice, cores, spread_of
from zermelo.numbers import json_value, known_by_player
from zermelo.row_files import check_rows_writable, read_rows, write_rows
from zermelo.solvers.common.limits import Limits, quarter_of_memory
from zermelo.solvers.common.spreading import InProcesses
from zermelo.solvers.solution import Solution
from zermelo.solving import solve_knowing

if TYPE_CHECKING:
    from zermelo.interpreter.check import DeclaredParameters
    from zermelo.interpreter.types import Type

MOST: Final = 10_000
"""The most combinations of a grid."""

Given = Parameter | Iterable[Parameter]
"""The values of a parameter in a grid: one, some, or a text such as ``3..9``, ``0..1 by 1/4`` or ``2,4``."""

_RANGE: Final = pattern(r"(\S+?)\s*\.\.\s*(\S+?)(?:\s+by\s+(\S+))?")

_SAVING: Final = 1.0
"""Seconds between two times that a file is written while rows come."""

_DIGITS: Final = 16
"""The letters of a digest: so many tell texts apart that people write."""

# Rows.


Parameters = Mapping[str, int | bool | str]
"""The parameters of a game, as JSON shows them."""


@frozen
class SweepRow:
    """What came of a combination of ``parameters``, which has all that the game has, as JSON shows them.

    ``value`` is what each player gets: exact numbers as text, ``"-1/18"``, if the ``certainty`` is ``exact``, else as
    :attr:`zermelo.solvers.solution.Solution.certainty` says; of a number that is known to within some bounds the
    decimals that are certain. It is by the ``solver``, which has looked at so many ``nodes``: positions, or states on
    the way. Without a value there is the code of an ``error``. ``seconds`` is what all of it took."""

    parameters: Parameters
    value: Mapping[str, str | None] | None = None
    certainty: str = ""
    solver: str = ""
    nodes: int | None = None
    seconds: float = field(default=0.0, eq=False)
    error: str = ""


@frozen
class _Work:
    """Solves a game under combinations of its parameters."""

    name: str
    source: Source
    machine: str
    solver: str | None
    time: float
    memory: int

    def __call__(self, parameters: Parameters) -> SweepRow:
        limits = Limits(self.time, self.memory)
        begin = perf_counter()
        try:
            with limits.enforce():
                game, solution = self._solve(parameters, limits)
        except ZermeloError as error:
            return SweepRow(parameters, seconds=perf_counter() - begin, error=error.code)
        return SweepRow(
            parameters,
            known_by_player(game.players, solution.value, solution.error),
            solution.certainty.value,
            solution.solver,
            solution.counts["nodes"],
            perf_counter() - begin,
        )

    @wrap_internal_errors
    def _solve(self, parameters: Parameters, limits: Limits) -> tuple[Game, Solution]:
        game = build(self.name, self.source, {name: parameter_text(value) for name, value in parameters.items()})
        game = game.on(self.machine)
        return game, solve_knowing(game.facts, game, solver=self.solver, limits=limits)


# Grids.


@frozen
class _Grid:
    """The combinations of a grid, each with all parameters of the game, the last one in the grid changing fastest."""

    declared: DeclaredParameters
    combinations: Sequence[Parameters]

    @classmethod
    def of(cls, source: Source, given: Mapping[str, Given]) -> _Grid:
        """Raises ``InvalidGame`` (``parameter-out-of-range``), ``ZermeloError`` (``unknown-parameter``,
        ``bad-usage``)."""
        from zermelo.interpreter.check import DeclaredParameters  # which takes as long as a small game

        declared = DeclaredParameters.of(source)
        types = {name: type for name, (type, _) in declared.under({})[0].items()}
        require_known(map(normal, given), list(types), "parameter", "it has no parameters")
        axes = {normal(name): _axis(name, values, types[normal(name)]) for name, values in given.items()}
        count = prod(map(len, axes.values()))
        if count > MOST:
            raise ZermeloError("bad-usage", f"these are {count:,} combinations", f"a sweep has at most {MOST:,}")
        grid = cls(declared, [])
        found = [grid.under(dict(zip(axes, values, strict=True)))[0] for values in product(*axes.values())]
        return cls(declared, found)

    def under(self, given: Mapping[str, Any]) -> tuple[Parameters, tuple[str, ...]]:
        """All parameters, if some are given, and the players. Raises ``InvalidGame``."""
        values, players = self.declared.under(given)
        return {name: json_value(value) for name, (_, value) in values.items()}, players


def _axis(name: str, given: Given, type: Type) -> Sequence[Value]:
    """The values of a parameter, each once; what is none stays as it is. Raises ``ZermeloError`` (``bad-usage``)."""
    from zermelo.interpreter.elaboration.declarations import parameter_value

    written: Iterable[Any] = [given]
    if isinstance(given, str):
        written = given.split(",")
    elif isinstance(given, Iterable):
        written = given
    found = dict[Value, None]()
    for each in written:
        ends = _RANGE.fullmatch(each.strip()) if isinstance(each, str) else None
        values = [parameter_value(each, type)] if ends is None else _between(name, ends, type)
        found |= dict.fromkeys(values)
    if not found:
        raise ZermeloError("bad-usage", f"the parameter '{name}' has no value in this grid", "it needs one at least")
    return list(found)


def _between(name: str, ends: Match[str], type: Type) -> Sequence[Value]:
    """The numbers of a range, in steps of that of the parameter's own range, or of a multiple of it."""
    from zermelo.interpreter.elaboration.declarations import parameter_value
    from zermelo.interpreter.types import NumberType

    low, high = (parameter_value(end, type) for end in ends.groups()[:2])
    by = None if ends[3] is None else parameter_value(ends[3], type)
    if not isinstance(type, NumberType) or type.step is None:
        why, help = "is not a number that goes in steps", f"list its values: -p {name}=A,B"
    elif isinstance(low, str) or isinstance(high, str) or low > high:
        why, help = "has no such range", f"a range goes from a number up to a greater one: -p {name}=3..9"
    elif by is not None and (isinstance(by, str) or by <= 0 or by % type.step != 0):
        why, help = "has no such step", f"its steps are {format_value(type.step)}, or a multiple of that"
    elif (high - low) // (step := by or type.step) >= MOST:
        why, help = "has too many values in this range", f"a sweep has at most {MOST:,} combinations"
    else:
        steps = (Fraction(low + k * step) for k in range(int((high - low) // step) + 1))
        return [number.numerator if number.denominator == 1 else number for number in steps]
    raise ZermeloError("bad-usage", f"'{ends[0]}': the parameter '{name}' {why}", help)


# Rows in a file. No name in a game has a blank, so columns with one never have the name of a parameter.


_VALUE: Final = "value for "
_CERTAINTY, _SOLVER, _NODES, _SECONDS, _ERROR, _RULES, _OPTIONS = _COLUMNS = (
    "how certain", "solved by", "nodes visited", "seconds taken", "error code", "digest of rules", "options given",
)  # fmt: skip


@frozen
class _RowFile:
    """A file of rows of a grid, all of which depend on the same rules and options."""

    path: Path
    grid: _Grid
    options: str

    @property
    def rules(self) -> str:
        """A digest of the text of the rules."""
        return sha256(self.grid.declared.source.text.encode()).hexdigest()[:_DIGITS]

    def read(self) -> list[SweepRow]:
        """The rows that are there. Raises ``ZermeloError``: ``other-sweep``, ``unreadable-file``,
        ``unwritable-file``, ``library-missing``."""
        check_rows_writable(self.path)
        if not self.path.is_file() or not self.path.stat().st_size:
            return []
        names, found = list(self.grid.under({})[0]), read_rows(self.path)
        try:
            if found:
                return [self._row(cells, names) for cells in found]
        except InvalidGame as error:
            raise self._other(f"{self.path} has a row with values that no parameter has") from error
        except (KeyError, TypeError, ValueError, ZeroDivisionError) as error:
            raise self._without_rows() from error
        raise self._without_rows()

    def _row(self, cells: Mapping[str, Any], names: Sequence[str]) -> SweepRow:
        if cells[_RULES] != self.rules:
            raise self._other(f"the rows of {self.path} are those of another game, or of another text of this one")
        if (cells[_OPTIONS] or "") != self.options:
            had, has = (f"with {given}" if given else "without options" for given in (cells[_OPTIONS], self.options))
            raise self._other(f"the rows of {self.path} were made {had}, and these would be made {has}")
        parameters, players = self.grid.under({name: str(cells[name]) for name in names})
        is_solved = not cells[_ERROR]
        return SweepRow(
            parameters,
            {player: _number_text(cells[f"{_VALUE}{player}"]) for player in players} if is_solved else None,
            cells[_CERTAINTY] or "",
            cells[_SOLVER] or "",
            int(cells[_NODES]) if is_solved else None,
            float(cells[_SECONDS]),
            cells[_ERROR] or "",
        )

    def _without_rows(self) -> ZermeloError:
        return self._other(f"{self.path} has no rows of `zermelo sweep`")

    def _other(self, why: str) -> ZermeloError:
        return ZermeloError("other-sweep", why, "name another file for these rows, or delete that one")

    def write(self, rows: Sequence[SweepRow]) -> None:
        """Write rows, if there are any. Raises ``ZermeloError``: ``unwritable-file``, ``library-missing``."""
        if not rows:
            return
        parameters = list(rows[0].parameters)
        players = dict.fromkeys(player for row in rows for player in row.value or ())
        whole = [name for name in parameters if all(type(row.parameters[name]) is int for row in rows)]
        kinds = {**dict.fromkeys((*whole, _NODES), "int64"), _SECONDS: "double"}
        names = [*parameters, *(f"{_VALUE}{player}" for player in players), *_COLUMNS]
        write_rows(self.path, [self._cells(row, whole) for row in rows], names, kinds)

    def _cells(self, row: SweepRow, whole: Collection[str]) -> dict[str, Any]:
        given = {name: value if name in whole else parameter_text(value) for name, value in row.parameters.items()}
        values = {f"{_VALUE}{player}": amount for player, amount in (row.value or {}).items()}
        told = (row.certainty, row.solver, row.nodes, round(row.seconds, 3), row.error, self.rules, self.options)
        return {**given, **values, **dict(zip(_COLUMNS, told, strict=True))}


# The sweep.


@wrap_internal_errors
@check_first
def sweep(
    game: str | os.PathLike[str],
    grid: Mapping[str, Given],
    *,
    solver: str | None = None,
    time: float = inf,
    memory: int | None = None,
    machine: str = "auto",
    jobs: int | None = None,
    cluster: str | None = None,
    file: str | os.PathLike[str] | None = None,
    report: Callable[[int, SweepRow], None] = lambda number, row: None,
) -> list[SweepRow]:
    """Solve a game under all combinations of some values of its parameters: a row for each, in the order of the grid,
    in which the last parameter changes fastest.

    ``game`` is a path or the name of a bundled game. The ``grid`` has for each parameter one value, some, or a text as
    in ``zermelo sweep``: ``"3..9"``, ``"2,4"``; all other parameters have the values of the file. ``solver``, ``time``
    in seconds and ``memory`` in bytes are as in :func:`zermelo.solve`, for each combination. By default those that are
    worked on at once share a quarter of the memory of the machine. What stops one of them, a limit or a refusal, is
    the ``error`` of its row.

    ``jobs`` processes work at once, one for each core by default, or as many workers of the Ray ``cluster`` at this
    address, by default as many as it has room for. The rows are kept in a ``file``, CSV or .parquet, as they come;
    those that are there already, of the same rules and options, are not solved again. ``report`` is told each row, with
    its number in the grid, when it is known.

    Raises ``ZermeloError`` before anything is solved: ``unknown-game``, ``unreadable-file``, ``unknown-parameter``,
    ``unknown-solver``, ``other-sweep`` if the file has other rows, ``bad-usage`` for what is no grid; and
    ``InvalidGame`` if the game has errors or a value is out of the parameter's range. ``cluster-failed``,
    ``library-missing`` and ``unwritable-file`` may come later.

    >>> import zermelo
    >>> rows = zermelo.sweep("nim", {"heaps": "1..3", "smallest": [1, 2]}, jobs=1)
    >>> [(*row.parameters.values(), row.value["Ann"]) for row in rows]
    [(1, 1, '1'), (1, 2, '1'), (2, 1, '1'), (2, 2, '1'), (3, 1, '-1'), (3, 2, '1')]
    """
    check_counts(memory=memory, jobs=jobs)
    check_amounts(time=time)
    name = os.fspath(game)
    source = read_source(name)
    check_choice(machine)
    if solver is not None:
        from zermelo.solvers.choosing.registry import find_solver

        solver = find_solver(solver).name
    build(name, source, {})
    combined = _Grid.of(source, grid)
    kept = None if file is None else _RowFile(Path(file), combined, _options_text(solver, time, memory))
    before = {_key(row.parameters): row for row in (kept.read() if kept is not None else ())}
    found = dict[int, SweepRow]()
    for number, parameters in enumerate(combined.combinations):
        if (row := before.pop(_key(parameters), None)) is not None:
            found[number] = row
            report(number, row)
    left = [number for number in range(len(combined.combinations)) if number not in found]
    share = quarter_of_memory() // (1 if cluster is not None else jobs or cores())
    work = _Work(name, source, machine, solver, time, memory or share)

    def save() -> None:
        if kept is not None:
            others = before | {_key(row.parameters): row for row in kept.read()}  # of a sweep beside this one, too
            rows = {_key(row.parameters): row for row in (found[number] for number in sorted(found))}
            kept.write([*rows.values(), *(row for key, row in others.items() if key not in rows)])

    saved = perf_counter()
    try:
        with spread_of(cluster, jobs, InProcesses) as spread:
            for place, row in spread.map(work, [combined.combinations[number] for number in left]):
                found[left[place]] = row
                report(left[place], row)
                if perf_counter() > saved + _SAVING:
                    save()
                    saved = perf_counter()
    finally:
        save()
    return [found[number] for number in sorted(found)]


def parameter_text(value: int | bool | str) -> str:
    """A value of a parameter, as a user gives it."""
    return value if isinstance(value, str) else format_value(value)


def _number_text(text: str) -> str | None:
    """The text of a number; None for one that is not known. Raises ``ValueError`` or ``ZeroDivisionError`` for another
    text, such as the date that other programs make of a fraction."""
    if not text:
        return None
    Fraction(text)
    return text


def _options_text(solver: str | None, time: float, memory: int | None) -> str:
    """What rows depend on beside the rules, as options."""
    given = {"--solver": solver, "--time": None if time == inf else f"{time:g}", "--memory": memory}
    return " ".join(f"{name} {value}" for name, value in given.items() if value is not None)


def _key(parameters: Parameters) -> tuple[int | bool | str, ...]:
    return tuple(parameters.values())
