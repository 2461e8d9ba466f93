"""The extensive form: a game as the graph of its histories, in flat arrays.

Every history in which somebody acts is a *node*, every move or outcome an *edge*, every end of a play a *leaf* (von
Neumann and Morgenstern 1944, Kuhn 1953). Nodes of a player that they cannot tell apart, since their observations are
equal, form an *information set*. These follow from the observations of the machine.

*Merging.* Histories are one node if the observations of all players, the position and the earnings are equal: nobody
can tell them apart, then or later, and the continuations are equal. Then several edges lead to a node, and its reach
probability is the sum over them. Plans of play cannot treat such histories differently, so no expectation changes. With
perfect information no histories are alike in this sense, and this is a tree.

*Recall.* Players perceive their own moves, so all nodes of an information set have the same last own move before them,
and no play meets a set twice: perfect recall holds by construction. A set therefore follows one *sequence*, the own
moves that lead to it (von Stengel 1996). Sequences are numbered for each player, from 0, the empty one.

*Numbering.* Nodes are numbered bottom-up: a node comes after its children, and the root is the last. Information sets
are numbered top-down, as they are met: a set comes after all sets of its player that lead to it. Most algorithms are
one pass over the arrays, in one direction or the other.

Cost: one visit of every history, and for each about eighty bytes.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import cached_property
from math import lcm

from attrs import frozen

from zermelo.interpreter.machine import InformationState, Move
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.common.numbers import bytes_of, column

CHANCE_NODE = -1
"""Takes the place of the information set of a chance node."""


@frozen(eq=False)
class InformationSets:
    """All information sets. ``players[s]`` decides in set s, to which their sequence ``parents[s]`` leads; their
    sequence ``firsts[s] + k`` continues with move k of the set. Its moves are ``moves[offers[s]:offers[s + 1]]``.
    ``known(s)`` is the information state."""

    players: array[int]
    parents: array[int]
    firsts: array[int]
    offers: array[int]
    moves: Sequence[Move]
    known: Callable[[int], InformationState]

    def __len__(self) -> int:
        return len(self.players)

    def count(self, s: int) -> int:
        """The number of moves of a set."""
        return self.offers[s + 1] - self.offers[s]

    def moves_of(self, s: int) -> Sequence[Move]:
        """The moves of a set."""
        return self.moves[self.offers[s] : self.offers[s + 1]]


@frozen(eq=False)
class ExtensiveForm:
    """A game as the graph of its histories.

    Node n belongs to the information set ``sets_of[n]``, or is a chance node (:data:`CHANCE_NODE`). Its edges are
    ``firsts[n]`` to ``firsts[n + 1]`` (exclusive); edge e leads to node ``children[e]`` or, if that is negative, to
    leaf ``-1 - children[e]``. Edge number k of a player's node is move k of its set. Chance takes an edge with the
    probability ``weights[e]`` over the sum of the node's ``weights``; they are 1 for players.

    ``payoffs[l * players + p]``, over ``denominator``, is the payoff of player p at leaf l, and ``sequences[l * players
    + p]`` their sequence there. ``histories`` is the number of histories, ends included, before merging.
    """

    player_names: tuple[str, ...]
    sets_of: array[int]
    firsts: array[int]
    children: array[int]
    weights: Sequence[int]
    payoffs: Sequence[int]
    denominator: int
    sequences: array[int]
    information_sets: InformationSets
    histories: int

    @property
    def nodes(self) -> int:
        """The number of nodes."""
        return len(self.sets_of)

    @property
    def bytes(self) -> int:
        """The memory of all arrays, without information states, which the builder counts."""
        sets = self.information_sets
        nodes = (self.sets_of, self.firsts, self.children, self.weights, self.payoffs, self.sequences)
        return bytes_of(*nodes, sets.players, sets.parents, sets.firsts, sets.offers) + 8 * len(sets.moves)

    @property
    def leaves(self) -> int:
        """The number of leaves."""
        return len(self.sequences) // len(self.player_names)

    @property
    def has_common_payoff(self) -> bool:
        """Whether every leaf pays all players the same."""
        players = len(self.player_names)
        first = self.payoffs[::players]
        return all(self.payoffs[player::players] == first for player in range(1, players))

    def edges(self, node: int) -> range:
        """The edges of a node."""
        return range(self.firsts[node], self.firsts[node + 1])

    def payoff(self, leaf: int) -> tuple[Fraction, ...]:
        """The players' payoffs at a leaf."""
        players = len(self.player_names)
        return tuple(Fraction(self.payoffs[leaf * players + p], self.denominator) for p in range(players))

    def chance(self) -> tuple[list[int], int]:
        """Chance's reach probability of each leaf, as numerators over one denominator."""
        if not self.nodes:
            return [1] * self.leaves, 1
        needed = [1] * self.nodes
        for node in range(self.nodes):
            edges = self.edges(node)
            total = sum(self.weights[edge] for edge in edges) if self.sets_of[node] == CHANCE_NODE else 1
            inner = {needed[self.children[edge]] for edge in edges if self.children[edge] >= 0}
            needed[node] = total * lcm(*inner)
        reach, at_leaf = [0] * self.nodes, [0] * self.leaves
        reach[-1] = needed[-1]
        for node in reversed(range(self.nodes)):
            edges = self.edges(node)
            share = reach[node]
            if self.sets_of[node] == CHANCE_NODE:
                share //= sum(self.weights[edge] for edge in edges)
            for edge in edges:
                child = self.children[edge]
                if child >= 0:
                    reach[child] += share * self.weights[edge]
                else:
                    at_leaf[-1 - child] += share * self.weights[edge]
        return at_leaf, needed[-1]


# The sequence form: the payoffs of a game by the players' sequences of moves.
#
# A *sequence* of a player consists of their own moves on the way to a node. A *realization plan* gives every sequence a
# weight, the probability that the player makes its moves if the others do their part: 1 for the empty one, and the
# weights of the sequences from an information set sum to that of the sequence that leads there. An expected payoff is
# then a sum over the leaves, of chance's reach probability times the payoff times the players' weights. It is linear in
# the plan of each player, and there are no more sequences than edges of the tree, whereas a normal form has
# exponentially many plans.
#
# Source: Koller, Megiddo and von Stengel, "Fast algorithms for finding randomized strategies in game trees" (1994); von
# Stengel, "Efficient computation of behavior strategies" (1996).
#
# Leaves with the same sequences are merged: their payoffs, weighted by chance's reach probabilities, are summed.


Plan = Sequence[Fraction]
"""A realization plan: a weight for each sequence of a player."""


@frozen(eq=False)
class Sequences:
    """The sequences of a player. Their information set i follows sequence ``parents[i]`` and has the sequences
    ``firsts[i]`` to ``firsts[i + 1]`` (exclusive), one for each move; the last entry of ``firsts`` is the number of
    sequences. Sequence 0 is the empty one, and ``parents[i] < firsts[i]``. ``sets[i]`` is the number of the set in the
    extensive form."""

    parents: array[int]
    firsts: array[int]
    sets: array[int]

    def __len__(self) -> int:
        return self.firsts[-1]

    def options(self, i: int) -> range:
        """The sequences that end with a move of set i."""
        return range(self.firsts[i], self.firsts[i + 1])

    def set_of(self, sequence: int) -> int:
        """The set of the last move of a sequence; -1 for the empty one."""
        return self._last_sets[sequence]

    def steps(self, sequence: int) -> Iterator[tuple[int, int]]:
        """The sets that a sequence passes, each with the sequence up to its move; the last one first."""
        while sequence:
            i = self.set_of(sequence)
            yield i, sequence
            sequence = self.parents[i]

    @cached_property
    def _last_sets(self) -> list[int]:
        return [-1, *(i for i in range(len(self.parents)) for _ in self.options(i))]

    @cached_property
    def behind(self) -> list[list[int]]:
        """The sets that each sequence leads to."""
        found: list[list[int]] = [[] for _ in range(len(self))]
        for i, parent in enumerate(self.parents):
            found[parent].append(i)
        return found


@frozen(eq=False)
class SequenceForm:
    """A game of any number of players. ``leaves[p][l]`` is player p's sequence at leaf l, and ``payoffs[p][l]``, over
    ``denominator``, their payoff there times chance's reach probability."""

    players: tuple[Sequences, ...]
    leaves: tuple[array[int], ...]
    payoffs: tuple[Sequence[int], ...]
    denominator: int

    @property
    def bytes(self) -> int:
        """The memory of all numbers, about."""
        columns = (*self.leaves, *self.payoffs)
        return bytes_of(*columns, *(part for own in self.players for part in (own.parents, own.firsts, own.sets)))

    def expectation(self, plans: Sequence[Plan]) -> tuple[Fraction, ...]:
        """The exact expected payoffs if all follow their plans."""
        totals = [Fraction(0)] * len(self.players)
        for leaf in range(len(self.leaves[0])):
            reached = Fraction(1)
            for plan, sequences in zip(plans, self.leaves, strict=True):
                reached *= plan[sequences[leaf]]
                if not reached:
                    break
            else:
                for player, payoffs in enumerate(self.payoffs):
                    totals[player] += reached * payoffs[leaf]
        return tuple(total / self.denominator for total in totals)


def sequence_form(form: ExtensiveForm, limits: Limits) -> SequenceForm:
    """The sequence form of a game. Raises ``ZermeloError`` (``out-of-memory``) if it does not fit beside the tree."""
    limits.require(_bytes_of(form), f"the sequence form of a game of {form.histories:,} histories")
    names = range(len(form.player_names))
    merged: dict[tuple[int, ...], list[int]] = {}
    chance, scale = form.chance()
    for leaf, reach in enumerate(chance):
        at = leaf * len(names)
        sums = merged.setdefault(tuple(form.sequences[at : at + len(names)]), [0] * len(names))
        for player in names:
            sums[player] += reach * form.payoffs[at + player]
    leaves = tuple(array("q", (sequences[player] for sequences in merged)) for player in names)
    payoffs = tuple(column([sums[player] for sums in merged.values()]) for player in names)
    made = SequenceForm(tuple(_sequences(form, player) for player in names), leaves, payoffs, scale * form.denominator)
    limits.hold(made, made.bytes)
    return made


def _bytes_of(form: ExtensiveForm) -> int:
    """The memory for making the sequence form, about: for each leaf a key, a list of sums and an entry of a table, and
    for each node and leaf chance's reach probability."""
    return form.leaves * (180 + 60 * len(form.player_names)) + 80 * form.nodes


def _sequences(form: ExtensiveForm, player: int) -> Sequences:
    sets = form.information_sets
    own = array("q", (s for s in range(len(sets)) if sets.players[s] == player))
    total = 1 + sum(sets.count(s) for s in own)
    return Sequences(
        array("q", (sets.parents[s] for s in own)), array("q", [*(sets.firsts[s] for s in own), total]), own
    )


def plan_of(sequences: Sequences, strategy: Sequence[Fraction]) -> list[Fraction]:
    """The realization plan of a behaviour strategy, which gives the probability of the last move of each sequence (1
    for the empty one)."""
    plan = [Fraction(1)] * len(sequences)
    for i, parent in enumerate(sequences.parents):
        for sequence in sequences.options(i):
            plan[sequence] = plan[parent] * strategy[sequence]
    return plan


def pure_plan(sequences: Sequences, chosen: Sequence[int]) -> list[Fraction]:
    """The realization plan that makes the last move of one sequence in each information set."""
    plan = [Fraction(1)] + [Fraction(0)] * (len(sequences) - 1)
    for sequence, parent in zip(chosen, sequences.parents, strict=True):
        plan[sequence] = plan[parent]
    return plan


def strategy_of(sequences: Sequences, plan: Plan) -> list[Fraction]:
    """The behaviour strategy of a realization plan, uniform in sets that the plan does not reach."""
    strategy = [Fraction(1)] * len(sequences)
    for i, parent in enumerate(sequences.parents):
        first, end = sequences.firsts[i], sequences.firsts[i + 1]
        for sequence in range(first, end):
            strategy[sequence] = plan[sequence] / plan[parent] if plan[parent] else Fraction(1, end - first)
    return strategy
