"""A search told node by node."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest
from hypothesis import given
from random_trees import trees
from solving import solve

import zermelo
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.common.trace import Trace
from zermelo.steps import is_windowed, orders_of_moves, plays_pruned, steps


def told(game, solver, limits=None, machine=None):
    machine = machine or game.reference
    trace = Trace(machine)
    solve(machine, game.facts, solver, limits=limits, trace=trace)
    return trace, steps(trace, game.players, is_windowed(trace))[1]


def test_the_textbook_tree():
    """Russell and Norvig: A22 and A23 are not looked at."""
    trace, rows = told(zermelo.load("two_ply_tree"), "alphabeta")
    assert plays_pruned(trace) == ["A2, A22", "A2, A23"]
    (cut,) = [row for row in rows if "not looked at" in row[3]]
    assert cut[:3] == ("A2", "3", "2")
    assert cut[3] == (
        "alpha 3 >= beta 2: MAX has something as good elsewhere and would not let this happen; "
        "A22 and A23 are not looked at; worth at most 2; no better for MAX at the root"
    )
    assert rows[0] == ("the root", "-inf", "inf", "MAX is to move")
    assert rows[-1] == ("the root", "3", "inf", "worth 3")


@pytest.mark.parametrize(
    ("name", "solver", "says"),
    [
        ("two_ply_tree", "minimax", "the end: 12; no better for MIN at A1"),
        ("coin_flip_tree", "expectiminimax", "worth -2, with probability 1/2"),
        ("three_player_tree", "maxn", "worth (4, 3, 2); 4 is the best so far for A at the root"),
    ],
)
def test_other_searches_have_no_windows(name, solver, says):
    trace, rows = told(zermelo.load(name), solver)
    assert all(len(row) == 2 for row in rows) and says in [row[1] for row in rows]
    inner = sum(bool(node.tried) for node in trace.nodes)
    assert len(rows) == len(trace.nodes) + inner and not plays_pruned(trace)


def test_a_horizon_is_told():
    _, rows = told(zermelo.load("tic_tac_toe"), "alphabeta", Limits(depth=1))
    assert rows[1][0] == "mark(a1)" and rows[1][3] == "the horizon, estimated: 1/3; alpha at the root is now 1/3"


@given(written=trees(most=30))
def test_what_is_said_of_a_node_is_true(tree, written):
    """Of each inner node that alpha-beta has left, against minimax on the whole tree."""
    game = zermelo.load("two_ply_tree")  # the facts are the same
    whole, _ = told(game, "minimax", machine=tree(written))
    trace, rows = told(game, "alphabeta", machine=tree(written))
    values = dict(zip(plays(whole), (node.value for node in whole.nodes), strict=True))
    left = [match for row in rows if (match := re.search(r"\bworth (at most |at least )?(\S+?)(;|$)", row[-1]))]
    inner = list(postorder(trace))
    assert len(left) == len(inner)
    for play, match in zip(inner, left, strict=True):
        said, value = Fraction(match[2]), values[play]
        assert value <= said if match[1] == "at most " else value >= said if match[1] else value == said
    assert len(trace.nodes) <= len(whole.nodes)


def plays(trace):
    found = []
    for node in trace.nodes:
        found.append(() if node.parent is None else (*found[node.parent], node.move))
    return found


def postorder(trace):
    """The plays to the inner nodes, as they are left."""
    names = plays(trace)
    for k in sorted((k for k, node in enumerate(trace.nodes) if node.tried), key=lambda k: (last(trace, k), -k)):
        yield names[k]


def last(trace, number):
    """The last node visited below one."""
    below = [node.number for node in trace.nodes if node.parent == number]
    return last(trace, below[-1]) if below else number


@pytest.mark.parametrize(("width", "depth"), [(3, 4), (2, 7), (4, 3)])
def test_perfect_order_halves_the_exponent(width, depth):
    """Knuth and Moore 1975: b^ceil(m/2) + b^floor(m/2) - 1 leaves, whatever the order of the file."""
    for order in ("best_first", "worst_first"):
        game = zermelo.load("uniform_tree", width=width, depth=depth, order=order)
        as_it_is, first, _, every = orders_of_moves(game, game.facts, game.reference.initial(), Limits())
        assert first.leaves == width ** ((depth + 1) // 2) + width ** (depth // 2) - 1
        assert every.leaves == width**depth >= as_it_is.leaves


def test_the_command_tells_it(run):
    ran = run("solve", "two_ply_tree", "--solver", "alphabeta", "--steps")
    assert ran.code == 0
    assert "not looked at  A2, A22; A2, A23" in ran.out
    assert re.search(r"alpha-beta, best first +9 +5", ran.out)
    record = run("solve", "two_ply_tree", "--solver", "alphabeta", "--steps", "--json").record
    assert [node["pruned"] for node in record["steps"] if node["pruned"]] == [["A22", "A23"]]


def test_a_large_search_is_not_told(run):
    ran = run("solve", "tic_tac_toe", "--solver", "alphabeta", "--steps")
    assert ran.code == 1 and ran.err.startswith("error[trace-too-large]: the search has more than 500 nodes")
    ran = run("solve", "two_ply_tree", "--solver", "mtdf", "--steps")
    assert ran.code == 1 and ran.err.startswith("error[cannot-be-traced]")
