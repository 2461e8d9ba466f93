"""Two games compared: a play on which they differ, or a proof that there is none."""

from __future__ import annotations

from collections.abc import Mapping
from math import inf
from typing import TYPE_CHECKING, Any, Final

from attrs import field, frozen

from zermelo.game import Game
from zermelo.numbers import record_header
from zermelo.results import UNASKED, GameResult, Provenance
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.validation.difference import PLAYS, compare
from zermelo.solvers.validation.situations import Aspect, Difference, Play
from zermelo.testing.expectations import beginnings

if TYPE_CHECKING:
    from zermelo.report.console import Watch


@frozen(repr=False)
class GameDifference(GameResult):
    """A comparison of two games, from :func:`zermelo.diff`. ``difference`` is where they differ, None if no play shows
    one; ``renamed`` maps words of the first game to those of the second. So many ``pairs`` of positions and random
    ``plays`` have been compared; ``stopped`` says what stopped it, and ``length`` up to which all plays have been
    compared then. It is empty if all of them have been, or if the difference is on a shortest play."""

    first: Game = field(eq=False)
    second: Game = field(eq=False)
    difference: Difference | None
    renamed: Mapping[str, str]
    pairs: int
    plays: int
    length: int
    stopped: str
    provenance: Provenance = UNASKED

    @property
    def game(self) -> Game:
        """The first game."""
        return self.first

    @property
    def same(self) -> bool | None:
        """Whether they are the same: False with a difference, True if that is proved, None if it is not known."""
        return False if self.difference is not None else None if self.stopped else True

    def __repr__(self) -> str:
        verdict = {True: "the same", None: "no difference found"}.get(self.same, "different")
        return f"<'{self.first.name}' and '{self.second.name}': {verdict}>"

    def record(self) -> dict[str, Any]:
        return {
            "first": record_header(self.first),
            "second": record_header(self.second),
            "provenance": self.provenance.record(),
            "renamed": dict(self.renamed),
            "same": self.same,
            "difference": None if self.difference is None else difference_record(self.difference),
            "shortest": not self.stopped if self.difference else None,
            "pairs": self.pairs,
            "plays": self.plays,
            "length": self.length if self.stopped else None,
            "stopped": self.stopped or None,
        }


def difference_record(difference: Difference) -> dict[str, Any]:
    """A difference as JSON."""
    return {
        "aspect": difference.aspect.value,
        "after": _texts(difference.plays),
        "and_after": _texts(difference.others) if difference.aspect is Aspect.PERCEPTION else None,
        "player": difference.player or None,
        "said": list(difference.said),
    }


def _texts(plays: tuple[Play, Play]) -> list[list[str]]:
    return [list(map(str, play)) for play in plays]


def compare_games(
    first: Game,
    second: Game,
    rename: Mapping[str, str],
    positions: int | None,
    plays: int | None,
    limits: Limits,
    watch: Watch,
) -> GameDifference:
    """A comparison of two games. Raises ``ZermeloError`` as :func:`zermelo.diff` does."""
    knows_all = first.facts.perfect_information.holds and second.facts.perfect_information.holds
    with watch("comparing", "positions", None) as report:
        found = compare(
            first.searching,
            second.searching,
            dict(rename),
            not knows_all,
            limits,
            positions or inf,
            report,
            PLAYS if plays is None else plays,
            [*beginnings(first), *beginnings(second)],
        )
    return GameDifference(
        first, second, found.difference, found.words, found.pairs, found.plays, found.length, found.stopped
    )


# A difference in words.


_SAID: Final = {
    Aspect.PLAYERS: "The games have other players.",
    Aspect.DISCOUNT: "Payments shrink by another factor with each decision.",
    Aspect.ACTOR: "Somebody else is to act.",
    Aspect.MOVES: "Other moves are offered.",
    Aspect.CHANCE: "Chance has other probabilities.",
    Aspect.EARNINGS: "Other amounts have been earned.",
    Aspect.PAYOFFS: "The end pays other amounts.",
    Aspect.ENDLESS: "A play that never ends pays other amounts.",
    Aspect.ERROR: "The rules of one game fail.",
}


def said_of(difference: Difference) -> str:
    """How two games differ, in a sentence."""
    if difference.aspect is Aspect.PERCEPTION:
        return f"{difference.player} tells two plays apart in only one of the games."
    return _SAID[difference.aspect]


def rows_of(difference: Difference) -> list[tuple[str, str, str]]:
    """After which play two games differ, and what holds in each then, each a row with a head."""
    rows = [_row("after", difference.plays)]
    if difference.aspect is Aspect.PERCEPTION:
        rows.append(_row("and after", difference.others))
    first, second = difference.said
    return [*rows, (difference.aspect.value, first, second)]


def _row(head: str, plays: tuple[Play, Play]) -> tuple[str, str, str]:
    first, second = (", ".join(map(str, play)) or "no move" for play in plays)
    return head, first, second
