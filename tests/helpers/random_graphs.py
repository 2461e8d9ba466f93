"""Random graphs of positions, for the solvers of such graphs: small, with all that makes them hard.

Circles, positions that lead to themselves, several edges between the same positions, ends that pay alike, earnings on
the way (a circle that goes round may earn something, or only what is passed once may), a discount, moves
at once, and an ``endless`` below, among and above the payoffs, or missing.
"""

from __future__ import annotations

from fractions import Fraction
from math import gcd
from random import Random

from attrs import define, evolve, field, frozen
from hypothesis import strategies as st
from referee.positions import lasting, read

from zermelo.solvers.positions.graph.graph import DRAWS, PAYS, PositionGraph

LOW, HIGH = Fraction(-7), Fraction(7)
"""Beyond all payoffs."""

SUM = Fraction(1)
"""The sum of both payoffs, in games of two players against each other without a discount. With one it is 0: what counts
less the later it comes has no other constant sum."""


@frozen
class Wish:
    """What a random graph should be like.

    ``aim`` is "alone" (one player), "against" (two players with a constant sum), "common" (two or three players with a
    common payoff) or "any" (two or three players with any payoffs). ``earns`` is "never", "once" (only on edges that no
    play takes again and again without a discount) or "anywhere". ``endless`` is "missing", "low", "middle" or "high";
    it is missing with a discount half of the time. ``rounds`` are moves at once.
    """

    aim: str = "against"
    most: int = 6
    chance: bool = True
    circles: bool = True
    rounds: bool = False
    earns: str = "once"
    discount: Fraction = Fraction(1)
    endless: str = "middle"

    @property
    def wants(self) -> tuple[int, ...]:
        """For each of at most three players whether they want more (1) or less (-1) of the first player's payoff."""
        return (1, -1) if self.aim == "against" else (1, 1, 1)


@define
class Drawing:
    """A graph that is being drawn: kinds, and the edges of each position as (weight, reward, target)."""

    random: Random
    wish: Wish
    players: tuple[str, ...]
    amounts: list[tuple[Fraction, ...]]
    kinds: list[int] = field(factory=list)
    edges: list[list[tuple[int, int, int]]] = field(factory=list)
    ends: dict[int, int] = field(factory=dict)
    decided: int = 0

    def often(self, percent: int) -> bool:
        return self.random.randrange(100) < percent

    def new(self, kind: int) -> int:
        """A new position."""
        self.kinds.append(kind)
        self.edges.append([])
        return len(self.kinds) - 1

    def amount(self, payoff: tuple[Fraction, ...]) -> int:
        """The number of an amount."""
        if payoff not in self.amounts:
            self.amounts.append(payoff)
        return self.amounts.index(payoff)

    @property
    def sum(self) -> Fraction:
        """The sum of what two players against each other get."""
        return SUM if self.wish.discount == 1 else Fraction(0)

    def payoff(self, total: Fraction) -> tuple[Fraction, ...]:
        """Random payoffs; with the sum ``total`` if the players are against each other."""
        number = Fraction(self.random.randint(-3, 3), self.random.choice((1, 1, 1, 2, 3)))
        if self.wish.aim == "against":
            return number, total - number
        if self.wish.aim == "any":
            return tuple(Fraction(self.random.randint(-2, 2)) for _ in self.players)
        return (number,) * len(self.players)

    def end(self) -> int:
        """An end."""
        amount = self.amount(self.payoff(self.sum))
        if amount not in self.ends:
            self.ends[amount] = self.new(PAYS - amount)
        return self.ends[amount]

    def reward(self) -> int:
        """The number of a reward."""
        if self.wish.earns == "never" or not self.often(35):
            return 0
        return self.amount(self.payoff(Fraction(0)))

    def target(self, position: int, inner: int) -> int:
        """Where an edge leads: to one of the first ``inner`` positions, or an end."""
        first = 0 if self.wish.circles and not self.often(25) else position + 1
        if first >= inner or self.often(18):
            return self.end()
        return self.random.randrange(first, inner)

    def link(self, position: int, inner: int) -> None:
        """Give a position its edges."""
        kind = self.kinds[position]
        count = self.random.choice((1, 2, 2, 2, 3, 3))
        players = len(self.players)
        if kind >= 0 and self.wish.rounds and players > 1 and self.often(60):
            others = [(kind + k) % players for k in range(1, self.random.choice((2, players)) if players > 2 else 2)]
            self.choose(position, others, [self.random.randint(1, 3) for _ in (kind, *others)], inner)
            return
        for _ in range(count):
            self.edges[position].append(
                (self.random.choice((1, 1, 1, 2, 3)), self.reward(), self.target(position, inner))
            )
        if self.often(20):
            self.edges[position].append(self.random.choice(self.edges[position]))

    def choose(self, position: int, others: list[int], counts: list[int], inner: int, begun: int = -1) -> None:
        """Let one choose, and then the others who do not know it."""
        begun = position if begun < 0 else begun
        for _ in range(counts[0]):
            if not others:
                self.edges[position].append((1, self.reward(), self.target(begun, inner)))
                continue
            next_one = self.new(len(self.players) + others[0])
            self.edges[position].append((1, 0, next_one))
            self.choose(next_one, others[1:], counts[1:], inner, begun)

    def graph(self) -> PositionGraph:
        """What can be reached from the first position, in another order."""
        reached, waiting = {0}, [0]
        while waiting:
            for _, _, there in self.edges[waiting.pop()]:
                if there not in reached:
                    reached.add(there)
                    waiting.append(there)
        order = sorted(reached - {0})
        self.random.shuffle(order)
        order.insert(0, 0)
        numbers = {old: new for new, old in enumerate(order)}
        firsts, weights, rewards, targets = [0], [], [], []
        for old in order:
            for weight, reward, there in self.edges[old]:
                weights.append(weight)
                rewards.append(reward)
                targets.append(numbers[there])
            firsts.append(len(targets))
        kinds = [self.kinds[old] for old in order]
        return PositionGraph(
            self.players, kinds, firsts, targets,
            weights if any(PAYS < kind < 0 for kind in kinds) else None,
            rewards if any(rewards) else None,
            tuple(self.amounts), self.wish.discount, self.endless(),
        )  # fmt: skip

    def endless(self) -> tuple[Fraction, ...] | None:
        wish = self.wish.endless
        if wish == "missing" or (self.wish.discount < 1 and self.often(50)):
            return None
        number = {"low": LOW, "middle": Fraction(self.random.randint(-2, 2)), "high": HIGH}[wish]
        if self.wish.aim == "against":
            return number, self.sum - number
        return (number,) * len(self.players)


def write_graph(random: Random, wish: Wish) -> PositionGraph:
    """A random graph of positions."""
    count = {"alone": 1, "against": 2}.get(wish.aim) or random.randint(2, 3)
    players = ("A", "B", "C")[:count]
    drawing = Drawing(random, wish, players, [(Fraction(0),) * count])
    inner = random.randint(min(2, wish.most), wish.most)
    for _ in range(inner):
        drawing.new(DRAWS if wish.chance and drawing.often(35) else random.randrange(count))
    for position in range(inner):
        drawing.link(position, inner)
    graph = drawing.graph()
    if wish.earns == "once" and graph.rewards is not None:
        kept = list(graph.rewards)
        for position, step in lasting(read(graph)):
            kept[graph.firsts[position] + step] = 0
        graph = evolve(graph, rewards=kept)
    if graph.weights is not None:
        graph = evolve(graph, weights=_reduced(graph))
    return graph


def _reduced(graph: PositionGraph) -> list[int]:
    """Weights without a common factor; 1 where somebody decides."""
    assert graph.weights is not None
    weights = list(graph.weights)
    for position, kind in enumerate(graph.kinds):
        edges = slice(graph.firsts[position], graph.firsts[position + 1])
        share = gcd(*weights[edges])
        weights[edges] = [weight // share if kind < 0 else 1 for weight in weights[edges]]
    return weights


def graphs(wish: Wish) -> st.SearchStrategy[PositionGraph]:
    """Random graphs, for Hypothesis. By their seed: were every choice its own, most graphs would be too simple to break
    anything."""
    return st.integers(0, 2**32 - 1).map(lambda seed: write_graph(Random(seed), wish))


def wishes(**fixed: object) -> st.SearchStrategy[Wish]:
    """All kinds of graphs; ``fixed`` are fields that have one value."""
    free = {
        "aim": st.sampled_from(("alone", "against", "against", "common")),
        "most": st.integers(1, 6),
        "chance": st.booleans(),
        "circles": st.booleans(),
        "rounds": st.booleans(),
        "earns": st.sampled_from(("never", "once", "anywhere")),
        "discount": st.sampled_from((Fraction(1), Fraction(1), Fraction(1, 2), Fraction(9, 10))),
        "endless": st.sampled_from(("missing", "low", "middle", "high")),
    }
    given = {name: st.just(value) for name, value in fixed.items()}
    return st.builds(Wish, **{**free, **given})


def hard_wish(random: Random) -> Wish:
    """A wish for circles with chance, in which plays need not end."""
    return Wish(
        aim=random.choice(("alone", "against", "against", "against", "common")),
        most=random.randint(2, 8),
        chance=random.random() < 0.9,
        earns=random.choice(("never", "never", "once")),
        endless=random.choice(("missing", "missing", "low", "middle", "high")),
    )
