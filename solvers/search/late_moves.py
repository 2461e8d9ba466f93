"""Principal variation search with late-move reductions (:mod:`zermelo.solvers.kernels.window`).

What it computes: nearly what :mod:`zermelo.solvers.search.principal_variation` computes, in less time, so that a deeper
search fits into it. A late move that would have been better only a ply further down is missed. So a value found this
way is heuristic even as a value to its depth. It is exact where no horizon was met, since a search that has seen the
ends of all plays has missed nothing.

Cost: never much more than without, and often a small part of it, the smaller the deeper the search.
"""

from __future__ import annotations

from zermelo.solvers.search.iterative_deepening import drive
from zermelo.solvers.search.window_search import Selection, windowed

late_moves = windowed(drive, Selection(scouts=True, late=4, words=", less far where it expected little"))
"""Search by late-move reductions and iterative deepening. Needs what iterative deepening needs."""
