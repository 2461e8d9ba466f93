from __future__ import annotations

import pytest

from interpreter.checks.facts import facts

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
        ("seen by latest", "it depends on the play who sees 'card'"),
    ],
)
def test_variables_that_not_everybody_sees(model_of, visibility, how):
    text = TEXT.replace("card[Player]: Card = J", f"card[q: Player]: Card = J  {visibility}")
    text = text.replace("move stop: end win p", "move stop:\n                latest := p\n                end win p")
    found = facts(model_of(text)).perfect_information
    assert (found.holds, found.how) == (False, how)


@pytest.mark.parametrize("visibility", ["seen by Player", "seen by {A, B}", "seen by {q, other q}"])
def test_variables_that_everybody_sees(model_of, visibility):
    assert facts(
        model_of(TEXT.replace("card[Player]: Card = J", f"card[q: Player]: Card = J  {visibility}"))
    ).perfect_information.holds


def test_constants_are_known_from_the_rules(model_of):
    assert facts(model_of(TEXT.replace("Player? = none", "Player? = none  hidden"))).perfect_information.holds


def test_secret_arguments(model_of):
    found = facts(model_of(TEXT.replace("answer(p: Player, q", "answer(p: Player, secret q"))).perfect_information
    assert (found.holds, found.how) == (False, "whoever decides in phase 'answer' does not see 'q'")


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
    assert found.perfect_information.holds is False
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
    assert (found.holds, found.how) == (False, "whoever decides in @x does not know which node has been reached")
    assert facts(model_of(text.replace("l: B @x", "l: B").replace("r: B @x", "r: B"))).perfect_information.holds
