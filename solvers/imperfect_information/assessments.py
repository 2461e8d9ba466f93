"""Consistent assessments: what players may believe where an equilibrium never leads.

An *assessment* is a behaviour strategy of every player, and for every information set a *belief*, the probabilities of
its nodes. It is *consistent* if it is the limit of fully mixed strategies with the beliefs that follow from them by
Bayes' rule (Kreps and Wilson 1982). So a move of probability 0 is a *tremble*, made with a probability that vanishes,
and beliefs compare how fast trembles vanish.

**Labels.** Call *order* a whole number for every move of every player: 0 for moves that are made, at least 1 for the
others; the order of a node is the sum over the moves that lead to it. An assessment is consistent if and only if there
are orders and positive *weights* of moves, those of moves that are made being their probabilities, such that a belief
gives probability to exactly the nodes of least order in the set, in proportion to the products of chance's
probabilities and the weights on the way to them (Kreps and Wilson 1982, lemmas A1 and A2; Streufert, "Additive
plausibility characterizes the supports of consistent assessments", 2007). If there are, the strategies in which a move
of order k and weight w has probability w * e**k, and moves that are made the rest, lead to it as e falls to 0. For the
converse take the converging strategies. The conditions on orders are a system of linear inequalities with whole
coefficients: if it had no solution, by Farkas' lemma some product of likelihood ratios, each of which is constant or
falls to 0, one at least doing so, would be 1 throughout. The logarithms of the weights solve linear equations, whose
right sides are the limits of solvable ones; and what a linear map attains is closed.

**Linear.** Histories of one node have the same moves of the players before them, so that a node's weight is a product
of chance's and one number for each player's sequence. The player's own factor is the same in the whole set, by perfect
recall. With two players a belief is therefore *linear* in the weights of the opponent's sequences, each of which is
free: the quotient of the weights of a sequence and its parent is the weight of its last move. So is sequential
rationality: let the *worth* of a set be the greatest value of its moves, all in units of the probability of the least
order; the value of a move is the sum over the leaves of that order behind it, of payoff times weight, and over the next
own sets of that order, of their worths. For given orders and given supports this is a linear program, whose
solvability in fractions decides.

With more players products of weights appear. They are taken as variables of their own, after what the nodes of a set
have in common is divided out. So a program without a solution is still a refutation; and a solution is one of the game
if any positive numbers can be the products, which holds if their exponents are linearly independent
(:meth:`System.is_exact`).

**Cost.** Two linear programs for each choice of least nodes, with as many variables as orders and weights.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from attrs import define, field, frozen

from zermelo.solvers.common.rationals import over_one_denominator
from zermelo.solvers.forms.extensive_form import CHANCE_NODE, ExtensiveForm
from zermelo.solvers.forms.sequence_form import Plan, SequenceForm
from zermelo.solvers.linear_programming.feasibility import ONE, Form

Product = tuple[int, ...]
"""For each player the sequence whose weight is a factor, or 0 for none."""


@frozen
class OwnSet:
    """An information set: its player, and its place among theirs. As a variable of a program, its worth."""

    player: int
    place: int


Term = Product | OwnSet
"""A variable of a program: a product of weights, or the worth of an information set."""


@frozen
class Order:
    """As a variable, the order of a sequence: the sum over its moves."""

    player: int
    sequence: int


@define(eq=False)
class Setting:
    """The information sets of a game, with the sequences before and after them.

    ``nodes[p][i]`` are the nodes of the information set at place i of player p, by the sequences of the others (0 for
    the player's own), with chance's probability of them in all. ``ends[p][q]`` are the leaves of the sequence form at
    which player p's sequence is q, and ``after[p][q]`` the next information sets of the player after it."""

    tree: ExtensiveForm
    form: SequenceForm
    places: list[OwnSet] = field(init=False)
    nodes: list[list[dict[Product, Fraction]]] = field(init=False)
    ends: list[list[list[int]]] = field(init=False)
    after: list[list[list[OwnSet]]] = field(init=False)

    def __attrs_post_init__(self) -> None:
        players = self.form.players
        self.places = [OwnSet(p, i) for p, own in enumerate(players) for i in range(len(own.parents))]
        self.nodes = [[defaultdict(Fraction) for _ in own.parents] for own in players]
        at_set = {self.set_of(at): at for at in self.places}
        for node, reach, sequences in _nodes(self.tree):
            at = at_set[self.tree.sets_of[node]]
            others = (*sequences[: at.player], 0, *sequences[at.player + 1 :])
            self.nodes[at.player][at.place][others] += reach
        self.ends = [[[] for _ in range(len(own))] for own in players]
        for player, row in enumerate(self.form.leaves):
            for leaf, sequence in enumerate(row):
                self.ends[player][sequence].append(leaf)
        self.after = [[[] for _ in range(len(own))] for own in players]
        for at in self.places:
            self.after[at.player][self.parent(at)].append(at)

    def set_of(self, at: OwnSet) -> int:
        """The number of an information set in the extensive form."""
        return self.form.players[at.player].sets[at.place]

    def moves(self, at: OwnSet) -> range:
        """The sequences with which an information set continues."""
        firsts = self.form.players[at.player].firsts
        return range(firsts[at.place], firsts[at.place + 1])

    def parent(self, at: OwnSet) -> int:
        """The sequence that leads to an information set."""
        return self.form.players[at.player].parents[at.place]

    def place_of(self, player: int, sequence: int) -> OwnSet:
        """The information set of the last move of a sequence."""
        return OwnSet(player, bisect_right(self.form.players[player].firsts, sequence) - 1)

    def chosen(self, player: int, sequence: int) -> list[int]:
        """The sequences that lead to a sequence, and itself, without the empty one."""
        found = []
        while sequence:
            found.append(sequence)
            sequence = self.parent(self.place_of(player, sequence))
        return found[::-1]

    def common(self, at: OwnSet) -> set[tuple[int, int]]:
        """The players and sequences that lead to every node of an information set."""
        paths = [
            {(player, s) for player, last in enumerate(node) for s in self.chosen(player, last)}
            for node in self.nodes[at.player][at.place]
        ]
        return set.intersection(*paths)


@define(eq=False)
class Profile:
    """Realization plans of all players, and the same ``whole``: in whole numbers, over one denominator each."""

    setting: Setting
    plans: Sequence[Plan]
    whole: list[tuple[list[int], int]] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.whole = [over_one_denominator(plan) for plan in self.plans]

    def is_excluded(self, at: OwnSet) -> bool:
        """Whether the player's own plan avoids an information set, so that it does not say what they do there."""
        return not self.plans[at.player][self.setting.parent(at)]

    def is_likely(self, at: OwnSet) -> bool:
        """Whether chance and the others' plans lead there, so that the belief follows from them."""
        return any(
            all(self.plans[p][sequence] for p, sequence in enumerate(others) if p != at.player)
            for others in self.setting.nodes[at.player][at.place]
        )


def _nodes(tree: ExtensiveForm) -> Iterator[tuple[int, Fraction, Product]]:
    """The players' nodes, chance's probability of each, and the sequences that lead there."""
    sets = tree.information_sets
    reach = [Fraction(0)] * tree.nodes
    sequences: list[Product] = [(0,) * len(tree.player_names)] * tree.nodes
    if tree.nodes:
        reach[-1] = Fraction(1)
    for node in reversed(range(tree.nodes)):
        s, edges = tree.sets_of[node], range(tree.firsts[node], tree.firsts[node + 1])
        if s != CHANCE_NODE:
            yield node, reach[node], sequences[node]
        total = sum(tree.weights[edge] for edge in edges) if s == CHANCE_NODE else 1
        for k, edge in enumerate(edges):
            child = tree.children[edge]
            if child < 0:
                continue
            reach[child] += reach[node] * Fraction(tree.weights[edge], total)
            made = list(sequences[node])
            if s != CHANCE_NODE:
                made[sets.players[s]] = sets.firsts[s] + k
            sequences[child] = tuple(made)


@define(eq=False)
class Assessments:
    """The assessments with given supports.

    ``supports`` are the moves that are made in sets that the player's own plan excludes, as sequences; ``least`` the
    nodes of least order in sets that the others' plans do not lead to, one for each product (:meth:`unlike_nodes`). As
    long as it is open which moves are made in a set, each may be made or not: the systems are necessary ones then, and
    remain so whatever is chosen. ``enforced`` are the sets in which moves must be best; in others of these sets, what
    follows is worth at least what the best move brings."""

    profile: Profile
    enforced: frozenset[OwnSet]
    supports: dict[OwnSet, tuple[int, ...]] = field(factory=dict)
    least: dict[OwnSet, tuple[Product, ...]] = field(factory=dict)

    def choose(self, at: OwnSet, is_support: bool, chosen: tuple[Any, ...]) -> None:
        """Make a choice for a set: the moves made there, or the nodes of least order."""
        if is_support:
            self.supports[at] = chosen
        else:
            self.least[at] = chosen

    def forget(self, at: OwnSet, is_support: bool) -> None:
        """Take back a choice, if it was made."""
        if is_support:
            self.supports.pop(at, None)
        else:
            self.least.pop(at, None)

    # ------------------------------------------------------------- orders

    def _is_made(self, player: int, sequence: int) -> bool:
        """Whether the last move of a sequence has a positive probability."""
        if self.profile.plans[player][sequence]:
            return True
        at = self.profile.setting.place_of(player, sequence)
        return sequence in self.supports.get(at, ())

    def _ordered(self, player: int, sequence: int) -> int:
        """The sequence up to its last tremble, which has the same order; 0 if there is none."""
        while sequence and self._is_made(player, sequence):
            sequence = self.profile.setting.parent(self.profile.setting.place_of(player, sequence))
        return sequence

    def order_of(self, sequences: Product) -> Product:
        """The sequences up to their last trembles: products that are equal here have the same order."""
        return tuple(self._ordered(player, sequence) for player, sequence in enumerate(sequences))

    def unlike_nodes(self, at: OwnSet) -> list[Product]:
        """A node of each different order in a set: those that may be least."""
        return list({self.order_of(node): node for node in self.profile.setting.nodes[at.player][at.place]}.values())

    def _least_orders(self, at: OwnSet) -> set[Product]:
        return set(map(self.order_of, self.least[at]))

    def orders(self) -> tuple[list[Form], list[Order]]:
        """Forms in orders that are at least 0 in consistent assessments, and their variables, which are at least 1."""
        forms: list[Form] = []
        met: dict[Order, None] = {}
        for at in self.least:
            least = self._least_orders(at)
            first = _order_form(next(iter(least)))
            for product in map(self.order_of, self.unlike_nodes(at)):
                met.update(dict.fromkeys(Order(p, s) for p, s in enumerate(product) if s))
                gap = _difference(_order_form(product), first)
                if product in least:
                    forms += [gap, {name: -factor for name, factor in gap.items()}]
                else:
                    forms.append(gap | {ONE: -1})
        waiting = list(met)
        while waiting:
            late = waiting.pop()
            at = self.profile.setting.place_of(late.player, late.sequence)
            before = Order(late.player, self._ordered(late.player, self.profile.setting.parent(at)))
            if before.sequence:
                is_open = self.profile.is_excluded(at) and at not in self.supports
                forms.append({late: 1, before: -1, ONE: 0 if is_open else -1})
                if before not in met:
                    met[before] = None
                    waiting.append(before)
        return [form for form in forms if any(form.values())], list(met)

    # ------------------------------------------------------------- weights

    def _weighed(self, player: int, sequence: int) -> int:
        """The sequence whose weight a sequence has; 0 if its weight is known from the plan."""
        while not self.profile.plans[player][sequence]:
            at = self.profile.setting.place_of(player, sequence)
            if self.supports.get(at) != (sequence,):
                return sequence
            sequence = self.profile.setting.parent(at)
        return 0

    def weight(self, sequences: Product, but: int) -> tuple[int, Product]:
        """The product of the weights of these sequences without the one of player ``but``: a factor, over the
        denominators of the plans, and the rest."""
        factor, rest = 1, [0] * len(sequences)
        for player, sequence in enumerate(sequences):
            if player != but:
                parts, unit = self.profile.whole[player]
                rest[player] = self._weighed(player, sequence)
                factor *= unit if rest[player] else parts[sequence]
        return factor, tuple(rest)

    def values(self, at: OwnSet) -> dict[int, dict[Term, int]]:
        """What each move of a set brings, in terms of products and of the worths of the next sets."""
        form, least = self.profile.setting.form, self._least_orders(at)
        found: dict[int, dict[Term, int]] = {}
        for sequence in self.profile.setting.moves(at):
            value: dict[Term, int] = defaultdict(int)
            for leaf in self.profile.setting.ends[at.player][sequence]:
                others = tuple(0 if p == at.player else row[leaf] for p, row in enumerate(form.leaves))
                payoff = form.payoffs[at.player][leaf]
                if payoff and self.order_of(others) in least:
                    factor, product = self.weight(others, at.player)
                    value[product] += payoff * factor
            for later in self.profile.setting.after[at.player][sequence]:
                if any(self.order_of(node) in least for node in self.profile.setting.nodes[at.player][later.place]):
                    value[later] += 1
            found[sequence] = value
        return found

    def weight_of(self, player: int, sequence: int) -> Product:
        """The weight of a single sequence that the plan does not make, as a product."""
        weighed = self._weighed(player, sequence)
        return tuple(weighed if p == player else 0 for p in range(len(self.profile.plans)))

    def made(self, at: OwnSet) -> tuple[int, ...]:
        """The moves of positive probability in a set."""
        if self.profile.is_excluded(at):
            return self.supports[at]
        return tuple(sequence for sequence in self.profile.setting.moves(at) if self.profile.plans[at.player][sequence])

    def weights_at(self, at: OwnSet) -> dict[Product, tuple[Fraction, Product]]:
        """The nodes of a set to which a belief gives probability, with a factor and the product of weights."""
        found, least = {}, self._least_orders(at)
        for sequences, chance in self.profile.setting.nodes[at.player][at.place].items():
            if self.order_of(sequences) in least:
                factor, product = self.weight(sequences, at.player)
                found[sequences] = chance * factor, product
        return found

    def sums(self) -> list[tuple[Product, list[Product]]]:
        """In sets with several moves that are made, the weight of the sequence before them, and those of the moves."""
        return [
            (
                self.weight_of(at.player, self.profile.setting.parent(at)),
                [self.weight_of(at.player, sequence) for sequence in support],
            )
            for at, support in self.supports.items()
            if len(support) > 1
        ]


def _order_form(product: Product) -> Form:
    return {Order(player, sequence): 1 for player, sequence in enumerate(product) if sequence}


def _difference(form: Form, other: Form) -> Form:
    names = dict.fromkeys([*form, *other])
    return {name: form.get(name, 0) - other.get(name, 0) for name in names}
