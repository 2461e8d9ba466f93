"""Certified bounds of all positions of a contest in which players choose at once and plays go round.

Component by component: positions to which no play comes back take one step from the bounds behind them. Circles in
which nobody chooses at once are solved in fractions (:mod:`zermelo.solvers.positions.stochastic_cycles.exact_numbers`),
by the lower bounds behind them and by the upper ones: what a position is worth never falls as what lies behind it
grows, and the choices that are best by lower bounds guarantee what they are worth by these. Circles with rounds, and
those whose fractions are too long, are enclosed by :mod:`zermelo.solvers.positions.stochastic_games.stochastic_game`.
Exact numbers stay exact while they have few digits; then bounds are rounded outward. The bounds of a position are never
further apart than those behind it, but for what is rounded, and for what is left open in its own circle.

A circle may have no bounds; then a position where a side cannot keep clear of it has none on that side either
(:mod:`zermelo.solvers.positions.stochastic_games.stochastic_game`). The game is refused only if the root lacks one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from typing import Final

from attrs import define, field

from zermelo.solvers.common.limits import Limits, Progress, ignore_progress
from zermelo.solvers.common.numbers import INFINITE
from zermelo.solvers.positions.graph.graph import (
    PAYS,
    ROOT,
    Component,
    Components,
    Contest,
    EarnsForEver,
    NeedsEndless,
    NotEnclosed,
    TooManyDigits,
    begins_round,
    goes_round,
)
from zermelo.solvers.positions.stochastic_cycles.exact_numbers import ExactSolver
from zermelo.solvers.positions.stochastic_cycles.turn_based_game import end_components
from zermelo.solvers.positions.stochastic_games.matrix_rounds import Mixture, Round, agreeing_mixtures, round_at
from zermelo.solvers.positions.stochastic_games.stochastic_game import (
    BOTH,
    Circle,
    Enclosed,
    Mixing,
    Step,
    arena_of_options,
    choose,
    options_of_all,
    pure_choice,
    restrict_circle,
    restrict_step,
    round_to_grid,
    step_of,
)

Refusal = EarnsForEver | NeedsEndless | NotEnclosed
"""Why there are no bounds."""

_FEW_BITS: Final = 256
"""The length of denominators up to which numbers stay exact."""


@define(eq=False)
class Enclosures:
    """Bounds for the positions, but for those within rounds: ``lows`` and ``highs``. ``choices[p]`` is how to decide in
    p: the side that wants more gets at least the lower bounds by it, and the other side concedes at most the upper
    ones. ``refusals[p]`` says why p lacks a bound. In ``_work`` circles are solved exactly."""

    contest: Contest
    lows: dict[int, Fraction] = field(factory=dict)
    highs: dict[int, Fraction] = field(factory=dict)
    choices: dict[int, Mixing] = field(factory=dict)
    refusals: dict[int, Refusal] = field(factory=dict)
    _work: Contest = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._work = Contest(self.contest.graph, self.contest.wants)

    def interval(self, position: int) -> tuple[Fraction, Fraction] | None:
        """The bounds of a position; None within a round, and where one is lacking."""
        if position not in self.lows or position not in self.highs:
            return None
        return self.lows[position], self.highs[position]

    def leave_open(self, positions: Iterable[int], refusal: Refusal) -> None:
        """Note why positions lack a bound."""
        self.refusals |= dict.fromkeys(positions, refusal)

    def refusal_behind(self, step: Step) -> Refusal:
        """Why a step lacks a bound: the refusal of a position behind it."""
        return next(self.refusals[there] for _, _, there in step.ways if there in self.refusals)

    def best(self, position: int) -> list[int]:
        """The edge by which a single player guarantees their bound; empty where nobody decides alone."""
        graph = self.contest.graph
        if graph.kinds[position] < 0 or self.interval(position) is None or begins_round(graph, position):
            return []
        return [graph.firsts[position] + self.choices[position].rows.index(Fraction(1))]

    def mixtures(self, position: int) -> tuple[Round, tuple[Mixture, ...]] | None:
        """The round that begins in a position, and the mixtures that guarantee the bounds; None elsewhere."""
        if not begins_round(self.contest.graph, position) or self.interval(position) is None:
            return None
        round, choice = round_at(self.contest.graph, position), self.choices[position]
        wants = [self.contest.wants[player] for player in round.choosers]
        if len(set(wants)) == 1:
            return round, agreeing_mixtures(round, choice.rows.index(Fraction(1)))
        return round, (choice.rows, choice.columns) if wants[0] > 0 else (choice.columns, choice.rows)

    def solved(self, component: Component, behind: Mapping[int, Fraction]) -> dict[int, Mixing] | None:
        """What the positions of a component without rounds are worth, with these numbers behind it; None if fractions
        are too long, or numbers may be infinite."""
        work, graph = self._work, self.contest.graph
        for p, number in behind.items():
            work.numbers[p] = number
        endless = self.contest.endless if graph.discount == 1 else Fraction(0)
        solver = ExactSolver(work, INFINITE if endless is None else endless)
        try:
            solver.solve(component)
        except TooManyDigits:
            return None
        if endless is None and solver.may_last:
            return None
        found = {}
        for p in component:
            worth = work.numbers[p]
            assert worth is not None, "no play lasts for ever"
            found[p] = pure_choice(worth, len(graph.edges(p)), work.choices[p] - graph.firsts[p])
        return found


def enclosures(
    contest: Contest, components: Components, digits: int, limits: Limits, progress: Progress = ignore_progress
) -> Enclosures:
    """Bounds of all positions. Those that have finite numbers keep them. ``digits`` says how near to each other the
    bounds are to be; where values are only approached, or what is earned is very uneven, they may stay further apart.
    ``progress`` is told how many components are done.

    Raises, if the root has no bounds, :class:`EarnsForEver`, :class:`NeedsEndless`, :class:`NotEnclosed`; and
    ``ZermeloError`` (``out-of-time``, ``moves-differ``)."""
    found = Enclosures(contest)
    width = Fraction(1, 10**digits * (1 + len(components)))
    for done, component in enumerate(components):
        progress(done)
        limits.check({"nodes": done})
        if not goes_round(contest.graph, component):
            _go_by(found, component[0], width)
            continue
        try:
            if any(map(contest.graph.is_within_round, component)) or not _go_round_in_turn(found, component, width):
                _go_round(found, component, width)
        except (EarnsForEver, NeedsEndless, NotEnclosed) as refusal:
            found.leave_open(component, refusal)
    if found.interval(ROOT) is None:
        raise found.refusals[ROOT]
    return found


def _go_by(found: Enclosures, position: int, width: Fraction) -> None:
    """The bounds of a position to which no play comes back."""
    graph = found.contest.graph
    kind, number = graph.kinds[position], found.contest.numbers[position]
    if kind <= PAYS:
        number = graph.payoff(position)[0]
    if isinstance(number, Fraction):
        found.lows[position] = found.highs[position] = number
    elif not graph.is_within_round(position):
        step = step_of(found.contest, position)
        lower = _bound_of_step(step, found.lows, 1)
        is_exact = all(there in found.lows and found.lows[there] == found.highs.get(there) for _, _, there in step.ways)
        upper = lower if is_exact else _bound_of_step(step, found.highs, -1)
        if lower is not None:
            found.lows[position] = _shorten(lower.number, width, -1)
        if upper is not None:
            found.highs[position] = _shorten(upper.number, width, 1)
        if lower is not None and upper is not None:
            found.choices[position] = _join_choices(step, lower, upper)
        else:
            found.leave_open([position], found.refusal_behind(step))


def _bound_of_step(step: Step, numbers: Mapping[int, Fraction], side: int) -> Mixing | None:
    """What a step is worth for a side, with these bounds behind it; None if it has none."""
    part = restrict_step(step, numbers, side)
    return None if part is None else part.widened(choose(part.step, numbers), side)


def _go_round_in_turn(found: Enclosures, component: Component, width: Fraction) -> bool:
    """Find the bounds of a component with circles but without rounds; False if fractions are too long, numbers may be
    infinite, or bounds behind it are lacking."""
    contest = found.contest
    graph, inside = contest.graph, set(component)
    behind = {graph.targets[edge] for p in component for edge in graph.edges(p)} - inside
    if any(found.interval(p) is None for p in behind):
        return False
    lower = found.solved(component, {p: found.lows[p] for p in behind})
    is_exact = all(found.lows[p] == found.highs[p] for p in behind)
    upper = lower if is_exact else found.solved(component, {p: found.highs[p] for p in behind})
    if lower is None or upper is None:
        return False
    for p in component:
        found.lows[p] = _shorten(lower[p].number, width, -1)
        found.highs[p] = _shorten(upper[p].number, width, 1)
        if (player := graph.kinds[p]) >= 0:
            found.choices[p] = (lower if contest.wants[player] > 0 else upper)[p]
    return True


def _go_round(found: Enclosures, component: Component, width: Fraction) -> None:
    """The bounds of a component with circles. Raises :class:`EarnsForEver`, :class:`NeedsEndless`,
    :class:`NotEnclosed`."""
    steps = [
        step_of(found.contest, position) for position in component if not found.contest.graph.is_within_round(position)
    ]
    behind = {there for step in steps for _, _, there in step.ways}.difference(step.position for step in steps)
    if any(found.interval(there) is None for there in behind):
        _keep_clear(found, steps, behind, width)
        return
    lows, highs = ({there: bounds[there] for there in behind} for bounds in (found.lows, found.highs))
    enclosed = _enclosed(found.contest, steps, lows, highs, width)
    found.lows |= enclosed.lower.numbers
    found.highs |= enclosed.upper.numbers
    for step in steps:
        found.choices[step.position] = _join_choices(
            step, enclosed.lower.choices[step.position], enclosed.upper.choices[step.position]
        )


def _keep_clear(found: Enclosures, steps: Sequence[Step], behind: Collection[int], width: Fraction) -> None:
    """Find the bounds of a component with circles, behind which bounds are lacking: those of each side for the part in
    which it keeps clear of such positions."""
    choices: dict[int, dict[int, Mixing]] = {}
    refusal = next(found.refusals[there] for there in behind if there in found.refusals)
    for side, bounds in ((1, found.lows), (-1, found.highs)):
        known = {there: bounds[there] for there in behind if there in bounds}
        parts = restrict_circle(steps, known, side)
        choices[side] = {}
        if parts:
            with suppress(EarnsForEver, NeedsEndless, NotEnclosed):
                enclosed = _enclosed(found.contest, [part.step for part in parts], known, known, width)
                certified = enclosed.lower if side > 0 else enclosed.upper
                bounds |= certified.numbers
                for part in parts:
                    p = part.whole.position
                    choices[side][p] = part.widened(certified.choices[p], side)
    for step in steps:
        p = step.position
        if found.interval(p) is None:
            found.leave_open([p], refusal)
        else:
            found.choices[p] = _join_choices(step, choices[1][p], choices[-1][p])


def _enclosed(
    contest: Contest,
    steps: Sequence[Step],
    lows: Mapping[int, Fraction],
    highs: Mapping[int, Fraction],
    width: Fraction,
) -> Enclosed:
    """The bounds of circles, by those behind them. Raises :class:`EarnsForEver`, :class:`NeedsEndless`,
    :class:`NotEnclosed`."""
    stays = _check_earnings(steps)
    endless = contest.endless if contest.graph.discount == 1 else Fraction(0)
    enclosed = Circle(steps, lows, highs, endless, stays).enclosed(width)
    if enclosed is None:
        first = min(step.position for step in steps)
        raise NeedsEndless(first, ()) if stays and endless is None else NotEnclosed(first)
    return enclosed


def _check_earnings(steps: Sequence[Step]) -> bool:
    """Whether a play may stay for ever; raises :class:`EarnsForEver` if it may earn something again and again then."""
    arena = arena_of_options(steps, options_of_all)
    components = end_components(arena, arena.every_row())
    for component in components:
        for p, options in component.items():
            for option in options:
                for way in options_of_all(steps[p])[option]:
                    if steps[p].ways[way][0]:
                        raise EarnsForEver(steps[p].edges[way][-1])
    return bool(components)


def _join_choices(step: Step, lower: Mixing, upper: Mixing) -> Mixing:
    """The choices of both sides, each by its own bounds."""
    if step.sign == BOTH:
        return Mixing(lower.number, lower.rows, upper.columns)
    return lower if step.sign >= 0 else upper


def _shorten(number: Fraction, width: Fraction, direction: int) -> Fraction:
    """A number, rounded in a direction if it has many digits."""
    if number.denominator.bit_length() <= _FEW_BITS:
        return number
    return round_to_grid(number, 2 * width.denominator, direction)
