"""The extensive form up to symmetry: deals that differ by exchanged suits are one deal.

Let a group of symmetries act on the tree (:mod:`.likeness`): on histories, information sets and moves, such that
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
from collections.abc import Sequence
from fractions import Fraction
from math import gcd
from typing import Any, Final, TypeAlias

from attrs import define, field, frozen

from zermelo.grammar.deadline import look
from zermelo.solvers.common.columns import column
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.forms.extensive_form import CHANCE_NODE, ExtensiveForm, InformationSets
from zermelo.solvers.forms.sequence_form import Plan
from zermelo.solvers.solution import Problem
from zermelo.solvers.tree_building.likeness import Likeness, likeness, renamings

_NODE_BYTES: Final = 400
"""The bytes of a node, with its edges and leaves, while they are merged; about."""

_SET_BYTES: Final = 1000
"""The bytes of an information set, with its moves, while those that are alike are looked for; about."""

_OFTEN: Final = 4096
"""Once for so many nodes the deadline is looked at."""

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
        """The strategies of the whole game, a probability for each sequence, of those of the smaller one."""
        return [
            [Fraction(behaviour[q]) / size for q, size in zip(sequences, sizes, strict=True)]
            for behaviour, sequences, sizes in zip(behaviours, self.sequences, self.sizes, strict=True)
        ]

    @property
    def counts(self) -> dict[str, int]:
        """What remains up to symmetry, by name."""
        dealt = {"deals up to symmetry": deals(self.tree)} if deals(self.whole) > 1 else {}
        return {**dealt, "information sets up to symmetry": len(self.tree.information_sets)}

    @property
    def note(self) -> str:
        """What remains up to symmetry, in words."""
        many = deals(self.whole)
        dealt = f"{deals(self.tree):,} of {many:,} deals and " if many > 1 else ""
        sets = f"{len(self.tree.information_sets):,} of {len(self.whole.information_sets):,} information sets"
        return f"What the rules' symmetries make alike is solved once: {dealt}{sets}."


def deals(tree: ExtensiveForm) -> int:
    """The number of ways in which chance can draw up to the first decision; 1 if it draws nothing there."""
    ways = [1] * tree.nodes
    for node in range(tree.nodes):
        if tree.sets_of[node] == CHANCE_NODE:
            edges = tree.children[tree.firsts[node] : tree.firsts[node + 1]]
            ways[node] = sum(1 if child < 0 else ways[child] for child in edges)
    return ways[-1] if ways else 1


def grouped(problem: Problem[Any], whole: ExtensiveForm) -> Grouped | None:
    """The smaller game; None if it is not known to have symmetries, is not one of two players and constant sum, or does
    not fit into memory beside the whole one. Raises ``ZermeloError`` (``out-of-time``)."""
    facts, limits, sets = problem.facts, problem.limits, whole.information_sets
    if facts.perfect_information.holds is True or problem.machine.play(problem.root) or not whole.nodes:
        return None  # then information states do not say what is known, or the play has left some symmetries behind
    if len(whole.player_names) != 2 or facts.constant_sum.holds is not True:
        return None
    if whole.nodes * _NODE_BYTES + len(sets) * _SET_BYTES > limits.free:
        return None
    with limits.kept():
        alike = likeness(sets, renamings(problem.machine))
        return None if alike is None else _grouped(whole, alike, limits)


def _grouped(whole: ExtensiveForm, alike: Likeness, limits: Limits) -> Grouped:
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
    """The smaller game in the making. ``nodes`` and ``leaves`` are numbered by what they are."""

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
                look()
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
