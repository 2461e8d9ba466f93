"""OpenSpiel, driven from Python: its games and its rules in C++, the loop around them in Python.

Its own loops in C++ are not part of the Python package and not measured here, except for those of CFR; on games with
short rules they are several times faster.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from random import Random
from typing import Any

from benchmarks.measure import Unavailable, import_peer

NAME = "OpenSpiel"


def game_of(name: str) -> Any:
    """A game of OpenSpiel, which has no types; raises :class:`Unavailable`."""
    return import_peer("pyspiel", "open_spiel").load_game(name)


def minimax(game: Any) -> Callable[[], int]:
    """A search of the whole tree, which returns the number of nodes."""
    return lambda: _minimax(game.new_initial_state())[1]


def _minimax(state: Any) -> tuple[float, int]:
    if state.is_terminal():
        return state.player_return(0), 1
    nodes, values = 1, []
    for action in state.legal_actions():
        value, below = _minimax(state.child(action))
        values.append(value)
        nodes += below
    return (max(values) if state.current_player() == 0 else min(values)), nodes


def alphabeta(game: Any) -> Callable[[], int]:
    """Alpha-beta without a table, which returns the number of nodes."""
    return lambda: _alphabeta(game.new_initial_state(), -2.0, 2.0)[1]


def _alphabeta(state: Any, alpha: float, beta: float) -> tuple[float, int]:
    if state.is_terminal():
        return state.player_return(0), 1
    first = state.current_player() == 0
    best, nodes = (-2.0, 1) if first else (2.0, 1)
    for action in state.legal_actions():
        value, below = _alphabeta(state.child(action), alpha, beta)
        nodes += below
        if first:
            best = max(best, value)
            alpha = max(alpha, best)
        else:
            best = min(best, value)
            beta = min(beta, best)
        if alpha >= beta:
            break
    return best, nodes


def perft(game: Any, length: int) -> Callable[[], int]:
    """A count of the plays of the given length; the last moves are counted in bulk, without being made."""
    return lambda: _perft(game.new_initial_state(), length)


def _perft(state: Any, length: int) -> int:
    actions = state.legal_actions()
    if length == 1:
        return len(actions)
    return sum(_perft(state.child(action), length - 1) for action in actions)


def random_plays(game: Any, seed: int = 1) -> Callable[[], tuple[int, int]]:
    """A random play, which returns the number of its moves, draws of chance included, and 1."""
    random = Random(seed).random

    def play() -> tuple[int, int]:
        state, moves = game.new_initial_state(), 0
        while not state.is_terminal():
            if state.is_chance_node():
                action = _draw_outcome(state.chance_outcomes(), random())
            else:
                actions = state.legal_actions()
                action = actions[int(random() * len(actions))]
            state.apply_action(action)
            moves += 1
        return moves, 1

    return play


def value_iteration(game: Any, goes_round: bool) -> Callable[[], int]:
    """Its value iteration in Python over all positions, until nothing changes by more than 1e-12; it returns the number
    of positions. Raises :class:`Unavailable`."""
    try:
        algorithm = import_module("open_spiel.python.algorithms.value_iteration")
    except ImportError as error:
        raise Unavailable("cvxpy is not installed, which OpenSpiel's value iteration imports") from error

    def iterate() -> int:
        return len(algorithm.value_iteration(game, depth_limit=-1, threshold=1e-12, cyclic_game=goes_round))

    return iterate


def cfr_plus(game: Any) -> Callable[[], tuple[int, int]]:
    """An iteration of CFR+, in C++; returns 1 and 0."""
    solver = import_module("pyspiel").CFRPlusSolver(game)

    def iterate() -> tuple[int, int]:
        solver.evaluate_and_update_policy()
        return 1, 0

    return iterate


def _draw_outcome(outcomes: list[tuple[int, float]], at: float) -> int:
    for action, probability in outcomes:
        at -= probability
        if at < 0:
            return action
    return outcomes[-1][0]


def monte_carlo_tree_search(game: Any, simulations: int) -> Callable[[], int]:
    """A search by OpenSpiel's own bot in Python, with random plays and without backing up proofs; it returns the number
    of simulations."""
    mcts, state = import_module("open_spiel.python.algorithms.mcts"), import_module("numpy.random").RandomState

    def search() -> int:
        random = state(1)
        evaluator = mcts.RandomRolloutEvaluator(1, random)
        bot = mcts.MCTSBot(game, 2.8, simulations, evaluator, solve=False, random_state=random)
        bot.mcts_search(game.new_initial_state())
        return simulations

    return search


def information_set_search(game: Any, play: tuple[int, ...], simulations: int, is_python: bool) -> Callable[[], int]:
    """A search by OpenSpiel's bot for games in which something is hidden, in Python or in C++, driven from Python, with
    random plays; it returns the number of simulations."""
    pyspiel, random_state = import_module("pyspiel"), import_module("numpy.random").RandomState
    state = game.new_initial_state()
    for action in play:
        state.apply_action(action)
    if not is_python:
        bot = pyspiel.ISMCTSBot(1, pyspiel.RandomRolloutEvaluator(1, 1), 2.8, simulations)
        return lambda: bot.step(state) >= 0 and simulations
    ismcts = import_module("open_spiel.python.algorithms.ismcts")
    mcts = import_module("open_spiel.python.algorithms.mcts")

    def search() -> int:
        random = random_state(1)
        evaluator = mcts.RandomRolloutEvaluator(1, random)
        ismcts.ISMCTSBot(game, evaluator, 2.8, simulations, random_state=random).step(state)
        return simulations

    return search


def sampled_iterations(game: Any, by_outcome: bool, count: int) -> Callable[[], int]:
    """So many iterations of Monte Carlo counterfactual regret minimization, all in C++; returns their number."""
    pyspiel = import_module("pyspiel")
    make = pyspiel.OutcomeSamplingMCCFRSolver if by_outcome else pyspiel.ExternalSamplingMCCFRSolver

    def learn() -> int:
        solver = make(game)
        for _ in range(count):
            solver.run_iteration()
        return count

    return learn


def vector_steps(name: str, count: int, seed: int = 1) -> Callable[[], tuple[int, int]]:
    """A step of so many environments by its own loop for learning, with moves at random; it returns the number of
    moves, and 1."""
    import_peer("pyspiel", "open_spiel")
    environments, loop = (import_module(f"open_spiel.python.{each}") for each in ("rl_environment", "vector_env"))
    output, random = import_module("open_spiel.python.rl_agent").StepOutput, Random(seed).random
    vector = loop.SyncVectorEnv([environments.Environment(name) for _ in range(count)])
    shown = vector.reset()

    def step() -> tuple[int, int]:
        nonlocal shown
        moves = []
        for each in shown:
            legal = each.observations["legal_actions"][each.observations["current_player"]]
            moves.append(output(action=legal[int(random() * len(legal))], probs=[]))
        shown = vector.step(moves, reset_if_done=True)[0]
        return count, 1

    return step
