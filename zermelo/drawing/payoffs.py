"""What two players can get, as a picture shows it: the payoffs of a table and what follows from them, in fractions."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Final

from zermelo.drawing.captions import in_short, titled
from zermelo.drawing.tables import two_player_table
from zermelo.game import State
from zermelo.pictures.regions import DrawnRegion, NamedPoint, Payoffs
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.normal_form.nash import equilibria_of
from zermelo.solvers.normal_form.normal_form import NormalForm
from zermelo.solvers.normal_form.solution_concepts import maximin

_LISTED: Final = 12
"""The most equilibria that are named."""


def drawn_payoffs(state: State, limits: Limits, report: Callable[[int], None]) -> DrawnRegion:
    """The payoffs of a game from a state on.

    Raises ``ZermeloError`` as :func:`~zermelo.drawing.tables.two_player_table` does."""
    table = two_player_table(state, limits, report)
    outcomes = sorted({_pair(table, profile) for profile in table.profiles()})
    one, other = (maximin(table, player, limits)[0] for player in range(2))
    paid, are_all = _equilibria(table, outcomes, (one, other), limits)
    first, second = state.game.players
    remarks = [
        "Points: what profiles of pure strategies pay on average. Grey: what lots that are drawn together can pay.",
        "Golden line: the Pareto front, on which nobody gets more unless the other one gets less.",
        f"Broken lines: what {first} secures, {in_short(one)}, and {second}, {in_short(other)}.",
    ]
    if paid:
        remarks.append(f"Golden points: what equilibria pay{'' if are_all else '; there may be others'}.")
    else:
        remarks.append("No equilibrium in pure strategies; the game is too large to find the mixed ones.")
    corners = hull(outcomes)
    return DrawnRegion(
        titled(state),
        (first, second),
        tuple(outcomes),
        tuple(corners),
        tuple(front(corners)),
        tuple(NamedPoint(each, f"({', '.join(map(in_short, each))})") for each in paid[:_LISTED]),
        (one, other),
        tuple(remarks),
    )


def _equilibria(
    table: NormalForm, outcomes: list[Payoffs], secure: Payoffs, limits: Limits
) -> tuple[list[Payoffs], bool]:
    """What equilibria pay, and whether that is all. If the sum of the payoffs is constant, every equilibrium pays each
    player what they secure (von Neumann 1928)."""
    if len({one + other for one, other in outcomes}) == 1:
        return [secure], True
    found = equilibria_of(table, limits)
    return sorted(
        {(Fraction(one), Fraction(other)) for one, other in (each.payoff for each in found.profiles)}
    ), found.are_all


def _pair(table: NormalForm, profile: tuple[int, ...]) -> Payoffs:
    one, other = table.payoff(profile)
    return Fraction(one), Fraction(other)


def hull(points: Iterable[Payoffs]) -> list[Payoffs]:
    """The corners of the convex hull, counterclockwise from the least one: the monotone chain of Andrew (1979), which
    takes the points in order and drops each corner that the next one makes a turn to the right of, or none."""
    ordered = sorted(set(points))
    if len(ordered) < 3:
        return ordered
    return [*_chain(ordered), *_chain(ordered[::-1])]


def _chain(ordered: list[Payoffs]) -> list[Payoffs]:
    """The corners below the points, without the last one."""
    kept: list[Payoffs] = []
    for point in ordered:
        while len(kept) > 1 and _turn(kept[-2], kept[-1], point) <= 0:
            kept.pop()
        kept.append(point)
    return kept[:-1]


def _turn(a: Payoffs, b: Payoffs, c: Payoffs) -> Fraction:
    """Positive if the way from a by b to c turns to the left."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def front(corners: list[Payoffs]) -> list[Payoffs]:
    """The corners of the Pareto front of a hull, from the best for the second player to the best for the first.

    Sound: on the way around a convex hull, clockwise from the corner that is best for the second player (of these, for
    the first) to the one that is best for the first (of these, for the second), the first player gains with every step,
    and the second loses. Every other point of the hull lies below or to the left of a point of this way."""
    begin = max(corners, key=lambda each: (each[1], each[0]))
    end = max(corners)
    clockwise = corners[::-1]
    start = clockwise.index(begin)
    around = clockwise[start:] + clockwise[:start]
    return around[: around.index(end) + 1]
