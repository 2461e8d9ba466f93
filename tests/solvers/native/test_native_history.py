"""Window searches of games whose rules use the history of the play.

The kernel keeps the history beside its states. A next state that has been probed is made again before it is searched,
since later probes have overwritten its history.
"""

from __future__ import annotations

import pytest
from all_machines import MAKERS

import zermelo
from zermelo.interpreter.checks.proving import facts
from zermelo.solvers.choosing.solving import solve

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


@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize("text", [NEVER_BACK, TWICE], ids=["repeated", "repetitions"])
def test_each_state_is_searched_with_its_own_history(text, make):
    game = zermelo.loads(text)
    known, machine = facts(game.model), make(game.model)
    expected = solve(game.reference, known, "minimax").value
    for solver in ("principal_variation", "iterative_deepening", "aspiration", "mtdf"):
        assert solve(game.reference, known, solver).value == expected
        assert solve(machine, known, solver).value == expected
