"""The public names of the package; :mod:`zermelo` takes them from here."""

from __future__ import annotations

from zermelo.arguments import check_first
from zermelo.batches import batch
from zermelo.foundation.records import set_display
from zermelo.game import CHANCE, Game, State, add_methods
from zermelo.grammar.diagnostics import Finding, Findings, Fix, InvalidGame, Label, Source, Span, ZermeloError
from zermelo.interpreter.machine import HIDDEN, Asked, Move, Observation, PerceivedMove, PlayError, Seen, Sighting, Told
from zermelo.learning import with_weights
from zermelo.loading import games, load, load_position, loads, parse, upgrade
from zermelo.notebook import displays
from zermelo.questions import (
    OF_GAMES,
    OF_STATES,
    balance,
    belief,
    check,
    compare,
    convert,
    correlated,
    count_plays,
    diff,
    draw,
    draw_frames,
    equilibria,
    exploit,
    force,
    grade,
    hand_out,
    judge,
    learn,
    match,
    mutate,
    random_plays,
    solve,
    test,
    values,
)
from zermelo.report import console
from zermelo.report import render as render_words
from zermelo.results import GameResult, GameRows, Provenance
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
    "GameResult",
    "GameRows",
    "InvalidGame",
    "Label",
    "Move",
    "Observation",
    "PerceivedMove",
    "PlayError",
    "Provenance",
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
    "batch",
    "belief",
    "check",
    "compare",
    "convert",
    "correlated",
    "count_plays",
    "diff",
    "draw",
    "draw_frames",
    "equilibria",
    "exploit",
    "force",
    "games",
    "grade",
    "hand_out",
    "judge",
    "learn",
    "load",
    "load_position",
    "loads",
    "match",
    "mutate",
    "parse",
    "progress",
    "random_plays",
    "render",
    "solve",
    "sweep",
    "test",
    "upgrade",
    "values",
    "with_weights",
]

render, progress = check_first(render_words), check_first(console.progress)
set_display(displays.text, displays.bundle)
add_methods(OF_GAMES, OF_STATES)
