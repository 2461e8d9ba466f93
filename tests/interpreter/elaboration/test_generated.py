"""Generated names never clash with names in files."""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import product
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_cases import many, seeds
from random_games.labelled import Node, is_told_apart_as_labelled, labelled_tree
from written_games import model_of

import zermelo
from zermelo.interpreter.elaboration import trees
from zermelo.interpreter.lowered_machines import machine_over
from zermelo.interpreter.machine import Machine, Move
from zermelo.interpreter.native.model_lowering import lower
from zermelo.interpreter.reference.machine import ReferenceMachine

TRIAL = Path(__file__).parents[2] / "trial" / "proofs" / "03_branch_named_root.game"

NAME: Final = re.compile(r"[A-Za-z_][A-Za-z_0-9]*")

HOSTILE: Final = (
    "root", "table", "node", "label", "player", "a", "b", "a_b", "set0", "set1", "set2", "root_a", "_", "__", "Ann",
    "Bob", "Cy", "phase", "turn", "start", "match", "chosen", "root0", "the", "p0", "k1", "S", "C", "L", "m", "n",
)  # fmt: skip
"""Names of branches, labels and choices that generated names once consisted of, or may in lowered text."""

names = st.from_regex(NAME, fullmatch=True)
paths = st.lists(names | st.sampled_from(HOSTILE), max_size=4).map(tuple)


@given(one=paths, other=paths, label=names, another=names)
def test_generated_names_are_written_by_nobody_and_differ(
    one: tuple[str, ...], other: tuple[str, ...], label: str, another: str
) -> None:
    made = [trees.node_phase(one), trees.label(label), trees.TABLE]
    assert not any(NAME.fullmatch(name) for name in made)
    assert len(set(made)) == 3
    assert (trees.node_phase(one) == trees.node_phase(other)) == (one == other)
    assert (trees.label(label) == trees.label(another)) == (label == another)


def test_the_grammar_has_no_other_names() -> None:
    """The premise of the proof in the module."""
    grammar = (Path(zermelo.__file__).parent / "grammar" / "game.lark").read_text()
    assert f"NAME:             /{NAME.pattern}/" in grammar


def test_a_branch_named_root() -> None:
    """By hand: with probability 1/2 Ann chooses between 5 and 7, else there is 1."""
    game = zermelo.loads(TRIAL.read_text())
    assert zermelo.solve(game).value == (4, -4)


@pytest.mark.parametrize("seed", seeds(60))
def test_labels_mean_the_same_whatever_they_are_called(seed: int) -> None:
    random = Random(seed)
    tree = labelled_tree(random, HOSTILE, HOSTILE, depth=random.choice((3, 4)), players=3)
    model = model_of(tree.game(random))
    assert is_told_apart_as_labelled(tree, ReferenceMachine(model))
    assert is_told_apart_as_labelled(tree, machine_over(lower(model)))


def backwards(node: Node) -> Fraction:
    """Ann's payoff in a tree of perfect information, by backward induction."""
    if node.payoff:
        return Fraction(node.payoff[0])
    below = [backwards(child) for child in node.children]
    if node.player is None:
        return sum((chance * value for chance, value in zip(node.chances, below, strict=True)), Fraction(0))
    return max(below) if node.player == "Ann" else min(below)


@pytest.mark.parametrize("seed", seeds(60))
def test_values_are_the_same_whatever_branches_are_called(seed: int) -> None:
    tree = labelled_tree(Random(seed), HOSTILE, HOSTILE, joined=0.0)
    value = backwards(tree.root)
    assert zermelo.solve(zermelo.loads(tree.game())).value == (value, -value)


@settings(max_examples=many(60), deadline=None)
@given(
    rows=st.lists(st.sampled_from(HOSTILE), min_size=1, max_size=3, unique=True),
    columns=st.lists(st.sampled_from(HOSTILE), min_size=1, max_size=3, unique=True),
)
def test_choices_of_tables_may_have_any_name(rows: list[str], columns: list[str]) -> None:
    cells = {(row, column): (k, -k) for k, (row, column) in enumerate(product(rows, columns))}
    lines = ['game "Choices"', "players Ann, Bob", "table:", f"    Ann \\ Bob | {' | '.join(columns)}"]
    for row in rows:
        shown = " | ".join(f"{cells[row, column][0]}, {cells[row, column][1]}" for column in columns)
        lines.append(f"    {row} | {shown}")
    model = model_of("\n".join(lines) + "\n")
    machines: tuple[Machine[Any], ...] = (ReferenceMachine(model), machine_over(lower(model)))
    for machine in machines:
        for (row, column), payoff in cells.items():
            state = machine.initial()
            for choice in (row, column):
                state = machine.after(state, Move(choice))
            assert machine.payoff(state) == payoff
