"""The facts about a game, and the search for a solution."""

from __future__ import annotations

from contextlib import suppress
from math import inf
from typing import TYPE_CHECKING, Any, Final, TypeVar

from zermelo.game import Game, State
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.grammar.names import shown
from zermelo.interpreter.machine import PlayError
from zermelo.solvers.common.limits import Goal, Limits, Sampling, ignore_progress, quarter_of_memory
from zermelo.solvers.solution import Endgames, Request, Solution

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from zermelo.interpreter.checks.game_facts import Facts, InformationSetCount, Survey
    from zermelo.interpreter.facts import Fact
    from zermelo.interpreter.machine import Machine, Move, TellingMachine
    from zermelo.interpreter.model import Claim
    from zermelo.solvers.common.numbers import Size

Result = TypeVar("Result")

COUNTED: Final = 100_000
SURVEYED: Final = 20_000
SURVEYED_WITH_HISTORY: Final = 200
"""Limits, in positions, of counts that only inform the user: by a kernel, by a survey, and by a survey of a game whose
rules read the history of the play, in which hardly a position comes up twice; the last one also limits histories, where
it is open who knows the position. They are positions and not seconds, so that the output is the same on every machine,
however busy it is."""


def solve_knowing(
    facts: Facts,
    game: Game,
    root: State | None = None,
    solver: str | None = None,
    progress: Callable[[int], None] | None = None,
    limits: Limits | None = None,
    goal: Goal | None = None,
    hurries: bool = False,
    sampling: Sampling | None = None,
    endgames: Endgames | None = None,
) -> Solution:
    """The result of :func:`zermelo.solve`, with facts already known, within limits; for a solver that iterates, up to a
    goal, and for one that simulates, with so many simulations. The best moves are those that win soonest or lose
    latest only if it ``hurries``, which takes longer than finding the value."""
    from zermelo.solvers.choosing.choice import solve as solve_by

    def work(machine: Machine[Any]) -> Solution:
        start = None if root is None else on_machine(root, machine)
        request = Request(solver, limits or Limits(), goal=goal, sampling=sampling, hurries=hurries, endgames=endgames)
        return solve_by(machine, facts, request, start, progress or ignore_progress)

    return search(game, work)


def search(game: Game, work: Callable[[TellingMachine[Any]], Result]) -> Result:
    """The result of ``work`` on the machine on which the game is searched. An error of the rules is raised with a
    shortest play that leads to it; and a refusal that asks for a smaller game says how parameters may make it so."""
    try:
        return work(game.searching)
    except PlayError as error:
        from zermelo.interpreter.checks.game_facts import shortest_failure

        raise shortest_failure(game.reference, error) from error
    except ZermeloError as error:
        from zermelo.smaller_games import name_smaller

        name_smaller(error, game)
        raise


def on_machine(state: State, machine: Machine[Any]) -> Any:
    """The same state on another machine of the same game."""
    if machine is state.game.machine:
        return state.machine_state
    there = machine.initial()
    for move in state.play:
        there = machine.after(there, move)
    return there


def all_on_machine(game: Game, states: Iterable[Any], machine: Machine[Any]) -> list[Any]:
    """States of a game's machine on another one. What their plays have in common is played once."""
    if machine is game.machine:
        return list(states)
    root = machine.initial()
    after: dict[tuple[int, Move], Any] = {}  # by the identity of states, all of which are kept here
    found = []
    for state in states:
        there = root
        for move in game.machine.play(state):
            step = id(there), move
            if step not in after:
                after[step] = machine.after(there, move)
            there = after[step]
        found.append(there)
    return found


def facts_with_information(game: Game) -> Facts:
    """The facts proved by the rules, and, if they leave open whether the information is perfect, what the first few
    plays show."""
    from zermelo.interpreter.checks.game_facts import find_confusion

    known = game.facts
    if known.perfect_information.holds is not None:
        return known
    return known.with_confusion(find_confusion(game.searching))


def facts_of(game: Game, progress: Callable[[int], None] | None = None, limits: Limits | None = None) -> Facts:
    """The facts about a game, for the user: if the rules leave open a property that solvers need or the file claims,
    the first positions are searched: as many as take no time worth mentioning or, if the user has set ``limits``, as
    these allow. A kernel counts them if only the end is open, else they are surveyed; histories are visited if the
    file claims perfect information. What a solver needs is found elsewhere
    (:mod:`zermelo.solvers.choosing.choice`).

    Raises ``PlayError``, with a shortest play, for an error of the rules in a visited position.
    """
    limits = limits or Limits()
    known, claimed = facts_with_information(game), {claim.property for claim in game.model.claims}
    if known.perfect_information.holds is None and "perfect_information" in claimed:
        with suppress(ZermeloError):  # too many outcomes to list, or inconsistent information sets: it stays open
            known = known.with_information_sets(_count_sets(game, progress))
    if _needs_survey(known, claimed):
        return with_size(known, _survey_positions(game, limits, progress))
    if known.terminates.holds is not None:
        return known
    return with_size(known, size_of(game, limits, progress))


def _needs_survey(known: Facts, claimed: set[str]) -> bool:
    """Whether something is open that only a survey tells: what is paid, or whether chance draws."""
    asked = [known.constant_sum, known.chance, *([known.common_payoff] if "common_payoff" in claimed else [])]
    return any(fact.holds is None for fact in asked)


def with_size(known: Facts, size: Survey | Size) -> Facts:
    """The facts, extended by a visit of positions; those that it leaves open say where it was stopped."""
    from zermelo.solvers.common.numbers import Size

    if isinstance(size, Size):
        found = known.with_count(size.positions, size.finished, size.loop)
    else:
        found = known.with_survey(size)
    if size.finished or size.loop is not None:
        return found
    return found.left_open(f"the visit of its positions was stopped {size.stopped}, and --time and --memory allow more")


def _count_sets(game: Game, progress: Callable[[int], None] | None) -> InformationSetCount:
    """A count of the information sets of the first histories, which may show that information is imperfect."""
    from zermelo.interpreter.checks.game_facts import count_information_sets

    most = _first_positions(game)
    return search(game, lambda machine: count_information_sets(machine, most, until_confused=True, progress=progress))


def visit_positions(
    game: Game, limits: Limits, progress: Callable[[int], None] | None = None, threads: int = 1
) -> tuple[Facts, Survey | Size]:
    """The facts about a game, extended by what a visit of its positions shows, and their number as :func:`size_of`
    finds it. If the rules leave open the sum of the payoffs, or whether chance draws, a survey goes first, whose count
    does if it comes to the end. If not, what its positions have shown remains: one draw is enough to say that chance
    draws, however many positions are left. Raises ``PlayError``."""
    known = facts_with_information(game)
    if _needs_survey(known, {claim.property for claim in game.model.claims}):
        found = _survey_positions(game, limits, progress)
        if found.finished:
            return with_size(known, found), found
        known = known.with_survey(found)
    size = size_of(game, limits, progress, threads)
    return with_size(known, size), size


def survey_ranking(game: Game, claim: Claim, limits: Limits) -> Fact:
    """Whether the tuple of a claim ``terminates by`` decreases with every decision, from a survey of the first
    positions or, if the user set ``limits``, of as many as they allow. Raises ``PlayError``, with a shortest play, for
    an error of the rules in one of them."""
    from zermelo.interpreter.checks.visited_ranking import survey_measure

    memory = memory_set(limits)
    most = inf if memory is not None else _first_positions(game)
    return search(game, lambda _: survey_measure(game.model, claim, most, limits.seconds, memory or inf))


def memory_set(limits: Limits) -> int | None:
    """The memory for positions if the user has set a limit; None if only the first positions are to be visited."""
    return limits.memory if limits.seconds < inf or limits.memory != quarter_of_memory() else None


def _first_positions(game: Game) -> int:
    return SURVEYED_WITH_HISTORY if game.model.history else SURVEYED


def _survey_positions(game: Game, limits: Limits, progress: Callable[[int], None] | None) -> Survey:
    """A survey of as many positions as memory holds, or, without limits, of the first positions."""
    from zermelo.interpreter.checks.game_facts import survey

    memory = memory_set(limits)
    most = _first_positions(game) if memory is None else inf
    room = inf if memory is None else memory
    return search(game, lambda machine: survey(machine, most, limits.seconds, progress, memory=room))


def size_of(
    game: Game, limits: Limits, progress: Callable[[int], None] | None = None, threads: int = 1
) -> Survey | Size:
    """The number of positions of a game, within limits; by default of the first positions only. Kernels count them, or
    for a game that they cannot run, a survey.

    Raises ``PlayError``, with a shortest play, for an error of the rules in a visited position.
    """
    from zermelo.interpreter.native.running.machine import LoweredMachine
    from zermelo.interpreter.native.running.views import BeyondLimits
    from zermelo.solvers.search.positions import measure

    machine, report, most = game.searching, progress or ignore_progress, COUNTED if memory_set(limits) is None else inf
    if isinstance(machine, LoweredMachine) and not game.model.history:

        def count() -> Size:
            within = Limits(limits.seconds, limits.memory)  # from now on: the game is ready
            return search(game, lambda _: measure(machine, most, within, report, threads))

        with suppress(BeyondLimits):
            return machine.with_room(lambda: game.prepared.size(count))
    return _survey_positions(game, limits, progress)


# What kind of game it is, in words.


Line = tuple[str, str]
"""A word and a text about it."""

_INFORMATION = ("perfect", "imperfect", "not known to be perfect")
_BETWEEN_ROUNDS = ("public between them", "not public between them", "not known to be public between them")


def describe(facts: Facts) -> list[Line]:
    """Players, sum, chance, information and end, each with the reason why it is known; if players choose at once, also
    what is known between these rounds."""
    public = facts.public_between_rounds
    rounds = [("rounds", _text_with_reason(public.word(*_BETWEEN_ROUNDS), public))] if facts.simultaneous.holds else []
    several = [("sum", _text_with_reason(_sum(facts), facts.constant_sum))] if len(facts.players) > 1 else []
    return [
        ("players", ", ".join(map(shown, facts.players))),
        *several,
        ("chance", _text_with_reason(facts.chance.word("yes", "none", "not known"), facts.chance)),
        ("information", _text_with_reason(facts.perfect_information.word(*_INFORMATION), facts.perfect_information)),
        *rounds,
        ("end", _text_with_reason(facts.terminates.word("certain", "not certain", "not known"), facts.terminates)),
    ]


def size_text(survey: Survey | Size) -> str:
    """The size of the game, as far as the survey went."""
    if not survey.finished:
        return f"large: counting the positions was stopped {survey.stopped}"
    ends = f"{survey.positions:,} positions, {survey.terminals:,} of them ends"
    return ends if survey.longest is None else f"{ends}; the longest play has {survey.longest:,} moves"


def size_record(survey: Survey | Size) -> dict[str, object]:
    """The size of the game as JSON; ``longest`` is null if it is not known."""
    return {
        "finished": survey.finished,
        "positions": survey.positions,
        "terminals": survey.terminals,
        "longest": survey.longest,
    }


def fact_record(fact: Fact) -> dict[str, object]:
    """A fact as JSON: ``holds`` is true, false, or null if it is not known."""
    return {"holds": fact.holds, "how": fact.how}


def facts_record(facts: Facts) -> dict[str, object]:
    """All facts, by name."""
    return {
        "constant_sum": fact_record(facts.constant_sum),
        "sum": None if facts.sum is None else str(facts.sum),
        "common_payoff": fact_record(facts.common_payoff),
        "chance": fact_record(facts.chance),
        "simultaneous": fact_record(facts.simultaneous),
        "perfect_information": fact_record(facts.perfect_information),
        "public_between_rounds": fact_record(facts.public_between_rounds),
        "terminates": fact_record(facts.terminates),
    }


def _sum(facts: Facts) -> str:
    if facts.constant_sum.holds:
        return "zero" if facts.sum == 0 else f"always {facts.sum}"
    return "not constant" if facts.constant_sum.holds is False else "not known to be constant"


def _text_with_reason(word: str, fact: Fact) -> str:
    return f"{word} ({fact.how})"
