"""The public names of the package; :mod:`zermelo` takes them from here."""

from __future__ import annotations

from zermelo.balancing import balance
from zermelo.decisions import belief, evaluate_moves
from zermelo.equilibria_page import equilibria
from zermelo.forcing import force
from zermelo.foundation.records import set_display
from zermelo.game import CHANCE, Game, State
from zermelo.grammar.diagnostics import Finding, Findings, Fix, InvalidGame, Label, Source, Span, ZermeloError
from zermelo.interpreter.machine import HIDDEN, Asked, Move, Observation, PerceivedMove, PlayError, Seen, Sighting, Told
from zermelo.learning import learn, with_weights
from zermelo.loading import check, games, load, load_position, loads, parse, upgrade
from zermelo.notebook import displays
from zermelo.report import render
from zermelo.solving import solve
from zermelo.sweeping import sweep
from zermelo.tables import Table
from zermelo.version import __version__

__all__ = [
    "CHANCE",
    "HIDDEN",
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
    "Table",
    "Told",
    "ZermeloError",
    "__version__",
    "balance",
    "belief",
    "check",
    "equilibria",
    "evaluate_moves",
    "force",
    "games",
    "learn",
    "load",
    "load_position",
    "loads",
    "parse",
    "render",
    "solve",
    "sweep",
    "upgrade",
    "with_weights",
]

set_display(displays.text, displays.bundle)
