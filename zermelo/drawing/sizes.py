"""How a game grows, ply by ply, for a picture."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from zermelo.drawing.captions import titled
from zermelo.game import State
from zermelo.interpreter.machine import Machine
from zermelo.pictures.curves import DrawnCurves, NamedCurve
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.search.plies import Ply, plies
from zermelo.solving import on_machine, search

POSITIONS = 10_000
"""The most positions in a ply that is drawn, unless a number is asked for."""


def sizes_drawn(state: State, most: int, depth: float, limits: Limits, report: Callable[[int], None]) -> DrawnCurves:
    """The plies of a game from a state on, to a depth, and as long as no ply has more than ``most`` positions.

    Raises ``ZermeloError`` (``too-many-outcomes``), and the errors of the rules."""
    game = state.game
    is_hidden = game.facts.perfect_information.holds is not True

    def counted(machine: Machine[Any]) -> list[Ply]:
        found: list[Ply] = []
        for ply in plies(machine, on_machine(state, machine), is_hidden, most, limits, report):
            found.append(ply)
            if ply.number >= depth:
                break
        return found

    found = search(game, counted)
    last = found[-1]
    is_whole = last.plays == last.ended
    kinds: list[tuple[str, Callable[[Ply], int]]] = [
        ("plays", lambda ply: ply.plays),
        ("positions", lambda ply: ply.positions),
        ("ended plays", lambda ply: ply.ended),
    ]
    if is_hidden:
        kinds.append(("information sets", lambda ply: ply.information_sets))
    curves = [
        NamedCurve(name, points)
        for name, of in kinds
        if (points := tuple((ply.number, Fraction(of(ply))) for ply in found if of(ply)))
    ]
    remarks = [_totals(found, is_hidden)]
    if not is_whole:
        why = "time ran out" if limits.is_over else f"a ply has more than {most:,} states; --nodes allows more"
        remarks.append(f"There is more after ply {last.number}" + ("." if last.number >= depth else f": {why}."))
    title = f"{titled(state)}: its size"
    return DrawnCurves(title, "moves and draws", "how many there are", True, tuple(curves), tuple(remarks), False)


def _totals(found: list[Ply], is_hidden: bool) -> str:
    """The sums over all plies, as far as they are no double counts."""
    ended = sum(ply.ended for ply in found)
    ends = f"{ended:,} {'play ends' if ended == 1 else 'plays end'}"
    words = [ends, f"{sum(ply.plays for ply in found):,} histories"]
    if is_hidden:
        words.append(f"{sum(ply.information_sets for ply in found):,} information sets")
    return f"To ply {found[-1].number}: {', '.join(words)}."
