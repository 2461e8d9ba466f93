"""Certified bounds in floating point, for graphs of millions of positions.

The algorithm and its proof are in :mod:`zermelo.solvers.kernels.interval_iteration` and
:mod:`zermelo.solvers.kernels.certificates`. Here amounts become doubles, rounded outward, and the bounds that the
kernel leaves are read.

Every choice belongs to a proof: by following theirs, those who want more get at least the lower bound of a position,
and those who want less hold them down to the upper one.

The result depends on the graph and on the order of its positions alone, neither on a clock nor on the executor.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import inf, nextafter
from typing import Final

from attrs import frozen

from zermelo.interpreter.native.dialect.kernel_source import kernel
from zermelo.interpreter.native.running.plain_kernels import PlainKernels, load
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.kernels.interval_iteration import (
    EARNS_FOR_EVER,
    NEEDS_ENDLESS,
    UNPROVED,
    Work,
    conclude,
    go_on,
)
from zermelo.solvers.positions.contest import Contest
from zermelo.solvers.running.slices import Slices

PATIENCE: Final = 20_000
"""The most sweeps over a component before bounds are looked for that are further apart."""

MOST: Final = 2.0**500
"""Amounts are less, so that no sum of them overflows."""

_BYTES: Final = 8
_FAR: Final = 16.0
"""If the rules do not say what endless plays are worth: how many times the largest amount ours take it for when they
choose, to keep from them."""

_REASONS: Final = {
    UNPROVED: "so many sweeps have not brought bounds that can be proved",
    EARNS_FOR_EVER: "a play may stay for ever where it earns something again and again",
    NEEDS_ENDLESS: "a play may stay for ever, and the rules do not say what that is worth",
}


class NoBounds(Exception):
    """Nothing has been proved of the positions of a component. The message says why, in words; ``stage`` is one of the
    ends of the kernel, and ``component`` the number of the component. Exact algorithms may still solve the game."""

    def __init__(self, message: str, stage: int = UNPROVED, component: int = 0) -> None:
        super().__init__(message)
        self.stage, self.component = stage, component


@frozen(eq=False)
class Bounds:
    """What every position is worth lies between ``lower`` and ``upper``, inclusive. ``choices`` has an edge for every
    position in which somebody decides, which is part of the proof, and -1 elsewhere. ``sweeps`` have been made over
    components with circles."""

    lower: Sequence[float]
    upper: Sequence[float]
    choices: Sequence[int]
    width: float
    sweeps: int

    def interval(self, position: int) -> tuple[Fraction, Fraction]:
        """The bounds of a position, exactly."""
        return Fraction(self.lower[position]), Fraction(self.upper[position])


def bounds(
    contest: Contest,
    order: Sequence[int],
    starts: Sequence[int],
    limits: Limits,
    patience: int = PATIENCE,
    compiled: bool = True,
) -> Bounds:
    """Certified bounds for every position.

    The strongly connected component c has the positions ``order[starts[c]]`` to ``order[starts[c + 1]]`` (exclusive),
    after all those that can be reached from it. Raises :class:`NoBounds`, and
    :class:`~zermelo.solvers.common.limits.LimitReached` when the time or the memory is used up.
    """
    graph = contest.graph
    _check(contest)
    kernels = load(kernel(go_on, conclude), compiled)
    work = _work(kernels, contest, order, starts, limits)
    work.patience = patience
    slices = Slices(kernels.is_compiled)
    while (stage := kernels.call(go_on, work, slices.next())) < UNPROVED and work.component < len(starts) - 1:
        limits.check({"nodes": 0})
    if stage in _REASONS:
        raise NoBounds(_REASONS[stage], stage, work.component)
    kernels.call(conclude, work)
    return Bounds(work.lower.values, work.upper.values, work.ends.choices, work.width, work.total)


def _check(contest: Contest) -> None:
    """Raise :class:`NoBounds` for what the kernel cannot hold."""
    graph = contest.graph
    if any(kind >= len(graph.players) for kind in graph.kinds):
        raise NoBounds("players choose at once")
    if any(abs(amount[0]) >= MOST for amount in graph.amounts):
        raise NoBounds("the payoffs have more than 500 bits")
    if graph.weights is not None and max(graph.weights, default=0) >= 1 << 62:
        raise NoBounds("the weights of chance have more than 62 bits")


def _work(
    kernels: PlainKernels, contest: Contest, order: Sequence[int], starts: Sequence[int], limits: Limits
) -> Work:
    """The arrays of the kernel."""
    graph = contest.graph
    count, amounts = len(graph), len(graph.amounts)
    columns = {
        "kinds": graph.kinds,
        "firsts": graph.firsts,
        "targets": graph.targets,
        "weights": graph.weights or (),
        "rewards": graph.rewards or (),
        "earning": [int(any(amount)) for amount in graph.amounts],
    }
    every = dict.fromkeys(("labels", "choices", "places", "lows", "edges", "fresh", "path", "waiting"), count)
    numbers = sum(map(len, columns.values())) + 12 * count + len(starts)
    limits.require(_BYTES * numbers, f"bounds for {count:,} positions")
    side = {"values": count, "amounts": amounts, "frees": len(contest.wants)}
    work = kernels.new(
        Work,
        graph={name: len(column) for name, column in columns.items()},
        upper=side,
        lower=side,
        ends=every,
        order=count,
        starts=len(starts),
        staged=count,
    )
    for name, column in columns.items():
        getattr(work.graph, name)[:] = list(column)
    work.graph.players, work.graph.earns = len(graph.players), int(graph.rewards is not None)
    work.graph.discount = float(graph.discount)
    work.order[:], work.starts[:], work.ends.choices[:] = list(order), list(starts), [-1] * count
    endless = contest.endless if graph.discount == 1 else Fraction(0)
    work.missing = int(endless is None)
    for sign, to in ((1, work.upper), (-1, work.lower)):
        to.amounts[:] = [rounded_up(sign * amount[0]) for amount in graph.amounts]
        to.frees[:] = [int(want == sign) for want in contest.wants]
        far = _FAR * max((abs(float(amount[0])) for amount in graph.amounts), default=0.0)
        to.endless = far if endless is None else rounded_up(sign * endless)
    return work


def rounded_up(number: Fraction) -> float:
    """The least double that is not smaller."""
    nearest = float(number)
    return nearest if Fraction(nearest) >= number else nextafter(nearest, inf)
