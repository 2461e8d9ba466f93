"""Analyse a small game as a table: its equilibria, dominated strategies, and what players can secure.

Lists all Nash equilibria of two players, mixed ones included (for more players, those in pure strategies, and some
mixed ones if Gambit is installed). In a 'strict' equilibrium every unilateral deviation loses; an 'efficient' profile
cannot be improved for one player without a loss to another. Further, the strategies removed by iterated elimination,
the maximin value of each player, the greatest sum of payoffs (welfare), and the best correlated equilibrium. Everything
is exact, in fractions, except an equilibrium marked 'to within', which is only near one.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from zermelo.commands.options import add_format, add_game, add_limits, game_of, limits_of
from zermelo.console import print_facts, print_json, print_table, print_title, progress
from zermelo.game import Game
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.checks.game_facts import Facts
from zermelo.interpreter.decimals import rounded
from zermelo.interpreter.machine import Machine, Payoff
from zermelo.numbers import above, exactly
from zermelo.plain_results import by_player, header, settings
from zermelo.solvers.choosing.fitting import objection
from zermelo.solvers.choosing.needs import Need
from zermelo.solvers.choosing.preconditions import instead
from zermelo.solvers.choosing.settling import settle
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.common.progress import Progress
from zermelo.solvers.normal_form.approximate_equilibria import approximate_equilibria
from zermelo.solvers.normal_form.correlated_equilibrium import Correlated, best_correlated
from zermelo.solvers.normal_form.mixed_equilibria import MixedProfile
from zermelo.solvers.normal_form.nash import Equilibria, equilibria_of
from zermelo.solvers.normal_form.normal_form import NormalForm, normal_form
from zermelo.solvers.normal_form.solution_concepts import (
    Elimination,
    dominant,
    efficient,
    eliminate,
    is_strict,
    maximin,
)
from zermelo.solvers.tree_building.building import build_tree
from zermelo.solving import search

EXAMPLES = """\
examples:
  zermelo equilibria prisoners_dilemma
  zermelo equilibria kuhn_poker
  zermelo equilibria my_game.game --json
"""

_TABLE = 8
"""The greatest numbers of rows and columns of a table that is printed."""

_NAMED = 4
"""The greatest number of dominated strategies of a round that are named."""

_LISTED = 24
"""The greatest number of equilibria that are printed."""


def configure(parser: ArgumentParser) -> None:
    add_game(parser)
    add_limits(parser)
    add_format(parser)


def run(options: Namespace) -> int:
    game = game_of(options)
    limits = limits_of(options)
    with limits.kept():
        with progress("looking at the positions", "positions") as report:
            _check_end(search(game, lambda machine: _settled(game, machine, limits, report)))
        with progress("writing down the histories", "histories") as report:
            tree = search(game, lambda machine: build_tree(machine, game.facts, machine.initial(), limits, report))
        page = _Page(game, normal_form(tree, limits), limits)
    if options.format == "json":
        print_json(page.record())
    else:
        page.show()
    return 0


def _settled(game: Game, machine: Machine[Any], limits: Limits, report: Progress) -> Facts:
    return settle(machine, game.facts, "normal_form", machine.initial(), limits, report).facts


def _check_end(facts: Facts) -> None:
    """Raise ``ZermeloError`` (``needs-end``) for a game with a play that comes back to a position."""
    if not Need.END.is_met(facts):
        message = f"tables of pure strategies are for {Need.END.kind}, and {objection(Need.END, facts)}"
        other = instead(facts)
        raise ZermeloError(Need.END.code, message, f"`zermelo solve`: {other}")


class _Page:
    """The analysis of a game."""

    def __init__(self, game: Game, table: NormalForm, limits: Limits) -> None:
        self.game, self.table = game, table
        self.found: Equilibria = equilibria_of(table, limits)
        self.mixed, self.missing = _mixed(table, limits)
        self.listed = [*self.found.profiles, *self.mixed]
        self.taken, self.left = eliminate(table, limits)
        self.efficient = efficient(table.payoffs)
        self.maximin = [maximin(table, player, limits) for player in range(len(table.counts))]
        self.dominant = [dominant(table, player) for player in range(len(table.counts))]
        self.correlated = best_correlated(table, False, limits)
        self.coarse = best_correlated(table, True, limits)

    # ------------------------------------------------------------- in words

    def show(self) -> None:
        """Print it."""
        print_title(self.game.title, settings(self.game))
        print()
        if len(self.table.counts) == 2 and max(self.table.counts) <= _TABLE:
            self._show_table()
            print()
        if self.listed:
            heads = [*self.game.players, *(f"{player} gets" for player in self.game.players), "equilibrium"]
            print_table(heads, [self._row(profile) for profile in self.listed[:_LISTED]])
            if len(self.listed) > _LISTED:
                print(f"... and {len(self.listed) - _LISTED:,} more, which --json lists")
            print()
        print_facts(self._lines())

    def _show_table(self) -> None:
        row_player, column_player = self.game.players
        rows, columns = self.table.strategies
        heads = [f"{row_player} \\ {column_player}", *(strategy.name for strategy in columns)]
        print_table(
            heads,
            [
                [strategy.name, *(", ".join(map(str, self.table.payoff((i, j)))) for j in range(len(columns)))]
                for i, strategy in enumerate(rows)
            ],
        )

    def _row(self, profile: MixedProfile) -> list[str]:
        written = str if profile.is_proved else _rounded
        mixed = [self._mixture(player, mixture, written) for player, mixture in enumerate(profile.mixtures)]
        return [*mixed, *map(written, profile.payoff), ", ".join(self._marks(profile))]

    def _mixture(self, player: int, mixture: Sequence[Fraction], written: Callable[[Fraction], str] = str) -> str:
        played = [
            (strategy.name, weight)
            for strategy, weight in zip(self.table.strategies[player], mixture, strict=True)
            if weight
        ]
        if len(played) == 1:
            return played[0][0]
        return "; ".join(f"{written(weight)} {name}" for name, weight in played)

    def _marks(self, profile: MixedProfile) -> list[str]:
        marks = ["pure" if profile.is_pure else "mixed"]
        if profile.is_pure:
            pure = tuple(mixture.index(1) for mixture in profile.mixtures)
            if is_strict(self.table, pure):
                marks.append("strict")
            if list(pure) == self.dominant:
                marks.append("dominant")
            if profile.payoff in self.efficient:
                marks.append("efficient")
        if not profile.is_proved:
            marks.append(f"to within {above(profile.gain)}")
        return marks

    def _lines(self) -> list[tuple[str, str]]:
        lines = []
        if not self.listed:
            why = self.missing or "the game is too large to find all mixed ones"
            lines.append(("equilibria", f"none in pure strategies; {why}"))
        elif not self.found.are_all:
            more = f"; {self.missing}" if self.missing else "."
            lines.append(("note", f"There may be more equilibria in mixed strategies{more}"))
        if not all(profile.is_proved for profile in self.mixed):
            lines.append(("to within", "a proved bound on the gain by a unilateral deviation; weights are rounded"))
        for number in dict.fromkeys(gone.round for gone in self.taken):
            gone = [each for each in self.taken if each.round == number]
            lines.append((f"dominated {number}", self._gone(gone)))
        if self.taken and all(len(kept) == 1 for kept in self.left):
            lines.append(("left", ", ".join(self.table.names(tuple(kept[0] for kept in self.left)))))
        for player, (value, mixture) in zip(self.game.players, self.maximin, strict=True):
            how = self._mixture(self.game.players.index(player), mixture)
            lines.append((f"{player} secures", f"{exactly(value)} by {how}"))
        if len({sum(payoff) for payoff in self.table.payoffs}) == 1:
            return lines  # every profile has the same welfare
        most, where = self._welfare()
        lines.append(("welfare", f"at most {exactly(most)}: {where}"))
        lines.append(("correlated", self._drawn(self.correlated)))
        if self.coarse.welfare != self.correlated.welfare:
            lines.append(("coarse", self._drawn(self.coarse)))
        return lines

    def _gone(self, gone: Sequence[Elimination]) -> str:
        """The strategies removed in one round, by name or, if they are many, by number."""
        if len(gone) <= _NAMED:
            return "; ".join(
                f"{self.game.players[each.player]}: {self.table.strategies[each.player][each.strategy].name}"
                for each in gone
            )
        counted = Counter(self.game.players[each.player] for each in gone)
        return ", ".join(f"{count} strategies of {player}" for player, count in counted.items())

    def _welfare(self) -> tuple[Fraction, str]:
        """The greatest sum of payoffs, and a profile that attains it."""
        best = max(self.table.profiles(), key=lambda profile: sum(self.table.payoff(profile)))
        return sum(self.table.payoff(best), Fraction(0)), f"({'; '.join(self.table.names(best))})"

    def _drawn(self, correlated: Correlated) -> str:
        parts = [f"{weight} ({'; '.join(self.table.names(pure))})" for pure, weight in correlated.profiles.items()]
        return f"welfare at most {exactly(correlated.welfare)}: {', '.join(parts)}"

    # ------------------------------------------------------------- as JSON

    def record(self) -> dict[str, object]:
        """It as JSON."""
        names, game = self.game.players, self.game
        return {
            **header(game),
            "players": list(names),
            "strategies": {
                name: [strategy.name for strategy in own]
                for name, own in zip(names, self.table.strategies, strict=True)
            },
            "payoffs": [by_player(game, payoff) for payoff in self.table.payoffs],
            "equilibria": [
                {
                    "strategies": {
                        name: list(map(str, mixture)) for name, mixture in zip(names, found.mixtures, strict=True)
                    },
                    "payoff": by_player(game, found.payoff),
                    "marks": self._marks(found),
                }
                for found in self.listed
                if found.is_proved
            ],
            "nearly": [
                {
                    "strategies": {
                        name: list(map(float, mixture)) for name, mixture in zip(names, found.mixtures, strict=True)
                    },
                    "payoff": {name: float(amount) for name, amount in zip(names, found.payoff, strict=True)},
                    "gain": above(found.gain),
                }
                for found in self.mixed
                if not found.is_proved
            ],
            "all": self.found.are_all,
            "dominated": [
                {"round": gone.round, "player": names[gone.player], "strategy": gone.strategy} for gone in self.taken
            ],
            "maximin": {
                name: {"value": str(value), "strategy": list(map(str, mixture))}
                for name, (value, mixture) in zip(names, self.maximin, strict=True)
            },
            "correlated": self._distribution(self.correlated),
            "coarse": self._distribution(self.coarse),
        }

    def _distribution(self, correlated: Correlated) -> dict[str, object]:
        payoff: Payoff = correlated.payoff
        return {
            "payoff": by_player(self.game, payoff),
            "profiles": [{"strategies": list(pure), "probability": str(w)} for pure, w in correlated.profiles.items()],
        }


def _mixed(table: NormalForm, limits: Limits) -> tuple[list[MixedProfile], str]:
    """Mixed equilibria of more than two players; and what to do if the library that finds them is missing or fails."""
    if len(table.counts) <= 2:
        return [], ""
    try:
        return approximate_equilibria(table, limits), ""
    except ZermeloError as error:
        return [], f"mixed ones need {error.help}: {error.message}"


def _rounded(number: Fraction) -> str:
    return rounded(number, 6)
