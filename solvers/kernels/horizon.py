"""Where a search is cut off, and what positions are worth (see :mod:`zermelo.solvers.search.horizon`), in parts of one
unit.

The host gives ``PAYOFFS``, what payoffs are multiplied by, ``OVERTIME``, the plies that a search may go beyond its
depth, and the functions ``guess`` of ``(C, S, p, R)``, what a position is worth to player p where the search is cut
off, and ``is_unsettled`` of ``(C, S)``. A number that leaves its bounds is noticed in ``R[7]``.
"""


def is_cut(C: ints[CONTEXT], S: state, left: int) -> int:
    """Whether a search that has so many plies left, or has gone beyond its depth, stops here."""
    if left > 0:
        return 0
    return 1 if left <= -OVERTIME or is_unsettled(C, S) == 0 else 0


def paid(S: state, p: int, R: ints[8]) -> int:
    """What the play that ends here pays."""
    return times(payoff(S, p), PAYOFFS, R) if PAYOFFS != 1 else payoff(S, p)
