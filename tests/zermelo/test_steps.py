"""A search told node by node."""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import pairwise

import pytest
from attrs import evolve
from hypothesis import given
from random_trees import trees
from solving import solve

import zermelo
from zermelo.interpreter.machine import CHANCE
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.common.trace import Trace, WhichMoves, bounds_of_value
from zermelo.steps import orders_of_moves, pruned_plays, tell, tell_search


def told(game, solver, limits=None, machine=None):
    machine = machine or game.reference
    trace = Trace(machine)
    solve(machine, game.facts, solver, limits=limits, trace=trace)
    return trace, tell_search(trace, game.players, None).table()[1]


def test_the_textbook_tree():
    """Russell and Norvig: A22 and A23 are not looked at."""
    trace, rows = told(zermelo.load("two_ply_tree"), "alphabeta")
    assert pruned_plays(trace) == ["A2, A22", "A2, A23"]
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
    assert len(rows) == len(trace.nodes) + inner and not pruned_plays(trace)


def test_a_horizon_is_told():
    _, rows = told(zermelo.load("tic_tac_toe"), "alphabeta", Limits(depth=1))
    assert rows[1][0] == "mark(a1)" and rows[1][3] == "the horizon, estimated: 1/3; alpha at the root is now 1/3"


@pytest.mark.parametrize(
    ("written", "says"),
    [
        ([1, 1, [0, [1, 1, 5], 3]], "the end: 1; no less than beta at a"),
        ([0, 1, [1, [0, 1, -5], -3]], "the end: 1; no more than alpha at a"),
    ],
)
def test_an_amount_that_a_bound_has_already_does_not_move_it(tree, written, says):
    """Whoever begins gets 1 by the first move. Behind the second one they may come to choose 1 again."""
    _, rows = told(zermelo.load("two_ply_tree"), "alphabeta", machine=tree(written))
    assert says in [row[-1] for row in rows]


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


# Star1 and Star2, told node by node.


STARS = ["star1", "star2"]
GAME = zermelo.load("coin_flip_tree")
FACTS = evolve(GAME.facts, bounds=((Fraction(-3), Fraction(3)),) * 2)
"""Those of a tree whose payoffs lie between -3 and 3."""


def told_of_draws(machine, solver, facts):
    trace = Trace(machine)
    solution = solve(machine, facts, solver, trace=trace)
    return solution, trace, tell_search(trace, GAME.players, None).table()[1]


def what_happens(solver):
    return [(row[0].strip("| "), row[3]) for row in told_of_draws(GAME.reference, solver, GAME.facts)[2]]


def test_a_draw_is_left_when_its_mean_cannot_matter():
    """Behind heads, worth 0, the draw on the right is worth more than the 3 on the left only if tails is worth more
    than 6; MIN's first answer, 5, settles that."""
    rows = what_happens("star1")
    assert rows[0] == ("the root", "MAX is to move; a play pays MAX between -2 and 7")
    assert ("heads", "worth 0, with probability 1/2; right is now worth between -1 and 7/2") in rows
    assert ("tails", "MIN is to move; 6 or less leaves right at most alpha 3") in rows
    (cut,) = [what for _, what in rows if "not looked at" in what]
    assert cut.startswith(
        "alpha 6 >= beta 5: MAX has something as good elsewhere and would not let this happen; b is not"
    )
    assert cut.endswith("worth at most 5, with probability 1/2; right is now worth between -1 and 5/2")
    assert pruned_plays(told_of_draws(GAME.reference, "star1", GAME.facts)[1]) == ["right, tails, b"]


def test_a_probe_is_enough_to_leave_a_draw():
    rows = what_happens("star2")
    assert ("heads", "MIN is to move: a probe, the first move alone") in rows
    (cut,) = [what for _, what in rows if "not looked at" in what]
    assert cut == (
        "at most 5/2 <= alpha 3: MAX has something as good elsewhere and would not let this happen; "
        "tails is not looked at again; worth between -1 and 5/2; no better for MAX at the root"
    )


def test_the_most_that_a_play_pays_ends_the_search_of_a_node(tree):
    """All plays pay MAX between -3 and 3."""
    written = [CHANCE, ("1/2", [0, 3, 1]), ("1/2", [1, -3, 2])]
    said = [row[-1] for row in told_of_draws(tree(written), "star1", FACTS)[2]]
    for player, cut in (("MAX", "alpha 3 >= beta 3"), ("MIN", "alpha -3 >= beta -3")):
        assert any(each.startswith(f"{cut}: no play pays {player} more; b is not looked at") for each in said)


@pytest.mark.parametrize("solver", STARS)
@given(written=trees(most=20, chance=True))
def test_what_is_said_of_a_node_is_true_in_steps_of_draws(tree, solver, written):
    """Values and bounds, against expectiminimax on the whole tree; and that draws are known ever better."""
    machine = tree(written)
    whole = Trace(machine)
    solve(machine, GAME.facts, "expectiminimax", trace=whole)
    values = dict(zip(plays(whole), (node.value for node in whole.nodes), strict=True))
    solution, trace, rows = told_of_draws(machine, solver, FACTS)
    for play, node in zip(plays(trace), trace.nodes, strict=True):
        low, high = bounds_of_value(node.value)
        assert low <= values[play] <= high
    assert trace.nodes[0].value == solution.value[0] == values[()]
    left = [match[1] for row in rows if (match := re.search(r"(?:^|; )(worth .*?)(?:;|, with|$)", row[-1]))]
    inner = [node for node in trace.nodes if node.tried or node.probe is not None]
    assert len(left) == len(inner)
    play_of = dict(zip((node.number for node in trace.nodes), plays(trace), strict=True))
    for node, said in zip(
        sorted(inner, key=lambda node: (last_of_draws(trace, node), -node.number)), left, strict=True
    ):
        assert holds(said, values[play_of[node.number]])
    assert len([node for node in trace.nodes if node.probe is None]) == solution.counts["nodes"]


@pytest.mark.parametrize("solver", STARS)
@given(written=trees(most=20, chance=True))
def test_what_is_known_of_a_draw_is_what_the_search_knows(tree, solver, written):
    """What is said after the last outcome visited is what the search returns."""
    _, trace, _ = told_of_draws(tree(written), solver, FACTS)
    told_of = [step.what for step in tell(trace, GAME.players, has_window=True)]
    now = [what.split(" is now ")[1] for what in told_of if "probability" in what]
    assert len(now) == sum(node.parent is not None and trace.nodes[node.parent].actor == CHANCE for node in trace.nodes)
    for one, other in pairwise(told_of):
        if "probability" in one and other.startswith("worth ") and ", with" not in one.split(" is now ")[1]:
            assert other.startswith(one.split(" is now ")[1])


@given(written=trees(most=20, chance=True))
def test_a_probe_comes_before_the_other_moves(tree, written):
    _, trace, _ = told_of_draws(tree(written), "star2", FACTS)
    for node in trace.nodes:
        if node.part is WhichMoves.OTHERS:
            probe = trace.nodes[node.probe]
            assert probe.part is WhichMoves.FIRST and probe.goes_on and not probe.pruned
            assert (probe.parent, probe.move) == (node.parent, node.move)
            assert node.legal[0] not in node.pruned


def last_of_draws(trace, node):
    """The last node visited below one."""
    below = [each for each in trace.nodes if each.parent == node.number]
    return last_of_draws(trace, below[-1]) if below else node.number


def holds(said, value):
    """Whether what is said of a value is true."""
    if match := re.fullmatch(r"worth between (\S+) and (\S+)", said):
        return Fraction(match[1]) <= value <= Fraction(match[2])
    match = re.fullmatch(r"worth (at most |at least )?(\S+)", said)
    bound = Fraction(match[2])
    return value <= bound if match[1] == "at most " else value >= bound if match[1] else value == bound


@pytest.mark.parametrize("solver", STARS)
def test_the_command_tells_it_in_steps_of_draws(run, solver):
    record = run("solve", "coin_flip_tree", "--solver", solver, "--steps", "--json").record
    (pruned,) = [node for node in record["steps"] if node["pruned"]]
    assert pruned["pruned"] == ["b"]
    assert pruned["why"] == {"star1": "alpha 6 >= beta 5", "star2": "at most 5/2 <= alpha 3"}[solver]
    bounded = [node for node in record["steps"] if node["value"] is None]
    assert all(node["bounds"] for node in bounded) and bounded
    assert any(node["bounds"] == ["-1", "5/2"] for node in bounded)
