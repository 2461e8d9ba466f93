"""The extensive form, built by a kernel.

The histories are counted first, so that what they take in memory is known, and said, before any of it is spent.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import Any, Final, overload

from attrs import define

from zermelo.interpreter.checks.information_sets import count_information_sets
from zermelo.interpreter.machine import END, Move
from zermelo.interpreter.native.coding.observations import Perception
from zermelo.interpreter.native.dialect.kernel_source import kernel as join
from zermelo.interpreter.native.program import Program
from zermelo.interpreter.native.running.failures import BeyondLimits, Disagreement
from zermelo.interpreter.native.running.kernels import Kernels
from zermelo.interpreter.native.running.lowered_state import LoweredState
from zermelo.interpreter.native.running.machine import LoweredMachine
from zermelo.solvers.common.columns import OBJECT_BYTES, bytes_of
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.common.progress import Progress
from zermelo.solvers.forms.extensive_form import ExtensiveForm, InformationSets
from zermelo.solvers.kernels import histories
from zermelo.solvers.kernels import tree_building as kernel
from zermelo.solvers.kernels.observations import LACKS_STATES, LACKS_WORDS
from zermelo.solvers.running.known_states import KnownStates
from zermelo.solvers.running.lowered_backend import LoweredBackend
from zermelo.solvers.running.path_search import PathKernel, PathSearch
from zermelo.solvers.running.slices import Slices
from zermelo.solvers.tree_building.exactly import HISTORY_BYTES, too_large

COUNT: Final = PathKernel(
    histories.Count, histories.start_count, histories.go_on_counting, ("nodes", "terminals", "decisions")
)
BUILD: Final = PathKernel(kernel.Building, kernel.start, kernel.go_on, ("nodes",))

_WORDS_AT_FIRST: Final = 1 << 16


def build(
    machine: LoweredMachine, root: LoweredState, is_hidden: bool, limits: Limits, progress: Progress
) -> ExtensiveForm:
    """As :func:`zermelo.solvers.tree_building.exactly.build`, with the same numbers everywhere. Where something is
    hidden ``root`` is the beginning: what players observed before it is not known here."""
    program = machine.program
    if machine.actor(root) == END or (is_hidden and not isinstance(program.perception, Perception)):
        raise BeyondLimits("machine code does not record what players see here")
    players, words = len(program.model.players), _words(program) if is_hidden else 0

    def work(kernels: Kernels) -> ExtensiveForm:
        counted = _counted(machine, root, kernels, limits, progress)
        building = _Building(machine, root, kernels, is_hidden, limits, progress, *counted)
        while (form := building.form()) is None:
            building.states_each *= 2
        return form

    learn = "note_step(knowledge, last, state, move, before, now)" if is_hidden else "note_decision(knowledge, now)"
    functions = (COUNT.start, COUNT.go_on, BUILD.start, BUILD.go_on)
    steps = {"STEP_WORDS": players * words, "STEP_STATES": players * (words // 2)}
    return machine.run(join(*functions, learn=learn, **steps), work)


def _words(program: Program) -> int:
    """How many words a step can bring a player."""
    return program.perception.words if isinstance(program.perception, Perception) else 0


def _counted(
    machine: LoweredMachine, root: LoweredState, kernels: Kernels, limits: Limits, progress: Progress
) -> tuple[int, int, int]:
    """How many histories there are, how many of them are ends, and in how many a player decides."""
    search = PathSearch(COUNT, LoweredBackend(machine), kernels, limits, progress)
    search.search.most = limits.free // HISTORY_BYTES
    search.run(root)
    if search.search.nodes > search.search.most:
        raise too_large(search.search.most, HISTORY_BYTES, limits, is_all=False)
    return search.search.nodes, search.search.terminals, search.search.decisions


@define(eq=False)
class _Building:
    """The building of a tree of known size, with room for so many information states of each player at a decision.
    Histories share most of them, so one for each is nearly always enough."""

    machine: LoweredMachine
    root: LoweredState
    kernels: Kernels
    is_hidden: bool
    limits: Limits
    progress: Progress
    histories: int
    ends: int
    decisions: int
    states_each: int = 1

    def form(self) -> ExtensiveForm | None:
        """The extensive form; None where the information states found no room."""
        kernels, program = self.kernels, self.kernels.program
        players = len(program.model.players)
        merges = self.is_hidden and not program.model.history and program.model.discount == 1
        inner, edges, decisions = self.histories - self.ends + 1, self.histories, self.decisions + 1
        step = players * _words(program)  # what one may bring
        states = (decisions * self.states_each + 1) * players + step // 2 + 1
        slots = 1 << (2 * states).bit_length()
        sizes = {
            "tree": {
                "sets_of": inner, "firsts": inner, "children": edges, "weights": edges,
                "payoffs": self.ends * players, "sequences": self.ends * players,
            },
            "sets": {
                "owners": decisions, "parents": decisions, "numbers": decisions, "offers": decisions,
                "known": decisions, "offered": edges, "places": states,
            },
            "knowledge": {"previous": states, "starts": states, "words": _WORDS_AT_FIRST + step, "slots": slots},
        }  # fmt: skip
        numbers = sum(size for part in sizes.values() for size in part.values())
        each = 8 if self.machine.is_compiled else OBJECT_BYTES  # what a trial in Python takes is not to decide
        met = each * decisions * kernels.words_of(kernel.Building, "positions") + 8 * slots if merges else 0
        needed = each * (numbers - slots) + 8 * slots + met
        if needed > self.limits.free:
            raise too_large(self.histories, -(-needed // self.histories), self.limits, is_all=True)
        columns: dict[str, Any] = {
            part: {name: kernels.elements(int, size) for name, size in lists.items()} for part, lists in sizes.items()
        }
        search = PathSearch(
            BUILD, LoweredBackend(self.machine), kernels, self.limits, self.progress,
            positions=decisions if merges else 0, slots=slots if merges else 0, **columns,
        )  # fmt: skip
        if not self._run(search, columns["knowledge"]):
            return None
        used = _used(search.search, players)
        del search  # what was needed to build, and then one column after another
        flat = {
            part: {name: kernels.flat(columns[part].pop(name), count) for name, count in lists.items()}
            for part, lists in used.items()
        }
        return self._made(flat["tree"], flat["sets"], flat["knowledge"])

    def _made(
        self, tree: dict[str, array[int]], sets: dict[str, array[int]], knowledge: dict[str, array[int]]
    ) -> ExtensiveForm:
        """The extensive form of what has been built."""
        program = self.kernels.program
        known = (sets["known"], knowledge["previous"], knowledge["starts"], knowledge["words"])
        form = ExtensiveForm(
            self.machine.player_names,
            tree["sets_of"],
            tree["firsts"],
            tree["children"],
            tree["weights"],
            tree["payoffs"],
            program.denominator,
            tree["sequences"],
            InformationSets(
                sets["owners"],
                sets["parents"],
                sets["numbers"],
                sets["offers"],
                _Moves(program, sets["offered"]),
                KnownStates(program, *known),
            ),
            self.histories,
        )
        self.limits.hold(form, form.bytes + bytes_of(*known))
        return form

    def _run(self, search: PathSearch[kernel.Building], knowledge: dict[str, list[int]]) -> bool:
        """Build to the end, or until there is no room for information states; whether it came to the end. The pool of
        words grows when it is full."""
        root, building = self.root, search.search
        slices = Slices(self.kernels.is_compiled)
        search.start(root)
        while (answer := search.go_on(root, slices.next())) >= 0:
            self.limits.check(search.counts)
            if building.lacks == LACKS_STATES:
                return False
            if building.lacks == LACKS_WORDS:
                knowledge["words"] = self.kernels.elements(int, 2 * len(knowledge["words"]))
                self.kernels.grow(building, knowledge={"words": knowledge["words"]})
        if answer == kernel.MOVES_DIFFER:
            count_information_sets(self.machine, self.histories)
            raise Disagreement("moves of an information set differ on kernels alone")
        return True


def _used(building: kernel.Building, players: int) -> dict[str, dict[str, int]]:
    """How much of each list goes into the form."""
    tree, sets, knowledge = building.tree, building.sets, building.knowledge
    return {
        "tree": {
            "sets_of": tree.nodes, "firsts": tree.nodes + 1, "children": tree.edges, "weights": tree.edges,
            "payoffs": tree.leaves * players, "sequences": tree.leaves * players,
        },
        "sets": {
            "owners": sets.count, "parents": sets.count, "numbers": sets.count, "offers": sets.count + 1,
            "known": sets.count, "offered": sets.moves, "places": 0,
        },
        "knowledge": {
            "previous": knowledge.count, "starts": knowledge.count + 1, "words": knowledge.used, "slots": 0,
        },
    }  # fmt: skip


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
