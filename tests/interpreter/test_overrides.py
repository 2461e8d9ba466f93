"""Parameters set by a user, and fixes offered by the checker."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from zermelo.grammar.diagnostics import Source, ZermeloError
from zermelo.interpreter.check import check

TEXT = """game "Parameters"
players 2..4 = 3
param n: 1..5 = 3
param k: 1..9 = n + 1
param fair: Bool = false
param luck: 0..1 by 1/4 = 1/2
param suit: Suit = clubs
type Suit = clubs | hearts
require k > n
start at play
phase play:
    if n + k > 3 and fair and luck == 1 and suit == hearts: end draw
    turn Player(1):
        move stop: end draw
"""


def outcome(**overrides: Any) -> tuple[dict[str, Any], list[str]]:
    model, findings = check(Source("parameters.game", TEXT), overrides)
    values = {} if model is None else {name: value for name, value in model.parameters.items() if name != "suit"}
    return values, [finding.code for finding in findings]


def test_without_overrides_parameters_have_their_first_values() -> None:
    assert outcome() == ({"players": 3, "n": 3, "k": 4, "fair": False, "luck": Fraction(1, 2)}, [])


def test_values_and_texts_mean_the_same() -> None:
    given = {"players": 4, "n": 5, "fair": True, "luck": Fraction(3, 4)}
    written = {"players": "4", "n": " 5", "fair": "true", "luck": "0.75", "suit": "hearts"}
    assert outcome(**given) == outcome(**written) == ({**given, "k": 6}, [])


@pytest.mark.parametrize(
    "overrides",
    [
        *({"n": given} for given in (6, "x", "", 2.5, True, "1/0")),
        *({"fair": 1}, {"fair": "yes"}, {"luck": "1/3"}, {"suit": "spades"}, {"suit": None}),
        *({"players": 5}, {"players": "many"}),
    ],
    ids=str,
)
def test_what_the_file_does_not_allow_is_reported_once(overrides: dict[str, Any]) -> None:
    assert outcome(**overrides) == ({}, ["parameter-out-of-range"])


def test_requirements_hold_for_what_the_user_sets() -> None:
    assert outcome(k=2) == ({}, ["requirement-not-met"])


def test_an_unknown_parameter_is_refused_with_the_nearest_name() -> None:
    with pytest.raises(ZermeloError, match="did you mean 'luck'") as caught:
        outcome(lucky=1)
    assert caught.value.code == "unknown-parameter"


def test_a_fix_mends_the_text() -> None:
    text = TEXT.replace("luck == 1", "lukc == 1")
    _, findings = check(Source("parameters.game", text))
    (finding,) = findings
    assert finding.fix is not None
    span = finding.fix.span
    assert text[: span.start] + finding.fix.replacement + text[span.end :] == TEXT


def test_a_name_for_the_player_who_chooses_is_inserted() -> None:
    text = TOGETHER
    _, findings = check(Source("bid.game", text))
    (finding,) = findings
    assert finding.fix is not None
    start, end = finding.fix.span.start, finding.fix.span.end
    mended = text[:start] + finding.fix.replacement + text[end:]
    assert "    together p in Player:\n" in mended
    assert not list(check(Source("bid.game", mended))[1])


TOGETHER = """\
game "Bids"
players Ann, Bob
var coins[Player]: 0..5 = 5
start at bid
phase bid:
    together:
        move offer(n in 0..coins[p])
    then:
        end payoff {q: offer[q].n for q in Player}
"""


DICE = """\
game "As many throws as dice"
players Ann, Bob
param dice: 1..5 = 2
start at roll(1)
phase roll(k: 1..dice):
    turn Ann:
        move go_on:
            if k < dice: go roll(k + 1)
            end win Ann
        move stop: end draw
"""


@pytest.mark.parametrize("dice", [1, 2, 5])
def test_code_that_a_parameter_puts_out_of_reach_is_no_error(dice: int) -> None:
    model, findings = check(Source("dice.game", DICE), {"dice": dice})
    assert model is not None
    assert not list(findings)


@pytest.mark.parametrize(("dice", "wrong"), [(1, []), (2, ["out-of-range"])])
def test_code_that_another_parameter_brings_within_reach_is(dice: int, wrong: list[str]) -> None:
    text = DICE.replace("go roll(k + 1)", "go roll(dice + 1)")
    _, findings = check(Source("dice.game", text), {"dice": dice})
    assert [finding.code for finding in findings] == wrong
