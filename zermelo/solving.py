"""What is known about a game, and its solution."""

from __future__ import annotations

from contextlib import suppress
from math import inf
from typing import TYPE_CHECKING, Any, TypeVar

from interpreter.machine import PlayError
from zermelo.game import Game, State
from zermelo.last_resort import at_the_door

if TYPE_CHECKING:  # importing the package does not need the solvers
    from collections.abc import Callable

    from interpreter.checks.fact import Facts
    from interpreter.checks.survey import Survey
    from interpreter.machine import Machine
    from solvers.limits import Limits
    from solvers.size import Size
    from solvers.solution import Solution

Result = TypeVar("Result")

SURVEY_POSITIONS = 100_000
SURVEY_SECONDS = 2.0
"""A survey of more would keep a user waiting who asked for something else."""


@at_the_door
def solve(game: Game | State, solver: str | None = None, progress: Callable[[int], None] | None = None) -> Solution:
    """The value of a game, or of what is left of it from a state on, when everybody plays best.

    ``solver`` is the name of a solver; without one the first that fits is taken. ``progress`` is called every few
    hundred nodes with the number of nodes visited so far. The ``value`` of the solution is a tuple of ``Fraction``,
    in the order of the players and in units of payoff; ``best`` are the best moves to begin with.

    Raises ``ZermeloError``: ``unknown-solver``, ``no-solver``, a code that begins with ``needs-`` where the game is not
    of the solver's kind, and ``PlayError`` where the rules go wrong in the search.

    >>> import zermelo
    >>> solution = zermelo.solve(zermelo.load("three_player_tree"))
    >>> solution.value
    (Fraction(4, 1), Fraction(3, 1), Fraction(2, 1))
    >>> solution.solver, [str(move) for move in solution.best]
    ('maxn', ['left'])
    """
    if isinstance(game, Game):
        return solve_knowing(facts_of(game), game, None, solver, progress)
    return solve_knowing(facts_of(game.game), game.game, game, solver, progress)


def solve_knowing(
    facts: Facts,
    game: Game,
    root: State | None = None,
    solver: str | None = None,
    progress: Callable[[int], None] | None = None,
    limits: Limits | None = None,
) -> Solution:
    """What :func:`solve` gives, from what is known about the game already, within limits."""
    from solvers.solving import solve as solve_by

    def work(machine: Machine[Any]) -> Solution:
        start = None if root is None else on_machine(root, machine)
        return solve_by(machine, facts, solver, progress, start, limits)

    return search(game, work)


def search(game: Game, work: Callable[[Machine[Any]], Result]) -> Result:
    """What ``work`` makes of the machine on which the game is searched. What goes wrong in the rules comes out with a
    shortest play to it."""
    try:
        return work(game.searching)
    except PlayError as error:
        from interpreter.checks.shortest import shortest_failure

        raise shortest_failure(game.reference, error) from error


def on_machine(state: State, machine: Machine[Any]) -> Any:
    """The same state on another machine of the same game."""
    if machine is state.game.machine:
        return state.machine_state
    there = machine.initial()
    for move in state.play:
        there = machine.after(there, move)
    return there


def facts_of(game: Game) -> Facts:
    """What is known about a game; its positions are looked at only where the rules leave something open."""
    return study(game)[0]


def study(
    game: Game, progress: Callable[[int], None] | None = None, limits: Limits | None = None
) -> tuple[Facts, Survey | Size | None]:
    """What is known about a game. Where the rules leave open what solvers ask, its positions are looked at, for two
    seconds at most and for half the time that ``limits`` leave: counted by a kernel if only the end is open, else
    surveyed. The count or survey comes along, as far as it went. Whether plays end does not matter to a search that
    looks only so deep, so for that alone nothing is counted.

    Raises ``PlayError``, with a shortest play, where the rules go wrong in a position that it visits.
    """
    known = game.facts
    seconds = SURVEY_SECONDS if limits is None else min(SURVEY_SECONDS, limits.left / 2)
    if known.constant_sum.holds is None or known.chance.holds is None:
        return surveyed(game, progress, seconds)
    if known.terminates.holds is not None or (limits is not None and limits.depth < inf):
        return known, None
    from solvers.limits import MEMORY

    count = _counted(game, seconds, MEMORY, SURVEY_POSITIONS, progress)
    if count is None:
        return surveyed(game, progress, seconds)
    return known.with_count(count.positions, count.finished, count.loop), count


def surveyed(
    game: Game,
    progress: Callable[[int], None] | None = None,
    seconds: float = SURVEY_SECONDS,
    limit_positions: int = SURVEY_POSITIONS,
) -> tuple[Facts, Survey]:
    """What :func:`study` gives, with all that a survey can settle."""
    from interpreter.checks.survey import survey

    found = search(game, lambda machine: survey(machine, limit_positions, seconds, progress))
    return game.facts.with_survey(found), found


def size_of(
    game: Game, limits: Limits, progress: Callable[[int], None] | None = None, threads: int = 1
) -> Survey | Size:
    """How many positions a game has, as far as limits go.

    Raises ``PlayError``, with a shortest play, where the rules go wrong in a position that it visits.
    """
    size = _counted(game, limits.seconds, limits.memory, inf, progress, threads)
    return size or surveyed(game, progress, limits.seconds, limits.entries)[1]


def _counted(
    game: Game,
    seconds: float,
    memory: int,
    limit_positions: float,
    progress: Callable[[int], None] | None,
    threads: int = 1,
) -> Size | None:
    """What kernels count of the positions in so many seconds, from when the game is ready; None for a game that they
    cannot play."""
    from interpreter.native.machine import BeyondLimits, LoweredMachine
    from solvers.limits import Limits
    from solvers.native.positions import measure
    from solvers.solution import ignore_progress

    machine, report = game.searching, progress or ignore_progress
    if isinstance(machine, LoweredMachine) and not game.model.history:

        def count() -> Size:
            limits = Limits(seconds, memory)
            return search(game, lambda _: measure(machine, limit_positions, limits, report, threads))

        with suppress(BeyondLimits):
            return machine.with_room(lambda: game.prepared.size(count))
    return None
