"""The tree of a single player who does not see everything has the worths of their plan at its nodes."""

from __future__ import annotations

import pytest

import zermelo
from zermelo.drawing.game_trees import draw_game_tree, grow, worths_by, worths_of
from zermelo.solvers.common.limits import Limits


@pytest.mark.parametrize("name", ["wildcatter", "pit_cave", "vacuum"])
def test_the_root_is_worth_what_the_plan_brings(name):
    root = zermelo.load(name).initial
    nodes = grow(root, 3, 2_000)
    solution = zermelo.solve(root.game)
    assert solution.plan is not None
    for worths in (worths_of(nodes, None, Limits(), lambda _: None), worths_by(solution, root, True)(nodes)):
        assert worths.nodes[0].payoff == solution.value


def test_bold_is_what_the_plan_does():
    """Drill after the survey if it says wet, else leave: 5 and -1, each with probability 1/2."""
    tree = draw_game_tree(zermelo.load("wildcatter").initial)
    best = [(node.label, node.value) for node in tree.nodes if node.is_best]
    assert best == [(("survey",), "5"), (("survey",), "-1"), (("drill",), "5"), (("leave",), "-1")]
    assert tree.nodes[0].value == "2" and tree.remarks[0].startswith("Numbers: what Wildcatter gets by the plan.")


def test_where_the_plan_never_leads_nothing_is_said():
    nodes = grow(zermelo.load("wildcatter").initial, 5, 100)
    worths = worths_of(nodes, None, Limits(), lambda _: None)
    reached = {0}
    for number, node in enumerate(nodes):
        if number in reached:
            best = worths.nodes[number].best
            chosen = node.children if not best else [node.children[k] for k in best]
            reached |= set(chosen)
    for number, (node, worth) in enumerate(zip(nodes, worths.nodes, strict=True)):
        assert (worth.payoff is not None) or number not in reached
        assert node.state.is_over or number in reached or not worth.best
