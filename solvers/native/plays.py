"""Random plays made by a kernel, shared among threads.

Every play has a number and a generator of its own, so it does not matter who makes it: threads take the next few
numbers whenever they are free.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from fractions import Fraction
from typing import Final

from zermelo.interpreter.native.dialect.kernel_source import Text
from zermelo.interpreter.native.running.executor import RuleError
from zermelo.interpreter.native.running.kernels import Array, Kernels, PythonKernels
from zermelo.interpreter.native.running.machine import LoweredMachine
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.common.progress import Progress
from zermelo.solvers.kernels import kernel_text
from zermelo.solvers.native.beyond import BeyondKernel
from zermelo.solvers.native.slices import Slices
from zermelo.solvers.native.threads import run
from zermelo.solvers.search import random_plays
from zermelo.solvers.search.random_plays import RandomPlays, Tally

_MOST_AT_ONCE: Final = 1 << 16
"""Plays between two times that sums are taken from the kernel, which adds numbers of up to 40 bits."""

_PARTS_EACH: Final = 16
_NONE_YET: Final = 1 << 40
_NUMBER, _MOVES, _GIVEN_UP, _SEED, _SHORTEST, _LONGEST, _TOO_LARGE = range(1, 8)
"""Registers."""


def play_by_kernel(
    machine: LoweredMachine, plays: int, seed: int, progress: Progress, limits: Limits, threads: int
) -> RandomPlays:
    """As :func:`zermelo.solvers.search.random_plays.random_plays`; the same for a seed, whatever the number of
    threads."""

    def play(kernels: Kernels) -> RandomPlays:
        at_once = max(1, min(_MOST_AT_ONCE, plays // (_PARTS_EACH * threads)))
        parts = iter(range(0, plays, at_once))
        tallies: list[Tally] = []

        def work(mine: Kernels) -> Iterator[None]:
            player = _Player(machine, mine, seed)
            tallies.append(player.tally)
            slices = Slices(mine.is_compiled)
            for first in parts:
                end = min(plays, first + at_once)
                player.registers[_NUMBER] = first
                while player.registers[_NUMBER] < end:
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

    return machine.run_kernels(kernel_text("plays"), ("play",), play)


class _Player:
    """The kernel with its arrays, and what its plays come to."""

    def __init__(self, machine: LoweredMachine, kernels: Kernels, seed: int) -> None:
        self.machine, self.kernels = machine, kernels
        most, players = kernels.program.most_moves, len(machine.player_names)
        self.tally = Tally([Fraction(0)] * players)
        self.registers, self.totals = kernels.numbers(8), kernels.numbers(players)
        self.registers[_SEED] = seed % (1 << 62)
        self.arrays: tuple[Array, ...] = (kernels.state(), kernels.numbers(most), kernels.numbers(most))

    def play(self, end: int, moves: int) -> None:
        """Make plays up to number ``end``, or till so many moves have been made."""
        registers, totals, first = self.registers, self.totals, self.registers[_NUMBER]
        registers[_MOVES] = registers[_GIVEN_UP] = registers[_LONGEST] = 0
        registers[_SHORTEST] = _NONE_YET
        for k in range(len(totals)):
            totals[k] = 0
        longest = random_plays.LONGEST
        try:
            self.kernels.call_by_name("play", *self.arrays, registers, totals, longest, end, moves)
        except RuleError as error:
            self._explain(error)
            raise
        if registers[_TOO_LARGE]:
            raise BeyondKernel
        given_up = registers[_GIVEN_UP]
        ended = registers[_NUMBER] - first - given_up
        self.tally.add(
            Tally(
                [Fraction(total, self.kernels.program.denominator) for total in totals],
                ended,
                given_up,
                registers[_MOVES] - given_up * longest,
                registers[_SHORTEST] if ended else None,
                registers[_LONGEST] if ended else None,
            )
        )

    def _explain(self, error: RuleError) -> None:
        """Raise the error of the rules that the next play comes to: it is made again in Python, where its moves can be
        seen."""
        kernels = PythonKernels(self.machine.program, Text(kernel_text("plays")))
        again = _Player(self.machine, kernels, self.registers[_SEED])
        again.registers[_NUMBER] = number = self.registers[_NUMBER]
        made = kernels.watch("hurry")
        with suppress(RuleError):
            kernels.call_by_name(
                "play", *again.arrays, again.registers, again.totals, random_plays.LONGEST, number + 1, 1
            )
        self.machine.explain(self.machine.initial(), made, error)
