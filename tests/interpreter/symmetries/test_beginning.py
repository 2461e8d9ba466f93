"""Whether a play begins alike under symmetries of the rules."""

from __future__ import annotations

import pytest
from written_games import bundled_model, model_of

from zermelo.interpreter.symmetries.beginning import keeps_beginning
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
