"""The table of a game of two players as a picture shows it, with its equilibria."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import nullcontext
from fractions import Fraction
from typing import Final

from zermelo.drawing.captions import in_short, titled
from zermelo.game import State
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.pictures.matrices import DrawnMatrix, MatrixCell
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.normal_form.nash import MixedProfile, equilibria_of
from zermelo.solvers.normal_form.normal_form import NormalForm, normal_form
from zermelo.whole_tree import whole_tree

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

_LISTED: Final = 4
"""The most equilibria in mixed strategies that are named below it."""


def drawn_table(state: State, limits: Limits, report: Callable[[int], None]) -> DrawnMatrix:
    """The table of a game from a state on.

    Raises ``ZermeloError`` as :func:`~zermelo.drawing.tables.two_player_table` does, and
    ``too-many-strategies``."""
    table = two_player_table(state, limits, report)
    if max(table.counts) > _MOST:
        raise ZermeloError(
            "too-many-strategies",
            f"the table has {table.counts[0]:,} rows and {table.counts[1]:,} columns; a picture has {_MOST} at most",
            "`zermelo equilibria` analyses it",
        )
    equilibria = equilibria_of(table, limits)
    found = equilibria.profiles
    best = [_best(table, player) for player in range(2)]
    pure = {_places(profile) for profile in found if profile.is_pure}
    cells = tuple(
        tuple(_cell(table, (row, column), best, pure) for column in range(table.counts[1]))
        for row in range(table.counts[0])
    )
    rows, columns = (tuple(each.name for each in own) for own in table.strategies)
    first, second = state.game.players
    mixed = [profile for profile in found if not profile.is_pure]
    remarks = _remarks(table, pure, mixed)
    if not equilibria.are_all:
        remarks.append("The table is too large to find all mixed equilibria; `zermelo equilibria` looks for one.")
    return DrawnMatrix(titled(state), (first, second), rows, columns, cells, tuple(remarks))


def _best(table: NormalForm, player: int) -> set[tuple[int, ...]]:
    """The profiles in which a player's strategy is a best response to that of the other one."""
    found = set()
    for profile in table.profiles():
        most = max(table.payoff(other)[player] for other in table.instead(profile, player))
        if table.payoff(profile)[player] == most:
            found.add(profile)
    return found


def _places(profile: MixedProfile) -> tuple[int, ...]:
    """The numbers of the pure strategies of a profile that has no others."""
    return tuple(next(k for k, chance in enumerate(mixture) if chance) for mixture in profile.mixtures)


def _cell(
    table: NormalForm, profile: tuple[int, int], best: Sequence[set[tuple[int, ...]]], pure: set[tuple[int, ...]]
) -> MatrixCell:
    one, other = map(in_short, table.payoff(profile))
    return MatrixCell((one, other), (profile in best[0], profile in best[1]), profile in pure)


def _remarks(table: NormalForm, pure: set[tuple[int, ...]], mixed: Sequence[MixedProfile]) -> list[str]:
    said = ["Underlined: best responses."]
    if pure:
        said.append("Framed: equilibria in pure strategies.")
    for profile in mixed[:_LISTED]:
        parts = [
            f"{player}: {_mixture(table, p, mixture)}"
            for p, (player, mixture) in enumerate(zip(table.player_names, profile.mixtures, strict=True))
        ]
        said.append(f"In equilibrium: {'; '.join(parts)}; it pays {', '.join(map(in_short, profile.payoff))}.")
    if len(mixed) > _LISTED:
        said.append(f"{len(mixed) - _LISTED:,} more mixed equilibria: `zermelo equilibria` lists them.")
    return said


def _mixture(table: NormalForm, player: int, mixture: Sequence[Fraction]) -> str:
    return ", ".join(
        f"{strategy.name} {in_short(chance)}"
        for strategy, chance in zip(table.strategies[player], mixture, strict=True)
        if chance
    )
