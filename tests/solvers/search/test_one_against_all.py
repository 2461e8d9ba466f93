"""Paranoid search, best-reply search, and max^n to a depth."""

from __future__ import annotations

from math import inf

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from random_trees import THREE_PAYOFFS, trees
from solving import solve

import zermelo
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.analysis import Fact
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.common.trace import Trace
from zermelo.solvers.search.maxn import best_reply, paranoid
from zermelo.solvers.solution import Certainty

ABC = ("A", "B", "C")


def against(node, me, has_replied, is_paranoid):
    """The payoff of player ``me`` under the assumption, by the definition."""
    if isinstance(node, tuple):
        return node[me]
    actor, *children = node
    if actor == me:
        return max(against(child, me, False, is_paranoid) for child in children)
    if is_paranoid:
        return min(against(child, me, True, is_paranoid) for child in children)
    first, *others = children
    if has_replied:
        return against(first, me, True, is_paranoid)
    return min([against(first, me, False, is_paranoid), *(against(child, me, True, is_paranoid) for child in others)])


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(written=trees(THREE_PAYOFFS, players=3, most=30), is_paranoid=st.booleans())
def test_what_the_searching_player_gets(tree, answer, written, is_paranoid):
    found = answer(paranoid if is_paranoid else best_reply, tree(written, ABC), players=ABC)
    assert found.certainty is Certainty.HEURISTIC
    me = written[0] if isinstance(written, list) else 0
    assert found.value[me] == against(written, me, False, is_paranoid)
    node = written
    for move in found.line:
        node = node[1 + ord(move.name) - ord("a")]
    assert node == found.value


def test_paranoid_play_overlooks_what_suits_all(tree, answer):
    """Going right is best for everybody, but A assumes that B would rather hurt A than win."""
    written = [0, (1, 0, 0), [1, (5, 5, 5), (0, 0, 0)]]
    found = answer(paranoid, tree(written, ABC), players=ABC)
    assert found.value == (1, 0, 0)
    assert "all others play against A" in found.notes[0]
    assert found.best[0].name == "a"


def test_best_reply_lets_one_opponent_reply(tree, answer):
    """B and C can bring A down only together."""
    written = [0, (1, 0, 0), [1, (9, 0, 0), [2, (7, 0, 0), (0, 0, 0)]]]
    assert answer(paranoid, tree(written, ABC), players=ABC).value == (1, 0, 0)
    assert answer(best_reply, tree(written, ABC), players=ABC).value == (7, 0, 0)


def test_the_next_opponent_may_reply_after_a_forced_move(tree, answer):
    """B has replied, A has only one move, and C may reply to it: the line leads to what that brings."""
    written = [0, [1, (9, 0, 0), [0, [2, (8, 0, 0), (3, 0, 0)]]], (1, 0, 0)]
    found = answer(best_reply, tree(written, ABC), players=ABC)
    assert found.value == (3, 0, 0)
    assert [move.name for move in found.line] == ["a", "b", "a", "b"]


ORDERED = """
game "Order"
players A, B, C
claim perfect_information, terminates
{order}
var opened: Bool = false
start at first
phase first:
    turn A:
        move begin:
            go second
phase second:
    turn B:
        move left:
            end payoff (5, 0, 0)
        move right:
            go third
phase third:
    turn C:
        move close:
            end payoff (9, 0, 0)
        move open:
            opened := true
            end payoff (0, 0, 0)
"""


def test_the_order_of_moves_tells_which_is_tried_first():
    plain = zermelo.loads(ORDERED.format(order=""))
    ordered = zermelo.loads(ORDERED.format(order="order moves by if opened then 1 else 0"))
    assert [zermelo.solve(game, "best_reply").value[0] for game in (plain, ordered)] == [5, 0]


@pytest.mark.parametrize("name", ["maxn", "paranoid", "best_reply"])
def test_a_depth_needs_an_estimate_and_is_told(name):
    game = zermelo.load("n_person_nim")
    with pytest.raises(ZermeloError) as raised:
        solve(game.reference, game.facts, name, limits=Limits(depth=2))
    assert raised.value.code == "needs-estimate"
    found = solve(game.searching, game.facts, name, limits=Limits(depth=2), rollouts=True, seed=1)
    assert not found.exact
    assert found.counts["depth"] == 2
    assert any("looked 2 plies ahead" in note for note in found.notes)
    assert found == solve(game.searching, game.facts, name, limits=Limits(depth=2), rollouts=True, seed=1)


@pytest.mark.parametrize("name", ["maxn", "paranoid", "best_reply"])
def test_a_depth_that_is_enough_changes_nothing(name):
    game = zermelo.load("three_player_tree")
    whole = solve(game.searching, game.facts, name)
    deep = solve(game.searching, game.facts, name, limits=Limits(depth=5), rollouts=True)
    assert (deep.value, deep.best, deep.certainty) == (whole.value, whole.best, whole.certainty)
    assert deep.counts == whole.counts


def test_a_limit_of_nodes_leaves_the_last_depth():
    game = zermelo.load("n_person_nim")
    found = solve(game.reference, game.facts, "maxn", limits=Limits(nodes=30), rollouts=True)
    assert found.certainty is Certainty.DEPTH_LIMITED
    assert found.counts["depth"] >= 1
    assert "stopped within 30 nodes" in found.notes[0]


def test_a_search_to_one_depth_after_the_other_is_not_recorded():
    game = zermelo.load("three_player_tree")
    with pytest.raises(ZermeloError) as raised:
        solve(game.reference, game.facts, "maxn", limits=Limits(nodes=3), rollouts=True, trace=Trace(game.reference))
    assert raised.value.code == "cannot-be-traced"


@pytest.mark.parametrize("name", ["minimax", "alphabeta", "expectiminimax", "maxn", None])
@pytest.mark.parametrize("depth", [2, inf])
def test_a_search_that_time_may_stop_is_recorded_as_the_one_that_it_is(name, depth):
    game = zermelo.load("horizon_effect")
    seen = []
    for seconds in (inf, 3600):
        trace = Trace(game.reference)
        found = solve(game.reference, game.facts, name, limits=Limits(seconds, depth=depth), trace=trace)
        seen.append((found.solver, found.value, found.certainty, [(node.move, node.value) for node in trace.nodes]))
    assert seen[0] == seen[1]


def test_the_default_for_several_players_under_a_limit():
    game = zermelo.load("three_player_tree")
    assert solve(game.reference, game.facts, limits=Limits(depth=1), rollouts=True).solver == "maxn"


def test_two_players_need_no_assumption(tree, known):
    with pytest.raises(ZermeloError) as raised:
        solve(tree([0, 1, 2]), known(), "paranoid")
    assert raised.value.code == "needs-several-opponents"
    chance = known(players=ABC, chance=Fact(True, "chance draws"))
    with pytest.raises(ZermeloError) as raised:
        solve(tree([0, (1, 2, 3)], ABC), chance, "best_reply")
    assert raised.value.code == "needs-no-chance"
