"""All solvers that fit a game, one after the other, each in a process of its own.

Separate processes make memory comparable: it is the peak of the process less its memory when the solver began. What
solvers have in common, their modules and LLVM, is loaded before the processes part, so that it counts for none.
Without forking (Windows), solvers run in this process and their memory is not known.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from fractions import Fraction
from importlib import import_module
from itertools import pairwise, product
from math import inf
from multiprocessing import get_all_start_methods, get_context
from multiprocessing.connection import Connection
from typing import Any, Final

from attrs import evolve, field, frozen

from zermelo.game import State
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.checks.game_facts import Facts
from zermelo.interpreter.machine import Machine, Payoff, PlayError, payoff_text
from zermelo.interpreter.native.llvm import engine
from zermelo.interpreter.native.running.machine import LoweredMachine
from zermelo.machines import name_of
from zermelo.numbers import VALUE, by_player, meaning_of_payoffs
from zermelo.report.console import Watch
from zermelo.results import UNASKED, GameRows, Provenance
from zermelo.solvers.choosing.choice import Settled, choose_solver, settle_for_all, solve
from zermelo.solvers.choosing.registry import Solver, all_solvers, broken_solvers, unmet_needs
from zermelo.solvers.common.libraries import end_with_parent, start_ignoring_interrupts
from zermelo.solvers.common.limits import LimitReached, Limits
from zermelo.solvers.common.numbers import within_round_error
from zermelo.solvers.solution import Certainty, Request
from zermelo.solving import on_machine, search

PATIENCE: Final = 20
"""How many times as long as the slower of two that agree the other solvers may take."""

LEAST_SECONDS: Final = 5.0
"""The seconds that those other solvers have in any case."""

START: Final = 1.5
"""The seconds that a solver may take to begin: its kernel is compiled for the game, which takes half a second the first
time, and longer on a busy machine. A solver that is stopped before has run in vain."""

START_PART: Final = 3
"""These seconds are at most the time that is left, divided by this number."""

GRACE: Final = 5.0
"""The seconds that a solver has to end in good order when its time is up. One that takes longer is ended."""

_LONGEST: Final = 1e6
"""More seconds than this are no limit: the system does not wait for so long."""

MORE: Final = 1.5
"""How many times its first share of the time a solver must get to try once more."""


@frozen
class Outcome:
    """The result of a solver. ``value`` is None if there is none, and ``stopped`` is the code of what stopped it, the
    user's limits or something about the game that only a search finds, which ``why`` says; ``certainty`` is the kind
    of the value, and ``interval`` the proved bounds on the first player's value, if any. ``meaning`` tells what it is
    (:mod:`zermelo.numbers`). ``memory`` is in bytes, None if it is not known; ``seconds`` is the solver's
    time."""

    solver: str
    value: Payoff | None = None
    certainty: str = ""
    interval: tuple[Fraction, Fraction] | None = None
    best: tuple[str, ...] = ()
    nodes: int | None = None
    seconds: float | None = field(default=None, eq=False)
    memory: int | None = field(default=None, eq=False)
    stopped: str = ""
    why: str = ""
    meaning: str = ""

    def row(self, players: Sequence[str]) -> dict[str, Any]:
        """A row of a table, with the value of each player."""
        low, high = self.interval or (None, None)
        amounts = self.value or [None] * len(players)
        return {
            "solver": self.solver,
            **{f"value for {player}": amount for player, amount in zip(players, amounts, strict=True)},
            "certainty": self.certainty,
            "meaning": self.meaning,
            "low": low,
            "high": high,
            "nodes": self.nodes,
            "seconds": self.seconds,
            "memory": self.memory,
            "stopped": self.stopped,
        }


@frozen(repr=False)
class Comparison(GameRows):
    """What every solver that fits a game finds, from :func:`zermelo.compare`: an outcome for each, in the order of the
    list of solvers. They searched on the ``machine`` of this name; ``facts`` are what is known of the game."""

    begin: State = field(eq=False)
    facts: Facts = field(eq=False)
    machine: str
    outcomes: tuple[Outcome, ...]
    provenance: Provenance = UNASKED

    @property
    def disagreement(self) -> str:
        """The contradiction between two of them, in words; empty if there is none."""
        return disagreement(self.facts, self.outcomes)

    def __repr__(self) -> str:
        found = sum(outcome.value is not None for outcome in self.outcomes)
        return f"<comparison of {len(self.outcomes)} solvers of '{self.game.name}': {found} have a value>"

    def rows(self) -> list[dict[str, Any]]:
        """A row for each solver: what it finds for each player, the bounds that it proves on the first one's value, its
        nodes, seconds and bytes, and the code of what stopped it."""
        return [outcome.row(self.game.players) for outcome in self.outcomes]

    def record(self) -> dict[str, Any]:
        return {**self._head(), "machine": self.machine, "solvers": list(map(self._outcome_record, self.outcomes))}

    def _outcome_record(self, outcome: Outcome) -> dict[str, Any]:
        return {
            "solver": outcome.solver,
            "value": None if outcome.value is None else by_player(self.game, outcome.value),
            "certainty": outcome.certainty or None,
            "meaning": outcome.meaning or None,
            "interval": None if outcome.interval is None else list(map(str, outcome.interval)),
            "best": list(outcome.best),
            "nodes": outcome.nodes,
            "seconds": outcome.seconds,
            "memory": outcome.memory,
            "stopped": outcome.stopped or None,
            "why": outcome.why or None,
        }


def compare_solvers(begin: State, limits: Limits, watch: Watch) -> Comparison:
    """What every solver finds from a state on. Raises ``ZermeloError`` as :func:`zermelo.compare` does."""
    game = begin.game
    with watch("looking at the positions", "positions", None) as report, limits.enforce():

        def look(machine: Machine[Any]) -> Settled:
            return settle_for_all(machine, game.facts, on_machine(begin, machine), limits, report)

        facts = search(game, look).facts
        machine = game.searching
    found: dict[str, Outcome] = {}
    with watch("comparing", "solvers", len(all_solvers())) as report:
        for outcome in compare(machine, facts, on_machine(begin, machine), limits):
            found[outcome.solver] = outcome
            report(len(found))
    return Comparison(begin, facts, name_of(machine), tuple(found.values()))


def compare(machine: Machine[Any], facts: Facts, root: Any, limits: Limits) -> Iterator[Outcome]:
    """The result from ``root`` on of every solver that fits the facts, in the order of the registry. Each has all the
    memory, and an equal share of the time that those before it have left, or if that is too short to begin with,
    :data:`START` seconds, while there are three times as many. Those whose share was too short try once more in the
    end, with equal shares of what is left, if that is more, since others have ended early: the later result of a solver
    replaces its first one. In the end come those of other packages that cannot be loaded. Without a time limit, the
    first two exact ones that agree set one for those after them: :data:`PATIENCE` times as long as the slower of the
    two, or :data:`LEAST_SECONDS`, so that the comparison ends. Those that iterate or sample end by themselves, and
    would use all of a limit.

    Raises ``ZermeloError`` (``no-solver``) if none fits, (``no-value``) where some of those who choose at once have
    chosen, and ``PlayError`` for an error of the rules.
    """
    if machine.is_within_round(root):
        raise within_round_error()
    fitting = [solver for solver in all_solvers() if not unmet_needs(solver, facts)]
    if not fitting:
        choose_solver(facts)  # raises, with the reason
    _load(machine, fitting)
    exact: list[Outcome] = []
    stopped: list[tuple[Solver, float]] = []
    for number, solver in enumerate(fitting):
        seconds = limits.left / (len(fitting) - number + len(stopped))
        has_own_end = solver.iterates or solver.samples
        if not has_own_end:
            seconds = max(seconds, min(START, limits.left / START_PART))
        if limits.seconds == inf and not has_own_end and _is_agreement(exact[:2]):
            seconds = max(LEAST_SECONDS, *(PATIENCE * (outcome.seconds or 0.0) for outcome in exact[:2]))
        outcome = (
            _run(machine, facts, root, solver, Limits(seconds, limits.memory)) if limits.left else _out_of_time(solver)
        )
        if outcome.certainty == "exact":
            exact.append(outcome)
        elif outcome.stopped == "out-of-time" or outcome.certainty == Certainty.DEPTH_LIMITED.value:
            stopped.append((solver, seconds))
        yield outcome
    for number, (solver, before) in enumerate(stopped):
        seconds = limits.left / (len(stopped) - number)
        if MORE * before < seconds < inf:
            yield _run(machine, facts, root, solver, Limits(seconds, limits.memory))
    for name, error in broken_solvers().items():
        yield Outcome(name, stopped=error.code, why=error.message)


def _load(machine: Machine[Any], solvers: Sequence[Solver]) -> None:
    """Load what solvers have in common."""
    for solver in solvers:
        import_module(solver.module)
    if isinstance(machine, LoweredMachine) and engine.is_available():
        engine.load()


def _out_of_time(solver: Solver) -> Outcome:
    """The outcome of a solver for which there is no time."""
    return Outcome(solver.name, stopped="out-of-time")


def _is_agreement(outcomes: Sequence[Outcome]) -> bool:
    """Whether these are two with the same value."""
    return len(outcomes) == 2 and outcomes[0].value == outcomes[1].value


def disagreement(facts: Facts, outcomes: Sequence[Outcome]) -> str:
    """The contradiction between two exact values, or between a value and proved bounds, in words. Where all get the
    same, what an equilibrium pays is no value, but it cannot exceed one. Empty if all agree, and for other games with
    several equilibria, of which solvers may find different ones."""
    exact = [outcome for outcome in outcomes if outcome.certainty == "exact"]
    values = [outcome for outcome in exact if outcome.meaning == VALUE]
    for one, two in pairwise(values):
        if one.value != two.value:
            return f"{one.solver} finds {_value_text(one)} and {two.solver} {_value_text(two)}, both called exact"
    for one, two in product(values, exact if facts.common_payoff.holds else ()):
        if one.value and two.value and one.value < two.value:
            return f"{one.solver} finds {_value_text(one)}, the most of all, and {two.solver} {_value_text(two)}"
    for one, two in product(values, outcomes):
        if one.value and two.interval and not two.interval[0] <= one.value[0] <= two.interval[1]:
            low, high = two.interval
            return f"{one.solver} finds {_value_text(one)}, and {two.solver} proves that it is between {low} and {high}"
    return ""


def _run(machine: Machine[Any], facts: Facts, root: Any, solver: Solver, limits: Limits) -> Outcome:
    if "fork" not in get_all_start_methods() or sys.platform == "darwin":
        return _outcome(machine, facts, root, solver, limits)
    context = get_context("fork")
    here, there = context.Pipe(duplex=False)
    process = context.Process(target=_send, args=(there, machine, facts, root, solver, limits))
    try:
        start_ignoring_interrupts(process)
        there.close()
        answer: Outcome | tuple[str, str, str]
        if here.poll(None if limits.seconds > _LONGEST else limits.left + GRACE):
            answer = here.recv()
        else:
            process.terminate()
            answer = _out_of_time(solver)
    except EOFError:
        answer = Outcome(solver.name, stopped="killed")
    except KeyboardInterrupt:
        if process.pid is not None:
            process.terminate()
        raise
    finally:
        if process.pid is not None:
            process.join()
    if isinstance(answer, tuple):
        code, message, help = answer
        raise ZermeloError(code, message, help)
    return answer


def _send(there: Connection, machine: Machine[Any], facts: Facts, root: Any, solver: Solver, limits: Limits) -> None:
    """The work of the child process."""
    import resource

    end_with_parent()
    unit = 1024  # Linux counts kilobytes
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    try:
        outcome = _outcome(machine, facts, root, solver, limits)
    except ZermeloError as error:
        there.send((error.code, error.message, error.help))
        return
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    there.send(evolve(outcome, memory=(after - before) * unit))


def _outcome(machine: Machine[Any], facts: Facts, root: Any, solver: Solver, limits: Limits) -> Outcome:
    try:
        within = Limits(limits.seconds, limits.memory)
        solution = solve(machine, facts, Request(solver.name, within), root, settled=Settled(facts))
    except PlayError:
        raise
    except LimitReached as reached:
        return Outcome(solver.name, stopped=reached.code)
    except ZermeloError as refusal:
        return Outcome(solver.name, stopped=refusal.code, why=refusal.message)
    return Outcome(
        solver.name,
        solution.value,
        solution.certainty.value,
        solution.interval,
        tuple(map(str, solution.best)),
        solution.counts["nodes"],
        solution.seconds,
        meaning=meaning_of_payoffs(facts, solution),
    )


def _value_text(outcome: Outcome) -> str:
    return payoff_text(outcome.value or ())
