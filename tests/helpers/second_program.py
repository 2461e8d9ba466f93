"""Bundled games written a second time, in plain Python that shares nothing with the project.

A second program says for every position who acts there and where the moves lead; it names moves as Zermelo does. So the
two can be walked side by side (:func:`agree`), and the second can be solved by the simplest methods that there are:
:func:`bounds` for games with chance, :func:`outcomes` for games without.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Mapping
from fractions import Fraction
from random import Random
from typing import Any

from attrs import field, frozen

Position = Any


@frozen
class Edge:
    """A move or an outcome: where it leads, how likely an outcome is, and what the first player earns."""

    to: Position
    probability: Fraction = Fraction(1)
    earns: Fraction = Fraction(0)


@frozen
class Node:
    """Who acts in a position: the name of a player, ``chance`` or ``end``, with the payoff of the first player."""

    actor: str
    edges: Mapping[str, Edge] = field(factory=dict)
    payoff: Fraction = Fraction(0)


Program = Callable[[Position], Node]


def end(payoff: Fraction | int) -> Node:
    return Node("end", payoff=Fraction(payoff))


def choice(player: str, moves: Mapping[str, Position]) -> Node:
    return Node(player, {name: Edge(to) for name, to in moves.items()})


def uniform(outcomes: Mapping[str, Position]) -> Node:
    """All outcomes are equally likely."""
    share = Fraction(1, len(outcomes))
    return Node("chance", {name: Edge(to, share) for name, to in outcomes.items()})


def agree(play: Any, program: Program, start: Position, discount: Fraction = Fraction(1)) -> int:
    """Hold a game against its second program in all positions; equal positions of the one must be equal in the other.

    The number of positions of the game, without its ends.
    """
    paired: dict[Hashable, Position] = {}
    waiting = [(play, start, Fraction(1))]
    while waiting:
        play, position, factor = waiting.pop()
        known = play.machine.position(play.state)
        if known in paired:
            assert paired[known] == position
            continue
        node = program(position)
        after = compared(play, node, factor)
        if not play.ended:
            paired[known] = position
        for name, later in after.items():
            less = 1 if play.actor == "chance" or later.ended else discount
            waiting.append((later, node.edges[name].to, factor * less))
    assert len(set(paired.values())) == len(paired)
    return len(paired)


def agree_at_random(play: Any, program: Program, start: Position, plays: int, longest: int = 200) -> None:
    """Hold a game against its second program along random plays."""
    random = Random(0)
    for _ in range(plays):
        now, position = play, start
        for _ in range(longest):
            node = program(position)
            after = compared(now, node)
            if now.ended:
                break
            name = random.choice(sorted(after))
            now, position = after[name], node.edges[name].to


def compared(play: Any, node: Node, factor: Fraction = Fraction(1)) -> dict[str, Any]:
    """What follows a play, by the names of the moves: they must be those of the node, and all that belongs to them.

    What is earned or paid there is multiplied by ``factor``.
    """
    assert play.actor == node.actor
    earned = play.machine.earned(play.state)[0]
    if play.ended:
        assert play.payoff[0] - earned == node.payoff * factor
        return {}
    after = {str(move): play.go_on(move) for move in play.moves}
    assert set(after) == set(node.edges)
    for name, later in after.items():
        assert later.machine.earned(later.state)[0] - earned == node.edges[name].earns * factor
    if play.actor == "chance":
        found = {str(move): probability for move, probability in play.machine.outcomes(play.state)}
        assert found == {name: edge.probability for name, edge in node.edges.items()}
    return after


def reachable(program: Program, start: Position) -> dict[Position, Node]:
    """All positions that plays reach."""
    found: dict[Position, Node] = {}
    waiting = [start]
    while waiting:
        position = waiting.pop()
        if position not in found:
            found[position] = program(position)
            waiting += [edge.to for edge in found[position].edges.values()]
    return found


def bounds(
    program: Program, start: Position, first: str, between: tuple[float, float], discount: float = 1, sweeps: int = 3000
) -> tuple[float, float]:
    """What the first player's payoff surely lies between, up to rounding, by value iteration from below and from above.

    All payoffs lie ``between`` these; every sweep keeps the values of finite plays on the side where they began. The
    player named ``first`` wants much, and everybody else wants little.
    """
    nodes = reachable(program, start)
    order = {position: number for number, position in enumerate(reversed(nodes))}
    table = [
        (
            node.actor,
            float(node.payoff),
            [
                (
                    order[edge.to],
                    float(edge.probability),
                    float(edge.earns),
                    1 if node.actor == "chance" or nodes[edge.to].actor == "end" else discount,
                )
                for edge in node.edges.values()
            ],
        )
        for node in reversed(nodes.values())
    ]
    found = []
    for side in between:
        values = [payoff if actor == "end" else side for actor, payoff, _ in table]
        for _ in range(sweeps):
            moved = 0.0
            for here, (actor, _, edges) in enumerate(table):
                if actor == "end":
                    continue
                worths = [(earns + factor * values[to], weight) for to, weight, earns, factor in edges]
                if actor == "chance":
                    new = sum(worth * weight for worth, weight in worths)
                else:
                    new = (max if actor == first else min)(worth for worth, _ in worths)
                moved = max(moved, abs(new - values[here]))
                values[here] = new
            if moved < 1e-15:
                break
        found.append(values[order[start]])
    return found[0], found[1]


def outcomes(program: Program, start: Position, first: str) -> dict[Position, tuple[int, int]]:
    """The result of every position of a game without chance whose payoffs are 1 and -1, and the plies to it.

    Retrograde analysis, level by level: a position is won for whoever is to move if a move wins, and lost if all moves
    lose; whoever wins hurries, and whoever loses delays. What is left over at the end is drawn, and missing here.
    """
    nodes = reachable(program, start)
    before: dict[Position, list[Position]] = {}
    for position, node in nodes.items():
        for edge in node.edges.values():
            before.setdefault(edge.to, []).append(position)
    left = {position: len(node.edges) for position, node in nodes.items()}
    found = {p: (int(node.payoff), 0) for p, node in nodes.items() if node.actor == "end" and node.payoff}
    level, plies = list(found), 0
    while level:
        plies += 1
        reached = []
        for after in level:
            value = found[after][0]
            for position in before.get(after, ()):
                left[position] -= 1
                wins = value == (1 if nodes[position].actor == first else -1)
                if position not in found and (wins or not left[position]):
                    found[position] = (value, plies)
                    reached.append(position)
        level = reached
    return found


def levels(program: Program, start: Position, depth: int) -> list[int]:
    """The number of plays of each length up to ``depth``."""
    here: Counter[Position] = Counter([start])
    counts = []
    for _ in range(depth):
        after: Counter[Position] = Counter()
        for position, times in here.items():
            for edge in program(position).edges.values():
                after[edge.to] += times
        counts.append(sum(after.values()))
        here = after
    return counts
