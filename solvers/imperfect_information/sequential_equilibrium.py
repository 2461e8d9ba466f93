"""Whether an equilibrium is sequential: moves are best everywhere, given some consistent beliefs.

In a *sequential equilibrium* (Kreps and Wilson 1982) every move that is made, also where nobody expects to be, is best
given a belief about the position; and all beliefs together are limits of those in strategies that make every move. An
equilibrium given by realization plans does not say what players do in sets that their own plan avoids. It is called
sequential if some behaviour there makes it so.

Three kinds of choices are tried. In each set that the player's own plan avoids: the moves that are made. In each set
that the others' plans do not lead to: the nodes of least order, to which the belief gives probability. For given
choices two linear programs decide whether there are orders and whether there are weights
(:mod:`zermelo.solvers.imperfect_information.assessments`). Sets are taken from the last one up, and a choice is dropped
as soon as the programs of the sets so far have no solution.

*Proved.* A solution is a sequential equilibrium, with its beliefs. If all choices fail, there is none, since every
consistent assessment has such orders and weights. Between them, open, is what exceeds :data:`MOST_PROGRAMS` (a
number of programs, not a time), and the solution of a program that is only necessary (three players or more).

An equilibrium that is not sequential fails already in some of its sets: perhaps in a single one; otherwise, of those
that were tried, one after the other is given up while the rest still fails. If one set is left beside those whose moves
are open, or nothing is to be believed in those that are left, some other move may be better in the first, whatever best
moves follow: this is a program in which that move alone is compared.

Cost: exponential in the number of sets that are not reached, in the worst case. If all sets of an equilibrium are
reached, it is sequential, and there is nothing to try.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations
from typing import Final, Literal, TypeVar

from attrs import define, field, frozen

from zermelo.solvers.common.limits import Limits
from zermelo.solvers.common.rationals import over_one_denominator
from zermelo.solvers.forms.best_response import follow_best, gradient
from zermelo.solvers.forms.sequence_form import Plan
from zermelo.solvers.imperfect_information.assessment_program import AssessmentProgram, Only
from zermelo.solvers.imperfect_information.assessments import Assessments, Order, OwnSet, Product, Profile, Setting
from zermelo.solvers.linear_programming.feasibility import Values, solve

MOST_PROGRAMS: Final = 5_000
"""The linear programs after which it is left open whether an equilibrium is sequential."""

_FEW: Final = 300
"""The programs in which the sets are sought that show that an equilibrium is not; then those so far are named."""


@frozen
class SupportingBelief:
    """A player's belief in information set ``set``: for the sequences of the others (0 for the player's own) the
    probability of the nodes that these lead to. It is free where several are possible, and the others' plans do not
    lead there."""

    player: int
    set: int
    nodes: tuple[tuple[Product, Fraction], ...]


@frozen
class Sequential:
    """A proof that an equilibrium is sequential. ``beliefs`` support it in sets that the others' plans do not lead to;
    ``elsewhere`` are the probabilities of sequences in sets that the player's own plan avoids, by player and sequence.
    ``orders`` are those of the trembles that lead to the beliefs, as sequences, and ``weights`` their weights; None
    where only their products are known."""

    beliefs: tuple[SupportingBelief, ...] = ()
    elsewhere: tuple[tuple[int, int, Fraction], ...] = ()
    orders: tuple[tuple[int, int, int], ...] = ()
    weights: tuple[tuple[int, int, Fraction], ...] | None = ()


@frozen
class NotSequential:
    """A proof that it is not: no consistent beliefs support the moves in all of these information sets, those with
    moves that the equilibrium prescribes first. ``better``: a sequence that brings more in the first of them, whatever
    is believed and whatever best moves follow."""

    sets: tuple[int, ...]
    better: int | None


@frozen
class PerhapsSequential:
    """Nothing is proved: it may be sequential or not."""


Verdict = Sequential | NotSequential | PerhapsSequential


_Item = TypeVar("_Item")


def examine(setting: Setting, plans: Sequence[Plan], limits: Limits) -> Verdict:
    """Whether an equilibrium of a game, given by realization plans, is sequential.

    Raises ``ZermeloError``: ``out-of-time``, ``out-of-memory``, ``broken-installation``."""
    profile = Profile(setting, plans)
    unsettled = frozenset(at for at in setting.places if not profile.is_likely(at) or profile.is_excluded(at))
    search = _Search(profile, limits)
    try:
        proof = search.run(unsettled)
    except _Open:
        return PerhapsSequential()
    return proof or search.refutation(unsettled)


class _Open(Exception):
    """It cannot be decided, or would take too many programs."""


@frozen
class _Step:
    """A choice for a set: of the moves that are made there (``is_support``), or of the nodes of least order."""

    at: OwnSet
    is_support: bool


@define(eq=False)
class _Search:
    """Tries all choices for an equilibrium. ``best`` are the best moves in sets that the others' plans lead to;
    ``programs`` is how many have been solved, ``deepest`` the number of the last choice that was got to."""

    profile: Profile
    limits: Limits
    best: dict[OwnSet, list[int]] = field(factory=dict)
    programs: int = 0
    deepest: int = 0

    def __attrs_post_init__(self) -> None:
        for player, own in enumerate(self.profile.setting.form.players):
            values, _ = gradient(self.profile.setting.form, player, self.profile.plans)
            follow_best(own, values)
            for at in (OwnSet(player, i) for i in range(len(own.parents))):
                most = max(values[sequence] for sequence in self.profile.setting.moves(at))
                if self.profile.is_likely(at):
                    self.best[at] = [
                        sequence for sequence in self.profile.setting.moves(at) if values[sequence] == most
                    ]

    def run(self, enforced: frozenset[OwnSet], only: Only | None = None) -> Sequential | None:
        """Choices for which the moves in all ``enforced`` sets are best; None if it is proved that there are none.
        Raises :class:`_Open`."""
        steps = _schedule(self.profile, enforced)
        current, is_open = Assessments(self.profile, enforced), False
        if not steps:
            return Sequential()
        choices = [self._choices(current, steps[0])]
        while choices:
            self.deepest = max(self.deepest, len(choices) - 1)
            step = steps[len(choices) - 1]
            current.forget(step.at, step.is_support)
            chosen = next(choices[-1], None)
            if chosen is None:
                choices.pop()
                continue
            current.choose(step.at, step.is_support, chosen)
            is_last = len(choices) == len(steps)
            if step.is_support and not is_last:
                choices.append(self._choices(current, steps[len(choices)]))
                continue
            program = AssessmentProgram(current, only)
            orders = self._solve_orders(current)
            values = "none" if orders == "none" else self._count(program.solve(self.limits))
            if orders == "none" or values == "none":
                continue
            if not is_last:
                choices.append(self._choices(current, steps[len(choices)]))
            elif orders == "unknown" or values == "unknown" or not program.is_exact:
                is_open = True
            else:
                return _proof(program, orders, values)
        if is_open:
            raise _Open
        return None

    def _choices(self, current: Assessments, step: _Step) -> Iterator[tuple[object, ...]]:
        """What may be chosen, the simplest first."""
        if not step.is_support:
            return _subsets(current.unlike_nodes(step.at))
        if step.at in current.enforced and step.at in self.best:
            return _subsets(self.best[step.at])
        return _subsets(self.profile.setting.moves(step.at))

    def _solve_orders(self, current: Assessments) -> Values | Literal["none", "unknown"]:
        forms, orders = current.orders()
        return self._count(solve([], forms, orders, self.limits))

    def _count(self, found: Values | Literal["none", "unknown"]) -> Values | Literal["none", "unknown"]:
        self.programs += 1
        if self.programs > MOST_PROGRAMS:
            raise _Open
        return found

    # ------------------------------------------------------------- what fails

    def refutation(self, unsettled: frozenset[OwnSet]) -> NotSequential:
        """Few sets in which the moves cannot all be best, after a run that proved that they cannot be in all of these.
        The sets of those choices that it got to are enough: it never needed others."""
        left = frozenset(step.at for step in _schedule(self.profile, unsettled)[: self.deepest + 1])
        self.programs = MOST_PROGRAMS - _FEW
        left = next((frozenset({at}) for at in sorted(left, key=self._rank) if self._fails(frozenset({at}))), left)
        self.programs = MOST_PROGRAMS - _FEW
        for at in sorted(left, key=self._rank, reverse=True):
            if self._fails(left - {at}):
                left -= {at}
        ranked = sorted(left, key=self._rank)
        prescribed = [at for at in ranked if not self.profile.is_excluded(at)]
        better = None
        self.programs = MOST_PROGRAMS - _FEW
        setting = self.profile.setting
        if len(prescribed) == 1 or all(len(setting.nodes[at.player][at.place]) == 1 for at in prescribed):
            at, plan = prescribed[0], self.profile.plans[prescribed[0].player]
            is_mixed = sum(plan[sequence] > 0 for sequence in setting.moves(at)) > 1
            rivals = (sequence for sequence in setting.moves(at) if is_mixed or not plan[sequence])
            better = next((rival for rival in rivals if self._fails(left, Only(at, rival))), None)
        return NotSequential(tuple(map(self.profile.setting.set_of, ranked)), better)

    def _rank(self, at: OwnSet) -> tuple[bool, int]:
        """Sets with prescribed moves first, and early ones."""
        return self.profile.is_excluded(at), self.profile.setting.set_of(at)

    def _fails(self, enforced: frozenset[OwnSet], only: Only | None = None) -> bool:
        """Whether the programs that are left prove that the moves in these sets cannot all be best."""
        try:
            return self.run(enforced, only) is None
        except _Open:
            return False


def _subsets(items: Sequence[_Item]) -> Iterator[tuple[_Item, ...]]:
    """The non-empty subsets, small ones first."""
    for size in range(1, len(items) + 1):
        yield from combinations(items, size)


def _schedule(profile: Profile, enforced: frozenset[OwnSet]) -> list[_Step]:
    """The choices, late sets first, each after those that its programs depend on: what the others do between the nodes
    of a set and what follows, and the player's own later sets. What leads to all nodes of a set alike does not
    matter for it."""
    setting, steps = profile.setting, dict[_Step, None]()

    def support(at: OwnSet) -> None:
        if profile.is_excluded(at):
            steps[_Step(at, True)] = None

    def belief(at: OwnSet) -> None:
        if profile.is_likely(at) or _Step(at, False) in steps:
            return
        followed = set(setting.nodes[at.player][at.place])
        for sequence in setting.moves(at):
            for later in setting.after[at.player][sequence]:
                belief(later)
                followed |= set(setting.nodes[at.player][later.place])
            for leaf in setting.ends[at.player][sequence]:
                followed.add(tuple(0 if p == at.player else row[leaf] for p, row in enumerate(setting.form.leaves)))
        paths = {(p, s) for node in followed for p, last in enumerate(node) for s in setting.chosen(p, last)}
        for player, sequence in sorted(paths - setting.common(at)):
            support(setting.place_of(player, sequence))
        steps[_Step(at, False)] = None

    for at in sorted(enforced, key=setting.set_of, reverse=True):
        support(at)
        belief(at)
    return list(steps)


def _proof(program: AssessmentProgram, orders: Values, values: Values) -> Sequential:
    """What a solution says, in words of the game."""
    made, profile = program.assessments, program.assessments.profile
    beliefs = [
        SupportingBelief(at.player, profile.setting.set_of(at), tuple(program.belief(at, values).items()))
        for at in sorted(made.least, key=profile.setting.set_of)
        if len(profile.setting.nodes[at.player][at.place]) > 1
    ]
    elsewhere = []
    for at, support in made.supports.items():
        whole = made.weight_of(at.player, profile.setting.parent(at))
        for sequence in support:
            share = values[made.weight_of(at.player, sequence)] / values[whole] if len(support) > 1 else Fraction(1)
            elsewhere.append((at.player, sequence, share))
    names = [name for name in orders if isinstance(name, Order)]
    scaled, _ = over_one_denominator([orders[name] for name in names])
    single = {name: weight for name, weight in values.items() if isinstance(name, tuple)}
    is_single = not any(any(product) for product in program.divisors.values())
    weights = tuple(
        (player, sequence, weight)
        for product, weight in single.items()
        for player, sequence in enumerate(product)
        if sequence
    )
    return Sequential(
        tuple(beliefs),
        tuple(elsewhere),
        tuple((name.player, name.sequence, order) for name, order in zip(names, scaled, strict=True)),
        weights if is_single else None,
    )
