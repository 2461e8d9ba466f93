"""The folded graph of a game, found by a kernel over lowered rules.

Memory is taken and reckoned as in :mod:`zermelo.solvers.positions.graph.exploring`. Lists of machine code are
as long from the beginning as memory allows, since elements that are not used take none.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Final

from attrs import define, field

from zermelo.interpreter.native.dialect.kernel_source import kernel as join
from zermelo.interpreter.native.running.executor import BeyondLimits, RuleError
from zermelo.interpreter.native.running.kernels import Kernels
from zermelo.interpreter.native.running.machine import LoweredMachine, LoweredState
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.common.progress import Progress
from zermelo.solvers.kernels import folded_graph as kernel
from zermelo.solvers.kernels.answers import BEYOND, DONE
from zermelo.solvers.kernels.exploration import LACKS_ROOM
from zermelo.solvers.kernels.folded_graph import CANNOT_FOLD, LACKS_TURN, Folding
from zermelo.solvers.kernels.numbering import enter_all
from zermelo.solvers.positions.folding.folded_graph import FoldedGraph
from zermelo.solvers.positions.graph.graph import TooManyPositions
from zermelo.solvers.running.lowered_backend import LoweredBackend
from zermelo.solvers.running.slices import Slices

_FIRST: Final = 1 << 12
"""The length of lists at first."""

_TURN: Final = 1 << 6
"""The positions of a turn for which there is room at first."""

_PATTERNS: Final = 16
"""How many different lists of weights are compared with that of a position, which shares them."""

_AHEAD: Final = 1 << 27
"""The most kept positions for which machine code has lists from the beginning."""

_MOST: Final = (1 << 30) - 1
"""The greatest number of a kept position: twice that has to fit into 31 bits."""

_CHUNK: Final = 1 << 20
"""Positions that are looked at in one call."""


class CannotFold(Exception):
    """Turns of the game cannot be folded. The message says why, in words."""


def fold(machine: LoweredMachine, root: LoweredState, limits: Limits, progress: Progress) -> FoldedGraph:
    """The folded graph of all positions that can be reached from ``root``. ``progress`` is told how many are kept.

    Raises :class:`CannotFold`, :class:`TooManyPositions`, ``BeyondLimits``, and ``ZermeloError`` (``out-of-time``)."""
    program = machine.program
    if program.model.history:
        raise CannotFold("the rules look at the history of the play")
    if program.layout.earnings is not None or machine.discount != 1:
        raise CannotFold("players earn something on the way, or later payoffs count less")
    if len(program.model.players) > 2:
        raise CannotFold("there are more than two players")
    held = LoweredBackend(machine).held(root)

    def work(kernels: Kernels) -> FoldedGraph:
        making = _Folding(machine, kernels, limits, progress)
        kernels.put(making.search.path[0].state, held)
        return making.graph()

    functions = (kernel.start, kernel.go_on, kernel.enter_positions, enter_all)
    return machine.run(join(*functions), work)


@define(eq=False)
class _Folding:
    """The folded graph in the making. Its lists are kept here, too: what a record gives is a view that keeps the
    record."""

    machine: LoweredMachine
    kernels: Kernels
    limits: Limits
    progress: Progress
    search: Folding = field(init=False)
    lists: dict[str, Any] = field(factory=dict)
    turn: int = _TURN

    def __attrs_post_init__(self) -> None:
        kernels, program = self.kernels, self.kernels.program
        width, players = program.layout.key_words, len(program.model.players)
        positions = entries = _FIRST
        if kernels.is_compiled:
            positions = min(_AHEAD, self.limits.free // self._position_bytes) + _FIRST
            entries = self.limits.free // 4 + _FIRST
        self.lists = {name: kernels.halves(positions) for name in ("kinds", "draws")}
        self.lists["firsts"] = kernels.elements(int, positions)
        self.lists["targets"] = kernels.halves(entries)
        self.lists["weights"] = kernels.halves(_FIRST)
        self.search = kernels.new(
            Folding,
            positions={"rows": kernels.elements(int, positions * width, everywhere=True), "table": 2 * _FIRST},
            amounts={"rows": _FIRST * players, "table": 2 * _FIRST},
            ends=_FIRST,
            words=max(width, players),
            patterns=_PATTERNS,
            **self._turn_lists(width),
            **self.lists,
        )
        numberings = (self.search.positions, width), (self.search.amounts, players), (self.search.met, width)
        for numbering, words in numberings:
            numbering.width, numbering.bits = words, len(numbering.table).bit_length()

    def _turn_lists(self, width: int) -> dict[str, Any]:
        """The lists of a turn, for as many positions as there is room for."""
        rows = dict.fromkeys(("marks", "actors", "hashes", "path", "paid"), self.turn)
        return {"met": {"rows": self.turn * width, "table": 2 * self.turn}, **rows}

    # ----------------------------------------------------------- memory

    @property
    def _word(self) -> int:
        """The bytes of a number in a list of ``int``."""
        return self.kernels.row_bytes(1) - self.kernels.row_bytes(0)

    @property
    def _position_bytes(self) -> int:
        return 8 + self._word * (1 + self.kernels.program.layout.key_words)

    def _check_memory(self, entries: int) -> None:
        """Raise ``out-of-memory`` if the graph does not fit, with a table of so many entries."""
        search = self.search
        taken = search.positions.count * self._position_bytes + 4 * (search.edges + search.weighed + entries)
        if taken > self.limits.free:
            raise TooManyPositions(search.positions.count, taken, self.limits)

    def _check_lists_to_come(self) -> None:
        """Raise ``out-of-memory`` if the positions that wait for their turn, with lists half as long as those before,
        take more than there is: else a game that is far too large would be refused only when memory is full, after a
        long time. Whoever asks when the table is full asks at the same numbers in every run."""
        search = self.search
        if search.position > 0:
            entries = search.edges // search.position * search.positions.count
            if 2 * entries > self.limits.free:
                raise TooManyPositions(search.positions.count, 4 * entries, self.limits)

    def _make_room(self) -> None:
        """Make room for another turn."""
        search, kernels = self.search, self.kernels
        more = 2 * self.turn
        positions = search.positions.count + more
        if positions > _MOST:
            raise TooManyPositions(search.positions.count, positions * self._position_bytes, self.limits)
        if positions >= len(search.kinds):
            longer = 2 * positions
            for name in ("kinds", "draws"):
                self._lengthen(name, kernels.halves(longer))
            self._lengthen("firsts", kernels.elements(int, longer))
            rows = kernels.elements(int, longer * search.positions.width, everywhere=True)
            kernels.grow(search, positions={"rows": rows})
        if search.edges + more >= len(search.targets):
            self._lengthen("targets", kernels.halves(2 * (search.edges + more)))
        most = self.kernels.program.constants["MOVES"]
        if search.weighed + most >= len(search.weights):
            self._lengthen("weights", kernels.halves(2 * (search.weighed + most)))
        if 4 * positions > 3 * len(search.positions.table):
            self._take_another_table(positions)
        amounts = search.amounts.count + self.turn
        if amounts > len(search.ends) or 4 * amounts > 3 * len(search.amounts.table):
            longer = 2 * amounts
            kernels.grow(search, ends=longer, amounts={"rows": longer * search.amounts.width})
            kernels.replace(search, amounts={"table": 2 * longer})
            search.amounts.bits = (2 * longer).bit_length()
            kernels.call(enter_all, search.amounts)

    def _lengthen(self, name: str, longer: Any) -> None:
        self.lists[name] = longer
        self.kernels.grow(self.search, **{name: longer})

    def _take_another_table(self, positions: int) -> None:
        """Enter all positions into a larger table. The one before is given back first."""
        search, kernels = self.search, self.kernels
        entries = 2 * positions
        self._check_memory(entries)
        self._check_lists_to_come()
        kernels.replace(search, positions={"table": 0})
        kernels.replace(search, positions={"table": kernels.halves(entries, everywhere=True)})
        search.positions.bits = entries.bit_length()
        for first in range(0, search.positions.count, _CHUNK):
            kernels.call(kernel.enter_positions, search, first, min(first + _CHUNK, search.positions.count))
            self.limits.check({"nodes": search.positions.count})

    def _widen_turn(self) -> None:
        """Make room for a longer turn: nothing is left of the one that lacked it."""
        self.turn *= 2
        width = self.search.met.width
        self.kernels.replace(self.search, **self._turn_lists(width))
        self.search.met.bits = len(self.search.met.table).bit_length()

    # ----------------------------------------------------------- search

    def graph(self) -> FoldedGraph:
        """The folded graph of the root, whose state is in the path."""
        search, slices = self.search, Slices(self.kernels.is_compiled)
        self._make_room()
        self.kernels.call(kernel.start, search)
        answer = 0
        while answer != DONE:
            try:
                answer = self.kernels.call(kernel.go_on, search, slices.next())
            except RuleError:
                raise CannotFold("a rule goes wrong") from None
            if answer == BEYOND:
                raise BeyondLimits
            if answer == CANNOT_FOLD:
                raise CannotFold("a turn can come back to where it was, or players choose at once")
            self._check_memory(len(search.positions.table))
            self.progress(search.positions.count)
            self.limits.check({"nodes": search.positions.count})
            if answer == LACKS_TURN:
                self._widen_turn()
            if answer in (LACKS_ROOM, LACKS_TURN):
                self._make_room()
        return self._finished()

    def _finished(self) -> FoldedGraph:
        search, program = self.search, self.kernels.program
        players, count = search.amounts.width, search.positions.count
        amounts = [Fraction(row, program.denominator) for row in search.amounts.rows[: search.amounts.count * players]]
        graph = FoldedGraph(
            self.machine.player_names,
            self.kernels.shortened(self.lists["kinds"], count),
            self.lists["firsts"],
            self.kernels.shortened(self.lists["draws"], count),
            self.kernels.shortened(self.lists["weights"], search.weighed),
            self.kernels.shortened(self.lists["targets"], search.edges + 1),
            tuple(tuple(amounts[k : k + players]) for k in range(0, len(amounts), players)),
            count,
            search.lists,
            search.edges,
            [end - 1 for end in search.ends[: search.amounts.count] if end],
        )
        self.limits.hold(graph, 16 * count + 4 * (search.edges + search.weighed))
        return graph
