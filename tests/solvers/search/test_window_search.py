"""Iterative deepening, aspiration windows, principal variation search, MTD(f) and enhanced alpha-beta."""

from __future__ import annotations

from contextlib import suppress
from fractions import Fraction
from unittest.mock import patch

import pytest
from all_machines import native_machine, needs_llvm, python_machine
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st
from random_trees import trees
from reaching import reached
from solving import solve

import zermelo
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.checks.proving import facts
from zermelo.interpreter.facts import Fact
from zermelo.interpreter.machine import END, NULL_MOVE
from zermelo.solvers.choosing.registry import find_solver
from zermelo.solvers.common.limits import LimitReached, Limits
from zermelo.solvers.running import path_search
from zermelo.solvers.search.alphabeta import minimax
from zermelo.solvers.search.window_search import (
    Selection,
    enhanced_alphabeta,
    principal_variation,
    singular_margin,
    window_solver,
)
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


# Null-move pruning: savings, errors, and that the result is not called exact.


# Whoever is to move gives up a stone, but A may wait once; and A may agree to a draw at any time. If A waits at the
# beginning it is B who gives first, so at every second ply A is a stone ahead.
GIVING = """
game "Giving"
players A, B
claim zero_sum, perfect_information, terminates
var stones[Player]: 0..9 = 9
var may_wait: Bool = true
start at play(A)
phase play(p: Player):
    turn p:
        move agree if p == A:
            end draw
        move give if stones[p] > 0:
            stones[p] -= 1
            go play(other p)
        move wait if p == A and may_wait:
            may_wait := false
            go play(other p)
    otherwise:
        end win other p
estimate for p: (stones[p] - stones[other p]) / 100
"""

# A raises the balance and B lowers it. If one of them passes, what the other does has no room.
BALANCE = """
game "Balance"
players A, B
claim zero_sum, perfect_information, terminates
var total: 0..12 = 0
var balance: 0..1 = 0
start at play(A)
phase play(p: Player):
    turn p:
        move add(n in 1..2) if total + n <= 12:
            total += n
            balance += if p == A then 1 else -1
            go play(other p)
    otherwise:
        end win other p
estimate for p: if p == A then 1/2 else -1/2
unsettled if total == 7
"""


@pytest.fixture(scope="module")
def both():
    """Runs null-move pruning on the reference machine and on kernels, which must visit the same nodes."""

    def run(game, depth=float("inf")):
        known, limits = facts(game.model), Limits(depth=depth)
        found = [
            solve(make, known, "null_move", limits=limits)
            for make in (game.machine, python_machine(game.model), native_machine(game.model))
        ]
        assert len({(each.value, each.best, tuple(each.counts.items()), each.certainty) for each in found}) == 1
        return found[0]

    return run


@pytest.mark.parametrize(
    ("name", "parameters", "depth"),
    [
        ("tic_tac_toe", {}, 6),
        ("connect_four", {"rows": 4, "columns": 4}, 6),
        ("othello", {"size": 4}, 8),
        ("breakthrough", {"rows": 4, "columns": 4}, 5),
    ],
)
def test_the_kernel_visits_what_the_reference_visits_in_null_move(both, name, parameters, depth):
    found = both(zermelo.load(name, **parameters), depth)
    assert found.exact == (found.certainty is Certainty.EXACT)
    assert found.exact or "could afford to pass" in found.notes[0]


def test_to_the_end_of_all_plays_it_is_exact(both):
    """Null moves then prune nothing."""
    for name, parameters in (("connect_four", {"rows": 3, "columns": 2, "run": 3}), ("nim", {})):
        game = zermelo.load(name, **parameters)
        found = both(game)
        assert found.exact
        assert found.value == solve(game.machine, facts(game.model), "alphabeta").value


def test_in_zugzwang_it_errs(both):
    """Waiting wins a stone only because B is in zugzwang."""
    game = zermelo.loads(GIVING)
    limits = Limits(depth=6)
    right = solve(game.machine, facts(game.model), "principal_variation", limits=limits)
    wrong = both(game, 6)
    assert right.certainty is Certainty.DEPTH_LIMITED
    assert wrong.certainty is Certainty.HEURISTIC
    assert right.value[0] == Fraction(1, 100)
    assert (str(wrong.best[0]), wrong.value[0]) == ("agree", 0)


def test_in_chess_it_finds_the_same_with_fewer_nodes():
    """Five plies from the beginning. Without tables, which save both searches some nodes, but not the same ones."""
    game, limits = zermelo.load("chess"), Limits(depth=5)
    solvers = ("principal_variation", "null_move")
    plain, found = (solve(game.searching, game.facts, name, limits=limits) for name in solvers)
    assert found.value == plain.value
    assert found.counts["nodes"] < plain.counts["nodes"]
    with patch.object(path_search, "table_size", return_value=1):  # none
        plain, found = (solve(game.searching, game.facts, name, limits=limits) for name in solvers)
    assert found.value == plain.value
    assert found.counts["nodes"] < 0.6 * plain.counts["nodes"]


def test_a_rule_that_goes_wrong_behind_a_pass_is_no_fault_of_the_game(both):
    game = zermelo.loads(BALANCE)
    machine = game.machine
    passed = machine.after_pass(machine.after(machine.initial(), machine.moves(machine.initial())[0]))
    assert machine.play(passed)[-1] == NULL_MOVE
    with pytest.raises(zermelo.PlayError):
        machine.after(passed, machine.moves(passed)[0])
    assert both(game, 8).value == solve(machine, facts(game.model), "principal_variation", limits=Limits(depth=8)).value


def test_a_game_without_passes_is_refused():
    game = zermelo.load("two_ply_tree")
    with pytest.raises(ZermeloError) as raised:
        solve(game.machine, facts(game.model), "null_move")
    assert raised.value.code == "needs-passes"


# Singular extensions: what they see earlier, and that the result is not called exact.


# A wins with a fourth push, seven plies from the beginning, and B can do nothing but step aside each time: to stumble
# loses at once. Nothing tells from the estimate.
PUSHING = """
game "Pushing"
players A, B
claim zero_sum, perfect_information, terminates
var pushes: 0..4 = 0
var rounds: 0..20 = 0
start at attack
phase attack:
    if rounds == 20: end draw
    turn A:
        move rest:
            rounds += 1
            go defend
        move push:
            rounds += 1
            pushes += 1
            if pushes == 4: end win A
            go defend
phase defend:
    turn B:
        move step_aside: go attack
        move stumble: end win A
estimate for p: 0
"""


@pytest.fixture(scope="module")
def singular_extensions_both():
    """Run a solver on the reference machine and on kernels, which must visit the same nodes."""

    def run(game, depth, solver="singular_extensions"):
        known, limits = facts(game.model), Limits(depth=depth)
        found = [
            solve(make, known, solver, limits=limits)
            for make in (game.machine, python_machine(game.model), native_machine(game.model))
        ]
        assert len({(each.value, each.best, tuple(each.counts.items()), each.certainty) for each in found}) == 1
        return found[0]

    return run


def test_they_see_a_forced_win_a_ply_earlier(singular_extensions_both):
    game = zermelo.loads(PUSHING)
    plain = singular_extensions_both(game, 6, "principal_variation")
    found = singular_extensions_both(game, 6)
    assert plain.value == (0, 0)
    assert found.value == (1, -1)
    assert singular_extensions_both(game, 7, "principal_variation").value == (1, -1)
    assert str(found.best[0]) == "push"
    assert found.certainty is Certainty.EXACT  # pushing wins to the end, and nothing pays more
    shallow = singular_extensions_both(game, 4)
    assert shallow.value == (0, 0)
    assert shallow.certainty is Certainty.HEURISTIC
    assert "further where one move stood out" in shallow.notes[0]


@pytest.mark.parametrize(
    ("name", "parameters", "depth"),
    [
        ("connect_four", {"rows": 4, "columns": 4}, 6),
        ("othello", {"size": 4}, 6),
        ("breakthrough", {"rows": 4, "columns": 4}, 5),
    ],
)
def test_the_kernel_visits_what_the_reference_visits_in_singular_extensions(
    singular_extensions_both, name, parameters, depth
):
    singular_extensions_both(zermelo.load(name, **parameters), depth)


def test_the_margin_is_a_part_of_what_the_game_can_pay():
    game = zermelo.load("chess")
    assert singular_margin(Problem(game.machine, game.facts, game.machine.initial())) * 200 == 1, "a pawn"


# A search that goes on with the table of another one that was stopped.


# What is earned on the way belongs to the play and not to the position.
EARNING = """\
game "Earning"
players A, B
claim zero_sum, perfect_information, terminates
var left: 0..30 = 30
var latest: 0..4 = 0
start at play(A)
phase play(p: Player):
    turn p:
        move take(n in 1..4) if n <= left and n != latest:
            left -= n
            latest := n
            earn p: (n * left + 3) % 7
            earn other p: -((n * left + 3) % 7)
            go play(other p)
    otherwise:
        end
estimate for p: if left % 2 == 0 then 1/2 else -1/3
"""


def problem(game, machine=native_machine) -> Problem:
    made = machine(game.model)
    return Problem(made, facts(game.model), made.initial())


def stopped(whole: Problem, nodes: int, solver=enhanced_alphabeta) -> Problem:
    """What is left after a search that was stopped after so many nodes."""
    with pytest.raises(LimitReached):
        solver(evolve(whole, limits=Limits(nodes=nodes)))
    return whole


@needs_llvm
def test_one_that_deepens_goes_on_with_the_table_of_a_search_of_the_whole_game():
    game = zermelo.load("connect_four", rows=4, columns=5)
    afresh = principal_variation(problem(game))
    later = principal_variation(stopped(problem(game), 120_000))
    assert later.value == afresh.value == (0, 0) and later.exact
    assert later.counts["nodes"] < afresh.counts["nodes"]


@needs_llvm
def test_a_search_that_is_stopped_again_and_again_gets_there():
    game = zermelo.load("connect_four", rows=4, columns=4)
    at_once = enhanced_alphabeta(problem(game))
    whole = problem(game)
    for nodes in range(5_000, at_once.counts["nodes"], 5_000):
        stopped(whole, nodes)
    found = enhanced_alphabeta(whole)
    assert (found.value, found.exact) == (at_once.value, True)


@needs_llvm
@pytest.mark.parametrize("nodes", [1, 7, 50, 400, 1_500])
def test_no_value_depends_on_where_the_search_before_was_stopped(nodes):
    game = zermelo.loads(EARNING)
    expected = find_solver("minimax").algorithm(problem(game)).value
    for solver in (principal_variation, enhanced_alphabeta, window_solver(principal_deepening, Selection())):
        for before in (enhanced_alphabeta, principal_variation):
            whole = problem(game)
            with suppress(LimitReached):
                before(evolve(whole, limits=Limits(nodes=nodes)))
            found = solver(whole)
            assert found.exact and found.value == expected


def principal_deepening(given, search):
    """Deepening that begins with a search of the whole game."""
    from zermelo.solvers.search.window_search import search_once as at_once
    from zermelo.solvers.search.window_search import search_open_windows

    at_once(given, search)
    return search_open_windows(given, search)


@pytest.mark.parametrize("machine", [python_machine, pytest.param(native_machine, marks=needs_llvm)])
def test_a_search_of_another_kernel_begins_anew(machine):
    game = zermelo.load("tic_tac_toe")
    whole = stopped(problem(game, machine), 500)
    late = find_solver("late_moves").algorithm(evolve(whole, limits=Limits(depth=3)))
    assert (
        late.counts["nodes"]
        == find_solver("late_moves").algorithm(evolve(problem(game, machine), limits=Limits(depth=3))).counts["nodes"]
    )
    assert whole.handover.take(None, "") is None
