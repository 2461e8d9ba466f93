"""The solvers by the kind of game that they are for, as a list for the help."""

from __future__ import annotations

from typing import Final

from zermelo.solvers.choosing.needs import Need
from zermelo.solvers.choosing.registry import SOLVERS, Solver

_KINDS: Final = (  # the first that is among the needs of a solver
    (Need.IMPERFECT_INFORMATION, "something is hidden, or players choose at once"),
    (Need.PUBLIC, "everybody knows the position, but for what others choose at that moment; any payoffs"),
    (Need.NO_CHANCE, "everybody knows the position, and there is no chance"),
    (Need.PERFECT_INFORMATION, "everybody knows the position, with or without chance"),
)


def solvers_by_kind() -> str:
    """Under a head for each kind of game, its solvers with their names and what is said for them."""
    groups: dict[str, list[Solver]] = {}
    for solver in SOLVERS.values():
        groups.setdefault(_kind(solver), []).append(solver)
    return "\n\n".join(
        f"solvers where {kind}:\n" + "\n".join(f"  {solver.name:<21}{solver.reason}" for solver in group)
        for kind, group in groups.items()
    )


def _kind(solver: Solver) -> str:
    kind = next(kind for need, kind in _KINDS if need in solver.needs)
    if {Need.TWO_PLAYERS, Need.CONSTANT_SUM} <= set(solver.needs) and Need.IMPERFECT_INFORMATION not in solver.needs:
        return f"two players have a constant sum, {kind}"
    return kind
