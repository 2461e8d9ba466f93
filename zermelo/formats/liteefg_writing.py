"""The tree of a game, written for LiteEFG (Liu, Farina and Ozdaglar 2024): every history, named by its path, and the
information sets."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from zermelo.solvers.forms.extensive_form import CHANCE_NODE, ExtensiveForm


def liteefg_text(tree: ExtensiveForm) -> str:
    """A game in the format of LiteEFG, which has decimals in place of fractions."""
    sets: list[list[str]] = [[] for _ in range(len(tree.information_sets))]
    lines = list(_histories(tree, sets))
    lines += (f"infoset set{s} nodes {' '.join(names)}" for s, names in enumerate(sets))
    players = f"#     players: {len(tree.player_names)},"
    head = ["# game instance with parameters:", "#", "# Opt {", "#     openspiel,", players, "# }", "#"]
    return "\n".join([*head, *lines]) + "\n"


def inexact_numbers(tree: ExtensiveForm) -> list[Fraction]:
    """The payoffs and probabilities that no decimal of double precision gives exactly, each once."""
    numbers = {Fraction(amount, tree.denominator) for amount in tree.payoffs}
    for node in range(tree.nodes):
        if tree.sets_of[node] == CHANCE_NODE:
            weights = [tree.weights[edge] for edge in tree.edges(node)]
            numbers |= {Fraction(weight, sum(weights)) for weight in weights}
    return sorted(number for number in numbers if Fraction(repr(float(number))) != number)


def _histories(tree: ExtensiveForm, sets: list[list[str]]) -> Iterator[str]:
    """A line for every history, before those of its continuations; adds its name to its information set."""
    waiting = [("h", tree.nodes - 1)]
    while waiting:
        name, node = waiting.pop()
        if node < 0:
            payoffs = (f"{player + 1}={float(amount)!r}" for player, amount in enumerate(tree.payoff(-1 - node)))
            yield f"node {name} leaf payoffs {' '.join(payoffs)}"
            continue
        edges = range(tree.firsts[node], tree.firsts[node + 1])
        names = [f"{name}.{k}" for k in range(len(edges))]
        waiting += zip(names, (tree.children[edge] for edge in edges), strict=True)
        s = tree.sets_of[node]
        if s == CHANCE_NODE:
            total = sum(tree.weights[edge] for edge in edges)
            shares = (f"{each}={tree.weights[edge] / total!r}" for each, edge in zip(names, edges, strict=True))
            yield f"node {name} chance actions {' '.join(shares)}"
        else:
            sets[s].append(name)
            yield f"node {name} player {tree.information_sets.players[s] + 1} actions {' '.join(names)}"
