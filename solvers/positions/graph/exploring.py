"""The graph of positions of a game: found by a kernel over lowered rules, and otherwise over any machine."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Callable, Hashable, Iterable, Sequence
from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING, Any, Final, Generic, NoReturn, TypeVar

from attrs import define, field

from zermelo.foundation.deadline import check_deadline
from zermelo.foundation.memory import Entries, MemoryBudget, MemoryQuota
from zermelo.interpreter.checks.game_facts import Facts, choices_at
from zermelo.interpreter.machine import CHANCE, END, Machine, Move, Payoff, State
from zermelo.interpreter.native.dialect.kernel_source import kernel as join
from zermelo.interpreter.native.running.kernels import Kernels
from zermelo.interpreter.native.running.machine import LoweredMachine, LoweredState
from zermelo.interpreter.native.running.views import BeyondLimits, RuleError
from zermelo.solvers.common.limits import Limits, Progress, ignore_progress
from zermelo.solvers.kernels import position_graph as kernel
from zermelo.solvers.kernels.answers import BEYOND, DONE
from zermelo.solvers.kernels.exploration import BATCH, LACKS_ROOM, Exploration, enter_again
from zermelo.solvers.kernels.position_graph import add_ends, edge_to, point_to_ends
from zermelo.solvers.positions.graph.graph import (
    AT_ROOT,
    DRAWS,
    EXCHANGED,
    NOT_MET,
    PAYS,
    PositionGraph,
    TooManyPositions,
    decisions_before,
)
from zermelo.solvers.running.lowered_backend import LoweredBackend, run_lowered_or_else
from zermelo.solvers.running.path_search import Slices

if TYPE_CHECKING:
    from zermelo.interpreter.native.images import Images

# The graph of positions, found by a kernel over lowered rules.
#
# Memory is taken as positions are found, and what they take is reckoned from their number and that of the edges: the
# same in every run, so that no clock decides whether a graph fits. In machine code unused elements of a list take no
# memory: so lists are as long from the beginning as memory allows, and need not be copied when they grow; but not where
# only the first positions are searched, which are few.


_FIRST: Final = 1 << 12
"""The length of lists at first."""

_AHEAD: Final = 1 << 27
"""The most positions for which machine code has lists from the beginning. They take no memory before they are written,
but the addresses that a process may have can be limited, too."""

_MOST: Final = (1 << 31) - 1
"""The greatest number of a position or an edge."""

ENTRY_BYTES: Final = 4
"""The bytes of an entry of the table."""

_STRIDES: Final = (3, 2, 1)
"""By how many steps, of half as much again, a table grows if it may."""

_CHUNK: Final = 1 << 20
"""Elements that are looked at in one call."""


R = TypeVar("R")

FUNCTIONS: Final = (kernel.start, kernel.go_on, enter_again, add_ends, point_to_ends, edge_to)
"""What the kernel has to export."""


def explore_by_kernel(
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
    """As :func:`explore_exactly`, with the same numbers everywhere. With ``images`` under symmetries that leave every
    player as they are, positions that are images of each other become one, the root excepted. Raises
    :class:`BeyondLimits` if the rules look at the history of the play, or numbers are too large; with images, also if
    the rules fail somewhere, since they need not fail at the original position."""
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
    return machine.run(source if images is None else source.with_rules(images.text), work)


@define(eq=False)
class Exploring:
    """The graph in the making. Its lists are kept here, too: a record gives only views that keep the whole record.
    The ``kernels`` have the ``FUNCTIONS``; it ``exchanges`` players where a kept position may be an image. Plays may
    ``also`` begin at positions with these keys, in which these act; then the kernels have ``start_also``, too.

    It ``keeps_edges``, unless they ``may_be_left_out`` because all moves can be made again
    (:mod:`zermelo.solvers.kernels.remaking`), and do not fit into memory: then they are counted alone."""

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
    also: Sequence[tuple[Sequence[int], int]] = ()
    may_be_left_out: bool = False
    keeps_edges: bool = field(default=True, init=False)
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
            each = self._alone_bytes if self.may_be_left_out else self._position_bytes + self._edge_bytes
            positions = min(_AHEAD, self.limits.free // each) + 2 * BATCH
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
    def _alone_bytes(self) -> int:
        """The bytes of a position without edges."""
        return 4 + self._word * self.kernels.program.layout.key_words

    @property
    def _position_bytes(self) -> int:
        return self._alone_bytes + (4 if self.keeps_edges else 0)

    @property
    def _edge_bytes(self) -> int:
        return 4 * len(self.edge_lists)

    def _bytes_taken(self, entries: int) -> int:
        """The bytes that the graph takes so far, with a table of so many entries."""
        search, players = self.search, len(self.kernels.program.model.players)
        amounts = 4 * len(search.amounts.table) + len(search.ends) * (4 + self._word * players)
        graph = search.positions.count * self._position_bytes + search.edges * self._edge_bytes
        return graph + ENTRY_BYTES * entries + amounts

    @property
    def bytes(self) -> int:
        """The bytes that all takes that is kept."""
        return self._bytes_taken(len(self.search.positions.table))

    @property
    def table_bytes(self) -> int:
        """What is kept beside the graph: the keys and the table."""
        positions = self.search.positions
        return self._word * positions.width * positions.count + ENTRY_BYTES * len(positions.table)

    def _check_memory(self, entries: int, copied: int = 0) -> None:
        """Raise ``out-of-memory`` if the graph does not fit, with a table of so many entries, and beside it so many
        bytes that are copied for a moment."""
        if self._bytes_taken(entries) + copied > self.limits.free:
            self._leave_edges_out()
        taken = self._bytes_taken(entries) + copied
        if taken > self.limits.free:
            raise TooManyPositions(self.search.positions.count, taken, self.limits)

    def _leave_edges_out(self) -> None:
        """Keep no edges from now on, if that is possible."""
        if self.may_be_left_out and not self.search.falls:
            self.keeps_edges, self.edge_lists = False, ()
            self.kernels.replace(self.search, firsts=0, targets=0)
            self.lists["firsts"], self.lists["targets"] = self.kernels.halves(0), self.kernels.halves(0)

    def keep_beside_edges(self, needed: int) -> None:
        """Leave the edges out, if that is possible, unless so many bytes fit beside them."""
        if self.bytes + needed > self.limits.free:
            self._leave_edges_out()

    def _make_room(self) -> None:
        """Make room for another batch."""
        search = self.search
        positions, amounts = search.positions.count + BATCH, search.amounts.count + 2 * BATCH
        if search.edges + BATCH > _MOST:
            self._leave_edges_out()
        if (self.keeps_edges and search.edges + BATCH > _MOST) or positions > (EXCHANGED if self.exchanges else _MOST):
            raise TooManyPositions(search.positions.count, self.bytes, self.limits)
        if positions > len(search.kinds):
            self._make_room_for_positions(positions)
        if self.keeps_edges and search.edges + BATCH > len(search.targets):
            self._check_memory(len(search.positions.table), 4 * search.edges)
            self._lengthen(self.edge_lists, min(_MOST, 2 * len(search.targets)))
        if 4 * positions > 3 * len(search.positions.table):
            self._take_another_table()
        if amounts > len(search.ends) or 4 * amounts > 3 * len(search.amounts.table):
            self.make_room_for_amounts()

    def _make_room_for_positions(self, positions: int) -> None:
        """Lengthen the lists of positions for at least so many."""
        longer = min(_MOST - 1, max(positions, 2 * len(self.search.kinds)))
        width = self.search.positions.width
        self._check_memory(len(self.search.positions.table), self.search.positions.count * width * self._word)
        self._lengthen(("kinds",), longer)
        if self.keeps_edges:
            self._lengthen(("firsts",), longer + 1)
        self.kernels.grow(self.search, positions={"rows": self.kernels.elements(int, longer * width, everywhere=True)})

    def _lengthen(self, names: tuple[str, ...], length: int) -> None:
        for name in names:
            self.lists[name] = self.kernels.halves(length)
            self.kernels.grow(self.search, **{name: self.lists[name]})

    def _take_another_table(self) -> None:
        """Enter all positions into a larger table. The one before is given back first: the rows are all that is
        needed. With more free entries fewer are looked at, and positions are entered anew less often; but a table is
        not longer than needed where so many positions would fill the memory before they fill the table."""
        search = self.search
        for stride in _STRIDES:
            entries = len(search.positions.table)
            for _ in range(stride):
                entries = min(_MOST, entries * 3 // 2)
            if self._bytes_taken(entries) * 1.5**stride <= self.limits.free:
                break
        self._check_memory(entries)
        self.give_table_back()
        self.take_table(entries)

    def give_table_back(self) -> int:
        """Keep no table from now on; how many entries it had."""
        entries = len(self.search.positions.table)
        self.kernels.replace(self.search, positions={"table": 0})
        return entries

    def take_table(self, entries: int) -> None:
        """Enter all positions into a table with so many entries."""
        search = self.search
        self.kernels.replace(search, positions={"table": self.kernels.halves(entries, everywhere=True)})
        search.positions.bits = entries.bit_length()
        self._call_in_chunks(enter_again, search.positions, search.positions.count)

    def make_room_for_amounts(self) -> None:
        """Make room for twice as many amounts."""
        search, kernels = self.search, self.kernels
        longer = 2 * len(search.ends)
        kernels.grow(search, ends=longer, amounts={"rows": longer * search.amounts.width})
        kernels.replace(search, amounts={"table": 2 * longer})
        search.amounts.bits = (2 * longer).bit_length()
        self._call_in_chunks(enter_again, search.amounts, search.amounts.count)

    def _call_in_chunks(self, function: Callable[[R, int, int], None], record: R, end: int) -> None:
        """Call a function for ranges up to an end."""
        for first in range(0, end, _CHUNK):
            self.kernels.call(function, record, first, min(first + _CHUNK, end))
            self.limits.check(self._counts)

    # ----------------------------------------------------------- search

    @property
    def count(self) -> int:
        """The number of positions, with decided ones and ends."""
        return self.search.positions.count + self.search.winners + self.search.terminals

    @property
    def _counts(self) -> dict[str, int]:
        return {"nodes": self.search.positions.count, "terminals": self.search.terminals}

    def graph(self) -> PositionGraph:
        """The graph of all positions that can be reached from the root, whose state is in the batch, or from others
        with which plays ``also`` begin."""
        self.explore()
        return self.finished()

    def explore(self) -> None:
        """Find all these positions, and their edges."""
        search, slices = self.search, Slices(self.kernels.is_compiled)
        search.most = -1 if self.most is None else self.most
        self._call_kernel(kernel.start, search)
        for key, actor in self.also:
            self._make_room()
            for k, word in enumerate(key):
                search.key[k] = word
            self._call_kernel(kernel.start_also, search, actor)
        answer = 0
        while answer != DONE:
            answer = self._call_kernel(kernel.go_on, search, slices.next())
            if answer == BEYOND:
                raise BeyondLimits
            self._check_memory(len(search.positions.table))
            if search.falls and not self.keeps_edges:
                raise TooManyPositions(search.positions.count, self.limits.free, self.limits)
            self.progress(search.positions.count)
            self.limits.check(self._counts)
            if answer == LACKS_ROOM:
                self._make_room()

    def finished(self) -> PositionGraph:
        """The graph, when all positions have been found."""
        search, self.may_be_left_out = self.search, False
        if self.count > len(search.kinds):
            self._make_room_for_positions(self.count)
        self.kernels.call(add_ends, search)
        self._call_in_chunks(point_to_ends, search, search.edges)
        return self._make_graph()

    def _make_graph(self) -> PositionGraph:
        search, program = self.search, self.kernels.program
        count, edges, players = self.count, search.edges, search.amounts.width
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

    def _call_kernel(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """The result of a function of the kernel; an error of the rules, or of a witness, is explained."""
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
            state = self.machine.after(state, choices_at(self.machine, state)[place])
        self.machine.explain(state, made, error)

    def _moves_to(self, position: int) -> list[int]:
        """The numbers of the moves of a shortest play to a position, each among those of the position before it."""
        search, places = self.search, list[int]()
        while position > 0:
            edge = self.kernels.call(edge_to, search, position)
            position = bisect_right(search.firsts, edge, 0, position) - 1
            places.append(edge - search.firsts[position])
        return places[::-1]


_OF_EDGES: Final = ("targets", "weights", "rewards", "moves")


# The graph of positions, found over any machine, with numbers of any size.
#
# Breadth first, like :mod:`zermelo.solvers.kernels.position_graph`, and with the same numbers everywhere: that kernel
# holds no weight or payment beyond its words, and does not know the history of a play, which may be a part of positions
# here.
#
# A machine says what has been earned since the play began, discounted. So the decisions of players before a state are
# counted along the play that has found it: what a move earns is what it adds, divided by the discount of so many
# decisions.


_EDGE_BYTES: Final = 16
"""The bytes of an edge, about: where it leads, its reward and its weight."""

_SHOWN: Final = 256
"""Positions between two looks at the limits."""


def explore_exactly(
    machine: Machine[State],
    root: State,
    limits: Limits,
    progress: Progress = ignore_progress,
    most: int | None = None,
    watched: Sequence[int] = (),
    with_moves: bool = False,
) -> PositionGraph:
    """The graph of all positions that can be reached from ``root``, or of those that are met while the moves of the
    first ``most`` are made.

    Raises ``ZermeloError``: ``out-of-memory``, ``out-of-time``, ``out-of-nodes``, or an error of the rules."""
    exploration = _Exploration(machine, limits, watched, with_moves)
    exploration.begin(root)
    while exploration.expanded < len(exploration.states) and exploration.expanded != most:
        if exploration.expanded % _SHOWN == 0:
            progress(len(exploration.states))
            limits.check({"nodes": len(exploration.states), "terminals": len(exploration.ends)})
        check_deadline()
        exploration.expand()
    return exploration.finished()


@define(eq=False)
class _Exploration(Generic[State]):
    """The graph in the making. ``states`` has the state in which each position was found, ``decisions`` the number of
    players' decisions before it. An edge to an end is -1 minus the number of its amount, until all positions have
    numbers; ``ends`` are numbered from 0 in the order in which they are found."""

    machine: Machine[State]
    limits: Limits
    watched: Sequence[int]
    with_moves: bool
    discount: Fraction = field(init=False)
    kinds: array[int] = field(factory=lambda: array("i"))
    firsts: array[int] = field(factory=lambda: array("i"))
    targets: array[int] = field(factory=lambda: array("i"))
    rewards: array[int] = field(factory=lambda: array("i"))
    weights: list[int] = field(factory=list)
    moves: array[int] = field(factory=lambda: array("i"))
    names: dict[Move, int] = field(factory=dict)
    numbers: dict[Hashable, int] = field(factory=dict)
    states: list[State] = field(factory=list)
    decisions: array[int] = field(factory=lambda: array("i"))
    amounts: dict[Payoff, int] = field(factory=dict)
    ends: dict[int, int] = field(factory=dict)
    met: list[int] = field(init=False)
    falls: bool = False
    expanded: int = 0
    budget: MemoryBudget = field(init=False)
    kept: tuple[tuple[Entries, MemoryQuota], ...] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.discount = self.machine.discount
        self.met = [NOT_MET] * len(self.watched)
        self.amounts[(Fraction(0),) * len(self.machine.player_names)] = 0
        self.budget = self.limits.budget()
        self.kept = tuple((things, MemoryQuota(self.budget)) for things in (self.numbers, self.states, self.amounts))

    def begin(self, root: State) -> None:
        """Number the root."""
        number = self._end if self.machine.actor(root) == END else self._position
        number(root, decisions_before(self.machine, root))
        self._watch(root, AT_ROOT)

    def expand(self) -> None:
        """Make all moves of the next position."""
        state, decisions = self.states[self.expanded], self.decisions[self.expanded]
        is_players = self.machine.actor(state) >= 0
        self.firsts.append(len(self.targets))
        before = self.machine.earned(state)
        for move, weight in self._offers(state):
            there = self.machine.after(state, move)
            earned = self.machine.earned(there)
            self.weights.append(weight)
            if self.with_moves:
                self.moves.append(self.names.setdefault(move, len(self.names)))
            gained = (after - earlier for earlier, after in zip(before, earned, strict=True))
            self.rewards.append(self._amount(gained, decisions))
            if self.machine.actor(there) == END:
                self.targets.append(self._end(there, decisions))
            else:
                is_over = is_players and not self.machine.is_within_round(there)
                self.targets.append(self._position(there, decisions + is_over))
            self._watch(there, len(self.targets) - 1)
            self._make_room()
        self.expanded += 1

    def _offers(self, state: State) -> list[tuple[Move, int]]:
        """The moves or outcomes of a state, with the weights of outcomes as whole numbers without a common divisor."""
        if self.machine.actor(state) != CHANCE:
            return [(move, 1) for move in self.machine.moves(state)]
        outcomes = self.machine.outcomes(state)
        scale = lcm(*(probability.denominator for _, probability in outcomes))
        return [(move, int(probability * scale)) for move, probability in outcomes]

    def _position(self, state: State, decisions: int) -> int:
        """The number of the position of a state."""
        position = self.machine.position(state)
        number = self.numbers.setdefault(position, len(self.states))
        if number == len(self.states):
            actor = self.machine.actor(state)
            is_within = actor >= 0 and self.machine.is_within_round(state)
            self.kinds.append(DRAWS if actor == CHANCE else actor + is_within * len(self.machine.player_names))
            self.states.append(state)
            self.decisions.append(decisions)
        elif number <= self.expanded:
            self.falls = True
        return number

    def _end(self, state: State, decisions: int) -> int:
        """What stands for the end of a state: -1 minus the number of what it pays."""
        paid = zip(self.machine.payoff(state), self.machine.earned(state), strict=True)
        amount = self._amount((whole - earned for whole, earned in paid), decisions)
        self.ends.setdefault(amount, len(self.ends))
        return -1 - amount

    def _amount(self, discounted: Iterable[Fraction], decisions: int) -> int:
        """The number of what is paid after so many decisions."""
        amount = tuple(discounted)
        if decisions and self.discount != 1 and any(amount):
            factor = self.discount**decisions
            amount = tuple(each / factor for each in amount)
        return self.amounts.setdefault(amount, len(self.amounts))

    def _watch(self, state: State, edge: int) -> None:
        """Enter the edge that leads to a state for the witnesses that are met there first."""
        for k, number in enumerate(self.watched):
            if self.met[k] == NOT_MET and self.machine.is_witnessed(state, number):
                self.met[k] = edge

    def _make_room(self) -> None:
        """Raise ``out-of-memory`` where nothing more fits."""
        self.budget.filled += _EDGE_BYTES
        has_room = self.budget.filled <= self.budget.allowed
        if not has_room or not all(len(things) < room.most or room.grows(things) for things, room in self.kept):
            raise TooManyPositions(len(self.states), self.limits.free, self.limits)

    def finished(self) -> PositionGraph:
        """The graph, when all positions have been expanded."""
        known, edges = len(self.states), len(self.targets)
        for edge, target in enumerate(self.targets):
            if target < 0:
                self.targets[edge] = known + self.ends[-1 - target]
        self.kinds.extend(PAYS - amount for amount in self.ends)
        unsearched = known - self.expanded
        self.firsts.extend([edges] * (unsearched + len(self.ends) + 1))
        graph = PositionGraph(
            self.machine.player_names,
            self.kinds,
            self.firsts,
            self.targets,
            _narrow(self.weights) if DRAWS in self.kinds else None,
            self.rewards if any(self.rewards) else None,
            tuple(self.amounts),
            self.machine.discount,
            self.machine.endless(),
            rises=not self.falls,
            unsearched=unsearched,
            met=tuple(self.met),
            moves=self.moves if self.with_moves else None,
        )
        self.limits.hold(graph, 8 * len(self.kinds) + _EDGE_BYTES * edges)
        return graph


def _narrow(numbers: list[int]) -> Sequence[int]:
    """Numbers of 32 bits in an array, if they are such."""
    try:
        return array("i", numbers)
    except OverflowError:
        return numbers


def explore(
    machine: Machine[Any],
    facts: Facts,
    root: Any,
    limits: Limits,
    progress: Progress,
    most: int | None = None,
    watched: Sequence[int] = (),
    with_moves: bool = False,
) -> PositionGraph:
    """The graph of all positions that can be reached from ``root``, which is position 0, or, breadth first, of those
    that are met while the moves of the first ``most`` are made. It has the first edges to what the ``watched``
    witnesses of the file describe, which are given by their numbers, and on request is ``with_moves``. ``progress`` is
    told how many positions are known; if there are numbers that a kernel cannot hold, the search begins anew.

    What has been earned before ``root``, and how many decisions have been made, is no part of the graph.

    Raises ``ZermeloError``: ``out-of-memory``, ``out-of-time``, ``out-of-nodes``, or an error of the rules, with a
    shortest play to it."""
    with limits.enforce():
        return run_lowered_or_else(
            machine,
            lambda lowered: explore_by_kernel(lowered, facts, root, limits, progress, most, watched, with_moves),
            lambda: explore_exactly(machine, root, limits, progress, most, watched, with_moves),
        )
