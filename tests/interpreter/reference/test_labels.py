"""Information sets of trees: exactly the nodes that the labels join, at any depth and after any moves of others. The
trees are random, and their sets are known independently of the machines."""

from __future__ import annotations

from random import Random

import pytest
from random_cases import seeds
from random_games.labelled import LabelledTree, is_told_apart_as_labelled, labelled_tree
from written_games import model_of

from zermelo.grammar.diagnostics import Source
from zermelo.interpreter.check import check
from zermelo.interpreter.lowered_machines import machine_over
from zermelo.interpreter.native.model_lowering import lower
from zermelo.interpreter.reference.machine import ReferenceMachine


@pytest.mark.parametrize("seed", seeds(200))
def test_labels_alone_make_information_sets(seed: int) -> None:
    random = Random(seed)
    tree = labelled_tree(random, depth=random.choice((3, 4, 5)), players=random.choice((1, 2, 2, 3)))
    model = model_of(tree.game(random))
    assert is_told_apart_as_labelled(tree, ReferenceMachine(model))
    assert is_told_apart_as_labelled(tree, machine_over(lower(model)))


def test_the_trees_try_what_is_hard() -> None:
    """Many have a set with nodes at different depths, and after decisions of other players."""
    trees = [labelled_tree(Random(seed)) for seed in range(200)]
    deep = 0
    for tree in trees:
        depths: dict[int, set[int]] = {}
        for path, number in tree.sets.items():
            depths.setdefault(number, set()).add(len(path))
        deep += any(len(found) > 1 for found in depths.values())
    assert deep > 50


def test_a_label_that_would_need_forgetting_is_refused() -> None:
    """A node below another one of its own set: the player remembers their move there."""
    refused = 0
    for seed in range(100):
        tree = labelled_tree(Random(seed), players=1)
        joined = {path: node for path, node in tree.root.nodes() if node.player}
        pairs = [
            (above, below)
            for path, above in joined.items()
            for other, below in joined.items()
            if len(other) > len(path) and other[: len(path)] == path and set(above.names) == set(below.names)
        ]
        if not pairs:
            continue
        above, below = pairs[0]
        below.set = above.set
        labels = [label or f"set{number}" for number, label in enumerate(tree.labels)]
        _, findings = check(Source("labels.game", LabelledTree(tree.players, tree.root, tuple(labels)).game()), {})
        assert "forgetful-label" in {finding.code for finding in findings}
        refused += 1
    assert refused > 3
