"""Principal variation search with singular extensions (:mod:`zermelo.solvers.kernels.window`).

What it computes: what :mod:`zermelo.solvers.search.principal_variation` computes, and more where it matters: behind a
move that is better than all others by a margin it looks one ply further. So a value found this way is not the value to
any one depth, and it is called a guess. It is exact where no horizon was met.

Cost: a small part of the nodes where few moves are singular; where most are, as much as a search several plies deeper.
"""

from __future__ import annotations

from zermelo.solvers.search.iterative_deepening import drive
from zermelo.solvers.search.window_search import Selection, windowed

singular_extensions = windowed(drive, Selection(scouts=True, extends=4, words=", further where one move stood out"))
"""Search by singular extensions and iterative deepening. Needs what iterative deepening needs."""
