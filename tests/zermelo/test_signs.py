"""Legends of enumerations: people see cards as cards, and files keep their names."""

from __future__ import annotations

import json

import pytest

import zermelo
from zermelo.interpreter.machine import display_text

GAME = """game "The higher card"
players Ann, Bob
claim zero_sum
type Rank = ten < jack < queen
type Suit = hearts | spades
type Card = (rank: Rank, suit: Suit)
type Side = left | right

legend Rank:
    "10" = ten, "J" = jack, "Q" = queen
legend Suit:
    "♥" = hearts, "♠" = spades

var hand[Player]: Card                     private
var led[Suit]: Rank? = none
var side: Side = left

start at deal

phase deal:
    chance:
        outcome deal(a in Card, b in Card, s in Side) if a != b:
            hand[Ann] := a
            hand[Bob] := b
            side := s
            go lead

phase lead:
    turn Ann:
        move lead(c in Card) if hand[Ann] == c:
            led[c.suit] := c.rank
            tell Bob that led(c)
            go answer
        move fold(r in Rank): end win Bob

phase answer:
    turn Bob:
        move double:
            if hand[Ann].rank > hand[Bob].rank: end payoff (2, -2)
            end payoff (-2, 2)
        move fold: end win Ann
"""

DEALT = "deal(10♥, (queen, spades), left)"


def test_moves_are_taken_in_either_form_and_shown_by_signs(run, game_file):
    ran = run("moves", game_file(GAME), "--after", f"{DEALT}; lead((ten, hearts))")
    assert (ran.code, ran.err) == (0, "")
    assert "after  deal(10♥, Q♠, left), lead(10♥)\n" in ran.out
    assert "hand[Ann] = 10♥\n" in ran.out and "told led(10♥)" in ran.out
    assert "led    ♥  ♠" in ran.out or "led[♥] = 10   led[♠] = none" in ran.out
    assert "hearts" not in ran.out and "queen" not in ran.out


def test_json_keeps_the_names(run, game_file):
    record = run("moves", game_file(GAME), "--after", DEALT, "--json").record
    assert record["play"] == ["deal((ten, hearts), (queen, spades), left)"]
    assert record["moves"] == ["lead((ten, hearts))", "fold(ten)", "fold(jack)", "fold(queen)"]
    assert "♥" not in json.dumps(record, ensure_ascii=False)


def test_every_move_is_read_back_from_what_is_shown():
    game = zermelo.loads(GAME)
    state = game.initial
    for move, _ in state.outcomes:
        assert state.find(display_text(move)) == state.find(str(move)) == move
    assert len({display_text(move) for move, _ in state.outcomes}) == len(state.outcomes) == 60


@pytest.mark.parametrize("text", ["10", "♥", "♥10", "10♥♥", "10♥,J♥", ""])
def test_other_texts_are_no_cards(text):
    with pytest.raises(zermelo.ZermeloError) as refused:
        zermelo.loads(GAME).initial.find(f"deal({text}, Q♠, left)")
    assert refused.value.code == "illegal-move"


def test_an_illegal_move_is_explained_by_signs(run, game_file):
    ran = run("moves", game_file(GAME), "--after", f"{DEALT}; lead(J♠)")
    assert ran.code == 1 and "hand[Ann] == c" in ran.err and "deal(10♥, Q♠, left)" in ran.err


def test_a_session_takes_signs(run, game_file):
    seats = ("--seat", "Ann=human", "--seat", "Bob=random")
    ran = run("play", game_file(GAME), *seats, "--after", DEALT, typed="moves\nlead 10♥\n")
    assert (ran.code, ran.err) == (0, "")
    assert "lead(10♥), fold(10), fold(J), fold(Q)" in ran.out and "hand[Ann] = 10♥" in ran.out


def test_strategies_and_policies_show_signs(run, game_file):
    solved = run("solve", game_file(GAME))
    assert solved.code == 0 and "10♥" in solved.out and "hearts" not in solved.out.split("player", 2)[2]
    record = run("solve", "test.game", "--json").record
    assert "(ten, hearts)" in json.dumps(record["strategies"], ensure_ascii=False)
    assert "♥" not in json.dumps(record["strategies"], ensure_ascii=False)


def test_a_saved_strategy_is_read_again(run, game_file, tmp_path):
    record = run("solve", game_file(GAME), "--json")
    (tmp_path / "saved.json").write_text(record.out, encoding="utf-8")
    ran = run("exploit", "test.game", "saved.json")
    assert (ran.code, ran.err) == (0, "") and "equilibrium" in ran.out


def test_a_game_in_the_cache_keeps_its_signs(run, game_file):
    first = run("moves", game_file(GAME), "--after", DEALT)
    assert first.out == run("moves", "test.game", "--after", DEALT).out


def test_members_without_signs_keep_their_names():
    text = GAME.replace('"10" = ten, ', "")
    (deal, _), *_ = zermelo.loads(text).initial.outcomes
    assert display_text(deal) == "deal((ten, ♥), (ten, ♠), left)"
