"""Random small games with information sets, and a second way of judging assessments, for tests of equilibria.

A game is played in stages: in each one actor, a player or chance, makes one of two moves, one of which may end it. Each
player sees the moves of some stages, and always their own; what they have seen so far is their information set, so that
they have perfect recall.
"""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from random import Random

from attrs import define, field, frozen

from zermelo.interpreter.machine import CHANCE, Move
from zermelo.solvers.forms.extensive_form import CHANCE_NODE, ExtensiveForm, InformationSets

MOVES = 2


@define(eq=False)
class Node:
    """A history: its ``actor``, what they know, and what follows; ``payoff`` at an end."""

    actor: int = CHANCE
    known: tuple[object, ...] = ()
    weights: tuple[int, ...] = (1, 1)
    children: list[Node] = field(factory=list)
    payoff: tuple[int, ...] | None = None
    number: int = 0


@frozen
class Tremble:
    """A probability ``weight * e ** order``, for a vanishing e."""

    order: int
    weight: Fraction

    def __mul__(self, other: Tremble) -> Tremble:
        return Tremble(self.order + other.order, self.weight * other.weight)


Behaviour = Mapping[int, list[Tremble]]
"""What is done in each information set."""


def random_game(seed: int, players: int, stages: int) -> Node:
    """The root of a game."""
    random = Random(seed)
    actors = [random.choice([CHANCE, *range(players)]) if t == 0 else random.randrange(players) for t in range(stages)]
    sees = [[random.random() < 0.5 for _ in range(players)] for _ in range(stages)]
    ends = [random.choice([None, 0]) for _ in range(stages)]

    def grow(stage: int, made: tuple[int, ...], is_over: bool) -> Node:
        if is_over or stage == stages:
            return Node(payoff=tuple(random.randint(0, 4) for _ in range(players)))
        actor = actors[stage]
        seen = tuple(
            m if actor != CHANCE and (sees[t][actor] or actors[t] == actor) else None for t, m in enumerate(made)
        )
        node = Node(actor, (stage, *seen), tuple(random.randint(1, 3) for _ in range(MOVES)))
        node.children = [
            grow(stage + 1, (*made, move), actor != CHANCE and ends[stage] == move) for move in range(MOVES)
        ]
        return node

    return grow(0, (), False)


def _histories(node: Node) -> Iterator[Node]:
    yield node
    for child in node.children:
        yield from _histories(child)


def extensive_form(root: Node, players: int) -> ExtensiveForm:
    """The game in arrays; the information set of each node of a player becomes its ``number``."""
    inner = [node for node in _histories(root) if node.children]
    numbers = {id(node): len(inner) - 1 - k for k, node in enumerate(inner)}
    sets: dict[tuple[object, ...], int] = {}
    owner, parents, firsts, following = array("q"), array("q"), array("q"), [1] * players
    leaves: list[tuple[Node, tuple[int, ...]]] = []
    at_leaf: dict[int, int] = {}

    def walk(node: Node, sequences: tuple[int, ...]) -> None:
        if not node.children:
            at_leaf[id(node)] = len(leaves)
            leaves.append((node, sequences))
            return
        if node.actor != CHANCE:
            key = (node.actor, *node.known)
            if key not in sets:
                sets[key] = len(sets)
                owner.append(node.actor)
                parents.append(sequences[node.actor])
                firsts.append(following[node.actor])
                following[node.actor] += MOVES
            node.number = sets[key]
            assert parents[node.number] == sequences[node.actor], "perfect recall"
        for k, child in enumerate(node.children):
            made = list(sequences)
            if node.actor != CHANCE:
                made[node.actor] = firsts[node.number] + k
            walk(child, tuple(made))

    walk(root, (0,) * players)
    ordered = inner[::-1]
    return ExtensiveForm(
        tuple("ABC"[:players]),
        array("q", (CHANCE_NODE if node.actor == CHANCE else node.number for node in ordered)),
        array("q", range(0, MOVES * len(ordered) + 1, MOVES)),
        array("q", (numbers.get(id(c), -1 - at_leaf.get(id(c), 0)) for node in ordered for c in node.children)),
        [w if node.actor == CHANCE else 1 for node in ordered for w in node.weights],
        [amount for node, _ in leaves for amount in node.payoff or ()],
        1,
        array("q", (sequence for _, sequences in leaves for sequence in sequences)),
        InformationSets(
            owner,
            parents,
            firsts,
            array("q", range(0, MOVES * len(owner) + 1, MOVES)),
            [Move(f"m{k}") for _ in owner for k in range(MOVES)],
            lambda s: (),
        ),
        len(inner) + len(leaves),
    )


def beliefs(root: Node, behaviour: Behaviour) -> dict[int, list[tuple[Node, Fraction]]]:
    """The limits of Bayes' beliefs in each information set."""
    reached: dict[int, list[tuple[Node, Tremble]]] = defaultdict(list)

    def walk(node: Node, reach: Tremble) -> None:
        if not node.children:
            return
        if node.actor == CHANCE:
            made = [Tremble(0, Fraction(weight, sum(node.weights))) for weight in node.weights]
        else:
            reached[node.number].append((node, reach))
            made = behaviour[node.number]
        for tremble, child in zip(made, node.children, strict=True):
            walk(child, reach * tremble)

    walk(root, Tremble(0, Fraction(1)))
    found = {}
    for s, nodes in reached.items():
        least = min(reach.order for _, reach in nodes)
        weights = [(node, reach.weight if reach.order == least else Fraction(0)) for node, reach in nodes]
        whole = sum(weight for _, weight in weights)
        found[s] = [(node, weight / whole) for node, weight in weights]
    return found


def is_rational(behaviour: Behaviour, believed: Mapping[int, list[tuple[Node, Fraction]]]) -> bool:
    """Whether every move that is made is best, given the beliefs and what is made afterwards."""

    def worth(node: Node, player: int) -> Fraction:
        if node.payoff is not None:
            return Fraction(node.payoff[player])
        if node.actor == CHANCE:
            shares = [Fraction(weight, sum(node.weights)) for weight in node.weights]
        else:
            shares = [Fraction(0) if each.order else each.weight for each in behaviour[node.number]]
        return sum(
            (share * worth(child, player) for share, child in zip(shares, node.children, strict=True) if share),
            Fraction(0),
        )

    for s, nodes in believed.items():
        values = [
            sum((share * worth(node.children[k], node.actor) for node, share in nodes), Fraction(0))
            for k in range(MOVES)
        ]
        if any(not each.order and value < max(values) for each, value in zip(behaviour[s], values, strict=True)):
            return False
    return True


def random_behaviour(
    prescribed: Callable[[int], list[Fraction] | None], sets: int, random: Random
) -> dict[int, list[Tremble]]:
    """Moves that are made as prescribed, others with random trembles; anything where nothing is prescribed."""
    found = {}
    for s in range(sets):
        shares = prescribed(s)
        if shares is None:
            one = random.choice([Fraction(1), Fraction(1), Fraction(0), Fraction(0), Fraction(random.randint(1, 3), 4)])
            shares = [one, 1 - one]
        found[s] = [
            Tremble(0, share) if share else Tremble(random.randint(1, 3), Fraction(random.choice([1, 1, 2, 3, 5]), 2))
            for share in shares
        ]
    return found
