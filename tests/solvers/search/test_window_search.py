"""Iterative deepening, aspiration windows, principal variation search, MTD(f) and enhanced alpha-beta."""

from __future__ import annotations

from fractions import Fraction

import pytest
from all_machines import native_machine, python_machine
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st
from random_trees import trees
from reaching import reached
from solving import solve

import zermelo
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.analysis import Fact
from zermelo.interpreter.checks.proving import facts
from zermelo.interpreter.machine import END
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.search.alphabeta import minimax
from zermelo.solvers.solution import Certainty, Problem

DEEPENING = ["principal_variation", "iterative_deepening", "aspiration", "mtdf", "late_moves", "singular_extensions"]
ALL = ["enhanced_alphabeta", *DEEPENING]


# Two players count up to 9; a thing is worth what is left over, and 7 is a bad place to stop.
COUNTING = """
game "Counting"
players A, B
claim zero_sum, perfect_information, terminates
var total: 0..9 = 0
{hints}
start at play(A)
phase play(p: Player):
    turn p:
        move add(n in 1..3) if total + n <= 9:
            total += n
            go play(other p)
    otherwise:
        end win other p
"""


@pytest.fixture(scope="module")
def counting():
    def load(hints=""):
        game = zermelo.loads(COUNTING.format(hints=hints))
        return game.machine, facts(game.model)

    return load


@given(written=trees(), name=st.sampled_from(ALL))
def test_they_find_what_minimax_finds(tree, known, written, name):
    machine = tree(written)
    plain = minimax(Problem(machine, known(), machine.initial()))
    found = solve(machine, known(), name)
    assert found.exact
    assert found.value == plain.value
    assert found.best[0] in plain.best if plain.best else found.best == ()
    state = reached(machine, found.line)
    assert machine.actor(state) != END or machine.payoff(state) == plain.value


@given(
    written=trees(st.integers(-1, 1)),
    name=st.sampled_from(DEEPENING),
    depth=st.integers(1, 4),
    bound=st.sampled_from([1, 3]),
)
def test_what_is_exact_to_a_depth_is_the_value(tree, known, written, name, depth, bound):
    """One move to the end is enough to cut a position off, and never for more than that."""
    machine = tree(written)
    plain = minimax(Problem(machine, known(), machine.initial()))
    bounded = known(bounds=((-bound, bound), (-bound, bound)))
    found = solve(machine, bounded, name, limits=Limits(depth=depth), rollouts=True)
    assert not found.exact or found.value == plain.value


@given(written=trees(), name=st.sampled_from(ALL), bound=st.integers(3, 5))
def test_what_the_game_can_pay_does_not_change_the_value(tree, known, written, name, bound):
    machine = tree(written)
    bounded = known(bounds=((-bound, bound), (-bound, bound)))
    plain = solve(machine, known(), name)
    found = solve(machine, bounded, name)
    assert found.value == plain.value


def test_who_has_the_most_that_the_game_can_pay_looks_no_further(tree, known):
    machine = tree([0, 3, [1, 1, 2], [1, 2, 1]])
    bounded = known(bounds=((-3, 3), (-3, 3)))
    assert solve(machine, bounded, "enhanced_alphabeta").counts["nodes"] == 2  # the root, and the play that ends at 3
    assert solve(machine, known(), "enhanced_alphabeta").counts["nodes"] > 2


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize(
    ("game", "parameters"),
    [
        ("tic_tac_toe", {}),
        ("connect_four", {"rows": 3, "columns": 4, "run": 3}),
        ("two_ply_tree", {}),
        ("nim", {}),
        ("othello", {"size": 4}),
    ],
)
def test_the_kernel_visits_what_the_reference_visits(name, game, parameters):
    loaded = zermelo.load(game, **parameters)
    known = facts(loaded.model)
    depth = Limits(depth=4 if game == "othello" and name != "enhanced_alphabeta" else float("inf"))
    plain = solve(loaded.machine, known, name, limits=depth)
    fast = solve(native_machine(loaded.model), known, name, limits=depth)
    assert (fast.value, fast.best, fast.counts) == (plain.value, plain.best, plain.counts)
    assert fast.certainty is plain.certainty
    assert len(fast.line) == len(plain.line)


def test_the_kernel_as_python_visits_the_same(counting):
    game = zermelo.loads(
        COUNTING.format(hints="estimate for p: total / 20\norder moves by -total\nunsettled if total == 7")
    )
    known = facts(game.model)
    for depth in (1, 2, 3, float("inf")):
        plain = solve(game.machine, known, "principal_variation", limits=Limits(depth=depth))
        for make in (python_machine, native_machine):
            fast = solve(make(game.model), known, "principal_variation", limits=Limits(depth=depth))
            assert (fast.value, fast.best, fast.line, fast.counts) == (
                plain.value,
                plain.best,
                plain.line,
                plain.counts,
            )


# --------------------------------------------------------------- late moves


def test_late_moves_are_searched_less_deep_and_the_result_says_so():
    """On a board too large to search to the end: fewer nodes, and no claim to be the value at that depth."""
    game = zermelo.load("othello")
    limits = Limits(depth=5)
    plain = solve(game.searching, game.facts, "principal_variation", limits=limits)
    found = solve(game.searching, game.facts, "late_moves", limits=limits)
    assert plain.certainty is Certainty.DEPTH_LIMITED
    assert found.certainty is Certainty.HEURISTIC
    assert found.counts["nodes"] < plain.counts["nodes"]
    assert "less far" in found.notes[0]


def test_a_late_move_that_is_better_is_searched_again(tree, known):
    """The sixth move wins, three plies deep: a reduced search fails high, and the full search finds it."""
    losing = [1, [0, -1, -1], [0, -1, -1]]
    written = [0, losing, losing, losing, losing, losing, [1, [0, 1, -1], [0, -1, 1]]]
    found = solve(tree(written), known(), "late_moves")
    assert found.exact
    assert found.value == (1, -1)


# --------------------------------------------------------------- limits


def test_a_cut_off_search_says_so(counting):
    machine, known = counting("estimate for p: if total % 4 == 1 then 1/2 else 0")
    found = solve(machine, known, limits=Limits(depth=2))
    assert found.certainty is Certainty.DEPTH_LIMITED
    assert not found.exact
    assert found.counts["depth"] == 2
    assert found.counts["estimates"] > 0
    assert "looked 2 plies ahead" in found.notes[0]


def test_a_deep_enough_search_is_exact(counting):
    machine, known = counting("estimate for p: 0")
    found = solve(machine, known, limits=Limits(depth=20))
    assert found.exact
    assert found.value == solve(machine, known, "minimax").value


def test_quiescence_looks_beyond_the_horizon(counting):
    """Two plies ahead total may be 2 to 6; where 4 is unsettled, its value is that of the positions after it."""
    hints = "estimate for p: if total == 4 then 1/2 else 0"
    stopped = solve(*counting(hints), "iterative_deepening", limits=Limits(depth=2))
    assert stopped.value[0] == Fraction(1, 2) or stopped.value[0] == 0
    quiet = solve(*counting(f"{hints}\nunsettled if total == 4"), "iterative_deepening", limits=Limits(depth=2))
    assert quiet.value[0] == 0
    assert quiet.counts["nodes"] > stopped.counts["nodes"]


def test_an_estimate_counts_as_it_is_said(counting):
    """Even beyond the payoffs of the game: results of a search then have other bounds."""
    for machine, known in (counting("estimate for p: 100"), counting("estimate for p: 100 + total - total")):
        assert solve(machine, known, limits=Limits(depth=1)).value == (100, -100)


def test_nodes_are_counted_exactly_to_the_limit(counting):
    found = solve(*counting("estimate for p: 0"), "iterative_deepening", limits=Limits(nodes=20))
    assert not found.exact
    assert found.counts["nodes"] == 21
    with pytest.raises(ZermeloError) as raised:
        solve(*counting("estimate for p: 0"), "iterative_deepening", limits=Limits(nodes=1))
    assert raised.value.code == "out-of-nodes"


def test_no_estimate_no_early_end(counting):
    with pytest.raises(ZermeloError) as raised:
        solve(*counting(), limits=Limits(depth=2))
    assert raised.value.code == "needs-estimate"
    found = solve(*counting(), limits=Limits(depth=2), rollouts=True, seed=3)
    again = solve(*counting(), limits=Limits(depth=2), rollouts=True, seed=3)
    assert found.value == again.value
    assert "random plays" in found.notes[0]


def test_a_table_for_the_whole_game_has_no_depth(counting):
    with pytest.raises(ZermeloError) as raised:
        solve(*counting("estimate for p: 0"), "alphabeta_table", limits=Limits(depth=2))
    assert raised.value.code == "searches-to-the-end"


def test_plays_without_end_need_a_limit(tree, known):
    endless = known(terminates=Fact(False, "a line that goes round"))
    with pytest.raises(ZermeloError) as raised:
        solve(tree([0, 1, 2]), endless, "iterative_deepening")
    assert raised.value.code == "needs-end"
    assert solve(
        tree([0, 1, 2]), evolve(endless, has_estimate=True), "iterative_deepening", limits=Limits(depth=3)
    ).exact


# --------------------------------------------------------------- known properties of the searches


def test_the_file_orders_moves():
    """Connect four 5 x 4: the middle first and lookups of next positions take a small part of the nodes."""
    game = zermelo.load("connect_four", rows=4, columns=5)
    known = facts(game.model)
    machine = native_machine(game.model)
    plain = solve(machine, known, "alphabeta_table")
    found = solve(machine, known, "enhanced_alphabeta")
    assert found.value == plain.value == (0, 0)
    assert found.counts["nodes"] * 3 < plain.counts["nodes"]


def test_far_fewer_nodes_than_plain_alpha_beta():
    game = zermelo.load("tic_tac_toe")
    known = facts(game.model)
    counts = {name: solve(game.machine, known, name).counts["nodes"] for name in ALL}
    assert max(counts.values()) < 18_297, counts
    assert counts["enhanced_alphabeta"] < 18_297 / 4


NOT_A_BEST_REPLY = """\
game "Two bounds meet"
players Ann, Bob
var x: 0..2 = 0
var y: 0..2 = 1
order moves by x
start at a
phase a:
    turn Ann:
        move stop: end payoff (x, -x)
        move on:
            x := 2
            gets(y)
            go b
phase b:
    turn Bob:
        move wrong:
            y := 1
            gets(x)
            go c
        move right:
            x := 2
            gets(y)
            go c
phase c:
    turn Ann:
        move less:
            y := 0
            go d
        move more:
            x := 1
            go d
phase d:
    gets(5)
    turn Bob:
        move least:
            x := 1
            end payoff (y, -y)
        move most:
            x := 1
            end payoff (99, -99)
action gets(n: 0..5):
    earn Ann: n
    earn Bob: -n
"""


def test_no_line_has_a_reply_of_which_only_a_bound_is_known() -> None:
    """After ``wrong`` Ann gets 9, and 8 by ``less``: enough to prove that ``on`` is worth 8, but no best play."""
    game = zermelo.loads(NOT_A_BEST_REPLY)
    for name in DEEPENING:
        for machine in (game.reference, game.searching):
            solution = solve(machine, game.facts, name)
            assert solution.value == (8, -8)
            assert [str(move) for move in solution.line] == ["on", "right", "more", "least"]
