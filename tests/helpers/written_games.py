"""Games that several tests use, and models of games in tests and of bundled ones."""

from __future__ import annotations

from textwrap import dedent

from zermelo import gamedefs
from zermelo.grammar.diagnostics import Source
from zermelo.interpreter.check import check
from zermelo.interpreter.model import Model

COIN = """
game "Coin"
players Ann, Bob
var stake: 1..2 = 1
start at choose

phase choose:
    turn Ann:
        move double:
            stake := 2
            go toss
        move stay: go toss

phase toss:
    chance:
        outcome heads prob 2 / 3: end payoff (stake, -stake)
        outcome tails prob 1 / 3: go answer

phase answer:
    turn Bob:
        move fold: end payoff (1 / 2, -1 / 2)
        move see: end payoff (-stake, stake)
"""

TIES = """
game "Ties"
players Ann, Bob, Cy
var stake: 1..3 = 1
start at play(Ann)

phase play(p: Player):
    turn p:
        move raise(to in 1..2) if stake < 3:
            earn p: to / 2
            stake += 1
            go play(next p)
        move toss: go toss(p)
        move split: end payoff (1, 1, 1)
        move share: end payoff {q: if q == p then 1 else stake for q in Player}

phase toss(p: Player):
    chance:
        outcome heads prob 2 / 3: end payoff (stake, 0, 1)
        outcome tails prob 1 / 3: end payoff (0, stake, 2)
"""
"""To split and to share are the same to who does it, and not to the others."""
"""Chance draws between two decisions; values are fractions."""


def model_of(text: str, **parameters: object) -> Model:
    """The model of a text without errors; parameters by name."""
    model, findings = check(Source("test.game", dedent(text)), parameters)
    assert model is not None, [f"{finding.span.line}: {finding.message}" for finding in findings]
    return model


def bundled_model(name: str, **parameters: object) -> Model:
    """The model of a bundled game; parameters by name."""
    return model_of(gamedefs.path(name).read_text(encoding="utf-8"), **parameters)
