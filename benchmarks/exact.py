"""Hidden information: the time to build the tree of a game, and to find its exact value with a certificate;
and best responses in a game of too many histories."""

from __future__ import annotations

from array import array
from random import Random
from time import perf_counter
from typing import Final

import zermelo
from benchmarks import ours
from benchmarks.measure import seconds_of
from benchmarks.report import Delay
from zermelo.solvers.beliefs.belief_search import Meter
from zermelo.solvers.beliefs.uniform_others import expectation, perceived_graph, response_to_uniform
from zermelo.solvers.common.limits import Limits, ignore_progress
from zermelo.solvers.forms.extensive_form import SequenceForm, Sequences
from zermelo.solvers.imperfect_information.sequence_form_lp import equilibrium
from zermelo.solvers.tree_building.building import build_tree

_SIZE: Final = 100
_LARGEST: Final = 100

_MEMORY: Final = 24 << 30
"""The memory allowed for beliefs; dark hex takes less than a twentieth of it."""


def trees() -> list[Delay]:
    """The arrays of the extensive form, built by a compiled kernel."""
    return [
        Delay(
            task="Leduc poker, the tree: 9,457 histories, 936 information sets",
            ours=_building_seconds("leduc_poker"),
            limit=0.02,
        ),
        Delay(
            task="liar's dice, the tree: 294,883 histories, 24,576 information sets",
            ours=_building_seconds("liars_dice"),
            limit=0.5,
        ),
    ]


def values() -> list[Delay]:
    """Values as fractions: the tree, the linear program, the basis solved again, and the check."""
    return [
        Delay(task="Leduc poker, the exact value", ours=_solving_seconds("leduc_poker"), limit=5),
        Delay(task="liar's dice, the exact value", ours=_solving_seconds("liars_dice"), limit=60),
        Delay(
            task=f"a random game of {_SIZE} x {_SIZE} whole numbers, the exact value",
            ours=seconds_of(_random_game),
            limit=10,
        ),
    ]


def responses() -> list[Delay]:
    """Uniform play in a game of too many histories: what it brings, and both best responses, over beliefs."""
    machine, begin = ours.machine_of("dark_hex", size=3), perf_counter()
    graph = perceived_graph(machine, machine.initial(), Meter(Limits(memory=_MEMORY), ignore_progress))
    value, best = expectation(graph)[0], [response_to_uniform(graph, player)[0] for player in (0, 1)]
    task = f"dark hex 3x3, uniform play {value}, best responses {best[0]} and {best[1]}"
    return [Delay(task=task, ours=perf_counter() - begin, limit=1200)]


def _building_seconds(name: str) -> float:
    game, machine = zermelo.load(name), ours.machine_of(name)

    def build() -> None:
        build_tree(machine, game.facts, machine.initial(), Limits(), ignore_progress)

    build()  # the first run compiles
    return min(seconds_of(build) for _ in range(3))


def _solving_seconds(name: str) -> float:
    game = zermelo.load(name)
    return seconds_of(lambda: _require_proof(zermelo.solve(game, "sequence_form").exact))


def _random_game() -> None:
    random = Random(1)
    matrix = [random.randint(-_LARGEST, _LARGEST) for _ in range(_SIZE * _SIZE)]
    player = Sequences(array("q", [0]), array("q", [1, _SIZE + 1]), array("q", [0]))
    rows = array("q", (1 + i for i in range(_SIZE) for _ in range(_SIZE)))
    columns = array("q", (1 + j for _ in range(_SIZE) for j in range(_SIZE)))
    form = SequenceForm((player, player), (rows, columns), (matrix, [-payoff for payoff in matrix]), 1)
    found = equilibrium(form, Limits())
    _require_proof(found is not None and found.is_exact)


def _require_proof(is_exact: bool) -> None:
    if not is_exact:
        raise RuntimeError("the value has not been proved")
