"""What is known about a game, and its solution."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from zermelo.game import Game, State

if TYPE_CHECKING:  # importing the package does not need the solvers
    from collections.abc import Callable

    from interpreter.checks.fact import Fact
    from interpreter.checks.facts import Facts
    from interpreter.checks.survey import Survey
    from interpreter.machine import Machine
    from solvers.native.positions import Size
    from solvers.solution import Solution

SURVEY_POSITIONS = 100_000
SURVEY_SECONDS = 2.0
"""A survey of more would keep a user waiting who asked for something else."""


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
    from interpreter.checks.shortest import shortest_play
    from solvers.registry import solve as solve_by

    root = game if isinstance(game, State) else None
    game = game.game if isinstance(game, State) else game
    with shortest_play(game.machine):
        return solve_by(game.machine, facts_of(game), solver, progress, None if root is None else root.machine_state)


def facts_of(game: Game) -> Facts:
    """What is known about a game; its positions are looked at only where the rules leave something open."""
    from interpreter.checks.facts import facts

    known = facts(game.model)
    return known if all(fact.holds is not None for fact in _questions(known)) else study(game)[0]


def _questions(known: Facts) -> tuple[Fact, ...]:
    """What solvers ask about a game."""
    return known.constant_sum, known.chance, known.terminates


def study(
    game: Game, progress: Callable[[int], None] | None = None, machine: Machine[Any] | None = None
) -> tuple[Facts, Survey | Size]:
    """What is known about a game from its rules and from a survey of its positions, of two seconds at most; and that
    survey, as far as it went. Where the rules tell all and ``machine`` can count positions, it only counts them.

    Raises ``PlayError``, with a shortest play, where the rules go wrong in a position that it visits.
    """
    from interpreter.checks.facts import facts
    from interpreter.checks.shortest import shortest_play
    from interpreter.checks.survey import survey
    from interpreter.native.machine import LoweredMachine
    from solvers.limits import Limits
    from solvers.native.positions import measure
    from solvers.solution import ignore_progress

    known = facts(game.model)
    is_known = known.terminates.holds and all(fact.holds is not None for fact in _questions(known))
    if isinstance(machine, LoweredMachine) and is_known and not game.model.history:
        return known, measure(machine, SURVEY_POSITIONS, Limits(SURVEY_SECONDS), progress or ignore_progress)
    with shortest_play(game.machine):
        surveyed = survey(game.machine, SURVEY_POSITIONS, SURVEY_SECONDS, progress)
    return known.with_survey(surveyed), surveyed
