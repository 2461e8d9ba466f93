"""Whether a play begins alike under symmetries of the rules."""

from __future__ import annotations

import pytest
from written_games import bundled_model, model_of

from zermelo.interpreter.checks.claims import verdict
from zermelo.interpreter.checks.proving import facts
from zermelo.interpreter.symmetries.equivariance import keeps_beginning
from zermelo.interpreter.symmetries.group import symmetries

RULES = """\
game "Suits"
players A, B
claim zero_sum

type Suit = clubs | hearts
var latest: Suit LATEST
var marks[Suit]: 0..1 = 0

setup:
    SETUP

start at name(START)

phase name(s: Suit?):
    turn A:
        move name(t in Suit):
            latest := t
            marks[t] := 1
            if s == latest: end payoff {A: 1, B: -1}
            end payoff {A: 0, B: 0}
"""

EVEN = "for s in Suit: marks[s] := 1"

CASES = {
    "unset": ("", EVEN, "none", True),
    "a variable": ("= clubs", EVEN, "none", False),
    "an argument": ("", EVEN, "hearts", False),
    "an entry": ("", "marks[clubs] := 1", "none", False),
    "an entry that changes nothing": ("", "marks[clubs] := 0", "none", True),
}
"""What a variable begins with, ``setup``, the argument at the start, and whether the suits can be exchanged then."""


@pytest.mark.parametrize(("latest", "setup", "start", "keeps"), CASES.values(), ids=list(CASES))
def test_the_first_state_is_its_own_image(latest: str, setup: str, start: str, keeps: bool) -> None:
    text = RULES.replace("LATEST", latest).replace("SETUP", setup).replace("START", start)
    model = model_of(text)
    (exchange,) = (each for each in symmetries(model) if each.members)
    assert keeps_beginning(model, exchange) == keeps


def test_of_bundled_games() -> None:
    for name in ("leduc_poker", "tic_tac_toe"):
        model = bundled_model(name)
        kept = [each for each in symmetries(model) if not any(player in each.members for player in model.players)]
        assert len(kept) > 1
        assert all(keeps_beginning(model, each) for each in kept)


TOSS = """
    game "Toss"
    players Ann, Bob, Cy
    claim symmetric
    var owner: Player? = none
    var left: 0..3 = 3
    start at toss
    phase toss:
        chance:
            outcome first(p in Player): go play(p)
    phase play(p: Player):
        turn p:
            move take(q in Player) if left > 0:
                left -= 1
                owner := q
                go play(q)
        otherwise: end payoff {q: if owner == q then 2 else -1 for q in Player}
"""


@pytest.mark.parametrize(
    ("old", "new", "holds"),
    [
        ("toss", "toss", True),
        ("start at toss", "start at play(Ann)", None),
        ("var owner: Player? = none", "var owner: Player? = Ann", None),
        ("then 2 else", "then (if q == Ann then 3 else 2) else", None),
        ("move take(q in Player) if left > 0", "move take(q in Player) if left > 0 and q != Cy", None),
        ("outcome first(p in Player)", "outcome first(p in {Ann, Bob})", None),
    ],
)
def test_players_can_be_exchanged_if_rules_and_beginning_are_the_same(old, new, holds):
    assert old in TOSS
    model = model_of(TOSS.replace(old, new))
    assert verdict(model.claims[0], facts(model), model).holds is holds
