"""A contest as a stochastic game: one step from each position, for any numbers behind it.

Shapley (1953): give every position a number, and a step is worth what its players can make of it: a matrix game where
two choose at once, the best way where one decides, the mean where chance draws. This *operator* is what all bounds rest
on. It is monotone, and numbers that all grow by one and the same amount make it grow by no more than that.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from math import ceil, floor, log2
from typing import Any, Final

from attrs import define, evolve, field, frozen

from zermelo.foundation.deadline import check_deadline
from zermelo.solvers.common.libraries import import_library
from zermelo.solvers.positions.graph.graph import PAYS, Contest
from zermelo.solvers.positions.stochastic_cycles.turn_based_game import AWAY, Arena, Row, end_components
from zermelo.solvers.positions.stochastic_games.matrix_rounds import (
    Mixture,
    Path,
    earned_before,
    matrix_value,
    round_at,
)

BOTH: Final = 2
"""The sign of a step in which both sides choose at once."""

Way = tuple[Fraction, Fraction, int]
"""A way from a position: what it earns, the factor of the number behind it, and the position to which it leads."""


@frozen(eq=False)
class Step:
    """What can be done in a position. ``sign`` is 1 if the side that wants more decides, -1 if the side that wants less
    does, 0 if chance draws one of the ``ways`` with these ``chances``, and ``BOTH`` if the former chooses a row and the
    latter one of so many ``columns``; the ways are the entries, row by row. ``edges`` has the edges of each way."""

    position: int
    sign: int
    ways: Sequence[Way]
    edges: Sequence[Path]
    chances: Mixture = ()
    columns: int = 1

    is_plain: bool = field(init=False)
    """Whether no way earns anything, and none has a discount."""

    @is_plain.default
    def _is_plain(self) -> bool:
        return all(not earned and factor == 1 for earned, factor, _ in self.ways)

    def worths(self, numbers: Mapping[int, Fraction]) -> list[Fraction]:
        """What the ways are worth."""
        if self.is_plain:
            return [numbers[there] for _, _, there in self.ways]
        return [earned + factor * numbers[there] for earned, factor, there in self.ways]


@frozen
class Mixing:
    """What a step is worth, and how both sides bring that about: probabilities of ways, or of rows and columns."""

    number: Fraction
    rows: Mixture
    columns: Mixture

    def chances(self) -> list[Fraction]:
        """The probabilities of the ways."""
        if len(self.columns) == 1:
            return list(self.rows)
        return [row * column if row and column else _NEVER for row in self.rows for column in self.columns]

    def mean(self, step: Step, numbers: Mapping[int, Fraction]) -> Fraction:
        """What a step is worth by these probabilities, with other numbers behind it."""
        ways = zip(self.chances(), step.worths(numbers), strict=True)
        return sum((chance * worth for chance, worth in ways if chance), Fraction(0))


_ALONE: Final = (Fraction(1),)
_NEVER: Final = Fraction(0)


def step_of(contest: Contest, position: int) -> Step:
    """The step from a position; of a round, from the position in which it begins.

    Raises ``ZermeloError`` (``moves-differ``)."""
    graph = contest.graph
    kind = graph.kinds[position]
    if kind <= PAYS:
        return Step(position, 1, (), ())
    if kind < 0:
        edges = [(edge,) for edge in graph.edges(position)]
        ways = [_way(contest, position, path) for path in edges]
        return Step(position, 0, ways, edges, tuple(graph.probabilities(position)))
    round = round_at(graph, position)
    paths, signs = list(round.paths), [contest.wants[player] for player in round.choosers]
    if len(set(signs)) == 1:
        return Step(position, signs[0], [_way(contest, position, path) for path in paths], paths)
    assert len(signs) == 2, "two players have a constant sum"
    rows, columns = round.counts
    if signs[0] < 0:
        paths = [paths[i * columns + j] for j in range(columns) for i in range(rows)]
        columns = rows
    return Step(position, BOTH, [_way(contest, position, path) for path in paths], paths, columns=columns)


def _way(contest: Contest, position: int, path: Path) -> Way:
    graph, edge = contest.graph, path[-1]
    earned = graph.reward(edge)[0]
    if graph.rewards is not None:
        earned += earned_before(graph, path)[0]
    return earned, graph.factor(position, edge), graph.targets[edge]


def choose(step: Step, numbers: Mapping[int, Fraction]) -> Mixing:
    """What a step is worth with these numbers behind it."""
    worths = step.worths(numbers)
    if step.sign == 0:
        number = sum((chance * worth for chance, worth in zip(step.chances, worths, strict=True)), Fraction(0))
        return Mixing(number, step.chances, _ALONE)
    if step.sign == BOTH:
        found = matrix_value([worths[k : k + step.columns] for k in range(0, len(worths), step.columns)])
        return Mixing(found.value, found.rows, found.columns)
    best = (max if step.sign > 0 else min)(worths)
    return pure_choice(best, len(worths), worths.index(best))


def pure_choice(number: Fraction, ways: int, way: int) -> Mixing:
    """The choice of a single one of so many ways, which is worth this number."""
    return Mixing(number, tuple(Fraction(k == way) for k in range(ways)), _ALONE)


def best_reply_at(step: Step, choice: Mixing, numbers: Mapping[int, Fraction]) -> Mixing:
    """What a step is worth if the side that wants more chooses as in ``choice``, and the other one answers best."""
    if step.sign < 0:
        return choose(step, numbers)
    worths = step.worths(numbers)
    columns = len(choice.columns)
    met = [
        sum((chance * worths[row * columns + column] for row, chance in enumerate(choice.rows)), Fraction(0))
        for column in range(columns)
    ]
    number = min(met)
    return Mixing(number, choice.rows, tuple(Fraction(column == met.index(number)) for column in range(columns)))


def options_of_all(step: Step) -> list[list[int]]:
    """The options of all players together."""
    every = range(len(step.ways))
    return [list(every)] if step.sign == 0 else [[way] for way in every]


def options_against(step: Step, choice: Mixing, side: int) -> list[list[int]]:
    """The options of the others, while a side mixes as in ``choice``."""
    every = range(len(step.ways))
    if step.sign in (0, side):
        return [[way for way, chance in zip(every, choice.chances(), strict=True) if chance]]
    if step.sign == -side:
        return [[way] for way in every]
    columns = step.columns
    if side > 0:
        mixed = [row for row, chance in enumerate(choice.rows) if chance]
        return [[row * columns + column for row in mixed] for column in range(columns)]
    mixed = [column for column, chance in enumerate(choice.columns) if chance]
    return [[row * columns + column for column in mixed] for row in range(len(step.ways) // columns)]


def arena_of_options(steps: Sequence[Step], options: Callable[[Step], Sequence[Sequence[int]]]) -> Arena:
    """Where plays can go, as an arena without numbers, with one row for each of the ``options``. An option is a list of
    ways of which chance, or a player who mixes, may take any. One player has the choice among the rows."""
    places = {step.position: place for place, step in enumerate(steps)}
    made = Arena([step.position for step in steps], [1] * len(steps))
    for step in steps:
        made.edges.append([])
        made.rows.append([_row([step.ways[way] for way in option], places) for option in options(step)])
    return made


def _row(ways: Sequence[Way], places: Mapping[int, int]) -> Row:
    """Where some ways lead in an arena: outside, too, if one takes a discount off."""
    inside = {places[there] for _, factor, there in ways if factor == 1 and there in places}
    stays = all(factor == 1 and there in places for _, factor, there in ways)
    return 0, tuple((there, 1) for there in (*sorted(inside), *(() if stays else (AWAY,))))


def recurrent_positions(steps: Sequence[Step], options: Callable[[Step], Sequence[Sequence[int]]]) -> frozenset[int]:
    """The positions that a play can come back to for ever if the player who chooses among the ``options`` wants it."""
    arena = arena_of_options(steps, options)
    return frozenset(arena.positions[p] for part in end_components(arena, arena.every_row()) for p in part)


# A Markov chain in doubles, evaluated again and again for other amounts: elimination without subtraction.
#
# The same elimination of positions as in :mod:`zermelo.solvers.positions.stochastic_cycles.policy_iteration`, where its
# idea and its precision are explained (Grassmann, Taksar and Heyman 1985), but of whole arrays: what is eliminated is
# kept, so that other amounts cost a pass over it.
#
# Cost: n^3 operations of NumPy for n positions, and n^2 for each evaluation.


class DenseChain:
    """The chain that goes from position i to j with the probability ``shares[i][j]``, and leaves with the probability
    ``leaving[i]``."""

    def __init__(self, shares: Sequence[dict[int, float]], leaving: Sequence[float]) -> None:
        """Raises ``ZermeloError`` (``broken-installation``)."""
        self._numpy = import_library("numpy", "games in which players choose at once and plays go round")
        size = len(shares)
        matrix = self._numpy.zeros((size, size + 1))
        for i, row in enumerate(shares):
            for j, share in row.items():
                matrix[i, j] = share
            matrix[i, size] = leaving[i]
        left = self._numpy.zeros(size)
        for k in range(size - 1, -1, -1):
            check_deadline()
            left[k] = matrix[k, :k].sum() + matrix[k, size]
            if left[k]:
                matrix[k, :k] /= left[k]
                matrix[k, size] /= left[k]
                matrix[:k, :k] += self._numpy.outer(matrix[:k, k], matrix[k, :k])
                matrix[:k, size] += matrix[:k, k] * matrix[k, size]
        self._matrix: Any = matrix
        self._left: Any = left

    def brought(self, amounts: Sequence[float]) -> list[float]:
        """What the chain brings until it leaves, from each position, if each brings so much; 0 if it never leaves."""
        found = self._numpy.array(amounts, dtype=float)
        matrix, left = self._matrix, self._left
        for k in range(len(found) - 1, -1, -1):
            found[k] = found[k] / left[k] if left[k] else 0.0
            found[:k] += matrix[:k, k] * found[k]
        for k in range(len(found)):
            if left[k]:
                found[k] += matrix[k, :k] @ found[:k]
        return [float(amount) for amount in found]


# Newton's method for stochastic games: numbers v near the value, where one step T of the game gives T(v) = v.
#
# Choose best in every step by v, and evaluate these choices as a Markov chain:
# Pollatschek and Avi-Itzhak (1969). The steps are computed
# exactly, from numbers rounded to a grid, but the chain in doubles: it only corrects numbers by what is wrong with
# them, again and again, so that each time adds some fifteen digits, to any precision.
#
# That goes on while it halves the greatest T(v) - v. It may stop too soon, far from the solution and where T has a kink
# (van der Wal 1978). Then the choices of the side that wants more are evaluated against the best answers, by Newton's
# method for these, and replaced by the best choices for the numbers found (Hoffman and Karp 1966): this comes nearer
# with every round, from below. After each, Newton's method is tried again.
#
# If players can stay for ever, T has many fixed points. So in each step the play ends with a small probability, for
# what an endless play is worth; as that vanishes, the numbers tend to the value (Mertens and Neyman 1981). The
# probability is made smaller by and by, since each solution is a good start for the next one. From there, a last round
# of Newton's method goes on without that ending while it still halves T(v) - v. Mostly such a round would have done
# from the beginning, but where T has other fixed points it may lead to one of those.
#
# Nothing here is a proof: Shapley's step, below, proves bounds near v.
#
# Cost: a matrix game for each round in every step of the method, of which there are ten or twenty, or some for each
# ending; and eliminations. Components of 100 rounds, three by three, take a second or two, of 300 three to forty
# seconds.


Numbers = dict[int, Fraction]
"""Numbers of positions."""

_STEPS: Final = 100
"""The most steps of either method."""

_PARTS: Final = 1 << 10
"""Numbers for endings that are too probable are corrected up to the probability of the ending, over this."""

_LESS: Final = Fraction(1, 16)
"""By what the probability of an ending is multiplied from one to the next."""

_CORRECTIONS: Final = 20
"""The most corrections in doubles to evaluate choices once."""


@frozen
class Approximation:
    """Numbers near the value, the best choices by them, what these bring less the numbers (``rests``), and the greatest
    absolute value of these."""

    numbers: Numbers
    choices: Mapping[int, Mixing]
    rests: Numbers
    rest: Fraction


@define(eq=False)
class StochasticIteration:
    """The method for the ``steps`` of a component; ``behind`` has the numbers of the positions behind it. In each step
    the play ends with the probability ``ending``, and then pays ``paid``. Numbers are multiples of 1 / ``grid``, and
    errors of no more than ``enough`` are not corrected."""

    steps: Sequence[Step]
    behind: Mapping[int, Fraction]
    paid: Fraction
    ending: Fraction
    grid: int
    enough: Fraction
    places: dict[int, int] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.places = {step.position: place for place, step in enumerate(self.steps)}

    def approximation(self) -> Approximation:
        """Numbers near the value: for endings that are less and less probable, each from the last one.

        Raises ``OverflowError`` or ``ValueError`` if there are probabilities that doubles cannot hold."""
        here, ending = self.beginning(), Fraction(1, 2)
        while self.ending < ending and self.ending:
            sooner = evolve(self, ending=ending, enough=max(self.enough, ending / _PARTS))
            here = sooner._approach_value(sooner._measure_numbers(here.numbers))
            ending *= _LESS
        return self._approach_value(self._measure_numbers(here.numbers))

    def beginning(self) -> Approximation:
        """The mean of all that is known, everywhere."""
        known = [*self.behind.values(), self.paid]
        start = round_to_grid(sum(known, Fraction(0)) / len(known), self.grid)
        return self._measure_numbers(dict.fromkeys(self.places, start))

    def _approach_value(self, here: Approximation) -> Approximation:
        """Numbers near the value for this ending, from others."""
        for _ in range(_STEPS):
            there = self._iterate_newton(here)
            if there.rest <= self.enough:
                return there
            here = self._measure_numbers(self._evaluate_best_reply(here).numbers)
        return here

    def polished(self, here: Approximation) -> Approximation:
        """Numbers nearer to the value, by Newton's method for steps in which the play does not end."""
        without = evolve(self, ending=Fraction(0))
        return without._iterate_newton(without._measure_numbers(here.numbers))

    def slack(self, here: Approximation, doubts: Mapping[int, Fraction]) -> Numbers:
        """How much the errors add up to in the rest of a play, whatever their signs: those of rounding, and the
        ``doubts`` about the numbers of positions behind, included."""
        wrong = {}
        for step in self.steps:
            p, choice = step.position, here.choices[step.position]
            ways = zip(choice.chances(), step.ways, strict=True)
            outside = sum((chance * factor * doubts.get(there, 0) for chance, (_, factor, there) in ways), Fraction(0))
            wrong[p] = abs(choice.number - here.numbers[p]) + outside + Fraction(1, self.grid)
        return self._expected_totals(self._chain(here), wrong)

    def _iterate_newton(self, here: Approximation) -> Approximation:
        """Newton's method, as long as it halves the greatest error."""
        for _ in range(_STEPS):
            if here.rest <= self.enough:
                break
            there = self._measure_numbers(self._evaluate_choices(here))
            if 2 * there.rest > here.rest:
                break
            here = there
        return here

    def _evaluate_best_reply(self, here: Approximation) -> Approximation:
        """What the choices of the side that wants more are worth if the other one answers best, by Newton's method."""
        fixed = here.choices
        here = self._measure_numbers(here.numbers, fixed)
        for _ in range(_STEPS):
            if here.rest <= self.enough:
                break
            here = self._measure_numbers(self._evaluate_choices(here), fixed)
        return here

    def _evaluate_choices(self, here: Approximation) -> Numbers:
        """What the choices are worth: the errors of their numbers are found exactly, and corrected in doubles."""
        numbers, rests, chain = here.numbers, here.rests, self._chain(here)
        for _ in range(_CORRECTIONS):
            numbers = add_on_grid(numbers, self._expected_totals(chain, rests), self.grid)
            known = {**self.behind, **numbers}
            rests = {
                step.position: self._value_with_ending(here.choices[step.position].mean(step, known))
                - numbers[step.position]
                for step in self.steps
            }
            if max(map(abs, rests.values())) <= self.enough:
                break
        return numbers

    def _value_with_ending(self, number: Fraction) -> Fraction:
        """What a step is worth if the play may end in it."""
        return (1 - self.ending) * number + self.ending * self.paid

    def _measure_numbers(self, numbers: Numbers, fixed: Mapping[int, Mixing] | None = None) -> Approximation:
        """The choices by some numbers, of both sides or in answer to ``fixed`` ones, and what they bring."""
        check_deadline()
        known = {**self.behind, **numbers}
        choices = {
            step.position: choose(step, known) if fixed is None else best_reply_at(step, fixed[step.position], known)
            for step in self.steps
        }
        rests = {p: (1 - self.ending) * choices[p].number + self.ending * self.paid - numbers[p] for p in self.places}
        return Approximation(numbers, choices, rests, max(map(abs, rests.values())))

    def _chain(self, here: Approximation) -> DenseChain:
        """The chain of the choices. No probability is found by subtraction, so that small ones are precise."""
        stays, shares, leaving = float(1 - self.ending), list[dict[int, float]](), list[float]()
        for step in self.steps:
            row, away = dict[int, float](), float(self.ending)
            for chance, (_, factor, there) in zip(here.choices[step.position].chances(), step.ways, strict=True):
                if not chance:
                    continue
                share = stays * float(chance * factor)
                if there in self.places:
                    row[self.places[there]] = row.get(self.places[there], 0.0) + share
                else:
                    away += share
                away += stays * float(chance * (1 - factor))
            shares.append(row)
            leaving.append(away)
        return DenseChain(shares, leaving)

    def _expected_totals(self, chain: DenseChain, amounts: Mapping[int, Fraction]) -> Numbers:
        """What a chain brings in the rest of a play, if each position brings so much."""
        most = max(map(abs, amounts.values()))
        found = chain.brought([float(amounts[step.position] / most) for step in self.steps])
        return {step.position: most * Fraction(amount) for step, amount in zip(self.steps, found, strict=True)}


def add_on_grid(numbers: Numbers, changes: Mapping[int, Fraction], grid: int, direction: int = 0) -> Numbers:
    """The sums of numbers and their ``changes``, rounded to a grid."""
    return {p: round_to_grid(number + changes[p], grid, direction) for p, number in numbers.items()}


def round_to_grid(number: Fraction, grid: int, direction: int = 0) -> Fraction:
    """The multiple of 1 / ``grid`` next to a number: below it (-1), above it (1), or the nearest (0)."""
    scaled = number * grid
    whole = floor(scaled) if direction < 0 else ceil(scaled) if direction > 0 else round(scaled)
    return Fraction(whole, grid)


# Certified bounds of a stochastic game: moves at once in circles, where values may be irrational.
#
# **What is certain.** Let T be one step of the game, and x a way for the player who wants more to choose in each
# position, a mixture where both choose at once. Numbers l for the positions of a component are *lower bounds* of what x
# guarantees, and so of the value, if
#
# 1. by l, x makes every step worth at least l(p), whatever the other player does;
# 2. l(p) is at most what an endless play is worth, in every end component of what x leaves to the other player: where
#    they can let the play go round for ever (:mod:`zermelo.solvers.positions.stochastic_cycles.turn_based_game`).
#
# Proof. Let the player choose by x, and the other one in any way, by memory and chance as well. What has been earned,
# plus the discounted l of the position, never falls on average, by 1. If the play leaves the component, l has become a
# lower bound outside. If it does not, then with probability 1 it is in the end in an end component of what x leaves to
# the other player (de Alfaro 1997); there l is at most what the play will be worth, by 2. Or the discount has made l
# worthless. So what is paid in the end is on average at least what l was in the beginning; the limit may be taken since
# l is bounded, and what is earned on the way is, too: nothing is earned in end components, which a play leaves, or
# never leaves again, after a number of steps with a finite mean. The same holds, turned round, for upper bounds and the
# player who wants less. Both conditions are checked in fractions; how the numbers were found does not matter. The
# second one is empty where plays leave with probability 1 whatever the players do, as with a discount: then l <= T(l)
# is all (Shapley 1953). The other case is Everett's "Recursive games" (1957): where waiting is worth what ``endless``
# says, no mixture need be best, but some come as near as one likes.
#
# **How the numbers are found.** Newton's method brings numbers v near the value. Lower bounds are sought a little below
# them: less by a multiple of what |T(v) - v| comes to, on average, in the rest of the play, since T brings back one
# step of that; and then lowered where they fail, until they hold. If the bounds are too far apart, all is done again
# with more digits.
#
# Cost: that of Newton's method, and a few more steps of the game.


_LEAST: Final = 400
"""The least probability with which plays end, as minus the exponent of 2, so that doubles hold its square."""

_ATTEMPTS: Final = 4
"""How often the precision is doubled, to bring bounds nearer to each other."""

_LOWERINGS: Final = 100
"""How often bounds are lowered where they fail."""

_BEYOND_DOUBLES: Final = (ValueError, OverflowError)
"""The errors raised if probabilities beyond doubles have made an amount infinite, or no number."""

_MARGINS: Final = (4, 1 << 10, 1 << 20)
"""The distances of the bounds from v that are tried, as multiples of the slack."""


@frozen
class Certified:
    """Bounds of one side for the positions of a component, and the choices by which the side guarantees them."""

    numbers: Numbers
    choices: Mapping[int, Mixing]


@frozen
class Enclosed:
    """Proved bounds of both sides; ``width`` is the largest between them."""

    lower: Certified
    upper: Certified
    width: Fraction


@define(eq=False)
class Circle:
    """A component with circles: the ``steps`` of its positions, and bounds of the positions behind it. ``endless`` is
    what an endless play is worth, None if the rules do not say; ``stays`` says whether all players together can stay
    for ever."""

    steps: Sequence[Step]
    lows: Mapping[int, Fraction]
    highs: Mapping[int, Fraction]
    endless: Fraction | None
    stays: bool

    def enclosed(self, width: Fraction) -> Enclosed | None:
        """Bounds that are at most so far apart, or the best that are found; None if one side has none.

        Raises :class:`~zermelo.foundation.deadline.DeadlinePassed`."""
        best: Enclosed | None = None
        bits = max(32, 16 - floor(log2(width)))
        for attempt in range(_ATTEMPTS):
            for found in self._attempts(bits << attempt):
                if best is None or found.width < best.width:
                    best = found
                if best.width <= width:
                    return best
            if best is None and self.stays and self.endless is None:
                break  # more digits do not keep a play from staying for ever
        return best

    def _attempts(self, bits: int) -> Iterator[Enclosed]:
        """Bounds by numbers of so many bits, near different approximations."""
        grid = 1 << (2 * bits + 8)
        for there, slack in self._approximations(bits, grid):
            lower, upper = (self._certify_near(there, slack, grid, side) for side in (1, -1))
            if lower is not None and upper is not None:
                yield Enclosed(lower, upper, max(upper.numbers[p] - number for p, number in lower.numbers.items()))

    def _approximations(self, bits: int, grid: int) -> Iterator[tuple[Approximation, Numbers]]:
        """Numbers near the value, each with its slack. Where plays can stay: first the numbers found at once, which
        are mostly good enough; then those from a solution in which plays end by themselves, and that solution."""
        behind = {p: (self.lows[p] + self.highs[p]) / 2 for p in self.lows}
        doubts = {p: (self.highs[p] - self.lows[p]) / 2 for p in self.lows}
        ending = Fraction(self.stays, 1 << min(bits, _LEAST))
        paid = self.endless or Fraction(0)
        method = StochasticIteration(self.steps, behind, paid, ending, grid, Fraction(1, 1 << 2 * bits))
        if self.stays:
            with suppress(*_BEYOND_DOUBLES):
                here = method.polished(method.beginning())
                yield here, method.slack(here, doubts)
        with suppress(*_BEYOND_DOUBLES):
            here = method.approximation()
            found = [(there, method.slack(there, doubts)) for there in ([method.polished(here)] * self.stays + [here])]
            yield from found

    def _certify_near(self, near: Approximation, slack: Numbers, grid: int, side: int) -> Certified | None:
        """Bounds of one side (1: below the value, -1: above), near some numbers; or else those that always hold where
        nothing is earned: the worst amount that may be paid."""
        for margin in _MARGINS:
            changes = {p: -side * margin * amount for p, amount in slack.items()}
            found = self._lower_until_proved(add_on_grid(near.numbers, changes, grid, -side), grid, side)
            if found is not None:
                return found
        paid = [*(self.lows if side > 0 else self.highs).values(), *([] if self.endless is None else [self.endless])]
        worst = (min if side > 0 else max)(paid, default=None)
        return None if worst is None else self._lower_until_proved(dict.fromkeys(slack, worst), grid, side)

    def _lower_until_proved(self, numbers: Numbers, grid: int, side: int) -> Certified | None:
        """Bounds of one side, these numbers or worse ones; None if they are not found soon."""
        behind = self.lows if side > 0 else self.highs
        worse = min if side > 0 else max
        for _ in range(_LOWERINGS):
            check_deadline()
            known = {**behind, **numbers}
            choices = {step.position: choose(step, known) for step in self.steps}
            others = self._recurrent_for_others(choices, side)
            if others and self.endless is None:
                return None
            lowered = {p: worse(number, round_to_grid(choices[p].number, grid, -side)) for p, number in numbers.items()}
            for p in others:
                assert self.endless is not None
                lowered[p] = worse(lowered[p], self.endless)
            if lowered == numbers:
                return Certified(numbers, choices)
            numbers = lowered
        return None

    def _recurrent_for_others(self, choices: Mapping[int, Mixing], side: int) -> frozenset[int]:
        """Where the others can let a play go round for ever against these choices of a side."""
        if not self.stays:
            return frozenset()
        return recurrent_positions(self.steps, lambda step: options_against(step, choices[step.position], side))


# Steps in which a side keeps clear of positions of which nothing is known.
#
# Some circles cannot be enclosed, or what is earned there has no total. If one side has a way to play that never leads
# there, whatever the other replies and chance draws, then what it guarantees by that is a bound, whatever such
# positions are worth: the other ways are left out, and what remains is a game of its own, in which the side is not
# better off. If there is no such way from a position, this side has no bound there, as though the position were
# infinitely bad for it. This is done for both sides, and only a position that has both bounds has a number.
#
# A way that is left out may be the better one, but only if the unknown positions turn out well.


@frozen
class Clear:
    """What is left of a ``whole`` step: the ``options`` of a side by which it keeps clear, its ways, rows or columns;
    None if all are left."""

    whole: Step
    step: Step
    options: tuple[int, ...] | None = None

    def widened(self, choice: Mixing, side: int) -> Mixing:
        """A choice in the part as one in the whole step."""
        if self.options is None:
            return choice
        columns = self.whole.columns
        if self.whole.sign == BOTH and side < 0:
            return evolve(choice, columns=_spread(choice.columns, self.options, columns))
        return evolve(choice, rows=_spread(choice.rows, self.options, len(self.whole.ways) // columns))


def restrict_step(step: Step, known: Collection[int], side: int) -> Clear | None:
    """What is left of a step if a side takes no way that may lead to positions other than the ``known`` ones; None if
    it cannot avoid them."""
    is_safe = [there in known for _, _, there in step.ways]
    if all(is_safe):
        return Clear(step, step)
    if step.sign in (0, -side):
        return None
    columns, rows = step.columns, len(step.ways) // step.columns
    if step.sign == BOTH and side < 0:
        options = tuple(j for j in range(columns) if all(is_safe[j::columns]))
        ways = [i * columns + j for i in range(rows) for j in options]
        columns = len(options)
    else:
        options = tuple(i for i in range(rows) if all(is_safe[i * columns : (i + 1) * columns]))
        ways = [i * columns + j for i in options for j in range(columns)]
    if not options:
        return None
    part = evolve(step, ways=[step.ways[k] for k in ways], edges=[step.edges[k] for k in ways], columns=columns)
    return Clear(step, part, options)


def restrict_circle(steps: Sequence[Step], behind: Mapping[int, Fraction], side: int) -> list[Clear]:
    """What is left of the steps of a component if a side keeps clear of all but these positions ``behind`` it: the
    largest part of it that the side need not leave to anywhere else."""
    left = [Clear(step, step) for step in steps]
    while True:
        known = {*behind, *(part.step.position for part in left)}
        kept = [part for each in left if (part := restrict_step(each.whole, known, side)) is not None]
        if len(kept) == len(left):
            return kept
        left = kept


def _spread(mixture: Mixture, options: Sequence[int], count: int) -> Mixture:
    """A mixture of some of so many options, as one of all."""
    chances = dict(zip(options, mixture, strict=True))
    return tuple(chances.get(option, Fraction(0)) for option in range(count))
