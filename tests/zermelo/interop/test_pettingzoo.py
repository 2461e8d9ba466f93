"""Environments of PettingZoo pass its tests, and rewards and masks are those of the game."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

import zermelo
from zermelo.grammar.diagnostics import ZermeloError

pytest.importorskip("pettingzoo")

from pettingzoo.test import api_test, parallel_api_test, seed_test
from pettingzoo.test.seed_test import parallel_seed_test

from zermelo.interop.pettingzoo import env, parallel_env

GAMES = {
    "tic_tac_toe": {}, "connect_four": {}, "kuhn_poker": {}, "leduc_poker": {}, "liars_dice": {}, "goofspiel": {},
    "rock_paper_scissors": {}, "kuhn_poker_for_several": {}, "vacuum": {}, "pig": {"longest": 60},
    "oshi_zumo": {"longest": 60},
}  # fmt: skip
AT_ONCE = (
    "rock_paper_scissors",
    "goofspiel",
    "oshi_zumo",
    "morra",
    "two_robots",
    "kuhn_poker",
    "kuhn_poker_for_several",
)

EARNING = """\
game "Earning"
players Ann, Bob
var left: 0..3 = 3

phase play(p: Player):
    turn p:
        move take(n in 1..3) if n <= left:
            left -= n
            earn p: n
            go play(other p)
    otherwise:
        end payoff (1/2, 0)

start at play(Ann)
"""

A_WINDFALL = """\
game "A windfall"
players Ann, Bob

phase begin:
    chance:
        outcome luck:
            earn Bob: 1/2
            go play

phase play:
    turn Ann:
        move stop: end payoff (3, 1)

start at begin
"""

OVER_AT_ONCE = """\
game "Over at once"
players Ann, Bob
param left: 0..3 = 0

phase play:
    if left == 0: end win Bob
    turn Ann:
        move stop: end win Ann

start at play
"""

SOME_ARE_LEFT_OUT = """\
game "Some are left out"
players Ann, Bob
var coins[Player]: 0..1 = 1

phase bid:
    together p in Player:
        move bid(n in 1..coins[p])
    then:
        coins[Bob] := 0
        if coins[Ann] == 0: end win Bob
        if bid[Bob].n is none: coins[Ann] := 0
        go bid
    otherwise: end draw

start at bid
"""

FAULTY_TOGETHER = """\
game "Faulty if both go up"
players Ann, Bob
var height: 0..1 = 0

phase climb:
    together:
        move up
        move down
    then:
        for p in Player:
            if up[p]: height += 1
        end draw

start at climb
"""


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("name", GAMES)
def test_their_tests_for_turns(name, capsys):
    game, options = zermelo.load(name), GAMES[name]
    api_test(env(game, **options), num_cycles=30)
    seed_test(lambda: env(game, **options), num_cycles=20)
    assert "Passed API test" in capsys.readouterr().out


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("name", AT_ONCE)
def test_their_tests_for_moves_at_once(name, capsys):
    game = zermelo.load(name)
    parallel_api_test(parallel_env(game, longest=60), num_cycles=30)
    if name in ("rock_paper_scissors", "morra"):  # in others a move drawn without its mask may not be legal
        parallel_seed_test(lambda: parallel_env(game), num_cycles=20)
    assert "Passed Parallel API test" in capsys.readouterr().out


def test_rewards_are_what_is_earned_and_the_payoff():
    play = env(zermelo.loads(EARNING))
    play.reset()
    rewards = []
    for number in (0, 1):  # Ann takes 1, Bob 2, which is all
        play.step(number)
        rewards.append(dict(play.rewards))
    assert rewards == [{"Ann": 1.0, "Bob": 0.0}, {"Ann": 0.5, "Bob": 2.0}]
    assert play.terminations == {"Ann": True, "Bob": True} and play._state.payoff == (Fraction(3, 2), 2)


def test_what_is_earned_before_anybody_chooses_is_in_the_first_rewards():
    game = zermelo.loads(A_WINDFALL)
    play, both = env(game), parallel_env(game)
    play.reset()
    assert play.last()[1] == 0.0
    play.step(0)
    both.reset()
    assert play.rewards == both.step({"Ann": 0, "Bob": 1})[1] == {"Ann": 3.0, "Bob": 1.5}


def test_a_play_that_is_over_at_once_has_its_payoff():
    play = env(zermelo.loads(OVER_AT_ONCE))
    play.reset()
    brought = {}
    for agent in play.agent_iter():
        _, brought[agent], is_over, _, _ = play.last()
        assert is_over
        play.step(None)
    assert brought == {"Ann": -1.0, "Bob": 1.0}


def test_who_has_no_legal_move_among_those_who_choose_at_once_waits():
    play = parallel_env(zermelo.loads(SOME_ARE_LEFT_OUT))
    play.reset()
    observations, *_ = play.step({"Ann": 0, "Bob": 0})
    assert [observations[agent]["action_mask"].tolist() for agent in play.agents] == [[1, 0], [0, 1]]
    surely = parallel_env(zermelo.load("rock_paper_scissors"))
    assert surely.action_space("One").n == 3


def test_masks_are_found_without_choices_that_nobody_makes():
    play = parallel_env(zermelo.loads(FAULTY_TOGETHER))
    play.reset()
    assert play.step({"Ann": 0, "Bob": 1})[1] == {"Ann": 0.0, "Bob": 0.0}


def test_what_is_no_action_is_refused_in_words():
    play, both = env(zermelo.loads(EARNING)), parallel_env(zermelo.load("rock_paper_scissors"))
    play.reset()
    for number in (-1, 3):
        with pytest.raises(ZermeloError, match=f"{number} is no number of a move: these are 0 to 2") as refused:
            play.step(number)
        assert refused.value.code == "illegal-move"
    with pytest.raises(ZermeloError, match="Ann is to choose a move, and does nothing"):
        play.step(None)
    both.reset()
    with pytest.raises(ZermeloError, match="Two is to choose a move, and does nothing"):
        both.step({"One": 0})
    assert both.step({"One": 0, "Two": 1})[1] == {"One": -1.0, "Two": 1.0}  # nothing was done before


def test_a_seed_may_be_a_number_of_numpy():
    play = env(zermelo.load("kuhn_poker"))
    texts = []
    for seed in (5, np.int64(5)):
        play.reset(seed=seed)
        texts.append(play.render())
    assert texts[0] == texts[1]


def test_masks_have_the_legal_moves_of_who_is_to_act():
    play = env(zermelo.loads(EARNING))
    play.reset()
    play.step(0)
    assert play.agent_selection == "Bob" and play.observe("Bob")["action_mask"].tolist() == [1, 1, 0]
    assert play.observe("Ann")["action_mask"].tolist() == [0, 0, 0]
    with pytest.raises(ZermeloError, match="take\\(3\\), which Bob cannot play") as refused:
        play.step(2)
    assert refused.value.code == "illegal-move"


def test_those_who_do_not_choose_wait():
    play = parallel_env(zermelo.load("kuhn_poker"))
    observations, _ = play.reset(seed=3)
    assert [observations[agent]["action_mask"].tolist() for agent in play.agents] == [[1, 1, 0, 0, 0], [0, 0, 0, 0, 1]]
    observations, rewards, ended, cut, _ = play.step({"Alice": 0, "Bob": 4})
    assert observations["Bob"]["action_mask"].tolist() == [1, 1, 0, 0, 0] and not any(ended.values())
    assert rewards == {"Alice": 0.0, "Bob": 0.0} and not any(cut.values())


def test_choices_made_at_once_are_not_seen_before_all_are_made():
    play = env(zermelo.load("rock_paper_scissors"))
    seen = []
    for number in range(3):
        play.reset()
        play.step(number)
        assert play.agent_selection == "Two"
        seen.append(play.observe("Two")["observation"])
    assert all((each == seen[0]).all() for each in seen)
    both = parallel_env(zermelo.load("rock_paper_scissors"))
    both.reset()
    assert both.step({"One": 0, "Two": 1})[1] == {"One": -1.0, "Two": 1.0} and both.agents == []


def test_plays_are_cut_off():
    play = env(zermelo.load("pig"), longest=3)
    play.reset(seed=1)
    for _ in range(3):
        play.step(0)
    assert play.truncations == {"Ann": True, "Bob": True} and not any(play.terminations.values())
    assert np.isfinite(play.state()).all() and "score" in play.render()


def test_refusals():
    with pytest.raises(ZermeloError, match="nobody decides anything"):
        env(zermelo.load("snakes_and_ladders"))
    with pytest.raises(ZermeloError, match="for several players"):
        parallel_env(zermelo.load("vacuum"))
