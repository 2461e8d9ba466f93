"""Zermelo: write a game as text, get its exact value.

>>> import zermelo
>>> game = zermelo.load("two_ply_tree")
>>> solution = zermelo.solve(game)
>>> dict(zip(game.players, solution.value))
{'MAX': Fraction(3, 1), 'MIN': Fraction(-3, 1)}
>>> state = game.initial.after("A1")
>>> state.actor, [str(move) for move in state.moves]
('MIN', ['A11', 'A12', 'A13'])

All that is raised is a :class:`ZermeloError` with a code, which ``zermelo explain CODE`` explains.
"""

from __future__ import annotations

from zermelo.game import CHANCE, Game, State
from zermelo.grammar.diagnostics import Finding, Findings, Fix, InvalidGame, Label, ZermeloError
from zermelo.grammar.source import Source, Span
from zermelo.interpreter.machine import Asked, Move, Observation, PerceivedMove, PlayError, Seen, Sighting, Told
from zermelo.loading import check, games, load, load_position, loads, parse
from zermelo.report import render
from zermelo.solving import solve
from zermelo.version import __version__

__all__ = [
    "CHANCE",
    "Asked",
    "Finding",
    "Findings",
    "Fix",
    "Game",
    "InvalidGame",
    "Label",
    "Move",
    "Observation",
    "PerceivedMove",
    "PlayError",
    "Seen",
    "Sighting",
    "Source",
    "Span",
    "State",
    "Told",
    "ZermeloError",
    "__version__",
    "check",
    "games",
    "load",
    "load_position",
    "loads",
    "parse",
    "render",
    "solve",
]
