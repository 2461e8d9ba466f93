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
