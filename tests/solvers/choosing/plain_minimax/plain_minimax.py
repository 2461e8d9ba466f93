"""Minimax in twenty lines."""

from zermelo.interpreter.machine import END
from zermelo.solvers.choosing.registry import Need, Solver
from zermelo.solvers.solution import Answer, Problem

PLAIN_MINIMAX = Solver(
    "plain_minimax",
    "minimax in twenty lines",
    "plain_minimax",  # the module
    (Need.TWO_PLAYERS, Need.CONSTANT_SUM, Need.NO_CHANCE, Need.PERFECT_INFORMATION, Need.END),
    "short enough to be believed",
    function="search",
)


def search(problem: Problem) -> Answer:
    machine = problem.machine
    counts = {"nodes": 0, "terminals": 0}

    def value(state):
        counts["nodes"] += 1
        problem.limits.check(counts)
        player = machine.actor(state)
        if player == END:
            counts["terminals"] += 1
            return machine.payoff(state)
        return max(
            (value(machine.after(state, move)) for move in machine.moves(state)), key=lambda payoff: payoff[player]
        )

    found = value(problem.root)
    player = machine.actor(problem.root)
    moves = machine.moves(problem.root)
    best = tuple(move for move in moves if value(machine.after(problem.root, move))[player] == found[player])
    return Answer(value=found, best=best, counts=counts)
