"""What the positions of a component are worth: in fractions, and within certified intervals to any number of digits."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from typing import Final

from attrs import define, field, frozen

from zermelo.solvers.common.limits import Limits, Progress, ignore_progress
from zermelo.solvers.common.numbers import INFINITE, Infinite
from zermelo.solvers.positions.graph.graph import (
    PAYS,
    ROOT,
    Component,
    Components,
    Contest,
    NeedsEndless,
    TooManyDigits,
)
from zermelo.solvers.positions.stochastic_cycles.intervals import (
    Undecided,
    ball,
    flint,
    interval_of,
    precision,
    rational,
)
from zermelo.solvers.positions.stochastic_cycles.lifting import SOLVER, NotLifted, chain_system, solve
from zermelo.solvers.positions.stochastic_cycles.policy_iteration import (
    Play,
    View,
    best_policies,
    find_best_reply,
    improve_both_sides,
)
from zermelo.solvers.positions.stochastic_cycles.turn_based_game import (
    AWAY,
    Arena,
    ArenaMaker,
    Number,
    Policy,
    Row,
    Rows,
    end_components,
    find_beginning,
    may_leave,
    row_value,
    targets_inside,
)

# What the positions of a component are worth, in fractions: circles with chance.
#
# For one player, players who all want the same, none, or two who want the opposite. Plays may go round, may earn
# something on the way, may be discounted, and need not end. What it takes::
#
#     turn_based_game     the component as rows of numbers; where plays may stay for ever, where nothing may be earned,
#                         and where one side can avoid that
#     policy_iteration    what a policy is worth, the best reply to one, and the best policies of two sides
#
# **Two passes.** A policy far from the best is worth numbers with several times as many digits as the best one. So
# first a good policy is looked for in balls of a few digits, where only what is certainly better counts as better; from
# there on strategy iteration is done in rationals. Mostly it confirms the policy at once.
#
# **Digits.** Exact numbers have about as many digits as there are positions whose circles hang together. Pig to 20
# points needs 16, to 50 points several hundred, to 70 several thousand. So there is a limit on digits, and beyond it
# :func:`certified_numbers` finds an interval for each number.


DIGITS: Final = 1000
"""How many digits numerators and denominators may have."""

MOST: Final = 10_000_000
"""How many products the elimination of a component may take: a minute in fractions. Where circles hang together at so
many positions that it takes more, fractions have far too many digits, anyway."""

_BITS_PER_DIGIT: Final = 3.3219280948873626

_SCOUTING_BITS: Final = 64


@define(eq=False)
class ExactSolver:
    """Finds the numbers of components of a contest and, for those who decide, the choices.

    ``endless`` is what an endless play is worth (0 with a discount). It may be infinite; then so are the numbers
    of positions from which such a play, or a position with such a number, cannot be avoided: these remain None, and
    nothing is chosen there. The choices of the side to which endless plays are worst bring about the other numbers,
    whatever happens. ``may_last`` says whether a play may never end in a component solved so far; else the numbers do
    not depend on ``endless``."""

    contest: Contest
    endless: Fraction | Infinite
    digits: int = DIGITS
    may_last: bool = field(default=False, init=False)
    _maker: ArenaMaker = field(init=False)
    _found: dict[int, Number] = field(factory=dict)

    def __attrs_post_init__(self) -> None:
        self._maker = ArenaMaker(self.contest, rational, self._known_number)

    def _known_number(self, position: int) -> Number:
        if position not in self._found:
            number = self.contest.number(position)
            self._found[position] = self.endless if number is None else rational(number)
        return self._found[position]

    def solve(self, component: Component) -> None:
        """Solve a component; those behind it are solved.

        Raises ``EarnsForEver`` and :class:`TooManyDigits`, and ``ZermeloError`` (``broken-installation``)."""
        if self._solve_chain(component):
            return
        beginning = find_beginning(self.contest, self._maker.arena(component), self.endless)
        self.may_last = self.may_last or beginning.may_last
        arena, policy, side = beginning.arena, beginning.policy, beginning.side
        endless = rational(self.endless) if beginning.may_stay and isinstance(self.endless, Fraction) else None
        if endless is not None or not beginning.may_last:
            _scout(arena, endless, policy)
        play = Play(arena, endless, self._watch, bits_of(self.digits))
        values = best_policies(play, policy, side).values
        for p, position in enumerate(arena.positions):
            self._watch(values[p])
            self._found[position] = values[p]
            self.contest.put(position, Fraction(int(values[p].p), int(values[p].q)))
            if arena.signs[p]:
                self.contest.choices[position] = arena.edges[p][policy[p]]

    def _solve_chain(self, component: Component) -> bool:
        """Solve a component in which nobody has a choice, and which plays leave, in machine code; whether that is at
        hand, and possible. Raises :class:`TooManyDigits`."""
        system = chain_system(self.contest, component)
        kernels = None if system is None else SOLVER.compiled(len(system.columns))
        if system is None or kernels is None:
            return False
        most = (1 << bits_of(self.digits)) - 1
        try:
            found = solve(kernels, system, most)
        except NotLifted:
            return False
        if not found.are_shorter(most):
            raise TooManyDigits
        place = {position: p for p, position in enumerate(component)}
        self.contest.make_later(component, lambda position: Fraction(*found.fraction(place[position])))
        graph = self.contest.graph
        for position in component:
            if graph.kinds[position] >= 0:
                self.contest.choices[position] = graph.firsts[position]
        return True

    def _watch(self, number: Number, products: int = 0) -> None:
        refuse_digits(number, products, self.digits)


def refuse_digits(number: Number, products: int, digits: int = DIGITS) -> None:
    """Watch an elimination in fractions: raise :class:`TooManyDigits` if it takes too many, or too much work."""
    refuse_work(number, products)
    if number.height_bits() > bits_of(digits):
        raise TooManyDigits


def bits_of(digits: int) -> int:
    """The bits of numbers of so many digits."""
    return int(digits * _BITS_PER_DIGIT) + 1


def refuse_work(number: Number, products: int) -> None:
    """Watch an elimination: raise :class:`TooManyDigits` if it takes too much work."""
    if products > MOST:
        raise TooManyDigits


def _scout(arena: Arena, endless: Number | None, policy: Policy) -> None:
    """Improve a policy by what is certain in balls."""
    if any(len(rows) > 1 for rows in arena.rows):
        with precision(_SCOUTING_BITS):
            ball = flint().arb
            improve_both_sides(
                Play(arena.mapped(ball), None if endless is None else ball(endless), refuse_work), policy
            )


# Certified intervals for what the positions of a contest are worth, to any number of digits.
#
# Exact numbers may have thousands of digits. Here every number is a ball
# (:mod:`zermelo.solvers.positions.stochastic_cycles.intervals`), which certainly holds it, component by component, each
# from the balls of those behind it:
#
# 1. The best policies of both sides are looked for by strategy iteration, in balls: what is certainly better is taken.
# 2. Their worths, found by elimination, are balls as well. If every other row of either side is certainly worse for it,
#    then, whatever numbers in the balls are the true ones, both policies are best (by the reasons given for
#    strategy iteration: nothing is better, and nobody can stay by rows that are worth as much, since there are none).
#    So the balls hold the numbers.
# 3. Else there are ties, or what looks like ties. Then two bounds are proved: the policy of those who want more
#    guarantees the lower one, and that of those who want less the upper one (below). The ball holds both.
#
# If the balls of the root are too large in the end, or something could not be proved, everything is done again with
# more digits, from the policies that have been found.
#
# **Tolls.** Where staying only costs those who decide there
# (:mod:`zermelo.solvers.positions.stochastic_cycles.turn_based_game`), the policy begins by leaving, and whatever is
# *certainly* better is better in truth, so that it always leaves, as in fractions. Then 2 holds by the proof for tolls
# below, for which it is enough that no row is worth more. In 3 no way to go round may be left among what looks like
# ties: around a circle the numbers of ties would have to rise by what it costs, so that balls tell, once they are small
# enough.
#
# Balls grow by a rounding or two for each step of elimination, and along the way from the ends to the root by what is
# left of that. Nothing depends on how little an iteration still changes.


# Proved bounds where the precision does not tell which row is best.
#
# Let the others keep to a policy, and let a *free* side do as it likes. How much can it get? If every other row is
# certainly worse for it than the worths of the policy, then no more than these. But there may be rows that are worth as
# much, or nearly so; how near, balls cannot tell. Then numbers u are made that the free side, say 1, cannot exceed:
#
# 1. for every row that may be taken, u(p) is *certainly more* than what the row is worth by u;
# 2. or the row is within a *group* of positions, where u is the same everywhere, nothing is earned, and u is at least
#    ``endless``.
#
# *Proof.* The expectation of what has been earned, plus u of the position, never rises. A play leaves, or is caught in
# a class in which u is then the same everywhere, and all rows are worth just u. So by 1 they are within a group, and by
# 2 the play pays ``endless``, which is not more than u. (With a discount, what is yet to come vanishes.) Nothing is
# assumed about where u comes from. Balls prove 1 and 2 for all numbers that the balls outside may stand for.
#
# **Tolls.** Where plays may only stay at a cost to the free side, or cannot if the others keep to their policy, there
# must be no groups, and 1 alone proves the same. *Proof.* Rows that are taken again and again for ever are those of an
# end component, of which none is free and none brings anything back. So a play that stays pays without end; apart from
# tolls, the rows that earn are taken a finite number of times on average. If the free side stays with some probability,
# or pays an infinite toll on average, it gets less than any number. Else all that is earned, tolls included, is bounded
# by something of finite mean, so that the expectation of the total is the limit of that of what has been earned plus u,
# which never rises: no more than u where the play began.
#
# **How u is found.** As v + d w, where v are the worths of the policy, w is at least the number of steps that a play
# can take, and d is a little more than the errors of v, so that each step has room for them. For w only rows count that
# may be as good as those of the policy, since others have more room. Groups are the end components of these rows: there
# plays can go round as long as the free side likes, and it can go to any of the positions, so that all are worth the
# same to it (Haddad and Monmege 2018, "Interval iteration for MDPs and IMDPs"). Apart from groups plays leave, and the
# most steps are found by policy iteration.
#
# So u is above the true number by not much more than the precision times the length of a play. If a check fails, a
# higher precision is needed.


_ROOM: Final = 4
"""How many times the largest error of a row each step has room for."""


def free_side_bounds(arena: Arena, policy: Policy, view: View, side: int, endless: Number | None) -> list[Number]:
    """What the free ``side`` can get at most in each position if the others keep to the policy, as numbers with radius
    0; for side -1, the least that it can bring about. The ``view`` is that of the policy. ``endless`` is what an
    endless play is worth; it may be infinitely bad for the free side, and None where those who stay pay tolls.

    Raises :class:`Undecided`."""
    rows = {p: view.ties.get(p, [policy[p]]) if sign == side else [policy[p]] for p, sign in enumerate(arena.signs)}
    groups = end_components(arena, rows)
    if endless is None:
        if groups:
            raise Undecided  # the rows of a circle that costs something cannot all be worth as much
        endless = 0  # which nobody gets
    group_of = {p: g for g, members in enumerate(groups) for p in members}
    base = [value.mid() for value in view.values[:AWAY]] + [0]
    for members in groups:
        best = max(side * base[p] for p in members)
        for p in members:
            base[p] = side * best
    used = list(_rows_outside_groups(arena, rows, group_of))
    errors = [row_value(row, base) - base[p] for p, row in used]
    errors += [endless - base[p] for p in group_of if not side * endless < side * base[p]]
    rounding = flint().arb(2) ** -flint().ctx.prec * (1 + max(map(abs, base)))
    terms = max((len(shares) for _, (_, shares) in used), default=0)
    room = _ROOM * (max((error.abs_upper() for error in errors), default=0) + rounding * (terms + 4))
    steps = _most_steps(arena, rows, group_of, len(groups))
    bounds = [(number + side * room * steps[p]).mid() for p, number in enumerate(base[:AWAY])] + [0]
    free = {p: range(len(arena.rows[p])) if sign == side else [policy[p]] for p, sign in enumerate(arena.signs)}
    if not all(
        side * row_value(row, bounds) < side * bounds[p] for p, row in _rows_outside_groups(arena, free, group_of)
    ):
        raise Undecided
    if not all(side * endless <= side * bounds[p] for p in group_of):
        raise Undecided
    return bounds


def _rows_outside_groups(arena: Arena, rows: Rows, group_of: Mapping[int, int]) -> Iterator[tuple[int, Row]]:
    """The positions with those of their rows that are not within a group."""
    for p, allowed in rows.items():
        for k in allowed:
            row = arena.rows[p][k]
            if not _is_within(row, p, group_of):
                yield p, row


def _is_within(row: Row, p: int, group_of: Mapping[int, int]) -> bool:
    return p in group_of and not may_leave(row) and all(group_of.get(q) == group_of[p] for q in targets_inside(row))


def _most_steps(arena: Arena, rows: Rows, group_of: Mapping[int, int], groups: int) -> list[Number]:
    """How many steps plays take at most on average, by these rows, from each position; those within groups do not
    count."""
    one = flint().arb(1)
    node_of, nodes = dict(group_of), groups
    for p in range(len(arena)):
        if p not in node_of:
            node_of[p], nodes = nodes, nodes + 1
    node_of[AWAY] = AWAY
    whole = Arena(range(nodes), [1] * nodes, [[] for _ in range(nodes)], [()] * nodes)
    for p, (_, shares) in _rows_outside_groups(arena, rows, group_of):
        merged: dict[int, Number] = {}
        for q, share in shares:
            node = node_of[q]
            merged[node] = merged[node] + share if node in merged else share
        whole.rows[node_of[p]].append((one, tuple(merged.items())))
    for choice in whole.rows:
        if not choice:
            choice.append((one, ((AWAY, one),)))
    steps = find_best_reply(Play(whole, None), [0] * nodes, 1).values
    return [steps[node_of[p]].mid() for p in range(len(arena))]


BALL_BYTES: Final = 120
"""The bytes of a ball besides its digits, about."""


_GUARD_BITS: Final = 64
"""Bits more than are asked for, at first; then twice as many, and so on."""

_CHECK_EVERY: Final = 1024
"""Components between two checks of the limits."""


@frozen(eq=False)
class CertifiedNumbers:
    """Balls that hold the value of every position: ``low`` if endless plays are worth the least that they may be, and
    ``high`` if they are worth the most; mostly both are the same. ``choices`` has the edges that prove the lower
    bounds for those who want more, and the upper ones for the others; -1 where nobody decides, or the number depends on
    what the rules do not say."""

    low: Sequence[Number]
    high: Sequence[Number]
    choices: Sequence[int]

    def interval(self, position: int) -> tuple[Fraction, Fraction] | None:
        """The bounds of a position; None if there are none, since it depends on what the rules do not say."""
        low, high = self.low[position], self.high[position]
        if isinstance(low, Infinite) or isinstance(high, Infinite):
            return None
        return interval_of(low)[0], interval_of(high)[1]


def certified_numbers(
    contest: Contest, components: Components, digits: int, limits: Limits, progress: Progress = ignore_progress
) -> CertifiedNumbers:
    """Intervals for all positions; that of the root is no wider than 10 to the power of minus ``digits``.
    Where ``contest.choices`` has edges, these are tried first. ``progress`` is told how many components are done.

    Raises :class:`NeedsEndless`, ``EarnsForEver``, and ``ZermeloError`` (``out-of-memory``,
    ``out-of-time``, ``broken-installation``)."""
    wanted, guard = Fraction(1, 10**digits), _GUARD_BITS
    other = Contest(contest.graph, contest.wants)
    while True:
        bits = int(digits * _BITS_PER_DIGIT) + guard
        size = 2 * len(contest.graph) * (BALL_BYTES + bits // 8)
        limits.require(size, f"intervals for {len(contest.graph):,} positions to {digits:,} digits")
        with precision(bits), suppress(Undecided):
            found = _find_intervals(contest, other, components, limits, progress)
            interval = found.interval(ROOT)
            if interval is None or found.low[ROOT] < found.high[ROOT]:
                raise NeedsEndless(ROOT, ())
            if interval[1] - interval[0] <= wanted:
                limits.hold(found, size)
                return found
        guard *= 2


def _find_intervals(
    contest: Contest, other: Contest, components: Components, limits: Limits, progress: Progress
) -> CertifiedNumbers:
    """Intervals at the present precision. Raises :class:`Undecided`."""

    def run_solver(contest: Contest, endless: Fraction | Infinite) -> CertifiedSolver:
        solver = CertifiedSolver(contest, endless)
        for done, component in enumerate(components):
            if done % _CHECK_EVERY == 0:
                progress(done)
                limits.check({"nodes": done})
            solver.solve(component)
        return solver

    graph, wants = contest.graph, contest.wants
    known = Fraction(0) if graph.discount < 1 else contest.endless
    low = run_solver(contest, -INFINITE if known is None else known)
    if known is not None or not low.may_last:
        return CertifiedNumbers(low.balls, low.balls, contest.choices)
    high = run_solver(other, INFINITE)
    choices = [
        (contest if kind < 0 or wants[kind] > 0 else other).choices[position]
        for position, kind in enumerate(graph.kinds)
    ]
    return CertifiedNumbers(low.balls, high.balls, choices)


@define(eq=False)
class CertifiedSolver:
    """Finds balls for the numbers of components of a contest at the present precision, and the choices that prove them.

    ``endless`` and ``may_last`` are as in :class:`ExactSolver`; ``balls[p]`` is infinite where the number is."""

    contest: Contest
    endless: Fraction | Infinite
    may_last: bool = field(default=False, init=False)
    balls: list[Number] = field(init=False)
    _maker: ArenaMaker = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.balls = [None] * len(self.contest.graph)
        self._maker = ArenaMaker(self.contest, ball, self.balls.__getitem__)

    def solve(self, component: Component) -> None:
        """Solve a component; those behind it are solved.

        Raises ``EarnsForEver``, :class:`Undecided`, and ``ZermeloError`` (``broken-installation``)."""
        graph = self.contest.graph
        if graph.kinds[component[0]] <= PAYS:
            self.balls[component[0]] = ball(graph.payoff(component[0])[0])
            return
        beginning = find_beginning(self.contest, self._maker.arena(component), self.endless)
        arena, policy = beginning.arena, beginning.policy
        self.may_last = self.may_last or beginning.may_last
        endless = ball(self.endless) if isinstance(self.endless, Fraction) else self.endless
        play = Play(arena, endless if beginning.may_stay and isinstance(self.endless, Fraction) else None)
        if play.endless is not None or not beginning.may_last:
            improve_both_sides(play, policy)
        view = best_policies(play, policy, beginning.side)
        values = view.values
        if view.ties:
            staying = endless if beginning.toll is None else None
            upper, lower = (free_side_bounds(arena, policy, view, side, staying) for side in (1, -1))
            values = [low.union(high) for low, high in zip(lower[:-1], upper[:-1], strict=True)]
        for position in component:
            self.balls[position] = self.endless
        for p, position in enumerate(arena.positions):
            self.balls[position] = values[p]
            if arena.signs[p]:
                self.contest.choices[position] = arena.edges[p][policy[p]]
