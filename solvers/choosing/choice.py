"""Solving a game: choosing a default solver, refusing others, settling facts that the rules leave open, and the run."""

from __future__ import annotations

from contextlib import suppress
from math import inf
from time import perf_counter
from typing import TYPE_CHECKING, Final, Generic

from attrs import define, evolve, fields, frozen

from zermelo.foundation.records import ByValue, Displayed
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.checks.game_facts import Facts, has_one_value
from zermelo.interpreter.facts import Fact
from zermelo.interpreter.machine import Machine, PlayError, State
from zermelo.interpreter.native.running.machine import LoweredMachine
from zermelo.solvers.choosing.registry import (
    BY_LOOKING,
    SOLVERS,
    Need,
    Solver,
    exact_solvers,
    find_solver,
    may_fit,
    objection,
    unmet_needs,
)
from zermelo.solvers.common.limits import (
    Goal,
    LimitReached,
    Limits,
    Progress,
    Remark,
    Sampling,
    ignore_progress,
    ignore_remark,
    lookahead_advice,
)
from zermelo.solvers.common.numbers import GoesRound
from zermelo.solvers.solution import Answer, Handover, Problem, Request, Solution

if TYPE_CHECKING:
    from zermelo.interpreter.checks.game_facts import Survey
    from zermelo.solvers.common.numbers import Size
    from zermelo.solvers.forms.extensive_form import ExtensiveForm

# The default solver of a game: the first one in the registry that fits, suits, and does more than guess.


@frozen(eq=False, repr=False)
class Requirements(ByValue):
    """Requirements on a solver besides a value: that it deepens, traces, iterates, advises, bounds or looks up."""

    deepens: bool = False
    traces: bool = False
    iterates: bool = False
    advises: bool = False
    bounds: bool = False
    looks_up: bool = False

    def is_met(self, solver: Solver) -> bool:
        """Whether a solver meets all requirements."""
        return all(getattr(solver, trait) for trait in _OPTIONS if getattr(self, trait))


NOTHING_ASKED: Final = Requirements()

_OPTIONS: Final = {
    "deepens": ("stops at a depth", "--depth and --nodes"),
    "traces": ("records its search", "--trace and --steps"),
    "iterates": ("iterates", "--exploitability, --iterations and --checkpoint"),
    "bounds": ("stops at a horizon with proved bounds", "--depth"),
    "advises": ("says what to do in every position", "--policy, --positions and --digits"),
    "looks_up": ("looks positions up in a table", "--table"),
}
"""For each requirement what a solver does that meets it, and the options that ask for it."""

NO_END: Final = "let a rule end every play, such as a limit on the number of moves"


class NoSolver(ZermeloError):
    """The refusal (``no-solver``) of a game that no solver fits, or of what is asked for it."""


def choose_solver(facts: Facts, asked: Requirements = NOTHING_ASKED) -> Solver:
    """The default solver for a game, of those that meet the requirements; raises ``ZermeloError`` (``no-solver``) if
    none fits."""
    solver = default_solver(facts, asked)
    if solver is None:
        raise NoSolver("no-solver", _refusal_reason(facts, asked), _refusal_advice(facts, asked))
    return solver


def default_solver(facts: Facts, asked: Requirements) -> Solver | None:
    """The default solver for a game, of those that meet the requirements; None if none fits."""
    fitting = [
        solver for solver in exact_solvers() if asked.is_met(solver) and not unmet_needs(solver, facts, asked.deepens)
    ]
    return next((solver for solver in fitting if solver.suits(facts)), fitting[0] if fitting else None)


def _refusal_reason(facts: Facts, asked: Requirements) -> str:
    """What stands in the way of the solvers that come nearest to fitting, in words."""
    in_the_way = [unmet_needs(solver, facts, asked.deepens) for solver in exact_solvers() if asked.is_met(solver)]
    if not in_the_way:
        return f"no solver {' and '.join(_requirement_texts(asked, 0))}"
    fewest = min(map(len, in_the_way))
    kinds = [
        f"for {' and '.join(need.kind for need in needs)}, and {'; '.join(objection(need, facts) for need in needs)}"
        for needs in dict.fromkeys(needs for needs in in_the_way if len(needs) == fewest)
    ]
    reasons = f"some are {'; others are '.join(kinds)}" if len(kinds) > 1 else f"they are {kinds[0]}"
    traits = _requirement_texts(asked, 0)
    which = f"no solver that {' and '.join(traits)}" if traits else "no solver"
    return f"{which} fits this game: {reasons}"


def _refusal_advice(facts: Facts, asked: Requirements) -> str:
    """Advice where no solver does what is asked."""
    other = default_solver(facts, NOTHING_ASKED)
    if other is None:
        return NO_END
    left_out = f"leave out {options_of(asked)}"
    return advise_solver(other, facts, NOTHING_ASKED, left_out, left_out)


def options_of(asked: Requirements) -> str:
    """The options that ask for these requirements."""
    return " and ".join(_requirement_texts(asked, 1))


def _requirement_texts(asked: Requirements, column: int) -> list[str]:
    return [words[column] for trait, words in _OPTIONS.items() if getattr(asked, trait)]


def advise_solver(solver: Solver, facts: Facts, asked: Requirements, surely: str, perhaps: str) -> str:
    """Advice that a solver fits, and how to choose it: ``surely`` if it is known to fit, else ``perhaps``."""
    if asked.deepens or Need.END not in solver.needs or facts.terminates.holds:
        return f"{solver.title} fits this game: {surely}"
    if facts.public_between_rounds.holds:
        return f"{perhaps}: {solver.title} fits this game or, if its plays go round, {SOLVERS['positions'].title}"
    return f"{solver.title} fits this game, if its plays all end: {surely}"


def default_reason(solver: Solver, facts: Facts) -> str:
    """Why this solver is the default for this game."""
    return f"{kind_of_game(facts)}; {solver.reason}"


def kind_of_game(facts: Facts) -> str:
    """The kind of game, as far as it is known, in a few words."""
    players = len(facts.players)
    parts = ["one player" if players == 1 else "two players" if players == 2 else f"{players} players"]
    if players > 1:
        if facts.constant_sum.holds:
            parts.append("zero sum" if facts.sum == 0 else f"payoffs that always sum to {facts.sum}")
        else:
            parts.append("no constant sum" if facts.constant_sum.holds is False else "no constant sum known")
    if players == 1 and facts.chance.holds:
        parts[0] = "one player against chance"
    else:
        parts.append(facts.chance.word("chance", "no chance", "perhaps chance"))
    if facts.perfect_information.holds is False and facts.simultaneous.holds and facts.public_between_rounds.holds:
        parts.append("choices at once")  # nothing else is hidden
    else:
        known = facts.perfect_information
        parts.append(known.word("perfect information", "hidden information", "perhaps hidden information"))
    return ", ".join(parts)


# Refusals: solvers that do not fit a game or do not support a request. Each refusal says what to do instead.


def check_preconditions(
    solver: Solver, facts: Facts, asked: Requirements = NOTHING_ASKED, advice: str | None = None
) -> None:
    """Raise ``ZermeloError`` with the code of the first unmet need, if there is one. Its help is the ``advice`` of a
    caller who does not ask for a solution, or else says what solves the game."""
    for need in unmet_needs(solver, facts, asked.deepens):
        message = f"the solver {solver.name} is for {need.kind}, and {objection(need, facts)}"
        raise ZermeloError(need.code, message, advice or advise_other_solver(facts, asked))


def advise_other_solver(facts: Facts, asked: Requirements = NOTHING_ASKED) -> str:
    """Advice where the solver that was asked for does not fit."""
    other = default_solver(facts, asked)
    if other is not None:
        taken = f"--solver {other.name}"
        if asked.deepens and not facts.has_estimate:
            taken = f"`zermelo solve {taken} --estimate rollouts`"
        advice = advise_solver(other, facts, asked, taken, "leave out --solver")
        return advice + _advise_if_too_many(other, facts)
    other = default_solver(facts, NOTHING_ASKED)
    if other is None:
        return f"no other solver fits this game; {NO_END}"
    left_out = f"and leave out {options_of(asked)}"
    advice = advise_solver(
        other, facts, NOTHING_ASKED, f"--solver {other.name}, {left_out}", f"leave out --solver, {left_out}"
    )
    return advice + _advise_if_too_many(other, facts)


def _advise_if_too_many(solver: Solver, facts: Facts) -> str:
    """Advice for a game that may turn out to have too many strategies for a solver that enumerates them."""
    too_many = "; where there are too many strategies to try, --solver cfr_plus iterates"
    return too_many if solver.enumerates(facts) else ""


def check_request(solver: Solver, facts: Facts, request: Request) -> None:
    """Raise ``ZermeloError`` if a solver does not support a request: ``searches-to-the-end`` (a depth),
    ``cannot-be-traced``, ``does-not-iterate`` (a goal or a checkpoint), ``does-not-sample``, ``no-policy``,
    ``does-not-look-up``. Where the solver does not fit the game anyway, nothing is raised: another refusal says
    that."""
    limits, is_traced = request.limits, request.trace is not None
    if not may_fit(solver, facts, limits.has_horizon):
        return

    def without(trait: str, code: str, message: str, options: str) -> ZermeloError:
        able = [other for other in SOLVERS.values() if getattr(other, trait) and may_fit(other, facts)]
        fitting = [other.name for other in able if not unmet_needs(other, facts)]
        if fitting:
            return ZermeloError(code, message, f"these do: {', '.join(fitting)}")
        if able:
            names = ", ".join(other.name for other in able)
            return ZermeloError(code, message, f"these do, if the game turns out to be one for them: {names}")
        return ZermeloError(code, message, f"no solver that does fits this game: leave out {options}")

    if limits.depth < inf and not (solver.deepens or solver.bounds):
        how = "looks as far as plays go" if solver.samples else "searches to the end of all plays"
        message = f"{solver.title} {how}, so it has no use for a depth"
        raise without("deepens", "searches-to-the-end", message, "--depth")
    if is_traced and not solver.traces:
        raise without("traces", "cannot-be-traced", f"{solver.title} does not record its search", "--trace and --steps")
    if is_traced and limits.nodes < inf:
        message = "a search to one depth after the other is not recorded"
        raise ZermeloError("cannot-be-traced", message, "leave out --nodes: --depth alone is one search")
    if request.goal is not None and not solver.iterates:
        message = f"{solver.title} does not iterate, so it has no use for iterations, a goal or a checkpoint"
        if solver.samples:
            left = "leave out --exploitability, --iterations and --checkpoint"
            raise ZermeloError("does-not-iterate", message, f"{left}; --simulations says how many plays it tries")
        raise without("iterates", "does-not-iterate", message, "--exploitability, --iterations and --checkpoint")
    if request.sampling is not None and not solver.samples:
        message = f"{solver.title} makes no simulations"
        raise without("samples", "does-not-sample", message, "--simulations and --exploration")
    if request.is_advised and not solver.advises:
        message = f"{solver.title} does not say what to do in every position"
        raise without("advises", "no-policy", message, "--policy, --positions and --digits")
    if request.endgames is not None and not solver.looks_up:
        message = f"{solver.title} does not look positions up in a table"
        raise without("looks_up", "does-not-look-up", message, "--table")


# Settling facts that a solver needs and the rules do not prove, by exploring the game within the limits of the search.
#
# The only time limit here is the user's. Whether payoffs have a constant sum, or are the same for all, is read from a
# survey of as many positions as fit into memory if information is perfect, and otherwise from the leaves of the tree,
# which the solver then uses, too. A search itself detects plays that do not end.
# Cycles are looked for beforehand, by counting positions, only if the file gives the value of an endless play, or if a
# tree would be infinite or a search would deepen forever. Each exploration ends as soon as the answer is known;
# otherwise the fact stays open and names the limit that was reached.
#
# For a default solver only relevant facts are explored: chance and hidden information merely exclude solvers that have
# a counterpart for games with them.


_WITHOUT_LIKE: Final = frozenset({Need.CONSTANT_SUM, Need.COMMON_PAYOFF})
"""The needs that exploring the game can settle, and that matter to the choice of a default solver."""


FEW: Final = 5_000
"""A number of positions that takes negligible time."""


@frozen(eq=False, repr=False)
class Settled(Displayed):
    """The facts known after settling, the tree if one was built, and the size of the game if it was counted."""

    facts: Facts
    tree: ExtensiveForm | None = None
    seen: Survey | Size | None = None


def settle(
    machine: Machine[State],
    facts: Facts,
    name: str | None,
    root: State,
    limits: Limits,
    progress: Progress = ignore_progress,
    asked: Requirements = NOTHING_ASKED,
) -> Settled:
    """Settle the facts that the solver ``name`` needs or, without a name, those that the choice of a default depends
    on.

    Raises ``ZermeloError``: ``unknown-solver``, errors of building a tree, or an error of the rules.
    """
    settling = _Settling(machine, Settled(with_secrets(machine, facts)), root, limits, progress)
    if name is not None:
        if not settling.try_to_meet(find_solver(name), BY_LOOKING):
            settling.look_for_a_loop_nearby()
        return settling.known
    for solver in exact_solvers():
        is_asked = solver.suits(settling.known.facts) and asked.is_met(solver)
        if is_asked and settling.try_to_meet(solver, _WITHOUT_LIKE):
            break
    else:
        settling.look_for_a_loop_nearby()
    return settling.known


def settle_for_all(machine: Machine[State], facts: Facts, root: State, limits: Limits, progress: Progress) -> Settled:
    """Settle the facts that any solver needs."""
    settling = _Settling(machine, Settled(with_secrets(machine, facts)), root, limits, progress)
    for solver in exact_solvers():
        settling.try_to_meet(solver, _WITHOUT_LIKE)
    return settling.known


@define(eq=False, repr=False)
class _Settling(Generic[State]):
    machine: Machine[State]
    known: Settled
    root: State
    limits: Limits
    progress: Progress
    has_looked_for_a_loop: bool = False

    def try_to_meet(self, solver: Solver, askable: frozenset[Need]) -> bool:
        """Whether a solver's needs are met, after exploring the game where necessary."""
        open_needs = {
            need for need in unmet_needs(solver, self.known.facts) if need.fact(self.known.facts).holds is None
        }
        if open_needs != set(unmet_needs(solver, self.known.facts)) or not open_needs <= askable:
            return False
        if self.may_go_round(solver):
            self.look_for_a_loop()
        if open_needs and self.known.facts.terminates.holds is not False:
            self.look(open_needs)
        is_met = not unmet_needs(solver, self.known.facts)
        if is_met and Need.END in solver.needs and self.known.facts.terminates.holds is None:
            self.look_around()
        return is_met

    def look(self, needs: set[Need]) -> None:
        """Settle whether the game meets these needs."""
        if self.known.facts.perfect_information.holds:
            self.look_at_positions(needs)
        else:
            if Need.PERFECT_INFORMATION in needs:
                self.look_at_information()
            if needs - {Need.PERFECT_INFORMATION}:
                self.look_at_leaves()

    def look_at_leaves(self) -> None:
        """Settle facts from the tree, which a solver then uses, too."""
        if self.known.tree is not None:
            return
        from zermelo.solvers.tree_building.building import build_tree

        facts = self.known.facts
        tree = build_tree(self.machine, facts, self.root, self.limits, self.progress)
        self.known = evolve(self.known, facts=with_tree(facts, tree), tree=tree)

    def look_at_information(self) -> None:
        """Settle whether some player may have to decide without knowing the position."""
        from zermelo.interpreter.checks.game_facts import count_information_sets

        limits = self.limits

        def check(histories: int) -> None:
            self.progress(histories)
            limits.check({"nodes": histories})

        found = count_information_sets(self.machine, inf, until_confused=True, progress=check, memory=limits.free)
        self.known = evolve(self.known, facts=self.known.facts.with_information_sets(found))

    def look_at_positions(self, needs: set[Need]) -> None:
        """Settle sums, payoffs and chance from positions, up to the first one that violates a need."""
        from zermelo.interpreter.checks.game_facts import ENOUGH, survey

        def is_enough(seen: Survey) -> bool:
            return (
                (len(seen.sums) > 1 and Need.CONSTANT_SUM in needs)
                or (seen.unequal is not None and Need.COMMON_PAYOFF in needs)
                or (seen.chance and Need.NO_CHANCE in needs)
            )

        # The other half of the time is for the search itself.
        limits = self.limits
        found = survey(self.machine, inf, limits.left / 2, self.progress, is_enough, limits.free)
        facts = self.known.facts.with_survey(found)
        if found.stopped == ENOUGH:
            self.known = evolve(self.known, facts=facts)
        else:
            self.note(found, facts)

    def may_go_round(self, solver: Solver) -> bool:
        """Whether to look for a cycle before the search, once."""
        facts, limits = self.known.facts, self.limits
        if self.has_looked_for_a_loop or facts.terminates.holds is not None or limits.has_horizon:
            return False
        if Need.END in solver.needs:
            return facts.has_endless or not facts.perfect_information.holds
        return solver.deepens and limits.seconds == inf

    def look_for_a_loop(self) -> None:
        """Settle whether a play can have a cycle. If rules use the history, positions hardly recur, and a search finds
        out as well."""
        self.has_looked_for_a_loop = True
        if not self.known.facts.has_history:
            seen = self.count(inf, True)
            self.note(seen, self.known.facts.with_count(seen.positions, seen.finished, seen.loop))

    def look_for_a_loop_nearby(self) -> None:
        """Before a refusal: look, for a negligible time, whether plays can go round, so that the refusal does not
        propose a solver for plays that end."""
        facts = self.known.facts
        is_of_use = not (self.has_looked_for_a_loop or facts.has_history or self.limits.has_horizon)
        if facts.terminates.holds is None and is_of_use:
            seen = self.count(FEW, True)
            self.known = evolve(self.known, facts=facts.with_count(seen.positions, seen.finished, seen.loop))

    def look_around(self) -> None:
        """Prove that every play ends, if that takes negligible time, so that a search need not watch for cycles. A
        cycle found here decides nothing: the search reports one if it meets it."""
        facts = self.known.facts
        if self.has_looked_for_a_loop or facts.has_history or self.limits.has_horizon or self.machine.play(self.root):
            return
        seen = self.count(FEW, False)
        if seen.finished and seen.loop is None:
            known = facts.with_count(seen.positions, True, None)
            self.known = evolve(self.known, facts=known, seen=self.known.seen or seen)

    def count(self, most: float, stops_at_loop: bool) -> Survey | Size:
        """Count the positions, at most ``most``."""
        from zermelo.interpreter.checks.game_facts import survey
        from zermelo.interpreter.native.running.machine import LoweredMachine
        from zermelo.interpreter.native.running.views import BeyondLimits
        from zermelo.solvers.search.positions import measure

        machine, limits = self.machine, self.limits
        if isinstance(machine, LoweredMachine):
            within = Limits(limits.left / 2, limits.memory, ledger=limits.ledger)
            with suppress(BeyondLimits):
                return machine.with_room(lambda: measure(machine, most, within, self.progress, 1, stops_at_loop))
        enough = (lambda seen: seen.loop is not None) if stops_at_loop else None
        return survey(machine, most, limits.left / 2, self.progress, enough, limits.free)

    def note(self, seen: Survey | Size, facts: Facts) -> None:
        """Note the facts found; if a limit ended the exploration, open facts say so."""
        if not seen.finished and seen.loop is None:
            said = f"; the survey of its positions was stopped {seen.stopped}, and --time and --memory allow more"
            facts = evolve(
                facts,
                constant_sum=_add_to_open_fact(facts.constant_sum, said),
                common_payoff=_add_to_open_fact(facts.common_payoff, said),
                chance=_add_to_open_fact(facts.chance, said),
            )
        self.known = evolve(self.known, facts=facts, seen=seen if seen.loop is None else None)


def with_secrets(machine: Machine[State], facts: Facts) -> Facts:
    """The facts with two plays that some player cannot tell apart, if there are such among the early plays."""
    if facts.perfect_information.holds is not None:
        return facts
    from zermelo.interpreter.checks.game_facts import find_confusion

    return facts.with_confusion(find_confusion(machine))


def _add_to_open_fact(fact: Fact, said: str) -> Fact:
    return fact if fact.holds is not None or fact.how.endswith(said) else Fact(None, fact.how + said)


def with_tree(facts: Facts, tree: ExtensiveForm) -> Facts:
    """The facts, completed from a tree of all histories."""
    from zermelo.solvers.forms.extensive_form import CHANCE_NODE

    players = len(tree.player_names)
    columns = [tree.payoffs[player::players] for player in range(players)]
    return facts.with_leaves(
        tree.histories,
        {sum(payoff) for payoff in zip(*columns, strict=True)},
        tree.has_common_payoff,
        CHANCE_NODE in tree.sets_of,
        tree.denominator,
    )


# Solving a game: choosing a solver, checking its needs, running it on a machine.


_IN_FULL: Final = 0.85
"""The share of the time for a search of the whole game, before one that deepens. What the first search finds by then,
it finds as if there were no limit. It leaves nothing to go on with when it is stopped, so the second one has all the
memory. In the rest of the time the second one searches hardly a ply less deep than in half of the time, where each ply
takes more than three times as long as the one before."""

_ANY_DEPTH: Final = 1 << 30
"""A horizon beyond all that a search may reach: it deepens as long as it has time."""


def requirements_asked(facts: Facts, request: Request) -> Requirements:
    """The requirements on a default solver: it must deepen, for instance, if limits may end it early and there is an
    estimate to use then; but advice for every position needs the ends of all plays, and a trace has one search. Where
    something is hidden and plays may go on for ever, a depth is a horizon."""
    limits, is_traced, is_advised = request.limits, request.trace is not None, request.is_advised
    has_goal = request.goal is not None
    looks_up = request.endgames is not None
    is_public = facts.perfect_information.holds or facts.public_between_rounds.holds
    if limits.depth < inf and not is_public and (facts.discounted or facts.has_endless):
        return Requirements(False, is_traced, has_goal, is_advised, bounds=True, looks_up=looks_up)
    has_estimate = facts.has_estimate or request.rollouts
    stops_early = limits.seconds < inf and has_estimate and not (is_advised or is_traced)
    return Requirements(limits.has_horizon or stops_early, is_traced, has_goal, is_advised, looks_up=looks_up)


def solve(
    machine: Machine[State],
    facts: Facts,
    request: Request | None = None,
    root: State | None = None,
    progress: Progress = ignore_progress,
    remark: Remark = ignore_remark,
    settled: Settled | None = None,
) -> Solution:
    """Solve a game from ``root`` on, as the ``request`` asks.

    If limits of depth or nodes may end a search early, the default solver is one that has a result then. If only time
    may, and there is an estimate, the default without limits has most of the time, and finds what it would find without
    limits, unless it needs more. Before that, a solver that deepens looks a single ply ahead, so that there is an
    answer whatever happens later; it also has the rest of the time, in which it goes on with the same table if it can.
    A solver asked for by name is run likewise if it can deepen but need not, and is not traced. Open facts that the
    solver needs are settled first, unless ``settled`` is the result of that. If the default finds that plays can go
    round, another one takes its place.

    Raises ``ZermeloError``: ``unknown-solver``, ``no-solver``, the code of a
    :class:`~zermelo.solvers.choosing.registry.Need` that the game does not meet, the errors of
    :func:`check_request`, ``bad-checkpoint``, ``needs-estimate``,
    ``out-of-time``, ``out-of-nodes``, ``out-of-memory``, or an error of the rules. ``KeyboardInterrupt`` passes
    through, but ends an iteration with a result.
    """
    request = request or Request()
    name, limits, asked = request.solver, request.limits, requirements_asked(facts, request)
    if name is not None:
        check_request(find_solver(name), facts, request)
    start = machine.initial() if root is None else root
    problem = Problem(
        machine, facts, start, progress, limits, request.rollouts, request.seed, request.trace,
        request.goal or Goal(), remark, request.sampling or Sampling(), digits=request.digits,
        is_listed=request.is_listed, endgames=request.endgames,
    )  # fmt: skip

    def run(asked: Requirements, limits: Limits, given: Problem[State] = problem) -> Solution:
        with limits.enforce():
            return _run_solver(evolve(given, limits=limits), evolve(request, limits=limits), asked, settled)

    if not asked.deepens or limits.has_horizon or not (name is None or _is_deepening_optional(name)):
        return run(asked, limits)
    in_full = evolve(asked, deepens=False)
    with limits.enforce():
        settled = settled or settle(machine, facts, name, start, limits, progress, asked)
    glance = None
    if name is not None or default_solver(settled.facts, asked) is not None:
        with suppress(ZermeloError):  # what cannot even be seen one ply deep is for a search of the whole game
            # which reports nothing to anybody, and leaves nothing to the next search
            silent = evolve(problem, progress=ignore_progress, remark=ignore_remark, trace=None, handover=Handover())
            glance = run(asked, evolve(limits, depth=1), silent)
    if glance is None:
        return run(in_full, limits)
    try:
        return run(in_full, evolve(limits, seconds=limits.seconds - limits.left * (1 - _IN_FULL)))
    except PlayError:
        raise
    except ZermeloError:  # whatever is in the way of a full search, one that deepens may do
        with suppress(NoSolver, GoesRound, LimitReached):
            return run(asked, evolve(limits, depth=_ANY_DEPTH))
    return glance


def _is_deepening_optional(name: str) -> bool:
    """Whether a solver can deepen, but searches to the end of all plays if nothing limits it."""
    solver = find_solver(name)
    return solver.deepens and Need.END in solver.needs


def _run_solver(problem: Problem[State], request: Request, asked: Requirements, settled: Settled | None) -> Solution:
    """The solution by the solver that the request names, or by the default one for what is ``asked``."""
    begin, limits, facts, name = perf_counter(), problem.limits, problem.facts, request.solver
    known = settled or settle(problem.machine, facts, name, problem.root, limits, problem.progress, asked)
    solver = find_solver(name) if name is not None else choose_solver(known.facts, asked)
    check_preconditions(solver, known.facts, asked)
    check_request(solver, known.facts, request)
    problem = evolve(problem, facts=known.facts, tree=known.tree)
    lowered = problem.machine if isinstance(problem.machine, LoweredMachine) else None
    if lowered is not None:
        lowered.beyond = ""
    try:
        try:
            with problem.limits.enforce():
                answer = solver.algorithm(problem)
        except GoesRound as found:
            problem = evolve(problem, facts=known.facts.with_count(0, False, found.loop))
            if name is not None:
                raise ZermeloError(found.code, found.message, advise_other_solver(problem.facts, asked)) from None
            solver = choose_solver(problem.facts, asked)
            with problem.limits.enforce():
                answer = solver.algorithm(problem)
    except LimitReached as reached:
        if reached.code == "out-of-time":
            reached.help = _advise_more_time(solver, problem)
        if lowered is not None and lowered.beyond:
            reached.help = f"{reached.help}; kernels ran in Python, with exact numbers: {lowered.beyond}"
        raise
    if (
        request.hurries
        and name is None
        and answer.exact
        and problem.trace is None
        and _is_contest(solver, problem.facts)
    ):
        from zermelo.solvers.positions.quickest_wins import find_quickest_win

        answer = find_quickest_win(problem, answer)
    seconds = perf_counter() - begin
    if answer.alternatives is None and has_one_value(facts):
        answer = evolve(answer, alternatives=())
    if problem.facts.common_payoff.holds and problem.facts.perfect_information.holds:
        answer = evolve(answer, is_optimum=True)  # the player who decides sees everything, and wants what all want
    return Solution(
        **{field.name: getattr(answer, field.name) for field in fields(Answer)},
        solver=solver.name,
        why="it was asked for" if name is not None else default_reason(solver, problem.facts),
        seconds=seconds,
        beyond="" if lowered is None else lowered.beyond,
    )


def _is_contest(solver: Solver, facts: Facts) -> bool:
    """Whether a solver searches for the value of two players against each other, who may hurry or delay: without
    chance, and without a discount, which says itself how much hurry there is."""
    return {Need.TWO_PLAYERS, Need.CONSTANT_SUM, Need.NO_CHANCE} <= {*solver.needs} and not facts.discounted


def _advise_more_time(solver: Solver, problem: Problem[State]) -> str:
    """Advice where the time was up before a solver had a result."""
    if default_solver(problem.facts, Requirements(deepens=True)) is not None:
        less = lookahead_advice(problem.has_estimate)
    else:
        less = "a smaller game, or another solver, may need less"
    return f"a longer --time allows {solver.title} more; {less}"
