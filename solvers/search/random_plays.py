"""Random plays, and what they come to on average: by a kernel over lowered rules, or over any machine."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from fractions import Fraction
from random import Random
from typing import Any, Final, Generic

from attrs import define, frozen

from zermelo.foundation.deadline import DeadlinePassed, time_limit
from zermelo.interpreter.machine import CHANCE, END, Machine, Move, Payoff, State
from zermelo.interpreter.native.dialect import kernel_source
from zermelo.interpreter.native.running.kernels import Kernels, PythonKernels
from zermelo.interpreter.native.running.machine import LoweredMachine, LoweredState
from zermelo.interpreter.native.running.views import RuleError
from zermelo.solvers.common.limits import Limits, Progress, ignore_progress
from zermelo.solvers.kernels import plays as kernel
from zermelo.solvers.kernels.answers import BEYOND
from zermelo.solvers.running.backend import BeyondKernel
from zermelo.solvers.running.lowered_backend import LoweredBackend, run_lowered_or_else
from zermelo.solvers.running.path_search import Slices, run_in_threads

# Random plays, and what they come to on average.
#
# Players choose among their legal moves with equal probability, chance draws with its own. Every play has a number, and
# a generator that follows from that and the seed. So the same seed gives the same plays, whoever makes them.
#
# The kernel (:mod:`zermelo.solvers.kernels.plays`) draws in its own way, by lowered rules and without listing all
# moves; over the interface of a machine, a play is the few lines below.


LONGEST = 100_000
"""A play that has not ended after so many moves is given up."""


@define
class RandomPlays:
    """What random plays come to. ``plays`` have come to their end, with ``payoffs`` and ``moves`` in all, draws of
    chance included, and ``shortest`` and ``longest`` of them; ``unfinished`` have been given up. ``stopped`` says what
    stopped the work before the requested number was made, and is empty otherwise. Those ``by_kernel`` are others than
    those over the interface of a machine, for the same seed."""

    payoffs: list[Fraction]
    plays: int = 0
    unfinished: int = 0
    moves: int = 0
    shortest: int | None = None
    longest: int | None = None
    stopped: str = ""
    by_kernel: bool = False

    @property
    def mean_payoffs(self) -> Payoff | None:
        """The exact means over the plays that ended, in the order of the players; None if there are none."""
        return tuple(total / self.plays for total in self.payoffs) if self.plays else None

    @property
    def mean_length(self) -> Fraction | None:
        """The mean length of the plays that ended."""
        return Fraction(self.moves, self.plays) if self.plays else None

    def add(self, other: RandomPlays) -> None:
        """Add other plays."""
        self.payoffs = [one + another for one, another in zip(self.payoffs, other.payoffs, strict=True)]
        self.plays += other.plays
        self.unfinished += other.unfinished
        self.moves += other.moves
        if other.shortest is not None and other.longest is not None:
            self.shortest = other.shortest if self.shortest is None else min(self.shortest, other.shortest)
            self.longest = other.longest if self.longest is None else max(self.longest, other.longest)


def random_plays(
    machine: Machine[State],
    root: State,
    plays: int,
    seed: int,
    progress: Progress = ignore_progress,
    limits: Limits | None = None,
    first: int = 0,
) -> RandomPlays:
    """Play at random from ``root`` on, ``plays`` times, from the play of the number ``first`` on. ``progress`` is told
    after every play how many have been made."""
    limits = limits or Limits()
    tally = RandomPlays([Fraction(0)] * len(machine.player_names))
    for k in range(plays):
        if limits.is_over:
            break
        try:
            with time_limit(limits.left):
                payoff, length = random_play(machine, root, Random(f"{seed} {first + k}"))
        except DeadlinePassed:
            break
        if payoff is None:
            tally.unfinished += 1
        else:
            tally.add(RandomPlays(list(payoff), 1, 0, length, length, length))
        progress(k + 1)
    tally.stopped = "" if tally.plays + tally.unfinished == plays else limits.stopped_by_time
    return tally


def random_play(machine: Machine[State], state: State, random: Random) -> tuple[Payoff | None, int]:
    """One random play from a state on: what it paid, None if it was given up, and its length."""
    for length, step in enumerate(random_steps(machine, state, random, LONGEST)):
        if step.actor == END:
            return machine.payoff(step.state), length
    return None, LONGEST


@frozen(eq=False)
class RandomStep(Generic[State]):
    """A state of a play: who moves, the legal ``moves`` of a player, and the move ``made`` before it, None at first."""

    state: State
    actor: int
    moves: tuple[Move, ...]
    made: Move | None


def random_steps(machine: Machine[State], state: State, random: Random, longest: int) -> Iterator[RandomStep[State]]:
    """The first ``longest`` states of a random play from a state on, this and the end among them."""
    made: Move | None = None
    for _ in range(longest):
        actor = machine.actor(state)
        moves = machine.moves(state) if actor >= 0 else ()
        yield RandomStep(state, actor, moves, made)
        if actor == END:
            return
        made = machine.draw(state, random) if actor == CHANCE else random.choice(moves)
        state = machine.after(state, made)


# Random plays made by a kernel, shared among threads, which take the next few numbers whenever they are free.


_MOST_AT_ONCE: Final = 1 << 16
"""The most plays between two readings of the kernel's sums: the kernel adds numbers of up to 40 bits."""

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
    first: int = 0,
) -> RandomPlays:
    """As :func:`random_plays`; the same for a seed, whatever the number of threads."""

    def play(kernels: Kernels) -> RandomPlays:
        at_once = max(1, min(_MOST_AT_ONCE, plays // (_PARTS_EACH * threads)))
        parts = iter(range(first, first + plays, at_once))
        tallies: list[RandomPlays] = []

        def work(mine: Kernels) -> Iterator[None]:
            player = _Player(machine, root, mine, seed)
            tallies.append(player.tally)
            slices = Slices(mine.is_compiled)
            for begin in parts:
                end = min(first + plays, begin + at_once)
                player.series.number = begin
                while player.series.number < end:
                    player.play(end, slices.next())
                    yield

        def is_over() -> bool:
            progress(sum(tally.plays + tally.unfinished for tally in tallies))
            return limits.is_over

        run_in_threads(kernels, threads, work, is_over)
        whole = RandomPlays([Fraction(0)] * len(machine.player_names), by_kernel=True)
        for tally in tallies:
            whole.add(tally)
        whole.stopped = "" if whole.plays + whole.unfinished == plays else limits.stopped_by_time
        return whole

    return machine.run(source(), play)


def source() -> kernel_source.Kernel:
    """The kernel that the machine runs."""
    return kernel_source.kernel(kernel.go_on)


class _Player:
    """The kernel with its series of plays, and what they come to."""

    def __init__(self, machine: LoweredMachine, root: LoweredState, kernels: Kernels, seed: int) -> None:
        self.machine, self.root, self.kernels = machine, root, kernels
        self.tally = RandomPlays([Fraction(0)] * len(machine.player_names))
        self.series = kernels.new(kernel.Series)
        self.series.seed = seed % (1 << 62)
        kernels.put(self.series.root, LoweredBackend(machine).held(root))

    def play(self, end: int, moves: int) -> None:
        """Make plays up to number ``end``, or till so many moves have been made."""
        series, first = self.series, self.series.number
        series.limit, series.shortest = LONGEST, _NONE_YET
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
            RandomPlays(
                [Fraction(total, self.kernels.program.denominator) for total in series.payoffs],
                ended,
                series.given_up,
                series.moves - series.given_up * series.limit,
                series.shortest if ended else None,
                series.longest if ended else None,
            )
        )

    def _explain(self, error: RuleError) -> None:
        """Raise the error of the rules that the next play comes to: this play is made again in Python, where its moves
        can be seen."""
        kernels = PythonKernels(self.machine.program, source())
        again = _Player(self.machine, self.root, kernels, self.series.seed)
        again.series.number, again.series.limit = self.series.number, self.series.limit
        made = kernels.watch("hurry")
        with suppress(RuleError):
            kernels.call(kernel.go_on, again.series, self.series.number + 1, 1)
        self.machine.explain(self.root, made, error)


# Random plays: by a kernel over lowered rules, and otherwise over any machine.


def play_at_random(
    machine: Machine[Any],
    root: Any,
    plays: int,
    seed: int,
    progress: Progress,
    limits: Limits,
    threads: int,
    first: int = 0,
) -> RandomPlays:
    """Random plays from ``root`` on, from the one of the number ``first`` on. The same seed gives the same plays for
    any number of threads, on the same kind of machine: kernels draw in their own way."""

    def by_kernel(lowered: LoweredMachine) -> RandomPlays:
        with limits.enforce():
            return play_by_kernel(lowered, root, plays, seed, progress, limits, threads, first)

    return run_lowered_or_else(
        machine, by_kernel, lambda: random_plays(machine, root, plays, seed, progress, limits, first)
    )
