"""What is known about a game, and its solution."""

from __future__ import annotations

from contextlib import suppress
from math import inf
from typing import TYPE_CHECKING, Any, Final, TypeVar

from zermelo.game import Game, State
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.machine import PlayError
from zermelo.last_resort import at_the_door

if TYPE_CHECKING:  # importing the package does not need the solvers
    from collections.abc import Callable

    from zermelo.interpreter.analysis.fact import Fact
    from zermelo.interpreter.checks.game_facts import Facts
    from zermelo.interpreter.checks.information_sets import InformationSetCount
    from zermelo.interpreter.checks.survey import Survey
    from zermelo.interpreter.machine import Machine
    from zermelo.interpreter.model import Claim
    from zermelo.solvers.common.limits import Limits
    from zermelo.solvers.common.size import Size
    from zermelo.solvers.solution import Solution

Result = TypeVar("Result")

COUNTED: Final = 100_000
SURVEYED: Final = 20_000
SURVEYED_WITH_HISTORY: Final = 200
"""So many positions are looked at where nobody has set a limit and nothing depends on it but what is told: by a kernel,
by a survey, and by a survey of a game whose rules look at the history of the play, in which hardly a position comes up
twice; and so many histories, where it is open who knows the position. A number of positions, and not of seconds: what
is told is the same on every machine, however busy it is."""


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
        return solve_knowing(game.facts, game, None, solver, progress)
    return solve_knowing(game.game.facts, game.game, game, solver, progress)


def solve_knowing(
    facts: Facts,
    game: Game,
    root: State | None = None,
    solver: str | None = None,
    progress: Callable[[int], None] | None = None,
    limits: Limits | None = None,
) -> Solution:
    """What :func:`solve` gives, from what is known about the game already, within limits."""
    from zermelo.solvers.choosing.solving import solve as solve_by

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
        from zermelo.interpreter.checks.shortest import shortest_failure

        raise shortest_failure(game.reference, error) from error


def on_machine(state: State, machine: Machine[Any]) -> Any:
    """The same state on another machine of the same game."""
    if machine is state.game.machine:
        return state.machine_state
    there = machine.initial()
    for move in state.play:
        there = machine.after(there, move)
    return there


def informed(game: Game) -> Facts:
    """What the rules alone tell, and, where they leave open whether whoever is to decide knows the position, what the
    first few plays show of that."""
    from zermelo.interpreter.checks.information_sets import find_confusion

    known = game.facts
    if known.perfect_information.holds is not None:
        return known
    return known.with_confusion(find_confusion(game.searching))


def facts_of(game: Game, progress: Callable[[int], None] | None = None) -> Facts:
    """What is known about a game, for who wants to be told: where the rules leave something open that solvers ask or
    the file claims, so many of its positions are looked at as take no time to speak of. They are counted by a kernel if
    only the end is open, else surveyed; and histories are visited where the file claims that nothing is hidden. What a
    solver needs to know is not for this to find out (:mod:`zermelo.solvers.choosing.settling`).

    Raises ``PlayError``, with a shortest play, where the rules go wrong in a position that it visits.
    """
    known, claimed = informed(game), {claim.property for claim in game.model.claims}
    if known.perfect_information.holds is None and "perfect_information" in claimed:
        with suppress(ZermeloError):  # too many outcomes to list, or information sets that go wrong: it stays open
            known = known.with_information_sets(_histories(game, progress))
    asked = [known.constant_sum, known.chance, *([known.common_payoff] if "common_payoff" in claimed else [])]
    if any(fact.holds is None for fact in asked):
        return known.with_survey(_surveyed(game, progress))
    if known.terminates.holds is not None:
        return known
    from zermelo.solvers.common.limits import MEMORY

    count = _counted(game, inf, MEMORY, COUNTED, progress)
    if count is None:
        return known.with_survey(_surveyed(game, progress))
    return known.with_count(count.positions, count.finished, count.loop)


def _histories(game: Game, progress: Callable[[int], None] | None) -> InformationSetCount:
    """Whether somebody who is to decide may not know the position, as far as that takes no time to speak of."""
    from zermelo.interpreter.checks.information_sets import count_information_sets

    most = SURVEYED_WITH_HISTORY if game.model.history else SURVEYED
    return search(game, lambda machine: count_information_sets(machine, most, until_confused=True, progress=progress))


def falling(game: Game, claim: Claim) -> Fact:
    """Whether the tuple of a claim ``terminates by`` gets smaller with every decision, from a look at as many positions
    as take no time to speak of. Raises ``PlayError``, with a shortest play, where the rules go wrong in one of them."""
    from zermelo.interpreter.checks.falling import survey_of_falling

    most = SURVEYED_WITH_HISTORY if game.model.history else SURVEYED
    return search(game, lambda _: survey_of_falling(game.model, claim, most))


def _surveyed(
    game: Game,
    progress: Callable[[int], None] | None = None,
    seconds: float = inf,
    memory: float | None = None,
) -> Survey:
    """A survey of as many positions as memory holds, or of as many as are looked at where no limit is given."""
    from zermelo.interpreter.checks.survey import survey

    if memory is not None:
        return search(game, lambda machine: survey(machine, inf, seconds, progress, memory=memory))
    most = SURVEYED_WITH_HISTORY if game.model.history else SURVEYED
    return search(game, lambda machine: survey(machine, most, seconds, progress))


def size_of(
    game: Game, limits: Limits, progress: Callable[[int], None] | None = None, threads: int = 1
) -> Survey | Size:
    """How many positions a game has, as far as limits go; without a time, as far as takes no time to speak of.

    Raises ``PlayError``, with a shortest play, where the rules go wrong in a position that it visits.
    """
    from zermelo.solvers.common.limits import MEMORY

    is_limited = limits.seconds < inf or limits.memory != MEMORY
    size = _counted(game, limits.seconds, limits.memory, inf if is_limited else COUNTED, progress, threads)
    return size or _surveyed(game, progress, limits.seconds, limits.memory if is_limited else None)


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
    from zermelo.interpreter.native.running.machine import BeyondLimits, LoweredMachine
    from zermelo.solvers.common.limits import Limits
    from zermelo.solvers.common.progress import ignore_progress
    from zermelo.solvers.native.positions import measure

    machine, report = game.searching, progress or ignore_progress
    if isinstance(machine, LoweredMachine) and not game.model.history:

        def count() -> Size:
            limits = Limits(seconds, memory)
            return search(game, lambda _: measure(machine, limit_positions, limits, report, threads))

        with suppress(BeyondLimits):
            return machine.with_room(lambda: game.prepared.size(count))
    return None
