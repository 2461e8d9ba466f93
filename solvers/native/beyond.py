"""What kernels cannot hold."""

from __future__ import annotations

from interpreter.native.machine import BeyondLimits


class BeyondKernel(BeyondLimits):
    """A search has come to a number or a set that its kernel has no room for; the algorithm in Python has."""
