"""The count of all positions.

One thread does it: the length of the longest play and the plays that go round are found along one path, and a hundred
thousand positions take some hundredths of a second.
"""

from __future__ import annotations

from interpreter.native.kernels import Kernels
from interpreter.native.machine import LoweredMachine
from solvers.kernels import kernel_text
from solvers.limits import Limits
from solvers.native.depth_first import DepthFirst, Slices
from solvers.size import Size
from solvers.solution import Progress

_DONE, _COMES_BACK, _IS_FULL = -1, -2, -3


def measure(machine: LoweredMachine, limit_positions: int, limits: Limits, progress: Progress) -> Size:
    """Count the positions of a game whose rules do not look at the history of the play."""
    if machine.program.model.history:
        return Size(0, 0, None, "since the history of the play is part of every position")

    def count(kernels: Kernels) -> Size:
        program = kernels.program
        row = program.layout.key_words + len(program.model.players) + 1
        wanted = 1 << (limit_positions * 4 // 3).bit_length()
        size = min(wanted, 1 << max(2, limits.memory // kernels.row_bytes(row)).bit_length() - 1)
        others = [kernels.numbers(program.most_moves), kernels.table(size, row)]
        search = DepthFirst(
            "positions", machine, kernels, (0,) * 4, limits, progress, others, [size], ("positions", "terminals")
        )
        root = machine.initial()
        search.begin(root)
        slices = Slices(kernels.is_compiled)
        loop = None
        while (status := search.go_on(root, slices.next())) not in (_DONE, _IS_FULL) and not limits.is_over:
            if status == _COMES_BACK:
                loop = search.loop(root)
        positions, terminals = search.registers[1], search.registers[2]
        if status == _DONE:
            return Size(positions, terminals, search.path[3][0] if loop is None else None, "", loop)
        full = f"at {positions:,}" if size == wanted else limits.stopped_by_memory
        return Size(positions, terminals, None, full if status == _IS_FULL else limits.stopped_by_time, loop)

    return machine.run_kernels(kernel_text("positions"), ("positions_begin", "positions"), count)
