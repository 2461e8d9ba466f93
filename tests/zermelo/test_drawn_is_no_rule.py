"""What a file draws is no rule: the digest of its rules, what a file of weights is for, and plays stay as they are."""

from __future__ import annotations

from hashlib import sha256

import pytest

import zermelo
from zermelo.files import rules_digest
from zermelo.grammar.diagnostics import Source
from zermelo.learning import learnable

GAME = """game "Piles"
players Ann, Bob
type Pile = 1..2

var left[Pile]: 0..3 = 3

{drawn}start at play(Ann)

feature more(p) = left[1] - left[2]
weight more = 1/10
estimate for p: weighted sum

phase play(p: Player):
    turn p:
        move take(h in Pile) if left[h] > 0:
            left[h] -= 1
            go play(other p)
    otherwise:
        end win other p
"""
DRAWN = (
    "drawn left as disc\n\n",
    "drawn Pile as points\ndrawn left as disc red\n\n",
    'drawn left as disc:\n    0 = "none"\n\n    # nothing\n    1 = ring\n\n\n',
    "drawn left as card  # a comment\r\n\r\n",
)


@pytest.mark.parametrize("drawn", DRAWN)
def test_the_digest_of_rules_is_that_of_the_text_without_what_is_drawn(drawn):
    plain, with_looks = GAME.format(drawn=""), GAME.format(drawn=drawn)
    assert rules_digest(Source("", plain)) == sha256(plain.encode()).hexdigest()
    assert rules_digest(Source("", with_looks)) == rules_digest(Source("", plain))
    other = with_looks.replace("0..3 = 3", "0..3 = 2")
    assert rules_digest(Source("", other)) != rules_digest(Source("", with_looks))


@pytest.mark.parametrize("drawn", DRAWN)
def test_weights_are_for_a_game_whatever_it_looks_like(drawn):
    plain, with_looks = (zermelo.loads(GAME.format(drawn=each)) for each in ("", drawn))
    assert learnable(plain) == learnable(with_looks)
    assert plain.model.drawn == () != with_looks.model.drawn


@pytest.mark.parametrize("machine", ["reference", "python"])
def test_the_states_before_one_are_those_of_its_play(machine):
    """What is marked as the last move is found by them."""
    game = zermelo.loads(GAME.format(drawn="")).on(machine)
    states = [game.initial]
    for move in ("take(1)", "take(2)", "take(2)"):
        states.append(states[-1].after(move))
    *before, last = states
    earlier = list(game.machine.earlier(last.machine_state))
    assert [game.machine.play(each) for each in earlier] == [each.play for each in reversed(before)]
