"""The solver of positions: from a problem to an answer; and by positions up to symmetry, if not all of them fit into
memory."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable
from fractions import Fraction
from typing import Any, Final

from attrs import evolve, frozen

from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.checks.game_facts import Facts, play_text
from zermelo.interpreter.machine import END, Move, Payoff
from zermelo.interpreter.model.rewriting import rules_of
from zermelo.interpreter.native.dialect.kernel_source import kernel
from zermelo.interpreter.native.images import Images
from zermelo.interpreter.native.running.kernels import Kernels
from zermelo.interpreter.native.running.machine import LoweredMachine, LoweredState
from zermelo.interpreter.native.running.views import BeyondLimits, pack_state, unpack_state
from zermelo.interpreter.native.state_encoding.state_layout import PHASE
from zermelo.interpreter.symmetries.equivariance import IDENTITY
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.common.numbers import within_round_error
from zermelo.solvers.forms.policy import Duration
from zermelo.solvers.kernels.canonical_form import Bringing, bring
from zermelo.solvers.positions.durations import durations
from zermelo.solvers.positions.graph import exploring
from zermelo.solvers.positions.graph.exploring import explore
from zermelo.solvers.positions.graph.graph import (
    PAYS,
    ROOT,
    EarnsForEver,
    NeedsEndless,
    NeedsMixing,
    NeedsOneNumber,
    NotEnclosed,
    PositionGraph,
    TooManyPositions,
    begins_round,
    contest_of,
    goes_round,
    suggest_other_solvers,
)
from zermelo.solvers.positions.policies import Policy
from zermelo.solvers.positions.retrograde import RetrogradeValues, who_sustains
from zermelo.solvers.positions.solved_positions import (
    EquilibriumSolution,
    Guide,
    SolvedContest,
    SolvedPositions,
    best_play,
    count_ends,
    earned_and_factor_before,
    shortest_path,
    source_of,
)
from zermelo.solvers.positions.solving import ContestValues, solve
from zermelo.solvers.positions.stochastic_cycles.sustaining import who_keeps_from_ending, who_keeps_on
from zermelo.solvers.positions.stochastic_games.matrix_rounds import earned_before, round_at
from zermelo.solvers.running.lowered_backend import images_of
from zermelo.solvers.solution import Answer, Certainty, Problem

# An answer by positions up to symmetry, for a game whose positions do not fit into memory one by one.
#
# If a symmetry of the rules leaves the players as they are, a position and its image have the same value. So one of
# them is enough: the *canonical* one, with the least key. Its moves are those of the others under other names, so that
# the graph of canonical positions is as good as that of all: plays, values, distances and chances are the same, and
# every algorithm takes it as it is. Only the order of moves differs: so where breaking a tie in another way gives other
# players another payoff, there is no such answer. The root stays what it is, so that its moves have their own names.
#
# Behind the root a play through the graph goes from one canonical position to the next. To name its moves as they are
# in the game (:class:`SymmetricGuide`), the relabellings on the way are undone.


KEPT_ALONE: Final = (
    "Of positions that are alike but for a symmetry of the rules only one has been kept, since all do not fit into "
    "memory: what to do is not listed."
)
"""The note on such an answer."""


def symmetric_guide(problem: Problem[Any]) -> SymmetricGuide | None:
    """A guide through the graph of the canonical positions and of the root; None if the rules have no symmetry that
    leaves the players as they are, or are not lowered.

    Raises ``ZermeloError`` (``out-of-memory``, ``out-of-time``)."""
    machine = problem.machine
    found = images_of(machine)
    if found is None:
        return None
    assert isinstance(machine, LoweredMachine), "other machines have no images"
    try:
        with problem.limits.enforce():
            graph = exploring.explore_by_kernel(
                machine, problem.facts, problem.root, problem.limits, problem.progress, images=found
            )
    except BeyondLimits:
        return None
    return SymmetricGuide(machine, problem.root, graph, found)


@frozen
class SymmetricGuide(Guide[LoweredState]):
    """A guide through the canonical positions of a lowered machine."""

    images: Images

    def play(self, edges: Iterable[int]) -> tuple[Move, ...]:
        """The moves on a path of edges from the root, under their own names."""
        machine, way = self.machine, list(edges)
        assert isinstance(machine, LoweredMachine), "other machines have no images"
        source = kernel(bring).with_rules(self.images.text)
        return machine.run(source, lambda kernels: self._play(machine, way, kernels))

    def _play(self, machine: LoweredMachine, way: list[int], kernels: Kernels) -> tuple[Move, ...]:
        """``back`` undoes the relabellings that have led to the canonical state at hand."""
        layout, bringing = machine.program.layout, kernels.new(Bringing)
        state, position, back, made = self.root, ROOT, IDENTITY, list[Move]()
        for edge in way:
            move = self.moves(state)[edge - self.graph.firsts[position]]
            assert state.packed is not None, "kernels have met all these states"
            phase = layout.phases[unpack_state(state.packed, layout)[PHASE]]
            made.append(back.move(next(rule for rule in rules_of(phase.decision) if rule.name == move.name), move))
            there, position = machine.after(state, move), self.graph.targets[edge]
            if there.actor == END:
                break
            assert there.packed is not None, "kernels have met all these states"
            kernels.put(bringing.state, there.packed)
            kernels.call(bring, bringing)
            packed = pack_state(list(bringing.state[: layout.size]), layout)
            state = LoweredState(None, None, packed, there.actor)
            back = self.images.symmetries[bringing.image].inverse.then(back)
        return tuple(made)


# Games of two players that are their own mirror: exchange the players, and it is the same game. Nobody has an
# advantage then, and the value is exactly half of what both get together, however many digits the numbers of other
# positions have.
#
# The *mirror* of a graph has the same positions, with the players exchanged in all that they do, earn and are paid. Two
# positions of a graph and its mirror are *bisimilar* if they belong to the same class of a partition in which
#
# - ends pay the same;
# - draws of chance bring each class, with the same earnings, with the same probability;
# - where a player decides, the same player does, and the edges lead to the same classes with the same earnings;
# - where players choose at once, the same choices, by their numbers, lead to the same class with the same earnings.
#
# The coarsest such partition is found by refinement (Hopcroft 1971; Larsen and Skou 1991 with probabilities), from one
# class, as long as the number of classes grows.
#
# *Sound.* Let the root of a graph be bisimilar to that of its mirror. Whatever a player does in one, by any strategy,
# they can do in the other: each move of one is answered by an edge to the same class, each draw comes to a class
# equally often, and so two plays go through the same classes, earn the same and end alike or both never. So both roots
# have the same value v, which such games have (Shapley 1953; Everett 1957; Mertens and Neyman 1981). But the mirror's
# value for its first player is what the second one gets in the game, the sum less v. So v is half of the sum. What an
# endless play pays must be the same for both, or make no difference, as where the rules do not say it and the value is
# known all the same.
#
# Cost: a pass over all edges each time the number of classes grows; the search is given up after some passes.


_MOST: Final = 3_000_000
"""The most edges that are looked at, in all passes together."""


def is_own_mirror(graph: PositionGraph, limits: Limits) -> bool:
    """Whether the root is found to be bisimilar to that of the mirror, in a game of two players. Raises
    ``ZermeloError`` (``out-of-time``)."""
    if graph.endless is not None and graph.endless[0] != graph.endless[1] and graph.discount == 1:
        return False
    positions = [p for p in range(len(graph)) if not graph.is_within_round(p)]
    views = [(p, side) for p in positions for side in (0, 1)]
    classes: dict[tuple[int, int], int] = dict.fromkeys(views, 0)
    count, looked = 1, 0
    while classes[ROOT, 0] == classes[ROOT, 1]:
        limits.check({"nodes": len(graph)})
        looked += 2 * len(graph.targets)
        if looked > _MOST:
            return False
        numbers: dict[Hashable, int] = {}
        classes = {
            (p, side): numbers.setdefault((classes[p, side], _signature(graph, classes, p, side)), len(numbers))
            for p, side in views
        }
        if len(numbers) == count:
            return True
        count = len(numbers)
    return False


def _signature(graph: PositionGraph, classes: dict[tuple[int, int], int], position: int, side: int) -> Hashable:
    """What tells a position from those of other classes; with the players exchanged if ``side`` is 1."""

    def edge_signature(edge: int, before: Payoff) -> Hashable:
        reward = tuple(a + b for a, b in zip(before, graph.reward(edge), strict=True))
        return reward[::-1] if side else reward, classes[graph.targets[edge], side]

    kind, nothing = graph.kinds[position], (Fraction(0),) * 2
    if kind <= PAYS:
        payoff = graph.payoff(position)
        return "end", payoff[::-1] if side else payoff
    edges = graph.edges(position)
    if kind < 0:
        assert graph.weights is not None, "chance draws"
        total = sum(graph.weights[edge] for edge in edges)
        chances = defaultdict[Hashable, Fraction](Fraction)
        for edge in edges:
            chances[edge_signature(edge, nothing)] += Fraction(graph.weights[edge], total)
        return "chance", frozenset(chances.items())
    if not begins_round(graph, position):
        return 1 - kind if side else kind, frozenset(edge_signature(edge, nothing) for edge in edges)
    round = round_at(graph, position)
    return "round", frozenset(
        (
            frozenset((1 - player if side else player, k) for player, k in zip(round.choosers, chosen, strict=True)),
            edge_signature(path[-1], earned_before(graph, path)),
        )
        for path, chosen in zip(round.paths, round.choices(), strict=True)
    )


# The solver of positions: from a problem to an answer.
#
# What the positions are worth is found by :mod:`~zermelo.solvers.positions.solving`. Here is what a person is told: the
# value of the root, with what has been earned before; all best moves; and a line of best play.


_MIRROR: Final = (
    "If the players are exchanged, it is the same game: so the value is exactly half of what both get together."
)


def positions(problem: Problem[Any]) -> Answer:
    """Solve by finding every position once. Needs a game in which everybody knows the position at every decision, but
    for what others choose at that moment. If not all positions fit into memory, positions up to symmetries of the
    rules may, or in a contest without chance, positions in which nobody can win at once
    (:mod:`zermelo.solvers.positions.undecided`). If the caller asks what to do in each position, neither is tried, and
    the game is refused at once.

    Raises ``ZermeloError``: ``needs-endless``, ``earns-for-ever``, ``needs-one-number``, ``no-solver``, ``no-value``,
    ``out-of-memory``, ``out-of-time``, ``broken-installation``, or an error of the rules."""
    if problem.machine.is_within_round(problem.root):
        raise within_round_error()
    try:
        return _solve_one_by_one(problem)
    except ZermeloError as error:
        if error.code != "out-of-memory":
            raise
        refusal = error
        if isinstance(refusal, TooManyPositions):
            refusal.help = "; ".join([refusal.help, *suggest_other_solvers(problem.facts)])
    from zermelo.solvers.positions.undecided import answer_undecided, may_leave_out

    refusal.__context__ = refusal.__traceback__ = None  # their frames hold all that has been found
    if problem.is_listed:
        enough = "positions up to symmetry" if images_of(problem.machine) is not None else None
        if may_leave_out(problem):
            enough = "positions in which nobody can win at once"
        if enough is not None:
            refusal.help = f"{refusal.help}; without --policy and --positions, {enough} may be enough"
        raise refusal
    answer = answer_undecided(problem) if may_leave_out(problem) else _solve_up_to_symmetry(problem)
    if answer is None:
        raise refusal
    return answer


def _solve_one_by_one(problem: Problem[Any]) -> Answer:
    """Solve all positions."""
    graph = explore(problem.machine, problem.facts, problem.root, problem.limits, problem.progress)
    return _answer(problem, Guide(problem.machine, problem.root, graph))


def _solve_up_to_symmetry(problem: Problem[Any]) -> Answer | None:
    """Solve the canonical positions; None if there are no symmetries, if these positions do not fit into memory either,
    or if what players get depends on how ties are broken: among all positions they may be broken in another way."""
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
    why = (
        "all positions do not fit into memory, so what to do in each of them is not listed; of those that are "
        f"alike but for a symmetry of the rules only one has been kept, {len(guide.graph):,} in all"
    )
    from zermelo.solvers.positions.undecided import FirstMoves

    policy = FirstMoves(answer.policy.first, why, problem.limits)
    return evolve(answer, policy=policy, notes=(*answer.notes, KEPT_ALONE))


def _depends_on_ties(solved: SolvedPositions) -> bool:
    """Whether a choice among equally good moves somewhere may change the payoff of the root, or of a move there."""
    graph = solved.graph
    behind = (graph.targets[edge] for edge in graph.edges(ROOT))
    return any(solved.alternatives(position) != () for position in (ROOT, *behind))


def _answer(problem: Problem[Any], guide: Guide[Any]) -> Answer:
    """The answer, by the positions of a graph."""
    graph = guide.graph
    try:
        solved = solve(graph, problem.limits, problem.progress, problem.digits)
    except (NeedsEndless, EarnsForEver, NeedsOneNumber, NeedsMixing, NotEnclosed) as refusal:
        raise explain_refusal(refusal, guide, problem.facts) from None
    earned, factor = earned_and_factor_before(problem.machine, problem.root)
    payoff, bounds = solved.payoff(ROOT), solved.bounds(ROOT)
    assert payoff is not None, "the root has a value, or the game has been refused"
    duration, policy = _duration(solved, problem.limits), Policy(guide, solved, problem.limits)
    surely, perhaps = _lasting_players(solved, problem)
    half = None if bounds is None else _mirror_payoff(graph, problem.limits)
    if half is not None:
        payoff, bounds = half, None
    interval = None if bounds is None else (earned[0] + factor * bounds[0], earned[0] + factor * bounds[1])
    return Answer(
        value=tuple(before + factor * later for before, later in zip(earned, payoff, strict=True)),
        best=tuple(guide.moves(problem.root)[edge] for edge in solved.best(ROOT)),
        line=best_play(guide, solved),
        counts={"nodes": len(graph), "terminals": count_ends(graph), "edges": len(graph.targets)},
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
    return isinstance(solved, SolvedContest) and len(set(solved.contest.wants)) == 1


def _mirror_payoff(graph: PositionGraph, limits: Limits) -> Payoff | None:
    """What each player gets if neither has an advantage, where that is known without exact numbers."""
    contest = contest_of(graph)
    try:
        with limits.enforce():
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


def _lasting_players(
    solved: SolvedPositions, problem: Problem[Any]
) -> tuple[tuple[int, ...] | None, tuple[int, ...] | None]:
    """Who can see to it that the play never ends; and where chance draws, who can do so with a probability that is not
    0. None where every play ends, where that is not known, or if the limits do not allow finding it."""
    graph = solved.graph
    if not isinstance(solved, RetrogradeValues | ContestValues) or graph.endless is None or graph.rises:
        return None, None
    if not any(goes_round(graph, component) for component in solved.components):
        return None, None
    try:
        with problem.limits.enforce():
            if isinstance(solved, RetrogradeValues):
                return _lasting_without_chance(solved, problem), None
            if graph.rewards is None and graph.discount == 1 and not graph.has_rounds:
                return who_keeps_on(solved.low, problem.limits), who_keeps_from_ending(solved.low, problem.limits)
    except ZermeloError as error:
        if error.code not in ("out-of-time", "out-of-memory"):
            raise
    return None, None


def _lasting_without_chance(values: RetrogradeValues, problem: Problem[Any]) -> tuple[int, ...]:
    if values.contest.graph.rewards is None and values.number(ROOT) != values.contest.endless:
        return ()  # if such a play paid a little more or less, it would still not be best
    return who_sustains(values, problem.limits, problem.progress).players(ROOT)


def _alternatives(solved: SolvedPositions, earned: Payoff, factor: Fraction) -> tuple[Payoff, ...] | None:
    """Other payoffs of best play, with what has been earned before."""
    found = solved.alternatives(ROOT)
    if found is None:
        return None
    return tuple(tuple(e + factor * a for e, a in zip(earned, payoff, strict=True)) for payoff in found)


def _notes(
    solved: SolvedPositions, duration: Duration | None, as_good: tuple[Move, ...], keeping: tuple[Move, ...]
) -> tuple[str, ...]:
    """The notes on the answer."""
    notes = []
    if keeping:
        notes.append(
            f"Worth as much, but only if another move is made some time, since they may lead round for ever: "
            f"{play_text(keeping)}."
        )
    if as_good:
        notes.append(f"As far as the bounds tell, these may be best, too: {play_text(as_good)}.")
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


def explain_refusal(
    refusal: NeedsEndless | EarnsForEver | NeedsOneNumber | NeedsMixing | NotEnclosed, guide: Guide[Any], facts: Facts
) -> ZermeloError:
    """Why positions have no value, with a play that shows it."""

    def path_to(position: int) -> str:
        return _describe_path(guide, shortest_path(guide.graph, position))

    match refusal:
        case NeedsEndless():
            keepers = _describe_keepers(refusal, guide.graph)
            return ZermeloError(
                "needs-endless",
                f"{_describe_path(guide, list(refusal.play))} {keepers} for ever, and the "
                "rules do not say what it pays then, on which the value depends",
                "say it with 'endless draw' or 'endless payoff ...', or give the game a 'discount'",
            )
        case EarnsForEver():
            path = [*shortest_path(guide.graph, source_of(guide.graph, refusal.edge)), refusal.edge]
            return ZermeloError(
                "earns-for-ever",
                f"{_describe_path(guide, path)} a play can come back and earn something again and again, so that the "
                "sum of it need not have a limit",
                "with a 'discount' the sum of what is earned stays finite",
            )
        case NeedsOneNumber():
            why = "the payoffs neither have a constant sum nor are the same for both"
            if len(guide.graph.players) > 2:
                why = "there are more than two players, whose payoffs are not the same"
            return ZermeloError(
                "needs-one-number",
                f"{path_to(refusal.position)} the same position can come again, and "
                f"{why}, so that positions have no value",
                "; ".join(["let a rule end every play, such as a limit on moves", *suggest_other_solvers(facts)]),
            )
        case NeedsMixing():
            return ZermeloError(
                "no-solver",
                f"{path_to(refusal.position)} more than two players choose at the "
                "same moment, and have no equilibrium there in which nobody mixes; others have no exact numbers in "
                "general",
                "--solver cfr_plus iterates, and says how far from an equilibrium it is",
            )
        case NotEnclosed():
            return ZermeloError(
                "no-solver",
                f"{path_to(refusal.position)} players choose at once in positions "
                "that can come again, and no bounds of their values could be proved",
                "let what can be earned, or how long a play can last, be more even",
            )


def _describe_keepers(refusal: NeedsEndless, graph: PositionGraph) -> str:
    """Who can keep a play going, in words: ``Ann can keep the play going``."""
    if not refusal.keepers:
        return "a play can go on"
    contest, how = contest_of(graph), ""
    if contest is not None and len(refusal.keepers) > 1:
        how = " each" if len(set(contest.wants)) > 1 else " together"
    players = " and ".join(graph.players[player] for player in refusal.keepers)
    return f"{players} can{how} keep the play going"


def _describe_path(guide: Guide[Any], path: list[int]) -> str:
    return f"after {play_text(guide.play(path))}" if path else "from the beginning"
