"""What sampling from the rules works on: :mod:`.sampling_from_rules`."""

from __future__ import annotations

from zermelo.interpreter.native.dialect.words import MOVES, PLAYERS, Context, Random, State, floats, ints
from zermelo.solvers.kernels.aiming import Aim
from zermelo.solvers.kernels.observations import Knowledge
from zermelo.solvers.kernels.regret_table import Ply, Table

NOBODY = -1
"""In place of a player."""


class Sampling:
    """Plays from ``root``: so many iterations of those ``wanted``. ``path`` is the present play down to ``depth``,
    ``NONE`` between two. Its last ply is still to be ``entered``, or has been; ``made`` are its moves and outcomes; and
    it ``adds`` the first new set that it meets, unless the table ``is_full``. ``setup`` is the state before the play
    begins, and ``unknowing`` the information states there. An ``aim`` leads plays to one decision, if it has a
    ``part``. What is judged: the sums of ``payoffs`` and of their ``squares``. Moves are drawn by ``random``, chance by
    ``chance``."""

    rules: Context
    root: State
    setup: State
    unknowing: ints[PLAYERS]
    path: list[Ply]
    made: list[int]
    knowledge: Knowledge
    table: Table
    aim: Aim
    legal: ints[MOVES]
    weights: ints[MOVES]
    random: Random
    chance: Random
    payoffs: floats[PLAYERS]
    squares: floats[PLAYERS]
    traverser: int
    responder: int
    by_outcome: int
    adds: int
    is_full: int
    wanted: int
    iterations: int
    depth: int
    entered: int
    length: int
    nodes: int
