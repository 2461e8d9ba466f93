"""The incentive constraints of a mediator: nobody gains by another move than the one they are told.

Everybody is told their moves one by one, each at the information set where it is due, and nothing more once they do
something else. A *trigger* is a sequence whose last move c is due at set I. Who is told it and deviates goes on by a
plan of their own, against what the others are told if they themselves are told c. The best such plan is found from the
bottom up: a variable v for each set bounds what its sequences bring from above, and v at I is at most what obedience
brings. All this is linear in z, the probability that everybody is told the sequences of a tuple, one for each player:

    v[J] >= (payoffs at the leaves of s, times z of the trigger and of the others' sequences there)
            + (sum of v over the sets after s)                      for every sequence s of J, but c itself
    v[I] <= (payoffs at the leaves behind c, times z of all sequences there)

Two kinds of deviation are left out, since they are no better than others: to make the move c and deviate later, where
one would know more; and to deviate at a set with one move, which is to deviate later without being told.

Source: von Stengel and Forges (2008), section 4. Cost: for each trigger a variable and a row for every set and sequence
after it, and a coefficient for every leaf.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

from zermelo.grammar.deadline import look
from zermelo.solvers.forms.sequence_form import SequenceForm
from zermelo.solvers.imperfect_information.following_sets import FollowingSets
from zermelo.solvers.linear_programming.linear_program import LinearProgram

Joint: TypeAlias = tuple[int, ...]
"""A sequence of each player."""


def leaves_of(form: SequenceForm) -> Iterator[Joint]:
    """The players' sequences at each leaf."""
    return zip(*form.leaves, strict=True)


def size_of(form: SequenceForm, sides: Sequence[FollowingSets]) -> tuple[int, int]:
    """The numbers of coefficients and of lines (rows and columns) of the constraints, at most."""
    coefficients = lines = 0
    for side, at in zip(sides, form.leaves, strict=True):
        choices = [len(side.options(i)) if len(side.options(i)) > 1 else 0 for i in range(len(side.own.parents))]
        leading = [0] * len(side.own)  # the triggers at the sets up to each sequence
        for i, parent in enumerate(side.own.parents):
            for sequence in side.options(i):
                leading[sequence] = leading[parent] + choices[i]
        coefficients += sum(leading[sequence] for sequence in at) + 3 * sum(leading)
        lines += 2 * sum(leading)
    return coefficients, lines


def joints_of(form: SequenceForm, sides: Sequence[FollowingSets]) -> list[Joint]:
    """The tuples of sequences whose probability appears in the constraints or in the payoffs."""
    joints = dict.fromkeys(leaves_of(form))
    for player, side in enumerate(sides):
        for leaf in dict.fromkeys(leaves_of(form)):
            for i, _ in side.steps(leaf[player]):
                look()
                joints.update((_replaced(leaf, player, trigger), None) for trigger in side.options(i))
    return list(joints)


def require_obedience(
    program: LinearProgram, form: SequenceForm, sides: Sequence[FollowingSets], place: Mapping[Joint, int]
) -> None:
    """Add the constraints to a program whose column ``place[joint]`` is the probability z of a tuple of sequences."""
    joints = list(leaves_of(form))
    for player, side in enumerate(sides):
        behind: list[list[tuple[int, int]]] = [[] for _ in side.own.parents]
        for leaf, joint in enumerate(joints):
            if form.payoffs[player][leaf]:
                for i, move in side.steps(joint[player]):
                    behind[i].append((leaf, move))
        for i, leaves in enumerate(behind):
            for trigger in side.options(i) if len(side.options(i)) > 1 else ():
                look()
                told: dict[int, int] = defaultdict(int)
                values: dict[int, dict[int, int]] = defaultdict(lambda: defaultdict(int))
                for leaf, move in leaves:
                    joint, payoff = joints[leaf], form.payoffs[player][leaf]
                    if move == trigger:
                        told[place[joint]] -= payoff
                    else:
                        values[joint[player]][place[_replaced(joint, player, trigger)]] += payoff
                worth = _bound(program, side, i, trigger, values)
                _at_most_0(program, [(worth, 1), *told.items()])


def _bound(
    program: LinearProgram, side: FollowingSets, at: int, trigger: int, values: Mapping[int, Mapping[int, int]]
) -> int:
    """Add the variables and rows that bound the best plan of who is told ``trigger`` at set ``at`` and deviates; the
    column of the variable for that set. ``values`` are the payoffs of each sequence."""
    column = {at: _free(program)}
    due = [at]
    while due:
        i = due.pop()
        for sequence in side.options(i):
            if sequence == trigger:
                continue
            for later in side.behind[sequence]:
                column[later] = _free(program)
                due.append(later)
            after = ((column[later], 1) for later in side.behind[sequence])
            _at_most_0(program, [(column[i], -1), *after, *values.get(sequence, {}).items()])
    return column[at]


def _free(program: LinearProgram) -> int:
    """A new column that may have any value."""
    program.costs.append(0)
    program.is_free.append(True)
    return len(program.costs) - 1


def _at_most_0(program: LinearProgram, row: Iterable[tuple[int, int]]) -> None:
    program.add([(column, factor) for column, factor in row if factor], 0, False)


def _replaced(joint: Joint, player: int, sequence: int) -> Joint:
    return (*joint[:player], sequence, *joint[player + 1 :])
