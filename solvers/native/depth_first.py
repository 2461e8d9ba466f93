"""Depth-first kernels, run in slices.

Every kernel of this kind is two functions. ``NAME_begin`` puts the search at its root, and ``NAME`` goes on with it for
so many steps (``budget``) and returns the depth that it has come to, which is negative at the end. Both take::

    C, stack, M, <columns>, <others>, R, depth, <sizes>

``stack[d]`` is state d of the path, ``M[d]`` its moves, and the *columns* are arrays with one entry for each state of
the path, first how many moves it has (``N``) and how many of them have been tried (``I``). *Others* are what else the
kernel works on, of ``sizes``. When the path has grown as long as the arrays, the kernel comes back and goes on with
longer ones.

The answer -2 says that the move tried last leads back to a position of the path. Only a kernel that watches its path
(:mod:`zermelo.solvers.native.loops`) gives it.

``R`` are the registers: the depth, then what the kernel counts. ``R[6]`` is set where it has come to a set, and
``R[7]`` where it has come to a number that it has no room for (:class:`BeyondKernel`).
"""

from __future__ import annotations

from collections.abc import Sequence

from zermelo.interpreter.checks.loops import Loop
from zermelo.interpreter.native.running.executor import RuleError
from zermelo.interpreter.native.running.kernels import Array, Kernels
from zermelo.interpreter.native.running.machine import BeyondLimits, LoweredMachine, LoweredState
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.common.progress import Progress
from zermelo.solvers.native.beyond import BeyondKernel
from zermelo.solvers.native.slices import Slices
from zermelo.solvers.search.search import GoesRound

_COMES_BACK = -2
_DEPTH = 64
_REGISTERS = 8


class DepthFirst:
    """A search by the depth-first kernel ``name``. ``columns`` are the lengths of its columns' entries, 0 for numbers;
    ``counted`` names what its registers count, from the first on. The stack has ``breadth`` places for each state of
    the path, which stands in the first of them."""

    def __init__(
        self,
        name: str,
        machine: LoweredMachine,
        kernels: Kernels,
        columns: Sequence[int],
        limits: Limits,
        progress: Progress,
        others: Sequence[Array] = (),
        sizes: Sequence[int] = (),
        counted: Sequence[str] = ("nodes", "terminals"),
        breadth: int = 1,
    ) -> None:
        self.name = name
        self.machine = machine
        self.kernels = kernels
        self.columns = columns
        self.limits = limits
        self.progress = progress
        self.others = others
        self.sizes = sizes
        self.counted = counted
        self.breadth = breadth
        self.depth = _DEPTH
        self.registers = kernels.numbers(_REGISTERS)
        self._make_arrays()

    def search(self, root: LoweredState) -> int:
        """Search the tree below a state; what the kernel returned at the end, a negative number.

        Raises ``ZermeloError``: ``out-of-time``, ``out-of-memory``, ``needs-end``, or an error of the rules with the
        play to it."""
        self.begin(root)
        self.limits.check(self.counts)
        slices = Slices(self.kernels.is_compiled)
        while (status := self.go_on(root, int(min(slices.next(), self._nodes_left)))) >= 0:
            self.limits.check(self.counts)
        if status == _COMES_BACK:
            raise GoesRound(self.loop(root))
        return status

    @property
    def _nodes_left(self) -> float:
        return max(1.0, self.limits.nodes - int(self.registers[1]))

    def begin(self, root: LoweredState) -> None:
        """Put the search at its root."""
        if root.packed is None:
            raise BeyondLimits
        self.kernels.put_at(self.stack, 0, root.packed)
        self.call(root, f"{self.name}_begin")

    def go_on(self, root: LoweredState, steps: int) -> int:
        """Search for so many steps. The answer is negative when the search has come to its end."""
        status = self.call(root, self.name, steps)
        if self.registers[6] or self.registers[7]:
            raise BeyondKernel
        if status + 2 >= self.depth:
            self._lengthen()
        self.progress(self.registers[1])
        return status

    @property
    def counts(self) -> dict[str, int]:
        """What has been counted, by name."""
        return {what: self.registers[k] for k, what in enumerate(self.counted, 1)}

    def call(self, root: LoweredState, name: str, *steps: int) -> int:
        """Call a function of the kernel on the arrays of this search, which has begun at ``root``.

        Raises the error of the rules that it meets, with the play to it."""
        arrays = (self.stack, self.moves, *self.path, *self.others, self.registers)
        try:
            return self.kernels.call_by_name(name, *arrays, self.depth, *self.sizes, *steps)
        except RuleError as error:
            self.machine.explain(root, self._made(), error)
            raise

    def loop(self, root: LoweredState) -> Loop:
        """The play along the path, which leads back to where it has been."""
        states = [root]
        for number in self._made():
            states.append(self.machine.after(states[-1], self.machine.program.moves.decode(number)))
        play, last = self.machine.play(states[-1]), self.machine.position(states[-1])
        begin = len(play) - len(states) + 1 + [self.machine.position(state) for state in states].index(last)
        return Loop(play[:begin], play[begin:])

    def _make_arrays(self) -> None:
        kernels, program, depth = self.kernels, self.kernels.program, self.depth
        state_bytes = program.layout.size * program.layout.width // 8
        numbers = program.most_moves + sum(max(1, width) for width in self.columns)
        if depth * (state_bytes * self.breadth + 8 * numbers) > self.limits.free:
            raise self.limits.out_of_memory(self.counts)
        self.stack = kernels.states(depth * self.breadth)
        self.moves = kernels.rows(depth, program.most_moves)
        self.path = [kernels.rows(depth, width) if width else kernels.numbers(depth) for width in self.columns]

    def _lengthen(self) -> None:
        """Make room for a longer path."""
        before = [self.stack, self.moves, *self.path]
        self.depth *= 4
        self._make_arrays()
        for longer, array in zip((self.stack, self.moves, *self.path), before, strict=True):
            self.kernels.copy(longer, array)

    def _made(self) -> list[int]:
        """The moves along the path, up to the one that went wrong."""
        tried, width = self.path[1], self.kernels.program.most_moves
        depths = range(self.registers[0] + 1)
        return [self.kernels.row(self.moves, d, width)[tried[d] - 1] for d in depths if tried[d]]
