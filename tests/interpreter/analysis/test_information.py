from __future__ import annotations

import pytest

from zermelo.interpreter.checks.proving import facts

TEXT = """
    game "Test"
    players A, B
    type Card = J | Q
    var card[Player]: Card = J
    var latest: Player? = none
    setup:
        latest := A
    start at draw
    phase draw:
        chance:
            outcome deal(c in Card):
                card[A] := c
                go bid(A)
    phase bid(p: Player):
        turn p:
            move stop: end win p
            move raise: go answer(other p, p)
    phase answer(p: Player, q: Player):
        turn p:
            move stop: end win q
"""


def test_everything_public(model_of):
    found = facts(model_of(TEXT))
    assert found.perfect_information.holds
    assert found.simultaneous.holds is False
    assert found.chance.holds
    assert found.chance.how == "chance draws in phase 'draw'"
    assert found.deterministic.holds is False


@pytest.mark.parametrize(
    ("visibility", "how"),
    [
        ("hidden", "nobody sees 'card'"),
        ("private", "B does not see 'card[A]'"),
        ("seen by Player - {q}", "A does not see 'card[A]'"),
        ("seen by if q == A then {B} else Player", "A does not see 'card[A]'"),
        ("seen by latest", "who sees 'card' depends on the play"),
    ],
)
def test_variables_that_not_everybody_sees(model_of, visibility, how):
    text = TEXT.replace("card[Player]: Card = J", f"card[q: Player]: Card = J  {visibility}")
    text = text.replace("move stop: end win p", "move stop:\n                latest := p\n                end win p")
    found = facts(model_of(text)).perfect_information
    assert (found.holds, found.how) == (None, how)


@pytest.mark.parametrize("visibility", ["seen by Player", "seen by {A, B}", "seen by {q, other q}"])
def test_variables_that_everybody_sees(model_of, visibility):
    assert facts(
        model_of(TEXT.replace("card[Player]: Card = J", f"card[q: Player]: Card = J  {visibility}"))
    ).perfect_information.holds


def test_constants_are_known_from_the_rules(model_of):
    assert facts(model_of(TEXT.replace("Player? = none", "Player? = none  hidden"))).perfect_information.holds


def test_secret_arguments(model_of):
    found = facts(model_of(TEXT.replace("answer(p: Player, q", "answer(p: Player, secret q"))).perfect_information
    assert (found.holds, found.how) == (None, "the player to move in phase 'answer' does not see 'q'")


TOGETHER = """
    game "Test"
    players A, B
    start at throw
    phase throw:
        together p in Player:
            move show(n in 1..2)
        then:
            end draw
"""


def test_choices_at_once(model_of):
    found = facts(model_of(TOGETHER))
    assert found.simultaneous.holds
    assert found.perfect_information.holds is None
    assert found.perfect_information.how == "in phase 'throw' several players choose at once"


@pytest.mark.parametrize("change", [("in Player:", "in {A}:"), ("players A, B", "players A")])
def test_a_choice_by_one_alone(model_of, change):
    found = facts(model_of(TOGETHER.replace(*change)))
    assert found.simultaneous.holds is False
    assert found.perfect_information.holds


def test_labels_of_a_tree(model_of):
    text = """
        game "T"
        players A, B
        tree:
            A:
                l: B @x:
                    l: 1
                    r: 2
                r: B @x:
                    l: 3
                    r: 4
    """
    found = facts(model_of(text)).perfect_information
    assert (found.holds, found.how) == (None, "the player to move in @x does not know which node has been reached")
    assert facts(model_of(text.replace("l: B @x", "l: B").replace("r: B @x", "r: B"))).perfect_information.holds


REMEMBERING = """
    game "Remembering"
    players A, B
    var x: 0..2 = 0
    start at write
    phase write:
        turn A:
            move put(n in 1..2) secret:
                x := n
                go read
    phase read:
        let old = x
        x := 0
        turn B:
            move say(n in 1..2):
                if n == old: end win B
                end win A
"""


def test_a_remembered_name_may_not_be_known(model_of):
    found = facts(model_of(REMEMBERING)).perfect_information
    assert (found.holds, found.how) == (None, "phase 'read' remembers something that no variable shows any more")


def test_every_step_open(model_of):
    found = facts(model_of(REMEMBERING.replace(" secret:", ":"))).perfect_information
    how = "everybody sees every move and chance never draws, and no two players choose at once"
    assert (found.holds, found.how) == (True, how)


HISTORY = """
    game "History"
    players A, B
    var at: 0..0 = 0
    start at wait
    phase wait:
        if repetitions(at) == 2: go guess
        turn A:
            move stay{secret}: go wait
            move leave{secret}: go guess
    phase guess:
        turn B:
            move say: end draw
"""


@pytest.mark.parametrize(("secret", "holds"), [("", True), (" secret", None)])
def test_history_is_known_to_whom_every_step_is_open(model_of, secret, holds):
    assert facts(model_of(HISTORY.format(secret=secret))).perfect_information.holds is holds


def test_chance_hides_steps_that_the_history_counts(model_of):
    text = (
        HISTORY.replace("turn A:", "chance:")
        .replace("move stay", "outcome stay")
        .replace("move leave", "outcome leave")
    )
    assert facts(model_of(text.format(secret=""))).perfect_information.holds is None


def test_what_chance_is_not_told_hides_nothing_from_players(model_of):
    text = TEXT.replace("phase draw:", "phase draw(secret c: Card):").replace("start at draw", "start at draw(J)")
    text = text.replace("deal(c in Card):", "deal:")
    assert facts(model_of(text)).perfect_information.holds
