"""Certified bounds in floating point, for graphs of millions of positions.

The algorithm and its proof are in :mod:`zermelo.solvers.kernels.interval_iteration` and
:mod:`zermelo.solvers.kernels.interval_iteration`. Here amounts become doubles, rounded outward, and the bounds that the
kernel leaves are read.

Every choice belongs to a proof: by following theirs, those who want more get at least the lower bound of a position,
and those who want less hold them down to the upper one.

The result depends on the graph and on the order of its positions alone, neither on a clock nor on the executor.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import inf, isfinite, nextafter
from typing import Final

from attrs import frozen

from zermelo.interpreter.native.dialect.kernel_source import kernel
from zermelo.interpreter.native.running.kernels import PlainKernels, load
from zermelo.interpreter.native.running.views import Lengths
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.common.progress import Progress, ignore_progress
from zermelo.solvers.kernels.interval_iteration import DONE, EARNS_FOR_EVER, UNPROVED, Work, conclude, go_on, lacks_room
from zermelo.solvers.positions.graph.graph import ROOT, Components, Contest, PositionGraph
from zermelo.solvers.running.slices import Slices

PATIENCE: Final = 20_000
"""The most sweeps over a component before bounds are looked for that are further apart."""

MOST: Final = 2.0**500
"""Amounts are less, so that no sum of them overflows."""

WORK_BYTES: Final = 32
STAYING_BYTES: Final = 32
RESULT_BYTES: Final = 20
"""The bytes of a position while bounds are found, so many more if plays may stay somewhere, and in the result."""

_MARKS: Final = ("labels", "choices")
_STAYING_MARKS: Final = ("places", "lows", "edges", "fresh", "path", "waiting")
"""What the kernel keeps of every position beside values, and if plays may stay."""

_FAR: Final = 16.0
"""If the rules do not say what endless plays are worth: how many times the largest amount ours take it for when they
choose, to keep from them."""

_REASONS: Final = {
    UNPROVED: "so many sweeps have not brought bounds that can be proved",
    EARNS_FOR_EVER: "a play may stay for ever where it earns something again and again",
}


class NoBounds(Exception):
    """Nothing has been proved of the root. The message says why, in words. Exact algorithms may still solve the
    game."""


@frozen(eq=False)
class Bounds:
    """What every position is worth lies between ``lower`` and ``upper``, inclusive. ``choices`` has an edge for every
    position in which somebody decides, which is part of the proof, and 0 elsewhere. ``sweeps`` have been made over
    components with circles, and ``width`` is the largest between finite bounds.

    Bounds are infinite where the number depends on what a play pays that never ends, and the rules do not say that."""

    lower: Sequence[float]
    upper: Sequence[float]
    choices: Sequence[int]
    width: float
    sweeps: int

    def interval(self, position: int) -> tuple[Fraction, Fraction] | None:
        """The bounds of a position, exactly; None if there are none."""
        low, high = self.lower[position], self.upper[position]
        return (Fraction(low), Fraction(high)) if isfinite(low) and isfinite(high) else None


def bounds(
    contest: Contest,
    components: Components,
    limits: Limits,
    progress: Progress = ignore_progress,
    patience: int = PATIENCE,
    compiled: bool = True,
) -> Bounds:
    """Certified bounds for every position; ``compiled`` says whether machine code may be used. ``progress`` is told of
    how many positions the bounds are found.

    Raises :class:`NoBounds`, and ``ZermeloError`` (``out-of-memory``, ``out-of-time``)."""
    _check(contest)
    kernels = load(kernel(go_on, lacks_room, conclude), compiled)
    work = _work(kernels, contest, components, limits)
    work.patience = patience
    slices = Slices(kernels.is_compiled)
    while (stage := kernels.call(go_on, work, slices.next())) < DONE:
        if kernels.call(lacks_room, work):
            _make_room(kernels, work, len(contest.graph), limits)
        progress(components.starts[work.component])
        limits.check({"nodes": len(contest.graph)})
    if stage != DONE:
        raise NoBounds(_REASONS[stage])
    kernels.call(conclude, work)
    if work.lower.values[ROOT] == -inf or work.upper.values[ROOT] == inf:
        raise NoBounds("a play may stay for ever, and the rules do not say what that is worth")
    found = Bounds(work.lower.values, work.upper.values, work.ends.choices, work.width, work.total)
    limits.hold(found, RESULT_BYTES * len(contest.graph))
    return found


def _check(contest: Contest) -> None:
    """Raise :class:`NoBounds` for what the kernel cannot hold."""
    graph = contest.graph
    if graph.has_rounds:
        raise NoBounds("players choose at once")
    if any(abs(amount[0]) >= MOST for amount in graph.amounts):
        raise NoBounds("the payoffs have more than 500 bits")


def _work(kernels: PlainKernels, contest: Contest, components: Components, limits: Limits) -> Work:
    """The arrays of the kernel."""
    graph, count = contest.graph, len(contest.graph)
    limits.require(WORK_BYTES * count, f"the bounds of {count:,} positions")
    shared = {"kinds": graph.kinds, "firsts": graph.firsts, "targets": graph.targets, "rewards": graph.rewards or ()}
    arrays: dict[str, Lengths] = {name: kernels.as_halves(numbers) for name, numbers in shared.items()}
    arrays["weights"] = weights_of(graph, kernels)
    side = {"values": count, "amounts": len(graph.amounts), "frees": len(contest.wants)}
    work = kernels.new(
        Work,
        graph={**arrays, "earning": len(graph.amounts)},
        upper=side,
        lower=side,
        ends=dict.fromkeys(_MARKS, count) | dict.fromkeys(_STAYING_MARKS, 0),
        order=kernels.as_halves(components.members),
        starts=kernels.as_halves(components.starts),
        staged=0,
        before=count,
    )
    work.graph.earning[:] = [int(any(amount)) for amount in graph.amounts]
    work.graph.earns = int(graph.rewards is not None)
    work.graph.discount = float(graph.discount)
    work.count = len(components)
    endless = contest.endless if graph.discount == 1 else Fraction(0)
    far = _FAR * max((abs(float(amount[0])) for amount in graph.amounts), default=0.0)
    for sign, side_of in ((1, work.upper), (-1, work.lower)):
        side_of.amounts[:] = [rounded_up(sign * amount[0]) for amount in graph.amounts]
        side_of.frees[:] = [int(want == sign) for want in contest.wants]
        side_of.endless = inf if endless is None else rounded_up(sign * endless)
        side_of.feared = far if endless is None else side_of.endless
    return work


def weights_of(graph: PositionGraph, kernels: PlainKernels) -> list[int]:
    """The weights of a graph as kernels have them. Raises :class:`NoBounds`."""
    try:
        return kernels.as_halves(graph.weights or ())
    except OverflowError:
        raise NoBounds("weights of outcomes have more than 31 bits") from None


def _make_room(kernels: PlainKernels, work: Work, count: int, limits: Limits) -> None:
    """Make the lists that serve where plays may stay."""
    limits.require((WORK_BYTES + STAYING_BYTES) * count, f"the bounds of {count:,} positions")
    kernels.replace(work, ends=dict.fromkeys(_STAYING_MARKS, count), staged=count)


def rounded_up(number: Fraction) -> float:
    """The least double that is not smaller."""
    nearest = float(number)
    return nearest if Fraction(nearest) >= number else nextafter(nearest, inf)
