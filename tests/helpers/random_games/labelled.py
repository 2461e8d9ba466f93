"""Random trees with information sets, written as ``.game`` and as Gambit's ``.efg``.

Nodes of one set may lie at any depths. A set joins nodes of one player with equally many branches and with the same own
past (their earlier sets, with the moves there), so that recall is perfect; the nodes may differ in all else. The sets
are constructed here, without help of the project.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from fractions import Fraction
from random import Random
from typing import Any

from attrs import define, field, frozen

from zermelo.interpreter.machine import CHANCE, END

Branches = tuple[str, ...]

_CHANCES = ((1,), (1, 1), (1, 2), (1, 1, 2), (3, 2))
_PLAYERS = ("Ann", "Bob", "Cy")


@define
class Node:
    """``player`` is None for chance, ``set`` is -1 except for decisions; a leaf has a payoff and no branches."""

    player: str | None = None
    chances: tuple[Fraction, ...] = ()
    names: tuple[str, ...] = ()
    children: tuple[Node, ...] = ()
    payoff: tuple[int, ...] = ()
    set: int = -1

    def nodes(self, path: Branches = ()) -> Iterator[tuple[Branches, Node]]:
        """This node and all below it, each with its path of branches."""
        yield path, self
        for name, child in zip(self.names, self.children, strict=True):
            yield from child.nodes((*path, name))


@frozen
class LabelledTree:
    """``labels[s]`` is the label of set s, empty for a single node without a label."""

    players: tuple[str, ...]
    root: Node
    labels: tuple[str, ...]

    @property
    def sets(self) -> dict[Branches, int]:
        """The set of each decision node."""
        return {path: node.set for path, node in self.root.nodes() if node.set >= 0}

    def game(self, random: Random | None = None) -> str:
        """The text of the game, with the branches of each node shuffled by ``random``, if given."""
        lines = ['game "Labels"', f"players {', '.join(self.players)}", "tree:"]
        return "\n".join([*lines, *_written("    ", self.root, self.labels, random)]) + "\n"

    def efg(self) -> str:
        """The same tree for Gambit, with a number for each set of each player."""
        names = " ".join(f'"{player}"' for player in self.players)
        lines = [f'EFG 2 R "Labels" {{ {names} }} ""']
        numbers: dict[int, int] = {}
        counts = dict.fromkeys(self.players, 0)
        chances = outcomes = 0
        for _, node in self.root.nodes():
            if node.payoff:
                outcomes += 1
                lines.append(f't "" {outcomes} "" {{ {", ".join(map(str, node.payoff))} }}')
            elif node.player is None:
                chances += 1
                branches = " ".join(f'"{name}" {chance}' for name, chance in zip(node.names, node.chances, strict=True))
                lines.append(f'c "" {chances} "" {{ {branches} }} 0')
            else:
                if node.set not in numbers:
                    counts[node.player] += 1
                    numbers[node.set] = counts[node.player]
                number, player = numbers[node.set], self.players.index(node.player) + 1
                branches = " ".join(f'"{name}"' for name in node.names)
                lines.append(f'p "" {player} {number} "" {{ {branches} }} 0')
        return "\n".join(lines) + "\n"


def _written(indent: str, node: Node, labels: Sequence[str], random: Random | None) -> list[str]:
    if node.payoff:
        return [f"{indent}({', '.join(map(str, node.payoff))})"]
    label = labels[node.set] if node.set >= 0 else ""
    lines = [f"{indent}{node.player or 'chance'}{f' @{label}' if label else ''}:"]
    order = list(range(len(node.children)))
    if random is not None:
        random.shuffle(order)
    for k in order:
        first, *below = _written(f"{indent}    ", node.children[k], labels, random)
        before = "" if node.player else f"{node.chances[k]} "
        lines += [f"{indent}    {before}{node.names[k]}: {first.strip()}", *below]
    return lines


@define
class _Growing:
    random: Random
    players: tuple[str, ...]
    names: Sequence[str]
    depth: int
    sets: list[list[Node]] = field(factory=list)

    def node(self, depth: int) -> Node:
        """A random subtree, not yet in sets."""
        random = self.random
        if depth == self.depth or (depth > 1 and random.random() < 0.2):
            return Node(payoff=self._payoff())
        if random.random() < 0.3:
            parts = random.choice(_CHANCES)
            chances = tuple(Fraction(part, sum(parts)) for part in parts)
            names = tuple(random.sample(self.names, len(parts)))
            return Node(None, chances, names, tuple(self.node(depth + 1) for _ in parts))
        children = tuple(self.node(depth + 1) for _ in range(random.choice((1, 2, 2, 2, 3))))
        return Node(random.choice(self.players), (), (), children)

    def _payoff(self) -> tuple[int, ...]:
        if len(self.players) == 2:
            amount = self.random.randint(-4, 4)
            return amount, -amount
        return tuple(self.random.randint(-4, 4) for _ in self.players)

    def join(self, root: Node, joined: float) -> None:
        """Put all decision nodes into sets, from the top: the nodes above determine a player's past."""
        alike: dict[tuple[str, tuple[tuple[int, int], ...], int], list[int]] = {}
        level: list[tuple[Node, dict[str, tuple[tuple[int, int], ...]]]] = [(root, {})]
        while level:
            for node, pasts in level:
                if node.player is None or not node.children:
                    continue
                key = node.player, pasts.get(node.player, ()), len(node.children)
                known = alike.setdefault(key, [])
                if known and self.random.random() < joined:
                    node.set = self.random.choice(known)
                    node.names = self.sets[node.set][0].names
                    self.sets[node.set].append(node)
                else:
                    node.set = len(self.sets)
                    node.names = tuple(self.random.sample(self.names, len(node.children)))
                    self.sets.append([node])
                    known.append(node.set)
            level = [(child, _then(pasts, node, k)) for node, pasts in level for k, child in enumerate(node.children)]


def _then(pasts: dict[str, tuple[tuple[int, int], ...]], node: Node, k: int) -> dict[str, tuple[tuple[int, int], ...]]:
    if node.player is None:
        return pasts
    return {**pasts, node.player: (*pasts.get(node.player, ()), (node.set, k))}


def labelled_tree(
    random: Random,
    names: Sequence[str] = "abcdefg",
    labels: Sequence[str] = (),
    depth: int = 4,
    players: int = 2,
    joined: float = 0.7,
) -> LabelledTree:
    """A random tree whose branches have these names; sets are named by ``labels``, then by numbers. ``joined`` is the
    probability that a node joins an existing set if it can."""
    growing = _Growing(random, _PLAYERS[:players], names, depth)
    root = growing.node(0)
    growing.join(root, joined)
    given: list[str] = []
    for s, nodes in enumerate(growing.sets):
        called = random.choice([*labels, f"set{s}"])
        if called in given:
            called = f"another{s}"
        given.append(called if len(nodes) > 1 or random.random() < 0.3 else "")
    return LabelledTree(growing.players, root, tuple(given))


def is_told_apart_as_labelled(tree: LabelledTree, machine: Any) -> bool:
    """Whether two nodes give their player the same information state exactly if they are in the same set."""
    set_of: dict[Hashable, int] = {}
    known_in: dict[int, Hashable] = {}
    waiting: list[tuple[Node, Any]] = [(tree.root, machine.initial())]
    while waiting:
        node, state = waiting.pop()
        actor = machine.actor(state)
        if node.payoff:
            assert actor == END
            assert machine.payoff(state) == node.payoff
            continue
        assert actor == (CHANCE if node.player is None else tree.players.index(node.player))
        if actor != CHANCE:
            known = actor, machine.information_state(state, actor)
            if set_of.setdefault(known, node.set) != node.set or known_in.setdefault(node.set, known) != known:
                return False
        offered = machine.moves(state) if actor != CHANCE else [move for move, _ in machine.outcomes(state)]
        assert {move.name for move in offered} == set(node.names)
        for move in offered:
            waiting.append((node.children[node.names.index(move.name)], machine.after(state, move)))
    return True
