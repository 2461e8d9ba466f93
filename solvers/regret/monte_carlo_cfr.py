"""Monte Carlo counterfactual regret minimization: regrets from samples instead of the whole tree.

What it does. As counterfactual regret minimization
(:mod:`zermelo.solvers.regret.counterfactual_regret`), but an iteration looks at a part of the tree only,
which is drawn at random so that on average every regret comes out as it would from the whole. So an iteration costs
little, and there are the more of them. Who updates his regrets, each player in turn, is the
*traverser*.

*External sampling* draws what chance and the other players do, and follows all moves of the traverser. A regret is then
the difference of sampled values. The strategies of the player after him are summed up where they are met.

*Outcome sampling* draws one play. The traverser tries every move with a probability of at least 0.6 shared evenly, and
what comes out is divided by the probability with which just this play was drawn. His own strategies are summed up, each
by his share in coming there over the probability of the sample.

A traversal is two passes over the nodes that it meets: forward, to draw, and backward, for values and regrets. It meets
no node twice, since nodes that several ways lead to differ in nothing that the traverser did.

Source: Lanctot, Waugh, Zinkevich and Bowling, "Monte Carlo sampling for regret minimization in extensive games" (2009).
In a game of two players and constant sum the averages approach an equilibrium, the error shrinking with the square root
of the number of iterations; a single run may be off by chance.

This is the version to read; :mod:`zermelo.solvers.native.monte_carlo_cfr` does the same, bit for bit.
"""

from __future__ import annotations

from typing import Final

from attrs import define, field

from zermelo.interpreter.native.dialect.words import mix
from zermelo.solvers.common.checkpoint import pack, put, unpack
from zermelo.solvers.forms.extensive_form import CHANCE_NODE, ExtensiveForm
from zermelo.solvers.forms.sequence_form import SequenceForm
from zermelo.solvers.regret.regret_matching import follow, match, response_gains

EXPLORATION: Final = 0.6
"""The probability with which outcome sampling lets the traverser make any move, no matter what he thinks of it."""

_UNIT: Final = 2.0**-53
_FIRST_STIR: Final = 668265263
_SECOND_STIR: Final = 40503


@define(eq=False)
class MonteCarloRegret:
    """The algorithm between two iterations. For each player and each of his sequences: ``regrets``, ``strategies`` as
    they were when last looked at, and ``sums`` of strategies. ``drawn`` counts the random numbers so far. ``chances``
    are the probabilities of the edges where chance draws, and ``places`` tells the number that an information set has
    among those of its player."""

    tree: ExtensiveForm
    form: SequenceForm
    by_outcome: bool
    seed: int = 0
    iterations: int = 0
    drawn: int = 0
    is_at_work: bool = False
    regrets: list[list[float]] = field(init=False)
    strategies: list[list[float]] = field(init=False)
    sums: list[list[float]] = field(init=False)
    chances: list[float] = field(init=False)
    places: list[int] = field(init=False)

    def __attrs_post_init__(self) -> None:
        lengths = [len(sequences) for sequences in self.form.players]
        self.regrets = [[0.0] * length for length in lengths]
        self.strategies = [[1.0] * length for length in lengths]
        self.sums = [[0.0] * length for length in lengths]
        self.chances = chances_of(self.tree)
        self.places = [0] * len(self.tree.information_sets)
        for sequences in self.form.players:
            for place, s in enumerate(sequences.sets):
                self.places[s] = place

    def iterate(self, count: int = 1) -> None:
        """So many iterations; in each, every player traverses once."""
        for _ in range(count):
            self.is_at_work = True
            self.iterations += 1
            for player in range(len(self.form.players)):
                if self.tree.nodes and self.by_outcome:
                    self.sample_outcome(player)
                elif self.tree.nodes:
                    self.sample_others(player)
            self.is_at_work = False

    def sample_others(self, traverser: int) -> None:
        """A traversal by external sampling."""
        tree, summed = self.tree, (traverser + 1) % len(self.form.players)
        met, taken, values = [tree.nodes - 1], dict[int, int](), dict[int, float]()
        for node in met:
            owner = self.owner(node)
            edges = range(tree.firsts[node], tree.firsts[node + 1])
            if owner != traverser:
                probabilities = self.probabilities(node)
                if owner == summed:
                    self.add(node, 1.0, probabilities)
                taken[node] = edges[self.draw(probabilities)]
                edges = range(taken[node], taken[node] + 1)
            met += (tree.children[edge] for edge in edges if tree.children[edge] >= 0)
        for node in reversed(met):
            if self.owner(node) == traverser:
                probabilities, regrets = self.probabilities(node), self.regrets[traverser]
                first, sequence = tree.firsts[node], tree.information_sets.firsts[tree.sets_of[node]]
                expected = 0.0
                for k, probability in enumerate(probabilities):
                    expected += probability * self.value(first + k, traverser, values)
                for k in range(len(probabilities)):
                    regrets[sequence + k] += self.value(first + k, traverser, values) - expected
                values[node] = expected
            else:
                values[node] = self.value(taken[node], traverser, values)

    def sample_outcome(self, traverser: int) -> None:
        """A traversal by outcome sampling."""
        tree, node, edge = self.tree, self.tree.nodes - 1, 0
        met: list[tuple[int, int, float]] = []
        own, others, sampled = 1.0, 1.0, 1.0
        while node >= 0:
            probabilities = self.probabilities(node)
            if self.owner(node) == traverser:
                self.add(node, own / sampled, probabilities)
                even = EXPLORATION / float(len(probabilities))
                tried = [even + (1.0 - EXPLORATION) * probability for probability in probabilities]
                k = self.draw(tried)
                met.append((node, k, others))
                own *= probabilities[k]
                sampled *= tried[k]
            else:
                k = self.draw(probabilities)
                met.append((node, k, others))
                others *= probabilities[k]
                sampled *= probabilities[k]
            edge = tree.firsts[node] + k
            node = tree.children[edge]
        payoff, behind = self.value(edge, traverser, {}) / sampled, 1.0
        for node, k, before in reversed(met):
            probabilities = self.probabilities(node)
            if self.owner(node) == traverser:
                sequence = tree.information_sets.firsts[tree.sets_of[node]]
                brings = payoff * before * behind
                expected = brings * probabilities[k]
                for j in range(len(probabilities)):
                    self.regrets[traverser][sequence + j] += (brings if j == k else 0.0) - expected
            behind *= probabilities[k]

    def owner(self, node: int) -> int:
        """Whose node it is; :data:`CHANCE_NODE` for chance."""
        s = self.tree.sets_of[node]
        return CHANCE_NODE if s == CHANCE_NODE else self.tree.information_sets.players[s]

    def probabilities(self, node: int) -> list[float]:
        """The probabilities of the edges of a node, as things stand."""
        s = self.tree.sets_of[node]
        if s == CHANCE_NODE:
            return self.chances[self.tree.firsts[node] : self.tree.firsts[node + 1]]
        player, first = self.tree.information_sets.players[s], self.tree.information_sets.firsts[s]
        match(self.form.players[player], self.places[s], self.regrets[player], self.strategies[player])
        return self.strategies[player][first : first + self.tree.information_sets.count(s)]

    def value(self, edge: int, player: int, values: dict[int, float]) -> float:
        """What an edge brings a player: a payoff, or the value of the node that it leads to."""
        child = self.tree.children[edge]
        if child >= 0:
            return values[child]
        return self.tree.payoffs[(-1 - child) * len(self.form.players) + player] / self.tree.denominator

    def add(self, node: int, weight: float, probabilities: list[float]) -> None:
        """Add a strategy to the sums."""
        s = self.tree.sets_of[node]
        player, first = self.tree.information_sets.players[s], self.tree.information_sets.firsts[s]
        for k, probability in enumerate(probabilities):
            self.sums[player][first + k] += weight * probability

    def draw(self, probabilities: list[float]) -> int:
        """A number drawn by these probabilities."""
        self.drawn += 1
        left = float(mix(mix(self.drawn, self.seed ^ _FIRST_STIR), _SECOND_STIR) >> 10) * _UNIT
        last = 0
        for k, probability in enumerate(probabilities):
            if probability > 0.0:
                if left < probability:
                    return k
                left -= probability
                last = k
        return last

    def averages(self) -> list[list[float]]:
        """The average plan of each player."""
        plans = []
        for sequences, sums in zip(self.form.players, self.sums, strict=True):
            strategy, plan = [1.0] * len(sums), [1.0] * len(sums)
            for i in range(len(sequences.parents)):
                match(sequences, i, sums, strategy)
            follow(sequences, strategy, plan)
            plans.append(plan)
        return plans

    def gains(self) -> list[float]:
        """What a best response to the average plans brings each player more than his own."""
        return response_gains(self.form, self.averages())

    def save(self) -> bytes | None:
        """All that the next iterations depend on; None in the middle of one."""
        if self.is_at_work:
            return None
        columns = [[weight for weights in column for weight in weights] for column in (self.regrets, self.sums)]
        return pack((self.iterations, self.drawn), columns)

    def load(self, saved: bytes) -> None:
        """Go on from what was saved."""
        (self.iterations, self.drawn), columns = unpack(saved, 2, 2)
        for column, flat in zip((self.regrets, self.sums), columns, strict=True):
            put(column, flat)


def chances_of(tree: ExtensiveForm) -> list[float]:
    """The probability of each edge where chance draws; 1 elsewhere."""
    chances = [1.0] * len(tree.children)
    for node, s in enumerate(tree.sets_of):
        if s == CHANCE_NODE:
            edges = range(tree.firsts[node], tree.firsts[node + 1])
            total = sum(tree.weights[edge] for edge in edges)
            for edge in edges:
                chances[edge] = tree.weights[edge] / total
    return chances
