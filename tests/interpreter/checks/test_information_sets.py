from __future__ import annotations

import pytest
from written_games import model_of

from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.checks import game_facts
from zermelo.interpreter.checks.game_facts import count_information_sets, find_confusion
from zermelo.interpreter.checks.proving import facts
from zermelo.interpreter.reference.machine import ReferenceMachine

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


def count(text, limit=1000):
    return count_information_sets(ReferenceMachine(model_of(text)), limit)


def test_hidden_choice():
    found = count(GUESS)
    assert (found.count, found.histories, found.finished) == (2, 7, True)
    assert str(found.confusion) == "B cannot tell the plays put(1) and put(2) apart"
    known = facts(model_of(GUESS)).with_information_sets(found)
    assert known.perfect_information.holds is False
    assert known.perfect_information.how == str(found.confusion)


def test_what_the_rules_leave_open_and_visiting_everything_settles():
    text = GUESS.replace("coin := n", "coin := n\n                tell B that put_down(n)")
    found = count(text)
    assert (found.count, found.confusion, found.finished) == (3, None, True)
    known = facts(model_of(text))
    assert known.perfect_information.holds is None
    known = known.with_information_sets(found)
    assert known.perfect_information.holds
    how = "all 7 histories have been visited, and the player to move always knows the position"
    assert known.perfect_information.how == how


@pytest.mark.parametrize(("limit", "is_found"), [(2, False), (3, True)])
def test_two_plays_that_look_alike_are_found_among_the_first(limit, is_found, monkeypatch):
    monkeypatch.setattr(game_facts, "EARLY", limit)
    found = find_confusion(ReferenceMachine(model_of(GUESS)))
    assert (found is not None) is is_found
    known = facts(model_of(GUESS)).with_confusion(found)
    assert known.perfect_information.holds is (False if is_found else None)


def test_nothing_is_found_where_the_position_is_known():
    text = GUESS.replace("coin := n", "coin := n\n                tell B that put_down(n)")
    assert find_confusion(ReferenceMachine(model_of(text))) is None


def test_limit():
    found = count(GUESS.replace(" secret:", ":"), limit=3)
    assert not found.finished
    assert found.histories == 3
    known = facts(model_of(GUESS))
    assert known.with_information_sets(found) == known


def test_guard_that_betrays_what_is_hidden():
    text = GUESS.replace("move say(n in 1..2):", "move say(n in 1..2) if n <= coin:")
    with pytest.raises(ZermeloError) as raised:
        count(text)
    assert raised.value.code == "moves-differ"
    assert raised.value.message == (
        "B cannot tell the plays put(1) and put(2) apart, but may choose from say(1) in one and from say(1), say(2) "
        "in the other"
    )
