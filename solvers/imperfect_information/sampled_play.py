"""Sampling from the rules by its kernel: :mod:`zermelo.solvers.kernels.sampling_from_rules` has the algorithm.

The lists grow as they fill, each to twice its length, so that memory is taken for what has been met. Where there is no
more of it, the table stays as it is.
"""

from __future__ import annotations

from array import array
from fractions import Fraction
from math import inf, sqrt
from typing import Any, Final, Generic

from attrs import frozen

from zermelo.grammar.deadline import Passed
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.checks.loops import written
from zermelo.interpreter.machine import Move, State
from zermelo.interpreter.native.dialect.kernel_source import Kernel
from zermelo.interpreter.native.dialect.kernel_source import kernel as kernel_of
from zermelo.interpreter.native.running.executor import RuleError
from zermelo.solvers.common.columns import OBJECT_BYTES
from zermelo.solvers.forms.sampled_strategy import SampledSets
from zermelo.solvers.imperfect_information.marking import Aims, marks_of
from zermelo.solvers.kernels import sampling_from_rules as kernel
from zermelo.solvers.kernels.observations import rehash
from zermelo.solvers.kernels.regret_table import MOVES_DIFFER, NONE
from zermelo.solvers.kernels.sampling_records import Sampling
from zermelo.solvers.running.backend import Backend, GameKernels
from zermelo.solvers.running.draws import draws
from zermelo.solvers.running.slices import Slices
from zermelo.solvers.solution import Problem

_AT_FIRST: Final = 1 << 8
"""The length of most lists at first."""

_ENDLESS: Final = 1 << 62
"""More iterations than anybody waits for."""


def source(backend: Backend[Any]) -> Kernel:
    """What the machine runs. Raises :class:`~zermelo.interpreter.native.running.failures.BeyondLimits`."""
    return kernel_of(
        kernel.start,
        kernel.start_responding,
        kernel.start_judging,
        kernel.go_on,
        rehash,
        **backend.recalling(),
    )


@frozen
class JudgedPlays:
    """What so many ``plays`` paid each player: the means, and their standard errors."""

    plays: int
    means: tuple[Fraction, ...]
    errors: tuple[float, ...]


class SampledPlay(Generic[State]):
    """Plays from the root, and the table of what they have met."""

    def __init__(
        self, backend: Backend[State], kernels: GameKernels, problem: Problem[State], by_outcome: bool
    ) -> None:
        self.backend, self.kernels, self.problem = backend, kernels, problem
        self.players = len(problem.machine.player_names)
        self.lengths = dict.fromkeys(("path", "made", "states", "words", "sets", "rows"), _AT_FIRST)
        sizes, slots = _sizes(self.lengths), _slots(self.lengths)
        sizes["knowledge"]["slots"] = slots
        self.sampling = kernels.new(Sampling, **sizes, aim=_marks(1))
        self.sampling.by_outcome = int(by_outcome)
        kernels.put(self.sampling.root, backend.held(problem.root))
        kernels.call(kernel.start, self.sampling, draws(problem.seed).state)

    @property
    def is_full(self) -> bool:
        """Whether the table has no room for more."""
        return bool(self.sampling.is_full)

    @property
    def iterations(self) -> int:
        """Those that have been completed."""
        return self.sampling.iterations

    def learn(self, wanted: float, reserved: float, share: Fraction) -> str:
        """Learn by so many iterations, or until no more than the ``reserved`` seconds are left; what ended it before,
        in words. The table takes a share of the memory at most."""
        return self._play(wanted, reserved, share)

    def aim_at(self, aims: Aims[State], part: float) -> None:
        """Lead this part of the plays along given ones from now on (:mod:`zermelo.solvers.kernels.aiming`)."""
        marks = marks_of(self.backend, self.problem.root, aims)
        self.kernels.replace(self.sampling, aim=_marks(len(marks)))
        aim = self.sampling.aim
        for k, mark in enumerate(marks):
            aim.moves[k], aim.children[k], aim.siblings[k] = mark.move, mark.child, mark.sibling
            aim.shares[k], aim.chances[k] = mark.share, mark.chance
        aim.part, aim.row = part, NONE

    def aimed_strategy(self) -> dict[Move, float] | None:
        """The average strategy in the set at which the plays are aimed; None as long as it has not been met."""
        table, first = self.sampling.table, self.sampling.aim.row
        if first == NONE:
            return None
        firsts = list(table.firsts[: table.count + 1])
        rows = range(first, firsts[firsts.index(first) + 1])
        total = sum(table.sums[row] for row in rows)
        move = self.backend.move
        return {move(table.offered[row]): table.sums[row] / total if total else 1 / len(rows) for row in rows}

    def respond(self, player: int, wanted: float, reserved: float, share: Fraction) -> str:
        """Learn likewise what a player does against the averages of all others."""
        self.sampling.is_full = 0
        self.kernels.call(kernel.start_responding, self.sampling, player)
        return self._play(wanted, reserved, share)

    def judge(self, responder: int, plays: int, reserved: float) -> JudgedPlays | None:
        """What plays pay in which one player responds, or ``NOBODY``; None if there was no time for two of them."""
        self.kernels.call(kernel.start_judging, self.sampling, responder)
        self._play(plays, reserved, Fraction(1))
        made, unit = self.iterations, self.backend.unit
        if made < 2:
            return None
        means = [paid / made for paid in self.sampling.payoffs]
        squares = [paid / made for paid in self.sampling.squares]
        variances = [max(0.0, square - mean**2) for square, mean in zip(squares, means, strict=True)]
        return JudgedPlays(
            made,
            tuple(Fraction(mean) / unit for mean in means),
            tuple(sqrt(variance / (made - 1)) / unit for variance in variances),
        )

    def sets(self) -> SampledSets:
        """The information sets met so far, with the sums of strategies."""
        table, backend = self.sampling.table, self.backend
        flat = self.kernels.flat
        offered = [table.offered[row] for row in range(table.rows)]
        return SampledSets(
            flat(table.owners, table.count),
            flat(table.parents, table.count),
            flat(table.firsts, table.count + 1),
            array("d", table.sums[: table.rows]),
            lambda row: backend.move(offered[row]),
            backend.knowing(self.kernels, self.sampling.knowledge, flat(table.known, table.count)),
        )

    # ----------------------------------------------------------------- plays

    def _play(self, wanted: float, reserved: float, share: Fraction) -> str:
        sampling, limits = self.sampling, self.problem.limits
        sampling.wanted = int(min(wanted, _ENDLESS))
        slices = Slices(self.kernels.is_compiled)
        while sampling.iterations < sampling.wanted:
            if limits.left <= reserved and limits.seconds < inf:
                return limits.stopped_by_time
            try:
                answer = self._go_on(slices.next())
            except Passed:
                return limits.stopped_by_time
            self.problem.progress(sampling.nodes)
            if answer == MOVES_DIFFER:
                raise self._moves_differ()
            if answer == kernel.LACKS_ROOM:
                self._grow(share)
        return ""

    def _go_on(self, steps: int) -> int:
        try:
            return self.kernels.call(kernel.go_on, self.sampling, steps)
        except RuleError as error:
            self.backend.explain(self.problem.root, list(self.sampling.made[: self.sampling.length]), error)

    def _moves_differ(self) -> ZermeloError:
        """The error of a decision whose moves are not those of its information set."""
        state = self.problem.root
        machine, made = self.problem.machine, self.sampling.made[: self.sampling.length]
        for move in map(self.backend.move, made):
            state = machine.after(state, move)
        return ZermeloError(
            "moves-differ",
            f"{machine.player_names[machine.actor(state)]} cannot tell the play {written(machine.play(state))} from "
            "another one in which they may choose from other moves",
            "let the guard read only what its player sees, or let the player see what it reads",
        )

    # ---------------------------------------------------------------- memory

    def _grow(self, share: Fraction) -> None:
        """Double the lists that are more than half full, or all where a step may add so much to any. Where memory has
        no room for a larger table, it is full.

        Raises ``ZermeloError``: ``out-of-memory`` where there is none for a longer path."""
        sampling, before = self.sampling, self.lengths
        knowledge, table = sampling.knowledge, sampling.table
        path = {"path": sampling.depth + 2, "made": sampling.length + 1}
        used = {"states": knowledge.count, "words": knowledge.used, "sets": table.count, "rows": table.rows}
        longer = [name for name, count in path.items() if count >= before[name]]
        fuller = [name for name, count in used.items() if 2 * count > before[name]] or list(used)
        larger = before | {name: 2 * before[name] for name in longer or fuller}
        larger["words"] = max(larger["words"], larger["states"])
        if self._bytes(before) + self._bytes(larger) > self.problem.limits.free * (1 if longer else share):
            if longer:
                raise self.problem.limits.out_of_memory({"nodes": sampling.nodes})
            sampling.is_full, sampling.adds = 1, 0
            return
        self.lengths = larger
        self.kernels.grow(sampling, **_sizes(larger))
        if larger["states"] > before["states"]:
            self.kernels.replace(sampling, knowledge={"slots": _slots(larger)})
            self.kernels.call(rehash, knowledge, self.players)

    def _bytes(self, lengths: dict[str, int]) -> int:
        """What lists of these lengths take."""
        ply = self.kernels.words_of(Sampling, "path")
        numbers = ply * lengths["path"] + lengths["made"] + 3 * lengths["states"] + _slots(lengths)
        numbers += lengths["words"] + 4 * lengths["sets"] + 4 * lengths["rows"]
        return numbers * (8 if self.kernels.is_compiled else OBJECT_BYTES)


def _sizes(lengths: dict[str, int]) -> dict[str, Any]:
    """The lengths of all lists, apart from the hash table."""
    states, sets, rows = lengths["states"], lengths["sets"], lengths["rows"]
    return {
        "path": lengths["path"],
        "made": lengths["made"],
        "knowledge": {"previous": states, "starts": states + 1, "words": lengths["words"]},
        "table": {
            "places": states,
            "owners": sets, "known": sets, "parents": sets, "firsts": sets + 1,
            "offered": rows, "regrets": rows, "strategies": rows, "sums": rows,
        },
    }  # fmt: skip


def _marks(count: int) -> dict[str, int]:
    """The lengths of the lists of so many marks."""
    return dict.fromkeys(("moves", "children", "siblings", "shares", "chances"), count)


def _slots(lengths: dict[str, int]) -> int:
    """The length of the hash table of information states."""
    return 1 << (2 * lengths["states"]).bit_length()
