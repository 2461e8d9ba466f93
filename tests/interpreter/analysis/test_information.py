from __future__ import annotations

import pytest

from zermelo import gamedefs
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


# ------------------------------------------------------------------ public between rounds

ROUNDS = """
    game "Rounds"
    players A, B
    param open: Bool = true
    var left: 0..2 = 2
    var kept[p: Player]: 0..2 = 0
    start at bid(1)
    phase bid(n: 1..2):
        together p in Player:
            move offer(secret x in 1..n)
        then:
            let a = offer[A].x
            let b = offer[B].x
            kept[A] := if a is none then 0 else a
            kept[B] := if b is none then 0 else b
            left -= 1
            if left == 0: end payoff (kept[A] - kept[B], kept[B] - kept[A])
            go throw
    phase throw:
        chance:
            outcome die(n in 1..2): go bid(n)
"""
KEPT = "var kept[p: Player]: 0..2 = 0"
"""What each has offered in the round before; between the rounds everybody sees it."""


def public_of(model_of, text, *changes, **parameters):
    """Whether a game is public between rounds, and why."""
    for change in changes:
        assert text.count(change[0]) >= 1, change
        text = text.replace(*change)
    found = facts(model_of(text, **parameters)).public_between_rounds
    return found.holds, found.how


def test_secret_choices_are_public_when_they_change_only_what_all_see(model_of):
    assert public_of(model_of, ROUNDS) == (True, "everybody sees every variable")


@pytest.mark.parametrize(("open", "holds"), [(True, True), (False, None)])
def test_parameters_decide_who_sees_a_variable(model_of, open, holds):
    shown = (KEPT, f"{KEPT}  seen by if open then Player else {{p}}")
    assert public_of(model_of, ROUNDS, shown, open=open)[0] is holds


@pytest.mark.parametrize(
    ("change", "how"),
    [
        ((KEPT, f"{KEPT}  hidden"), "nobody sees 'kept'"),
        ((KEPT, f"{KEPT}  private"), "B does not see 'kept[A]'"),
        (("bid(n: 1..2)", "bid(secret n: 1..2)"), "the player to move in phase 'bid' does not see 'n'"),
        (
            ("        together p", "        let old = kept[A]\n        kept[A] := 0\n        together p"),
            "phase 'bid' remembers something that no variable shows any more",
        ),
        (
            ("            go throw", "            if repetitions(left) > 1: end draw\n            go throw"),
            "the rules look at the history of the play, which players do not see in full",
        ),
    ],
)
def test_what_is_kept_from_somebody_after_a_round(model_of, change, how):
    remembered = ("kept[A] - kept[B]", "old - kept[B]") if "old" in change[1] else ("", "")
    assert public_of(model_of, ROUNDS, change, remembered) == (None, how)


def test_a_message_does_not_stand_for_what_is_hidden(model_of):
    """It would if it were unconditional and complete, but that is not what the rules are examined for."""
    told = ("            left -= 1", "            tell Player that offers(a, b)\n            left -= 1")
    assert public_of(model_of, ROUNDS, (KEPT, f"{KEPT}  private"), told)[0] is None


WITHOUT_DICE = (
    ("go throw\n", "go bid(2)\n"),
    ("            outcome die(n in 1..2): go bid(n)", ""),
    ("        chance:", ""),
)


@pytest.mark.parametrize(("secret", "holds"), [("secret x", None), ("x", True)])
def test_choices_that_all_perceive_after_the_round(model_of, secret, holds):
    """Without chance and secrets the position follows from the moves, whatever variables are hidden."""
    text = ROUNDS[: ROUNDS.index("    phase throw:")].replace("go throw", "go bid(2)")
    found = public_of(model_of, text, (KEPT, f"{KEPT}  hidden"), ("secret x", secret))
    assert found == (
        (True, "everybody sees every move and chance never draws") if holds else (None, "nobody sees 'kept'")
    )


def test_games_of_perfect_information_are_public(model_of):
    for text in (TEXT, REMEMBERING.replace(" secret:", ":"), HISTORY.format(secret="")):
        found = facts(model_of(text))
        assert found.perfect_information.holds
        assert found.public_between_rounds.holds


def test_chance_that_is_not_seen_before_a_round(model_of):
    """As in an auction, in which all bid at once, but each knows only what the thing is worth to them."""
    assert public_of(model_of, bundled("sealed_bid_auction")) == (None, "Bob does not see 'worth[Ann]'")


@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("colonel_blotto", {}),
        ("goofspiel", {"open": True}),
        ("goofspiel", {"open": True, "shuffled": True}),
        ("morra", {}),
        ("prisoners_dilemma", {}),
        ("rock_paper_scissors", {}),
    ],
)
def test_bundled_games_that_are_public_between_rounds(model_of, name, parameters):
    assert public_of(model_of, bundled(name), **parameters)[0] is True


def bundled(name: str) -> str:
    return gamedefs.path(name).read_text(encoding="utf-8")
