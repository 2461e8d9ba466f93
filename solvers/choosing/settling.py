"""What a solver needs to know of a game and the rules alone do not tell, found out within the limits of the search.

No clock but the user's decides here. Whether payoffs have a constant sum, or are the same for all, is read from the
leaves of the tree that the solvers of games with secrets work on, which is built once, for this and for them; where all
is seen, from a survey of the positions, as many as memory holds. Whether plays end a search notices by itself; only
where the file says what an endless play is worth, where a tree would have no end, or where a search would deepen for
ever, a play that goes round is looked for first, by a count of the positions. Each look ends as soon as it can tell;
what it leaves open stays open, and the fact then says which limit ended the look.

For a default solver nothing is looked for that does not matter: chance and secrets only rule out solvers that have
their like among those that do with them.
"""

from __future__ import annotations

from contextlib import suppress
from math import inf
from typing import TYPE_CHECKING, Any, Final, Generic

from attrs import define, evolve, frozen

from zermelo.interpreter.analysis.fact import Fact
from zermelo.interpreter.checks.game_facts import Facts
from zermelo.interpreter.machine import Machine, State
from zermelo.solvers.choosing.choice import NOTHING_ASKED, Requirements
from zermelo.solvers.choosing.needs import Need
from zermelo.solvers.choosing.preconditions import unmet
from zermelo.solvers.choosing.registry import Solver, find_solver, trusted
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.common.progress import Progress, ignore_progress

if TYPE_CHECKING:
    from zermelo.interpreter.checks.survey import Survey, Surveyor
    from zermelo.solvers.common.size import Size
    from zermelo.solvers.forms.extensive_form import ExtensiveForm

_BY_LOOKING = {Need.CONSTANT_SUM, Need.COMMON_PAYOFF, Need.NO_CHANCE, Need.PERFECT_INFORMATION}
"""The needs that a look at the game can settle."""

_WITHOUT_LIKE = {Need.CONSTANT_SUM, Need.COMMON_PAYOFF}
"""Those of them for which it is worth looking where nobody has asked for a solver."""


FEW: Final = 5_000
"""So many positions can be looked at in no time to speak of."""


@frozen
class Settled:
    """What is known of a game by now, the tree that was built to find it out, and how large the game was seen to be."""

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
    """Find out what solver ``name`` needs to know, or, without a name, what the choice of a default for what is
    ``asked`` depends on.

    Raises ``ZermeloError``: ``unknown-solver``, what building a tree raises, or an error of the rules.
    """
    settling = _Settling(machine, Settled(_with_secrets(machine, facts)), root, limits, progress)
    if name is not None:
        settling.try_to_meet(find_solver(name), _BY_LOOKING)
        return settling.known
    for solver in trusted():
        if asked.is_met(solver) and settling.try_to_meet(solver, _WITHOUT_LIKE):
            break
    return settling.known


def settle_for_all(machine: Machine[State], facts: Facts, limits: Limits, progress: Progress) -> Settled:
    """Find out what any solver needs to know."""
    settling = _Settling(machine, Settled(_with_secrets(machine, facts)), machine.initial(), limits, progress)
    for solver in trusted():
        settling.try_to_meet(solver, _WITHOUT_LIKE)
    return settling.known


@define(eq=False)
class _Settling(Generic[State]):
    machine: Machine[State]
    known: Settled
    root: State
    limits: Limits
    progress: Progress
    has_looked_for_a_loop: bool = False

    def try_to_meet(self, solver: Solver, askable: set[Need]) -> bool:
        """Whether a solver's needs are met, after a look at the game where only that can tell."""
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
        """Find out whether the game meets these needs."""
        if self.known.facts.perfect_information.holds:
            self.look_at_positions(needs)
        else:
            if Need.PERFECT_INFORMATION in needs:
                self.look_at_information()
            if needs - {Need.PERFECT_INFORMATION}:
                self.look_at_leaves()

    def look_at_leaves(self) -> None:
        """What the tree tells, from which a solver that works on it goes on."""
        if self.known.tree is not None:
            return
        from zermelo.solvers.native.dispatch import build_tree

        facts = self.known.facts
        tree = build_tree(self.machine, facts, self.root, self.limits, self.progress)
        self.known = evolve(self.known, facts=with_tree(facts, tree), tree=tree)

    def look_at_information(self) -> None:
        """Whether somebody who is to decide may not know the position."""
        from zermelo.interpreter.checks.information_sets import count_information_sets

        limits = self.limits

        def check(histories: int) -> None:
            self.progress(histories)
            limits.check({"nodes": histories})

        found = count_information_sets(self.machine, inf, until_confused=True, progress=check, memory=limits.free)
        self.known = evolve(self.known, facts=self.known.facts.with_information_sets(found))

    def look_at_positions(self, needs: set[Need]) -> None:
        """What the positions tell of sums, payoffs and chance, up to the first thing that speaks against a need."""
        from zermelo.interpreter.checks.survey import ENOUGH, survey

        def is_enough(seen: Surveyor[Any]) -> bool:
            return (
                (len(seen.sums) > 1 and Need.CONSTANT_SUM in needs)
                or (seen.unequal is not None and Need.COMMON_PAYOFF in needs)
                or (seen.chance and Need.NO_CHANCE in needs)
            )

        # Half of the time that a user gives is for the search itself.
        limits = self.limits
        found = survey(self.machine, inf, limits.left / 2, self.progress, is_enough, limits.free)
        facts = self.known.facts.with_survey(found)
        if found.stopped == ENOUGH:
            self.known = evolve(self.known, facts=facts)
        else:
            self.note(found, facts)

    def may_go_round(self, solver: Solver) -> bool:
        """Whether a play that goes round is to be looked for before the search, once."""
        facts, limits = self.known.facts, self.limits
        if self.has_looked_for_a_loop or facts.terminates.holds is not None or limits.has_horizon:
            return False
        if Need.END in solver.needs:
            return facts.has_endless or not facts.perfect_information.holds
        return solver.deepens and limits.seconds == inf

    def look_for_a_loop(self) -> None:
        """Whether a play goes round. Where rules look at the history hardly a position comes up twice, and a search is
        as good at finding out."""
        self.has_looked_for_a_loop = True
        if not self.known.facts.has_history:
            seen = self.count(inf, True)
            self.note(seen, self.known.facts.with_count(seen.positions, seen.finished, seen.loop))

    def look_around(self) -> None:
        """Prove that every play ends where that takes no time to speak of: it spares a search to watch for plays that
        go round. One that does is for the search to find, if it comes to it, and decides nothing here."""
        facts = self.known.facts
        if self.has_looked_for_a_loop or facts.has_history or self.limits.has_horizon or self.machine.play(self.root):
            return
        seen = self.count(FEW, False)
        if seen.finished and seen.loop is None:
            known = facts.with_count(seen.positions, True, None)
            self.known = evolve(self.known, facts=known, seen=self.known.seen or seen)

    def count(self, most: float, stops_at_loop: bool) -> Survey | Size:
        """The positions, at most so many."""
        from zermelo.interpreter.checks.survey import survey
        from zermelo.interpreter.native.running.machine import BeyondLimits, LoweredMachine
        from zermelo.solvers.native.positions import measure

        machine, limits = self.machine, self.limits
        if isinstance(machine, LoweredMachine):
            within = Limits(limits.left / 2, limits.memory, ledger=limits.ledger)
            with suppress(BeyondLimits):
                return machine.with_room(lambda: measure(machine, most, within, self.progress, 1, stops_at_loop))
        enough = (lambda seen: seen.loop is not None) if stops_at_loop else None
        return survey(machine, most, limits.left / 2, self.progress, enough, limits.free)

    def note(self, seen: Survey | Size, facts: Facts) -> None:
        """Keep what a look has found; where a limit has ended it, what is open says so."""
        if not seen.finished and seen.loop is None:
            said = f"; the look at its positions was stopped {seen.stopped}, and --time and --memory allow more"
            facts = evolve(
                facts,
                constant_sum=_still_open(facts.constant_sum, said),
                common_payoff=_still_open(facts.common_payoff, said),
                chance=_still_open(facts.chance, said),
            )
        self.known = evolve(self.known, facts=facts, seen=seen if seen.loop is None else None)


def _with_secrets(machine: Machine[State], facts: Facts) -> Facts:
    """The facts with two plays that somebody cannot tell apart, where early ones show it."""
    if facts.perfect_information.holds is not None:
        return facts
    from zermelo.interpreter.checks.information_sets import find_confusion

    return facts.with_confusion(find_confusion(machine))


def _still_open(fact: Fact, said: str) -> Fact:
    return fact if fact.holds is not None or fact.how.endswith(said) else Fact(None, fact.how + said)


def with_tree(facts: Facts, tree: ExtensiveForm) -> Facts:
    """The facts with what a tree of all histories settles."""
    from zermelo.solvers.forms.extensive_form import CHANCE_NODE

    players = len(tree.player_names)
    columns = [tree.payoffs[player::players] for player in range(players)]
    return facts.with_leaves(
        tree.histories,
        {sum(payoff) for payoff in zip(*columns, strict=True)},
        all(len(set(payoff)) == 1 for payoff in zip(*columns, strict=True)),
        CHANCE_NODE in tree.sets_of,
        tree.denominator,
    )
