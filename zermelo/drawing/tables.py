"""Pictures of the table of a game of two players: its cells with its equilibria, and what the two can get; and their
words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import nullcontext
from fractions import Fraction
from typing import Final

from zermelo.game import State
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.grammar.names import shown
from zermelo.numbers import approximation, play_so_far, with_parameters
from zermelo.pictures.matrices import DrawnMatrix, DrawnRegion, MatrixCell, NamedPoint, Payoffs
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.normal_form.nash import MixedProfile, equilibria_of
from zermelo.solvers.normal_form.normal_form import NormalForm, normal_form
from zermelo.solvers.normal_form.solution_concepts import maximin
from zermelo.whole_tree import whole_tree

# Words of pictures: titles, and numbers that are short enough for them.


LONG: Final = 9
"""The longest fraction that a picture shows, in characters."""


def picture_title(state: State) -> str:
    """The title of a game with its parameters, and the play so far."""
    after = f", after {play_so_far(state)}" if state.play else ""
    return f"{with_parameters(state.game.title, state.game)}{after}"


def short_number(number: Fraction | int) -> str:
    """A number as a fraction, or rounded if that is too long."""
    return str(number) if len(str(number)) <= LONG else approximation(number).removeprefix("≈ ")


# The table of pure strategies of a game of two players, for the pictures that are made of it.


def two_player_table(state: State, limits: Limits, report: Callable[[int], None]) -> NormalForm:
    """The table of a game from a state on.

    Raises ``ZermeloError``: ``needs-two-players``, ``needs-end``, ``too-many-strategies``, and what building the tree
    raises."""
    players = len(state.game.players)
    if players != 2:
        raise ZermeloError(
            "needs-two-players",
            f"this picture is for two players, and this game has {players}",
            "`zermelo equilibria` lists the equilibria of any number",
        )
    return normal_form(whole_tree(state, "tables of pure strategies", limits, lambda *_: nullcontext(report)), limits)


_MOST: Final = 16
"""The most rows and columns of a table that is drawn."""

_MOST_MIXED: Final = 4
"""The most equilibria in mixed strategies that are named below it."""


def draw_table(state: State, limits: Limits, report: Callable[[int], None]) -> DrawnMatrix:
    """The table of a game from a state on.

    Raises ``ZermeloError`` as :func:`two_player_table` does, and ``too-many-strategies``."""
    table = two_player_table(state, limits, report)
    if max(table.counts) > _MOST:
        raise ZermeloError(
            "too-many-strategies",
            f"the table has {table.counts[0]:,} rows and {table.counts[1]:,} columns; a picture has {_MOST} at most",
            "`zermelo equilibria` analyses it",
        )
    equilibria = equilibria_of(table, limits)
    found = equilibria.profiles
    best = [_best_responses(table, player) for player in range(2)]
    pure = {_places(profile) for profile in found if profile.is_pure}
    cells = tuple(
        tuple(_cell(table, (row, column), best, pure) for column in range(table.counts[1]))
        for row in range(table.counts[0])
    )
    rows, columns = (tuple(shown(each.name) for each in own) for own in table.strategies)
    first, second = state.game.titles
    mixed = [profile for profile in found if not profile.is_pure]
    remarks = _remarks(table, pure, mixed)
    if equilibria.is_up:
        remarks.append("Half of the time was not enough to find the mixed equilibria: a longer --time may be.")
    elif not equilibria.are_all:
        remarks.append("The table is too large to find all mixed equilibria; `zermelo equilibria` looks for one.")
    return DrawnMatrix(picture_title(state), (first, second), rows, columns, cells, tuple(remarks))


def _best_responses(table: NormalForm, player: int) -> set[tuple[int, ...]]:
    """The profiles in which a player's strategy is a best response to that of the other one."""
    found = set()
    for profile in table.profiles():
        most = max(table.payoff(other)[player] for other in table.instead(profile, player))
        if table.payoff(profile)[player] == most:
            found.add(profile)
    return found


def _places(profile: MixedProfile) -> tuple[int, ...]:
    """The numbers of the strategies in a pure profile."""
    return tuple(next(k for k, chance in enumerate(mixture) if chance) for mixture in profile.mixtures)


def _cell(
    table: NormalForm, profile: tuple[int, int], best: Sequence[set[tuple[int, ...]]], pure: set[tuple[int, ...]]
) -> MatrixCell:
    one, other = map(short_number, table.payoff(profile))
    return MatrixCell((one, other), (profile in best[0], profile in best[1]), profile in pure)


def _remarks(table: NormalForm, pure: set[tuple[int, ...]], mixed: Sequence[MixedProfile]) -> list[str]:
    said = ["Underlined: best responses."]
    if pure:
        said.append("Framed: equilibria in pure strategies.")
    for profile in mixed[:_MOST_MIXED]:
        parts = [
            f"{shown(player)}: {_mixture(table, p, mixture)}"
            for p, (player, mixture) in enumerate(zip(table.player_names, profile.mixtures, strict=True))
        ]
        said.append(f"In equilibrium: {'; '.join(parts)}; it pays {', '.join(map(short_number, profile.payoff))}.")
    if len(mixed) > _MOST_MIXED:
        said.append(f"{len(mixed) - _MOST_MIXED:,} more mixed equilibria: `zermelo equilibria` lists them.")
    return said


def _mixture(table: NormalForm, player: int, mixture: Sequence[Fraction]) -> str:
    return ", ".join(
        f"{shown(strategy.name)} {short_number(chance)}"
        for strategy, chance in zip(table.strategies[player], mixture, strict=True)
        if chance
    )


# What two players can get, as a picture shows it: the payoffs of a table and what follows from them, in fractions.


_MOST_OUTCOMES: Final = 12
"""The most equilibria that are named."""


def draw_payoffs(state: State, limits: Limits, report: Callable[[int], None]) -> DrawnRegion:
    """The payoffs of a game from a state on.

    Raises ``ZermeloError`` as :func:`two_player_table` does."""
    table = two_player_table(state, limits, report)
    outcomes = sorted({_pair(table, profile) for profile in table.profiles()})
    one, other = (maximin(table, player, limits)[0] for player in range(2))
    paid, are_all, is_up = _equilibria(table, outcomes, (one, other), limits)
    first, second = state.game.titles
    remarks = [
        "Points: what profiles of pure strategies pay on average. Grey: what lots that are drawn together can pay.",
        "Golden line: the Pareto front, on which nobody gets more unless the other one gets less.",
        f"Broken lines: what {first} secures, {short_number(one)}, and {second}, {short_number(other)}.",
    ]
    if paid:
        others = "" if are_all else "; there may be others"
        why = ", for which half of the time was not enough: a longer --time may be" if is_up else ""
        remarks.append(f"Golden points: what equilibria pay{others}{why}.")
    elif is_up:
        remarks.append("No equilibrium in pure strategies; half of the time was not enough to find the mixed ones.")
    else:
        remarks.append("No equilibrium in pure strategies; the game is too large to find the mixed ones.")
    corners = hull(outcomes)
    return DrawnRegion(
        picture_title(state),
        (first, second),
        tuple(outcomes),
        tuple(corners),
        tuple(front(corners)),
        tuple(NamedPoint(each, f"({', '.join(map(short_number, each))})") for each in paid[:_MOST_OUTCOMES]),
        (one, other),
        tuple(remarks),
    )


def _equilibria(
    table: NormalForm, outcomes: list[Payoffs], secure: Payoffs, limits: Limits
) -> tuple[list[Payoffs], bool, bool]:
    """What equilibria pay, whether that is all, and whether time was up. If the sum of the payoffs is constant, every
    equilibrium pays each player what they secure (von Neumann 1928)."""
    if len({one + other for one, other in outcomes}) == 1:
        return [secure], True, False
    found = equilibria_of(table, limits)
    paid = {(Fraction(one), Fraction(other)) for one, other in (each.payoff for each in found.profiles)}
    return sorted(paid), found.are_all, found.is_up


def _pair(table: NormalForm, profile: tuple[int, ...]) -> Payoffs:
    one, other = table.payoff(profile)
    return Fraction(one), Fraction(other)


def hull(points: Iterable[Payoffs]) -> list[Payoffs]:
    """The corners of the convex hull, counterclockwise from the least one: the monotone chain of Andrew (1979), which
    takes the points in order and drops each corner at which the way to the next point does not turn to the left."""
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
