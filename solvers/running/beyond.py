"""What kernels cannot hold."""

from __future__ import annotations

from typing import Final

from zermelo.interpreter.native.running.failures import BeyondLimits
from zermelo.solvers.common.numbers import Number
from zermelo.solvers.kernels.ranges import MOST

NO_HINTS: Final = "random plays, or hints of the file, are not for machine code here"


class BeyondKernel(BeyondLimits):
    """A search has come to a number, a set or a history for which its kernel has no room; the exact backend has."""


def check_range(kernel: str, *values: Number) -> None:
    """Raise :class:`BeyondKernel` if a value is out of range for a kernel
    (:mod:`zermelo.solvers.kernels.ranges`)."""
    most = MOST[kernel]
    if any(not -most <= value <= most for value in values):
        raise BeyondKernel
