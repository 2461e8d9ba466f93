"""The extensive form of a game: by a kernel over lowered rules, and otherwise over any machine."""

from __future__ import annotations

from array import array
from collections.abc import Hashable, Sequence
from fractions import Fraction
from math import lcm
from typing import Any, Final, Generic, overload

from attrs import define, field

from zermelo.foundation.memory import Entries, MemoryBudget, MemoryQuota, format_bytes, memory_option
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.checks.game_facts import Facts, count_information_sets, moves_differ_error
from zermelo.interpreter.machine import CHANCE, END, InformationState, Machine, Move, Payoff, State
from zermelo.interpreter.native.dialect.kernel_source import kernel as join
from zermelo.interpreter.native.program import Program
from zermelo.interpreter.native.running.kernels import Kernels
from zermelo.interpreter.native.running.machine import LoweredMachine, LoweredState
from zermelo.interpreter.native.running.views import BeyondLimits, Disagreement
from zermelo.interpreter.native.state_encoding.observations import Perception
from zermelo.solvers.common.limits import Limits, Progress, ignore_progress
from zermelo.solvers.common.numbers import OBJECT_BYTES, bytes_of, column, within_round_error
from zermelo.solvers.forms.extensive_form import CHANCE_NODE, ExtensiveForm, InformationSets
from zermelo.solvers.kernels import histories
from zermelo.solvers.kernels import tree_building as kernel
from zermelo.solvers.kernels.observations import LACKS_STATES, LACKS_WORDS
from zermelo.solvers.running.known_states import KnownStates
from zermelo.solvers.running.lowered_backend import LoweredBackend, run_lowered_or_else
from zermelo.solvers.running.path_search import PathKernel, PathSearch, Slices
from zermelo.solvers.solution import Problem

# Building the extensive form of a game (see :mod:`zermelo.solvers.forms.extensive_form`).
#
# The histories are visited depth first, with an explicit stack. A node is numbered after all its descendants, an
# information set when it is first met. A history that merges with an earlier one takes its node, and its continuations
# are not visited again.
#
# This is the reference version. The kernel numbers everything in the same way, but writes down observations as words,
# and tells information states apart by digests of them; here they are what the machine gives, unchanged, and no history
# need be counted beforehand.


HISTORY_BYTES = 96
"""The bytes of a history in arrays, including those for building them; about."""

_OBJECT_BYTES = 320
"""The bytes of a history's numbers while it is built here, in arrays, lists and a table; about. Information states,
positions and payoffs are measured."""


def build_exactly(
    machine: Machine[State],
    root: State,
    is_hidden: bool,
    is_discounted: bool,
    limits: Limits,
    progress: Progress = ignore_progress,
) -> ExtensiveForm:
    """The extensive form from ``root`` on of a game whose plays all end. ``is_hidden``: information may be imperfect;
    otherwise every node is an information set of its own. ``is_discounted``: the value of a node depends on the path to
    it, so that histories are not merged.

    Raises ``ZermeloError``: ``out-of-memory``, ``out-of-time``, ``moves-differ`` if the moves offered would reveal
    hidden information, or an error of the rules.
    """
    builder = TreeBuilder(machine, is_hidden, is_discounted, limits, progress)
    builder.visit(root)
    return builder.finished()


def too_large_error(histories: int, bytes_each: int, limits: Limits, is_all: bool) -> ZermeloError:
    """The error for a tree that does not fit into memory; ``is_all``: all histories have been counted."""
    count = f"{histories:,} histories" if is_all else f"more than {histories:,} histories"
    return ZermeloError(
        "out-of-memory",
        f"the game has {count}, and to hold them takes {'about' if is_all else 'more than'} "
        f"{format_bytes(histories * bytes_each)} of memory, which is limited to {format_bytes(limits.memory)}",
        f"{memory_option(2 * histories * bytes_each)} may be enough"
        if is_all
        else f"{limits.more_memory}, and nobody knows how much is enough; a smaller game may fit",
    )


@define(eq=False)
class _Visit(Generic[State]):
    """An unfinished node. ``sequences`` are the players' sequences that lead to it."""

    state: State
    set: int
    edges: list[tuple[Move, Fraction]]
    sequences: tuple[int, ...]
    key: Hashable
    children: list[int] = field(factory=list)


@define(eq=False)
class TreeBuilder(Generic[State]):
    """The extensive form in the making."""

    machine: Machine[State]
    is_hidden: bool
    is_discounted: bool
    limits: Limits
    progress: Progress
    sets_of: array[int] = field(factory=lambda: array("q"))
    firsts: array[int] = field(factory=lambda: array("q", [0]))
    children: array[int] = field(factory=lambda: array("q"))
    weights: list[int] = field(factory=list)
    payoffs: list[Payoff] = field(factory=list)
    sequences: array[int] = field(factory=lambda: array("q"))
    sets: InformationSets = field(
        factory=lambda: InformationSets(array("q"), array("q"), array("q"), array("q", [0]), [], lambda s: ())
    )
    counts: list[int] = field(factory=list)
    known: list[InformationState] = field(factory=list)
    examples: list[State] = field(factory=list)
    numbers: dict[Hashable, int] = field(factory=dict)
    nodes: dict[Hashable, int] = field(factory=dict)
    histories: dict[int, int] = field(factory=dict)
    budget: MemoryBudget = field(init=False)
    kept: tuple[tuple[Entries, MemoryQuota], ...] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.budget = self.limits.budget()
        stores: tuple[Entries, ...] = (self.payoffs, self.known, self.examples, self.nodes)
        self.kept = tuple((things, MemoryQuota(self.budget)) for things in stores)

    def visit(self, root: State) -> None:
        """Visit all histories from ``root`` on."""
        self.counts = [1] * len(self.machine.player_names)
        path: list[_Visit[State]] = []
        found = self._arrive(root, (0,) * len(self.counts), path)
        while path:
            here = path[-1]
            if found is not None:
                here.children.append(found)
                found = None
            elif len(here.children) < len(here.edges):
                k = len(here.children)
                sequences = list(here.sequences)
                if here.set != CHANCE_NODE:
                    sequences[self.sets.players[here.set]] = self.sets.firsts[here.set] + k
                found = self._arrive(self.machine.after(here.state, here.edges[k][0]), tuple(sequences), path)
            else:
                found = self._finish(path.pop())

    def _arrive(self, state: State, sequences: tuple[int, ...], path: list[_Visit[State]]) -> int | None:
        """The node or leaf of a state if it is known; otherwise None, and a new node is put on the path."""
        visited = len(self.sets_of) + len(self.payoffs) + len(path)
        if visited % 256 == 0:
            self.progress(visited)
            self.limits.check({"nodes": visited})
        self.budget.filled += _OBJECT_BYTES
        if self.budget.filled > self.budget.allowed or not all(self._has_room(*store) for store in self.kept):
            raise too_large_error(visited, self.limits.memory // max(1, visited), self.limits, is_all=False)
        machine = self.machine
        actor = machine.actor(state)
        if actor == END:
            self.payoffs.append(machine.payoff(state))
            self.sequences.extend(sequences)
            return -len(self.payoffs)
        if actor == CHANCE:
            path.append(_Visit(state, CHANCE_NODE, list(machine.outcomes(state)), sequences, None))
            return None
        if not self.is_hidden:
            s = self._add_set(actor, sequences[actor], (), state)
            edges = [(move, Fraction(1)) for move in self.sets.moves_of(s)]
            path.append(_Visit(state, s, edges, sequences, None))
            return None
        known = tuple(machine.information_state(state, player) for player in range(len(self.counts)))
        key = None if self.is_discounted else (known, machine.position(state), machine.earned(state))
        if key in self.nodes:
            return self.nodes[key]
        s = self.numbers.get((actor, known[actor]), -1)
        if s < 0:
            s = self.numbers[actor, known[actor]] = self._add_set(actor, sequences[actor], known[actor], state)
        elif set(machine.moves(state)) != set(self.sets.moves_of(s)):
            raise moves_differ_error(machine, actor, self.examples[s], state)
        path.append(_Visit(state, s, [(move, Fraction(1)) for move in self.sets.moves_of(s)], sequences, key))
        return None

    @staticmethod
    def _has_room(things: Entries, room: MemoryQuota) -> bool:
        return len(things) < room.most or room.grows(things)

    def _add_set(self, player: int, parent: int, known: InformationState, state: State) -> int:
        sets, moves = self.sets, self.machine.moves(state)
        sets.players.append(player)
        sets.parents.append(parent)
        sets.firsts.append(self.counts[player])
        self.counts[player] += len(moves)
        assert isinstance(sets.moves, list)
        sets.moves.extend(moves)
        sets.offers.append(len(sets.moves))
        self.known.append(known)
        self.examples.append(state)
        return len(sets) - 1

    def _finish(self, visit: _Visit[State]) -> int:
        """Number a node whose children are all numbered."""
        node = len(self.sets_of)
        scale = lcm(*(probability.denominator for _, probability in visit.edges))
        self.sets_of.append(visit.set)
        self.children.extend(visit.children)
        self.weights.extend(int(probability * scale) for _, probability in visit.edges)
        self.firsts.append(len(self.children))
        self.histories[node] = 1 + sum(1 if child < 0 else self.histories[child] for child in visit.children)
        if visit.key is not None:
            self.nodes[visit.key] = node
        return node

    def finished(self) -> ExtensiveForm:
        """The finished extensive form."""
        denominator = lcm(*(amount.denominator for payoff in self.payoffs for amount in payoff))
        sets = self.sets
        form = ExtensiveForm(
            self.machine.player_names,
            self.sets_of,
            self.firsts,
            self.children,
            column(self.weights),
            column([int(amount * denominator) for payoff in self.payoffs for amount in payoff]),
            denominator,
            self.sequences,
            InformationSets(sets.players, sets.parents, sets.firsts, sets.offers, sets.moves, self.known.__getitem__),
            self.histories[len(self.sets_of) - 1] if self.sets_of else 1,
        )
        known = next(room for things, room in self.kept if things is self.known)
        self.limits.hold(form, form.bytes + int(known.each * len(self.known)))
        return form


# The extensive form, built by a kernel.
#
# The histories are counted first, so that the memory for them is known, and reported, before any of it is spent.


COUNT: Final = PathKernel(
    histories.Count, histories.start_count, histories.go_on_counting, ("nodes", "terminals", "decisions")
)
BUILD: Final = PathKernel(kernel.Building, kernel.start, kernel.go_on, ("nodes",))

_WORDS_AT_FIRST: Final = 1 << 16


def build_by_kernel(
    machine: LoweredMachine, root: LoweredState, is_hidden: bool, limits: Limits, progress: Progress
) -> ExtensiveForm:
    """As :func:`build_exactly`, with the same numbers everywhere. Where something is hidden, ``root`` has to be the
    beginning: what players observed before it is not known here."""
    program = machine.program
    if machine.actor(root) == END or (is_hidden and not isinstance(program.perception, Perception)):
        raise BeyondLimits("machine code does not record what players see here")
    players, words = len(program.model.players), _words_per_step(program) if is_hidden else 0

    def work(kernels: Kernels) -> ExtensiveForm:
        counted = _count_histories(machine, root, kernels, limits, progress)
        building = _Building(machine, root, kernels, is_hidden, limits, progress, *counted)
        while (form := building.form()) is None:
            building.states_each *= 2
        return form

    learn = "note_step(knowledge, last, state, move, before, now)" if is_hidden else "note_decision(knowledge, now)"
    functions = (COUNT.start, COUNT.go_on, BUILD.start, BUILD.go_on)
    steps = {"STEP_WORDS": players * words, "STEP_STATES": players * (words // 2)}
    return machine.run(join(*functions, learn=learn, **steps), work)


def _words_per_step(program: Program) -> int:
    """How many words a step can bring a player."""
    return program.perception.words if isinstance(program.perception, Perception) else 0


def _count_histories(
    machine: LoweredMachine, root: LoweredState, kernels: Kernels, limits: Limits, progress: Progress
) -> tuple[int, int, int]:
    """How many histories there are, how many of them are ends, and in how many a player decides."""
    search = PathSearch(COUNT, LoweredBackend(machine), kernels, limits, progress)
    search.search.most = limits.free // HISTORY_BYTES
    search.run(root)
    if search.search.nodes > search.search.most:
        raise too_large_error(search.search.most, HISTORY_BYTES, limits, is_all=False)
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
        step = players * _words_per_step(program)  # what one may bring
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
            raise too_large_error(self.histories, -(-needed // self.histories), self.limits, is_all=True)
        columns: dict[str, Any] = {
            part: {name: kernels.elements(int, size) for name, size in lists.items()} for part, lists in sizes.items()
        }
        search = PathSearch(
            BUILD, LoweredBackend(self.machine), kernels, self.limits, self.progress,
            positions=decisions if merges else 0, slots=slots if merges else 0, **columns,
        )  # fmt: skip
        if not self._run(search, columns["knowledge"]):
            return None
        used = _used_lengths(search.search, players)
        del search  # what was needed to build, and then one column after another
        flat = {
            part: {name: kernels.flat(columns[part].pop(name), count) for name, count in lists.items()}
            for part, lists in used.items()
        }
        return self._form_of_columns(flat["tree"], flat["sets"], flat["knowledge"])

    def _form_of_columns(
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
        """Build to the end, or until there is no room for information states; returns whether it came to the end. The
        pool of words grows when it is full."""
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


def _used_lengths(building: kernel.Building, players: int) -> dict[str, dict[str, int]]:
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
            return list(map(self._decode, self._numbers[place]))
        return self._decode(self._numbers[place])

    def _decode(self, number: int) -> Move:
        if number not in self._read:
            self._read[number] = self._program.moves.decode(number)
        return self._read[number]


def tree_of(problem: Problem[Any]) -> ExtensiveForm:
    """The extensive form of what is to be solved, built now unless it has been."""
    if problem.tree is not None:
        return problem.tree
    return build_tree(problem.machine, problem.facts, problem.root, problem.limits, problem.progress)


def build_tree(machine: Machine[Any], facts: Facts, root: Any, limits: Limits, progress: Progress) -> ExtensiveForm:
    """The extensive form of a game whose plays all end, which begins at ``root``: a position that everybody knows, so
    that what is left of the play is a game of its own (a *subgame*, Selten 1965).

    Raises ``ZermeloError``: ``no-value`` for another root, and what
    :func:`build_exactly` raises."""
    is_hidden = facts.perfect_information.holds is not True
    has_begun = bool(machine.play(root))
    check_root(machine, facts, root)

    def by_machine() -> ExtensiveForm:
        return build_exactly(machine, root, is_hidden, facts.discounted, limits, progress)

    with limits.enforce():
        if has_begun and is_hidden:  # kernels do not know what was observed before
            return by_machine()
        return run_lowered_or_else(
            machine, lambda lowered: build_by_kernel(lowered, root, is_hidden, limits, progress), by_machine
        )


def check_root(machine: Machine[Any], facts: Facts, root: Any) -> None:
    """Raise ``ZermeloError`` (``no-value``) if a play has arrived in a position that players need not know."""
    if not machine.play(root) or facts.perfect_information.holds is True:
        return
    if facts.public_between_rounds.holds is not True:
        raise ZermeloError(
            "no-value",
            "where something is hidden, what is left of a play has no value of its own: it depends on what the players "
            "make of what came before",
            "leave out --after; or `zermelo moves --values` says what the moves are worth to the player to move",
        )
    if machine.is_within_round(root):
        raise within_round_error()
