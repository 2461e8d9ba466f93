""""""

from __future__ import annotations

from pathlib import Path

import pytest
from written_games import model_of

import zermelo
from zermelo import gamedefs
from zermelo.grammar.diagnostics import Source, ZermeloError
from zermelo.interpreter.analysis import ENTRIES
from zermelo.interpreter.check import check
from zermelo.interpreter.checks import game_facts
from zermelo.interpreter.checks.game_facts import count_information_sets, find_confusion
from zermelo.interpreter.checks.proving import facts
from zermelo.interpreter.reference.machine import ReferenceMachine

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
        ("seen by if q == A then none else q", "A does not see 'card[A]'"),
        ("seen by q", "B does not see 'card[A]'"),
        ("seen by if q == B then {A} else Player", "B does not see 'card[B]'"),
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


@pytest.mark.parametrize(
    ("most", "visibility", "how"),
    [
        (2, "{A, B}", ""),
        (2, "if q == B and n == 2 then {A} else Player", "B does not see 'card[B, 2]'"),
        (ENTRIES // 2, "{A, B}", ""),
        (ENTRIES // 2 + 1, "{A, B}", "not everybody sees 'card'"),
    ],
)
def test_every_entry_is_looked_at_if_they_are_not_too_many(model_of, most, visibility, how):
    text = TEXT.replace("card[Player]: Card = J", f"card[q: Player, n: 1..{most}]: Card = J  seen by {visibility}")
    found = facts(model_of(text.replace("card[A] := c", "card[A, 1] := c"))).perfect_information
    assert (found.holds, found.how if how else "") == (None if how else True, how)


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


GUESS = """
    game "Guess"
    players A, B
    var coin: 1..2 = 1  hidden
    start at hide
    phase hide:
        turn A:
            move put(n in 1..2) secret:
                coin := n
                go guess
    phase guess:
        turn B:
            move say(n in 1..2):
                if n == coin: end win B
                end win A
"""


def count(text, limit=1000):
    return count_information_sets(ReferenceMachine(model_of(text)), limit)


def test_hidden_choice():
    found = count(GUESS)
    assert (found.count, found.histories, found.finished) == (2, 7, True)
    assert str(found.confusion) == "B cannot tell the plays put(1) and put(2) apart"
    known = facts(model_of(GUESS)).with_information_sets(found)
    assert known.perfect_information.holds is False
    assert known.perfect_information.how == str(found.confusion)


def test_what_the_rules_leave_open_and_visiting_everything_settles():
    text = GUESS.replace("coin := n", "coin := n\n                tell B that put_down(n)")
    found = count(text)
    assert (found.count, found.confusion, found.finished) == (3, None, True)
    known = facts(model_of(text))
    assert known.perfect_information.holds is None
    known = known.with_information_sets(found)
    assert known.perfect_information.holds
    how = "all 7 histories have been visited, and the player to move always knows the position"
    assert known.perfect_information.how == how


@pytest.mark.parametrize(("limit", "is_found"), [(2, False), (3, True)])
def test_two_plays_that_look_alike_are_found_among_the_first(limit, is_found, monkeypatch):
    monkeypatch.setattr(game_facts, "EARLY", limit)
    found = find_confusion(ReferenceMachine(model_of(GUESS)))
    assert (found is not None) is is_found
    known = facts(model_of(GUESS)).with_confusion(found)
    assert known.perfect_information.holds is (False if is_found else None)


def test_nothing_is_found_where_the_position_is_known():
    text = GUESS.replace("coin := n", "coin := n\n                tell B that put_down(n)")
    assert find_confusion(ReferenceMachine(model_of(text))) is None


def test_limit():
    found = count(GUESS.replace(" secret:", ":"), limit=3)
    assert not found.finished
    assert found.histories == 3
    known = facts(model_of(GUESS))
    assert known.with_information_sets(found) == known


def test_guard_that_betrays_what_is_hidden():
    text = GUESS.replace("move say(n in 1..2):", "move say(n in 1..2) if n <= coin:")
    with pytest.raises(ZermeloError) as raised:
        count(text)
    assert raised.value.code == "moves-differ"
    assert raised.value.message == (
        "B cannot tell the plays put(1) and put(2) apart, but may choose from say(1) in one and from say(1), say(2) "
        "in the other"
    )


# What comes to light without being meant to, and what is revealed.


FOLDER = Path(__file__).parents[2] / "trial" / "secrets"

CARD = """
game "A card"
players Ann, Bob, Cy
type Card = low | high
var card: Card   hidden
var hand[Player]: Card   private
var shown: Card? = none
start at deal
phase deal:
    chance:
        outcome deal(c in Card, d in Card):
            card := c
            hand[Ann] := d
            go play
phase play:
    turn Ann:
        move show:
            REVEAL
            shown := VALUE
            go guess
phase guess:
    turn Bob:
        move guess(c in Card):
            if shown == c or card == c: end win Bob
            end win {Ann, Cy}
"""


def warnings(text: str) -> list[str]:
    _, findings = check(Source("test.game", text))
    return [finding.code for finding in findings]


@pytest.mark.parametrize("file", ["leak1", "leak2", "leak3", "leak4", "openphase"])
def test_each_way_of_betraying_is_found(file):
    assert warnings((FOLDER / f"{file}.game").read_text(encoding="utf-8")) == ["betrays-hidden"]


def test_a_card_that_its_variable_shows_later_is_no_betrayal():
    assert warnings((FOLDER / "reveal.game").read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    ("reveal", "value", "is_betrayed"),
    [
        ("reveal card", "card", False),
        ("reveal card == low", "card", True),
        ("reveal hand[Ann]", "card", True),
        ("reveal card to Bob", "card", True),
        ("reveal card to {Bob, Cy}", "card", True),  # Ann has not been told
        ("reveal hand[Ann] to {Bob, Cy}", "hand[Ann]", False),  # Ann knows
        ("reveal hand[Ann] to Bob", "hand[Ann]", True),
        ("tell Player that it_is(card)", "card", False),
        ("let c = card", "c", True),
        ("let c = card", "(if c == low then low else high)", False),
    ],
)
def test_what_everybody_has_been_told_is_not_betrayed(reveal, value, is_betrayed):
    found = warnings(CARD.replace("REVEAL", reveal).replace("VALUE", value))
    assert ("betrays-hidden" in found) == is_betrayed


@pytest.mark.parametrize(
    ("change", "is_betrayed"), [("", False), ("hand[Bob] := card", True), ("card := hand[Bob]", False)]
)
def test_what_was_told_of_all_entries_is_past_when_one_has_changed(change, is_betrayed):
    reveal = "\n            ".join(["for q in Player: reveal hand[q]", *filter(None, [change])])
    found = warnings(CARD.replace("REVEAL", reveal).replace("VALUE", "hand[Bob]"))
    assert ("betrays-hidden" in found) == is_betrayed


@pytest.mark.parametrize("machine", ["reference", "native"])
def test_revealing_tells_the_words_the_indices_and_the_value(machine):
    text = CARD.replace("REVEAL", "for p in {Ann}: reveal hand[p] to {Bob}").replace("VALUE", "none")
    state = zermelo.loads(text).on(machine).initial.after("deal(low, high)").after("show")
    assert "told hand_p(Ann, high)" in map(str, state.information_state("Bob"))
    assert not any("told" in str(seen) for seen in state.information_state("Cy"))


def test_a_guard_may_read_a_size_that_was_revealed_on_entry():
    text = (FOLDER.parents[1] / "interpreter" / "good" / "revealed.game").read_text(encoding="utf-8")
    assert warnings(text) == []
    assert warnings(text.replace("    reveal size(deck)\n    let left", "    let left")) == [
        *("guard-reads-hidden", "betrays-hidden", "betrays-hidden")
    ]


@pytest.mark.parametrize(("kept", "found"), [("", 1), ("secret ", 0)])
def test_whoever_chooses_at_once_perceives_the_argument_of_the_phase(kept, found):
    text = f"""
game "A lot"
players Ann, Bob
var worth: 1..3 = 1    hidden
start at draw
phase draw:
    chance:
        outcome lot(n in 1..3):
            worth := n
            go bid(n)
phase bid({kept}price: 1..3):
    together:
        move offer(k in 1..3)
    then:
        end payoff {{p: if offer[p].k >= price then 1 else 0 for p in Player}}
"""
    _, findings = check(Source("lot.game", text))
    assert [finding.code for finding in findings.found] == ["betrays-hidden"] * found


@pytest.mark.parametrize(("first", "second", "found"), [("secret ", "", 0), ("", "secret ", 1), ("", "", 0)])
def test_a_choice_is_as_secret_as_in_its_own_phase(first, second, found):
    """A move of the same name in another phase says nothing of it."""
    text = f"""
game "Two rounds"
players Ann, Bob
var shown: 0..1? = none
start at one
phase one:
    together:
        move show({first}t in 0..1)
    then:
        go two
phase two:
    together:
        move show({second}t in 0..1)
    then:
        shown := show[Ann].t
        if shown == show[Bob].t: end win Ann
        end win Bob
"""
    _, findings = check(Source("two.game", text))
    assert [finding.code for finding in findings.found] == ["betrays-hidden"] * found
