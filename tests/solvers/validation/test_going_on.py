"""Who can keep a play from ending, in the words of ``zermelo check --deep``."""

from __future__ import annotations

import pytest
from written_games import model_of

from zermelo.interpreter.checks.proving import facts
from zermelo.interpreter.reference.machine import ReferenceMachine
from zermelo.solvers.common.limits import Limits, ignore_progress
from zermelo.solvers.validation.questions import replies
from zermelo.solvers.validation.shortest_plays import search

TWO = """
    game "Two doors"
    players Ann, Bob
    start at first
    phase first:
        turn Ann:
            ANN
    phase second:
        turn Bob:
            BOB
"""
LEAVE = "move leave: end draw"
ALONE = """
    game "One door"
    players Ann
    start at first
    phase first:
        turn Ann:
            move wait: go first
            move leave: end payoff (1)
"""
CHANCE = """
    game "A lock"
    players Ann
    start at first
    phase first:
        turn Ann:
            move try: go lock
    phase lock:
        chance:
            outcome open: end payoff (1)
            outcome jam: go first
"""


def two(ann: str, bob: str) -> str:
    return TWO.replace("ANN", ann).replace("BOB", bob)


@pytest.mark.parametrize(
    ("text", "answer", "is_finding"),
    [
        (two("move on: go second", LEAVE), "no", False),
        (ALONE, "yes; Ann can force it", True),
        (CHANCE, "yes; but chance ends it almost surely, whatever the players do", False),
        (
            two(f"move on: go second\n            {LEAVE}", f"move back: go first\n            {LEAVE}"),
            "yes; nobody alone can force it",
            True,
        ),
        (
            two(f"move stay: go first\n            {LEAVE}\n            move on: go second", LEAVE),
            "yes; Ann alone can force it from some position",
            True,
        ),
        (
            two("move stay: go first\n            move on: go second", f"move stay: go second\n            {LEAVE}"),
            "yes; Ann or Bob alone can force it from some position",
            True,
        ),
    ],
)
def test_who_can_keep_a_play_from_ending(text, answer, is_finding):
    model = model_of(text)
    machine, known = ReferenceMachine(model), facts(model)
    found = search(machine, known, None, Limits(), ignore_progress)
    asked = {reply.question: reply for reply in replies(machine, model, known, found, Limits())}
    reply = asked["Can a play go on for ever?"]
    assert reply.answer == answer
    assert (reply.finding is not None) == is_finding
    assert reply.finding is None or reply.finding.remark == answer.removeprefix("yes; ")
