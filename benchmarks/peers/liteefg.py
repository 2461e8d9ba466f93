"""LiteEFG (Liu, Farina and Ozdaglar 2024): its CFR+ on a game written to a file in its own format."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import redirect_stdout
from importlib import import_module
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.measure import import_peer
from zermelo.solvers.forms.extensive_form import CHANCE_NODE, ExtensiveForm

NAME = "LiteEFG"


def cfr_plus(tree: ExtensiveForm) -> Callable[[], tuple[int, int]]:
    """An iteration of its CFR+ with linear averaging on a game of two players, which returns 1 and 0; raises
    :class:`~benchmarks.measure.Unavailable`."""
    lite = import_peer("LiteEFG", NAME)
    with redirect_stdout(StringIO()):  # it prints when it is ready
        graph = import_module("LiteEFG.baselines.CFRplus").graph()
    with TemporaryDirectory() as folder:
        file = Path(folder, "game")
        file.write_text(game_text(tree), encoding="utf-8")
        environment = lite.FileEnv(str(file))
    environment.set_graph(graph)

    def iterate() -> tuple[int, int]:
        graph.update_graph(environment)
        environment.update_strategy(graph.current_strategy())
        return 1, 0

    return iterate


def game_text(tree: ExtensiveForm) -> str:
    """A game in the format of LiteEFG: every history, named by its path, and the information sets."""
    sets: list[list[str]] = [[] for _ in range(len(tree.information_sets))]
    lines = list(_histories(tree, sets))
    lines += (f"infoset set{s} nodes {' '.join(names)}" for s, names in enumerate(sets))
    players = f"#     players: {len(tree.player_names)},"
    head = ["# game instance with parameters:", "#", "# Opt {", "#     openspiel,", players, "# }", "#"]
    return "\n".join([*head, *lines]) + "\n"


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
