"""Random plays of two games in step, by kernels: many more than the interface of machines allows.

Each game's kernel makes the same numbered plays on its own, and leaves a digest of each
(:mod:`zermelo.solvers.kernels.traces`). Where two digests differ, bisection finds after how many moves they do, and
later plays have to be shorter. What digests suggest is not believed: the moves of the shortest such play are handed
out, and the games are compared along them position by position.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from itertools import cycle
from typing import Any, Final, Generic, TypeVar

from attrs import define, field

from zermelo.interpreter.machine import Move
from zermelo.interpreter.native.dialect import kernel_source
from zermelo.interpreter.native.running.failures import BeyondLimits
from zermelo.interpreter.native.running.kernels import Kernels
from zermelo.interpreter.native.running.machine import LoweredMachine
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.common.progress import Progress
from zermelo.solvers.kernels import traces as kernel
from zermelo.solvers.running.lowered_backend import LoweredBackend
from zermelo.solvers.running.slices import Slices
from zermelo.solvers.validation.situations import Side

LONGEST: Final = 1_000
"""The most moves of a play."""

_MOVES: Final = 100
"""So many moves for each of the plays are allowed in all."""

_AT_ONCE: Final = 64
_UNLIMITED: Final = 1 << 40


A = TypeVar("A")
B = TypeVar("B")

Beginning = tuple[str, ...]
"""Moves with which a play begins, as written in either game."""

Root = tuple[Beginning, A, B]
"""A beginning, and the states of both games after it."""


@define(eq=False)
class TracedPlays(Generic[A, B]):
    """Plays begin in each of the ``roots`` in turn. ``played`` are the plays so far."""

    first: Side[A]
    second: Side[B]
    roots: Sequence[Root[A, B]]
    played: int = 0

    def suspect(self, plays: int, limits: Limits, progress: Progress, kept: float) -> Beginning:
        """The moves, as a game writes them, of the shortest of so many random plays that seems to tell the games apart;
        none if no play does, or kernels cannot tell. So many seconds are ``kept`` for others."""
        first, second = self.first.machine, self.second.machine
        if not isinstance(first, LoweredMachine) or not isinstance(second, LoweredMachine):
            return ()
        if first.program.denominator != second.program.denominator or self.first.order != self.second.order:
            return ()  # amounts in other units, or in another order
        source = kernel_source.kernel(kernel.go_on)

        def in_first(ours: Kernels) -> Beginning:
            def in_second(theirs: Kernels) -> Beginning:
                self.played = 0  # kernels that change to machine code begin anew
                return self._search(_Tracer(first, ours), _Tracer(second, theirs), plays, limits, progress, kept)

            return second.run(source, in_second)

        with suppress(BeyondLimits):
            return first.run(source, in_first)
        return ()

    def _search(
        self, first: _Tracer, second: _Tracer, plays: int, limits: Limits, progress: Progress, kept: float
    ) -> Beginning:
        found: Beginning = ()
        longest, left = LONGEST, _MOVES * plays
        slices = Slices(first.kernels.is_compiled)
        roots = cycle(self.roots)
        while self.roots and self.played < plays and left > 0 and limits.left >= kept and not limits.is_over:
            progress(self.played)
            before, ours, theirs = next(roots)
            if (limit := longest - len(before)) < 0:
                self.played += 1  # no play from here is short enough
                continue
            first.begin(ours)
            second.begin(theirs)
            here = first.trace(self.played, min(plays, self.played + _AT_ONCE), limit, slices.next())
            left -= first.tracing.moves
            there = second.trace(self.played, self.played + len(here), limit, _UNLIMITED)
            number = next((k for k, (one, other) in enumerate(zip(here, there, strict=True)) if one != other), None)
            if number is None:
                self.played += len(here)
                continue
            length = _moment(first, second, self.played + number, limit)
            found, longest = (*before, *map(str, first.play(length))), len(before) + length - 1
            self.played += number + 1
        return found


def _moment(first: _Tracer, second: _Tracer, number: int, limit: int) -> int:
    """After how many moves the traces of a play differ first, which are different at the limit. The first game's kernel
    has made the play up to there."""
    low, high = 0, limit
    while low < high:
        middle = (low + high) // 2
        same = first.one(number, middle) == second.one(number, middle)
        low, high = (middle + 1, high) if same else (low, middle)
    first.one(number, low)
    return low


@define(eq=False)
class _Tracer:
    """The kernel of one game."""

    machine: LoweredMachine
    kernels: Kernels
    tracing: kernel.Tracing = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.tracing = self.kernels.new(kernel.Tracing, made=LONGEST, digests=_AT_ONCE)

    def begin(self, root: Any) -> None:
        """Let plays begin in a state of the machine."""
        self.kernels.put(self.tracing.root, LoweredBackend(self.machine).held(root))

    def trace(self, number: int, end: int, limit: int, budget: int) -> list[int]:
        """The digests of plays from a number on, each of at most ``limit`` moves, till so many moves are made."""
        self.tracing.number, self.tracing.limit = number, limit
        count = self.kernels.call(kernel.go_on, self.tracing, end, budget)
        return list(self.tracing.digests[:count])

    def one(self, number: int, limit: int) -> int:
        """The digest of the first moves of a play."""
        return self.trace(number, number + 1, limit, 1)[0]

    def play(self, length: int) -> Sequence[Move]:
        """The first moves of the play that was traced last."""
        decode = self.machine.program.moves.decode
        return [decode(self.tracing.made[k]) for k in range(length)]
