""""""

from __future__ import annotations

import sys
from fractions import Fraction
from math import ceil

import pytest
from hypothesis import given
from hypothesis import strategies as st
from random_trees import trees
from reaching import reached
from solving import solve

from zermelo.grammar.diagnostics import Source, ZermeloError
from zermelo.interpreter.check import check
from zermelo.interpreter.checks.proving import facts
from zermelo.interpreter.facts import Fact
from zermelo.interpreter.machine import CHANCE, END, Move
from zermelo.interpreter.reference.machine import ReferenceMachine
from zermelo.solvers.search.alphabeta import alphabeta, alphabeta_table, minimax
from zermelo.solvers.search.expectiminimax import expectiminimax
from zermelo.solvers.search.maxn import maxn
from zermelo.solvers.solution import Problem

TWO_PLY = [0, [1, 3, 12, 8], [1, 2, 4, 6], [1, 14, 5, 2]]


def test_two_ply_tree(tree, answer):
    found = answer(minimax, tree(TWO_PLY))
    assert found.value == (3, -3)
    assert found.best == (Move("a"),)
    assert found.line == (Move("a"), Move("a"))
    assert found.counts == {"nodes": 13, "terminals": 9}
    assert found.exact
    assert all(isinstance(amount, Fraction) for amount in found.value)


def test_second_player_may_begin(tree, answer):
    found = answer(minimax, tree([1, [0, 3, 12, 8], [0, 2, 4, 6], [0, 14, 5, 2]]))
    assert found.value == (6, -6)
    assert found.best == (Move("b"),)


def test_one_player_may_move_twice(tree, answer):
    assert answer(minimax, tree([0, [0, 1, [1, 9, 5]], 4])).value == (5, -5)


def test_all_best_first_moves_are_listed(tree, answer):
    found = answer(minimax, tree([0, 1, [1, 3, 5], 3, [1, 7, 2]]))
    assert found.best == (Move("b"), Move("c"))
    assert found.line == (Move("b"), Move("a"))


def test_constant_sum_other_than_zero(tree, answer):
    machine = tree([0, [1, 3, 9], [1, 4, 6]], total=10)
    assert answer(minimax, machine, sum=Fraction(10)).value == (4, 6)


def test_fractions_stay_exact(tree, answer):
    third = Fraction(1, 3)
    assert answer(minimax, tree([0, [1, third, 1], [1, third + Fraction(1, 10**30), 1]])).value[0] > third


def test_play_that_has_ended(tree, answer):
    found = answer(minimax, tree(7))
    assert found.value == (7, -7)
    assert found.best == found.line == ()
    assert found.counts == {"nodes": 1, "terminals": 1}


def test_textbook_tree_visits_the_textbook_nodes(tree, toy, answer):
    visited = []
    machine = tree(TWO_PLY)

    def watched(path):
        visited.append(path)
        return machine.expand(path)

    found = answer(alphabeta, toy((), watched))
    assert found.value == (3, -3)
    assert found.best == (Move("a"),)
    assert found.counts == {"nodes": 11, "terminals": 7, "cutoffs": 1}
    assert (1, 0) in visited
    assert (1, 1) not in visited
    assert (1, 2) not in visited
    assert {(2, 0), (2, 1), (2, 2)} <= set(visited)


def test_cut_off_behind_the_last_move_is_none(tree, answer):
    assert answer(alphabeta, tree([0, [1, 3], [1, 2]])).counts["cutoffs"] == 0


@pytest.mark.parametrize(("width", "depth"), [(2, 5), (3, 4), (4, 3)])
def test_perfect_order_reaches_the_minimum(toy, answer, width, depth):
    """Knuth and Moore: with the best move always first, b^ceil(m/2) + b^floor(m/2) - 1 leaves are visited."""

    def expand(position):
        left, value = position
        if left == 0:
            return END, (value, -value)
        mover = (depth - left) % 2
        worse = -1 if mover == 0 else 1  # every later move costs its mover 1 for good
        scale = 10**left
        return mover, {f"m{k}": (left - 1, value + worse * k * scale) for k in range(width)}

    found = answer(alphabeta, toy((depth, 0), expand))
    assert found.value == (0, 0)
    assert found.counts["terminals"] == width ** ceil(depth / 2) + width ** (depth // 2) - 1


def test_says_when_other_moves_may_be_as_good(tree, answer):
    tied = answer(alphabeta, tree([0, [1, 3, 5], [1, 3, 1]]))
    assert tied.best == (Move("a"),)
    assert "minimax lists them all" in tied.notes[0]
    assert answer(alphabeta, tree(TWO_PLY)).notes == ()


@given(written=trees())
def test_pruning_never_changes_the_value(tree, answer, written):
    machine = tree(written)
    plain = answer(minimax, machine)
    pruned = answer(alphabeta, machine)
    assert pruned.value == plain.value
    assert pruned.best == plain.best[:1]
    assert pruned.counts["nodes"] <= plain.counts["nodes"]
    state = reached(machine, pruned.line)
    assert machine.payoff(state) == pruned.value


@given(written=trees())
def test_the_other_solvers_agree(tree, answer, written):
    machine = tree(written)
    plain = answer(minimax, machine)
    by_chance, by_many = answer(expectiminimax, machine), answer(maxn, machine)
    assert (by_chance.value, by_chance.best, by_chance.line) == (plain.value, plain.best, plain.line)
    assert (by_many.value, by_many.best, by_many.line) == (plain.value, plain.best, plain.line)
    assert by_chance.counts == by_many.counts == plain.counts
    assert by_many.alternatives == ()


@given(left=trees(), right=trees(), numerator=st.integers(1, 6))
def test_max_n_takes_the_expectations_of_expectiminimax(tree, answer, left, right, numerator):
    probability = Fraction(numerator, 7)
    machine = tree([0, [CHANCE, (probability, left), (1 - probability, right)], left])
    assert answer(maxn, machine).value == answer(expectiminimax, machine).value


LAYERS = st.lists(
    st.lists(st.lists(st.integers(0, 9), min_size=1, max_size=3), min_size=1, max_size=4), min_size=1, max_size=6
)
"""For each position of each layer, the positions of the next layer (cyclically) that its moves lead to."""

COINS = """
game "Coins"
players Ann, Bob
type Coin = 1..9
var left: set of Coin = {1, 2, 3, 4, 5}
start at take(Ann)
phase take(p: Player):
    if left == {}: end
    turn p:
        move take(c in left):
            left -= {c}
            earn p: if size(left) % 2 == 0 then c else 2 * c
            earn other p: -(if size(left) % 2 == 0 then c else 2 * c)
            go take(other p)
"""


@given(layers=LAYERS, leaves=st.lists(st.integers(-3, 3), min_size=4, max_size=4))
def test_the_table_changes_neither_value_nor_the_play_of_either_side(toy, answer, layers, leaves):
    """Positions that many plays reach: the table is used, and may never change the value."""

    def expand(position):
        depth, place = position
        if depth == len(layers):
            value = leaves[place % len(leaves)]
            return END, (value, -value)
        nodes = layers[depth]
        moves = nodes[place % len(nodes)]
        return depth % 2, {f"m{k}": (depth + 1, target) for k, target in enumerate(moves)}

    machine = toy((0, 0), expand)
    found, plain = answer(alphabeta_table, machine), answer(minimax, machine)
    assert found.value == plain.value
    assert found.best[0] in plain.best
    state = reached(machine, found.line)
    assert machine.actor(state) == END
    assert machine.payoff(state) == found.value


def test_a_position_that_comes_up_again_is_a_hit(toy, answer):
    diamond = {
        "top": (0, {"l": "left", "r": "right"}),
        "left": (1, {"m": "middle"}),
        "right": (1, {"m": "middle"}),
        "middle": (0, {"e": "end"}),
        "end": (END, (2, -2)),
    }
    found = answer(alphabeta_table, toy("top", diamond.__getitem__))
    assert (found.value, found.best) == ((2, -2), (Move("l"),))
    assert found.counts["hits"] == 1
    assert found.counts["nodes"] < answer(alphabeta, toy("top", diamond.__getitem__)).counts["nodes"]


def test_what_is_earned_on_the_way_belongs_to_the_play():
    model, _ = check(Source("coins.game", COINS))
    machine = ReferenceMachine(model)
    known = facts(model)
    by_table, by_minimax = solve(machine, known, "alphabeta_table"), solve(machine, known, "minimax")
    assert by_table.value == by_minimax.value
    assert by_table.counts["nodes"] < by_minimax.counts["nodes"]


def test_a_discounted_game_is_searched_without_the_table():
    model, _ = check(Source("coins.game", COINS + "discount 9/10\n"))
    machine = ReferenceMachine(model)
    found = solve(machine, facts(model), "alphabeta_table")
    assert found.counts["hits"] == 0
    assert found.value == solve(machine, facts(model), "minimax").value


ALGORITHMS = [minimax, alphabeta, expectiminimax, maxn]
OPEN = Fact(None, "it is not proved that every play ends")


@pytest.fixture
def usual_recursion():
    """Python's own limit: deep rules of other tests raise it."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(1_000)
    yield
    sys.setrecursionlimit(before)


@pytest.mark.usefixtures("usual_recursion")
@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize("terminates", [Fact(True, ""), OPEN])
def test_deep_plays_need_no_recursion(toy, answer, algorithm, terminates):
    length = 5_000

    def chain(k):
        return (END, (1, -1)) if k == length else (k % 2, {"on": k + 1})

    found = answer(algorithm, toy(0, chain), terminates=terminates)
    assert found.value == (1, -1)
    assert found.counts["nodes"] == length + 1
    assert len(found.line) == length


def rounds(position):
    """Whoever wants to may go round a, b, c for ever."""
    return {
        "start": (0, {"begin": "a"}),
        "a": (0, {"left": "b", "stop": "won"}),
        "b": (1, {"right": "c"}),
        "c": (0, {"back": "a"}),
        "won": (END, (1, -1)),
    }[position]


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_play_that_goes_round_is_shown(toy, answer, algorithm):
    with pytest.raises(ZermeloError) as raised:
        answer(algorithm, toy("start", rounds), terminates=OPEN)
    assert raised.value.code == "needs-end"
    assert "after begin, left, right, back lead back to the same position" in raised.value.message


def test_position_on_another_path_is_no_loop(toy, answer):
    def diamond(position):
        return {
            "top": (0, {"l": "left", "r": "right"}),
            "left": (1, {"m": "middle"}),
            "right": (1, {"m": "middle"}),
            "middle": (0, {"e": "end"}),
            "end": (END, (2, -2)),
        }[position]

    found = answer(minimax, toy("top", diamond), terminates=OPEN)
    assert found.value == (2, -2)
    assert found.counts["nodes"] == 7


def test_search_may_begin_inside_a_play(toy, known):
    machine = toy("start", rounds)
    inside = machine.after(machine.initial(), Move("begin"))
    with pytest.raises(ZermeloError, match="after begin, left, right, back lead"):
        minimax(Problem(machine, known(terminates=OPEN), inside))
    won = machine.after(inside, Move("stop"))
    assert minimax(Problem(machine, known(), won)).value == (1, -1)


def test_progress_is_reported_and_an_interrupt_passes(toy, known):
    def binary(k):
        return (END, (0, 0)) if k >= 2**14 else (0, {"l": 2 * k, "r": 2 * k + 1})

    machine = toy(1, binary)
    seen: list[int] = []
    minimax(Problem(machine, known(), machine.initial(), seen.append))
    assert 0 < seen[0] < 2**15 - 1
    assert 2**15 - 1 in seen

    def interrupt(nodes):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        minimax(Problem(machine, known(), machine.initial(), interrupt))
