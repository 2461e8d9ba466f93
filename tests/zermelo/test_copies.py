"""Copies of games, states, solutions and what they hold are as good as the originals: those that ``copy`` makes, and
those from a pickle, where the game is read anew."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from random import Random

import pytest

import zermelo
from zermelo.interpreter.model import Const
from zermelo.interpreter.native.state_encoding.observations import Perceived
from zermelo.interpreter.types import BOOL, DIRECTION, NUMBER, TupleType
from zermelo.interpreter.values import COMPASS, OrderedSet, are_equal

LONGEST = 5
"""The moves of a random play."""

AVOIDED = """\
game "Ann had better stay out"
players Ann, Bob
tree:
    Ann:
        out: (1, -1)
        left: Bob @asked:
            left: (0, 0)
            right: (-1, 1)
        right: Bob @asked:
            left: (-1, 1)
            right: (0, 0)
"""


def random_play(game: zermelo.Game, seed: int) -> list[zermelo.State]:
    """The states of a play, the first ones if it is long."""
    random, states = Random(seed), [game.initial]
    while not states[-1].is_over and len(states) <= LONGEST:
        here = states[-1]
        move = here.draw(random) if here.actor == zermelo.CHANCE else random.choice(here.moves)
        states.append(here.after(move))
    return states


def seen(state: zermelo.State) -> list[object]:
    """What there is to know about a state."""
    known = [(state.information_state(player), state.view(player)) for player in state.game.players]
    return [state.actor, state.moves, state.payoff, state.play, *known]


@pytest.mark.parametrize("name", zermelo.games())
def test_copies_of_states_of_bundled_games(name: str) -> None:
    """At every step of a play; the copy from a pickle, and a fresh load that makes the moves of the first one."""
    states = random_play(zermelo.load(name), seed=1)
    pickled, fresh = pickle.loads(pickle.dumps(states)), zermelo.load(name).initial
    for state, other in zip(states, pickled, strict=True):
        assert other.game is not state.game
        if state.play:
            fresh = fresh.after(state.play[-1])
        assert copy.copy(state) is copy.deepcopy(state) is state
        assert seen(state) == seen(other) == seen(fresh)


def test_a_state_in_another_process() -> None:
    """Where other objects stand for the members of types, and their hashes differ."""
    names = ("kuhn_poker", "prisoners_dilemma", "tic_tac_toe")
    states = [state for name in names for state in random_play(zermelo.load(name), seed=2)]
    told = [(state, state.payoff, [state.information_state(p) for p in state.game.players]) for state in states]
    program = (
        "import pickle, sys\n"
        "for state, payoff, known in pickle.load(sys.stdin.buffer):\n"
        "    assert state.payoff == payoff\n"
        "    assert [state.information_state(player) for player in state.game.players] == known\n"
    )
    subprocess.run([sys.executable, "-c", program], input=pickle.dumps(told), check=True)


def test_pickles_of_games() -> None:
    """With their parameters, the weights of their estimate, and their machine."""
    game = zermelo.load("connect_four", rows=4).on("python")
    weighed = zermelo.load("chess").reweighed(mobility=0)
    for one in (game, weighed):
        again = pickle.loads(pickle.dumps(one))
        assert copy.deepcopy(one) is one
        assert (again.name, again.choice, again.parameters) == (one.name, one.choice, one.parameters)
        assert again.weights == one.weights


@pytest.mark.parametrize("machine", ["reference", "python"])
def test_pickles_of_solutions(machine: str) -> None:
    solution = zermelo.solve(zermelo.load("kuhn_poker").on(machine))
    again = pickle.loads(pickle.dumps(solution))
    assert copy.deepcopy(solution) is solution
    assert again == solution and again.strategies == solution.strategies
    for one, other in zip(solution.strategies, again.strategies, strict=True):
        for part in ("reached", "met", "chosen"):
            assert list(getattr(one.decisions, part)) == list(getattr(other.decisions, part))
    known = solution.strategies[0].decisions[0].known
    assert isinstance(known, Perceived) == (machine == "python")
    assert hash(known) == hash(again.strategies[0].decisions[0].known)


def test_a_decision_that_others_avoid_is_reached_in_a_pickle_too() -> None:
    solution = zermelo.solve(zermelo.loads(AVOIDED), "sequence_form")
    for bob in (solution.strategies[1], pickle.loads(pickle.dumps(solution)).strategies[1]):
        assert (len(bob.decisions.reached), len(bob.decisions.met)) == (1, 0)


def test_a_pickle_of_a_solution_has_no_policy() -> None:
    solution = zermelo.solve(zermelo.load("gamblers_ruin"))
    again = pickle.loads(pickle.dumps(solution))
    assert solution.policy is not None and again.policy is None
    assert again == solution


def test_values_of_different_types_differ() -> None:
    """Python's 1 and True are equal, and a direction is a pair."""
    east, pairs = COMPASS["east"], TupleType((NUMBER, NUMBER))
    for one, other in (
        (1, True),
        (east, (1, 0)),
        ((1, (0, east)), (1, (0, (1, 0)))),
        (OrderedSet([0, 1]), OrderedSet([False, True])),
        (OrderedSet([(1, 0)]), OrderedSet([(True, False)])),
    ):
        assert not are_equal((one,), (other,))
        assert zermelo.Told("t", (one,)) != zermelo.Told("t", (other,))
        assert zermelo.PerceivedMove("A", "m", (one,)) != zermelo.PerceivedMove("A", "m", (other,))
        assert zermelo.Move("m", (one,)) != zermelo.Move("m", (other,))
    assert are_equal((1, (True, 10**30)), (1, (True, 10**30)))
    here = zermelo.load("tic_tac_toe").model.start.span
    assert Const(1, type=NUMBER, span=here) != Const(True, type=BOOL, span=here)
    assert Const(east, type=DIRECTION, span=here) != Const((1, 0), type=pairs, span=here)
