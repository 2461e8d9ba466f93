"""Principal variation search.

What it computes: what :mod:`zermelo.solvers.search.iterative_deepening` computes. If moves are well ordered the first
one is best, and of the others it need only be shown that they are no better. So they are *scouted*: searched with a
window so narrow that all it can tell is better or not. Only a move that turns out to be better is searched again for
its value. Source: Pearl's SCOUT, "Asymptotic properties of minimax trees and game-searching procedures" (1980);
Marsland and Campbell, "Parallel search of strongly ordered game trees" (1982); as NegaScout: Reinefeld (1983).

Invariant: a scout's answer <= alpha or >= beta is a bound as good as that of a full search; one in between is only a
bound, so the move is searched again.

Cost: never more leaves than alpha-beta when moves are well ordered and values differ; a move that is searched twice is
helped by its table entries.
"""

from __future__ import annotations

from zermelo.solvers.search.iterative_deepening import drive
from zermelo.solvers.search.window_search import Selection, windowed

principal_variation = windowed(drive, Selection(scouts=True))
"""Solve by principal variation search and iterative deepening. Needs what iterative deepening needs."""
