"""Time slices of kernels."""

from __future__ import annotations

from time import perf_counter

from attrs import define, field

_SLICE_SECONDS = 0.05
_PYTHON_SLICE_SECONDS = 0.004
_FIRST_SLICE = 64
_LAST_SLICE = 1 << 32
_FASTER = 2.0
"""By how much a slice may be longer than the one before, in steps."""


@define(eq=False, repr=False)
class Slices:
    """The number of steps in a slice, adapted so that machine code returns twenty times a second, and Python soon after
    its trial is over."""

    is_compiled: bool
    steps: int = _FIRST_SLICE
    begin: float = field(factory=perf_counter)

    def next(self) -> int:
        """The steps of the next slice, which begins now."""
        now = perf_counter()
        seconds, self.begin = now - self.begin, now
        wanted = _SLICE_SECONDS if self.is_compiled else _PYTHON_SLICE_SECONDS
        steps = int(self.steps * min(_FASTER, wanted / max(seconds, 1e-6)))
        self.steps = min(max(_FIRST_SLICE, steps), _LAST_SLICE)
        return self.steps
