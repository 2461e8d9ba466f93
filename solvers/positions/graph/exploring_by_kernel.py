"""The graph of positions, found by a kernel over lowered rules.

Memory is taken as positions are found, and what they take is reckoned from their number and that of the edges: the same
in every run, so that no clock decides whether a graph fits. In machine code a list whose elements are not used takes
none: so lists are as long from the beginning as memory allows, and need not be copied when they grow; but not where
only the first positions are searched, which are few.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any, Final, NoReturn

from attrs import define, field

from zermelo.interpreter.checks.choices import choices
from zermelo.interpreter.checks.game_facts import Facts
from zermelo.interpreter.native.dialect.kernel_source import WithRules
from zermelo.interpreter.native.dialect.kernel_source import kernel as join
from zermelo.interpreter.native.images import Images
from zermelo.interpreter.native.running.executor import RuleError
from zermelo.interpreter.native.running.failures import BeyondLimits
from zermelo.interpreter.native.running.kernels import Kernels
from zermelo.interpreter.native.running.lowered_state import LoweredState
from zermelo.interpreter.native.running.machine import LoweredMachine
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.common.progress import Progress
from zermelo.solvers.kernels import position_graph as kernel
from zermelo.solvers.kernels.answers import BEYOND, DONE
from zermelo.solvers.kernels.exploration import BATCH, LACKS_ROOM, Exploration
from zermelo.solvers.kernels.numbering import enter_all
from zermelo.solvers.kernels.position_edges import add_ends, edge_to, enter_positions, point_to_ends
from zermelo.solvers.positions.graph.graph import EXCHANGED, PositionGraph
from zermelo.solvers.positions.graph.refusals import TooManyPositions
from zermelo.solvers.running.lowered_backend import LoweredBackend
from zermelo.solvers.running.slices import Slices

_FIRST: Final = 1 << 12
"""The length of lists at first."""

_AHEAD: Final = 1 << 27
"""The most positions for which machine code has lists from the beginning. They take no memory before they are written,
but the addresses that a process may have can be limited, too."""

_MOST: Final = (1 << 31) - 1
"""The greatest number of a position or an edge."""

_CHUNK: Final = 1 << 20
"""Elements that are looked at in one call."""


FUNCTIONS: Final = (
    kernel.start, kernel.go_on, enter_positions, enter_all, add_ends, point_to_ends, edge_to
)  # fmt: skip
"""What the kernel has to export."""


def explore(
    machine: LoweredMachine,
    facts: Facts,
    root: LoweredState,
    limits: Limits,
    progress: Progress,
    most: int | None = None,
    watched: Sequence[int] = (),
    with_moves: bool = False,
    images: Images | None = None,
) -> PositionGraph:
    """As :func:`zermelo.solvers.positions.graph.exploring_exactly.explore`, with the same numbers everywhere; with
    ``images`` under symmetries that leave every player as they are, positions of which one is an image of the other are
    one, the root excepted. Raises :class:`BeyondLimits` if the rules look at the history of the play, or numbers are
    too large; with images, also if the rules fail somewhere, since the original positions need not."""
    if machine.program.model.history:
        raise BeyondLimits("the rules look at the history of the play, which tells positions apart")
    if watched and not machine.program.has("witnessed"):
        raise BeyondLimits("a 'reachable' or 'never' asks more than machine code can answer")
    held = LoweredBackend(machine).held(root)

    def work(kernels: Kernels) -> PositionGraph:
        may_draw = facts.chance.holds is not False
        explained = images is None
        exploring = Exploring(machine, kernels, root, may_draw, limits, progress, most, watched, with_moves, explained)
        kernels.put(exploring.search.batch[0].state, held)
        return exploring.graph()

    asked = "witnessed(rules, state, number)" if watched else "0"
    key = "pack(state, key)" if images is None else "least_image(state, key)"
    source = join(*FUNCTIONS, is_witness=asked, is_decided="0", write_key=key, is_exchanged="0")
    return machine.run(source if images is None else WithRules(images.text, source), work)


@define(eq=False)
class Exploring:
    """The graph in the making. Its lists are kept here, too: what a record gives is a view that keeps the record. The
    ``kernels`` have the ``FUNCTIONS``, and where a kept position may be an image, it ``exchanges`` players."""

    machine: LoweredMachine
    kernels: Kernels
    root: LoweredState
    may_draw: bool
    limits: Limits
    progress: Progress
    most: int | None
    watched: Sequence[int]
    with_moves: bool
    explained: bool
    exchanges: bool = False
    search: Exploration = field(init=False)
    lists: dict[str, list[int]] = field(factory=dict)
    edge_lists: tuple[str, ...] = field(init=False)

    def __attrs_post_init__(self) -> None:
        kernels, program = self.kernels, self.kernels.program
        width, players = program.layout.key_words, len(program.model.players)
        is_earning = program.layout.earnings is not None
        wanted = {"weights": self.may_draw, "rewards": is_earning, "moves": self.with_moves}
        self.edge_lists = tuple(name for name in _OF_EDGES if wanted.get(name, True))
        positions = edges = _FIRST
        if kernels.is_compiled and self.most is None:
            positions = min(_AHEAD, self.limits.free // (self._position_bytes + self._edge_bytes)) + 2 * BATCH
            edges = min(_MOST, min(4 * _AHEAD, self.limits.free // self._edge_bytes) + 2 * BATCH)
        self.lists = {"kinds": kernels.halves(positions), "firsts": kernels.halves(positions + 1)}
        self.lists |= {name: kernels.halves(edges if name in self.edge_lists else 0) for name in _OF_EDGES}
        self.search = kernels.new(
            Exploration,
            positions={"rows": kernels.elements(int, positions * width, everywhere=True), "table": 2 * _FIRST},
            amounts={"rows": _FIRST * players, "table": 2 * _FIRST},
            ends=_FIRST,
            batch=BATCH,
            words=BATCH * width,
            paid=players,
            watched=len(self.watched),
            met=len(self.watched),
            **self.lists,
        )
        for k, number in enumerate(self.watched):
            self.search.watched[k] = number
        for numbering, words in ((self.search.positions, width), (self.search.amounts, players)):
            numbering.width, numbering.bits = words, (2 * _FIRST).bit_length()

    # ----------------------------------------------------------- memory

    @property
    def _word(self) -> int:
        """The bytes of a number in a list of ``int``."""
        return self.kernels.row_bytes(1) - self.kernels.row_bytes(0)

    @property
    def _position_bytes(self) -> int:
        return 8 + self._word * self.kernels.program.layout.key_words

    @property
    def _edge_bytes(self) -> int:
        return 4 * len(self.edge_lists)

    def _taken(self, entries: int) -> int:
        """The bytes that the graph takes so far, with a table of so many entries."""
        search, players = self.search, len(self.kernels.program.model.players)
        amounts = 4 * len(search.amounts.table) + len(search.ends) * (4 + self._word * players)
        graph = search.positions.count * self._position_bytes + search.edges * self._edge_bytes
        return graph + 4 * entries + amounts

    def _check_memory(self, entries: int, copied: int = 0) -> None:
        """Raise ``out-of-memory`` if the graph does not fit, with a table of so many entries, and beside it so many
        bytes that are copied for a moment."""
        taken = self._taken(entries) + copied
        if taken > self.limits.free:
            raise TooManyPositions(self.search.positions.count, taken, self.limits)

    def _make_room(self) -> None:
        """Make room for another batch."""
        search = self.search
        positions, amounts = search.positions.count + BATCH, search.amounts.count + 2 * BATCH
        if search.edges + BATCH > _MOST or positions > (EXCHANGED if self.exchanges else _MOST):
            raise TooManyPositions(search.positions.count, self._taken(len(search.positions.table)), self.limits)
        if positions > len(search.kinds):
            self._make_room_for_positions(positions)
        if search.edges + BATCH > len(search.targets):
            self._check_memory(len(search.positions.table), 4 * search.edges)
            self._lengthen(self.edge_lists, min(_MOST, 2 * len(search.targets)))
        if 4 * positions > 3 * len(search.positions.table):
            self._take_another_table()
        if amounts > len(search.ends) or 4 * amounts > 3 * len(search.amounts.table):
            self._make_room_for_amounts()

    def _make_room_for_positions(self, positions: int) -> None:
        """Lengthen the lists of positions for at least so many."""
        longer = min(_MOST - 1, max(positions, 2 * len(self.search.kinds)))
        width = self.search.positions.width
        self._check_memory(len(self.search.positions.table), self.search.positions.count * width * self._word)
        self._lengthen(("kinds",), longer)
        self._lengthen(("firsts",), longer + 1)
        self.kernels.grow(self.search, positions={"rows": self.kernels.elements(int, longer * width, everywhere=True)})

    def _lengthen(self, names: tuple[str, ...], length: int) -> None:
        for name in names:
            self.lists[name] = self.kernels.halves(length)
            self.kernels.grow(self.search, **{name: self.lists[name]})

    def _take_another_table(self) -> None:
        """Enter all positions into a larger table. The one before is given back first: the rows are all that is
        needed."""
        search, kernels = self.search, self.kernels
        entries = min(_MOST, len(search.positions.table) * 3 // 2)
        self._check_memory(entries)
        kernels.replace(search, positions={"table": 0})
        kernels.replace(search, positions={"table": kernels.halves(entries, everywhere=True)})
        search.positions.bits = entries.bit_length()
        self._in_chunks(enter_positions, search.positions.count)

    def _make_room_for_amounts(self) -> None:
        search, kernels = self.search, self.kernels
        longer = 2 * len(search.ends)
        kernels.grow(search, ends=longer, amounts={"rows": longer * search.amounts.width})
        kernels.replace(search, amounts={"table": 2 * longer})
        search.amounts.bits = (2 * longer).bit_length()
        kernels.call(enter_all, search.amounts)

    def _in_chunks(self, function: Callable[[Exploration, int, int], None], end: int) -> None:
        """Call a function for ranges up to an end."""
        for first in range(0, end, _CHUNK):
            self.kernels.call(function, self.search, first, min(first + _CHUNK, end))
            self.limits.check(self._counts)

    # ----------------------------------------------------------- search

    @property
    def _count(self) -> int:
        """The number of positions, with decided ones and ends."""
        return self.search.positions.count + self.search.winners + self.search.terminals

    @property
    def _counts(self) -> dict[str, int]:
        return {"nodes": self.search.positions.count, "terminals": self.search.terminals}

    def graph(self) -> PositionGraph:
        """The graph of all positions that can be reached from the root, whose state is in the batch."""
        search, slices = self.search, Slices(self.kernels.is_compiled)
        search.most = -1 if self.most is None else self.most
        self._called(kernel.start, search)
        answer = 0
        while answer != DONE:
            answer = self._called(kernel.go_on, search, slices.next())
            if answer == BEYOND:
                raise BeyondLimits
            self._check_memory(len(search.positions.table))
            self.progress(search.positions.count)
            self.limits.check(self._counts)
            if answer == LACKS_ROOM:
                self._make_room()
        if self._count > len(search.kinds):
            self._make_room_for_positions(self._count)
        self.kernels.call(add_ends, search)
        self._in_chunks(point_to_ends, search.edges)
        return self._finished()

    def _finished(self) -> PositionGraph:
        search, program = self.search, self.kernels.program
        count, edges, players = self._count, search.edges, search.amounts.width
        rows, denominator = search.amounts.rows[: search.amounts.count * players], program.denominator
        amounts = [Fraction(row, denominator) for row in rows]
        lengths = {"kinds": count, "firsts": count + 1} | dict.fromkeys(_OF_EDGES, edges)
        has = {"weights": search.draws, "rewards": search.earns, "moves": self.with_moves and not search.unnamed}
        found = {
            name: self.kernels.shortened(numbers, lengths[name])
            for name, numbers in self.lists.items()
            if has.get(name, True)
        }
        graph = PositionGraph(
            self.machine.player_names,
            found["kinds"],
            found["firsts"],
            found["targets"],
            found.get("weights"),
            found.get("rewards"),
            tuple(tuple(amounts[k : k + players]) for k in range(0, len(amounts), players)),
            self.machine.discount,
            self.machine.endless(),
            rises=not search.falls,
            unsearched=search.positions.count - search.position - 1,
            met=tuple(search.met[: len(self.watched)]),
            moves=found.get("moves"),
            exchanges=self.exchanges,
        )
        self.limits.hold(graph, 4 * sum(map(len, found.values())))
        return graph

    # ----------------------------------------------------------- errors

    def _called(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """What a function of the kernel gives; an error of the rules, or of a witness, is explained."""
        try:
            return self.kernels.call(function, *arguments)
        except RuleError as error:
            self.explain(error)

    def explain(self, error: RuleError) -> NoReturn:
        """Raise the error of the rules that the kernel has met, with a shortest play to it."""
        if not self.explained:
            raise BeyondLimits("the rules fail in an image of a position") from error
        search, state = self.search, self.root
        made = [search.legal[search.tried]] if search.tried < search.offered else []
        for place in self._moves_to(search.position):
            state = self.machine.after(state, choices(self.machine, state)[place])
        self.machine.explain(state, made, error)

    def _moves_to(self, position: int) -> list[int]:
        """The numbers of the moves of a shortest play to a position, each among those of the position before it."""
        search, places = self.search, list[int]()
        while position > 0:
            edge = self.kernels.call(edge_to, search, position)
            position = _before(search.firsts, edge, position)
            places.append(edge - search.firsts[position])
        return places[::-1]


_OF_EDGES: Final = ("targets", "weights", "rewards", "moves")


def _before(firsts: Any, edge: int, above: int) -> int:
    """The position that an edge leaves, which is below another one."""
    low, high = 0, above
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if firsts[middle] <= edge else (low, middle)
    return low
