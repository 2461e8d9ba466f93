"""What kernels cannot hold."""

from __future__ import annotations

from zermelo.interpreter.native.running.machine import BeyondLimits
from zermelo.solvers.common.numbers import Number
from zermelo.solvers.kernels.ranges import MOST


class BeyondKernel(BeyondLimits):
    """A search has come to a number or a set that its kernel has no room for; the algorithm in Python has."""


def check_range(kernel: str, *values: Number) -> None:
    """Raise :class:`BeyondKernel` where one of these is no value for a kernel
    (:mod:`zermelo.solvers.kernels.ranges`)."""
    most = MOST[kernel]
    if any(not -most <= value <= most for value in values):
        raise BeyondKernel
