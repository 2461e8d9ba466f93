from __future__ import annotations

import pytest

from grammar.diagnostics import ZermeloError
from interpreter.checks.facts import facts
from interpreter.checks.information_sets import count_information_sets
from interpreter.reference.machine import ReferenceMachine

GUESS = """
    game "Guess"
    players A, B
    var coin: 1..2 = 1  hidden
    start at hide
    phase hide:
        turn A:
            move put(n in 1..2) secret:
                coin := n
                go guess
    phase guess:
        turn B:
            move say(n in 1..2):
                if n == coin: end win B
                end win A
"""


def count(model_of, text, limit=1000):
    return count_information_sets(ReferenceMachine(model_of(text)), limit)


def test_hidden_choice(model_of):
    found = count(model_of, GUESS)
    assert (found.count, found.histories, found.perfect, found.finished) == (2, 7, False, True)
    known = facts(model_of(GUESS)).with_information_sets(found)
    assert known.perfect_information.holds is False
    assert "cannot tell apart" in known.perfect_information.how


def test_hidden_variable_that_everybody_can_work_out(model_of):
    text = GUESS.replace(" secret:", ":")
    found = count(model_of, text)
    assert (found.count, found.perfect, found.finished) == (3, True, True)
    known = facts(model_of(text))
    assert known.perfect_information.holds is False
    known = known.with_information_sets(found)
    assert known.perfect_information.holds
    assert known.perfect_information.how == "all 7 histories have been visited, and none can be taken for another"


def test_limit(model_of):
    found = count(model_of, GUESS.replace(" secret:", ":"), limit=3)
    assert not found.finished
    assert found.histories == 3
    known = facts(model_of(GUESS))
    assert known.with_information_sets(found) == known


def test_guard_that_betrays_what_is_hidden(model_of):
    text = GUESS.replace("move say(n in 1..2):", "move say(n in 1..2) if n <= coin:")
    with pytest.raises(ZermeloError) as raised:
        count(model_of, text)
    assert raised.value.code == "moves-differ"
    assert raised.value.message == (
        "B cannot tell the plays put(1) and put(2) apart, but may choose from say(1) in one and from say(1), say(2) "
        "in the other"
    )
