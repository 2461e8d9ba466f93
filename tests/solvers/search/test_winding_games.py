"""Searches with tables in games with cycles and transpositions, whose payoffs depend on the path."""

from __future__ import annotations

import pytest
from all_machines import MACHINES, python_machine
from hypothesis import HealthCheck, assume, given, settings
from random_cases import many
from random_games.winding import Winding, windings
from referee.histories import TooLarge, histories
from referee.verdicts import Verdict, judge_solution
from solving import solve

import zermelo
from zermelo.interpreter.checks.proving import facts
from zermelo.solving import facts_of

SOLVERS = (
    "dfpn",
    "alphabeta_table",
    "enhanced_alphabeta",
    "principal_variation",
    "iterative_deepening",
    "aspiration",
    "mtdf",
)

# Nobody may return to a number; a player who is stuck pays their number.
NEVER_BACK = """\
game "Never back"
players A, B
claim zero_sum, perfect_information, terminates
var at: 0..5 = 1
start at play(A)
phase play(p: Player):
    turn p:
        move step(d in -1..2) if d != 0 and at + d >= 0 and at + d <= 5 ensuring not repeated(at):
            at += d
            go play(other p)
    otherwise:
        end payoff {q: if q == p then -at else at for q in Player}
"""

# A number that somebody is to move from for the second time ends the play, and is what it pays.
TWICE = """\
game "Twice"
players A, B
claim zero_sum, perfect_information, terminates
var at: 0..5 = 2
start at play(A)
phase play(p: Player):
    if repetitions(at) >= 2: end payoff {q: if q == p then at - 2 else 2 - at for q in Player}
    turn p:
        move step(d in -1..2) if d != 0 and at + d >= 0 and at + d <= 5:
            at += d
            go play(other p)
"""

# The number of a move is earned, and what the play pays depends on the way to a position.
EARNING = """\
game "Earning"
players A, B
claim zero_sum, perfect_information, terminates
var left: 0..6 = 6
start at play(A)
phase play(p: Player):
    turn p:
        move take(n in 1..3) if n <= left:
            left -= n
            earn p: n * n - left
            earn other p: left - n * n
            go play(other p)
    otherwise:
        end
"""

DISCOUNTED = EARNING.replace("start at", "discount 9/10\nstart at")


@pytest.mark.parametrize("make", MACHINES)
@pytest.mark.parametrize(
    "text", [NEVER_BACK, TWICE, EARNING, DISCOUNTED], ids=["repeated", "repetitions", "earned", "discounted"]
)
def test_a_position_is_known_by_its_way_where_that_counts(text, make):
    game = zermelo.loads(text)
    known, machine = facts(game.model), make(game.model)
    expected = solve(game.reference, known, "minimax").value
    assert {solver: solve(machine, known, solver).value for solver in SOLVERS} == dict.fromkeys(SOLVERS, expected)


@settings(max_examples=many(60), suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])
@given(winding=windings())
def test_winding_games_are_worth_what_the_referee_says(winding: Winding) -> None:
    """The referee uses no positions."""
    game = zermelo.loads(winding.text())
    try:
        root = histories(game.reference, most=1_500)
    except TooLarge:
        assume(False)
    known = facts_of(game)
    for machine in (game.reference, python_machine(game.model)):
        for solver in SOLVERS:
            verdict = Verdict(root)
            judge_solution(solve(machine, known, solver), machine, known, root, verdict)
            assert not verdict.complaints, (solver, machine, verdict.complaints, winding.text())
