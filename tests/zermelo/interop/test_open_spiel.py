"""Games registered in OpenSpiel pass its test, its algorithms run on them, and strategies go both ways."""

from __future__ import annotations

import numpy as np
import pytest

import zermelo
from zermelo.grammar.diagnostics import ZermeloError

spiel = pytest.importorskip("pyspiel")
cfr, exploitability, mcts = (
    pytest.importorskip(f"open_spiel.python.algorithms.{name}") for name in ("cfr", "exploitability", "mcts")
)
make_observation = pytest.importorskip("open_spiel.python.observation").make_observation
UniformRandomPolicy = pytest.importorskip("open_spiel.python.policy").UniformRandomPolicy
ours = pytest.importorskip("zermelo.interop.open_spiel")
open_spiel_game, open_spiel_policy, strategies_of = ours.open_spiel_game, ours.open_spiel_policy, ours.strategies_of

ANOTHER_ORDER = """\
game "Another order"
players Ann, Bob

phase first:
    turn Ann:
        move take(n in 2..3): go second

phase second:
    turn Bob:
        move take(n in 1..3): end draw

start at first
"""

TABLE = """\
game "Who sees nothing"
players Even, Odd

table:
    Even \\ Odd | heads | tails
    heads      | 3     | -1
    tails      | -1    | 1
"""

GAMES = {
    "tic_tac_toe": {}, "connect_four": {"longest": 42}, "kuhn_poker": {}, "leduc_poker": {}, "liars_dice": {},
    "goofspiel": {}, "rock_paper_scissors": {}, "kuhn_poker_for_several": {}, "vacuum": {},
    "tiger": {"payoffs": (-1000, 100)},
}  # fmt: skip


@pytest.mark.parametrize("name", GAMES)
def test_their_random_plays(name):
    game = open_spiel_game(zermelo.load(name), **GAMES[name])
    spiel.random_sim_test(game, 3, True, False)
    assert spiel.load_game(f"zermelo_{name}").get_type().long_name == zermelo.load(name).title


@pytest.mark.parametrize(
    ("title", "name"), [("Rock & roll 2", "zermelo_rock_roll_2"), ("石取り", "zermelo_text"), ("Nim", "zermelo_nim")]
)
def test_a_game_from_a_text_is_found_by_its_title(title, name):
    text = f'game "{title}"\nplayers Ann, Bob\ntree:\n    Ann:\n        left: (1, -1)\n        right: (-1, 1)\n'
    open_spiel_game(zermelo.loads(text))
    assert spiel.load_game(name).get_type().long_name == title


@pytest.mark.parametrize(
    ("name", "information", "utility", "chance"),
    [
        ("tic_tac_toe", "PERFECT_INFORMATION", "ZERO_SUM", "DETERMINISTIC"),
        ("kuhn_poker", "IMPERFECT_INFORMATION", "ZERO_SUM", "EXPLICIT_STOCHASTIC"),
        ("rock_paper_scissors", "IMPERFECT_INFORMATION", "ZERO_SUM", "DETERMINISTIC"),
        ("prisoners_dilemma", "IMPERFECT_INFORMATION", "GENERAL_SUM", "DETERMINISTIC"),
    ],
)
def test_what_is_said_of_a_game(name, information, utility, chance):
    kind = open_spiel_game(zermelo.load(name)).get_type()
    assert (kind.information.name, kind.utility.name, kind.chance_mode.name) == (information, utility, chance)


@pytest.mark.parametrize(("name", "theirs"), [("kuhn_poker", "kuhn_poker"), ("leduc_poker", "leduc_poker")])
def test_it_is_the_game_that_they_have(name, theirs):
    """What best responses gain against uniform play, here and there: two programs, and two sets of rules."""
    there, known = open_spiel_game(zermelo.load(name)), spiel.load_game(theirs)
    gain = exploitability.nash_conv(there, UniformRandomPolicy(there))
    assert gain == pytest.approx(exploitability.nash_conv(known, UniformRandomPolicy(known)))
    assert gain == pytest.approx(2 * float(zermelo.load(name).exploit("uniform").exploitability))


def test_an_equilibrium_found_here_is_one_there():
    for name, options in (("kuhn_poker", {}), ("rock_paper_scissors", {"policy": True})):
        game = zermelo.load(name)
        there = open_spiel_game(game)
        policy = open_spiel_policy(there, game.solve(**options))
        assert exploitability.exploitability(there, policy) == pytest.approx(0, abs=1e-12)


def test_cfr_runs_there_and_its_policy_is_judged_here():
    game = zermelo.load("kuhn_poker")
    there = open_spiel_game(game)
    solver = cfr.CFRSolver(there)
    for _ in range(60):
        solver.evaluate_and_update_policy()
    average = solver.average_policy()
    found = strategies_of(there, average, "cfr")
    assert str(found) == "<strategies of 'Kuhn poker' for 12 decisions by cfr>"
    gain = exploitability.exploitability(there, average)
    assert float(game.exploit(found).exploitability) == pytest.approx(gain, abs=1e-8) and gain < 0.02
    assert exploitability.exploitability(there, open_spiel_policy(there, found)) == pytest.approx(gain, abs=1e-8)
    in_cpp = spiel.CFRSolver(there)
    for _ in range(20):
        in_cpp.evaluate_and_update_policy()
    assert spiel.exploitability(there, in_cpp.average_policy()) < 0.1


def test_players_who_know_the_same_are_told_apart():
    """CFR there looks strategies up by the text alone. By p = q = 1/3 each makes the other indifferent, for 1/3."""
    there = open_spiel_game(zermelo.loads(TABLE))
    state = there.new_initial_state()
    assert state.information_state_string(0) != state.child(0).information_state_string(1)
    solver = cfr.CFRSolver(there)
    for _ in range(1000):
        solver.evaluate_and_update_policy()
    average = solver.average_policy()
    assert exploitability.exploitability(there, average) < 0.05
    assert average.action_probabilities(state)[0] == pytest.approx(1 / 3, abs=0.05)


def test_tree_search_runs_there():
    """Who is to win at once does."""
    there = open_spiel_game(zermelo.load("tic_tac_toe"))
    state, random = there.new_initial_state(), np.random.RandomState(1)
    for action in (0, 3, 1, 4):
        state.apply_action(action)
    bot = mcts.MCTSBot(there, 2, 300, mcts.RandomRolloutEvaluator(1, random), random_state=random, solve=True)
    assert state.action_to_string(0, bot.step(state)) == "mark(c1)"


def test_observers():
    there = open_spiel_game(zermelo.load("kuhn_poker"))
    state = there.new_initial_state()
    state.apply_action(state.legal_actions()[0])
    observer = make_observation(there, spiel.IIGObservationType(perfect_recall=False))
    observer.set_from(state, 0)
    assert list(observer.dict) == [
        "player player", "variable hand", "phase opening", "phase reply", "phase answer",
    ]  # fmt: skip
    assert observer.dict["variable hand"][0].tolist() == [1, 1, 0, 0] and not observer.dict["variable hand"][1].any()
    assert observer.tensor.tolist() == state.observation_tensor(0)
    knowing = make_observation(there, spiel.IIGObservationType(perfect_recall=True))
    alice = "Alice knows:\nhand[Alice] = J\nto decide: opening"
    assert knowing.string_from(state, 0) == state.information_state_string(0) == alice
    assert state.information_state_string(1) == "Bob knows:\nhand[Bob] = Q"
    public = spiel.IIGObservationType(perfect_recall=False, private_info=spiel.PrivateInfoType.NONE)
    with pytest.raises(ZermeloError, match="all that a player sees or knows"):
        make_observation(there, public)


def test_actions_are_listed_by_their_numbers():
    """Where a phase offers moves in another order than that of the first one, which gives them their numbers."""
    state = open_spiel_game(zermelo.loads(ANOTHER_ORDER)).new_initial_state()
    assert state.legal_actions() == [0, 1]
    state.apply_action(0)
    assert [state.action_to_string(1, action) for action in state.legal_actions()] == [
        "take(2)", "take(3)", "take(1)",
    ]  # fmt: skip


def test_refusals():
    with pytest.raises(ZermeloError, match="needs bounds on the payoffs") as refused:
        open_spiel_game(zermelo.load("tiger"))
    assert refused.value.code == "needs-bounds"
    with pytest.raises(ZermeloError, match="nobody decides anything"):
        open_spiel_game(zermelo.load("snakes_and_ladders"))
    with pytest.raises(ZermeloError, match="to number") as refused:
        open_spiel_game(zermelo.load("bridge"))
    assert refused.value.code == "too-many-outcomes"
