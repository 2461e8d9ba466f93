"""What players earn is not perceived: they know of it what they are told, and what follows from the moves."""

from __future__ import annotations

import pytest

from zermelo.interpreter.machine import CHANCE

BANDIT = """
    game "Pull once, then pull or stop"
    players Ann
    var good: Bool hidden
    start at nature
    phase nature:
        chance:
            outcome good(b in Bool):
                good := b
                go pull(1)
    phase pull(n: 1..2):
        turn Ann:
            move pull:
                earn Ann: if good then 1 else -1
                {tell}
                if n == 2: end
                go pull(2)
            move stop: end
"""


@pytest.mark.parametrize(("tell", "is_known"), [("", False), ("tell Ann that got(if good then 1 else -1)", True)])
def test_a_player_knows_what_they_earned_if_they_are_told(machine_of, tell: str, is_known: bool) -> None:
    machine = machine_of(BANDIT.replace("{tell}", tell))
    start = machine.initial()
    assert machine.actor(start) == CHANCE
    first, second = (
        machine.after(after, machine.find_move(after, "pull"))
        for after in (machine.after(start, outcome) for outcome, _ in machine.outcomes(start))
    )
    assert machine.earned(first) != machine.earned(second)
    assert (machine.information_state(first, 0) != machine.information_state(second, 0)) == is_known
