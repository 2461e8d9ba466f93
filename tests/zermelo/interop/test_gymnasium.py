"""Environments of Gymnasium pass its check; the others follow their strategies."""

from __future__ import annotations

import pytest

import zermelo
from zermelo.grammar.diagnostics import ZermeloError

pytest.importorskip("gymnasium")

from gymnasium.utils.env_checker import check_env

from zermelo.interop.gymnasium import env

GAMES = [
    ("vacuum", None, {}), ("kuhn_poker", "Bob", {}), ("tic_tac_toe", "O", {}), ("rock_paper_scissors", None, {}),
    ("tiger", None, {"illegal": -1000}), ("connect_four", None, {}), ("kuhn_poker_for_several", None, {}),
    ("pig", None, {"longest": 100}), ("goofspiel", None, {}), ("leduc_poker", "Bob", {"others": "uniform"}),
]  # fmt: skip


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize(("name", "player", "options"), GAMES, ids=[name for name, *_ in GAMES])
def test_their_check(name, player, options):
    check_env(env(zermelo.load(name), player, **options))


EARNING = """\
game "Earning"
players Ann
var left: 0..3 = 2

phase play:
    turn Ann:
        move take(n in 1..3) if n <= left:
            left -= n
            earn Ann: n
            go play
    otherwise:
        end payoff (0)

start at play
"""


BEFORE = """\
phase before:
    chance:
        outcome luck:
            earn Ann: 1/2
            go play

start at before
"""


def mean_reward(play, decide, plays):
    """The mean of the rewards of so many plays."""
    total = 0.0
    for number in range(plays):
        _, info = play.reset(seed=number)
        is_over = False
        while not is_over:
            _, reward, is_over, is_cut, info = play.step(decide(info["action_mask"]))
            total += reward
            assert not is_cut
    return total / plays


def test_a_policy_by_positions_is_followed():
    """In nim with heaps 3, 4 and 5 the first player wins, whatever the second one does."""
    game = zermelo.load("nim")
    play = env(game, "Bob", others=game.solve(policy=True))
    assert mean_reward(play, lambda mask: int(mask.nonzero()[0][0]), 20) == -1.0


def test_an_illegal_action_ends_the_play_with_the_least():
    play = env(zermelo.load("tic_tac_toe"), "O")
    _, info = play.reset(seed=1)
    taken = int((info["action_mask"] == 0).nonzero()[0][0])
    assert play.action_masks().sum() == 8
    _, reward, is_over, _, info = play.step(taken)
    assert (reward, is_over, info["illegal"]) == (-1.0, True, True)


def test_an_illegal_action_and_earnings_sum_to_the_least():
    play = env(zermelo.loads(EARNING), illegal=-7)
    play.reset(seed=1)
    rewards = [play.step(0)[1], play.step(2)[1]]
    assert rewards == [1.0, -8.0]


def test_a_number_of_no_move_is_an_error():
    play = env(zermelo.load("tic_tac_toe"))
    play.reset(seed=1)
    for number in (-1, 9):
        with pytest.raises(ZermeloError, match=f"{number} is no number of a move: these are 0 to 8"):
            play.step(number)


def test_what_is_earned_before_the_player_decides_is_in_the_first_reward():
    play = env(zermelo.loads(EARNING.replace("start at play", BEFORE)))
    play.reset(seed=1)
    assert play.step(1)[1] == 2.5


def test_where_the_least_is_not_known_an_illegal_action_is_an_error():
    play = env(zermelo.loads(EARNING))
    play.reset(seed=1)
    with pytest.raises(ZermeloError, match="number 2 is take\\(3\\), which Ann cannot play here") as refused:
        play.step(2)
    assert refused.value.code == "illegal-move"
    assert env(zermelo.loads(EARNING), illegal=-7).illegal == -7


def test_refusals():
    with pytest.raises(ZermeloError) as refused:
        env(zermelo.load("kuhn_poker"), "Carol")
    assert refused.value.code == "unknown-player"
    with pytest.raises(ZermeloError, match="nobody decides anything"):
        env(zermelo.load("snakes_and_ladders"))
