"""Settling facts that a solver needs and the rules do not prove, by exploring the game within the limits of the search.

The only time limit here is the user's. Whether payoffs have a constant sum, or are the same for all, is read from the
leaves of the tree for the solvers of hidden information, which is built once for both purposes; with perfect
information, from a survey of as many positions as fit into memory. A search itself detects plays that do not end.
Cycles are looked for beforehand, by counting positions, only if the file gives the value of an endless play, or if a
tree would be infinite or a search would deepen forever. Each exploration ends as soon as the answer is known; otherwise
the fact stays open and names the limit that was reached.

For a default solver only relevant facts are explored: chance and hidden information merely exclude solvers that have a
counterpart for games with them.
"""

from __future__ import annotations

from contextlib import suppress
from math import inf
from typing import TYPE_CHECKING, Any, Final, Generic

from attrs import define, evolve, frozen

from zermelo.foundation.records import Displayed
from zermelo.interpreter.analysis.information import Fact
from zermelo.interpreter.checks.game_facts import Facts
from zermelo.interpreter.machine import Machine, State
from zermelo.solvers.choosing.choice import NOTHING_ASKED, Requirements
from zermelo.solvers.choosing.registry import BY_LOOKING, Need, Solver, find_solver, trusted, unmet
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.common.progress import Progress, ignore_progress

if TYPE_CHECKING:
    from zermelo.interpreter.checks.survey import Survey, Surveyor
    from zermelo.solvers.common.numbers import Size
    from zermelo.solvers.forms.extensive_form import ExtensiveForm

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
    for solver in trusted():
        is_asked = solver.suits(settling.known.facts) and asked.is_met(solver)
        if is_asked and settling.try_to_meet(solver, _WITHOUT_LIKE):
            break
    else:
        settling.look_for_a_loop_nearby()
    return settling.known


def settle_for_all(machine: Machine[State], facts: Facts, root: State, limits: Limits, progress: Progress) -> Settled:
    """Settle the facts that any solver needs."""
    settling = _Settling(machine, Settled(with_secrets(machine, facts)), root, limits, progress)
    for solver in trusted():
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
        open_needs = {need for need in unmet(solver, self.known.facts) if need.fact(self.known.facts).holds is None}
        if open_needs != set(unmet(solver, self.known.facts)) or not open_needs <= askable:
            return False
        if self.may_go_round(solver):
            self.look_for_a_loop()
        if open_needs and self.known.facts.terminates.holds is not False:
            self.look(open_needs)
        is_met = not unmet(solver, self.known.facts)
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
        from zermelo.interpreter.checks.survey import count_information_sets

        limits = self.limits

        def check(histories: int) -> None:
            self.progress(histories)
            limits.check({"nodes": histories})

        found = count_information_sets(self.machine, inf, until_confused=True, progress=check, memory=limits.free)
        self.known = evolve(self.known, facts=self.known.facts.with_information_sets(found))

    def look_at_positions(self, needs: set[Need]) -> None:
        """Settle sums, payoffs and chance from positions, up to the first one that violates a need."""
        from zermelo.interpreter.checks.survey import ENOUGH, survey

        def is_enough(seen: Surveyor[Any]) -> bool:
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
        """Before a refusal: look, for a negligible time, whether plays can go round, so that it does not propose a
        solver that is for plays that end."""
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
        from zermelo.interpreter.checks.survey import survey
        from zermelo.interpreter.native.running.executor import BeyondLimits
        from zermelo.interpreter.native.running.machine import LoweredMachine
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
                constant_sum=_still_open(facts.constant_sum, said),
                common_payoff=_still_open(facts.common_payoff, said),
                chance=_still_open(facts.chance, said),
            )
        self.known = evolve(self.known, facts=facts, seen=seen if seen.loop is None else None)


def with_secrets(machine: Machine[State], facts: Facts) -> Facts:
    """The facts with two plays that some player cannot tell apart, if early plays show it."""
    if facts.perfect_information.holds is not None:
        return facts
    from zermelo.interpreter.checks.survey import find_confusion

    return facts.with_confusion(find_confusion(machine))


def _still_open(fact: Fact, said: str) -> Fact:
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
