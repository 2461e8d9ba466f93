""""""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import inf

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from random_trees import THREE_PAYOFFS, trees
from solving import solve

import zermelo
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.facts import Fact
from zermelo.interpreter.machine import CHANCE, Move
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.common.trace import Trace
from zermelo.solvers.search import maxn as module
from zermelo.solvers.search.maxn import best_reply, maxn, paranoid
from zermelo.solvers.solution import Certainty

HALF = Fraction(1, 2)
ABC = ("A", "B", "C")


def test_three_players(tree, answer):
    found = answer(maxn, tree([0, [2, (4, 3, 2), (7, 4, 1)], [2, (1, 5, 2), (7, 7, 1)]], ABC), players=ABC)
    assert found.value == (4, 3, 2)
    assert found.best == (Move("a"),)
    assert found.line == (Move("a"), Move("a"))
    assert found.alternatives == ()
    assert found.notes == ()


def test_one_player_maximises(tree, answer):
    found = answer(maxn, tree([0, (1,), [0, (5,), (7,)], (6,)], ("Solo",)))
    assert found.value == (7,)
    assert found.line == (Move("b"), Move("b"))


def test_one_player_against_chance(tree, answer):
    machine = tree([0, (1,), [CHANCE, (HALF, (0,)), (HALF, [0, (3,), (1,)])]], ("Solo",))
    found = answer(maxn, machine)
    assert found.value == (Fraction(3, 2),)
    assert found.line == (Move("b"),)


def test_constant_sum_is_not_needed(tree, answer):
    """The ultimatum game with two offers: the responder takes any positive amount."""
    found = answer(maxn, tree([0, [1, (9, 1), (0, 0)], [1, (5, 5), (0, 0)]]))
    assert found.value == (9, 1)


def test_a_tie_of_one_player_matters_to_the_other(tree, answer):
    """An offer of nothing may be refused as well as taken: then another offer is better for the proposer."""
    found = answer(maxn, tree([0, [1, (10, 0), (0, 0)], [1, (5, 5), (0, 0)]]))
    assert found.value == (10, 0)
    assert found.alternatives == ((5, 5),)
    assert "first best move" in found.notes[0]
    assert found.best == (Move("a"),)


def test_a_tie_does_not_reach_what_nobody_would_choose(tree, answer):
    """However B breaks the tie, A gets at least 2 elsewhere, so (1, 0) is impossible."""
    found = answer(maxn, tree([0, [1, (3, 0), (1, 0)], (2, 9)]))
    assert found.value == (3, 0)
    assert found.alternatives == ((2, 9),)


def test_ties_before_a_draw_combine(tree, answer):
    machine = tree([CHANCE, (HALF, [1, (0, 0), (2, 0)]), (HALF, [1, (0, 0), (4, 0)])])
    found = answer(maxn, machine)
    assert found.value == (0, 0)
    assert found.alternatives == ((3, 0), (2, 0), (1, 0))


def test_too_many_ties_are_not_listed(tree, answer, monkeypatch):
    monkeypatch.setattr(module, "TUPLES_LIMIT", 3)
    found = answer(maxn, tree([1, *[(k, 0) for k in range(4)]]))
    assert found.value == (0, 0)
    assert found.alternatives is None
    assert found.notes


def test_as_many_ties_as_are_kept_are_listed(tree, answer, monkeypatch):
    monkeypatch.setattr(module, "TUPLES_LIMIT", 4)
    found = answer(maxn, tree([1, *[(k, 0) for k in range(4)]]))
    assert found.alternatives == ((3, 0), (2, 0), (1, 0))


@pytest.mark.parametrize(("most", "others"), [(3, ((2, 0), (1, 0))), (2, None)])
def test_as_many_means_as_are_kept_are_listed(tree, answer, monkeypatch, most, others):
    """Two draws with a tie each: 0, 1 (in two ways) and 2 on average."""
    monkeypatch.setattr(module, "TUPLES_LIMIT", most)
    tie = [1, (0, 0), (2, 0)]
    assert answer(maxn, tree([CHANCE, (HALF, tie), (HALF, tie)])).alternatives == others


PAYOFFS = st.tuples(st.integers(0, 2), st.integers(0, 2), st.integers(0, 2))


def equilibria(node):
    """All subgame-perfect outcomes by brute force: every choice at every node, kept if no move is better."""
    if isinstance(node, tuple):
        return {node}
    player, *children = node
    return {
        outcomes[chosen]
        for outcomes in product(*map(equilibria, children))
        for chosen in range(len(children))
        if outcomes[chosen][player] == max(outcome[player] for outcome in outcomes)
    }


@given(written=trees(PAYOFFS, players=3, most=8))
def test_reachable_tuples_are_the_subgame_perfect_outcomes(tree, answer, written):
    found = answer(maxn, tree(written, ABC), players=ABC)
    assert {found.value, *found.alternatives} == equilibria(written)
    assert found.value not in found.alternatives


# Paranoid search, best-reply search, and max^n to a depth.


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


def test_nobody_replies_behind_a_move_that_follows_a_reply(tree, answer):
    """B replies; so C makes the first move, and so does B, who is to move again before A."""
    written = [0, (1, 0, 0), [1, (9, 0, 0), [2, [1, (7, 0, 0), (0, 0, 0)], (0, 0, 0)]]]
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
