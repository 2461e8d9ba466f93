"""The equilibria of a game and what else its table shows, in words and as JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Final

from attrs import frozen

from zermelo.game import Game, State
from zermelo.grammar.rich_display import RichlyDisplayed
from zermelo.interpreter.decimals import rounded
from zermelo.interpreter.machine import Payoff
from zermelo.normal_form.sequential import SequentialMarks
from zermelo.normal_form.table_analysis import MIXED, TableAnalysis
from zermelo.numbers import above, exactly, readable
from zermelo.plain_results import by_player
from zermelo.solvers.normal_form.correlated_equilibrium import Correlated
from zermelo.solvers.normal_form.mixed_equilibria import MixedProfile
from zermelo.solvers.normal_form.normal_form import NormalForm
from zermelo.solvers.normal_form.solution_concepts import Elimination, is_strict

LISTED: Final = 24
"""The greatest number of equilibria that are printed."""

_TABLE: Final = 8
"""The greatest numbers of rows and columns of a table that is printed."""

_NAMED: Final = 4
"""The greatest number of dominated strategies of a round that are named."""

Table = tuple[list[str], list[list[str]]]
"""Heads, and rows under them."""


@frozen(eq=False, repr=False)
class ListedEquilibria(RichlyDisplayed):
    """The analysis of a game from the state ``begin`` on, from :func:`zermelo.equilibria`. ``known`` is the analysis of
    its table, with the equilibria as exact fractions; ``marks`` tell which of them are sequential; ``is_pure``:
    equilibria in mixed strategies were not asked for."""

    begin: State
    known: TableAnalysis
    marks: SequentialMarks
    is_pure: bool

    @property
    def game(self) -> Game:
        """The game."""
        return self.begin.game

    @property
    def table(self) -> NormalForm:
        """The pure strategies of all players, and what they bring."""
        return self.known.table

    @property
    def listed(self) -> list[MixedProfile]:
        """All equilibria that are known, the best recommended first."""
        return self.known.equilibria

    def __repr__(self) -> str:
        count = len(self.listed)
        return f"<{count} equilibri{'um' if count == 1 else 'a'} of '{self.game.title}'>"

    # ------------------------------------------------------------- in words

    def payoffs(self) -> Table | None:
        """The table of two players; None if there are more, or if it is too large to be printed."""
        if len(self.table.counts) != 2 or max(self.table.counts) > _TABLE:
            return None
        row_player, column_player = self.game.players
        rows, columns = self.table.strategies
        return [f"{row_player} \\ {column_player}", *(strategy.name for strategy in columns)], [
            [strategy.name, *(", ".join(readable(*self.table.payoff((i, j)))) for j in range(len(columns)))]
            for i, strategy in enumerate(rows)
        ]

    def profiles(self, limit: int | None) -> Table:
        """The equilibria, no more than ``limit``, with what they pay and what they are."""
        heads = [*self.game.players, *(f"{player} gets" for player in self.game.players), "equilibrium"]
        rows = [self._row(number, profile) for number, profile in enumerate(self.listed[:limit])]
        if any(self._reasons()):
            heads, rows = ["", *heads], [[str(number), *row] for number, row in enumerate(rows, 1)]
        return heads, rows

    def _reasons(self) -> list[str]:
        """Why each equilibrium that is listed is sequential or not; empty if there is nothing to tell."""
        return [self.marks.reason(number) for number in range(len(self.marks.verdicts))]

    def _row(self, number: int, profile: MixedProfile) -> list[str]:
        written = readable if profile.is_proved else _rounded
        mixed = [self._mixture(player, mixture, written) for player, mixture in enumerate(profile.mixtures)]
        return [*mixed, *written(*profile.payoff), ", ".join(self._marks(number, profile))]

    def _mixture(self, player: int, mixture: Sequence[Fraction], written: Callable[..., list[str]] = readable) -> str:
        played = [
            (strategy.name, weight)
            for strategy, weight in zip(self.table.strategies[player], mixture, strict=True)
            if weight
        ]
        if len(played) == 1:
            return played[0][0]
        weights = written(*(weight for _, weight in played))
        return "; ".join(f"{weight} {name}" for weight, (name, _) in zip(weights, played, strict=True))

    def _marks(self, number: int, profile: MixedProfile) -> list[str]:
        marks = ["pure" if profile.is_pure else "mixed"]
        if profile.is_pure:
            pure = tuple(mixture.index(1) for mixture in profile.mixtures)
            if is_strict(self.table, pure):
                marks.append("strict")
            if list(pure) == self.known.dominant:
                marks.append("dominant")
        if self.known.efficient.get(profile.payoff) and profile.is_proved:
            marks.append("efficient")
        if not profile.is_proved:
            marks.append(f"to within {above(profile.gain)}")
        return [*marks, *self.marks.mark(number)]

    def lines(self) -> list[tuple[str, str]]:
        """What else there is to say, each a word and a text about it."""
        lines, known = [], self.known
        if known.unfinished:
            lines.append(("time", f"is up: not looked for to the end are {', '.join(known.unfinished)}"))
        if not self.listed:
            lines.append(("equilibria", f"none in pure strategies{self._why_no_others()}"))
        elif not known.found.are_all and not self.is_pure:
            more = f"; {known.missing}" if known.missing else "."
            lines.append(("note", f"There may be more equilibria in mixed strategies{more}"))
        if not all(profile.is_proved for profile in known.nearly):
            lines.append(("to within", "a proved bound on the gain by a unilateral deviation; weights are rounded"))
        for number, reason in enumerate(self._reasons(), 1):
            if reason:
                lines.append((f"equilibrium {number}", reason))
        for number in dict.fromkeys(gone.round for gone in known.taken):
            gone = [each for each in known.taken if each.round == number]
            lines.append((f"dominated {number}", self._gone(gone)))
        if known.taken and all(len(kept) == 1 for kept in known.left):
            lines.append(("left", ", ".join(self.table.names(tuple(kept[0] for kept in known.left)))))
        for player, (value, mixture) in zip(self.game.players, known.maximin, strict=False):  # none, where time ended
            how = self._mixture(self.game.players.index(player), mixture)
            lines.append((f"{player} secures", f"{exactly(value)} by {how}"))
        if len({sum(payoff) for payoff in self.table.payoffs}) == 1:
            return lines  # every profile has the same welfare
        most, where = self._welfare()
        lines.append(("welfare", f"at most {exactly(most)}: {where}"))
        if known.correlated is not None:
            lines.append(("correlated", self._drawn(known.correlated)))
            if known.extensive is not None and known.extensive.welfare != known.correlated.welfare:
                lines.append(("extensive", self._drawn(known.extensive)))
            if known.coarse is not None and known.coarse.welfare != known.correlated.welfare:
                lines.append(("coarse", self._drawn(known.coarse)))
        return lines

    def _why_no_others(self) -> str:
        """Why a page lists no equilibrium, though every game has one."""
        if self.is_pure or MIXED in self.known.unfinished:
            return ""
        return f"; {self.known.missing or 'the game is too large to find all mixed ones'}"

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
        drawn = zip(readable(*correlated.profiles.values()), correlated.profiles, strict=True)
        parts = [f"{weight} ({'; '.join(self.table.names(pure))})" for weight, pure in drawn]
        return f"welfare at most {exactly(correlated.welfare)}: {', '.join(parts)}"

    # ------------------------------------------------------------- as JSON

    def record(self, limit: int | None) -> dict[str, object]:
        """It as JSON, with no more equilibria than ``limit``."""
        names, game, known = self.game.players, self.game, self.known
        listed = self.listed[:limit]
        return {
            "players": list(names),
            "strategies": {
                name: [strategy.name for strategy in own]
                for name, own in zip(names, self.table.strategies, strict=True)
            },
            "choices": {
                name: [self.marks.choices(player, strategy.sequences) for strategy in own]
                for player, (name, own) in enumerate(zip(names, self.table.strategies, strict=True))
            },
            "payoffs": [by_player(game, payoff) for payoff in self.table.payoffs],
            "equilibria": [
                {
                    "strategies": {
                        name: list(map(str, mixture)) for name, mixture in zip(names, found.mixtures, strict=True)
                    },
                    "payoff": by_player(game, found.payoff),
                    "marks": self._marks(number, found),
                    "efficient": self.known.efficient.get(found.payoff),
                    **self.marks.record(number),
                }
                for number, found in enumerate(listed)
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
                for found in listed
                if not found.is_proved
            ],
            "all": known.found.are_all and len(listed) == len(self.listed),
            "unfinished": known.unfinished,
            "dominated": [
                {"round": gone.round, "player": names[gone.player], "strategy": gone.strategy} for gone in known.taken
            ],
            "maximin": {
                name: {"value": str(value), "strategy": list(map(str, mixture))}
                for name, (value, mixture) in zip(names, known.maximin, strict=False)
            },
            "correlated": self._distribution(known.correlated),
            "extensive": self._distribution(known.extensive),
            "coarse": self._distribution(known.coarse),
        }

    def _distribution(self, correlated: Correlated | None) -> dict[str, object] | None:
        if correlated is None:
            return None
        payoff: Payoff = correlated.payoff
        return {
            "payoff": by_player(self.game, payoff),
            "profiles": [{"strategies": list(pure), "probability": str(w)} for pure, w in correlated.profiles.items()],
        }


def _rounded(*numbers: Fraction) -> list[str]:
    return [rounded(number, 6) for number in numbers]
