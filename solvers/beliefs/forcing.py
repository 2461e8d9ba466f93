"""What a player can force whatever the truth is: AND-OR search over sets of possible positions.

Where nothing tells how probable the positions are, or where a chance is not good enough, a player may ask for a plan
that brings them some amount for certain: whatever chance draws and the others do, be it by luck, and wherever they are
among the positions that they hold possible. What they know at a decision is a set of positions. They choose a move
there (OR), and the plan has to succeed after everything that they may perceive then (AND). So the search is one of
AND-OR trees over such sets (Russell and Norvig, "Searching with nondeterministic actions" and "Searching in partially
observable environments"), and finds a conditional plan, or proves that there is none. No mixture of plans forces more
than the best of them does, and the others can prevent no more by knowing the plan or one another's secrets: to say that
a plan succeeds is to speak of every single play.

*Soundness.* A set is won if some move leads only to sets that are won, and to no end that brings too little; it is won
for good, since all this has been found before. So the plan is well founded: every play that follows it comes to an end.
A set is certainly lost if one of its positions could not be won even by a player who knew that they were in it: a plan
for the set would serve for the single position. Where the search comes back to a set that it is in the middle of, that
set counts as not won here, since whoever wins by coming back to it can win without that. So "lost" is provisional for
sets behind it. If such a set has been won in the end, all sets that are not won are searched again, with what has been
won. If none has, the sets called lost form a closed world: each move in each of them may lead to one of them or to a
bad end, so no plan wins there.

Cost: each set once for every pass, times moves, positions and what may follow; there may be as many sets as the
positions have subsets. Moves after which the fewest positions are possible are tried first.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from fractions import Fraction
from typing import Generic, TypeAlias

from attrs import define, field, frozen

from zermelo.interpreter.machine import InformationState, Machine, Move, State
from zermelo.solvers.beliefs.belief_search import Followed, Heard, Meter, PerceivedSteps, PlannedMove, write_plan
from zermelo.solvers.common.limits import Limits, Progress, ignore_progress
from zermelo.solvers.common.numbers import depth_first
from zermelo.solvers.forms.policy import ConditionalPlan

Possible: TypeAlias = tuple[int, ...]
"""A set of positions that the player cannot tell apart: their numbers, in ascending order."""


@frozen
class Forced:
    """``plan`` brings at least ``amount``, the least with which any play along it ends; both are None if no plan does
    what was asked. ``counts``: ``nodes`` are sets of possible positions, ``positions`` are those that were met."""

    plan: ConditionalPlan | None
    amount: Fraction | None
    counts: dict[str, int]


def force_payoff(
    machine: Machine[State],
    player: int,
    truths: Sequence[State],
    at_least: Fraction | None,
    limits: Limits | None = None,
    progress: Progress = ignore_progress,
) -> Forced:
    """A plan by which ``player`` gets ``at_least`` so much, or else as much as can be forced, earnings included,
    whichever of the ``truths`` holds: the states that they hold possible, and cannot tell apart. A play without an end
    brings nothing, whatever the file says of it.

    Raises ``ZermeloError``: ``moves-differ``, ``too-many-outcomes``, ``needs-end`` if others can go on for ever before
    the player decides again, ``out-of-time``, ``out-of-memory``."""
    steps = PerceivedSteps(machine, player, True, Meter(limits or Limits(), progress))
    begun = [(machine.earned(truth)[player], steps.beginning(truth)) for truth in truths]
    ends = {had + amount for had, each in begun for amount in each.ends}
    begins = _group_by_perception([each for _, each in begun])
    best: _Forcing[State] | None = None
    floor, is_above = at_least, at_least is None
    nodes = 0
    while not any(_falls_short(amount, floor, is_above) for amount in ends):
        found = _Forcing(steps, floor, is_above)
        is_won = found.all_won([after for _, after in begins])
        nodes = max(nodes, found.nodes)
        if not is_won:
            break
        best = found
        floor = min([*ends, *found.brought([after for _, after in begins])])
        if not is_above:
            break
    counts = {"nodes": nodes, "positions": len(steps.states)}
    if best is None:
        return Forced(None, None, counts)
    plan = write_plan(steps, truths, begins, best.chosen)
    return Forced(plan, floor, counts)


def _falls_short(amount: Fraction, floor: Fraction | None, is_above: bool) -> bool:
    """Whether an amount is less than the ``floor``, or no more if it has to be above."""
    return floor is not None and (amount < floor or (is_above and amount == floor))


def _group_by_perception(followed: Sequence[Followed]) -> Heard[Possible]:
    """What may be perceived, and what is possible then."""
    heard: dict[InformationState, set[int]] = {}
    for each in followed:
        for perceived, position, _, _ in each.arrivals:
            heard.setdefault(perceived, set()).add(position)
    return [(perceived, tuple(sorted(positions))) for perceived, positions in heard.items()]


@define(eq=False)
class _Forcing(Generic[State]):
    """The search for a plan that ends with ``floor`` or, if ``is_above``, with more. ``made`` has the moves in the sets
    that are won. ``lost`` are those that one pass has not won, ``open`` those that it is in the middle of, and ``met``
    those that it came back to meanwhile."""

    steps: PerceivedSteps[State]
    floor: Fraction | None
    is_above: bool
    made: dict[Possible, Move] = field(factory=dict)
    lost: dict[Possible, None] = field(factory=dict)
    open: set[Possible] = field(factory=set)
    met: set[Possible] = field(factory=set)
    nodes: int = 0

    def __attrs_post_init__(self) -> None:
        self.steps.meter.keep(self.made, self.lost)

    def all_won(self, sets: Sequence[Possible]) -> bool:
        """Whether a plan wins in all of these sets."""
        return all(self.is_won(each) for each in sets)

    def is_won(self, possible: Possible) -> bool:
        """Whether a plan wins in a set, by as many passes as it takes."""
        while True:
            self.lost.clear()
            self.met.clear()
            if depth_first(self.visit, possible):
                return True
            self.nodes = max(self.nodes, len(self.lost) + len(self.made))
            if self.met.isdisjoint(self.made):
                return False

    def visit(self, possible: Possible) -> Generator[Possible, bool, bool]:
        """Whether a plan wins in a set, as far as this pass finds one."""
        if possible in self.made:
            return True
        if possible in self.lost:
            return False
        if possible in self.open:
            self.met.add(possible)
            return False
        self.steps.meter.look()
        self.open.add(possible)
        move = yield from self.winning_move(possible)
        self.open.remove(possible)
        if move is None:
            self.lost[possible] = None
            return False
        self.made[possible] = move
        self.nodes = max(self.nodes, len(self.lost) + len(self.made))
        return True

    def winning_move(self, possible: Possible) -> Generator[Possible, bool, Move | None]:
        """A move that wins in a set; None if none does."""
        if len(possible) > 1:
            for position in possible:
                if not (yield (position,)):
                    return None
        for move, heard in self.hopeful(possible):
            for _, after in heard:
                if not (yield after):
                    break
            else:
                return move
        return None

    def hopeful(self, possible: Possible) -> Iterator[tuple[Move, Heard[Possible]]]:
        """The moves that lead to no end that brings too little, with what may be perceived after them: those after
        which the player knows the position come first, then the others, by how many positions they leave possible."""
        found = []
        for move in self.steps.moves(possible):
            followed = [self.steps.after(position, move) for position in possible]
            if any(_falls_short(amount, self.floor, self.is_above) for amount in self.totals(possible, followed)):
                continue
            heard = _group_by_perception(followed)
            most = max((len(after) for _, after in heard), default=0)
            if most <= 1:
                yield move, heard
            else:
                found.append((most, move, heard))
        found.sort(key=lambda each: each[0])
        yield from ((move, heard) for _, move, heard in found)

    def totals(self, possible: Possible, followed: Sequence[Followed]) -> set[Fraction]:
        """The amounts of the ends right after a move, with what was earned before."""
        return {
            self.steps.earned[position] + amount
            for position, each in zip(possible, followed, strict=True)
            for amount in each.ends
        }

    def chosen(self, possible: Possible) -> PlannedMove[Possible]:
        """What the plan does in a set that is won."""
        move = self.made[possible]
        followed = [self.steps.after(position, move) for position in possible]
        return PlannedMove(move, len(possible), _group_by_perception(followed))

    def brought(self, sets: Sequence[Possible]) -> set[Fraction]:
        """What the plan ends with from these sets on."""
        found: set[Fraction] = set()
        waiting, seen = list(sets), set(sets)
        while waiting:
            possible = waiting.pop()
            followed = [self.steps.after(position, self.made[possible]) for position in possible]
            found |= self.totals(possible, followed)
            new = {after for _, after in _group_by_perception(followed)} - seen
            seen |= new
            waiting += new
        return found
