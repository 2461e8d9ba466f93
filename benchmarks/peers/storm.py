"""Storm, a model checker of Markov chains (Hensel, Junges, Katoen, Quatmann and Volk 2022), by its package stormpy.

A graph of positions in which nobody decides is written to files of its explicit format, and read. That is not measured.
Its sound mode is optimistic value iteration, whose bounds are as far apart as its precision of 1e-6.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.measure import import_peer
from zermelo.solvers.positions.graph.graph import ROOT, PositionGraph

NAME = "Storm, sound"

PROBABILITY = 'P=? [F "won"]'
"""What is asked for: with which probability the first player wins."""

TOTAL = 'R=? [F "end"]'
"""How much the first player earns on average."""


def chain_check(graph: PositionGraph, asked: str) -> Callable[[], int]:
    """A function that answers a question about a chain, and returns 1. Raises
    :class:`~benchmarks.measure.Unavailable`."""
    storm = import_peer("stormpy", "stormpy")
    with TemporaryDirectory() as folder:
        chain, labels, earnings = (Path(folder, f"chain.{kind}") for kind in ("tra", "lab", "trew"))
        chain.write_text("dtmc\n" + "".join(_rows(graph)), encoding="utf-8")
        labels.write_text("".join(_labels(graph)), encoding="utf-8")
        earnings.write_text("".join(_earnings(graph)), encoding="utf-8")
        earned = str(earnings) if graph.rewards is not None else None  # it cannot read an empty file
        model = storm.build_model_from_explicit(str(chain), str(labels), transition_rewards=earned)
    question = storm.parse_properties(asked)[0]

    def answer() -> int:
        environment = import_module("stormpy.environments").sound()
        storm.model_checking(model, question, environment=environment, only_initial_states=True)
        return 1

    return answer


def _rows(graph: PositionGraph) -> Iterator[str]:
    """The probabilities of all steps; ends stay where they are."""
    for p in range(len(graph)):
        shares: dict[int, float] = {} if graph.edges(p) else {p: 1.0}
        for edge, share in zip(graph.edges(p), graph.probabilities(p) if graph.edges(p) else (), strict=True):
            shares[graph.targets[edge]] = shares.get(graph.targets[edge], 0.0) + float(share)
        yield from (f"{p} {target} {share!r}\n" for target, share in sorted(shares.items()))


def _labels(graph: PositionGraph) -> Iterator[str]:
    """Where the play begins, ends, and is won by the first player."""
    yield "#DECLARATION\ninit won end\n#END\n"
    for p in range(len(graph)):
        is_end = not graph.edges(p)
        names = [("init", p == ROOT), ("won", is_end and graph.payoff(p)[0] > 0), ("end", is_end)]
        if any(holds for _, holds in names):
            yield f"{p} {' '.join(name for name, holds in names if holds)}\n"


def _earnings(graph: PositionGraph) -> Iterator[str]:
    """What the first player earns by each step. Edges to the same position must earn the same."""
    for p in range(len(graph)):
        earned = {graph.targets[edge]: float(graph.reward(edge)[0]) for edge in graph.edges(p)}
        yield from (f"{p} {target} {amount!r}\n" for target, amount in sorted(earned.items()) if amount)
