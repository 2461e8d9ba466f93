"""Building the extensive form of a game (see :mod:`zermelo.solvers.forms.extensive_form`).

The histories are visited depth first, with an explicit stack. A node is numbered after all its descendants, an
information set when it is first met. A history that merges with an earlier one takes its node, and its continuations
are not visited again.

This is the reference version; :mod:`zermelo.solvers.tree_building.by_kernel` numbers everything in the same way. Its
kernel writes down observations as words, and tells information states apart by digests of them; here they are what the
machine gives, kept as they are, and no history need be counted beforehand.
"""

from __future__ import annotations

from array import array
from collections.abc import Hashable
from fractions import Fraction
from math import lcm
from typing import Generic

from attrs import define, field

from zermelo.grammar.diagnostics import ZermeloError
from zermelo.grammar.footprint import Budget, Room, Things, option, size
from zermelo.interpreter.checks.information_sets import moves_differ
from zermelo.interpreter.machine import CHANCE, END, InformationState, Machine, Move, Payoff, State
from zermelo.solvers.common.columns import column
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.common.progress import Progress, ignore_progress
from zermelo.solvers.forms.extensive_form import CHANCE_NODE, ExtensiveForm, InformationSets

HISTORY_BYTES = 96
"""The bytes of a history in arrays, including those for building them; about."""

_OBJECT_BYTES = 320
"""The bytes of a history's numbers while it is built here, in arrays, lists and a table; about. Information states,
positions and payoffs are measured."""


def build(
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


def too_large(histories: int, bytes_each: int, limits: Limits, is_all: bool) -> ZermeloError:
    """The error for a tree that does not fit into memory; ``is_all``: all histories have been counted."""
    count = f"{histories:,} histories" if is_all else f"more than {histories:,} histories"
    return ZermeloError(
        "out-of-memory",
        f"the game has {count}, and to hold them takes {'about' if is_all else 'more than'} "
        f"{size(histories * bytes_each)} of memory, which is limited to {size(limits.memory)}",
        f"{option(2 * histories * bytes_each)} may be enough"
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
    budget: Budget = field(init=False)
    kept: tuple[tuple[Things, Room], ...] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.budget = self.limits.budget()
        stores: tuple[Things, ...] = (self.payoffs, self.known, self.examples, self.nodes)
        self.kept = tuple((things, Room(self.budget)) for things in stores)

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
            raise too_large(visited, self.limits.memory // max(1, visited), self.limits, is_all=False)
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
            raise moves_differ(machine, actor, self.examples[s], state)
        path.append(_Visit(state, s, [(move, Fraction(1)) for move in self.sets.moves_of(s)], sequences, key))
        return None

    @staticmethod
    def _has_room(things: Things, room: Room) -> bool:
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
