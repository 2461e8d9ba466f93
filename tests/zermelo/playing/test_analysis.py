"""What is known of a decision, in words and signs."""

from __future__ import annotations

from fractions import Fraction
from math import inf
from random import Random

import pytest

import zermelo
from zermelo.decisions import MoveEvaluation, evaluate_moves
from zermelo.playing import analysis
from zermelo.playing.analysis import (
    Appraisal,
    _guesses,
    amount_sign,
    amount_text,
    assessments,
    best_line,
    hint,
    mixing_text,
    standing,
)
from zermelo.solvers.common.limits import LimitReached, Limits

MEMORY = Limits().memory
LONG = 600.0
"""Seconds that no search here takes, on however busy a machine."""

OTHER_ROLLS = ("roll(1)", "roll(3)", "roll(6)")
"""What Bob may have rolled, which Ann, who is to move, does not see."""

MINUS = "\N{MINUS SIGN}"


def state_of(name: str, *play: str) -> zermelo.State:
    state = zermelo.load(name).initial
    for move in play:
        state = state.after(move)
    return state


def last(state: zermelo.State) -> Appraisal:
    *_, found = assessments(state, LONG, MEMORY)
    return found


def words(state: zermelo.State, found: Appraisal) -> dict[str, tuple[str, str]]:
    """What each move brings the player to move, in words and as a sign."""
    player = found.evaluation.players.index(state.actor or "")
    return {
        str(worth.move): (amount_text(found, state.game, worth, player), amount_sign(found, state.game, worth, player))
        for worth in found.evaluation.worths
    }


def test_after_a_corner_only_the_centre_draws():
    """Of tic-tac-toe, as every book on it says; whoever loses holds out for six moves."""
    state = state_of("tic_tac_toe", "mark(a1)")
    found = last(state)
    said = words(state, found)
    assert said.pop("mark(b2)") == ("drawn", "=")
    assert set(said.values()) == {("lost in 6", f"{MINUS}6")}
    assert found.is_exact and found.certainty(state) == "exact values"


def test_a_sign_is_short():
    text = """game "Shares"
players A, B
start at share
phase share:
    turn A:
        move little: end payoff (1/300, -1/300)
        move much: end payoff (100/3, -100/3)
        move half: end payoff (-1/2, 1/2)
"""
    state = zermelo.loads(text).initial
    signs = {move: sign for move, (_, sign) in words(state, last(state)).items()}
    assert signs == {"little": "+.0033", "much": "+33", "half": f"{MINUS}1/2"}


def test_best_play_leads_to_a_win_in_as_many_moves_as_are_said():
    state = state_of("tic_tac_toe", "mark(a1)", "mark(a2)")
    found = last(state)
    line = best_line(found)
    assert words(state, found)[str(line[0])] == ("won in 5", "+5")
    assert len(line) == 5
    for move in line:
        state = state.after(move)
    assert state.payoff == (1, -1)


def test_a_move_is_worth_the_same_in_all_positions_that_a_player_cannot_tell_apart():
    """Kuhn (1950): with the middle card it is best to call a bet one time in three."""
    states = [state_of("kuhn_poker", f"deal({card}, Q)", "bet") for card in "JK"]
    found = [last(state) for state in states]
    assert words(states[0], found[0]) == words(states[1], found[1])
    mixed = {str(worth.move): mixing_text(found[0], worth) for worth in found[0].evaluation.worths}
    assert mixed == {"fold": "make it 2/3 of the time", "call": "make it 1/3 of the time"}
    assert "no more than they see" in found[0].certainty(states[0])
    assert "if it is mixed: fold 2/3, call 1/3" in hint(states[0], MEMORY).said


def test_a_bet_that_the_best_card_calls_brings_two():
    state = state_of("kuhn_poker", "deal(J, K)", "bet")
    assert words(state, last(state)) == {"fold": ("-1", f"{MINUS}1"), "call": ("2", "+2")}
    assert hint(state, MEMORY).said == "call brings Bob 2"


def test_until_there_is_an_exact_value_a_search_says_how_far_it_has_looked():
    state = state_of("chess")
    found = next(assessments(state, LONG, MEMORY))
    assert not found.is_exact and found.certainty(state) == "searched 2 plies: estimates, no values"
    assert not {text for text, _ in words(state, found).values()} & {"won", "drawn", "lost"}


def test_a_guess_by_simulations_says_that_it_is_one():
    state = state_of("four_card_whist")
    while state.actor == zermelo.CHANCE:
        state = state.after(state.sample(Random(1)))
    found = next(assessments(state, LONG, MEMORY))
    assert not found.is_exact and found.certainty(state) == "a guess: means of 25 simulated plays"
    for text, _ in words(state, found).values():
        mean, error = text.removeprefix("≈ ").split(" ± ")
        assert float(error) >= 0.1 and len(mean.partition(".")[2]) <= 2, "no more digits than are known"


def test_an_estimate_is_no_fraction():
    state = state_of("connect_four")
    found = next(assessments(state, LONG, MEMORY))
    assert found.ahead is not None
    texts = [text for text, _ in words(state, found).values()]
    assert all(text.startswith("≈ -0.00") for text in texts)


def test_a_guess_is_the_same_in_all_positions_that_a_player_cannot_tell_apart():
    guessed = [next(_guesses(state_of("liars_dice", "roll(1)", roll), Limits())).evaluation for roll in OTHER_ROLLS]
    assert guessed[0].is_sampled
    assert all(each == guessed[0] for each in guessed)


def test_a_guess_that_meets_all_ends_does_not_end_the_analysis(monkeypatch):
    """However little time there was for the exact values at first: only they know how far the ends are."""
    state = state_of("tic_tac_toe", "mark(a1)", "mark(b2)", "mark(c3)", "mark(c1)", "mark(a3)")
    calls = []

    def refuse_once(*arguments: object, **named: object) -> MoveEvaluation:
        calls.append(named["limits"])
        if calls[-1].depth == inf and sum(each.depth == inf for each in calls) == 1:
            raise LimitReached("out-of-time", "in this time", {}, "take more time")
        return evaluate_moves(*arguments, **named)

    monkeypatch.setattr(analysis, "evaluate_moves", refuse_once)
    *guesses, found = assessments(state, LONG, MEMORY)
    assert guesses[-1].is_exact, "otherwise this tests nothing"
    assert set(words(state, guesses[-1]).values()) == {("lost", MINUS)}
    assert words(state, found)["mark(b1)"] == ("lost in 2", f"{MINUS}2")


def test_what_has_neither_a_value_nor_a_guess_is_refused():
    with pytest.raises(zermelo.ZermeloError) as refused:
        list(assessments(state_of("kuhn_poker"), LONG, MEMORY))
    assert refused.value.code == "no-value"


@pytest.mark.parametrize(
    ("name", "amount", "said"),
    [
        ("tic_tac_toe", 1, "won"), ("tic_tac_toe", 0, "drawn"), ("tic_tac_toe", -1, "lost"),
        ("kuhn_poker", Fraction(-1, 18), "lost"), ("prisoners_dilemma", 1, ""), ("three_player_tree", 1, ""),
    ],
)  # fmt: skip
def test_who_is_better_off_is_said_where_one_gains_what_the_other_loses(name, amount, said):
    assert standing(zermelo.load(name), 0, Fraction(amount)) == said
