"""The solver of positions: from a problem to an answer.

What the positions are worth is found by :mod:`~zermelo.solvers.positions.solving`. Here is what a person is told: the
value of the root, with what has been earned before; all best moves; and a line of best play.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Final

from attrs import evolve

from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.checks.game_facts import Facts
from zermelo.interpreter.checks.survey import written
from zermelo.interpreter.machine import Move, Payoff
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.common.plays import within_round
from zermelo.solvers.forms.policy import Duration
from zermelo.solvers.positions.circles.keeping_on import who_keeps_from_ending, who_keeps_on
from zermelo.solvers.positions.durations import durations
from zermelo.solvers.positions.graph.exploring import explore, images_of
from zermelo.solvers.positions.graph.graph import (
    ROOT,
    EarnsForEver,
    NeedsEndless,
    NeedsMixing,
    NeedsOneNumber,
    NotEnclosed,
    PositionGraph,
    TooManyPositions,
    contest_of,
    goes_round,
    without_all_positions,
)
from zermelo.solvers.positions.policies import Policy
from zermelo.solvers.positions.retrograde.retrograde import RetrogradeValues, lasting
from zermelo.solvers.positions.solved import (
    BoundedSolution,
    ContestSolution,
    EnclosedSolution,
    EquilibriumSolution,
    Guide,
    SolvedPositions,
    before_the_root,
    best_play,
    ends,
    shortest_path,
    source,
)
from zermelo.solvers.positions.solving import ContestValues, solve
from zermelo.solvers.positions.symmetric_answering import KEPT_ALONE, FirstMoves, is_own_mirror, symmetric_guide
from zermelo.solvers.positions.undecided import may_leave_out, undecided_answer
from zermelo.solvers.solution import Answer, Certainty, Problem

_MIRROR: Final = (
    "If the players are exchanged, it is the same game: so the value is exactly half of what both get together."
)


def positions(problem: Problem[Any]) -> Answer:
    """Solve by finding every position once. Needs a game in which everybody knows the position at every decision, but
    for what others choose at that moment. If they do not fit into memory, positions up to symmetries of the rules may
    (:mod:`.symmetric_answering`), or in a contest without chance, positions in which nobody can win at once
    (:mod:`zermelo.solvers.positions.undecided`), unless what to do in each of them is asked for: then the refusal comes
    at once.

    Raises ``ZermeloError``: ``needs-endless``, ``earns-for-ever``, ``needs-one-number``, ``no-solver``, ``no-value``,
    ``out-of-memory``, ``out-of-time``, ``broken-installation``, or an error of the rules."""
    if problem.machine.is_within_round(problem.root):
        raise within_round()
    try:
        return _one_by_one(problem)
    except ZermeloError as error:
        if error.code != "out-of-memory":
            raise
        refusal = error
        if isinstance(refusal, TooManyPositions):
            refusal.help = "; ".join([refusal.help, *without_all_positions(problem.facts)])
    refusal.__context__ = refusal.__traceback__ = None  # their frames hold all that has been found
    if problem.is_listed:
        enough = "positions up to symmetry" if images_of(problem.machine) is not None else None
        if may_leave_out(problem):
            enough = "positions in which nobody can win at once"
        if enough is not None:
            refusal.help = f"{refusal.help}; without --policy and --positions, {enough} may be enough"
        raise refusal
    answer = undecided_answer(problem) if may_leave_out(problem) else _up_to_symmetry(problem)
    if answer is None:
        raise refusal
    return answer


def _one_by_one(problem: Problem[Any]) -> Answer:
    """Solve all positions."""
    graph = explore(problem.machine, problem.facts, problem.root, problem.limits, problem.progress)
    return _answer(problem, Guide(problem.machine, problem.root, graph))


def _up_to_symmetry(problem: Problem[Any]) -> Answer | None:
    """Solve canonical positions; None if there are no symmetries, or if that does not fit into memory either, or if
    what players get depends on how ties are broken: that would not be the same among all positions."""
    try:
        guide = symmetric_guide(problem)
        if guide is None:
            return None
        answer = _answer(problem, guide)
    except ZermeloError as refusal:
        if refusal.code != "out-of-memory":
            raise
        return None
    assert isinstance(answer.policy, Policy), "that is what has been made"
    if _depends_on_ties(answer.policy.solved):
        return None
    return evolve(answer, policy=FirstMoves(answer.policy), notes=(*answer.notes, KEPT_ALONE))


def _depends_on_ties(solved: SolvedPositions) -> bool:
    """Whether equally good moves somewhere may make another payoff of the root, or of a move there."""
    graph = solved.graph
    behind = (graph.targets[edge] for edge in graph.edges(ROOT))
    return any(solved.alternatives(position) != () for position in (ROOT, *behind))


def _answer(problem: Problem[Any], guide: Guide[Any]) -> Answer:
    """What is to be said of the positions of a graph."""
    graph = guide.graph
    try:
        solved = solve(graph, problem.limits, problem.progress, problem.digits)
    except (NeedsEndless, EarnsForEver, NeedsOneNumber, NeedsMixing, NotEnclosed) as refusal:
        raise in_words(refusal, guide, problem.facts) from None
    earned, factor = before_the_root(problem.machine, problem.root)
    payoff, bounds = solved.payoff(ROOT), solved.bounds(ROOT)
    assert payoff is not None, "the root has a value, or the game has been refused"
    duration, policy = _duration(solved, problem.limits), Policy(guide, solved, problem.limits)
    surely, perhaps = _who_lasts(solved, problem)
    half = None if bounds is None else _half(graph, problem.limits)
    if half is not None:
        payoff, bounds = half, None
    interval = None if bounds is None else (earned[0] + factor * bounds[0], earned[0] + factor * bounds[1])
    return Answer(
        value=tuple(before + factor * later for before, later in zip(earned, payoff, strict=True)),
        best=tuple(guide.moves(problem.root)[edge] for edge in solved.best(ROOT)),
        line=best_play(guide, solved),
        counts={"nodes": len(graph), "terminals": ends(graph), "edges": len(graph.targets)},
        certainty=Certainty.EXACT if interval is None else Certainty.BOUNDED,
        alternatives=_alternatives(solved, earned, factor),
        notes=((_MIRROR,) if half is not None else ()) + _notes(solved, duration, policy.as_good(), policy.keeping()),
        interval=interval,
        policy=policy,
        distance=solved.distance(ROOT),
        duration=duration,
        lasting=surely,
        perhaps_lasting=perhaps,
        is_optimum=_is_optimum(solved),
    )


def _is_optimum(solved: SolvedPositions) -> bool:
    """Whether players who all get the same do as well as they can together."""
    if not isinstance(solved, ContestSolution | BoundedSolution | EnclosedSolution):
        return False
    return len(set(solved.contest.wants)) == 1


def _half(graph: PositionGraph, limits: Limits) -> Payoff | None:
    """What both players get of whom nobody has an advantage, where that is known without exact numbers."""
    contest = contest_of(graph)
    try:
        with limits.kept():
            if contest is None or contest.wants != (1, -1) or not is_own_mirror(graph, limits):
                return None
    except ZermeloError as error:
        if error.code != "out-of-time":
            raise
        return None
    return contest.total / 2, contest.total / 2


def _duration(solved: SolvedPositions, limits: Limits) -> Duration | None:
    """How long the play takes from the root, where distances do not say it."""
    found = None if solved.tells_distances else durations(solved, [ROOT], limits)
    return None if found is None else found.at(ROOT)


def _who_lasts(solved: SolvedPositions, problem: Problem[Any]) -> tuple[tuple[int, ...] | None, tuple[int, ...] | None]:
    """Who can see to it that the play never ends; and where chance draws, who can do so with a probability that is not
    0. None where no play can, where that is not known, or if the limits do not allow to find it."""
    graph, values = solved.graph, solved.values if isinstance(solved, ContestSolution) else None
    if not isinstance(values, RetrogradeValues | ContestValues) or graph.endless is None or graph.rises:
        return None, None
    if not any(goes_round(graph, component) for component in values.components):
        return None, None
    try:
        with problem.limits.kept():
            if isinstance(values, RetrogradeValues):
                return _who_lasts_without_chance(values, problem), None
            if graph.rewards is None and graph.discount == 1 and not graph.has_rounds:
                return who_keeps_on(values.low, problem.limits), who_keeps_from_ending(values.low, problem.limits)
    except ZermeloError as error:
        if error.code not in ("out-of-time", "out-of-memory"):
            raise
    return None, None


def _who_lasts_without_chance(values: RetrogradeValues, problem: Problem[Any]) -> tuple[int, ...]:
    if values.contest.graph.rewards is None and values.number(ROOT) != values.contest.endless:
        return ()  # if such a play paid a little more or less, it would still not be what is best
    return lasting(values, problem.limits, problem.progress).players(ROOT)


def _alternatives(solved: SolvedPositions, earned: Payoff, factor: Fraction) -> tuple[Payoff, ...] | None:
    """Other payoffs of best play, with what has been earned before."""
    found = solved.alternatives(ROOT)
    if found is None:
        return None
    return tuple(tuple(e + factor * a for e, a in zip(earned, payoff, strict=True)) for payoff in found)


def _notes(
    solved: SolvedPositions, duration: Duration | None, as_good: tuple[Move, ...], keeping: tuple[Move, ...]
) -> tuple[str, ...]:
    """What is to be known of the answer."""
    notes = []
    if keeping:
        notes.append(
            f"Worth as much, but only if another move is made some time, since they may lead round for ever: "
            f"{written(keeping)}."
        )
    if as_good:
        notes.append(f"As far as the bounds tell, these may be best, too: {written(as_good)}.")
    if isinstance(solved, EquilibriumSolution) and solved.shares.has_stages:
        notes.append(
            "This is one equilibrium: of each round one is found, and the rounds before it reckon with what it pays; "
            "others, if there are any, may pay something else."
        )
    if duration is None and not solved.tells_distances:
        notes.append(
            "How long plays take has not been found: best play comes to very many positions, or the limits do not "
            "allow it."
        )
    return tuple(notes)


def in_words(
    refusal: NeedsEndless | EarnsForEver | NeedsOneNumber | NeedsMixing | NotEnclosed, guide: Guide[Any], facts: Facts
) -> ZermeloError:
    """Why positions have no value, with a play that shows it."""
    match refusal:
        case NeedsEndless():
            return ZermeloError(
                "needs-endless",
                f"{_after(guide, list(refusal.play))} {_keepers(refusal, guide.graph)} for ever, and the rules do not "
                "say what it pays then, on which the value depends",
                "say it with 'endless draw' or 'endless payoff ...', or give the game a 'discount'",
            )
        case EarnsForEver():
            path = [*shortest_path(guide.graph, source(guide.graph, refusal.edge)), refusal.edge]
            return ZermeloError(
                "earns-for-ever",
                f"{_after(guide, path)} a play can come back and earn something again and again, so that the "
                "sum of it need not have a limit",
                "with a 'discount' the sum of what is earned stays finite",
            )
        case NeedsOneNumber():
            why = "the payoffs neither have a constant sum nor are the same for both"
            if len(guide.graph.players) > 2:
                why = "there are more than two players, whose payoffs are not the same"
            return ZermeloError(
                "needs-one-number",
                f"{_after(guide, shortest_path(guide.graph, refusal.position))} the same position can come again, and "
                f"{why}, so that positions have no value",
                "; ".join(["let a rule end every play, such as a limit on moves", *without_all_positions(facts)]),
            )
        case NeedsMixing():
            return ZermeloError(
                "no-solver",
                f"{_after(guide, shortest_path(guide.graph, refusal.position))} more than two players choose at the "
                "same moment, and have no equilibrium there in which nobody mixes; others have no exact numbers in "
                "general",
                "--solver cfr_plus iterates, and says how far from an equilibrium it is",
            )
        case NotEnclosed():
            return ZermeloError(
                "no-solver",
                f"{_after(guide, shortest_path(guide.graph, refusal.position))} players choose at once in positions "
                "that can come again, and no bounds of their values could be proved",
                "let what can be earned, or how long a play can last, be more even",
            )


def _keepers(refusal: NeedsEndless, graph: PositionGraph) -> str:
    """Who can keep a play going, in words: ``Ann can keep the play going``."""
    if not refusal.keepers:
        return "a play can go on"
    contest, how = contest_of(graph), ""
    if contest is not None and len(refusal.keepers) > 1:
        how = " each" if len(set(contest.wants)) > 1 else " together"
    players = " and ".join(graph.players[player] for player in refusal.keepers)
    return f"{players} can{how} keep the play going"


def _after(guide: Guide[Any], path: list[int]) -> str:
    return f"after {written(guide.play(path))}" if path else "from the beginning"
