"""The best extensive-form correlated equilibrium, by a linear program solved exactly.

A mediator draws a pure strategy for each player and keeps it secret. A player who reaches an information set is told
the move that their strategy has there. A player who once does something else is told nothing more. If nobody gains by
doing so, this is an *extensive-form correlated equilibrium* (von Stengel and Forges 2008). Every correlated equilibrium
of the table is one: there players are told their whole strategy in advance, know more, and can do more with it.

Payoffs and incentives are linear in z, the probabilities that everybody is told the sequences of a tuple. The program
says in one of two ways that z is a mixture of pure strategies:

- for two players and triangle-free games by equations, as many as there are relevant pairs of sequences;
- for others by a column for every profile of pure strategies. With hidden deals it is NP-hard to find the best
  equilibrium (von Stengel and Forges 2008), so no small program can be expected.

The optimum is proved by the certificate of the linear program, and that z is a mixture, by writing it as one.

Cost: a linear program with a column for every relevant pair, or for every profile and every tuple that matters.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import prod
from typing import TypeAlias

from attrs import define, field, frozen

from zermelo.foundation.deadline import check_deadline
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.machine import Payoff
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.common.numbers import over_one_denominator
from zermelo.solvers.forms.extensive_form import ExtensiveForm, SequenceForm, Sequences
from zermelo.solvers.linear_programming.exact_optimum import optimum
from zermelo.solvers.linear_programming.linear_program import LinearProgram, Row, bytes_of_program
from zermelo.solvers.normal_form.normal_form import NoTable, check_count, count_strategies, pure_plans

# Correlation plans of two players: how likely it is that both are told the moves of a pair of sequences.
#
# A mediator draws a pure strategy for each player and tells every move at the information set where it is due. What the
# players' payoffs depend on is the *correlation plan* z: for a sequence of each player the probability that both are
# told to follow them. Two information sets are *connected* if a play can pass through both, and a pair of sequences is
# *relevant* if one of them is empty or their last information sets are connected. Relevant pairs are at most as many as
# pairs of sequences, whereas a joint distribution has a number for every pair of pure strategies.
#
# Every correlation plan satisfies the *consistency equations*: z is 1 for the two empty sequences and never negative,
# and what is told at an information set adds up,
#
#     sum over the moves a of I of z(I a, s)  =  z(sequence that leads to I, s)      for every s that is relevant with
# I,
#
# for both players alike. The converse holds if the game is *triangle-free*: if there are no sets I, I' after one
# sequence and J, J' after one of the other player such that I is connected to J, I to J', and I' to J'. Without chance,
# and where chance draws in the open, there are none. With a hidden deal there are, and the equations admit what no
# mediator can do.
#
# *Why the converse holds.* Take the sets that follow a pair of sequences that are told. Connections among them have no
# path of three edges, so every component is a star. The centre chooses a move; then the same is done for the sets after
# that move and those at the points of the star. A move of I is chosen such that z of it and the last relevant sequence
# told to the other is positive, which exists by the equation. No set told elsewhere is connected to I: the two would
# have been in one component, up to the set that came between them, and be told with it. So z is positive for all
# relevant pairs that are told. Subtract these two pure strategies, as often as z allows: the rest satisfies the
# equations, up to a factor, and has one zero more. After as many rounds as z has positive numbers nothing is left, and
# z is a mixture.
#
# Source: von Stengel and Forges, "Extensive-form correlated equilibrium: definition and computational complexity"
# (2008), without chance; Farina and Sandholm, "Polynomial-time computation of optimal correlated equilibria in
# two-player extensive-form games with public chance moves and beyond" (2020), for the condition.


Told: TypeAlias = tuple[frozenset[int], ...]
"""The sequences of a pure strategy of each player, the empty one included."""


@define(eq=False)
class CorrelationPlans:
    """The correlation plans of a game of two players. ``connected`` are pairs of information sets, and ``place`` gives
    every relevant pair of sequences its number."""

    form: SequenceForm
    connected: set[tuple[int, int]] = field(init=False)
    place: dict[tuple[int, ...], int] = field(factory=dict, init=False)

    def __attrs_post_init__(self) -> None:
        mine, theirs = self.sides
        ends = {(mine.set_of(s), theirs.set_of(t)): (s, t) for s, t in zip(*self.form.leaves, strict=True)}
        self.connected = {(i, j) for s, t in ends.values() for i, _ in mine.steps(s) for j, _ in theirs.steps(t)}

    @property
    def sides(self) -> tuple[Sequences, Sequences]:
        """The sequences of both players."""
        mine, theirs = self.form.players
        return mine, theirs

    def count(self) -> int:
        """The number of relevant pairs of sequences."""
        mine, theirs = self.sides
        both = sum(len(mine.options(i)) * len(theirs.options(j)) for i, j in self.connected)
        return both + len(mine) + len(theirs) - 1

    def crossing(self) -> tuple[int, int] | None:
        """Two connected sets, each of which is connected to another one after the same sequence as its partner: with
        these they are a triangle. None if the game is triangle-free."""
        mine, theirs = (side.parents for side in self.sides)
        ends = Counter[tuple[int, int, int]]()
        for i, j in self.connected:
            ends.update([(0, i, theirs[j]), (1, j, mine[i])])
        crowded = (pair for pair in self.connected if ends[0, pair[0], theirs[pair[1]]] > 1)
        return min((pair for pair in crowded if ends[1, pair[1], mine[pair[0]]] > 1), default=None)

    def number(self) -> None:
        """Number the relevant pairs, that of the two empty sequences first."""
        mine, theirs = self.sides
        pairs = [(s, 0) for s in range(len(mine))] + [(0, t) for t in range(1, len(theirs))]
        for i, j in sorted(self.connected):
            check_deadline()
            pairs += [(s, t) for s in mine.options(i) for t in theirs.options(j)]
        self.place.update((pair, k) for k, pair in enumerate(pairs))

    def consistency(self) -> Iterator[Row]:
        """The consistency equations but the first, as rows over the numbers of pairs that sum to 0."""
        mine, theirs = self.sides
        place = self.place
        with_mine, with_theirs = ([[0] for _ in side.parents] for side in self.sides)  # relevant sequences
        for i, j in sorted(self.connected):
            with_mine[i] += theirs.options(j)
            with_theirs[j] += mine.options(i)
        for i, parent in enumerate(mine.parents):
            check_deadline()
            for t in with_mine[i]:
                yield [*((place[s, t], 1) for s in mine.options(i)), (place[parent, t], -1)]
        for j, parent in enumerate(theirs.parents):
            check_deadline()
            for s in with_theirs[j]:
                yield [*((place[s, t], 1) for t in theirs.options(j)), (place[s, parent], -1)]

    def mixture(self, plan: Sequence[Fraction]) -> dict[Told, Fraction]:
        """Pairs of pure strategies, with probabilities, that have this correlation plan. The game must be
        triangle-free."""
        left, scale = over_one_denominator(plan)
        drawn: dict[Told, Fraction] = {}
        while left[0]:
            check_deadline()
            told = self._choose_strategies(left)
            pairs = [self.place[s, t] for s in told[0] for t in told[1] if (s, t) in self.place]
            often = min(left[pair] for pair in pairs)
            assert often > 0, "every relevant pair that is told has a probability"
            for pair in pairs:
                left[pair] -= often
            drawn[told] = Fraction(often, scale)
        assert not any(left), "nothing is left of a correlation plan"
        return drawn

    def _choose_strategies(self, plan: Sequence[int]) -> Told:
        """A pure strategy of each player such that all relevant pairs of their sequences have a positive number."""
        told: tuple[set[int], set[int]] = ({0}, {0})
        due = [((0, 0), (self.sides[0].behind[0], self.sides[1].behind[0]))]
        while due:
            after, sets = due.pop()
            for player, centre, points in self._stars(sets):
                sequence = self._likeliest_sequence(player, centre, after[1 - player], plan)
                told[player].add(sequence)
                behind = self.sides[player].behind[sequence]
                if player == 0:
                    due.append(((sequence, after[1]), (behind, points)))
                else:
                    due.append(((after[0], sequence), (points, behind)))
        return frozenset(told[0]), frozenset(told[1])

    def _stars(self, sets: tuple[list[int], list[int]]) -> Iterator[tuple[int, int, list[int]]]:
        """The components of connected sets, each with the player of its centre, the centre, and the points."""
        points = [[j for j in sets[1] if (i, j) in self.connected] for i in sets[0]]
        backward = [[i for i in sets[0] if (i, j) in self.connected] for j in sets[1]]
        degree = dict(zip(sets[1], map(len, backward), strict=True))
        for i, found in zip(sets[0], points, strict=True):
            if len(found) != 1 or degree[found[0]] == 1:
                yield 0, i, found
        for j, found in zip(sets[1], backward, strict=True):
            if len(found) != 1:
                yield 1, j, found

    def _likeliest_sequence(self, player: int, at: int, other: int, plan: Sequence[int]) -> int:
        """The most likely sequence with a move of a set, given what the other player is told."""
        theirs = self.sides[1 - player]
        last = theirs.set_of(other)
        while last >= 0 and ((at, last) if player == 0 else (last, at)) not in self.connected:
            other = theirs.parents[last]
            last = theirs.set_of(other)
        options = self.sides[player].options(at)
        return max(options, key=lambda own: plan[self.place[(own, other) if player == 0 else (other, own)]])


# The incentive constraints of a mediator: nobody gains by another move than the one they are told.
#
# Everybody is told their moves one by one, each at the information set where it is due, and nothing more once they do
# something else. A *trigger* is a sequence whose last move c is due at set I. A player who is told it and deviates goes
# on by a plan of their own, against what the others are told when the player is told c. The best such plan is found
# from the bottom up: a variable v for each set bounds what its sequences bring from above, and v at I is at most what
# obedience brings. All this is linear in z, the probability that everybody is told the sequences of a tuple, one for
# each player:
#
#     v[J] >= (payoffs at the leaves of s, times z of the trigger and of the others' sequences there)
#             + (sum of v over the sets after s)                      for every sequence s of J, but c itself
#     v[I] <= (payoffs at the leaves behind c, times z of all sequences there)
#
# Two kinds of deviation are left out, since they are no better than others: to make the move c and deviate later, where
# one would know more; and to deviate at a set with one move, which is to deviate later without being told.
#
# Source: von Stengel and Forges (2008), section 4. Cost: for each trigger a variable and a row for every set and
# sequence after it, and a coefficient for every leaf.


Joint: TypeAlias = tuple[int, ...]
"""A sequence of each player."""


def leaves_of(form: SequenceForm) -> Iterator[Joint]:
    """The players' sequences at each leaf."""
    return zip(*form.leaves, strict=True)


def constraint_size(form: SequenceForm) -> tuple[int, int]:
    """The numbers of coefficients and of lines (rows and columns) of the constraints, at most."""
    coefficients = lines = 0
    for side, at in zip(form.players, form.leaves, strict=True):
        choices = [len(side.options(i)) if len(side.options(i)) > 1 else 0 for i in range(len(side.parents))]
        leading = [0] * len(side)  # the triggers at the sets up to each sequence
        for i, parent in enumerate(side.parents):
            for sequence in side.options(i):
                leading[sequence] = leading[parent] + choices[i]
        coefficients += sum(leading[sequence] for sequence in at) + 3 * sum(leading)
        lines += 2 * sum(leading)
    return coefficients, lines


def joints_of(form: SequenceForm) -> list[Joint]:
    """The tuples of sequences whose probability appears in the constraints or in the payoffs."""
    joints = dict.fromkeys(leaves_of(form))
    for player, side in enumerate(form.players):
        for leaf in dict.fromkeys(leaves_of(form)):
            for i, _ in side.steps(leaf[player]):
                check_deadline()
                joints.update((_replace_sequence(leaf, player, trigger), None) for trigger in side.options(i))
    return list(joints)


def require_obedience(program: LinearProgram, form: SequenceForm, place: Mapping[Joint, int]) -> None:
    """Add the constraints to a program whose column ``place[joint]`` is the probability z of a tuple of sequences."""
    joints = list(leaves_of(form))
    for player, side in enumerate(form.players):
        behind: list[list[tuple[int, int]]] = [[] for _ in side.parents]
        for leaf, joint in enumerate(joints):
            if form.payoffs[player][leaf]:
                for i, move in side.steps(joint[player]):
                    behind[i].append((leaf, move))
        for i, leaves in enumerate(behind):
            for trigger in side.options(i) if len(side.options(i)) > 1 else ():
                check_deadline()
                told: dict[int, int] = defaultdict(int)
                values: dict[int, dict[int, int]] = defaultdict(lambda: defaultdict(int))
                for leaf, move in leaves:
                    joint, payoff = joints[leaf], form.payoffs[player][leaf]
                    if move == trigger:
                        told[place[joint]] -= payoff
                    else:
                        values[joint[player]][place[_replace_sequence(joint, player, trigger)]] += payoff
                worth = _add_deviation_bound(program, side, i, trigger, values)
                _add_row_at_most_0(program, [(worth, 1), *told.items()])


def _add_deviation_bound(
    program: LinearProgram, side: Sequences, at: int, trigger: int, values: Mapping[int, Mapping[int, int]]
) -> int:
    """Add the variables and rows that bound the best plan of a player who is told ``trigger`` at set ``at`` and
    deviates; returns the column of the variable for that set. ``values`` are the payoffs of each sequence."""
    column = {at: _add_free_column(program)}
    due = [at]
    while due:
        i = due.pop()
        for sequence in side.options(i):
            if sequence == trigger:
                continue
            for later in side.behind[sequence]:
                column[later] = _add_free_column(program)
                due.append(later)
            after = ((column[later], 1) for later in side.behind[sequence])
            _add_row_at_most_0(program, [(column[i], -1), *after, *values.get(sequence, {}).items()])
    return column[at]


def _add_free_column(program: LinearProgram) -> int:
    """A new column that may have any value."""
    program.costs.append(0)
    program.is_free.append(True)
    return len(program.costs) - 1


def _add_row_at_most_0(program: LinearProgram, row: Iterable[tuple[int, int]]) -> None:
    program.add([(column, factor) for column, factor in row if factor], 0, False)


def _replace_sequence(joint: Joint, player: int, sequence: int) -> Joint:
    return (*joint[:player], sequence, *joint[player + 1 :])


@frozen
class ExtensiveFormCorrelated:
    """The sequences that players are told together, with their probabilities, the expected payoffs, and the size of the
    linear program in words."""

    drawn: dict[Told, Fraction]
    payoff: Payoff
    counts: dict[str, int]

    @property
    def welfare(self) -> Fraction:
        """The sum of the players' payoffs."""
        return sum(self.payoff, Fraction(0))


def best_in_extensive_form(
    tree: ExtensiveForm, form: SequenceForm, limits: Limits, favoured: int | None = None
) -> ExtensiveFormCorrelated:
    """The extensive-form correlated equilibrium with the greatest welfare, or with the greatest payoff of the player
    ``favoured``; ``form`` is the sequence form of the game ``tree``.

    Raises ``ZermeloError``: :class:`NoTable` (``too-many-strategies``) if the equations do not suffice and there are
    too many profiles, ``no-solver`` if no optimum could be proved, ``broken-installation``, ``out-of-time``,
    ``out-of-memory``."""
    plans = CorrelationPlans(form) if len(form.players) == 2 else None
    if plans is not None and plans.crossing() is None:
        return solve_by_equations(form, plans, limits, favoured)
    try:
        check_count(tree, tree.player_names, [count_strategies(own) for own in form.players])
    except NoTable as error:
        raise NoTable(error.code, f"{_why_listed(tree)}, and {error.message}", error.help) from None
    return solve_by_profiles(form, limits, favoured)


def solve_by_equations(
    form: SequenceForm, plans: CorrelationPlans, limits: Limits, favoured: int | None = None
) -> ExtensiveFormCorrelated:
    """The same for two players and a triangle-free game, by a program with a column for every relevant pair. Raises as
    :func:`best_in_extensive_form`."""
    coefficients, lines = constraint_size(form)
    pairs = plans.count()
    memory = bytes_of_program(coefficients + 4 * pairs, lines + 3 * pairs)
    limits.require(memory, f"a linear program of {pairs:,} pairs of sequences")
    plans.number()
    program = _program_without_rows(form, plans.place, favoured)
    program.add([(0, 1)], 1, True)
    for row in plans.consistency():
        program.add(row, 0, True)
    require_obedience(program, form, plans.place)
    return _equilibrium_of(form, plans.mixture(_proved_optimum(program, limits)[:pairs]), {"pairs of sequences": pairs})


def solve_by_profiles(form: SequenceForm, limits: Limits, favoured: int | None = None) -> ExtensiveFormCorrelated:
    """The same for any game, by a program with a column for every profile. Raises as
    :func:`best_in_extensive_form`."""
    strategies = [[frozenset(chosen) | {0} for chosen in pure_plans(own)] for own in form.players]
    following = [
        [[k for k, told in enumerate(own) if sequence in told] for sequence in range(len(side))]
        for own, side in zip(strategies, form.players, strict=True)
    ]
    joints, profiles = joints_of(form), prod(map(len, strategies))
    coefficients, lines = constraint_size(form)
    coefficients += sum(1 + prod(map(len, map(list.__getitem__, following, joint))) for joint in joints)
    memory = bytes_of_program(coefficients + profiles, lines + 2 * len(joints) + profiles)
    limits.require(memory, f"a linear program of {profiles:,} profiles")
    place = {joint: k for k, joint in enumerate(joints)}
    program = _program_without_rows(form, place, favoured)
    first = len(joints)
    program.costs += [0] * profiles
    program.is_free += [False] * profiles
    program.add([(first + k, 1) for k in range(profiles)], 1, True)
    for joint, column in place.items():
        row = [(column, -1)]
        for profile in product(*map(list.__getitem__, following, joint)):
            check_deadline()
            number = 0
            for own, k in zip(strategies, profile, strict=True):
                number = number * len(own) + k
            row.append((first + number, 1))
        program.add(row, 0, True)
    require_obedience(program, form, place)
    weights = _proved_optimum(program, limits)[first : first + profiles]
    drawn = {told: weight for told, weight in zip(product(*strategies), weights, strict=True) if weight}
    return _equilibrium_of(form, drawn, {"profiles": profiles})


def _program_without_rows(form: SequenceForm, place: dict[Joint, int], favoured: int | None) -> LinearProgram:
    """The program without rows: its objective is the sum of payoffs, or the payoff of the player ``favoured``."""
    program = LinearProgram([0] * len(place), [False] * len(place))
    wanted = form.payoffs if favoured is None else [form.payoffs[favoured]]
    for leaf, amounts in zip(leaves_of(form), zip(*wanted, strict=True), strict=True):
        program.costs[place[leaf]] += sum(amounts)
    return program


def _proved_optimum(program: LinearProgram, limits: Limits) -> list[Fraction]:
    """The optimal solution, proved."""
    found = optimum(program, limits)
    if found is None or not found[1]:
        raise ZermeloError("no-solver", "the linear program of this game is beyond what double precision can solve")
    return found[0].x


def _equilibrium_of(form: SequenceForm, drawn: dict[Told, Fraction], counts: dict[str, int]) -> ExtensiveFormCorrelated:
    """What is drawn, with the players' expected payoffs if everybody does as they are told."""
    reached: dict[Joint, Fraction] = defaultdict(Fraction)
    for told, chance in drawn.items():
        for joint in product(*told):
            reached[joint] += chance
    chances = [reached.get(leaf, Fraction(0)) for leaf in leaves_of(form)]
    sums = (
        sum((chance * amount for chance, amount in zip(chances, own, strict=True) if chance), Fraction(0))
        for own in form.payoffs
    )
    return ExtensiveFormCorrelated(drawn, tuple(total / form.denominator for total in sums), counts)


def _why_listed(tree: ExtensiveForm) -> str:
    """Why the equations do not suffice, in words."""
    if len(tree.player_names) != 2:
        return "with more or fewer than two players, what a mediator can do needs a list of pure strategies"
    one, other = tree.player_names
    return f"chance tells {one} and {other} different things, so what a mediator can do needs a list of pure strategies"
