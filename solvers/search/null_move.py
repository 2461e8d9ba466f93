"""Principal variation search with null-move pruning (:mod:`zermelo.solvers.kernels.window`).

What it computes: nearly what :mod:`zermelo.solvers.search.principal_variation` computes, in less time, so that a deeper
search fits into it. Since it errs in a zugzwang, a value found this way is heuristic even as a value to its depth. What
a pass is, and in which games there is one, :mod:`zermelo.interpreter.model.passing` says. The result is exact where no
horizon was met, which is so for every game without end that is searched deep enough: nothing has been left out then.

Cost: where it cuts off, a position costs what it would cost three or four plies from its horizon.
"""

from __future__ import annotations

from zermelo.solvers.search.iterative_deepening import drive
from zermelo.solvers.search.window_search import Selection, windowed

_SELECTION = Selection(
    scouts=True,
    passes=4,  # with fewer plies the other player would have none to answer a pass in
    adaptive=7,
    words=", less far where a player could afford to pass",
)

null_move = windowed(drive, _SELECTION)
"""Search by null-move pruning and iterative deepening. Needs what iterative deepening needs, and passes."""
