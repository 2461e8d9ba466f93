"""Random plays made by a kernel, shared among threads.

Every play has a number and a generator of its own, so it does not matter who makes it: threads take the next few
numbers whenever they are free.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from fractions import Fraction
from typing import Final

from zermelo.interpreter.native.dialect import kernel_source
from zermelo.interpreter.native.running.executor import RuleError
from zermelo.interpreter.native.running.kernels import Kernels, PythonKernels
from zermelo.interpreter.native.running.lowered_state import LoweredState
from zermelo.interpreter.native.running.machine import LoweredMachine
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.common.progress import Progress
from zermelo.solvers.kernels import plays as kernel
from zermelo.solvers.kernels.answers import BEYOND
from zermelo.solvers.running.beyond import BeyondKernel
from zermelo.solvers.running.lowered_backend import LoweredBackend
from zermelo.solvers.running.slices import Slices
from zermelo.solvers.running.threads import run
from zermelo.solvers.search import random_plays_exactly as random_plays
from zermelo.solvers.search.random_plays_exactly import RandomPlays, Tally

_MOST_AT_ONCE: Final = 1 << 16
"""Plays between two times that sums are taken from the kernel, which adds numbers of up to 40 bits."""

_PARTS_EACH: Final = 16
_NONE_YET: Final = 1 << 40


def play_by_kernel(
    machine: LoweredMachine,
    root: LoweredState,
    plays: int,
    seed: int,
    progress: Progress,
    limits: Limits,
    threads: int,
) -> RandomPlays:
    """As :func:`zermelo.solvers.search.random_plays_exactly.random_plays`; the same for a seed, whatever the number of
    threads."""

    def play(kernels: Kernels) -> RandomPlays:
        at_once = max(1, min(_MOST_AT_ONCE, plays // (_PARTS_EACH * threads)))
        parts = iter(range(0, plays, at_once))
        tallies: list[Tally] = []

        def work(mine: Kernels) -> Iterator[None]:
            player = _Player(machine, root, mine, seed)
            tallies.append(player.tally)
            slices = Slices(mine.is_compiled)
            for first in parts:
                end = min(plays, first + at_once)
                player.series.number = first
                while player.series.number < end:
                    player.play(end, slices.next())
                    yield

        def is_over() -> bool:
            progress(sum(tally.plays + tally.unfinished for tally in tallies))
            return limits.is_over

        run(kernels, threads, work, is_over)
        whole = Tally([Fraction(0)] * len(machine.player_names))
        for tally in tallies:
            whole.add(tally)
        return whole.result("" if whole.plays + whole.unfinished == plays else limits.stopped_by_time)

    return machine.run(source(), play)


def source() -> kernel_source.Kernel:
    """What the machine runs."""
    return kernel_source.kernel(kernel.go_on)


class _Player:
    """The kernel with its series of plays, and what they come to."""

    def __init__(self, machine: LoweredMachine, root: LoweredState, kernels: Kernels, seed: int) -> None:
        self.machine, self.root, self.kernels = machine, root, kernels
        self.tally = Tally([Fraction(0)] * len(machine.player_names))
        self.series = kernels.new(kernel.Series)
        self.series.seed = seed % (1 << 62)
        kernels.put(self.series.root, LoweredBackend(machine).held(root))

    def play(self, end: int, moves: int) -> None:
        """Make plays up to number ``end``, or till so many moves have been made."""
        series, first = self.series, self.series.number
        series.limit, series.shortest = random_plays.LONGEST, _NONE_YET
        series.moves = series.given_up = series.longest = 0
        for k in range(len(series.payoffs)):
            series.payoffs[k] = 0
        try:
            answer = self.kernels.call(kernel.go_on, series, end, moves)
        except RuleError as error:
            self._explain(error)
            raise
        if answer == BEYOND:
            raise BeyondKernel
        ended = series.number - first - series.given_up
        self.tally.add(
            Tally(
                [Fraction(total, self.kernels.program.denominator) for total in series.payoffs],
                ended,
                series.given_up,
                series.moves - series.given_up * series.limit,
                series.shortest if ended else None,
                series.longest if ended else None,
            )
        )

    def _explain(self, error: RuleError) -> None:
        """Raise the error of the rules that the next play comes to: it is made again in Python, where its moves can be
        seen."""
        kernels = PythonKernels(self.machine.program, source())
        again = _Player(self.machine, self.root, kernels, self.series.seed)
        again.series.number, again.series.limit = self.series.number, self.series.limit
        made = kernels.watch("hurry")
        with suppress(RuleError):
            kernels.call(kernel.go_on, again.series, self.series.number + 1, 1)
        self.machine.explain(self.root, made, error)
