"""The solvers that are made of window searches, on the window kernel."""

from __future__ import annotations

from solvers import aspiration as by_aspiration
from solvers import enhanced_alphabeta as by_lookahead
from solvers import iterative_deepening as by_depth
from solvers import late_moves as by_reductions
from solvers import mtdf as by_null_windows
from solvers.native.window import windowed

enhanced_alphabeta = windowed(by_lookahead.drive, deepens=False)
iterative_deepening = windowed(by_depth.drive)
aspiration = windowed(by_aspiration.drive)
principal_variation = windowed(by_depth.drive, scouts=True)
late_moves = windowed(by_depth.drive, scouts=True, late=by_reductions.LATE, selection=by_reductions.SELECTION)
mtdf = windowed(by_null_windows.drive)
