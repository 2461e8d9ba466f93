"""Searching a game for what its plays show: how much is searched, which error is found, and what may be said then."""

from __future__ import annotations

import pytest
from all_machines import compiled_machine, needs_llvm
from written_games import bundled_model, model_of

from zermelo.interpreter.checks.proving import facts
from zermelo.interpreter.reference.machine import ReferenceMachine
from zermelo.solvers.common.limits import Limits, ignore_progress
from zermelo.solvers.validation.questions import replies
from zermelo.solvers.validation.shortest_plays import PLAYS, search

MAKERS = [ReferenceMachine, pytest.param(compiled_machine, marks=needs_llvm)]

STUCK = """
    game "Pile"
    players Ann, Bob
    param size: 3..99 = 7
    var pile: 0..99 = size
    start at choose(Ann)
    phase choose(p: Player):
        turn p:
            move take(n in 2..3) if n <= pile:
                pile -= n
                if pile == 0: end win p
                go choose(other p)
"""

FAR = """
    game "Counter"
    players Ann, Bob
    var passed: 0..20 = 0
    var side: 0..20 = 0
    start at choose(Ann)
    phase choose(p: Player):
        turn p:
            move more:
                passed += 1
                if passed == 20: end draw
                go choose(other p)
            move less if passed > 10:
                side := 2 * passed
                go choose(other p)
"""


def searched(model, make, most=None, limits=None):
    return search(make(model), facts(model), most, limits or Limits(), ignore_progress)


def asked(model, make, most=None, **limits):
    found = searched(model, make, most)
    return list(replies(make(model), model, facts(model), found, Limits(**limits)))


@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize("size", [3, 4, 7, 8, 20])
def test_an_error_is_found_with_a_shortest_play(make, size):
    """Taking two or three from a pile is stuck at one: the shortest way there is the fewest threes and twos of one
    less."""
    found = searched(model_of(STUCK, size=size), make)
    assert found.fault is not None
    assert found.fault.code == "deadlock"
    assert len(found.fault.play) == -(-(size - 1) // 3)
    assert not found.sampled
    assert not found.extent.is_whole


@pytest.mark.parametrize("make", MAKERS)
def test_an_error_beyond_the_limit_is_not_found_by_the_search(make):
    model = model_of(FAR)
    near, far = searched(model, make, 5), searched(model, make, 1000)
    assert far.fault is not None and not far.sampled
    assert far.fault.code == "assigned-out-of-range"
    assert list(map(str, far.fault.play)) == ["more"] * 11 + ["less"]
    assert near.fault is not None and near.sampled  # by random plays, which is said
    (answer,) = asked(model, make, 5)
    assert answer.how == "a random play shows it"


def test_kernels_and_machines_search_the_same():
    model = bundled_model("tic_tac_toe")
    found = searched(model, ReferenceMachine, 100)
    assert found.extent.positions == 100
    assert found.extent.plays == PLAYS
    assert str(found.extent) == f"within 100 positions, sampled in {PLAYS:,} plays"
    assert searched(model, compiled_machine, 100).extent == found.extent


@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize("name", ["tic_tac_toe", "kuhn_poker", "snakes_and_ladders", "template", "ludo"])
@pytest.mark.parametrize("most", [1, 5])
def test_what_has_not_been_seen_is_not_proved(name, most, make):
    """With a few positions of games that have findings of all kinds nothing is said of all of them."""
    model = bundled_model(name)
    for answer in asked(model, make, most):
        if "hidden" in answer.question or "secret" in answer.question:
            continue  # plays are visited for this, and those of Kuhn poker are few
        assert answer.how != "proved"
        assert "sampled" not in answer.how or answer.question == "Does a rule fail?"
        assert answer.finding is None or answer.play is not None


@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize("pile", range(1, 13))
def test_who_wins_within_two_moves(make, pile):
    """With one to three taken from a pile the first player wins unless four divides it, with one move for each
    four."""
    text = STUCK.replace("2..3", "1..3").replace("3..99", "1..99")
    codes = [answer.finding.code for answer in asked(model_of(text, size=pile), make) if answer.finding]
    assert ("won-at-once" in codes) == (pile % 4 > 0 and pile < 8 and pile > 1)


CLAIMED = """
    game "Shares"
    players Ann, Bob
    claim constant_sum 3
    var left: 0..9 = 0
    start at choose(Ann)
    phase choose(p: Player):
        turn p:
            move take(n in 0..3) if n != 2 or p == Bob:
                left := n
                if p == Ann: go choose(Bob)
                end payoff {Ann: SHARE, Bob: n}
"""


@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize(("share", "answer"), [("3 - left", "yes"), ("(if left == 2 then 0 else 3 - left)", "no")])
def test_claims_that_the_rules_leave_open(make, share, answer):
    model = model_of(CLAIMED.replace("SHARE", share))
    found = [each for each in asked(model, make) if each.question == "Is it of this constant sum?"]
    assert [each.answer for each in found] == [answer]
    if answer == "no":
        assert found[0].finding is not None
        assert found[0].finding.code == "false-claim"
        assert [str(move) for move in found[0].play or ()] == ["take(0)", "take(2)"]


SECRET = """
    game "Doors"
    players Ann, Bob
    type Door = left | right
    var prize: Door  hidden
    start at hide
    phase hide:
        chance:
            outcome put(d in Door):
                prize := d
                go guess
    phase guess:
        turn Ann:
            move open(d in Door) if GUARD: end payoff {Ann: 1, Bob: 0}
            move leave: end payoff {Ann: 0, Bob: 1}
"""


@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize(("guard", "answer"), [("d == left", "no"), ("d == prize", "yes")])
def test_moves_that_betray_a_secret(make, guard, answer):
    found = [each for each in asked(model_of(SECRET.replace("GUARD", guard)), make) if "betray" in each.question]
    assert [each.answer for each in found] == [answer]
    if answer == "yes":
        assert found[0].finding is not None
        assert found[0].finding.code == "moves-differ"
        assert "put(left) and put(right)" in found[0].finding.message
        assert [str(move) for move in found[0].play or ()] == ["put(right)"]
    else:
        assert found[0].how == "proved"
