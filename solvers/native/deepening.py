"""The solvers that are made of window searches, on the window kernel."""

from __future__ import annotations

from zermelo.solvers.native.window import Selection, windowed
from zermelo.solvers.search import aspiration as by_aspiration
from zermelo.solvers.search import enhanced_alphabeta as by_lookahead
from zermelo.solvers.search import iterative_deepening as by_depth
from zermelo.solvers.search import late_moves as by_reductions
from zermelo.solvers.search import mtdf as by_null_windows
from zermelo.solvers.search import null_move as by_passes
from zermelo.solvers.search import singular_extensions as by_extensions

_LATE = Selection(by_reductions.SELECTION, late=by_reductions.LATE)
_PASSES = Selection(by_passes.SELECTION, passes=by_passes.LEAST_DEPTH)
_EXTENSIONS = Selection(by_extensions.SELECTION, extends=by_extensions.LEAST_DEPTH)

enhanced_alphabeta = windowed(by_lookahead.drive, deepens=False)
iterative_deepening = windowed(by_depth.drive)
aspiration = windowed(by_aspiration.drive)
principal_variation = windowed(by_depth.drive, scouts=True)
late_moves = windowed(by_depth.drive, scouts=True, selection=_LATE)
null_move = windowed(by_depth.drive, scouts=True, selection=_PASSES)
singular_extensions = windowed(by_depth.drive, scouts=True, selection=_EXTENSIONS)
mtdf = windowed(by_null_windows.drive)
