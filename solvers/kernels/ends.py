"""Where a search ends if the values of some positions are known (:mod:`.endgames`): at these, and where it would
without them (:mod:`.horizon`). But its root is searched, known or not, since its moves are asked for."""

from __future__ import annotations

from zermelo.interpreter.native.dialect.words import END, PLAYERS, Context, State, actor, earned
from zermelo.solvers.kernels.endgames import UNKNOWN, Endgames, is_known, outcome_of
from zermelo.solvers.kernels.fractions import product
from zermelo.solvers.kernels.horizon import goes_on, worth

PAYOFFS: int


def goes_beyond(rules: Context, endgames: Endgames, state: State, plies: int, depth: int) -> bool:
    """Whether a search goes on from a position, with so many plies left and so far from its root."""
    return goes_on(rules, state, plies) and (depth == 0 or not is_known(endgames, state))


def known_worth(rules: Context, endgames: Endgames, state: State, player: int) -> int:
    """What a position where the search does not go on is worth to a player, known or not."""
    if actor(state) == END:
        return worth(rules, state, player)
    outcome: int = outcome_of(endgames, state)
    if outcome == UNKNOWN:
        return worth(rules, state, player)
    later: int = endgames.values[outcome * PLAYERS + player]
    return later + product(rules, earned(state, player), PAYOFFS)
