"""Whether an equilibrium is sequential: moves are best everywhere, given some consistent beliefs.

In a *sequential equilibrium* (Kreps and Wilson 1982) every move that is made, also where nobody expects to be, is best
given a belief about the position; and all beliefs together are limits of those in strategies that make every move. An
equilibrium given by realization plans does not say what players do in sets that their own plan avoids. It is called
sequential if some behaviour there makes it so.

Three kinds of choices are tried. In each set that the player's own plan avoids: the moves that are made. In each set
that the others' plans do not lead to: the nodes of least order, to which the belief gives probability. For given
choices two linear programs decide whether there are orders and whether there are weights. Sets are taken from the last
one up, and a choice is dropped as soon as the programs of the sets so far have no solution.

*Proved.* A solution is a sequential equilibrium, with its beliefs. If all choices fail, there is none, since every
consistent assessment has such orders and weights. The question stays open after more than :data:`MOST_PROGRAMS` (a
number of programs, not a time), or if the solved program is only a necessary condition (three players or more).

An equilibrium that is not sequential already fails in some of its sets: perhaps in a single one; otherwise the sets
that were tried are given up one after the other while the rest still fails. If just one set with prescribed moves is
left, or there is nothing to believe in any of those left, another move may be better in the first, whatever best moves
follow: a program that compares only this move shows it.

Cost: exponential in the number of sets that are not reached, in the worst case. If all sets of an equilibrium are
reached, it is sequential, and there is nothing to try.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any, Final, Literal, TypeVar

from attrs import define, field, frozen

from zermelo.solvers.common.libraries import import_library
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.common.numbers import over_one_denominator
from zermelo.solvers.forms.best_response import follow_best, gradient
from zermelo.solvers.forms.extensive_form import CHANCE_NODE, ExtensiveForm, Plan, SequenceForm
from zermelo.solvers.linear_programming.exact_optimum import ONE, Form, Values, solve_inequalities

# Consistent assessments: what players may believe where an equilibrium never leads.
#
# An *assessment* is a behaviour strategy of every player, and for every information set a *belief*, the probabilities
# of its nodes. It is *consistent* if it is the limit of fully mixed strategies with the beliefs that follow from them
# by Bayes' rule (Kreps and Wilson 1982). So a move of probability 0 is a *tremble*, made with a probability that
# vanishes, and beliefs compare how fast trembles vanish.
#
# **Labels.** Call *order* a whole number for every move of every player: 0 for moves that are made, at least 1 for the
# others; the order of a node is the sum over the moves that lead to it. An assessment is consistent if and only if
# there are orders and positive *weights* of moves, those of moves that are made being their probabilities, such that a
# belief gives probability to exactly the nodes of least order in the set, in proportion to the products of chance's
# probabilities and the weights on the way to them (Kreps and Wilson 1982, lemmas A1 and A2; Streufert, "Additive
# plausibility characterizes the supports of consistent assessments", 2007). If there are, the strategies in which a
# move of order k and weight w has probability w * e**k, and moves that are made the rest, lead to it as e falls to 0.
# For the converse take the converging strategies. The conditions on orders are a system of linear inequalities with
# whole coefficients: if it had no solution, by Farkas' lemma some product of likelihood ratios, each of which is
# constant or falls to 0, one at least doing so, would be 1 throughout. The logarithms of the weights solve linear
# equations, whose right sides are the limits of solvable ones; and what a linear map attains is closed.
#
# **Linear.** Histories of one node have the same moves of the players before them, so that a node's weight is a product
# of chance's and one number for each player's sequence. The player's own factor is the same in the whole set, by
# perfect recall. With two players a belief is therefore *linear* in the weights of the opponent's sequences, each of
# which is free: the quotient of the weights of a sequence and its parent is the weight of its last move. So is
# sequential rationality: let the *worth* of a set be the greatest value of its moves, all in units of the probability
# of the least order; the value of a move is the sum over the leaves of that order behind it, of payoff times weight,
# and over the next own sets of that order, of their worths. For given orders and given supports this is a linear
# program, whose solvability in fractions decides.
#
# With more players products of weights appear. They are taken as variables of their own, after what the nodes of a set
# have in common is divided out. So a program without a solution is still a refutation; and a solution is one of the
# game if any positive numbers can be the products, which holds if their exponents are linearly independent
# (``System.is_exact``).
#
# **Cost.** Two linear programs for each choice of least nodes, with as many variables as orders and weights.


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
        return self.form.players[at.player].options(at.place)

    def parent(self, at: OwnSet) -> int:
        """The sequence that leads to an information set."""
        return self.form.players[at.player].parents[at.place]

    def place_of(self, player: int, sequence: int) -> OwnSet:
        """The information set of the last move of a sequence."""
        return OwnSet(player, self.form.players[player].set_of(sequence))

    def chosen(self, player: int, sequence: int) -> list[int]:
        """The sequences that lead to a sequence, and itself, without the empty one."""
        return [passed for _, passed in self.form.players[player].steps(sequence)][::-1]

    def paths_to(self, node: Product) -> set[tuple[int, int]]:
        """The players and the sequences that lead to a node."""
        return {(player, s) for player, last in enumerate(node) for s in self.chosen(player, last)}

    def common(self, at: OwnSet) -> set[tuple[int, int]]:
        """The players and sequences that lead to every node of an information set."""
        return set.intersection(*map(self.paths_to, self.nodes[at.player][at.place]))


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
        s, edges = tree.sets_of[node], tree.edges(node)
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
    remain so whatever is chosen. ``enforced`` are the sets in which moves must be best; in the other sets, the worth
    need only be at least what the best move brings."""

    profile: Profile
    enforced: frozenset[OwnSet]
    supports: dict[OwnSet, tuple[int, ...]] = field(factory=dict)
    least: dict[OwnSet, tuple[Product, ...]] = field(factory=dict)

    def choices(self, is_support: bool) -> dict[OwnSet, Any]:
        """The choices made so far for sets: of the moves that are made there, or of the nodes of least order."""
        return self.supports if is_support else self.least

    # ------------------------------------------------------------- orders

    def _is_made(self, player: int, sequence: int) -> bool:
        """Whether the last move of a sequence has a positive probability."""
        if self.profile.plans[player][sequence]:
            return True
        at = self.profile.setting.place_of(player, sequence)
        return sequence in self.supports.get(at, ())

    def _last_tremble(self, player: int, sequence: int) -> int:
        """The sequence up to its last tremble, which has the same order; 0 if there is none."""
        while sequence and self._is_made(player, sequence):
            sequence = self.profile.setting.parent(self.profile.setting.place_of(player, sequence))
        return sequence

    def order_of(self, sequences: Product) -> Product:
        """The sequences up to their last trembles: products that are equal here have the same order."""
        return tuple(self._last_tremble(player, sequence) for player, sequence in enumerate(sequences))

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
            before = Order(late.player, self._last_tremble(late.player, self.profile.setting.parent(at)))
            if before.sequence:
                is_open = self.profile.is_excluded(at) and at not in self.supports
                forms.append({late: 1, before: -1, ONE: 0 if is_open else -1})
                if before not in met:
                    met[before] = None
                    waiting.append(before)
        return [form for form in forms if any(form.values())], list(met)

    # ------------------------------------------------------------- weights

    def _sequence_of_weight(self, player: int, sequence: int) -> int:
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
                rest[player] = self._sequence_of_weight(player, sequence)
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
        weighed = self._sequence_of_weight(player, sequence)
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


# The linear program of an assessment: weights of trembles for which every move that is made is a best one.
#
# The section on consistent assessments above explains weights, orders and worths, and when a solution is one of the
# game. The unit of what happens in an information set is free: where all weights in the program are single ones, none
# is changed; otherwise a common factor is divided out of all products in a set and in those whose worths it takes.


@frozen
class Only:
    """A set in which the moves that are made are compared with no other move than ``rival``."""

    at: OwnSet
    rival: int


@define(eq=False)
class AssessmentProgram:
    """The program. ``only``: in one set a single alternative counts. ``divisors`` are divided out of the products of a
    set; ``is_exact``: every solution is one of the game."""

    assessments: Assessments
    only: Only | None = None
    values: dict[OwnSet, dict[int, dict[Term, int]]] = field(init=False)
    divisors: dict[OwnSet, Product] = field(init=False)
    is_exact: bool = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.values = {at: self.assessments.values(at) for at in self.assessments.least}
        products = {at: self._products(at) for at in self.values}
        nothing = (0,) * len(self.assessments.profile.plans)
        self.divisors = dict.fromkeys(self.values, nothing)
        self.is_exact = all(_count_factors(product) == 1 for own in products.values() for product in own)
        if not self.is_exact and not self.assessments.sums():
            self._find_divisors(products)
            self.is_exact = self._are_independent(products)

    def _products(self, at: OwnSet) -> set[Product]:
        """The products that occur in a set: in what its moves bring, and in its belief."""
        brought = {name for value in self.values[at].values() for name in value if not isinstance(name, OwnSet)}
        return brought | {product for _, product in self.assessments.weights_at(at).values()}

    def _find_divisors(self, products: Mapping[OwnSet, set[Product]]) -> None:
        """Find what the products of a set, and of those that it takes worths from, have in common."""
        for group in self._linked_sets():
            first, *others = {product for at in group for product in products[at]}
            common = tuple(s if all(o[p] == s for o in others) else 0 for p, s in enumerate(first))
            self.divisors |= dict.fromkeys(group, common)

    def _linked_sets(self) -> list[list[OwnSet]]:
        """The sets, those together that take worths from each other."""
        group = {at: [at] for at in self.values}
        for at, values in self.values.items():
            for value in values.values():
                for later in value:
                    if isinstance(later, OwnSet) and group[at] is not group[later]:
                        group[at] += group[later]
                        for each in group[later]:
                            group[each] = group[at]
        return list({id(members): members for members in group.values()}.values())

    def _are_independent(self, products: Mapping[OwnSet, set[Product]]) -> bool:
        """Whether positive weights can make the products any positive numbers, up to the unit of each set.

        Sound: the logarithms of weights and units are to solve one equation for each product and group of sets that
        have products in common; they can if the left sides are linearly independent."""
        divided = [
            {self._reduced_product(product, at) for at in group for product in products[at]}
            for group in self._linked_sets()
        ]
        joined: list[set[Product]] = []
        for own in divided:
            apart = [others for others in joined if not own & others or not any(map(_count_factors, own & others))]
            for others in joined:
                if not any(others is each for each in apart):
                    own = own | others
            joined = [*apart, own]
        rows: list[set[Hashable]] = []
        for number, together in enumerate(joined):
            unit: set[Hashable] = {number} if all(map(_count_factors, together)) else set()
            for product in together:
                row: set[Hashable] = {(player, sequence) for player, sequence in enumerate(product) if sequence}
                if row:
                    rows.append(row | unit)
        return _are_independent_rows(rows)

    def _reduced_product(self, product: Product, at: OwnSet) -> Product:
        return tuple(0 if common else s for s, common in zip(product, self.divisors[at], strict=True))

    def _form(self, value: Mapping[Term, int], at: OwnSet, sign: int) -> Form:
        form: Form = {at: -sign}
        for name, factor in value.items():
            divided = name if isinstance(name, OwnSet) else self._reduced_product(name, at)
            variable = divided if isinstance(divided, OwnSet) or _count_factors(divided) else ONE
            form[variable] = form.get(variable, 0) + sign * factor
        return form

    def solve(self, limits: Limits) -> Values | Literal["none", "unknown"]:
        """Worths and positive weights; ``none`` if it is proved that there are none."""
        kept: list[Form] = []
        raised: list[Form] = []
        for at, values in self.values.items():
            rivals = values if self.only is None or self.only.at != at else (self.only.rival,)
            kept += [self._form(values[sequence], at, -1) for sequence in rivals]
            if at in self.assessments.enforced:
                raised += [self._form(values[sequence], at, 1) for sequence in self.assessments.made(at)]
        for whole, parts in self.assessments.sums():
            form: Form = {whole: 1, **dict.fromkeys(parts, -1)}
            raised += [form, {name: -factor for name, factor in form.items()}]
        weights = [name for form in (*kept, *raised) for name in form if name != ONE and not isinstance(name, OwnSet)]
        weights += [
            divided
            for at in self.values
            for _, product in self.assessments.weights_at(at).values()
            if _count_factors(divided := self._reduced_product(product, at))
        ]
        return solve_inequalities(kept, raised, dict.fromkeys(weights), limits)

    def belief(self, at: OwnSet, values: Values) -> dict[Product, Fraction]:
        """The probability of each node of a set, by the sequences of the others."""
        found = {
            sequences: factor
            * (values[divided] if _count_factors(divided := self._reduced_product(product, at)) else 1)
            for sequences, (factor, product) in self.assessments.weights_at(at).items()
        }
        whole = sum(found.values())
        return {sequences: weight / whole for sequences, weight in found.items()}


def _count_factors(product: Product) -> int:
    return sum(sequence != 0 for sequence in product)


def _are_independent_rows(rows: list[set[Hashable]]) -> bool:
    """Whether rows of zeros and ones, given by the columns of their ones, are linearly independent."""
    columns = list(set().union(*rows))
    flint = import_library("flint", "exact linear programs")
    entries = [int(column in row) for row in rows for column in columns]
    return int(flint.fmpz_mat(len(rows), len(columns), entries).rank()) == len(rows)


MOST_PROGRAMS: Final = 5_000
"""The linear programs after which it is left open whether an equilibrium is sequential."""

_FEW: Final = 300
"""The programs for finding few sets that show that an equilibrium is not sequential; then those so far are named."""


@frozen
class SupportingBelief:
    """A player's belief in information set ``set``: for the sequences of the others (0 for the player's own) the
    probability of the nodes that these lead to. It is free where several are possible, and the others' plans do not
    lead there."""

    player: int
    set: int
    nodes: tuple[tuple[Product, Fraction], ...]


@frozen
class Sequential:
    """A proof that an equilibrium is sequential. ``beliefs`` support it in sets that the others' plans do not lead to;
    ``elsewhere`` are the probabilities of sequences in sets that the player's own plan avoids, by player and sequence.
    ``orders`` are those of the trembles that lead to the beliefs, as sequences, and ``weights`` their weights; None
    where only their products are known."""

    beliefs: tuple[SupportingBelief, ...] = ()
    elsewhere: tuple[tuple[int, int, Fraction], ...] = ()
    orders: tuple[tuple[int, int, int], ...] = ()
    weights: tuple[tuple[int, int, Fraction], ...] | None = ()


@frozen
class NotSequential:
    """A proof that it is not: no consistent beliefs support the moves in all of these information sets, those with
    moves that the equilibrium prescribes first. ``better``: a sequence that brings more in the first of them, whatever
    is believed and whatever best moves follow."""

    sets: tuple[int, ...]
    better: int | None


@frozen
class PerhapsSequential:
    """Nothing is proved: it may be sequential or not."""


Verdict = Sequential | NotSequential | PerhapsSequential


_Item = TypeVar("_Item")


def examine(setting: Setting, plans: Sequence[Plan], limits: Limits) -> Verdict:
    """Whether an equilibrium of a game, given by realization plans, is sequential.

    Raises ``ZermeloError``: ``out-of-time``, ``out-of-memory``, ``broken-installation``."""
    profile = Profile(setting, plans)
    unsettled = frozenset(at for at in setting.places if not profile.is_likely(at) or profile.is_excluded(at))
    search = _Search(profile, limits)
    try:
        proof = search.run(unsettled)
    except _Open:
        return PerhapsSequential()
    return proof or search.refutation(unsettled)


class _Open(Exception):
    """It cannot be decided, or would take too many programs."""


@frozen
class _Step:
    """A choice for a set: of the moves that are made there (``is_support``), or of the nodes of least order."""

    at: OwnSet
    is_support: bool


@define(eq=False)
class _Search:
    """Tries all choices for an equilibrium. ``best`` are the best moves in sets that the others' plans lead to;
    ``programs`` is how many have been solved, ``deepest`` the number of the last choice that the search has reached."""

    profile: Profile
    limits: Limits
    best: dict[OwnSet, list[int]] = field(factory=dict)
    programs: int = 0
    deepest: int = 0

    def __attrs_post_init__(self) -> None:
        for player, own in enumerate(self.profile.setting.form.players):
            values, _ = gradient(self.profile.setting.form, player, self.profile.plans)
            follow_best(own, values)
            for at in (OwnSet(player, i) for i in range(len(own.parents))):
                most = max(values[sequence] for sequence in self.profile.setting.moves(at))
                if self.profile.is_likely(at):
                    self.best[at] = [
                        sequence for sequence in self.profile.setting.moves(at) if values[sequence] == most
                    ]

    def run(self, enforced: frozenset[OwnSet], only: Only | None = None) -> Sequential | None:
        """Choices for which the moves in all ``enforced`` sets are best; None if it is proved that there are none.
        Raises :class:`_Open`."""
        steps = _schedule(self.profile, enforced)
        current, is_open = Assessments(self.profile, enforced), False
        if not steps:
            return Sequential()
        choices = [self._choices(current, steps[0])]
        while choices:
            self.deepest = max(self.deepest, len(choices) - 1)
            step = steps[len(choices) - 1]
            current.choices(step.is_support).pop(step.at, None)
            chosen = next(choices[-1], None)
            if chosen is None:
                choices.pop()
                continue
            current.choices(step.is_support)[step.at] = chosen
            is_last = len(choices) == len(steps)
            if step.is_support and not is_last:
                choices.append(self._choices(current, steps[len(choices)]))
                continue
            program = AssessmentProgram(current, only)
            orders = self._solve_orders(current)
            values = "none" if orders == "none" else self._count(program.solve(self.limits))
            if orders == "none" or values == "none":
                continue
            if not is_last:
                choices.append(self._choices(current, steps[len(choices)]))
            elif orders == "unknown" or values == "unknown" or not program.is_exact:
                is_open = True
            else:
                return _proof(program, orders, values)
        if is_open:
            raise _Open
        return None

    def _choices(self, current: Assessments, step: _Step) -> Iterator[tuple[object, ...]]:
        """What may be chosen, the simplest first."""
        if not step.is_support:
            return _subsets(current.unlike_nodes(step.at))
        if step.at in current.enforced and step.at in self.best:
            return _subsets(self.best[step.at])
        return _subsets(self.profile.setting.moves(step.at))

    def _solve_orders(self, current: Assessments) -> Values | Literal["none", "unknown"]:
        forms, orders = current.orders()
        return self._count(solve_inequalities([], forms, orders, self.limits))

    def _count(self, found: Values | Literal["none", "unknown"]) -> Values | Literal["none", "unknown"]:
        self.programs += 1
        if self.programs > MOST_PROGRAMS:
            raise _Open
        return found

    # ------------------------------------------------------------- what fails

    def refutation(self, unsettled: frozenset[OwnSet]) -> NotSequential:
        """Few sets in which the moves cannot all be best, after a run that proved it of all ``unsettled`` sets
        together. The sets of the choices that this run got to are enough: it never needed others."""
        left = frozenset(step.at for step in _schedule(self.profile, unsettled)[: self.deepest + 1])
        self.programs = MOST_PROGRAMS - _FEW
        left = next((frozenset({at}) for at in sorted(left, key=self._rank) if self._fails(frozenset({at}))), left)
        self.programs = MOST_PROGRAMS - _FEW
        for at in sorted(left, key=self._rank, reverse=True):
            if self._fails(left - {at}):
                left -= {at}
        ranked = sorted(left, key=self._rank)
        prescribed = [at for at in ranked if not self.profile.is_excluded(at)]
        better = None
        self.programs = MOST_PROGRAMS - _FEW
        setting = self.profile.setting
        if len(prescribed) == 1 or all(len(setting.nodes[at.player][at.place]) == 1 for at in prescribed):
            at, plan = prescribed[0], self.profile.plans[prescribed[0].player]
            is_mixed = sum(plan[sequence] > 0 for sequence in setting.moves(at)) > 1
            rivals = (sequence for sequence in setting.moves(at) if is_mixed or not plan[sequence])
            better = next((rival for rival in rivals if self._fails(left, Only(at, rival))), None)
        return NotSequential(tuple(map(self.profile.setting.set_of, ranked)), better)

    def _rank(self, at: OwnSet) -> tuple[bool, int]:
        """Sets with prescribed moves first, and early ones."""
        return self.profile.is_excluded(at), self.profile.setting.set_of(at)

    def _fails(self, enforced: frozenset[OwnSet], only: Only | None = None) -> bool:
        """Whether the programs that are left prove that the moves in these sets cannot all be best."""
        try:
            return self.run(enforced, only) is None
        except _Open:
            return False


def _subsets(items: Sequence[_Item]) -> Iterator[tuple[_Item, ...]]:
    """The non-empty subsets, small ones first."""
    for size in range(1, len(items) + 1):
        yield from combinations(items, size)


def _schedule(profile: Profile, enforced: frozenset[OwnSet]) -> list[_Step]:
    """The choices, late sets first, each after those that its programs depend on: what the others do between the nodes
    of a set and what follows, and the player's own later sets. What leads to all nodes of a set alike does not
    matter for it."""
    setting, steps = profile.setting, dict[_Step, None]()

    def support(at: OwnSet) -> None:
        if profile.is_excluded(at):
            steps[_Step(at, True)] = None

    def belief(at: OwnSet) -> None:
        if profile.is_likely(at) or _Step(at, False) in steps:
            return
        followed = set(setting.nodes[at.player][at.place])
        for sequence in setting.moves(at):
            for later in setting.after[at.player][sequence]:
                belief(later)
                followed |= set(setting.nodes[at.player][later.place])
            for leaf in setting.ends[at.player][sequence]:
                followed.add(tuple(0 if p == at.player else row[leaf] for p, row in enumerate(setting.form.leaves)))
        paths = set.union(*map(setting.paths_to, followed))
        for player, sequence in sorted(paths - setting.common(at)):
            support(setting.place_of(player, sequence))
        steps[_Step(at, False)] = None

    for at in sorted(enforced, key=setting.set_of, reverse=True):
        support(at)
        belief(at)
    return list(steps)


def _proof(program: AssessmentProgram, orders: Values, values: Values) -> Sequential:
    """What a solution says, in words of the game."""
    made, profile = program.assessments, program.assessments.profile
    beliefs = [
        SupportingBelief(at.player, profile.setting.set_of(at), tuple(program.belief(at, values).items()))
        for at in sorted(made.least, key=profile.setting.set_of)
        if len(profile.setting.nodes[at.player][at.place]) > 1
    ]
    elsewhere = []
    for at, support in made.supports.items():
        whole = made.weight_of(at.player, profile.setting.parent(at))
        for sequence in support:
            share = values[made.weight_of(at.player, sequence)] / values[whole] if len(support) > 1 else Fraction(1)
            elsewhere.append((at.player, sequence, share))
    names = [name for name in orders if isinstance(name, Order)]
    scaled, _ = over_one_denominator([orders[name] for name in names])
    single = {name: weight for name, weight in values.items() if isinstance(name, tuple)}
    is_single = not any(any(product) for product in program.divisors.values())
    weights = tuple(
        (player, sequence, weight)
        for product, weight in single.items()
        for player, sequence in enumerate(product)
        if sequence
    )
    return Sequential(
        tuple(beliefs),
        tuple(elsewhere),
        tuple((name.player, name.sequence, order) for name, order in zip(names, scaled, strict=True)),
        weights if is_single else None,
    )
