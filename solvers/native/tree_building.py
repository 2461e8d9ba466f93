"""The extensive form, built by a kernel.

The histories are counted first, so that what they take in memory is known, and said, before any of it is spent.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from enum import IntEnum
from typing import Final, overload

from attrs import define, frozen

from zermelo.interpreter.checks.information_sets import count_information_sets
from zermelo.interpreter.machine import END, InformationState, Move
from zermelo.interpreter.native.coding.observations import Perceived, Perception
from zermelo.interpreter.native.lowered import Program
from zermelo.interpreter.native.running.kernels import Array, Kernels
from zermelo.interpreter.native.running.machine import BeyondLimits, Disagreement, LoweredMachine
from zermelo.solvers.common.columns import OBJECT_BYTES, bytes_of
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.common.progress import Progress
from zermelo.solvers.forms.extensive_form import ExtensiveForm, InformationSets
from zermelo.solvers.forms.tree_building import HISTORY_BYTES, too_large
from zermelo.solvers.kernels import kernel_text
from zermelo.solvers.native.depth_first import DepthFirst
from zermelo.solvers.native.slices import Slices

_DONE, _MOVES_DIFFER = -1, -3

_WORDS_AT_FIRST: Final = 1 << 16
_REGISTERS: Final = 16


class _Lacking(IntEnum):
    """What there is no room for, by the kernel's register ``T[7]``."""

    NOTHING = 0
    WORDS = 1
    RECORDS = 2


def build(machine: LoweredMachine, is_hidden: bool, limits: Limits, progress: Progress) -> ExtensiveForm:
    """As :func:`zermelo.solvers.forms.tree_building.build`, with the same numbers everywhere."""
    program = machine.program
    if machine.actor(machine.initial()) == END or (is_hidden and not isinstance(program.perception, Perception)):
        raise BeyondLimits

    def work(kernels: Kernels) -> ExtensiveForm:
        counted = _counted(machine, kernels, limits, progress)
        building = _Building(machine, kernels, is_hidden, limits, progress, *counted)
        while (form := building.form()) is None:
            building.records_each *= 2
        return form

    text = kernel_text("histories", "records" if is_hidden else "unseen", "tree_building")
    exports = ("histories_begin", "histories", "tree_building_begin", "tree_building")
    return machine.run_kernels(text, exports, work)


def _counted(machine: LoweredMachine, kernels: Kernels, limits: Limits, progress: Progress) -> tuple[int, int, int]:
    """How many histories there are, how many of them are ends, and in how many a player decides."""
    limit = limits.free // HISTORY_BYTES
    others = [kernels.numbers(kernels.program.most_moves)]
    names = ("nodes", "terminals", "decisions")
    search = DepthFirst("histories", machine, kernels, (0, 0), limits, progress, others, [limit], names)
    if search.search(machine.initial()) != _DONE:
        raise too_large(limit, HISTORY_BYTES, limits, is_all=False)
    histories, ends, decisions = search.counts.values()
    return histories, ends, decisions


@define(eq=False)
class _Building:
    """The building of a tree of known size, with room for so many records of what a player perceives at a decision.
    Histories share most of their records, so one for each is nearly always enough."""

    machine: LoweredMachine
    kernels: Kernels
    is_hidden: bool
    limits: Limits
    progress: Progress
    histories: int
    ends: int
    decisions: int
    records_each: int = 1

    def form(self) -> ExtensiveForm | None:
        """The extensive form; None where the records found no room."""
        kernels, program = self.kernels, self.kernels.program
        players = len(program.model.players)
        merges = self.is_hidden and not program.model.history and program.model.discount == 1
        inner, edges, decisions = self.histories - self.ends + 1, self.histories, self.decisions + 1
        perception = program.perception
        step = players * perception.words if isinstance(perception, Perception) else 0  # what one may bring, in words
        records = (decisions * self.records_each + 1) * players + step // 2 + 1
        pool = _WORDS_AT_FIRST + step
        slots = 1 << (2 * records).bit_length()
        numbers = kernels.numbers
        names = (
            "sets_of", "firsts", "children", "weights", "payoffs", "sequences",
            "owners", "parents", "numbers", "offers", "known", "offered", "counts",
            "previous", "starts", "set_at", "words", "places",
        )  # fmt: skip
        sizes = (
            inner, inner, edges, edges, self.ends * players, self.ends * players,
            decisions, decisions, decisions, decisions, decisions, edges, players,
            records, records, records, pool, slots,
        )  # fmt: skip
        columns = dict(zip(names, map(numbers, sizes), strict=True))
        row = program.layout.key_words + 2 * players + 1
        each = 8 if self.machine.is_compiled else OBJECT_BYTES  # what a trial in Python takes is not to decide
        met = each * decisions * row + 8 * slots if merges else 0  # else nothing is written there
        needed = each * (sum(sizes) - slots) + 8 * slots + met
        if needed > self.limits.free:
            raise too_large(self.histories, -(-needed // self.histories), self.limits, is_all=True)
        totals = numbers(_REGISTERS)
        others = [kernels.state(), *columns.values(), kernels.rows(decisions, row), numbers(slots), totals]
        arrays = [inner, edges, self.ends, decisions, records, pool, slots, merges]
        most = program.most_moves
        search = DepthFirst(
            "tree_building", self.machine, kernels, (0, 0, 0, 0, 0, players, players, most, most), self.limits,
            self.progress, others, arrays, ("nodes",),
        )  # fmt: skip
        words = 1 + names.index("words")
        if self._run(search, totals, others, words, arrays) is _Lacking.RECORDS:
            return None
        columns["words"] = others[words]
        del search, others  # what was needed to build, and then one column after another
        nodes, edge_count, leaves, sets, offers, record_count, word_count, *_ = totals
        used = dict.fromkeys(names, 0) | {
            "sets_of": nodes, "firsts": nodes + 1, "children": edge_count, "weights": edge_count,
            "payoffs": leaves * players, "sequences": leaves * players, "owners": sets, "parents": sets,
            "numbers": sets, "offers": sets + 1, "known": sets, "offered": offers, "previous": record_count,
            "starts": record_count + 1, "words": word_count,
        }  # fmt: skip
        flat = {name: kernels.flat(columns.pop(name), count) for name, count in used.items()}
        form = ExtensiveForm(
            self.machine.player_names,
            flat["sets_of"],
            flat["firsts"],
            flat["children"],
            flat["weights"],
            flat["payoffs"],
            program.denominator,
            flat["sequences"],
            InformationSets(
                flat["owners"],
                flat["parents"],
                flat["numbers"],
                flat["offers"],
                _Moves(program, flat["offered"]),
                _Known(program, flat["known"], flat["previous"], flat["starts"], flat["words"]),
            ),
            self.histories,
        )
        known = (flat["known"], flat["previous"], flat["starts"], flat["words"])
        self.limits.hold(form, form.bytes + bytes_of(*known))
        return form

    def _run(self, search: DepthFirst, totals: Array, others: list[Array], words: int, sizes: list[int]) -> _Lacking:
        """Build to the end, or until there is no room for records; the pool of words, at place ``words`` of
        ``others``, grows when it is full."""
        root, pool = self.machine.initial(), len(sizes) - 3
        slices = Slices(self.kernels.is_compiled)
        search.begin(root)
        while (status := search.go_on(root, slices.next())) >= 0:
            self.limits.check(search.counts)
            lacking = _Lacking(totals[7])
            if lacking is _Lacking.RECORDS:
                return lacking
            if lacking is _Lacking.WORDS:
                sizes[pool] *= 2
                longer = self.kernels.numbers(sizes[pool])
                self.kernels.copy(longer, others[words])
                others[words] = longer
        if status == _MOVES_DIFFER:
            count_information_sets(self.machine, self.histories)
            raise Disagreement("moves of an information set differ on kernels alone")
        return _Lacking.NOTHING


class _Moves(Sequence[Move]):
    """Moves as numbers, which are read when they are looked at."""

    def __init__(self, program: Program, numbers: array[int]) -> None:
        self._program = program
        self._numbers = numbers
        self._read: dict[int, Move] = {}

    def __len__(self) -> int:
        return len(self._numbers)

    @overload
    def __getitem__(self, place: int) -> Move: ...

    @overload
    def __getitem__(self, place: slice) -> list[Move]: ...

    def __getitem__(self, place: int | slice) -> Move | list[Move]:
        if isinstance(place, slice):
            return list(map(self._decoded, self._numbers[place]))
        return self._decoded(self._numbers[place])

    def _decoded(self, number: int) -> Move:
        if number not in self._read:
            self._read[number] = self._program.moves.decode(number)
        return self._read[number]


@frozen(eq=False)
class _Known:
    """What is known in each information set, put together from its records."""

    program: Program
    records: array[int]
    previous: array[int]
    starts: array[int]
    words: array[int]

    def __call__(self, s: int) -> InformationState:
        perception = self.program.perception
        if not isinstance(perception, Perception):
            return ()
        observations = []
        record, players = self.records[s], len(self.program.model.players)
        while record >= players:
            observations.append(tuple(self.words[self.starts[record] : self.starts[record + 1]]))
            record = self.previous[record]
        return Perceived(perception, tuple(reversed(observations)))
