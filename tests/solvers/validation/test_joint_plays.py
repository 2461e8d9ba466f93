"""Random plays of two games in step: what they show is true, and is found where not all plays can be compared."""

from __future__ import annotations

import re
from random import Random
from typing import Any

import pytest
from all_machines import python_machine
from hypothesis import given, note, settings
from hypothesis import strategies as st
from random_cases import many
from random_games.small import write_small
from written_games import model_of

from zermelo.grammar.diagnostics import Source
from zermelo.interpreter.check import check
from zermelo.interpreter.machine import PlayError
from zermelo.interpreter.native.dialect.lowered_text import Unsupported
from zermelo.interpreter.reference.machine import ReferenceMachine
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.validation.difference import compare
from zermelo.solvers.validation.situations import Aspect

LONG = """
    game "Long way"
    players Ann, Bob
    var at: 0..99 = 0
    start at walk(Ann)
    phase walk(who: Player):
        turn who:
            move step(n in 1..3):
                at += n
                if at >= 30: end win who
                go walk(next who)
"""

CARDS = """
    game "Cards"
    players Ann, Bob
    type Card = 1..24
    var hand[Player]: set of Card = {}   private
    start at deal
    phase deal:
        chance:
            outcome deal(a in subsets(Card, 8), b in subsets(Card - a, 8)):
                hand[Ann] := a
                hand[Bob] := b
                go play
    phase play:
        turn Ann:
            move call: go reply
    phase reply:
        turn Bob:
            move show:
                if 7 in hand[Bob]: end win Bob
                end win Ann
"""


def machines(first, *changes):
    """A game, and the same with changes of its text."""
    second = first
    for old, new in changes:
        assert old in second
        second = second.replace(old, new)
    return ReferenceMachine(model_of(first)), ReferenceMachine(model_of(second))


def test_what_is_far_from_the_beginning():
    """All plays of four moves are alike; those that reach 30 are not."""
    found = compare(*machines(LONG, ("at >= 30", "at >= 29")), {}, False, Limits(), 50)
    assert found.stopped == "after 50 pairs of positions"
    assert found.difference is not None and found.difference.aspect is Aspect.ACTOR
    assert found.length < 10 <= len(found.difference.plays[0]) == len(found.difference.plays[1]) < 20
    assert found.plays > 1


def test_words_that_only_plays_meet():
    """A move with another name comes after the pairs that are compared: its name is learned there, too."""
    late = LONG.replace("move step", "move rest if at >= 20:\n                go walk(next who)\n            move step")
    found = compare(*machines(late, ("move rest", "move wait")), {}, False, Limits(), 10)
    assert (found.difference, found.words) == (None, {"rest": "wait"}) and found.stopped
    found = compare(*machines(late, ("move rest if at >= 20", "move wait if at >= 21")), {}, False, Limits(), 10)
    assert found.difference is not None and found.difference.aspect is Aspect.MOVES


def test_without_plays_nothing_is_shown():
    found = compare(*machines(LONG, ("at >= 30", "at >= 29")), {}, False, Limits(), 50, plays=0)
    assert (found.difference, found.plays) == (None, 0)


def test_deals_that_nobody_can_list():
    found = compare(*machines(CARDS), {}, True, Limits(), 50)
    assert found.difference is None and "too many outcomes" in found.stopped and found.plays == 200
    found = compare(*machines(CARDS, ("7 in hand[Bob]", "8 in hand[Bob]")), {}, True, Limits(), 50)
    assert found.difference is not None and found.difference.aspect is Aspect.PAYOFFS
    assert [str(move) for move in found.difference.plays[0][1:]] == ["call", "show"]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("subsets(Card - a, 8)", "subsets(Card - a, 7)"), ("9,465,511,770 outcomes", "8,413,788,240 outcomes")),
        (("1..24", "1..25"), ("9,465,511,770 outcomes", "26,293,088,250 outcomes")),
    ],
)
def test_other_deals(change, said):
    """By hand: 24! / (8! 8! 8!), 24! / (8! 7! 9!), 25! / (8! 8! 9!)."""
    found = compare(*machines(CARDS, change), {}, True, Limits(), 50)
    assert found.difference is not None
    assert (found.difference.aspect, found.difference.said) == (Aspect.CHANCE, said)
    assert not found.stopped, "no play is shorter"


def test_as_many_deals_of_other_cards():
    found = compare(*machines(CARDS, ("1..24", "2..25")), {}, True, Limits(), 50)
    assert found.difference is not None and found.difference.aspect is Aspect.CHANCE
    with_a_card_less, without = found.difference.said
    assert " with 1/9465511770" in with_a_card_less and without.startswith("no deal(")


ENDLESS = """
    game "Round"
    players Ann, Bob
    endless draw
    var coin[Player]: Side? = none
    type Side = heads | tails
    start at toss
    phase toss:
        together p in Player:
            move show(s in Side)
        then:
            if show[Ann].s == show[Bob].s: go toss
            end win (if show[Ann].s == heads then Ann else Bob)
"""


@pytest.mark.parametrize("machine", [ReferenceMachine, python_machine])
def test_plays_that_never_end(machine):
    """Players remember what they have seen, so the pairs are too many; but a play goes round."""
    first = machine(model_of(ENDLESS))
    second = machine(model_of(ENDLESS.replace("endless draw", "endless win Bob")))
    found = compare(first, second, {}, True, Limits(), 100)
    assert found.stopped and found.difference is not None
    assert (found.difference.aspect, found.difference.said) == (Aspect.ENDLESS, ("Ann 0, Bob 0", "Ann -1, Bob 1"))
    for play in found.difference.plays:
        assert len(play) == 2 and len({str(move) for move in play}) == 1, "one round, which comes back to the beginning"
    assert compare(first, first, {}, True, Limits(), 100).difference is None


@pytest.mark.parametrize("machine", [ReferenceMachine, python_machine])
@given(st.integers(0, 10_000), st.randoms(use_true_random=False))
@settings(max_examples=many(60), deadline=None)
def test_what_random_plays_show_of_random_games(machine: Any, number: int, random: Random) -> None:
    """The two plays are replayed: the games do differ there, or tell other plays apart."""
    text = write_small(Random(number))
    places = list(re.finditer(r"(?<![\w.])\d(?![\w.])|\bhidden\b|\bpublic\b", text))
    if not places:
        return
    place = random.choice(places)
    other = {"hidden": "public", "public": "hidden"}.get(place[0]) or str((int(place[0]) + 1) % 10)
    changed = text[: place.start()] + other + text[place.end() :]
    note(f"{text}\n\n{place[0]} at {place.start()} becomes {other}")
    models = [check(Source("random.game", each))[0] for each in (text, changed)]
    if models[0] is None or models[1] is None:
        return
    try:
        first, second = machine(models[0]), machine(models[1])
    except Unsupported:
        return
    if first.player_names != second.player_names or first.discount != second.discount:
        return
    found = compare(first, second, {}, True, Limits(), 1, plays=1_000)
    if found.difference is None or not found.stopped:
        return
    shown = found.difference
    if shown.aspect is Aspect.PERCEPTION:
        player = first.player_names.index(shown.player)
        same = [
            machine.information_state(replayed(machine, one), player)
            == machine.information_state(replayed(machine, two), player)
            for machine, one, two in zip((first, second), shown.plays, shown.others, strict=True)
        ]
        assert same[0] != same[1]
    else:
        assert looked(first, shown.plays[0]) != looked(second, shown.plays[1])


def replayed(machine, play):
    state = machine.initial()
    for move in play:
        state = machine.after(state, machine.find_move(state, str(move)))
    return state


def looked(machine, play):
    """What there is to see after a play, or the error of the rules."""
    try:
        state = replayed(machine, play)
        actor = machine.actor(state)
        amounts = machine.payoff(state) if actor == -2 else machine.earned(state)
        return actor, amounts, set(map(str, machine.moves(state))), actor == -1 and set(machine.outcomes(state))
    except PlayError as error:
        return error.code
