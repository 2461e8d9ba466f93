"""Best-reply search.

What it computes: what the player to move gets, in a game of three or more players, if he plays best and between two of
his moves only one of the others, the one who can hurt him most, chooses a move against him; an approximation of what
paranoid search assumes, which is an approximation itself. Source: Schadd and Winands, "Best reply search for
multiplayer games", IEEE Transactions on Computational Intelligence and AI in Games 3 (2011).

There the other opponents pass, which the rules of most games forbid. So here they make the move that is tried first, by
`order moves by` if the file has it and else by the order of the game: the variant BRS+ of Esser, Gras, Winands, Schadd
and Lanctot, "Improving best-reply search", Computers and Games 2013. All positions searched are then ones that can
come about.

Cost: between two moves of the searching player the others have about (n - 1) b replies together instead of b^(n - 1),
so that his own moves are seen further ahead.
"""

from __future__ import annotations

from collections.abc import Iterable

from zermelo.interpreter.machine import Move, State
from zermelo.solvers.search.one_against_all import search_against
from zermelo.solvers.solution import Answer, Problem

NOTE = (
    "Assumed: between two moves of {player} one other player replies against him as best he can, and the rest make the "
    "move that is tried first."
)


def best_reply(problem: Problem[State]) -> Answer:
    """Search for the player who moves first. Needs perfect information, no chance, and plays that end; under a limit it
    deepens, and needs an estimate."""
    machine = problem.machine

    def options(state: State, has_replied: bool) -> Iterable[tuple[Move, bool]]:
        legal = machine.moves(state)
        first = legal[0]
        if problem.facts.has_order:
            first = max(legal, key=lambda move: machine.rank(machine.after(state, move)))
        if has_replied:
            return [(first, True)]
        return [(first, False), *((move, True) for move in legal if move != first)]

    return search_against(problem, options, NOTE)
