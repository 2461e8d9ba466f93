"""Fixtures: facts and algorithms for machines without rules; games in sequence form; trees as files."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from random import Random
from typing import Any

import pytest

import zermelo
from zermelo.interpreter.checks.game_facts import Facts
from zermelo.interpreter.facts import Fact
from zermelo.interpreter.machine import CHANCE, Machine
from zermelo.solvers.common.limits import Limits, ignore_progress
from zermelo.solvers.forms.extensive_form import SequenceForm, Sequences, sequence_form
from zermelo.solvers.solution import Answer, Problem
from zermelo.solvers.tree_building.building import build_tree


@pytest.fixture(scope="session")
def known() -> Callable[..., Facts]:
    """Makes facts that suit every solver, except for those given."""

    def make(**changes: Any) -> Facts:
        suits = {
            "players": ("A", "B"),
            "constant_sum": Fact(True, "the payoffs sum to 0"),
            "sum": Fraction(0),
            "common_payoff": Fact(False, "one play pays (1, -1)"),
            "chance": Fact(False, "chance never draws"),
            "simultaneous": Fact(False, "no two players choose at once"),
            "perfect_information": Fact(True, "everybody sees everything"),
            "terminates": Fact(True, "no decision can come again"),
        }
        known = {**suits, **changes}
        return Facts(**{"public_between_rounds": known["perfect_information"], **known})

    return make


@pytest.fixture(scope="session")
def answer(known: Callable[..., Facts]) -> Callable[..., Answer]:
    """Runs an algorithm on a machine, without checking its needs."""

    def run(algorithm: Callable[[Problem[Any]], Answer], machine: Machine[Any], **changes: Any) -> Answer:
        return algorithm(Problem(machine, known(**changes), machine.initial()))

    return run


@pytest.fixture(scope="session")
def random_form() -> Callable[..., SequenceForm]:
    """Makes random sequence forms: a few information sets for each player, and leaves anywhere."""

    def make(seed: int, players: int = 2, sets: int = 4, leaves: int = 12, zero_sum: bool = True) -> SequenceForm:
        random = Random(seed)
        tables = []
        for _ in range(players):
            parents, firsts = array("q"), array("q", [1])
            for _ in range(random.randrange(sets + 1)):
                parents.append(random.randrange(firsts[-1]))
                firsts.append(firsts[-1] + random.randrange(1, 4))
            tables.append(Sequences(parents, firsts, array("q", range(len(parents)))))
        ends = tuple(array("q", (random.randrange(len(table)) for _ in range(leaves))) for table in tables)
        payoffs = [array("q", (random.randrange(-9, 10) for _ in range(leaves))) for _ in range(players)]
        if zero_sum:
            payoffs[-1] = array("q", (-sum(column[leaf] for column in payoffs[:-1]) for leaf in range(leaves)))
        return SequenceForm(tuple(tables), ends, tuple(payoffs), 2 * leaves)

    return make


@pytest.fixture(scope="session")
def form_of() -> Callable[[str], SequenceForm]:
    """The sequence form of a bundled game."""

    def make(name: str) -> SequenceForm:
        game = zermelo.load(name)
        machine = game.searching
        return sequence_form(build_tree(machine, game.facts, machine.initial(), Limits(), ignore_progress), Limits())

    return make


@pytest.fixture(scope="session")
def tree_text() -> Callable[..., str]:
    """Writes a tree as a file: ``[player, next, ...]``, ``[CHANCE, (probability, next), ...]``, or a payoff: a tuple
    or, for two players and zero sum, a number."""

    def write(tree: Any, players: Sequence[str] = ("A", "B")) -> str:
        return "\n".join([f'game "Tree"\nplayers {", ".join(players)}\n\ntree:', *node(tree, players, "    ", "")])

    return write


def node(tree: Any, players: Sequence[str], indent: str, label: str) -> Iterator[str]:
    if not isinstance(tree, list):
        yield f"{indent}{label}{tree}"
        return
    actor, *following = tree
    yield f"{indent}{label}{'chance' if actor == CHANCE else players[actor]}:"
    for k, child in enumerate(following):
        if actor == CHANCE:
            yield from node(child[1], players, indent + "    ", f"{child[0]} o{k}: ")
        else:
            yield from node(child, players, indent + "    ", f"m{k}: ")
