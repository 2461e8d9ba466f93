"""Games that deal from more outcomes than can be listed: what random plays show, and no more."""

from __future__ import annotations

import pytest
from all_machines import compiled_machine, needs_llvm
from written_games import bundled_model, model_of

from zermelo.interpreter.checks.proving import facts
from zermelo.interpreter.reference.machine import ReferenceMachine
from zermelo.solvers.common.limits import LimitReached, Limits, ignore_progress
from zermelo.solvers.validation.questions import replies
from zermelo.solvers.validation.shortest_plays import SampledPlays, search

IDLE = """
    game "Idle"
    players Ann, Bob, Cy
    var left: 0..4 = 4
    start at choose(Ann)
    phase choose(p: Player):
        turn p:
            move take(n in 1..2) if n <= left and (p == Ann or n == 1):
                left -= n
                if left == 0: end payoff {q: PAID for q in Player}
                go choose(if p == Ann then Bob else Ann)
"""


@pytest.mark.parametrize("make", [pytest.param(compiled_machine, marks=needs_llvm)])
def test_deals_are_sampled(make):
    model = bundled_model("four_card_whist")
    found = search(make(model), facts(model), None, Limits(), ignore_progress)
    answers = list(replies(make(model), model, facts(model), found, Limits()))
    assert found.graph is None
    assert [(answer.answer, answer.how) for answer in answers[1:3]] == [("yes", "a play shows it")] * 2
    assert all(answer.finding is None and answer.how != "proved" for answer in answers)


@pytest.mark.parametrize(("paid", "answer"), [("0", "not seen"), ("if q == p then 1 else 0", "yes")])
def test_what_plays_do_not_show_is_left_open(paid, answer):
    model = model_of(IDLE.replace("PAID", paid))
    said = {each.question: each for each in SampledPlays(ReferenceMachine(model), facts(model), Limits()).replies()}
    assert said["Does everybody move?"].answer == "not seen of Cy"
    assert said["Has everybody a choice?"].answer == "not seen of Bob, Cy"
    assert said["Do plays pay different amounts?"].answer == answer
    assert all(each.how != "proved" for each in said.values())


def test_an_error_of_the_rules_is_shown_with_its_play():
    model = model_of(IDLE.replace("PAID", "1").replace("left -= n", "left -= n + 1"))
    (answer,) = SampledPlays(ReferenceMachine(model), facts(model), Limits()).replies()
    assert (answer.question, answer.answer) == ("Does a rule fail?", "yes")
    assert answer.finding is not None
    assert answer.finding.code == "assigned-out-of-range"
    assert answer.play is not None


def test_time_ends_the_plays():
    model = model_of(IDLE.replace("PAID", "0"))
    with pytest.raises(LimitReached) as raised:
        list(SampledPlays(ReferenceMachine(model), facts(model), Limits(seconds=0)).replies())
    assert raised.value.code == "out-of-time"
