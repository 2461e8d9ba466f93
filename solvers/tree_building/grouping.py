"""The extensive form up to symmetry: deals that differ by exchanged suits are one deal.

Let a group of symmetries act on the tree: on histories, information sets and moves, such that
players, payoffs and the probabilities of chance stay what they are. A profile of strategies is *invariant* if alike
moves of alike information sets have equal probabilities.

* **Some equilibrium is invariant.** In a game of two players and constant sum, let x be an optimal realization plan.
  Its image under a symmetry guarantees the same, since the symmetry maps the replies, too. The mean of all images is a
  realization plan, as these are a convex set (von Stengel 1996); it guarantees at least the same, since what a plan
  guarantees is concave; and it is invariant. With perfect recall it is a strategy (Kuhn 1953).
* **Invariant profiles are the profiles of a smaller game.** In it, alike information sets are one. Alike moves of one
  set are one move as well, after which chance draws one of them with equal probability. Recall is perfect there, too:
  the image of the set and move that a player remembers last is what they remember last in the image. No play meets two
  alike sets, since their players have made equally many decisions before.
* **Histories are merged by what can still happen.** Two nodes with the same decisions, sequences and payoffs behind
  them, and with equal distributions wherever chance draws, have the same value for every profile of the smaller game:
  by induction from the leaves. So equal nodes are one, found in a table, bottom-up; edges of chance to one node are one
  edge, with the sum of the weights; and a chance node with one edge is left out. In this way deals that are images of
  each other become one deal, since the subtrees behind them are equal where alike sets are one.

So the equilibria of the smaller game are equilibria of the whole one, with the probability of a move divided among
those that are alike (:meth:`Grouped.lifted`), and its value is the value. They are not *all* equilibria. And where
players have common interests the best plan need not be invariant: a convention says which of two alike moves to make,
and no mean of two conventions is as good. So only solvers that look for one equilibrium of two players with a constant
sum use it; and they take the exact best responses, which prove their results, in the whole game.

Source: Shi and Littman, "Abstraction methods for game theoretic poker" (2001); Gilpin and Sandholm, "Lossless
abstraction of imperfect information games" (2007), who merge bottom-up; Waugh, "A fast and optimal hand isomorphism
algorithm" (2013), for exchanged suits; Nash, "Non-cooperative games" (1951), for invariant equilibria.

Cost: one pass over the edges of the whole tree, which is built before, with a table of the nodes that remain.
"""

from __future__ import annotations

from array import array
from collections.abc import Hashable, Sequence
from fractions import Fraction
from math import gcd
from typing import Any, Final, TypeAlias

from attrs import define, field, frozen

from zermelo.foundation.deadline import check_deadline
from zermelo.interpreter.machine import (
    Asked,
    InformationState,
    Machine,
    Move,
    Observation,
    PerceivedMove,
    Seen,
    Sighting,
    State,
    Told,
)
from zermelo.interpreter.native.running.machine import LoweredMachine
from zermelo.interpreter.symmetries.equivariance import Relabelling, keeps_beginning
from zermelo.interpreter.symmetries.group import generators, player_fixing_subgroup, symmetries
from zermelo.interpreter.values import Value
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.common.numbers import column
from zermelo.solvers.forms.extensive_form import CHANCE_NODE, ExtensiveForm, InformationSets, Plan
from zermelo.solvers.solution import Problem

# Information sets that are alike: those that a symmetry of the game takes to each other.
#
# A *symmetry of the tree* renames what players observe and the moves they make, such that every information set becomes
# one of the same player, with the renamed moves, and that every play becomes one with the same payoffs and the same
# probability of chance. Here those are found among the symmetries of the rules that leave all players as they are
# (:mod:`zermelo.interpreter.symmetries`): exchanged suits, mirrored boards. Rules that commute with a renaming offer
# renamed moves, pay the same, and show renamed values; so such a renaming takes the tree to itself if the first state
# is its own image (:mod:`zermelo.interpreter.symmetries.equivariance`). Then it permutes the information sets, with
# their moves; one that does not is left out.
#
# Two information sets are alike if one is the image of the other, and so are two moves. These are relations of
# equivalence, since images of images are images. Moves of *one* set are alike where a symmetry takes the set to itself,
# but not its moves: to lead the jack of either suit, holding both.
#
# It is enough to join each set and move with its image under symmetries that generate all others.
#
# Cost: for each of these, each observation is renamed once; then one look-up for each information set and each move.


_ROUND: Final = 256
"""The number of information sets between two checks of the deadline."""


@frozen(eq=False)
class Likeness:
    """Information sets and moves by classes. Set s is of class ``classes[s]``; classes are numbered in the order of
    their first sets. In class c there are ``counts[c]`` kinds of moves; the move at place m of
    ``InformationSets.moves`` is of kind ``kinds[m]`` of them, and each set of the class has ``sizes[m]`` moves of that
    kind."""

    classes: array[int]
    counts: list[int]
    kinds: array[int]
    sizes: array[int]


def renamings(machine: Machine[State]) -> list[Relabelling]:
    """Generators of the symmetries of the rules that leave all players, all numbers and the first state as they are;
    none are known for a machine without lowered rules."""
    if not isinstance(machine, LoweredMachine):
        return []
    model = machine.program.model
    group = player_fixing_subgroup(model, symmetries(model))
    return generators(each for each in group if not each.numbers and keeps_beginning(model, each))


def likeness(sets: InformationSets, found: Sequence[Relabelling]) -> Likeness | None:
    """Which information sets are alike by these symmetries of the rules and all that they generate; None if none of
    them is a symmetry of the tree."""
    if not found:
        return None
    trial = _Trial(sets)
    images = [image for relabelling in found if (image := trial.image(relabelling)) is not None]
    if not images:
        return None
    like_sets, like_moves = _Classes(len(sets)), _Classes(len(sets.moves))
    for image in images:
        for one, other in enumerate(image.sets):
            like_sets.join(one, other)
        for one, other in enumerate(image.moves):
            like_moves.join(one, other)
    return _number_classes(sets, like_sets, like_moves)


def _number_classes(sets: InformationSets, like_sets: _Classes, like_moves: _Classes) -> Likeness:
    """The classes by numbers; the kinds of moves in the order of the class's first set."""
    numbers: dict[int, int] = {}
    known_kinds: list[dict[int, int]] = []
    classes, kinds, sizes = array("q"), array("q"), array("q")
    for s in range(len(sets)):
        c = numbers.setdefault(like_sets.first(s), len(numbers))
        classes.append(c)
        if c == len(known_kinds):
            known_kinds.append({})
        here = [like_moves.first(m) for m in range(sets.offers[s], sets.offers[s + 1])]
        for m in here:
            kinds.append(known_kinds[c].setdefault(m, len(known_kinds[c])))
            sizes.append(here.count(m))
    return Likeness(classes, [len(kinds_here) for kinds_here in known_kinds], kinds, sizes)


@frozen(eq=False)
class _Image:
    """Under a symmetry, the image of each information set, and of the move at each place."""

    sets: list[int]
    moves: list[int]


class _Trial:
    """The information sets, with observations and moves as numbers, for finding their images under symmetries."""

    def __init__(self, sets: InformationSets) -> None:
        self.sets = sets
        self.observations: dict[Observation, int] = {}
        self.moves: dict[Move, int] = {}
        self.known: list[tuple[int, ...]] = []
        # Slices of one observation each cost less than observations, and what was known before a sequence need not be
        # looked at again: information states only grow.
        numbers: dict[InformationState, int] = {}
        before: dict[tuple[int, int], tuple[int, ...]] = {(player, 0): () for player in sets.players}
        for s, player in enumerate(sets.players):
            if s % _ROUND == 0:
                check_deadline()
            known, found = sets.known(s), list(before[player, sets.parents[s]])
            for k in range(len(found), len(known)):
                number = numbers.get(known[k : k + 1])
                if number is None:
                    number = self.observations.setdefault(known[k], len(self.observations))
                    numbers[known[k : k + 1]] = number
                found.append(number)
            self.known.append(tuple(found))
            for k in range(sets.count(s)):
                before[player, sets.firsts[s] + k] = self.known[-1]
        self.offered = [self.moves.setdefault(move, len(self.moves)) for move in sets.moves]
        self.sets_by: dict[Hashable, int] = {(sets.players[s], known): s for s, known in enumerate(self.known)}
        self.places = {
            (s, self.offered[m]): m for s in range(len(sets)) for m in range(sets.offers[s], sets.offers[s + 1])
        }

    def image(self, relabelling: Relabelling) -> _Image | None:
        """The image of the tree; None if an information set or a move has none."""
        check_deadline()
        seen = [self.observations.get(rename_observation(each, relabelling), -1) for each in self.observations]
        made = [self.moves.get(rename_move(each, relabelling), -1) for each in self.moves]
        if -1 in seen:
            return None
        offers, image = self.sets.offers, _Image([], [])
        for s, known in enumerate(self.known):
            there = self.sets_by.get((self.sets.players[s], tuple(seen[each] for each in known)))
            if there is None or self.sets.count(there) != self.sets.count(s):
                return None
            moves = [self.places.get((there, made[move]), -1) for move in self.offered[offers[s] : offers[s + 1]]]
            if -1 in moves:
                return None
            image.sets.append(there)
            image.moves.extend(moves)
        return image


def rename_move(move: Move, relabelling: Relabelling) -> Move:
    """What a move is called in the image of a play in which it is made."""
    return Move(move.name, tuple(map(relabelling.of, move.arguments)))


def rename_observation(observation: Observation, relabelling: Relabelling) -> Observation:
    """What a player observes in the image of a play in which they make this observation."""

    def all_of(values: tuple[Value, ...]) -> tuple[Value, ...]:
        return tuple(map(relabelling.of, values))

    match observation:
        case PerceivedMove(player, name, arguments):
            return PerceivedMove(player, name, all_of(arguments))
        case Told(label, arguments):
            return Told(label, all_of(arguments))
        case Asked(phase, arguments):
            return Asked(phase, all_of(arguments))
        case Sighting(values):
            return Sighting(
                frozenset(Seen(seen.variable, all_of(seen.indices), relabelling.of(seen.value)) for seen in values)
            )


class _Classes:
    """Classes of the numbers below ``count``, by their least members (union-find; Tarjan 1975)."""

    def __init__(self, count: int) -> None:
        self.parents = array("q", range(count))

    def first(self, member: int) -> int:
        """The least member of a class."""
        parents = self.parents
        while parents[member] != member:
            parents[member] = parents[parents[member]]
            member = parents[member]
        return member

    def join(self, one: int, other: int) -> None:
        """Make one class of two."""
        first, second = sorted((self.first(one), self.first(other)))
        self.parents[second] = first


_NODE_BYTES: Final = 400
"""The bytes of a node, with its edges and leaves, while they are merged; about."""

_SET_BYTES: Final = 1000
"""The bytes of an information set, with its moves, while those that are alike are looked for; about."""

_OFTEN: Final = 4096
"""The number of nodes between two checks of the deadline."""

_Leaf: TypeAlias = tuple[tuple[int, ...], tuple[int, ...]]
"""The players' payoffs, and their sequences in the smaller game."""

_Node: TypeAlias = tuple[int, tuple[int, ...], tuple[int, ...]]
"""The information set in the smaller game, or :data:`CHANCE_NODE`; the children; for chance their weights."""


@frozen(eq=False)
class Grouped:
    """The smaller game ``tree``, and how the ``whole`` one maps to it: sequence q of player p becomes sequence
    ``sequences[p][q]``, as do all those that continue the same sequence by alike moves, ``sizes[p][q]`` of them."""

    whole: ExtensiveForm
    tree: ExtensiveForm
    sequences: tuple[array[int], ...]
    sizes: tuple[array[int], ...]

    def lifted(self, behaviours: Sequence[Plan]) -> list[list[Fraction]]:
        """The strategies of the whole game, a probability for each sequence, given those of the smaller one."""
        return [
            [Fraction(behaviour[q]) / size for q, size in zip(sequences, sizes, strict=True)]
            for behaviour, sequences, sizes in zip(behaviours, self.sequences, self.sizes, strict=True)
        ]

    @property
    def counts(self) -> dict[str, int]:
        """What remains up to symmetry, by name."""
        dealt = {"deals up to symmetry": count_deals(self.tree)} if count_deals(self.whole) > 1 else {}
        return {**dealt, "information sets up to symmetry": len(self.tree.information_sets)}

    @property
    def note(self) -> str:
        """What remains up to symmetry, in words."""
        many = count_deals(self.whole)
        dealt = f"{count_deals(self.tree):,} of {many:,} deals and " if many > 1 else ""
        sets = f"{len(self.tree.information_sets):,} of {len(self.whole.information_sets):,} information sets"
        return f"What the rules' symmetries make alike is solved once: {dealt}{sets}."


def count_deals(tree: ExtensiveForm) -> int:
    """The number of ways in which chance can draw up to the first decision; 1 if it draws nothing there."""
    ways = [1] * tree.nodes
    for node in range(tree.nodes):
        if tree.sets_of[node] == CHANCE_NODE:
            edges = tree.children[tree.firsts[node] : tree.firsts[node + 1]]
            ways[node] = sum(1 if child < 0 else ways[child] for child in edges)
    return ways[-1] if ways else 1


def group_symmetric(problem: Problem[Any], whole: ExtensiveForm) -> Grouped | None:
    """The smaller game; None if it is not known to have symmetries, is not one of two players and constant sum, or does
    not fit into memory beside the whole one. Raises ``ZermeloError`` (``out-of-time``)."""
    facts, limits, sets = problem.facts, problem.limits, whole.information_sets
    if facts.perfect_information.holds is True or problem.machine.play(problem.root) or not whole.nodes:
        return None  # then information states do not say what is known, or the play has left some symmetries behind
    if len(whole.player_names) != 2 or facts.constant_sum.holds is not True:
        return None
    if whole.nodes * _NODE_BYTES + len(sets) * _SET_BYTES > limits.free:
        return None
    with limits.enforce():
        alike = likeness(sets, renamings(problem.machine))
        return None if alike is None else _group_alike(whole, alike, limits)


def _group_alike(whole: ExtensiveForm, alike: Likeness, limits: Limits) -> Grouped:
    sets, sequences, sizes = _sequences(whole, alike)
    smaller = _Smaller(whole, alike, sequences)
    smaller.build()
    tree = smaller.form(sets)
    limits.hold(tree, tree.bytes)
    return Grouped(whole, tree, sequences, sizes)


def _sequences(
    whole: ExtensiveForm, alike: Likeness
) -> tuple[InformationSets, tuple[array[int], ...], tuple[array[int], ...]]:
    """The information sets of the smaller game, and the sequences of the whole one as they are called there."""
    given, players = whole.information_sets, len(whole.player_names)
    numbers = tuple(array("q", [0]) for _ in range(players))
    sizes = tuple(array("q", [1]) for _ in range(players))
    totals = [1] * players
    owners, parents, firsts, offers = array("q"), array("q"), array("q"), array("q", [0])
    moves, examples = [], []
    for s, c in enumerate(alike.classes):
        player = given.players[s]
        begin, end = given.offers[s], given.offers[s + 1]
        if c == len(owners):
            owners.append(player)
            parents.append(numbers[player][given.parents[s]])
            firsts.append(totals[player])
            totals[player] += alike.counts[c]
            kinds = list(alike.kinds[begin:end])
            moves += [given.moves[begin + kinds.index(kind)] for kind in range(alike.counts[c])]
            offers.append(len(moves))
            examples.append(s)
        for m in range(begin, end):
            numbers[player].append(firsts[c] + alike.kinds[m])
            sizes[player].append(alike.sizes[m])
    known = given.known
    made = InformationSets(owners, parents, firsts, offers, moves, lambda c: known(examples[c]))
    return made, numbers, sizes


@define(eq=False)
class _Smaller:
    """The smaller game in the making. ``nodes`` and ``leaves`` give the numbers of its nodes and leaves by content."""

    whole: ExtensiveForm
    alike: Likeness
    sequences: tuple[array[int], ...]
    leaves: dict[_Leaf, int] = field(factory=dict)
    nodes: dict[_Node, int] = field(factory=dict)

    def build(self) -> None:
        """Merge all nodes, bottom-up."""
        whole, alike, offers = self.whole, self.alike, self.whole.information_sets.offers
        at_leaves = [self._leaf(leaf) for leaf in range(whole.leaves)]
        at_nodes: list[int] = []
        for node, s in enumerate(whole.sets_of):
            if node % _OFTEN == 0:
                check_deadline()
            first, end = whole.firsts[node], whole.firsts[node + 1]
            children = [at_leaves[-1 - child] if child < 0 else at_nodes[child] for child in whole.children[first:end]]
            if s == CHANCE_NODE:
                at_nodes.append(self._chance(children, whole.weights[first:end]))
                continue
            behind: list[list[int]] = [[] for _ in range(alike.counts[alike.classes[s]])]
            for child, kind in zip(children, alike.kinds[offers[s] : offers[s + 1]], strict=True):
                behind[kind].append(child)
            drawn = tuple(self._chance(some, [1] * len(some)) for some in behind)
            at_nodes.append(self._node((alike.classes[s], drawn, ())))

    def _leaf(self, leaf: int) -> int:
        """The number of a leaf, as a child of edges."""
        whole, players = self.whole, len(self.sequences)
        own = range(leaf * players, (leaf + 1) * players)
        sequences = tuple(self.sequences[p][whole.sequences[k]] for p, k in enumerate(own))
        key = tuple(whole.payoffs[k] for k in own), sequences
        return -1 - self.leaves.setdefault(key, len(self.leaves))

    def _chance(self, children: list[int], weights: Sequence[int]) -> int:
        """The node or leaf of a draw of chance."""
        sums: dict[int, int] = {}
        for child, weight in zip(children, weights, strict=True):
            sums[child] = sums.get(child, 0) + weight
        if len(sums) == 1:
            return children[0]
        common = gcd(*sums.values())
        ordered = sorted(sums)
        return self._node((CHANCE_NODE, tuple(ordered), tuple(sums[child] // common for child in ordered)))

    def _node(self, key: _Node) -> int:
        return self.nodes.setdefault(key, len(self.nodes))

    def form(self, sets: InformationSets) -> ExtensiveForm:
        """The smaller game."""
        sets_of, firsts, children = array("q"), array("q", [0]), array("q")
        weights: list[int] = []
        for s, there, drawn in self.nodes:
            sets_of.append(s)
            children.extend(there)
            weights += drawn or (1,) * len(there)
            firsts.append(len(children))
        payoffs = [amount for amounts, _ in self.leaves for amount in amounts]
        sequences = array("q", (sequence for _, at_leaf in self.leaves for sequence in at_leaf))
        whole = self.whole
        return ExtensiveForm(
            whole.player_names, sets_of, firsts, children, column(weights), column(payoffs), whole.denominator,
            sequences, sets, whole.histories,
        )  # fmt: skip
