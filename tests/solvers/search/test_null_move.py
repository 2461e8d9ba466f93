"""Null-move pruning: savings, errors, and that the result is not called exact."""

from __future__ import annotations

from fractions import Fraction
from unittest.mock import patch

import pytest
from all_machines import native_machine, python_machine
from solving import solve

import zermelo
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.checks.proving import facts
from zermelo.interpreter.machine import NULL_MOVE
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.running import path_search
from zermelo.solvers.solution import Certainty

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
def test_the_kernel_visits_what_the_reference_visits(both, name, parameters, depth):
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
    passed = machine.passed(machine.after(machine.initial(), machine.moves(machine.initial())[0]))
    assert machine.play(passed)[-1] == NULL_MOVE
    with pytest.raises(zermelo.PlayError):
        machine.after(passed, machine.moves(passed)[0])
    assert both(game, 8).value == solve(machine, facts(game.model), "principal_variation", limits=Limits(depth=8)).value


def test_a_game_without_passes_is_refused():
    game = zermelo.load("two_ply_tree")
    with pytest.raises(ZermeloError) as raised:
        solve(game.machine, facts(game.model), "null_move")
    assert raised.value.code == "needs-passes"
