"""Fractions from p-adic digits: what the positions of a Markov chain are worth, in machine code and exactly.

The kernel (:mod:`zermelo.solvers.kernels.lifting`) finds as many digits of all worths as are asked for. Here it is said
how many are enough, and how they become fractions.

**How many are enough.** The equations are ``d(i) x(i) = b(i) + sum of w(i, j) x(j)`` in whole numbers, and every play
leaves. Eliminating a position makes no diagonal larger, nor any weight negative; so the determinant D, the product of
the diagonals when their turn comes, is above 0 and at most the product M of all d(i), and so is each minor that leaves
position j out, without d(j). By Cramer's rule x(i) = N / D, where N is the sum of b(j) times a minor that leaves out
row j and column i. As D times an entry of the inverse that minor counts how often plays from i come to j, which is no
more often than those from j itself: so it is at most the one that leaves j out twice, M / d(j). Hence

    D <= M    and    |N| <= M S    with S = sum of |b(j)| / d(j), rounded up.

Two different fractions with these bounds differ modulo a number above ``2 M M S``. So if k digits are known,
p^k > 2 M M S, there is one such fraction, and it is what Euclid's algorithm finds (Wang, Guy and Davenport, "P-adic
reconstruction of rational numbers", 1982). This proves every number, with no check afterwards.

**One denominator for all.** Let d be the denominator of a worth. Mostly it serves for all others: the remainder of d x,
taken as near to 0 as possible, is a numerator if it is within the bounds, since by the same argument no other fraction
within them has this remainder; else its own denominator is found, and d becomes the product.

**When they are asked for.** A fraction is made when somebody asks for it: those of most positions of a long chain are
never looked at, and have as many digits as all others.

**Where not all is well.** Equations without a solution, such as those of positions that are never left, have a
determinant of 0, so that a pivot vanishes modulo the prime; where none does there is one solution. A pivot may also
vanish by chance. Then, and where digits that are enough take too much, the equations are left to elimination in
fractions (:class:`NotLifted`), which finds the same. Numbers may be shorter than their bounds, as those of a fair ruin
are, and nothing here makes use of that.

**Too many digits.** If that is more than numbers of so many digits as allowed need, the first position is tried as soon
as these are known: if it has no fraction so short, the search is over (:class:`TooManyDigits`).
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from math import gcd, lcm, prod
from typing import Final

from attrs import define, field, frozen

from zermelo.foundation.deadline import check_deadline
from zermelo.interpreter.native.dialect.kernel_source import kernel
from zermelo.interpreter.native.running.kernels import PlainKernels, Standby
from zermelo.solvers.kernels.answers import DONE
from zermelo.solvers.kernels.lifting import (
    BITS,
    DENSE,
    LACKS_ROOM,
    SINGULAR,
    Equations,
    P,
    eliminate,
    eliminate_square,
    enter,
    fill_square,
    lift,
    write_terms,
)
from zermelo.solvers.positions.graph.graph import Component, Contest, TooManyDigits
from zermelo.solvers.positions.stochastic_cycles.turn_based_game import Number, Row

_SLICE: Final = 1 << 24
"""Products between two looks at the clock."""

_MOST: Final = 1 << 33
"""The most products, of the elimination and for all digits: ten seconds or twenty."""

_MOST_DIGITS: Final = 1 << 24
"""The most digits, of four bytes."""

MOST_WEIGHT: Final = (1 << 31) - 1
"""The most that the weights of a position may sum to."""


class NotLifted(Exception):
    """The equations have no solution, or it is to be found in another way: a pivot vanishes modulo the prime, or digits
    that are enough take too long, or too much memory."""


@frozen(eq=False)
class System:
    """The equations of positions: those of p are its edges from ``starts[p]`` on, which lead to ``columns`` (-1: away)
    with ``weights``, and it brings ``brought[p] / unit`` divided by the sum of its weights, which is no more than
    ``MOST_WEIGHT``."""

    starts: Sequence[int]
    columns: Sequence[int]
    weights: Sequence[int]
    brought: Sequence[int]
    unit: int

    def __len__(self) -> int:
        return len(self.starts) - 1


SOLVER: Final = Standby(
    lambda: kernel(enter, eliminate, fill_square, eliminate_square, write_terms, lift),
    worth=6000,
)
"""A step is an edge of a chain, which takes five microseconds in fractions."""


@define(eq=False)
class LiftedNumbers:
    """The worths of positions: numerators of up to ``most_above`` over denominators of up to ``most_below`` times the
    ``unit``, by their digits, ``each`` for one position, and ``modulus`` is p to the power of their number."""

    digits: Sequence[int]
    each: int
    modulus: int
    most_above: int
    most_below: int
    unit: int
    _common: int = field(default=1, init=False)
    """A denominator that has served so far. It divides the determinant, as all do."""

    def fraction(self, p: int) -> tuple[int, int]:
        """The worth of a position, as a numerator and a denominator, which may have common divisors."""
        number = number_of(self.digits[p * self.each : (p + 1) * self.each])
        above, below = self._common * number % self.modulus, self._common
        if 2 * above > self.modulus:
            above -= self.modulus
        if abs(above) > self.most_above:
            found = reconstructed(number, self.modulus, self.most_above, self.most_below)
            assert found is not None, "every worth is within the bounds"
            above, below = found
            self._common = lcm(self._common, below)
        return above, below * self.unit

    def are_shorter(self, most: int) -> bool:
        """Whether no numerator and no denominator is greater than this."""
        if max(self.most_above, self.most_below * self.unit) <= most:
            return True
        found = (self.fraction(p) for p in range(len(self.digits) // self.each))
        return all(max(abs(above), below) <= most * gcd(above, below) for above, below in found)


def number_of(digits: Sequence[int]) -> int:
    """The number with these digits, the lowest first."""
    number = 0
    for digit in reversed(digits):
        number = number * P + digit
    return number


def reconstructed(number: int, modulus: int, most_above: int, most_below: int) -> tuple[int, int] | None:
    """The fraction with a remainder modulo ``modulus``, which is more than twice the product of the bounds; None if
    none is within these."""
    before, above, skipped, below = modulus, number, 0, 1
    while above > most_above:
        quotient, rest = divmod(before, above)
        before, above = above, rest
        skipped, below = below, skipped - quotient * below
    if abs(below) > most_below or gcd(above, below) != 1:
        return None
    return (above, below) if below > 0 else (-above, -below)


def solve(kernels: PlainKernels, system: System, most: int | None) -> LiftedNumbers:
    """The worths of positions; ``most`` is the largest numerator or denominator that is allowed, if any is too large.

    Raises :class:`NotLifted`, :class:`TooManyDigits`, and ``ZermeloError`` (``out-of-time``)."""
    work = _eliminated(kernels, system)
    diagonals = work.diagonals[: len(system)]
    most_below = prod(diagonals)
    most_above = most_below * sum([-(-abs(b) // d) for b, d in zip(system.brought, diagonals, strict=True)])
    wanted = _digits_beyond(2 * most_below * max(1, most_above))
    if most is not None and (enough := _digits_beyond(2 * most * most * system.unit)) < wanted:
        first = number_of(_lifted(kernels, work, system, enough)[:enough])
        if reconstructed(first, P**enough, most * system.unit, most) is None:
            raise TooManyDigits
    digits = _lifted(kernels, work, system, wanted)
    return LiftedNumbers(digits, wanted, P**wanted, most_above, most_below, system.unit)


def _eliminated(kernels: PlainKernels, system: System) -> Equations:
    """The equations with their factors."""
    count, edges = len(system), len(system.columns)
    work = kernels.new(
        Equations,
        starts=kernels.as_halves(system.starts),
        columns=kernels.as_halves(system.columns),
        weights=kernels.as_halves(system.weights),
        brought=0,
        diagonals=count,
        nodes=count + 1,
        entries=2 * edges,
        square=0,
        terms=0,
        found=count,
        digits=0,
    )
    work.count = count
    kernels.call(enter, work)
    step = eliminate
    while (answer := kernels.call(step, work, _SLICE)) != DONE:
        if answer == SINGULAR:
            raise NotLifted
        if answer == LACKS_ROOM:
            kernels.grow(work, entries=2 * len(work.entries))
        elif answer == DENSE:
            kernels.replace(work, square=work.left * work.left)
            kernels.call(fill_square, work)
            step = eliminate_square
        if work.products > _MOST:
            raise NotLifted
        check_deadline()
    kernels.replace(work, terms=2 * (work.filled + work.left * work.left + edges))
    kernels.call(write_terms, work)
    return work


def _digits_beyond(number: int) -> int:
    """How many digits make a modulus above a number."""
    count = number.bit_length() // BITS
    while P**count <= number:
        count += 1
    return count


def _lifted(kernels: PlainKernels, work: Equations, system: System, wanted: int) -> Sequence[int]:
    """So many digits of all worths."""
    cost = len(work.terms) // 2 + len(system)
    if cost * wanted > _MOST or len(system) * wanted > _MOST_DIGITS:
        raise NotLifted
    largest = max(map(abs, system.brought))
    work.given = _digits_beyond(largest)
    digits = kernels.halves(len(system) * wanted)
    kernels.replace(work, digits=digits, brought=kernels.as_halves(_digits_of(system.brought, work.given)))
    work.wanted = wanted
    step = max(1, _SLICE // cost)
    for first in range(0, wanted, step):
        kernels.call(lift, work, first, min(first + step, wanted))
        check_deadline()
    return digits


def _digits_of(numbers: Sequence[int], count: int) -> Sequence[int]:
    """So many digits of each number, with its sign."""
    if count == 1:
        return numbers
    found = array("i")
    for number in numbers:
        rest, sign = abs(number), 1 if number >= 0 else -1
        for _ in range(count):
            rest, digit = divmod(rest, P)
            found.append(sign * digit)
    return found


def system_of_rows(rows: Sequence[Row]) -> System | None:
    """The equations of rows of rationals, one for each position; None if their denominators are too large."""
    starts, columns, weights, brought = [0], list[int](), list[int](), list[Number]()
    for brings, shares in rows:
        whole = lcm(*(int(share.q) for _, share in shares))
        if whole > MOST_WEIGHT:
            return None
        columns += (there for there, _ in shares)
        weights += (int(share.p) * (whole // int(share.q)) for _, share in shares)
        starts.append(len(columns))
        brought.append(brings * whole)
    unit = lcm(*(int(number.q) for number in brought))
    return System(starts, columns, weights, [int(number.p) * (unit // int(number.q)) for number in brought], unit)


def chain_system(contest: Contest, component: Component) -> System | None:
    """The equations of a component in which nobody has a choice, and which plays leave, for finite numbers; None if it
    is something else, or weights are too large."""
    graph = contest.graph
    if graph.weights is None or graph.discount != 1:
        return None
    place = {position: p for p, position in enumerate(component)}
    starts, columns, weights = [0], list[int](), list[int]()
    leaving, earning = list[tuple[int, int, int]](), list[tuple[int, int, int]]()
    for p, position in enumerate(component):
        first, end = graph.firsts[position], graph.firsts[position + 1]
        if graph.kinds[position] >= 0 and end > first + 1:
            return None
        own = graph.weights[first:end]
        for target, weight in zip(graph.targets[first:end], own, strict=True):
            there = place.get(target, -1)
            columns.append(there)
            if there < 0:
                leaving.append((p, target, weight))
        if graph.rewards is not None:
            amounts = graph.rewards[first:end]
            earning += [(p, amount, weight) for amount, weight in zip(amounts, own, strict=True) if amount]
        if sum(own) > MOST_WEIGHT:
            return None
        starts.append(len(columns))
        weights += own
    targets = {target for _, target, _ in leaving}
    behind = {target: number for target in targets if (number := contest.number(target)) is not None}
    if not behind or len(behind) < len(targets):
        return None
    earned = {amount: graph.amounts[amount][0] for _, amount, _ in earning}
    unit = lcm(*{number.denominator for number in (*behind.values(), *earned.values())})
    brought = [0] * len(component)
    for terms, numbers in ((leaving, behind), (earning, earned)):
        scaled = {key: number.numerator * (unit // number.denominator) for key, number in numbers.items()}
        for p, key, weight in terms:
            brought[p] += weight * scaled[key]
    return System(starts, columns, weights, brought, unit)
